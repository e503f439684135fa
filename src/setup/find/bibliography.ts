import type { Link, Piece, Pieces } from "../report/piece.ts";
import { addressesIn } from "./addresses.ts";

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
export function bibliographyOf({ pieces, defined }: Pieces): Entry[] {
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
