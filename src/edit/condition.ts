import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, type YAMLSeq } from "yaml";
import { addKey, replaced, startOfLine } from "./key.ts";
import { type Root, rangeOf, readTree, valueAt } from "./node.ts";
import { type Splice, spliced } from "./splice.ts";

/** A condition of a trigger's file, by its list and its place in it. */
export interface ConditionPlace {
  readonly part: "on" | "also";
  readonly index: number;
}

type Plain = Record<string, unknown>;

/** Sets a key of one condition; `spelling` is YAML for `value`. Undefined where that cannot be done in place. */
export function setInCondition(
  text: string,
  place: ConditionPlace,
  key: string,
  value: unknown,
  spelling: string,
): string | undefined {
  const root = readTree(text);
  const map = root && listIn(root, place)?.items[place.index];
  if (!root || !isMap(map)) return undefined;
  const now = valueAt(map, key);
  const first = map.items[0]?.value;
  if (!now && !first) return undefined;
  const splice = now
    ? replaced(text, now, spelling)
    : addKey(text, map, first as Parameters<typeof addKey>[2], `${key}: ${spelling}`);
  return checked(text, root, splice, (plain) => {
    const list = plain[place.part] as Plain[];
    return { ...plain, [place.part]: list.map((one, i) => (i === place.index ? { ...one, [key]: value } : one)) };
  });
}

/** Takes one condition out; with the last of a list its key goes, too. Undefined where that cannot be done in place. */
export function removeCondition(text: string, place: ConditionPlace): string | undefined {
  const root = readTree(text);
  const list = root && listIn(root, place);
  const item = list?.items[place.index];
  if (!root || !list || list.flow || item === undefined) return undefined;
  const [start, end] = rangeOf(item);
  const only = list.items.length === 1;
  const from = only ? startOfKey(text, root, place.part) : startOfLine(text, start);
  const feed = text.indexOf("\n", start + text.slice(start, end).trimEnd().length);
  const splice = { from, to: feed < 0 ? text.length : feed + 1, text: "" };
  return checked(text, root, splice, (plain) => {
    const rest = (plain[place.part] as unknown[]).filter((_, i) => i !== place.index);
    const { [place.part]: _gone, ...others } = plain;
    return rest.length > 0 ? { ...plain, [place.part]: rest } : others;
  });
}

function startOfKey(text: string, root: Root, part: string): number {
  const pair = isMap(root.contents) ? root.contents.items.find(({ key }) => String(key) === part) : undefined;
  return startOfLine(text, rangeOf(pair?.key)[0]);
}

function listIn(root: Root, { part }: ConditionPlace): YAMLSeq | undefined {
  const list = valueAt(root.contents, part);
  return isSeq(list) ? list : undefined;
}

/** The edited text, if it says what was meant and nothing else has changed. */
function checked(text: string, root: Root, splice: Splice, meant: (plain: Plain) => Plain): string | undefined {
  const edited = spliced(text, [splice]);
  try {
    const after: unknown = readTree(edited)?.toJS({ maxAliasCount: 1_000 });
    return isDeepStrictEqual(after, meant(root.toJS({ maxAliasCount: 1_000 }) as Plain)) ? edited : undefined;
  } catch {
    return undefined;
  }
}
