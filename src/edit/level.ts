import type { Splice } from "./splice.ts";
import type { Cell } from "./table.ts";

/** Attributes in which a level may be told again: for colour, for programs, for those who hear a page. */
const telling = /(\s(?:class|title|aria-label|alt|data-[a-z-]{1,40})\s*=\s*)("[^"]*"|'[^']*')/gi;

/**
 * What to replace so that a cell tells another level: the one word that stands for the old level, and the same word in
 * the attributes of the cell's tags. Undefined where the level is not there exactly once; empty where the new one is.
 */
export function levelSplices(text: string, cell: Cell, old: string, level: string): Splice[] | undefined {
  const content = text.slice(cell.from, cell.to);
  // What a picture shows stays as it is, whatever it is called.
  if (content.includes("![")) return undefined;
  const splices: Splice[] = [];
  let found = 0;
  let already = 0;
  for (const { from, to, tag } of partsOf(text, cell)) {
    const part = text.slice(from, to);
    if (tag) splices.push(...inTag(part, from, old, level));
    else {
      const places = wordsIn(part, old);
      found += places.length;
      already += wordsIn(part, level).length;
      splices.push(...places.map((at) => replacing(part, from, at, old, level)));
    }
  }
  if (found === 0 && already === 1 && content !== "") return [];
  return found === 1 && already === 0 ? splices : undefined;
}

/** Tags and what stands between them, from the cell's own tag on. */
function partsOf(text: string, cell: Cell): { from: number; to: number; tag: boolean }[] {
  const parts: { from: number; to: number; tag: boolean }[] = [];
  for (let at = cell.tag; at < cell.to; ) {
    const open = text.indexOf("<", at);
    const from = open < 0 || open > cell.to ? cell.to : open;
    if (from > at) parts.push({ from: at, to: from, tag: false });
    if (from >= cell.to) break;
    const close = text.indexOf(">", from);
    const to = close < 0 || close >= cell.to ? Math.max(cell.from, from + 1) : close + 1;
    parts.push({ from, to, tag: true });
    at = to;
  }
  return parts;
}

function inTag(tag: string, from: number, old: string, level: string): Splice[] {
  return [...tag.matchAll(telling)].flatMap(({ 0: all, 2: value = "", index }) => {
    const start = index + all.length - value.length;
    return wordsIn(value, old).map((at) => replacing(value, from + start, at, old, level));
  });
}

/** Where a word stands, whatever its case, with neither letter nor digit beside it. */
function wordsIn(text: string, word: string): number[] {
  const [where, wanted] = [text.toLowerCase(), word.toLowerCase()];
  if (where.length !== text.length || wanted === "") return [];
  const places: number[] = [];
  for (let at = where.indexOf(wanted); at >= 0; at = where.indexOf(wanted, at + wanted.length)) {
    const around = [text[at - 1] ?? "", text[at + wanted.length] ?? ""];
    if (!around.some((character) => /[\p{L}\p{N}]/u.test(character))) places.push(at);
  }
  return places;
}

function replacing(text: string, from: number, at: number, old: string, level: string): Splice {
  const written = text.slice(at, at + old.length);
  return { from: from + at, to: from + at + old.length, text: inCase(written, old, level) };
}

/** In the case in which the old level was written: MEDIUM, medium, else as config has it. */
function inCase(written: string, old: string, level: string): string {
  if (written === old) return level;
  if (written === written.toLowerCase()) return level.toLowerCase();
  return written === written.toUpperCase() ? level.toUpperCase() : level;
}
