import { isAlias, isMap, isScalar, type Node, type YAMLMap } from "yaml";
import { RecentlyUsed } from "../../model/cache.ts";
import { day, type Instant } from "../../model/time.ts";
import { lineEnd, type Splice } from "../../report/edit/splice.ts";
import {
  columnOf,
  type Edit,
  type EditableYaml,
  editInPlace,
  endOfLine,
  nodeAt,
  pairIn,
  parseForEdit,
  rangeOf,
  resolveAlias,
  scalarValue,
  setValue,
  spelledLike,
} from "./yaml.ts";

/** What a review changes in `sources.yaml`. */
export interface RatingEdit {
  readonly rating: string;
  readonly level?: string;
  /** The date of the review. A later one in the file stays. */
  readonly reviewed: Instant;
}

export interface RatingsEdited {
  readonly text: string;
  /** Edits that cannot be made in place, each with the reason. */
  readonly left: readonly { readonly rating: string; readonly says: string }[];
}

/** Each sync renders the text of all open issues again, mostly with the same edits of the same file. Weighed by characters. */
const cached = new RecentlyUsed<string, RatingsEdited>(8_000_000);

/** Writes reviews into `sources.yaml`: only levels and dates. An edit that would change more is left out. Pure. */
export function editRatings(text: string, edits: readonly RatingEdit[]): RatingsEdited {
  const key = JSON.stringify([edits, text]);
  const made = cached.get(key) ?? editAllRatings(text, edits);
  cached.set(key, made, key.length + made.text.length);
  return made;
}

function editAllRatings(text: string, edits: readonly RatingEdit[]): RatingsEdited {
  let edited = text;
  let pendingEdits = edits;
  // An edit may unblock another one: the last alias that uses an entry goes with its own edit.
  for (;;) {
    const areApart = new Set(pendingEdits.map(({ rating }) => rating)).size === pendingEdits.length;
    const next = (areApart ? editTogether(edited, pendingEdits) : undefined) ?? editEach(edited, pendingEdits);
    edited = next.text;
    if (next.left.length === 0 || next.left.length === pendingEdits.length) {
      return { text: edited, left: next.left.map(({ edit, says }) => ({ rating: edit.rating, says })) };
    }
    pendingEdits = next.left.map(({ edit }) => edit);
  }
}

interface EditedSoFar {
  readonly text: string;
  readonly left: readonly { readonly edit: RatingEdit; readonly says: string }[];
}

/** Parses the text twice for any number of edits of different ratings. Undefined if other entries depend on one of them. */
function editTogether(text: string, edits: readonly RatingEdit[]): EditedSoFar | undefined {
  const yaml = parseForEdit(text);
  const all = edits.map((edit) => ({ edit, made: editsFor(yaml, edit) }));
  const left = all.flatMap(({ edit, made }) => (typeof made === "string" ? [{ edit, says: made }] : []));
  const made = all.flatMap(({ made }) => (typeof made === "string" ? [] : made));
  const edited = made.length === 0 ? text : yaml && editInPlace(yaml, made);
  return edited === undefined ? undefined : { text: edited, left };
}

function editEach(text: string, edits: readonly RatingEdit[]): EditedSoFar {
  let edited = text;
  const refused: { edit: RatingEdit; says: string }[] = [];
  for (const edit of edits) {
    const next = editTogether(edited, [edit]);
    edited = next?.text ?? edited;
    refused.push(...(next?.left ?? [{ edit, says: "other entries, or a tag, depend on how it is written" }]));
  }
  return { text: edited, left: refused };
}

/** The new text of a rating: its level if that changes, and its date. */
interface Written {
  readonly rating: string;
  readonly value: Node;
  readonly level: string | undefined;
  readonly date: string;
}

function editsFor(
  yaml: EditableYaml | undefined,
  { rating, level, reviewed }: RatingEdit,
): readonly (Edit | undefined)[] | string {
  const value = yaml && nodeAt(yaml, ["ratings", rating]);
  if (!value) return "it is not among the ratings of this file";
  const written = { rating, value, level: level === levelOf(yaml, value) ? undefined : level, date: day(reviewed) };
  const entry = resolveAlias(yaml, value);
  if (isMap(entry) && !isAlias(value) && pairIn(entry, "level")) return inMap(yaml, entry, written);
  return isScalar(entry) ? [asMap(yaml, written)] : "it is written in a way that cannot be edited in place";
}

function inMap(yaml: EditableYaml, map: YAMLMap, { rating, value, level, date }: Written): (Edit | undefined)[] {
  const set = (key: string, spelling: string, written: unknown) =>
    setValue(yaml, ["ratings", rating, key], { value: written, spelling }, "level");
  const reviewed = pairIn(map, "reviewed")?.value as Node | undefined;
  const isLater = isScalar(reviewed) && String(reviewed.value) > date;
  const spelling = level === undefined ? "" : spelledLevel(yaml, value, level);
  return [
    ...(level === undefined ? [] : [set("level", spelling, scalarValue(spelling))]),
    ...(isLater ? [] : [set("reviewed", spelledLike(date, reviewed), date)]),
  ];
}

/** A bare level becomes a map, in the style of the other ratings' maps. */
function asMap(yaml: EditableYaml, { rating, value, level, date }: Written): Edit {
  const { text } = yaml;
  const [from, to] = rangeOf(value);
  const old = text.slice(from, to);
  const isKept = level === undefined && isScalar(value) && !old.includes("\n");
  const word = isKept ? old : spelledLevel(yaml, value, level ?? levelOf(yaml, value) ?? "");
  const before = levelNode(yaml, value);
  const now = level === undefined && isScalar(before) ? before.value : scalarValue(word);
  return {
    splices: [mapSplice(yaml, value, word, date)],
    changes: [{ path: ["ratings", rating], value: { level: now, reviewed: date } }],
  };
}

function mapSplice(yaml: EditableYaml, value: Node, word: string, date: string): Splice {
  const { text } = yaml;
  const [from, to] = rangeOf(value);
  const tail = text.slice(from, to).endsWith("\n") ? lineEnd(text, to - 1) : "";
  const ratings = nodeAt(yaml, ["ratings"]) as YAMLMap;
  const maps = ratings.items.flatMap(({ value: other }) => (isMap(other) ? [other] : []));
  const flow = maps.find((map) => map.flow);
  const block = maps.find((map) => !map.flow);
  const colon = text.slice(0, from).trimEnd().length;
  const isAlone = text.slice(to, endOfLine(text, to)).trim() === "";
  if (block && !flow && !ratings.flow && isAlone && text[colon - 1] === ":") {
    const begin = `${lineEnd(text, to)}${" ".repeat(columnOf(text, rangeOf(block.items[0]?.key)[0]))}`;
    return { from: colon, to, text: `${begin}level: ${word}${begin}reviewed: ${date}${tail}` };
  }
  const pad = flow && !/^\{\s/.test(text.slice(rangeOf(flow)[0])) ? "" : " ";
  return { from, to, text: `{${pad}level: ${word}, reviewed: ${date}${pad}}${tail}` };
}

/** The level of a rating, in its short or long form. A number keeps its spelling: 92.10 stays 92.10. */
function levelOf(yaml: EditableYaml, value: Node): string | undefined {
  const level = levelNode(yaml, value);
  if (!isScalar(level)) return undefined;
  return typeof level.value === "string" ? level.value : (level.source ?? String(level.value));
}

function spelledLevel(yaml: EditableYaml, value: Node, level: string): string {
  return spelledLike(level, levelNode(yaml, value));
}

function levelNode(yaml: EditableYaml, value: Node): Node | undefined {
  const entry = resolveAlias(yaml, value);
  return isMap(entry) ? resolveAlias(yaml, pairIn(entry, "level")?.value as Node | undefined) : entry;
}
