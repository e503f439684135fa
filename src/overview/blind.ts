import { day } from "../describe.ts";
import type { Source } from "../model.ts";
import { boxLine } from "../recheck/box.ts";
import type { Part } from "../recheck/clip.ts";
import { code, words } from "../recheck/inert.ts";
import { listed, ratingNames } from "../recheck/names.ts";
import type { Status } from "../status.ts";
import { sourceName } from "./names.ts";
import type { Drawing } from "./overview.ts";

type Unseen = Status["unseen"][number];

/** Ratings whose sources cannot be seen, and the sources that cannot, by host. */
export function blindParts(drawing: Drawing): Part[] {
  const ratings = blindRatings(drawing);
  const unseen = drawing.status.unseen.filter(hasLasted);
  const lines = groups(unseen, drawing).map((group) => unseenLine(group, drawing));
  const tick = drawing.commands ? "; tick to try again" : "";
  const none = ["### Could not be seen", "", `No rating is blind yet${tick}:`];
  const head = ratings.length > 0 ? [`Could not be seen${tick}:`] : none;
  return [
    { head: ["### Blind", ""], entries: ratings, between: "\n", least: 1, one: "rating", many: "ratings" },
    { head: [...head, ""], entries: lines, between: "\n", least: 1, one: "source", many: "sources" },
  ];
}

/** Whether it failed at two looks in a row: once is no news. */
export function hasLasted({ trouble, gone }: Pick<Unseen, "trouble" | "gone">): boolean {
  return gone || trouble.count > 1;
}

/** By the sources that keep them from being seen. */
function blindRatings({ status, config }: Drawing): string[] {
  const blind = status.ratings.filter(({ level }) => level === "blind");
  const because = Map.groupBy(blind, (one) => [day(one.at), ...one.because].join(" "));
  return [...because.values()].map((its) => {
    const [first] = its;
    const names = (first?.because ?? []).map((id) => nameOf(id, config.sources.get(id)));
    const ratings = ratingNames(
      its.map(({ rating }) => rating),
      config,
    );
    return `- ${ratings}, since ${day(first?.at ?? 0)}: not seen ${listed(names, 6)}`;
  });
}

/** Sources of one host that fail alike. */
function groups(unseen: readonly Unseen[], { config }: Drawing): Unseen[][] {
  return [
    ...Map.groupBy(unseen, ({ source, trouble, gone }) =>
      JSON.stringify([hostOf(config.sources.get(source)), trouble.says, gone]),
    ).values(),
  ];
}

/** Ids in one box: a tick then asks for them all, in one line that GitHub keeps. */
const mostInBox = 40;

function unseenLine(group: readonly Unseen[], { config, commands }: Drawing): string {
  const [first] = group;
  const ids = group.map(({ source }) => source);
  const host = code(hostOf(config.sources.get(first?.source ?? "")), 80);
  const names = ids.map((id) => nameOf(id, config.sources.get(id)));
  const what = ids.length === 1 ? names[0] : `${host}, ${ids.length} sources`;
  const since = Math.min(...group.map(({ trouble }) => trouble.since));
  const blindFrom = group.flatMap((one) => one.blindFrom ?? []);
  const facts = [
    `${what}: ${first?.gone ? "gone, " : ""}${words(first?.trouble.says ?? "", 160)}, since ${day(since)}`,
    ...(blindFrom.length > 0 ? [`blind from ${day(Math.min(...blindFrom))}`] : []),
    ...(ids.length > 1 ? [listed(names, 8)] : []),
  ].join(" · ");
  return commands ? boxLine(`retry ${ids.slice(0, mostInBox).join(" ")}`, facts) : `- ${facts}`;
}

function nameOf(id: string, source: Source | undefined): string {
  return source ? sourceName(source) : code(id);
}

function hostOf(source: Source | undefined): string {
  if (!source) return "";
  return URL.parse(source.address)?.host || source.kind;
}
