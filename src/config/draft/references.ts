import type { Link, Piece, Pieces } from "./pieces.ts";
import { addressesIn, datesIn, plain, webAddress, withoutAddresses } from "./words.ts";

/** One thing that a report cites. */
export interface Reference {
  /** Its number, where the report counts its references. */
  readonly number?: number;
  readonly title: string;
  /** Where it is; none where the report does not say. */
  readonly address?: string;
  /** Pieces of the report that name it. */
  readonly where: readonly Piece[];
}

export interface References {
  readonly all: readonly Reference[];
  /** They are counted: other links of the text are no references. */
  readonly numbered: boolean;
  /** Addresses that the text links to beside its references. */
  readonly others: readonly string[];
  /** References that were left out, because there were too many. */
  readonly left: number;
}

/** More references than any report has. */
const most = 3_000;

/** A report's numbered references; where it has none, whatever it links to. */
export function referencesOf(report: Pieces, own: (address: string) => boolean): References {
  const entries = bibliographyOf(report);
  const links = linked(report.pieces).filter(({ address }) => !own(address));
  if (entries.length === 0)
    return { all: links.slice(0, most), numbered: false, others: [], left: Math.max(0, links.length - most) };
  const cited = citations(report.pieces);
  const found = entries.map((entry): Reference => ({ ...referenceOf(entry), where: cited.get(entry.number) ?? [] }));
  const known = new Set(found.map(({ address }) => address));
  const others = links.map(({ address }) => address).filter((address) => !known.has(address));
  return { all: found.slice(0, most), numbered: true, others, left: Math.max(0, found.length - most) };
}

function referenceOf({ number, text, links }: Entry): Omit<Reference, "where"> {
  const written = [...addressesIn(text), ...links.map(({ address }) => address)];
  const address = written.flatMap((one) => webAddress(one) ?? [])[0];
  const label = links.map(({ text: label }) => label).find((one) => one !== "" && !/^https?:/i.test(one));
  const title = titleIn(text) || plain(label ?? "", 160) || nameOf(address) || `Reference ${number}`;
  return { number, title, ...(address && { address }) };
}

/** By number, the pieces in which references are named. */
function citations(pieces: readonly Piece[]): Map<number, Piece[]> {
  const found = new Map<number, Piece[]>();
  for (const piece of pieces) {
    for (const number of new Set([...piece.cited, ...marksIn(piece)])) {
      const where = found.get(number) ?? [];
      if (where.length < 50) where.push(piece);
      found.set(number, where);
    }
  }
  return found;
}

/** `[3]`, `[^3]`, `[3, 4]` anywhere; bare numbers after the last sentence of a paragraph, as they are left of raised ones. */
function marksIn({ text, kind }: Piece): number[] {
  const marks = [...text.matchAll(/(?<=\S\s?)\[\^?(\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,20})\]/g)].flatMap(
    ([, inner = ""]) => inner.match(/\d+/g) ?? [],
  );
  const last =
    kind === "text" || kind === "item" ? /[.?!"”)]((?: \d{1,4}){1,40})$/.exec(text.slice(-250))?.[1] : undefined;
  return [...marks, ...(last?.trim().split(" ") ?? [])].map(Number);
}

/** One numbered entry of a list of references, as it is written. */
export interface Entry {
  readonly number: number;
  readonly text: string;
  readonly links: readonly Link[];
}

interface Candidate extends Entry {
  readonly path: readonly string[];
  /** What its number is written as: a mark of references, or merely the item of a list. */
  readonly style: "mark" | "list";
}

const headings =
  /\b(?:references?|bibliograph\w*|works cited|citations?|sources?|footnotes?|endnotes?|notes|further reading|literature|literaturverzeichnis|quellen|einzelnachweise|fußnoten|références|bibliographie|notes de bas de page|fuentes|referencias|bibliografía|riferimenti|bibliografia|referências|bronnen|参考文献|参考资料)\b|参考文献/iu;

/** Entries by number, each number once. A list is one of references when its heading, its marks or its addresses say so. */
function bibliographyOf({ pieces, defined }: Pieces): Entry[] {
  const groups = new Map<string, Candidate[]>();
  for (const one of pieces.flatMap(candidates)) {
    const key = JSON.stringify([one.path, one.style]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  const found = new Map<number, Entry>();
  for (const group of [...groups.values()].filter(isBibliography)) {
    for (const entry of group) {
      const before = found.get(entry.number);
      if (!before || (!hasAddress(before) && hasAddress(entry))) found.set(entry.number, entry);
    }
  }
  for (const [number, link] of defined) {
    if (!found.has(number)) found.set(number, { number, text: link.text, links: [{ ...link, text: "" }] });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}

function isBibliography(group: readonly Candidate[]): boolean {
  const told = group.filter(hasAddress).length;
  if (told === 0) return false;
  const [first] = group;
  const above = first?.path.at(-1) ?? "";
  if (above.length <= 60 && headings.test(above)) return true;
  if (first?.style === "mark") return group.length > 1 || told === group.length;
  const rising = group.every(({ number }, i) => i === 0 || number > (group[i - 1]?.number ?? 0));
  const ends = group.filter(({ text, links }) => /https?:\S+$/.test(text) && links.length <= 2).length;
  return group.length >= 3 && rising && ends >= 0.8 * group.length;
}

function hasAddress({ text, links }: Entry): boolean {
  return addressesIn(text).length > 0 || links.some(({ address }) => /^https?:/i.test(address));
}

const mark = /^(?:\[\^?(\d{1,4})\]|\((\d{1,4})\)|\^(\d{1,4})\b)[:.]?(?:\s|$)/;
const counted = /^(\d{1,4})[.)]\s/;
const anchor =
  /(?:^|[-_:.])(?:ref|reference|fn|footnote|endnote|note|cite|citation|cite_note|bib|source|src|en)[-_:.]?(\d{1,4})$/i;

/** The entries of one piece: a line that begins with a number begins one, and the lines below it belong to it. */
function candidates(piece: Piece): Candidate[] {
  if (piece.kind === "heading") return [];
  if (piece.kind === "row") return rowCandidate(piece);
  const anchored = piece.ids.map((id) => anchor.exec(id)?.[1]).find((one) => one !== undefined);
  const own = anchored
    ? { number: Number(anchored), style: "mark" as const }
    : piece.number !== undefined
      ? { number: piece.number, style: "list" as const }
      : undefined;
  const found: Candidate[] = [];
  for (const [i, line] of piece.text.split("\n").slice(0, 2_000).entries()) {
    const begins = beginning(line);
    const last = found.at(-1);
    if (begins) found.push({ ...begins, path: piece.path, links: [] });
    else if (i === 0 && own) found.push({ ...own, text: line, path: piece.path, links: [] });
    else if (last) found[found.length - 1] = { ...last, text: `${last.text} ${line}` };
  }
  return withLinks(
    found.filter(({ number }) => number > 0),
    piece.links,
  );
}

function beginning(line: string): Pick<Candidate, "number" | "text" | "style"> | undefined {
  const marked = mark.exec(line);
  const match = marked ?? counted.exec(line);
  const number = Number(match?.slice(1).find((one) => one !== undefined));
  return match ? { number, text: line.slice(match[0].length).trim(), style: marked ? "mark" : "list" } : undefined;
}

/** A row of which the first cell is a number. */
function rowCandidate({ cells = [], links, path }: Piece): Candidate[] {
  const number = /^\[?\^?(\d{1,4})\]?\.?$/.exec(cells[0] ?? "")?.[1];
  if (!number || Number(number) === 0) return [];
  return [{ number: Number(number), text: cells.slice(1).join(". ").replace(/\n/g, " "), links, path, style: "list" }];
}

/** Links of a piece, each to the entry in whose text it stands; all of them where there is only one entry. */
function withLinks(entries: readonly Candidate[], links: readonly Link[]): Candidate[] {
  if (entries.length <= 1) return entries.map((entry) => ({ ...entry, links }));
  let at = 0;
  const own = entries.map((): Link[] => []);
  for (const link of links) {
    while (at < entries.length - 1 && link.text !== "" && !(entries[at]?.text ?? "").includes(link.text)) at++;
    own[at]?.push(link);
  }
  return entries.map((entry, i) => ({ ...entry, links: own[i] ?? [] }));
}

/** Sections that are of the document itself, not of what it tells. */
const aside =
  /^(?:licen[cs]es?|contribut\w*|how to contribute|code of conduct|acknowledge?ments?|credits|sponsors?|backers|support(?: us)?|community|contact|authors?|maintainers?|star history|changelog|table of contents|contents|how to cite|citation|cite)$/i;

/** Everything that a text links to, each address once; pictures alone, such as badges, are no links of the text. */
function linked(pieces: readonly Piece[]): (Reference & { address: string })[] {
  const found = new Map<string, { title: string; where: Piece[] }>();
  for (const piece of pieces) {
    if (piece.path.some((heading) => aside.test(heading))) continue;
    for (const { text, address: written } of linksOf(piece)) {
      const address = webAddress(written);
      if (address === undefined) continue;
      const before = found.get(address);
      if (before) before.where.push(...(before.where.length < 50 && !before.where.includes(piece) ? [piece] : []));
      else found.set(address, { title: titleOf(text, piece) || nameOf(address), where: [piece] });
    }
  }
  return [...found].map(([address, { title, where }]) => ({ address, title, where }));
}

function linksOf({ links, text }: Piece): { text: string; address: string }[] {
  const told = links.filter((link) => link.text !== "");
  const known = new Set(links.flatMap(({ address, text: label }) => [address, label]));
  const bare = addressesIn(text).filter((address) => !known.has(address));
  return [...told, ...bare.map((address) => ({ text: "", address }))];
}

/** What the link is called; of a bare address, what stands around it, where that is short. */
function titleOf(label: string, piece: Piece): string {
  if (
    label !== "" &&
    !/^https?:/i.test(label) &&
    !/^(?:here|link|this|source|docs?|website|repo|github|demo|code|paper)$/i.test(label)
  )
    return plain(label, 120);
  const around = piece.links.length <= 1 && piece.text.length <= 200 ? titleIn(piece.text.replace(/\n/g, " ")) : "";
  return around || (label !== "" && !/^https?:/i.test(label) ? plain(label, 120) : "");
}

/** What is left of an entry without its addresses, and without when it was read. */
function titleIn(text: string): string {
  const bare = withoutAccess(plain(withoutAddresses(text), 600));
  const trimmed = bare
    .replace(/\b(?:available|online|retrieved|url|link|source)(?: at| from)?:?\s*$/i, "")
    .replace(/(?:^|\s)[(<[]\s*[)>\]]/g, "")
    .replace(/^[\s.,;:–—-]+|[\s.,;:–—-]+$/g, "");
  return plain(trimmed, 160);
}

function withoutAccess(text: string): string {
  const at = text.search(/[\s,;.([]*\b(?:accessed|retrieved|last (?:accessed|visited|checked))\b/i);
  if (at < 0) return text;
  const date = datesIn(text.slice(at, at + 80))[0];
  return date ? `${text.slice(0, at)} ${text.slice(at + date.to).replace(/^[\s)\].,;]+/, "")}` : text;
}

/** `docs.example.org/install`. */
export function nameOf(address: string | undefined): string {
  const url = address === undefined ? null : URL.parse(address);
  return url ? plain(`${url.host}${url.pathname.replace(/\/$/, "")}`, 120) : "";
}

/** The lines of a text by their first word. */
export type LineStarts = ReadonlyMap<string, readonly string[]>;

interface Cuts {
  readonly score: number;
  /** Where each group ends. */
  readonly cuts: readonly number[];
}

/**
 * Parts the words of a heading line into so many names of columns. Which words belong together is told by the other
 * lines of the text that begin with them (a table of what the names mean has one on each line).
 */
export function segment(line: string, count: number, lines: LineStarts): string[] | undefined {
  const words = line.split(" ");
  if (words.length < count || words.length > 40) return undefined;
  if (words.length === count) return words;
  const known = knownGroups(words, line, lines);
  const best = new Map<string, Cuts | undefined>();
  const solve = (from: number, left: number): Cuts | undefined => {
    if (left === 0) return from === words.length ? { score: 0, cuts: [] } : undefined;
    if (words.length - from < left) return undefined;
    const key = `${from} ${left}`;
    if (best.has(key)) return best.get(key);
    let found: Cuts | undefined;
    for (let to = from + 1; to <= Math.min(words.length, from + 6); to++) {
      const rest = solve(to, left - 1);
      const score = (rest?.score ?? 0) + (known.has(`${from} ${to}`) ? 1 : 0);
      if (rest && (!found || score > found.score)) found = { score, cuts: [to, ...rest.cuts] };
    }
    best.set(key, found);
    return found;
  };
  const found = solve(0, count);
  if (!found || found.score < (count - 1) * 0.6) return undefined;
  return found.cuts.map((to, i) => words.slice(i === 0 ? 0 : found.cuts[i - 1], to).join(" "));
}

/** Which groups of neighbouring words another line begins with. */
function knownGroups(words: readonly string[], line: string, lines: LineStarts): Set<string> {
  const known = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    const candidates = (lines.get(words[from] ?? "") ?? []).filter((one) => one !== line);
    for (let to = from + 1; to <= Math.min(words.length, from + 6); to++) {
      const phrase = words.slice(from, to).join(" ");
      if (candidates.some((one) => one.startsWith(`${phrase} `) || one === phrase)) known.add(`${from} ${to}`);
    }
  }
  return known;
}
