import { says } from "../../language/lexicon.ts";
import { groupByEach, wordSet } from "../../model/cache.ts";
import { addressesIn } from "../../read/text/bare-addresses.ts";
import type { ReportLink, ReportPart, ReportText } from "../parse/report-text.ts";
import { identifiersIn, numberedDocumentsIn } from "./addresses.ts";

/** One numbered entry of a list of references. */
export interface BibliographyEntry {
  readonly number: number;
  readonly text: string;
  readonly links: readonly ReportLink[];
}

interface Candidate extends BibliographyEntry {
  readonly path: readonly string[];
  /** Whether the number is a citation mark (`[1]`) or a list item's. */
  readonly style: "mark" | "list";
}

const isHeading = says("citations.heading");

/**
 * Numbered entries, each number once, from lists that their heading, marks or addresses show to be references. If two
 * lists use the same numbers, only those below a heading of references count.
 */
export function bibliographyOf({ parts, defined }: ReportText): BibliographyEntry[] {
  const groups = Map.groupBy(parts.flatMap(candidates), ({ path, style }) => JSON.stringify([path, style]));
  const lists = [...groups.values()].filter(isBibliography);
  const chosen = haveSharedNumbers(lists) ? lists.filter((list) => isHeaded(list)) : lists;
  const byNumber = new Map<number, BibliographyEntry>();
  for (const entry of haveSharedNumbers(chosen) ? [] : chosen.flat()) {
    const before = byNumber.get(entry.number);
    if (!before || (!hasAddress(before) && hasAddress(entry))) byNumber.set(entry.number, entry);
  }
  for (const [number, link] of defined) {
    if (!byNumber.has(number)) byNumber.set(number, { number, text: link.text, links: [{ ...link, text: "" }] });
  }
  return [...byNumber.values()].filter((entry) => !isExplanation(entry, chosen)).sort((a, b) => a.number - b.number);
}

/** Whether a footnote explains: it has no address, no year and no heading of references above it. */
function isExplanation(entry: BibliographyEntry, lists: readonly (readonly Candidate[])[]): boolean {
  const list = lists.find((one) => one.some(({ number }) => number === entry.number));
  const heading = list?.[0]?.path.at(-1) ?? "";
  const isOfReferences = isReferencesHeading(heading) && !isNoteHeading(heading);
  return !isOfReferences && list?.[0]?.style === "mark" && !hasAddress(entry) && !/(?:1[89]|20)\d\d/.test(entry.text);
}

const isNoteHeading = says("citations.notes");

/** Whether two lists use the same number. */
function haveSharedNumbers(lists: readonly (readonly Candidate[])[]): boolean {
  const byNumber = groupByEach(lists, (list) => list.filter(hasAddress).map(({ number }) => number));
  return [...byNumber.values()].some(({ length }) => length > 1);
}

function isHeaded(list: readonly Candidate[]): boolean {
  return isReferencesHeading(list[0]?.path.at(-1) ?? "");
}

export function isReferencesHeading(text: string): boolean {
  return text.length <= 60 && isHeading(text);
}

function isBibliography(list: readonly Candidate[]): boolean {
  const linkedEntries = list.filter(hasAddress).length;
  if (linkedEntries === 0) return false;
  const numbers = new Set(list.filter(hasAddress).map(({ number }) => number));
  if (numbers.size < 0.8 * linkedEntries) return false;
  if (isHeaded(list) || list[0]?.style === "mark") return true;
  const rising = list.every(({ number }, i) => i === 0 || number > (list[i - 1]?.number ?? 0));
  const ends = list.filter(({ text, links }) => /https?:\S+$/.test(text) && links.length <= 2).length;
  return list.length >= 3 && rising && ends >= 0.8 * list.length;
}

function hasAddress({ text, links }: BibliographyEntry): boolean {
  const isLinked = addressesIn(text).length > 0 || links.some(({ address }) => /^https?:/i.test(address));
  return isLinked || identifiersIn(text).length > 0 || numberedDocumentsIn(text).length > 0;
}

const mark = /^(?:\[\^?(\d{1,4})\]|\((\d{1,4})\)|\^(\d{1,4})\b)[:.]?(?:\s|$)/;
const counted = /^(\d{1,4})[.)]\s/;
const anchor = /(?:^|[-_:.])([a-z]{2,9})[-_:.]?(\d{1,4})$/i;
/** Words before the number in the id of an entry. */
const anchorWords = wordSet("ref reference fn footnote endnote note cite citation bib source src en");

/** The entries of one part. A line that begins with a number starts an entry; the lines below it continue it. */
function candidates(part: ReportPart): Candidate[] {
  if (part.kind === "heading" || part.kind === "row") return [];
  const anchored = part.ids
    .flatMap((id) => [anchor.exec(id) ?? []])
    .find(([, word = ""]) => anchorWords.has(word.toLowerCase()))?.[2];
  const partNumber = anchored
    ? { number: Number(anchored), style: "mark" as const }
    : part.number !== undefined
      ? { number: part.number, style: "list" as const }
      : undefined;
  const entries: Candidate[] = [];
  for (const [i, line] of part.text.split("\n").slice(0, 2_000).entries()) {
    const begins = entryStart(line);
    const last = entries.at(-1);
    if (begins) entries.push({ ...begins, path: part.path, links: [] });
    else if (i === 0 && partNumber) entries.push({ ...partNumber, text: line, path: part.path, links: [] });
    else if (last) entries[entries.length - 1] = { ...last, text: `${last.text} ${line}` };
  }
  const numbered = entries.filter(({ number }) => number > 0);
  return withLinks(numbered, part.links);
}

function entryStart(line: string): Pick<Candidate, "number" | "text" | "style"> | undefined {
  const marked = mark.exec(line);
  const match = marked ?? counted.exec(line);
  const number = Number(match?.slice(1).find((one) => one !== undefined));
  return match ? { number, text: line.slice(match[0].length).trim(), style: marked ? "mark" : "list" } : undefined;
}

function withLinks(entries: readonly Candidate[], links: readonly ReportLink[]): Candidate[] {
  if (entries.length <= 1) return entries.map((entry) => ({ ...entry, links }));
  let at = 0;
  const linksByEntry = entries.map((): ReportLink[] => []);
  for (const link of links) {
    while (at < entries.length - 1 && link.text !== "" && !(entries[at]?.text ?? "").includes(link.text)) at++;
    linksByEntry[at]?.push(link);
  }
  return entries.map((entry, i) => ({ ...entry, links: linksByEntry[i] ?? [] }));
}
