import type { Stretch } from "../../language/fold.ts";
import { escapePattern } from "../../model/words.ts";
import { applySplices, blankOut, type Splice } from "./splice.ts";

/**
 * A wrong part of a bibliography entry, and its right value. An identifier is a DOI or `arXiv:…`. `version`: the
 * identifier of a later version, beside which the old one may remain.
 */
export interface EntryCorrection {
  readonly part: "identifier" | "version" | "authors" | "year" | "venue";
  /** As in the entry, except for case. */
  readonly old: string;
  readonly now: string;
}

/** Lines of a file to replace. `before` and `after` include the line ends. */
export interface LinesEdit {
  /** The first line, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Longer entries are not edited. */
const maxEntryCharacters = 8_000;

export function linesWithEnds(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/);
}

/**
 * Corrects an entry in place; undefined unless each correction has exactly one place. `lines`: those of the whole file.
 * `line`, `end`: the first and last line of the entry, from 1. Pure.
 */
export function editEntry(
  path: string,
  lines: readonly string[],
  { line, end }: { readonly line: number; readonly end: number },
  corrections: readonly EntryCorrection[],
): LinesEdit | undefined {
  const entry = lines.slice(line - 1, end).join("");
  if (entry.length > maxEntryCharacters || corrections.length === 0) return undefined;
  const splices = corrections.map((one) => splicesFor(path, entry, one));
  if (splices.some(({ length }) => length === 0)) return undefined;
  const all = splices.flat().toSorted((a, b) => a.from - b.from);
  if (all.some(({ from }, i) => from < (all[i - 1]?.to ?? 0))) return undefined;
  return changedLines(line, entry, applySplices(entry, all));
}

/**
 * Adds or removes an identifier of an entry; undefined if there is no certain place. `wrong`, `right`: DOIs or
 * `arXiv:…`. Pure.
 */
export function identifyEntry(
  path: string,
  lines: readonly string[],
  { line, end }: { readonly line: number; readonly end: number },
  { wrong, right }: { readonly wrong?: string; readonly right?: string },
): LinesEdit | undefined {
  const entry = lines.slice(line - 1, end).join("");
  if (entry.length > maxEntryCharacters) return undefined;
  if (wrong !== undefined) {
    const named = escapePattern(arxivNumber(wrong) ?? wrong);
    const written = new RegExp(
      `(?:https?://[^\\s{}()<>"]{1,60}/|arxiv[:.])?(?<![\\w])${named}(?:v\\d{1,2})?(?![\\w/-]|[.:;()]\\w)`,
      "gi",
    );
    return changedLines(line, entry, applySplices(entry, matchesOf(written, entry).map(by(""))));
  }
  const address = doiOf(right ?? "");
  if (address === undefined) return undefined;
  const place = isBib.test(path) ? /@\w{1,40}\s{0,9}[{(][^,\s]{0,200},/.exec(entry) : endOfEntry.exec(entry);
  if (!place) return undefined;
  const text = isBib.test(path) ? ` doi = {${address}},` : ` https://doi.org/${address}`;
  const at = place.index + (isBib.test(path) ? place[0].length : 0);
  return changedLines(line, entry, applySplices(entry, [{ from: at, to: at, text }]));
}

const isBib = /\.(?:bib|bibtex)$/i;
/** The end of an entry in prose. The end of a row, of a tag or of a field of another format does not count. */
const endOfEntry = /(?<=[\p{L}\p{N}.)*_])[ \t\r\n]{0,20}$/u;

/** Applies edits to the text that they were made for. An edit is left out if its lines have changed since. */
export function withLinesEdited(text: string, edits: readonly LinesEdit[]): string {
  const lines = linesWithEnds(text);
  for (const { line, before, after } of edits.toSorted((a, b) => b.line - a.line)) {
    const count = linesWithEnds(before).length;
    if (lines.slice(line - 1, line - 1 + count).join("") === before) lines.splice(line - 1, count, after);
  }
  return lines.join("");
}

function changedLines(line: number, before: string, after: string): LinesEdit | undefined {
  const [olds, news] = [linesWithEnds(before), linesWithEnds(after)];
  const first = olds.findIndex((text, i) => text !== news[i]);
  if (first < 0) return undefined;
  const same = olds.toReversed().findIndex((text, i) => text !== news.at(-1 - i));
  return {
    line: line + first,
    before: olds.slice(first, olds.length - same).join(""),
    after: news.slice(first, news.length - same).join(""),
  };
}

function splicesFor(path: string, entry: string, { part, old, now }: EntryCorrection): Splice[] {
  if (part === "identifier") return identifierSplices(entry, old, now);
  if (part === "version") return identifierSplices(entry, old, now, { keeps: true });
  // A separator of fields, or a mark of markup, could end the value.
  if (/\.[ct]sv$/i.test(path) || !/^[\p{L}\p{M}\p{N} .,&'’()/–-]{1,4000}$/u.test(now)) return [];
  const isLatex = /\.(?:bib|bibtex|tex)$/i.test(path);
  const text = now.replaceAll("&", isLatex ? "\\&" : /\.x?html?$/i.test(path) ? "&amp;" : "&");
  if (part === "authors") {
    const fields = isLatex ? authorsFields.flatMap((field) => matchesOf(field, entry)) : [];
    return replaceOnly(fields, text);
  }
  const word = "[\\p{L}\\p{N}]";
  const [before, behind] = part === "year" ? ["\\d", "\\d|-\\d"] : [word, word];
  const written = new RegExp(`(?<!${before})${escapePattern(old)}(?!${behind})`, "giu");
  return replaceOnly(matchesOf(written, withoutIdentifiers(entry)), text);
}

/** The value of an author field in BibTeX, without its delimiters: braces, or quotation marks. */
const authorsFields = [
  /(?<=[\s,]author[ \t]{0,9}=[ \t]{0,9}\{)(?:[^{}]|\{[^{}]{0,100}\}){1,4000}(?=\})/gi,
  /(?<=[\s,]author[ \t]{0,9}=[ \t]{0,9}")[^"{}]{1,4000}(?=")/gi,
];

/** Blanks addresses, identifiers and the key of a BibTeX entry. Offsets stay. */
function withoutIdentifiers(entry: string): string {
  return entry.replace(
    /https?:[^\s{}]+|\b10\.\d{4,9}\/[^\s{}]+|arxiv:[^\s{}]+|@\w{1,40}\s{0,9}[{(][^,\s]{0,200},/gi,
    blankOut,
  );
}

function identifierSplices(entry: string, old: string, now: string, { keeps = false } = {}): Splice[] {
  const [number, nextNumber] = [arxivNumber(old), arxivNumber(now)];
  const doi = doiOf(now);
  if (doi === undefined) return [];
  if (number === undefined) return matchesOf(identifierPattern("", old, "(?![\\w/-]|[.:;()]\\w)"), entry).map(by(doi));
  const version = "(?:v\\d{1,2})?(?:\\.pdf)?(?!\\w|\\.\\w)";
  const all = matchesOf(identifierPattern("", number, version), entry);
  if (nextNumber !== undefined) return all.map(by(nextNumber));
  const addresses = matchesOf(
    identifierPattern("https?://(?:www\\.)?arxiv\\.org/(?:abs|pdf|html)/", number, version),
    entry,
  );
  const dois = matchesOf(identifierPattern("10\\.48550/arXiv\\.", number, version), entry);
  if (!keeps && addresses.length + dois.length < all.length) return [];
  return [...addresses.map(by(`https://doi.org/${doi}`)), ...dois.map(by(doi))];
}

/** The DOI of an identifier; undefined if it contains markup characters. */
function doiOf(identifier: string): string | undefined {
  const number = arxivNumber(identifier);
  const doi = number === undefined ? identifier : `10.48550/arXiv.${number}`;
  return /^10\.\d{4,9}\/[\w.;()/:-]{1,200}$/.test(doi) ? doi : undefined;
}

function arxivNumber(identifier: string): string | undefined {
  return /^(?:arXiv:|10\.48550\/arXiv\.)([\w./-]{4,40})$/i.exec(identifier)?.[1];
}

function identifierPattern(before: string, identifier: string, behind: string): RegExp {
  return new RegExp(`(?<!\\w|\\d\\.)${before}${escapePattern(identifier)}${behind}`, "gi");
}

function matchesOf(pattern: RegExp, text: string): Stretch[] {
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ from: index, to: index + match.length }));
}

const by =
  (text: string) =>
  (range: Stretch): Splice => ({ ...range, text });

/** The splice for a value that occurs exactly once. */
function replaceOnly(ranges: readonly Stretch[], text: string): Splice[] {
  return ranges.length === 1 ? ranges.map(by(text)) : [];
}
