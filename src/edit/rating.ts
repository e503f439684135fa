import { isAlias, isMap, isScalar, type YAMLMap } from "yaml";
import { addKey, columnOf, endOfLine, replaced } from "./key.ts";
import { levelIn, type RatingNode, type Root, rangeOf, resolved, valueAt } from "./node.ts";
import { spell } from "./spell.ts";
import { lineEnd, type Splice } from "./splice.ts";

/** What to write of one rating. `level`: undefined where it stays; `date`: `2026-11-20`. */
export interface Review {
  readonly rating: string;
  readonly level: string | undefined;
  readonly date: string;
}

/** The pieces of text to put in place; undefined where the rating is written in a way that none fits. */
export function splicesOf(text: string, root: Root, at: RatingNode, review: Review): Splice[] | undefined {
  const value = resolved(at.value, root);
  if (isMap(value)) return isAlias(at.value) ? undefined : inMap(text, root, value, review);
  return isScalar(value) ? [asMap(text, root, at, review)] : undefined;
}

function inMap(text: string, root: Root, map: YAMLMap, { rating, level, date }: Review): Splice[] | undefined {
  const before = valueAt(map, "level");
  if (!before) return undefined;
  const splices: Splice[] = [];
  if (level !== undefined && level !== levelIn(root, rating)) {
    splices.push(replaced(text, before, spell(level, resolved(before, root))));
  }
  const reviewed = valueAt(map, "reviewed");
  if (!reviewed) splices.push(addKey(text, map, before, `reviewed: ${date}`));
  else if (!isScalar(reviewed) || String(reviewed.value) < date) {
    splices.push(replaced(text, reviewed, spell(date, reviewed)));
  }
  return splices;
}

/** A level alone becomes a map, written as the other maps among the ratings are. */
function asMap(text: string, root: Root, { ratings, value }: RatingNode, { rating, level, date }: Review): Splice {
  const [from, to] = rangeOf(value);
  const old = text.slice(from, to);
  const kept = isScalar(value) && !old.includes("\n") ? old : spell(levelIn(root, rating) ?? "", resolved(value, root));
  const word = level === undefined || level === levelIn(root, rating) ? kept : spell(level, resolved(value, root));
  const tail = old.endsWith("\n") ? lineEnd(text, to - 1) : "";
  const maps = ratings.items.flatMap(({ value: other }) => (isMap(other) ? [other] : []));
  const flow = maps.find((map) => map.flow);
  const block = maps.find((map) => !map.flow);
  const colon = text.slice(0, from).trimEnd().length;
  const alone = text.slice(to, endOfLine(text, to)).trim() === "";
  if (block && !flow && !ratings.flow && alone && text[colon - 1] === ":") {
    const begin = `${lineEnd(text, to)}${" ".repeat(columnOf(text, rangeOf(block.items[0]?.key)[0]))}`;
    return { from: colon, to, text: `${begin}level: ${word}${begin}reviewed: ${date}${tail}` };
  }
  const pad = flow && !/^\{\s/.test(text.slice(rangeOf(flow)[0])) ? "" : " ";
  return { from, to, text: `{${pad}level: ${word}, reviewed: ${date}${pad}}${tail}` };
}
