import type { Item, Reading } from "./reading.ts";
import { day, type Instant } from "./time.ts";
import { oneLine, pluralize } from "./words.ts";

/** The size of a source's last reading, so that people notice if something is missing. */
export interface ReadingSize {
  readonly entries?: number;
  /** The version or title of its newest entry: the latest by date, else the first. */
  readonly newest?: string;
  readonly facts?: number;
  readonly words?: number;
  /** The place of its text, if not in the markup of its page. */
  readonly from?: string;
}

/** The size of a reading. Parts that it does not have are left out. */
export function sizeOfReading({ items, facts, blocks, from }: Reading): ReadingSize {
  const newest = items && newestOf(items);
  const words = blocks?.reduce((sum, { text }) => sum + countWords(text), 0);
  return {
    ...(items && { entries: items.length }),
    ...(newest && { newest: (newest.version ?? newest.title).slice(0, 200) }),
    ...(facts && { facts: Object.keys(facts).length }),
    ...(words !== undefined && { words }),
    ...(from !== undefined && { from: withoutQuery(from) }),
  };
}

/** The sentence on the place of a page's text. A query, which names a build, is left out. */
export function readFrom(from: string): string {
  return `its text is read from ${withoutQuery(from)}`;
}

function withoutQuery(address: string): string {
  return address.replace(/\?.*/s, "").slice(0, 300);
}

/** The number of matches of `\S+`, without a copy of each word. */
function countWords(text: string): number {
  let words = 0;
  let isBehindSpace = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isSpace = code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text.charAt(at));
    if (isBehindSpace && !isSpace) words++;
    isBehindSpace = isSpace;
  }
  return words;
}

function newestOf(items: readonly Item[]): Item | undefined {
  const [first, ...rest] = items;
  return first && rest.reduce((newest, item) => ((item.at ?? 0) > (newest.at ?? 0) ? item : newest), first);
}

/** `42 entries, newest 2.9.1; 1,204 words`. `show`: makes the foreign name of an entry harmless. */
export function sizeWords({ entries, newest, facts, words }: ReadingSize, show: (name: string) => string): string {
  const list = entries === 0 ? "no entries" : pluralize(entries ?? 0, "entry", "entries");
  return [
    ...(entries === undefined ? [] : [newest === undefined ? list : `${list}, newest ${show(newest)}`]),
    ...(facts === undefined ? [] : [pluralize(facts, "fact")]),
    ...(words === undefined ? [] : [pluralize(words, "word")]),
  ].join("; ");
}

/** For a line of plain text: `42 entries, newest 2.9.1, on 2026-05-03`. */
export function sizeLine(gave: ReadingSize, at: Instant): string {
  const from = gave.from === undefined ? "" : ` from ${oneLine(gave.from, 300)}`;
  return `${sizeWords(gave, (newest) => oneLine(newest, 40))}${from}, on ${day(at)}`;
}
