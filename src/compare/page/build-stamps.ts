import { saysStatus } from "../../language/boilerplate.ts";
import { datesIn, withoutDays } from "../../language/dates.ts";
import { anyOf, begins, matches, phrasesOf, says } from "../../language/lexicon.ts";
import type { Block } from "../../model/reading.ts";
import { dateOfEdit } from "./labels.ts";
import { isNotice, isNoticeLine, longestNotice, nameOf } from "./text.ts";

/**
 * Removes stamps: lines that only say when, with which program or from which version the page was made. "Last updated
 * on 3 June 2026" may date the text, and then it is content: above the text, it does. At the end of the page it is a
 * stamp. With a time of day, or beside a creation date, it is one anywhere, as a program wrote it.
 */
export function withoutStamps(blocks: readonly Block[]): readonly Block[] {
  const tail = tailOf(blocks);
  const content = blocks.filter((block, index) => !isStamp(block, index >= tail));
  return content.length === blocks.length ? blocks : content;
}

/** Characters of a stamp, and of a line below one, at most. */
const longest = 120;
/** Lines below a stamp at the end of a page, at most: a copyright, "Edit this page". */
const below = 6;

/** The index of the first short block at the end of the page; if all blocks are short, of the last one. */
function tailOf(blocks: readonly Block[]): number {
  let tail = blocks.length;
  while (tail > 0 && blocks.length - tail <= below) {
    const block = blocks[tail - 1];
    if (!block || block.kind === "row" || block.kind === "heading") break;
    if (block.text.length > longest && !isNoticeLine(block.text)) break;
    tail--;
  }
  return tail > 0 ? tail : blocks.length - 1;
}

const time = /\bt?\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]m\b)?(?: ?(?:z|utc|gmt|[+-]\d{2}:?\d{2})\b)?/g;

const isMadeLine = says("stamps.made");
const saysEdit = says("stamps.edit");
const saysCreation = says("stamps.creation");
/** Whether a line always dates the text. */
export const isBinding = says("stamps.binding");

/** Words of a stamp besides its date. */
const filler = phrasesOf("stamps.filler");
/** Words before the name of a tool or person, and the most words of that name if no program made the page. */
const naming = phrasesOf("stamps.naming");
const names = 6;

/** Generators of documents that sign each page. */
const namesGenerator = says("stamps.generator");
const isSigned = says("stamps.signed");
const isMadeBy = matches(`^\\P{L}*${anyOf("stamps.page")}?${anyOf("stamps.making")}`);
const saysLastEdit = matches(`^${anyOf("stamps.edited")}\\b`);
/** A program's time, resources or clock, right before a figure. "Execution time limit: 300 s" is content. */
const saysMeasure = begins("stamps.measured");

/** A line on the program that made the page, its last editor, or the time it took. */
function isColophon(line: string, atEnd: boolean): boolean {
  if (saysMeasure(line)) return true;
  if (isMadeBy(line)) return namesGenerator(line) || (atEnd && isSigned(line));
  return atEnd && saysLastEdit(line) && !isBinding(line);
}

/** The place of code: "Definition at line 9 of file mill.h.", "Defined in src/mill.ts:12". */
const codeLine = "(?:line \\d+ (?:of|in) (?:the )?(?:file )?\\S+|\\S+(?::|, line )\\d+)";
const codePlaces = [
  new RegExp(`^${anyOf("stamps.defined")}(?: at| in| on|:)? ${codeLine}$`),
  /^[\w./-]+\.[a-z]{1,4}, line \d+$/,
];

/** The last edit with its commit: "Last modified June 3, 2024: Mend a link (1a2b3c4)". */
const lastCommit = new RegExp(`^${anyOf("stamps.edited")}\\b.{0,220}\\([0-9a-f]{7,40}\\)$`, "i");
const maxCommitCharacters = 300;

/** A copyright notice before the build's time: "© 2021, The Kite Company. Last updated on …" */
const notice = new RegExp(
  `^(?:©|\\(c\\)|copyright\\b)[^.]{0,80}\\. (?:${anyOf("boilerplate.rights")}\\. )?\\(?(?=${anyOf("stamps.beginning")} )`,
);

function isStamp({ text, kind }: Block, atEnd: boolean): boolean {
  if (kind === "row" || kind === "heading" || kind === "code") return false;
  if (text.length < maxCommitCharacters && lastCommit.test(text)) return true;
  if (text.length > longestNotice) return false;
  const line = text.toLowerCase().replace(notice, "");
  if (atEnd && isNotice(line) && !isBinding(line)) return true;
  if (text.length > longest) return false;
  if (isColophon(line, atEnd)) return true;
  if (!/\d/.test(text)) return false;
  if (codePlaces.some((form) => form.test(line.replace(/\.$/, "")))) return true;
  const { precision } = dateOfEdit(line) ?? {};
  // With a time of day, a program wrote it.
  if (precision === "time" || precision === "local time" || (atEnd && precision === "day")) return true;
  const [isMade, isEdited] = [isMadeLine(line), saysEdit(line)];
  if ((!isMade && !isEdited) || isBinding(line)) return false;
  const dates = datesIn(line).filter(({ precision }) => precision === "day").length;
  const bare = withoutDays(line, " ");
  const timed = bare.match(time) !== null;
  const words = [...bare.replace(time, " ").matchAll(/[\p{L}\p{N}][\p{L}\p{N}.-]*/gu)].map(([word]) =>
    word.replace(/\.$/, ""),
  );
  const isFiller = (word: string) => filler.has(word) || isHash(word);
  if (dates === 0) return isMade && isMadeBy(line) && words.every((word) => isFiller(word) || isMark(word));
  const strange = words.findIndex((word) => !isFiller(word));
  const isNamed = naming.has(words[strange - 1] ?? "") && (isMade || words.length - strange <= names);
  if (strange >= 0 && !isNamed) return false;
  return isMade || timed || atEnd || (dates > 1 && saysCreation(line));
}

/** A line with one of these words, and otherwise only versions and dates, names the site's version. */
const isStamping = says("stamps.version");
const namesManual = says("stamps.manual");
const saysRelease = says("stamps.release");
const numbered = phrasesOf("stamps.numbered");
/** Words of a name beside "documentation", at most. */
const maxNameWords = 3;

/** Whether two lines are one stamp with another version, date or build: "Version 2.12", "Version 2.13". */
export function isStampAgain(before: string, after: string): boolean {
  if (!isStamping(before.toLowerCase()) || !isRenumbered(before, after)) return false;
  const strange = strangeWordsOf(before);
  const isNamed = namesManual(before) && strange.length <= maxNameWords;
  return strange.length === 0 || (isNamed && strange.every((word) => /^\p{L}/u.test(word)));
}

/** Whether two lines differ only in a version, date or build. */
export function isRenumbered(before: string, after: string): boolean {
  const form = formOf(before)?.join(" ");
  return form !== undefined && form === formOf(after)?.join(" ");
}

/**
 * The lines with a name and its version, date or build that are all that the page has above its title, by their names:
 * "The Mill v2.13". With more text above it, the first heading is only that of a section.
 */
export function numberLinesAbove(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const lines = blocks.slice(0, titleOf(blocks)).map(({ kind, text }) => ({
    text,
    name: kind !== "row" && isNumberLine(text) ? strangeWordsOf(text).join(" ") : "",
  }));
  return new Map(lines.every(({ name }) => name !== "") ? lines.map(({ text, name }) => [nameOf(name), text]) : []);
}

/** The words of a line beside its version, date or build that are not usual there. */
function strangeWordsOf(text: string): readonly string[] {
  return formOf(text)?.filter((token) => token !== "§" && !filler.has(token) && !numbered.has(token)) ?? [];
}

/** The index of a page's title; 0 if it has none. */
function titleOf(blocks: readonly Block[]): number {
  const title = blocks.findIndex(({ kind }) => kind === "heading");
  return Math.max(0, title);
}

/** Whether a line has a version, date or build and few other words: "The Mill v2.13". */
export function isNumberLine(text: string): boolean {
  const words = formOf(text)?.filter((token) => token !== "§");
  return words !== undefined && words.length <= maxNameWords && !saysStatus(text);
}

/** The words of a short line, with a mark for each version, date and build; undefined if it has none of them. */
function formOf(text: string): readonly string[] | undefined {
  const line = text.toLowerCase();
  if (text.length > longest || isBinding(line)) return undefined;
  const dateless = withoutDays(line, " § ").replace(time, " ");
  if (dateless.includes("§") && saysRelease(line)) return undefined;
  const tokens = dateless.split(/[\s()[\],:;|·–—/]+/).filter((token) => token !== "" && token !== "-");
  const form = tokens.map((token, i) => (isMark(token, tokens[i - 1]) ? "§" : token.replace(/\.$/, "")));
  return form.includes("§") ? form : undefined;
}

/** The blocks above a page's title, and the short lines at its end. They are the site's if other pages have them. */
export function frameOf(blocks: readonly Block[]): readonly Block[] {
  const [top, tail] = [titleOf(blocks), tailOf(blocks)];
  return blocks.filter((_, index) => index < top || index >= tail);
}

function isHash(token: string): boolean {
  return /^[\da-f]{7,40}$/.test(token) && /\d/.test(token);
}

/** Whether this is a version or a hash; or a number after a word such as "version". */
function isMark(token: string, before?: string): boolean {
  if (token === "§" || /^v?\d+(?:\.[\da-z]+)+(?:[+-][\da-z.+-]*)?$/.test(token) || /^v\d+$/.test(token)) return true;
  if (isHash(token)) return true;
  return /^\d+$/.test(token) && numbered.has(before ?? "");
}
