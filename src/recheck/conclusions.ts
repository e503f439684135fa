import type { Conclusion, Config } from "../model.ts";
import type { Part } from "./clip.ts";
import { words } from "./inert.ts";
import { listed } from "./names.ts";
import { conclusionsOn, ratingName } from "./resting.ts";

/** More are folded away: nobody reads them before a rating has changed. */
const few = 3;

/** The conclusions above these ratings, each once: with the ratings that it rests on where those are not all of them. */
export function conclusionPart(asked: readonly string[], config: Config): Part {
  const all = conclusionsOn(asked, config);
  const by = (one: Conclusion) => asked.filter((rating) => one.restsOn.includes(rating));
  const direct = all.filter((one) => by(one).length > 0);
  const through = all.filter((one) => by(one).length === 0);
  const entries = [
    ...direct.map(
      (one) => `- ${told(one)}${by(one).length < asked.length ? `: ${named(by(one), asked, config)}` : ""}`,
    ),
    ...through.map((one) => `- ${told(one)}, through the above`),
  ];
  const name = asked.length === 1 ? ratingName(asked[0] ?? "", config) : "these ratings";
  const folded = [`<details><summary>${all.length} conclusions rest on ${name}</summary>`, ""];
  return {
    head: all.length > few ? folded : [`Rests on ${name}:`, ""],
    entries,
    ...(all.length > few && { tail: ["", "</details>"] }),
    between: "\n",
    least: 0,
    one: "conclusion",
    many: "conclusions",
  };
}

function told({ text }: Conclusion): string {
  return `*${words(text, 200)}*`;
}

/** Without their first part, where it is the same for all that are asked about. */
function named(ids: readonly string[], asked: readonly string[], config: Config): string {
  const rows = new Set(asked.map((id) => id.slice(0, id.indexOf("/") + 1)));
  const [row = ""] = rows.size === 1 ? rows : [];
  return listed(
    ids.map((id) => ratingName(id.slice(row.length), config)),
    6,
  );
}
