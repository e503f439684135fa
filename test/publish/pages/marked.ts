import { failureKinds } from "../../../src/model/failure.ts";
import { freshnessLevels, readerStates, referenceReasons, sourceStates } from "../../../src/model/states.ts";
import type { Edition } from "../../../src/publish/edition.ts";
import { readers } from "../../../src/read/index.ts";

/** Words that the program itself chose: they are no texts of anybody. */
const own = new Set<unknown>([
  ...readers.keys(),
  ...failureKinds,
  ...readerStates,
  ...freshnessLevels,
  ...referenceReasons,
  ...sourceStates,
  ...["open", "closed"],
  ...["supported", "altered", "contradicted", "not found", "not compared yet", "moved", "back", "judgement"],
  ...["item-added", "item-edited", "item-withdrawn", "fact", "block", "claim", "link", "source", "trigger", "recheck"],
  ...["routine", "contrary", "on", "also", "until", "first", "first check", "changed", "unchanged", "unknown"],
  ...["fired", "evidence", "known", "silent", "keep", "change", "release", "item", "row", "issue", "commit"],
  ...["silence", "unreviewed", "heading", "paragraph", "code", "quote", "term", "not planned yet", "seen once"],
  ...["moves at every check", "one of a few variants", "returned to an earlier text", "too old to be new"],
  ...["did not last", "major", "minor", "patch", "no", "yes", "only", "added", "removed"],
]);

/** An edition with a mark behind every text of it: of config, of what is stored, of ids and addresses. */
export function marked({ link, ...edition }: Edition, mark: string): Edition {
  const put = (value: unknown): unknown => {
    if (typeof value === "string") return own.has(value) || value === "" ? value : `${value}${mark}`;
    if (Array.isArray(value)) return value.map(put);
    if (value instanceof Map) return new Map([...value].map(([key, one]) => [put(key), put(one)]));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one)]));
  };
  const found = put(edition) as Omit<Edition, "link">;
  // Seen days are digits of the program's own.
  const watches = new Map(
    [...found.watches].map(([id, watch], i) => [
      id,
      { ...watch, seenDays: [...edition.watches.values()][i]?.seenDays },
    ]),
  );
  return { ...found, watches, link };
}
