import { fence } from "../../model/markdown.ts";
import { counted } from "../../model/words.ts";
import type { Part } from "./clip.ts";

/** Words that an issue shows before anything is unfolded, at most. */
export const mostShownWords = 600;

/** Counts our words that are read in Markdown: not addresses, hidden lines, or folded text. */
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
 * Text in a fence within a number of words. A longer text is shown in its short version, at least two lines of it, with
 * the whole folded below. `what`: names it, with an article.
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

/** Words that parts show, including their headings. */
export function wordsOfParts(parts: readonly Part[]): number {
  const shown = parts.filter(({ entries }) => entries.length > 0);
  return shownWords(shown.flatMap(({ head, entries, tail = [] }) => [...head, ...entries, ...tail]).join("\n"));
}

/** How many entries, from the first on, fit within a number of words. */
export function entriesWithin(entries: readonly string[], words: number): number {
  let left = words;
  const over = entries.findIndex((entry) => {
    left -= shownWords(entry);
    return left < 0;
  });
  return over < 0 ? entries.length : over;
}

/** Shows a number of a part's entries and folds the others. `header`: of a table, to be repeated. */
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
