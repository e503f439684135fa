import { day } from "../describe.ts";
import type { Source } from "../model.ts";
import { boxLine } from "../recheck/box.ts";
import type { Part } from "../recheck/clip.ts";
import { code, words } from "../recheck/inert.ts";
import type { Status } from "../status.ts";
import { listed, ratingNames, sourceName } from "./names.ts";
import type { Drawing } from "./overview.ts";

type Unseen = Status["unseen"][number];

/** Ratings whose sources cannot be seen, and every source that could not be seen the last time. */
export function blindPart(drawing: Drawing): Part {
  const { status } = drawing;
  const ratings = blindRatings(drawing);
  const entries = [...ratings, ...groups(status.unseen, drawing).map((group) => unseenLine(group, drawing))];
  const head = ratings.length > 0 ? [] : ["No rating is blind yet. These could not be seen:", ""];
  return { head: ["### Blind", "", ...head], entries, between: "\n", least: 1, one: "source", many: "sources" };
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
    ...(blindFrom.length > 0 ? [`unseen for too long from ${day(Math.min(...blindFrom))}`] : []),
    ...(ids.length > 1 ? [listed(names, 8)] : []),
  ].join(" · ");
  return commands ? boxLine(`retry ${ids.slice(0, mostInBox).join(" ")}`, `try again: ${facts}`) : `- ${facts}`;
}

function nameOf(id: string, source: Source | undefined): string {
  return source ? sourceName(source) : code(id);
}

function hostOf(source: Source | undefined): string {
  if (!source) return "";
  return URL.parse(source.address)?.host || source.kind;
}
