import { datesIn } from "../../language/dates.ts";
import { isLanguageName } from "../../language/detect.ts";
import { anyOf, isWhole, matches, wordsOf } from "../../language/lexicon.ts";
import { cutLine } from "../../model/markdown.ts";
import { escapePattern } from "../../model/words.ts";
import { addressesIn } from "../../read/text/bare-addresses.ts";
import type { ReportLink, ReportPart, ReportTable, ReportText } from "../parse/report-text.ts";
import { isLevel } from "../rate/levels.ts";
import { rowName } from "../rate/row-names.ts";
import { shortName } from "../rate/words.ts";
import { identifiersIn, namesStandard, numberedDocumentsIn, webAddress, withoutAddressesAndIds } from "./addresses.ts";
import { type BibliographyEntry, bibliographyOf, isReferencesHeading } from "./bibliography.ts";
import { styledParts } from "./styles.ts";

export interface Reference {
  readonly number?: number;
  readonly title: string;
  readonly key?: string;
  /** Its line in that file, from 1, if known. */
  readonly line?: number;
  readonly address?: string;
  /** Ids of chapters that cite it. */
  readonly citedBy?: readonly string[];
  readonly where: readonly ReportPart[];
}

export interface References {
  readonly all: readonly Reference[];
  readonly numbered: boolean;
  /** Whether several files number their references independently. */
  readonly apart?: boolean;
  /** Linked addresses that do not count as references: badges, licences, guides for contributors. */
  readonly others: readonly string[];
  /** How many references were dropped because there are too many. */
  readonly left: number;
}

/** Above any real report. */
const maxReferences = 3_000;

/** A report's numbered references, and its other links. `own`: whether an address is the report's own. */
export function referencesOf(report: ReportText, own: (address: string) => boolean): References {
  const entries = bibliographyOf(report);
  const { links, others } = collectLinks(report, own);
  const cited = citations(report.parts);
  const numbered = entries.map((entry): Reference => ({ ...referenceOf(entry), where: cited.get(entry.number) ?? [] }));
  const known = new Set(numbered.map(({ address }) => address));
  const standards = numbered.length > 0 ? [] : report.parts.filter(isStandard);
  const named = standards.map((part): Reference => ({ title: titleIn(part.text), where: [part] }));
  const all = [...numbered, ...links.filter(({ address }) => !known.has(address)), ...named];
  const watched = new Set(all.map(({ address }) => address));
  return {
    all: all.slice(0, maxReferences),
    numbered: numbered.length > 0,
    others: others.filter((address) => !watched.has(address)),
    left: Math.max(0, all.length - maxReferences),
  };
}

/** Whether an entry of a list without numbers is a standard without an address. */
function isStandard({ kind, text, path, links }: ReportPart): boolean {
  const isListed = kind === "item" && links.length === 0 && isReferencesHeading(path.at(-1) ?? "");
  return isListed && namesStandard(text) && addressesIn(text).length === 0 && identifiersIn(text).length === 0;
}

function referenceOf({ number, text, links }: BibliographyEntry): Omit<Reference, "where"> {
  const written = [...addressesIn(text), ...links.map(({ address }) => address)];
  const address =
    written.flatMap((one) => webAddress(one) ?? [])[0] ?? identifiersIn(text)[0] ?? numberedDocumentsIn(text)[0];
  const label = links
    .filter(opensPage)
    .map(({ text: shown }) => shown)
    .find((one) => one !== "" && !/^https?:/i.test(one));
  const entryTitle = styledTitle(text) ?? titleIn(text);
  const title =
    (isPointing(entryTitle) ? "" : entryTitle) ||
    cutLine(label ?? "", 160) ||
    addressName(address) ||
    `Reference ${number}`;
  return { number, title, ...(address && { address }) };
}

export function citations(parts: readonly ReportPart[]): Map<number, ReportPart[]> {
  const byNumber = new Map<number, ReportPart[]>();
  for (const part of parts) {
    for (const number of new Set([...part.cited, ...marksIn(part).flatMap(({ numbers }) => numbers)])) {
      const where = byNumber.get(number) ?? [];
      if (where.length < 50) where.push(part);
      byNumber.set(number, where);
    }
  }
  return byNumber;
}

/** The offsets and numbers of a citation mark in a text. */
export interface WrittenMark {
  readonly from: number;
  readonly to: number;
  readonly numbers: readonly number[];
}

/**
 * Marks such as `[3]`, `[^3]`, `[3, 4]`, `[3, pp. 4–6]`; also bare numbers after the last sentence of a paragraph,
 * which were superscripts.
 */
export function marksIn({ text, kind }: Pick<ReportPart, "text" | "kind">): WrittenMark[] {
  const marks = [...text.matchAll(writtenMark)].map((match): WrittenMark => {
    const [whole, inner = ""] = match;
    return { from: match.index, to: match.index + whole.length, numbers: (inner.match(/\d+/g) ?? []).map(Number) };
  });
  if (kind !== "text" && kind !== "item") return marks;
  const start = Math.max(0, text.length - 250);
  const last = /[.?!"”)]((?: \d{1,4}){1,40})$/.exec(text.slice(start));
  const bare = last?.[1] ?? "";
  const numbers = bare.trim().split(" ").map(Number);
  return bare === "" ? marks : [...marks, { from: text.length - bare.length, to: text.length, numbers }];
}

/** `[3]`, `[1, 4–6]`, `[^2]`, `[7, pp. 12–15]` */
const writtenMark = /(?<=\S\s?)\[\^?(\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,20})(?:, ?[a-z]{1,3}\. ?\d[\d –-]{0,12})?\]/gi;

/** Headings of sections about the document itself. */
export const isAboutItself = isWhole("citations.about-itself");

/** This many language names side by side are links to translations. */
const fewestTranslations = 3;

function collectLinks(
  { parts, tables }: ReportText,
  isOwn: (address: string) => boolean,
): { links: (Reference & { address: string })[]; others: string[] } {
  const byId = new Map(tables.map((table) => [table.id, table]));
  const plain = parts.map(withoutIconsInLabels);
  const common = commonLabels(plain);
  const title = parts.find(({ kind }) => kind === "heading")?.text;
  const byAddress = new Map<string, { title: string; where: ReportPart[] }>();
  const others = new Set<string>();
  for (const [i, original] of parts.entries()) {
    const part = plain[i] ?? original;
    const above = part.path.at(-1) ?? "";
    // A row with figures is no list of people.
    const isData = part.cells?.some(({ text, links }) => links.length === 0 && /\d/.test(text));
    const isOther = above !== title && !isData && isAboutItself(above);
    const isOfLanguages = part.links.filter(({ text }) => isLanguageName(text)).length >= fewestTranslations;
    for (const link of linksOf(part)) {
      const address = webAddress(link.address);
      if (address === undefined || isOwn(address)) continue;
      const before = byAddress.get(address);
      if (isOther || (isOfLanguages && isLanguageName(link.text)) || isBadge(link, part) || isControlLink(link, part))
        others.add(address);
      else if (before)
        before.where.push(...(before.where.length < 50 && !before.where.includes(original) ? [original] : []));
      else
        byAddress.set(address, {
          title: linkTitle(link, part, byId.get(part.table ?? -1), common) || addressName(address),
          where: [original],
        });
    }
  }
  return { links: [...byAddress].map(([address, one]) => ({ address, ...one })), others: [...others] };
}

function linksOf(part: ReportPart): ReportLink[] {
  const { links, text, code = "" } = part;
  const known = new Set(links.flatMap(({ address, text: label }) => [address, label]));
  const bare = addressesIn(text).filter(
    (address) => !known.has(address) && !code.includes(address) && !isRunOn(address, part),
  );
  return [...links, ...[...bare, ...papersWithoutLinks(part)].map((address) => ({ text: "", address }))];
}

/**
 * Whether a link goes beyond its address, so that the last letters belong to the text (`<https://kite.example/a>y`), or
 * is the start of a template (`https://kite.example/{id}`).
 */
function isRunOn(address: string, { text, marks }: ReportPart): boolean {
  const from = text.indexOf(address);
  if (text[from + address.length] === "{") return true;
  return marks.some((mark) => mark.address !== undefined && mark.at > from && mark.at < from + address.length);
}

/** Papers, and in lists of references numbered documents, on lines without a link. */
function papersWithoutLinks({ text, marks, path }: ReportPart): string[] {
  const isListed = isReferencesHeading(path.at(-1) ?? "");
  let from = 0;
  return text.split("\n").flatMap((line) => {
    const [start, end] = [from, from + line.length];
    from = end + 1;
    const leads = marks.some(({ at, address }) => address !== undefined && at >= start && at <= end);
    if (leads || addressesIn(line).length > 0) return [];
    const papers = identifiersIn(line);
    return papers.length === 0 && isListed ? numberedDocumentsIn(line) : papers;
  });
}

/** Whether a picture is a badge: it is without text, or in a heading. In a table it is a value. */
function isBadge({ picture = false }: ReportLink, { kind, text }: ReportPart): boolean {
  return picture && kind !== "row" && (kind === "heading" || text === "");
}

/** Addresses that edit a file in a repository: `/owner/name/edit/branch/file.md`. */
const editsFile = /^https?:\/\/[^/?#]+(?:\/[^/?#]+){2,8}\/_?edit\/[^/?#]+\/[^?#]+\.(?!x?html?$|php$)\w{1,8}$/i;

/** Whether a link sorts a table or edits a page. */
function isControlLink({ address, text }: ReportLink, { cells = [] }: ReportPart): boolean {
  if (isPerson(address) || isHandle(text, address)) return true;
  if (/[?&](?:action|veaction)=edit\b/i.test(address) || editsFile.test(address)) return true;
  const sorts = /[?&](?:sort(?:_?by)?|order(?:_?by)?|dir)=/i.test(address);
  return sorts && cells.some(({ head, links }) => head && links.some((link) => link.address === address));
}

/** Whether an address is a person's, by number. Spec: https://isni.org/page/technical-documentation/ (also ORCID) */
function isPerson(address: string): boolean {
  return /^https?:\/\/[^/]+\/(?:isni\/)?\d{4}-?\d{4}-?\d{4}-?\d{3}[\dX]\/?$/i.test(address);
}

/** Whether a link is to the page of a person by the name there: `@owl`. */
function isHandle(label: string, address: string): boolean {
  const name = /^@([\w.-]{1,40})$/.exec(label.trim())?.[1]?.toLowerCase();
  return name !== undefined && new RegExp(`^https?://[^/]+/@?${escapePattern(name)}/?$`).test(address.toLowerCase());
}

/** Whether a link opens a page. Mail and telephone links do not: their labels are people. */
function opensPage({ address }: ReportLink): boolean {
  return /^https?:/i.test(address) || !/^[a-z][a-z\d+.-]{1,20}:/i.test(address);
}

/** Generic labels, such as *paper* or *code*. */
const isGeneric = matches(`^${anyOf("citations.label")}$`);

/** Labels such as *here*. */
const isPointing = matches(`^${anyOf("citations.pointing")}$`);

function isSpecific(label: string): boolean {
  const bare = label.replace(/:[\w+-]+:/g, "").trim();
  return /\p{L}{2}/u.test(bare) && !/^https?:/i.test(label) && !isGeneric(bare) && !isLevel(bare);
}

/** Labels that at least four addresses share: they name a kind of target. */
function commonLabels(parts: readonly ReportPart[]): Set<string> {
  const links = parts.flatMap((part) => part.links);
  const addresses = Map.groupBy(links, ({ text }) => text);
  const many = [...addresses].filter(([, all]) => new Set(all.map(({ address }) => address)).size >= commonFrom);
  return new Set(many.map(([label]) => label));
}
const commonFrom = 4;

/** The link's label. If that is generic: the row and column, list item or line that contains it. */
function linkTitle(
  link: ReportLink,
  part: ReportPart,
  table: ReportTable | undefined,
  common: ReadonlySet<string>,
): string {
  const { text: label } = link;
  if (isSpecific(label) && !common.has(label)) return cutLine(label, 120);
  // A bare link beside labelled links has no title of its own there, except in a list of works.
  const isBare = label === "" || /^https?:/i.test(label);
  const isListed = part.kind !== "item" || isReferencesHeading(part.path.at(-1) ?? "");
  const isProse = part.kind === "text" || (!isListed && part.text.includes(link.address));
  if (isProse && isBare && part.links.some(({ text }) => isSpecific(text))) return "";
  const said = !isBare && !isPointing(label) && /\p{L}{2}/u.test(label) && !isLevel(label) ? label : "";
  const title = part.kind === "row" ? rowTitle(link, part, table) : lineTitle(link, part, said, common);
  const isPerson = part.links.some((one) => one.text === title && !opensPage(one));
  const beside = isPerson ? "" : title;
  return beside || (isBare || isGeneric(label) ? "" : cutLine(label, 120));
}

/** Spec: https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/, and emoji as on GitHub. */
function withoutIcons(text: string): string {
  return text.replace(/:[a-z\d][\w+-]{0,60}:(?=\W|$)/g, "").trim();
}

function withoutIconsInLabels(part: ReportPart): ReportPart {
  return { ...part, links: part.links.map((link) => ({ ...link, text: withoutIcons(link.text) })) };
}

/** `Row: Column`; in the column that names the rows, just the row's name. */
function rowTitle(link: ReportLink, { cells = [] }: ReportPart, table: ReportTable | undefined): string {
  const at = cells.findIndex(({ links }) => links.some(({ address }) => address === link.address));
  const names = cells.findIndex(({ text, head }) => !head && /\p{L}/u.test(text) && !isLevel(text));
  const row = rowName(cells[names]?.text ?? "");
  const column = at === names ? "" : shortName(table?.columns[at] ?? "");
  return cutLine([row, column].filter((one) => one !== "").join(": "), 120);
}

/**
 * The line without addresses, if it is short. Otherwise the first specific link, the start of the line or the heading,
 * each with the label after it.
 */
function lineTitle(
  { text: label, address }: ReportLink,
  part: ReportPart,
  labelText: string,
  common: ReadonlySet<string>,
): string {
  const line = part.text.split("\n").find((one) => label === "" || one.includes(label)) ?? "";
  const lineText = part.links.length <= 1 && part.text.length <= 200 ? titleIn(part.text.replace(/\n/g, " ")) : "";
  const work = label === "" ? workWith(part, address) : "";
  if (isSpecific(work)) return work;
  const styled = labelText === "" ? styledTitle(line) : undefined;
  if (styled !== undefined) return styled;
  if (isSpecific(lineText) && labelText === "") return lineText;
  const [lead = ""] = titleIn(line.slice(0, 300)).split(/(?<!\s)\s+[–—-]\s+|:\s|\.\s|\s[[(]/);
  // In a paragraph, "here" leads elsewhere than the other links.
  const other = part.kind === "text" && isPointing(label) ? undefined : firstLink(line, part);
  const beside = other ?? (lead.length <= 80 && isSpecific(lead) ? withoutLead(lead) : "");
  const above = part.path.at(-1) ?? "";
  const isOfAbove = common.has(label) && labelText !== "" && isSpecific(above) && !isReferencesHeading(above);
  const isOther = beside !== "" && beside !== labelText;
  const isBeside = isOther ? !line.startsWith(beside) : !isSpecific(lineText);
  const isBelow = isMenu(line, part) ? !isOther || common.has(beside) : isBeside && !isGeneric(label);
  const name = isOfAbove && isBelow ? above : beside;
  if (name === "" || name === labelText) return isSpecific(lineText) ? lineText : "";
  return cutLine(labelText === "" ? name : `${name}: ${labelText}`, 120);
}

function firstLink(line: string, { links }: ReportPart): string | undefined {
  return links.find((link) => opensPage(link) && isSpecific(link.text) && line.includes(link.text))?.text;
}

function isMenu(line: string, { links }: ReportPart): boolean {
  const labels = links.map(({ text }) => text).filter((text) => text !== "" && line.includes(text));
  return labels.length > 0 && !/\p{L}/u.test(labels.reduce((rest, label) => rest.replace(label, ""), line));
}

/** In a list of references with several works in one text: the one with this address. Only the first has sentences. */
function workWith({ text, path }: ReportPart, address: string): string {
  const line = text.replace(/\n/g, " ");
  const addressesOf = (one: string) => new Set([...addressesIn(one), ...identifiersIn(one)]);
  if (!isReferencesHeading(path.at(-1) ?? "") || addressesOf(line).size < 2) return "";
  const [first = "", ...others] = line.split(/;\s/);
  const works = [first, ...others.flatMap((one) => one.split(/\.\s(?=[\p{Lu}"“])/u))];
  const work = works.find((one) => addressesOf(one).has(address)) ?? "";
  return styledTitle(work) ?? titleIn(work);
}

/** Entries longer than this are called by the title of the work alone. */
const longEntry = 100;

/** `Hargrave, L., Narew, U. (1893)`, `Lawrence Hargrave et al., “` or `Hargrave L, Narew U. `: how a long entry may begin. */
const namesAtStart: readonly RegExp[] = [
  /^(?=\p{Lu})(?:\p{Lu}[\p{L}.'’-]{0,30}[,;]?\s|\p{Ll}{1,3}\.?,?\s|&\s){1,30}(?:[“«„"]|\((?:1[89]|20)\d\d)/u,
  /^(?:[\p{L}'’-]{2,30}\s\p{Lu}{1,3},\s){1,30}(?:[\p{L}'’-]{2,30}\s\p{Lu}{1,3}|et al)\.\s/u,
];

/** The title of a work in a long entry that begins with its authors. */
function styledTitle(text: string): string | undefined {
  const entry = titleIn(text.slice(0, 1_000));
  const title =
    entry.length > longEntry && namesAtStart.some((form) => form.test(entry)) ? styledParts(entry).title : undefined;
  return title === undefined ? undefined : cutLine(title, 160);
}

const available = new RegExp(`${wordsOf("citations.available")}:?\\s*$`, "iu");

/** The text of an entry without addresses and access date. */
function titleIn(text: string): string {
  const bare = withoutAccess(cutLine(withoutIcons(withoutAddressesAndIds(text)), 600));
  const trimmed = bare
    .replace(available, "")
    .replace(/\{%[^%\n]{0,200}%\}|!?\[([^\][]{0,200})\]\(\s*\)/g, "$1")
    .replace(/(?:^|\s)[(<[（]\s*[)>\]）]/g, "")
    .replace(/^[\s.,;:–—。，、；：-]+|(?<![\s.,;:–—。，、；：-])[\s.,;:–—。，、；：-]+$/g, "");
  return cutLine(withoutLead(trimmed), 160);
}

const lead = new RegExp(`(?<!\\s)(?:\\s+${anyOf("citations.lead")}){1,5}$`, "i");

/** Removes words that lead to a link: `can be found at`. */
function withoutLead(text: string): string {
  return text.replace(lead, "");
}

const access = new RegExp(`(?<![\\s,;.([])[\\s,;.([]*${wordsOf("citations.visited")}`, "iu");

function withoutAccess(text: string): string {
  const at = text.search(access);
  if (at < 0) return text;
  const date = datesIn(text.slice(at, at + 80))[0];
  return date ? `${text.slice(0, at)} ${text.slice(at + date.to).replace(/^[\s)\].,;]+/, "")}` : text;
}

/** The address as a name: `docs.example.org/install`, `bugs.example.org/show?id=7`. */
export function addressName(address: string | undefined): string {
  const url = address === undefined ? null : URL.parse(address);
  return url ? cutLine(`${url.host}${url.pathname.replace(/\/$/, "")}${url.search}`, 120) : "";
}
