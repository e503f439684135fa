import { decodeHTMLStrict } from "entities/decode";
import { anyOf, says } from "../language/lexicon.ts";
import { isReferencesHeading } from "../report/cite/bibliography.ts";
import { beginsWithNamesAndYear, lengthOfNames, styledParts } from "../report/cite/styles.ts";
import type { CitedWork } from "./cited-work.ts";
import { hasIdentifier, identifiersOf } from "./identifiers.ts";
import { type Columns, cellsOf, columnsUnder, fourDigitYear, partsOfRow, withRows } from "./rows.ts";

export const maxEntryCharacters = 8_000;

/** The beginning of an entry: a list mark, a number in brackets, a footnote. A year is none. */
const listMark =
  /^\s{0,6}(?:[-*+•.]|(?!\(?(?:1[5-9]|20)\d\d)(?:\d{1,4}[.)-]|\(\d{1,3}\))|\[\^?[\w-]{1,60}\]:?|\^\d{1,4}|<sup>\d{1,4}<\/sup>|>)\s+/;
/** The same as an element of HTML, a citation of reStructuredText, or a table row. */
const otherMark = /^(?:\s{0,6}<(?:li|p|dd|td|tr)\b[^<>]{0,300}>|\.\. \[[^\]]{1,80}\]\s+|\|)/;
const anchor = /^\s{0,3}(?:[*-] )?\[{2,3}([\w:.-]{1,80})\]{2,3}\s*/;

interface Block {
  readonly line: number;
  readonly end: number;
  readonly text: string;
  readonly key?: string;
  /** Only a row has them. */
  readonly columns?: Columns;
  readonly isMarked: boolean;
  /** It is below a heading like *References*. */
  readonly isListed: boolean;
}

const signal = new RegExp(`^\\s{0,3}${anyOf("citations.signal")},?\\s+`, "iu");

/** Entries of prose: list entries, footnotes, rows, and paragraphs that look like citations. */
export function proseOf(text: string, path: string): CitedWork[] {
  const name = /([^/]{1,80}?)(?:\.\w{1,8})?$/.exec(path.replace(/#\.\w+$/, ""))?.[1] ?? "";
  // The styles are known with these marks.
  const plain = text
    .replace(/[‐‑]/g, "-")
    .replace(/[，、،][ \t]?/g, ", ")
    .replace(/[：．][ \t]?/g, (mark) => (mark[0] === "：" ? ": " : ". "))
    .replace(/[（）［］]/g, (mark) => mark.normalize("NFKC"))
    .replace(/^(\[\d{1,4}\])(?=\p{L})/gmu, "$1 ");
  return blocksOf(plain, isReferencesHeading(name.replace(/[-_.]+/g, " "))).flatMap((block) => {
    const decoded = /\.(?:html?|xml)$/i.test(path) ? decodeHTMLStrict(block.text) : block.text;
    const row = block.columns && partsOfRow(cellsOf(decoded), block.columns, identifiersOf(decoded).links.length > 0);
    const written = decoded.replace(signal, "");
    const emphasised = withEmphasis(written);
    const identifiers = identifiersOf(removeMarkup(written));
    const readable = plainText(emphasised);
    if (!row && !seemsCited(readable, identifiers, block)) return [];
    return [
      {
        line: block.line,
        end: block.end,
        ...(block.key !== undefined && { key: block.key }),
        text: readable,
        ...(row ?? styledParts(emphasised)),
        ...(block.isListed && { isListed: true }),
        isStructured: false,
        ...identifiers,
      },
    ];
  });
}

function blocksOf(text: string, isList: boolean): Block[] {
  const blocks: Block[] = [];
  let open: (Pick<Block, "line" | "key" | "columns" | "isMarked"> & { readonly lines: string[] }) | undefined;
  let columns = columnsUnder([]);
  let isListed = isList;
  /** If a line is a heading, begins the section below it. */
  const enter = (line: string): boolean => {
    const heading = headingIn(line);
    if (heading !== undefined) isListed = isReferencesHeading(heading);
    return heading !== undefined;
  };
  const close = (end: number, isUnderlined = false) => {
    const [line = "", ...more] = open?.lines ?? [];
    const isHeading = open && more.length === 0 && !open.isMarked && enter(isUnderlined ? `# ${line}` : line);
    if (open && !isHeading) {
      const { lines, ...block } = open;
      blocks.push({ ...block, isListed, end, text: lines.join("\n").slice(0, maxEntryCharacters) });
    }
    open = undefined;
  };
  for (const [i, written] of withRows(text).split("\n").entries()) {
    const line = written.replace(/^\s{0,4}>\s?/, "");
    if (line.trim() === "" || /^\s{0,3}(?:#{1,6}\s|={2,6}\s|={3,}|-{3,}|~{3,})/.test(line)) {
      close(i, /^\s{0,3}[=~-]{3,}\s*$/.test(line));
      enter(line);
      continue;
    }
    const begins = listMark.exec(line) ?? otherMark.exec(line);
    const named = anchor.exec(line.replace(/^\s{0,3}[*-]\s+/, ""));
    const cited = /^\.\. \[([^\]]{1,80})\]/.exec(line)?.[1] ?? /<li\b[^<>]{0,200}\bid="([^"]{1,80})"/.exec(line)?.[1];
    if (begins || named) {
      close(i);
      const key = named?.[1] ?? cited;
      const body = line.slice(begins?.[0].length ?? 0).replace(anchor, "");
      open = { line: i + 1, lines: [body], isMarked: true, key };
      if (!/^(?:\||<tr)/.test(begins?.[0] ?? "")) continue;
      const cells = cellsOf(body);
      if (blocks.at(-1)?.columns === undefined) columns = columnsUnder(cells);
      for (const [i, { length }] of cells.entries()) columns.lengths[i] = (columns.lengths[i] ?? 0) + length;
      open = { ...open, columns };
      close(i + 1);
    } else if (open && !(isListed && !open.isMarked && beginsNext(line, open.lines))) open.lines.push(line.trim());
    else {
      close(i);
      open = { line: i + 1, lines: [line], isMarked: false };
    }
  }
  close(text.split("\n").length);
  return blocks;
}

/** Whether a line of a list without marks begins the next entry: with names and a year, or the next number. */
function beginsNext(line: string, [first = ""]: readonly string[]): boolean {
  const numberOf = (text: string) => Number(/^\d{1,3}(?=\s)/.exec(text)?.[0]);
  return beginsWithNamesAndYear(line) || numberOf(line) === numberOf(first) + 1;
}

/** The text of a line that is a heading in Markdown, AsciiDoc or HTML, or *References* alone. */
function headingIn(line: string): string | undefined {
  const [, text = line] =
    /^\s{0,3}(?:#{1,6}|={2,6})\s+(.{1,200}?)[\s#]{0,20}$/.exec(line) ??
    /^\s{0,9}<h[1-6]\b[^<>]{0,200}>(.{0,200})$/i.exec(line) ??
    [];
  const words = text.replace(/<[^<>]{0,200}>/g, "").trim();
  return text !== line || isReferencesHeading(words) ? words : undefined;
}

const separators = /[⟦⟧⟪⟫]/g;

/** Marks emphasis of Markdown, HTML, AsciiDoc and reStructuredText as ⟦…⟧: it is often a venue or a title. */
function withEmphasis(text: string): string {
  return text
    .replace(separators, "")
    .replace(/<(?:em|i|cite)>([^<>]{1,500})<\/(?:em|i|cite)>/gi, "⟦$1⟧")
    .replace(/<\/?(?:b|strong|span)\b[^<>]{0,300}>/gi, "")
    .replace(boldTitle, (bold, before: string, title: string) =>
      lengthOfNames(title) > 0 ? bold : `${before}⟪${title}⟫`,
    )
    .replace(/\*\*([^*\n]{1,200})\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\n]{2,500})\*(?![\w*])/g, "⟦$1⟧")
    .replace(/(?<![\w/_])_([^_\n]{2,300})_(?![\w_])/g, "⟦$1⟧")
    .replace(emphasisedLabel, "$1");
}

/** `**Title** (Hargrave, Lift 1893)`, `(1893) **Title** — Lawrence Hargrave` */
const boldTitle = /^\s*((?:\(\d{4}\)\s)?)\*\*(?!["“„«])([^*\n]{6,300})\*\*/;

/** Labels that are often emphasised like a venue: *et al.*, *In*, *S. l.: s. n.* */
const emphasisedLabel = new RegExp(
  `⟦((?:${anyOf("citations.and-others")}|${anyOf("citations.in")}|s\\. ?[ln]\\.?|[\\s.,:;[\\]])+)⟧`,
  "giu",
);

/** Removes links and markup. */
export function plainText(text: string): string {
  return removeMarkup(text.replace(separators, "")).replace(/\s+/g, " ").trim();
}

function removeMarkup(text: string): string {
  return text
    .replace(/!?\[([^[\]]{0,500})\]\(<?((?:[^()\s]|\([^()\s]{0,500}\)){0,2000}?)>?(?:\s"[^"]{0,300}")?\)/g, "$1 $2 ")
    .replace(/<a\b[^<>]{0,500}\bhref="([^"]{0,2000})"[^<>]{0,300}>/gi, " $1 ")
    .replace(/<(?!https?:)\/?[a-z][^<>]{0,300}>/gi, " ")
    .replace(/\\([_*&%#$[\]()])/g, "$1");
}

/** Whether a text has a word of sentences, which references do not have outside their title. */
export const isProse = says("citations.prose");

/** Whether a block looks like a citation: it has an identifier, or names, a year and a title. */
function seemsCited(text: string, identifiers: ReturnType<typeof identifiersOf>, block: Block): boolean {
  const { links } = identifiers;
  const isIdentified = hasIdentifier(identifiers);
  if (text.length < 12 && !isIdentified) return false;
  if (block.columns) return (isIdentified || links.length > 0) && !/^[\s|:-]+$/.test(text);
  if (isIdentified && (block.isMarked || text.length < 1_500)) return true;
  const hasYear = fourDigitYear.test(text);
  if (block.isMarked) return text.length < 2_500 && (hasYear || links.length > 0) && text.length > 20;
  if (block.isListed) return text.length < 1_500 && hasYear && text.length > 20;
  const isSentenceOfText = isProse(text) && !/[“«"⟦]|\s['‘]/.test(text);
  const startsWithName = /^[\p{L}'’-]{2,40}(?:\s[\p{L}'’.-]{1,30}){0,6}[.,(]|^\p{Script=Han}/u.test(text);
  return text.length < 1_500 && hasYear && startsWithName && !isSentenceOfText;
}
