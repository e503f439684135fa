import type { Piece, Pieces } from "../report/piece.ts";
import { addressesIn, webAddress } from "./addresses.ts";
import { bibliographyOf, type Entry } from "./bibliography.ts";
import { linked } from "./linked.ts";
import { nameOf, titleIn } from "./titles.ts";
import { plain } from "./words.ts";

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
