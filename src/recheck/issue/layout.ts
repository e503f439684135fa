import { lengthOnGitHub } from "../../model/markdown.ts";
import { groupDigits, pluralize } from "../../model/words.ts";

/** GitHub's limit for a body, in Unicode code points. */
export const maxBodyCharacters = 65_536;

/** A list in the body that can be shortened from its end. */
export interface Part {
  readonly head: readonly string[];
  readonly entries: readonly string[];
  /** Lines below the entries. */
  readonly tail?: readonly string[];
  /** The separator of two entries (default: a line end). */
  readonly between?: string;
  /** The number of entries that are always kept (default: none). */
  readonly least?: number;
  /** The noun of one entry, for the note about omitted parts, and of several if it does not only get an s. */
  readonly one: string;
  readonly many?: string;
}

/** Characters kept free for that note, and for the blank lines between parts. */
const noteCharacters = 400;

/** Beginning of the note about omitted parts. */
const leftOut = `*Left out, because GitHub allows ${groupDigits(maxBodyCharacters)} characters: `;

export function isClipped(text: string): boolean {
  return text.includes(leftOut);
}

/**
 * Joins the parts, shortens the longest until all fits, and notes what was left out. If people's text fills the issue,
 * only the first line of the head, the last line of the tail and the note remain.
 */
export function clip(head: string, parts: readonly Part[], tail: string, room: number): string {
  const whole = shortenToFit(head, parts, tail, room, false);
  if (lengthOnGitHub(whole) <= room) return whole;
  const bare = shortenToFit(head, parts, tail, room, true);
  if (lengthOnGitHub(bare) <= room) return bare;
  const note = `${leftOut}everything, because text that people wrote here fills the issue. Shorten that text to get it back.*`;
  return [head.split("\n", 1)[0] ?? "", note, tail.split("\n").at(-1) ?? ""].join("\n\n");
}

/** Shortens the longest part until everything fits. `utterly`: also drops entries that a part would keep. */
function shortenToFit(head: string, parts: readonly Part[], tail: string, room: number, utterly: boolean): string {
  const drafts = parts.map((part) => ({ part, kept: [...part.entries], size: sizeOf(part.entries, part) }));
  const fixed = [head, tail, ...parts.flatMap(({ head: above, tail: below = [] }) => [...above, ...below])];
  let total = noteCharacters + fixed.reduce((sum, text) => sum + lengthOnGitHub(text) + 1, 0);
  for (const { size } of drafts) total += size;
  while (total > room) {
    const [longest] = drafts
      .filter(({ kept, part }) => kept.length > (utterly ? 0 : (part.least ?? 0)))
      .sort((a, b) => b.size - a.size);
    if (!longest) break;
    const saved = sizeOf(longest.kept.splice(-1), longest.part);
    longest.size -= saved;
    total -= saved;
  }
  const written = drafts.flatMap(({ part, kept }) =>
    kept.length > 0 ? [[...part.head, kept.join(part.between ?? "\n"), ...(part.tail ?? [])].join("\n")] : [],
  );
  const left = drafts.flatMap(({ part: { entries, one, many }, kept }) => {
    const count = entries.length - kept.length;
    return count > 0 ? [pluralize(count, one, many)] : [];
  });
  const note = left.length > 0 ? [`${leftOut}${left.join(", ")}.*`] : [];
  return [head, ...written, ...note, tail].join("\n\n");
}

function sizeOf(entries: readonly string[], { between = "\n" }: Part): number {
  return entries.reduce((sum, entry) => sum + lengthOnGitHub(entry) + between.length, 0);
}

/** Most words of an issue before its evidence, before its folds, and with all folds open, as mail programs show it. */
export const maxWords = { asking: 150, shown: 350, all: 700 } as const;

/** Counts the words of Markdown that a reader sees: no addresses, no hidden lines. */
export function countWords(markdown: string): number {
  const shown = markdown
    .replace(/<!--.*?-->/g, "")
    .replace(/\]\([^\s()]*\)/g, "]")
    .replace(/<\/?\w+>/g, " ");
  return shown.split(/[\s|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export function wordsOfParts(parts: readonly Part[]): number {
  const shown = parts.filter(({ entries }) => entries.length > 0);
  return countWords(shown.flatMap(({ head, entries, tail = [] }) => [...head, ...entries, ...tail]).join("\n"));
}

export function entriesWithin(entries: readonly string[], words: number): number {
  let left = words;
  const over = entries.findIndex((entry) => {
    left -= countWords(entry);
    return left < 0;
  });
  return over < 0 ? entries.length : over;
}

export function foldPart(summary: string, part: Omit<Part, "head" | "tail" | "least">): Part {
  return { ...part, head: [`<details><summary>${summary}</summary>`, ""], tail: ["", "</details>"], least: 0 };
}
