import { fence, lengthOnGitHub } from "../../model/markdown.ts";
import { counted, grouped } from "../../model/words.ts";

/** GitHub's limit for a body, in Unicode code points. */
export const maxBodyCharacters = 65_536;

/** A list in the body that can be shortened from its end. */
export interface Part {
  readonly head: readonly string[];
  readonly entries: readonly string[];
  /** The number of further items that have no entry. */
  readonly beyond?: number;
  /** Lines below the entries. */
  readonly tail?: readonly string[];
  /** The separator of two entries. */
  readonly between: string;
  /** The number of entries that are always kept. */
  readonly least: number;
  /** The noun of one entry, for the note about omitted parts. */
  readonly one: string;
  readonly many: string;
}

/** Characters kept free for that note, and for the blank lines between parts. */
const noteCharacters = 400;

/** Beginning of the note about omitted parts. */
const leftOut = `*Left out, because GitHub allows ${grouped(maxBodyCharacters)} characters: `;

/** Whether a text has such a note. */
export function isClipped(text: string): boolean {
  return text.includes(leftOut);
}

/**
 * Joins the parts, shortens the longest until all fits, and notes what was left out. If people's text fills the issue,
 * only the first line of the head, the last line of the tail and the note remain.
 */
export function clip(head: string, parts: readonly Part[], tail: string, room: number): string {
  const whole = shortened(head, parts, tail, room, false);
  if (lengthOnGitHub(whole) <= room) return whole;
  const bare = shortened(head, parts, tail, room, true);
  if (lengthOnGitHub(bare) <= room) return bare;
  const note = `${leftOut}everything, because text that people wrote here fills the issue. Shorten that text to get it back.*`;
  return [head.split("\n", 1)[0] ?? "", note, tail.split("\n").at(-1) ?? ""].join("\n\n");
}

/** Shortens the longest part until all fits. `utterly`: also drops the entries that a part would keep. */
function shortened(head: string, parts: readonly Part[], tail: string, room: number, utterly: boolean): string {
  const drafts = parts.map((part) => ({ part, kept: [...part.entries], size: sizeOf(part.entries, part) }));
  const fixed = [head, tail, ...parts.flatMap(({ head: above, tail: below = [] }) => [...above, ...below])];
  let total = noteCharacters + fixed.reduce((sum, text) => sum + lengthOnGitHub(text) + 1, 0);
  for (const { size } of drafts) total += size;
  while (total > room) {
    const [longest] = drafts
      .filter(({ kept, part }) => kept.length > (utterly ? 0 : part.least))
      .sort((a, b) => b.size - a.size);
    if (!longest) break;
    const saved = sizeOf(longest.kept.splice(-1), longest.part);
    longest.size -= saved;
    total -= saved;
  }
  const written = drafts.flatMap(({ part, kept }) =>
    kept.length > 0 ? [[...part.head, kept.join(part.between), ...(part.tail ?? [])].join("\n")] : [],
  );
  const left = drafts.flatMap(({ part: { entries, beyond = 0, one, many }, kept }) => {
    const count = entries.length + beyond - kept.length;
    return count > 0 ? [counted(count, one, many)] : [];
  });
  const note = left.length > 0 ? [`${leftOut}${left.join(", ")}.*`] : [];
  return [head, ...written, ...note, tail].join("\n\n");
}

function sizeOf(entries: readonly string[], { between }: Part): number {
  return entries.reduce((sum, entry) => sum + lengthOnGitHub(entry) + between.length, 0);
}

/** Most words that an issue shows outside its folds. */
export const mostShownWords = 600;

/** Counts the visible words of Markdown: no addresses, hidden lines or folded text. */
export function shownWords(markdown: string): number {
  const shown = unfolded(markdown)
    .replace(/<!--.*?-->/g, "")
    .replace(/\]\([^\s()]*\)/g, "]")
    .replace(/<\/?\w+>/g, " ");
  return shown.split(/[\s|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Removes folded text but keeps its summary. Text of sources never begins a line of an issue. */
function unfolded(markdown: string): string {
  let depth = 0;
  const shown = markdown.split("\n").filter((line) => {
    const opens = line.startsWith("<details>");
    const isShown = depth === 0 && line !== "</details>";
    if (opens) depth++;
    else if (line === "</details>") depth = Math.max(0, depth - 1);
    return isShown;
  });
  return shown.join("\n");
}

/**
 * Text in a fence of at most `room` words. A longer text is shown in its short version (at least two lines), with the
 * whole folded below. `what`: names the whole, with an article.
 */
export function fencedWithin(
  room: number,
  { whole, short, language, what }: Record<"whole" | "short", readonly string[]> & Record<"language" | "what", string>,
): string[] {
  if (whole.length === 0) return [];
  if (shownWords(whole.join("\n")) <= room) return [fence(whole, language)];
  const folded = ["", `<details><summary>${what}</summary>`, "", fence(whole, language), "", "</details>", ""];
  if (room <= 0) return folded;
  return [fence(short.slice(0, Math.max(2, entriesWithin(short, room))), language), ...folded];
}

/** Visible words of parts, including their headings. */
export function wordsOfParts(parts: readonly Part[]): number {
  const shown = parts.filter(({ entries }) => entries.length > 0);
  return shownWords(shown.flatMap(({ head, entries, tail = [] }) => [...head, ...entries, ...tail]).join("\n"));
}

/** The number of first entries that fit within a number of words. */
export function entriesWithin(entries: readonly string[], words: number): number {
  let left = words;
  const over = entries.findIndex((entry) => {
    left -= shownWords(entry);
    return left < 0;
  });
  return over < 0 ? entries.length : over;
}

/** Shows the first entries of a part and folds the others. `header`: of a table, to be repeated. */
export function foldedAfter(part: Part, shown: number, header: readonly string[] = []): Part[] {
  const { entries, beyond = 0, tail = [], one, many, ...rest } = part;
  const hidden = entries.slice(shown);
  if (hidden.length === 0) return [part];
  const more = shown > 0 ? "more " : "";
  const summary = counted(hidden.length + beyond, `${more}${one}`, `${more}${many}`);
  const folded = [`<details><summary>${summary}</summary>`, "", ...header];
  const end = ["", "</details>", ...tail];
  if (shown === 0) return [{ ...part, head: [...part.head, ...folded], tail: end }];
  return [
    { ...rest, one, many, entries: entries.slice(0, shown) },
    { ...rest, one, many, beyond, head: folded, entries: hidden, tail: end, least: 0 },
  ];
}
