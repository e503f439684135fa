import { andOthers, isWhole, wikiNames } from "../language/lexicon.ts";
import { lengthOfNames, namesIn, type Parts } from "../report/cite/styles.ts";

/** A list entry with a marked title, and two lines or more below it that say what they hold. */
const labelled =
  /^(?:[ \t]{0,9}(?:[-*+]|\d{1,4}[.)])[ \t]{1,4}|#{2,5}[ \t]{1,4})(?:\d{1,4}\. )?(?:\*\*|[“"])?(\p{L}[^\n]{5,300}?)[.”"*]{0,4}[ \t]{0,4}\n((?:[ \t]{0,9}(?:[-*+][ \t]{1,4})?[*_]{0,2}\p{Lu}[\p{L} ]{2,24}:[*_]{0,2}[ \t]{1,4}\S[^\n]{0,2000}(?:\n|$)){2,9})/gmu;
const isOfAuthors = new RegExp(`^[\\s*_+-]{0,12}(?:${wikiNames("author").join("|")})`, "iu");
const label = /^[^:]{1,40}:[*_]{0,2}\s{1,4}/;

/** `1. **Title**`, `- Authors: …`, `- Year: …` as one row of a table, with as many lines as before. */
export function withRows(text: string): string {
  return text.replaceAll(labelled, (whole, title: string, lines: string) => {
    const values = lines.split("\n").map((line) => {
      const value = line.replace(label, "").trim();
      return isOfAuthors.test(line) ? `${namesIn(value).join("; ")};` : value;
    });
    const row = [title, ...values.filter((value) => value !== "")].map((cell) => cell.replaceAll("|", " "));
    const cells = cellsOf(row.join("|"));
    const isEntry =
      partsOfRow(cells, { ...columnsUnder([]), lengths: [Number.POSITIVE_INFINITY] }, whole.includes("://")) !==
      undefined;
    return isEntry ? `| ${row.join(" | ")} |${"\n".repeat(whole.split("\n").length - 1)}` : whole;
  });
}

/** The cells of a row without markup. Only long labels of links are words of a title. */
export function cellsOf(row: string): string[] {
  return row
    .replace(/<\/?t[dhr]\b[^<>]{0,300}>/gi, "|")
    .split("|")
    .map((cell) =>
      cell
        .replace(/\[([^[\]]{0,300})\]\([^\s]{0,2000}\)/g, (_, words: string) =>
          words.split(" ").length > 3 ? words : "",
        )
        .replace(/<[^<>]{0,500}>|https?:\S{1,2000}|(?:\bdoi:\s?)?10\.\d{4,9}\/\S{1,500}|[*_⟦⟧⟪⟫“”]/g, "")
        .trim(),
    );
}

/** A year of four digits, and no part of a longer number. */
export const fourDigitYear = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/;
const yearBehind = /[\s,(]{0,3}(?:1[5-9]|20)\d\d\)?$/;

export interface Columns {
  /** How long the cells of each column are in all rows: titles are longer than names of journals. */
  readonly lengths: number[];
  /** The columns that their heads say to have the authors, and the journal or conference; or -1. */
  readonly authors: number;
  readonly venue: number;
}

const isOfVenue = isWhole("tables.venue");

/** The columns of a table, by the cells of its first row. */
export function columnsUnder(heads: readonly string[]): Columns {
  const columnOf = (isHead: (head: string) => boolean) => heads.findIndex((head) => head.length < 30 && isHead(head));
  return { lengths: [], authors: columnOf((head) => isOfAuthors.test(head)), venue: columnOf(isOfVenue) };
}

/**
 * `2017 | Title of some words | Hargrave et al. | Lift` as the parts of a citation; undefined without one of these cells.
 * A row with an address may have something else in place of the journal.
 */
export function partsOfRow(
  cells: readonly string[],
  { lengths, authors: column, venue: columnOfVenue }: Columns,
  isLinked: boolean,
): Parts | undefined {
  const written = cells.map((cell) => cell.replace(yearBehind, ""));
  const certain = written.map((cell, i) => (column < 0 ? isListOfNames(cell) : i === column && cell !== ""));
  const isNames = certain.includes(true) || !isLinked ? certain : written.map(isFullNames);
  const at = isNames.indexOf(true);
  const names = at === isNames.lastIndexOf(true) ? written[at] : undefined;
  const own = cells
    .map((cell, i) => ({ cell, length: lengths[i] ?? 0 }))
    .filter(({ cell }, i) => !isNames[i] && i !== columnOfVenue && /\p{L}{2}/u.test(cell))
    .toSorted((a, b) => b.length - a.length);
  const [title = "", ...others] = own.map(({ cell }) => cell);
  const [place = "", ...more] = columnOfVenue < 0 ? others : [cells[columnOfVenue], ...others];
  const isDated = cells.some((cell) => cell !== title && fourDigitYear.test(cell));
  if (names === undefined || !isDated || more.length > 0 || title.split(/\s+/).length < (isLinked ? 2 : 4))
    return undefined;
  const authors = namesIn(names.replace(andOthers, "").replace(/[\s.,]{1,4}$/, ""));
  // In a table with links, a company may be in place of a single name without initials.
  const isOpen = authors.length < 2 && !/;$|(?<!\p{L})\p{Lu}\.\s/u.test(names) && names === cells[at];
  if (isLinked && isOpen) return undefined;
  const venue = place.replace(/,\s(?:\p{L}{1,12}\.?\s)?\(?\d.*$|\s[\d():–-]{1,20}$/u, "").replace(yearBehind, "");
  if (isLinked && (columnOfVenue < 0 || venue === "")) return { title, authors };
  return venue === "" ? undefined : { title, authors, venue };
}

/** Whether a cell has names with initials, or *et al.*; an acronym such as OpenAI is none. */
function isListOfNames(cell: string): boolean {
  const isList = andOthers.test(cell) || /;$/.test(cell) || (cell !== "" && lengthOfNames(cell) === cell.length);
  return isList && /\p{Lu}\p{Ll}/u.test(cell) && !/\p{Ll}\p{Lu}{2}/u.test(cell);
}

function isFullNames(cell: string): boolean {
  return /[,&]/.test(cell) && namesIn(cell).every((name) => /^(?:\p{Lu}\p{Ll}[\p{L}'’-]{0,30} ?){2,4}$/u.test(name));
}
