import { isAlias, isMap, isScalar, type Node, type YAMLMap } from "yaml";
import { day, type Instant } from "../../model/time.ts";
import { lineEnd, type Splice } from "../../report/edit/splice.ts";
import { isKeyed } from "../path.ts";
import {
  columnOf,
  type EditableYaml,
  editable,
  editInPlace,
  endOfLine,
  keyAdded,
  nodeAt,
  pairIn,
  rangeOf,
  replaced,
  resolved,
  scalarValue,
  spelledLike,
} from "./yaml.ts";

/** The part of a review that `sources.yaml` holds. */
export interface RatingEdit {
  readonly rating: string;
  /** The new level; undefined if it stays. */
  readonly level?: string;
  /** A later date that is there already stays. */
  readonly reviewed: Instant;
}

export interface RatingsEdited {
  readonly text: string;
  /** Edits that cannot be made in place, each with why. */
  readonly left: readonly { readonly rating: string; readonly says: string }[];
}

/**
 * Writes reviews into the text of `sources.yaml`. All bytes stay, comments, order, quoting and line ends too, except levels
 * and dates. An edit that would change anything else is left out. Pure.
 */
export function editRatings(text: string, edits: readonly RatingEdit[]): RatingsEdited {
  let edited = text;
  let open = edits;
  // An entry that another one hung on may be edited once that other one was.
  for (;;) {
    const left: { edit: RatingEdit; says: string }[] = [];
    for (const edit of open) {
      const result = editRating(edited, edit);
      if ("says" in result) left.push({ edit, says: result.says });
      else edited = result.text;
    }
    if (left.length === 0 || left.length === open.length) {
      return { text: edited, left: left.map(({ edit, says }) => ({ rating: edit.rating, says })) };
    }
    open = left.map(({ edit }) => edit);
  }
}

function editRating(text: string, { rating, level, reviewed }: RatingEdit): { text: string } | { says: string } {
  const yaml = editable(text);
  const value = yaml && nodeAt(yaml, ["ratings", rating]);
  if (!value) return { says: "it is not among the ratings of this file" };
  const written = writtenOf(yaml, value, { rating, level, reviewed });
  const splices = splicesFor(yaml, written);
  if (!splices) return { says: "it is written in a way that cannot be edited in place" };
  const edited = editInPlace(yaml, splices, (before) => {
    if (!isKeyed(before.ratings)) return undefined;
    const was = before.ratings[rating];
    const keys = isKeyed(was) ? was : { level: was };
    const is = {
      ...keys,
      ...(written.level !== undefined && { level: scalarValue(spelledLevel(yaml, value, written.level)) }),
      reviewed: typeof keys.reviewed === "string" && keys.reviewed > written.date ? keys.reviewed : written.date,
    };
    return { ...before, ratings: { ...before.ratings, [rating]: is } };
  });
  return edited === undefined ? { says: "other entries, or a tag, hang on how it is written" } : { text: edited };
}

/** A rating's value, and its new text: the level if it is another one than before, and `2026-11-20`. */
interface Written {
  readonly value: Node;
  readonly level: string | undefined;
  readonly date: string;
}

function writtenOf(yaml: EditableYaml, value: Node, { level, reviewed }: RatingEdit): Written {
  return { value, level: level === levelOf(yaml, value) ? undefined : level, date: day(reviewed) };
}

/** The pieces of text to put in place; undefined if they would not fit the way the rating is written. */
function splicesFor(yaml: EditableYaml, written: Written): Splice[] | undefined {
  const value = resolved(yaml, written.value);
  if (isMap(value)) return isAlias(written.value) ? undefined : inMap(yaml, value, written);
  return isScalar(value) ? [asMap(yaml, written)] : undefined;
}

function inMap(yaml: EditableYaml, map: YAMLMap, { value, level, date }: Written): Splice[] | undefined {
  const before = pairIn(map, "level");
  if (!before?.value) return undefined;
  const splices: Splice[] = [];
  if (level !== undefined) splices.push(replaced(yaml, before.value as Node, spelledLevel(yaml, value, level)));
  const reviewed = pairIn(map, "reviewed")?.value as Node | undefined;
  if (!reviewed) splices.push(keyAdded(yaml, map, before, `reviewed: ${date}`));
  else if (!isScalar(reviewed) || String(reviewed.value) < date) {
    splices.push(replaced(yaml, reviewed, spelledLike(date, reviewed)));
  }
  return splices;
}

/** A level alone becomes a map, written as the other maps among the ratings are. */
function asMap(yaml: EditableYaml, { value, level, date }: Written): Splice {
  const { text } = yaml;
  const [from, to] = rangeOf(value);
  const old = text.slice(from, to);
  const isKept = level === undefined && isScalar(value) && !old.includes("\n");
  const word = isKept ? old : spelledLevel(yaml, value, level ?? levelOf(yaml, value) ?? "");
  const tail = old.endsWith("\n") ? lineEnd(text, to - 1) : "";
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

/** The level of a rating, in its short or long form. A number is as it is spelt: 92.10 stays 92.10. */
function levelOf(yaml: EditableYaml, value: Node): string | undefined {
  const level = levelNode(yaml, value);
  if (!isScalar(level)) return undefined;
  return typeof level.value === "string" ? level.value : (level.source ?? String(level.value));
}

function spelledLevel(yaml: EditableYaml, value: Node, level: string): string {
  return spelledLike(level, levelNode(yaml, value));
}

function levelNode(yaml: EditableYaml, value: Node): Node | undefined {
  const entry = resolved(yaml, value);
  return isMap(entry) ? resolved(yaml, pairIn(entry, "level")?.value as Node | undefined) : entry;
}
