import type { Stretch } from "../../language/fold.ts";
import { anyOf, matches } from "../../language/lexicon.ts";
import { shortScales } from "../../language/numbers.ts";
import { quantities } from "../../language/quantity.ts";
import { isReferencesHeading } from "../../report/cite/bibliography.ts";
import { marksIn } from "../../report/cite/references.ts";
import type { ReportMark, ReportPart, ReportText } from "../../report/parse/report-text.ts";

/** A citation. `host` or `name`: it gives no more than that, as in `(docs.example.org)` and `the Alpha docs say`. */
export interface CitationMark extends ReportMark {
  /** Its key in a list of references in another file: `doe99` of `[@doe99, p. 3]`. */
  readonly key?: string;
  readonly host?: string;
  readonly name?: string;
}

export interface CitedSentence {
  readonly text: string;
  /** By their place in the text. If a paragraph has citations only at its end, they count for each of its sentences. */
  readonly marks: readonly CitationMark[];
  /** Its citations are after another sentence, at the end of the paragraph. */
  readonly shared?: true;
  /** Headings above it. */
  readonly path: readonly string[];
  /** For a cell: the names of its row and its column. */
  readonly row?: string;
  readonly column?: string;
}

export interface CitedSentences {
  readonly sentences: readonly CitedSentence[];
  /** How many were left out, because there were too many. */
  readonly left: number;
}

/** More than any report for people has. */
const maxSentences = 5_000;

/** Every sentence and cell to which a citation belongs. Linear in the report. */
export function citedSentences({ parts, tables }: Pick<ReportText, "parts" | "tables">): CitedSentences {
  const columns = new Map(tables.map((table) => [table.id, table.columns]));
  const all = parts.flatMap((part) => {
    if (part.kind === "heading" || part.path.some(isReferencesHeading)) return [];
    return part.kind === "row" ? inRow(part, columns.get(part.table ?? -1) ?? []) : inProse(part);
  });
  return { sentences: all.slice(0, maxSentences), left: Math.max(0, all.length - maxSentences) };
}

/** The citations that follow this place of a sentence; all of them, if they are at one place. */
export function citationsAfter<Mark extends { readonly at: number }>(
  marks: readonly Mark[],
  to: number,
): readonly Mark[] {
  const next = Math.min(...marks.filter(({ at }) => at >= to).map(({ at }) => at));
  return marks.every(({ at }) => at === marks[0]?.at) ? marks : marks.filter(({ at }) => at === next);
}

/** Each cell with its own citations, or else with those of a column that has only citations. */
function inRow({ cells = [], path }: ReportPart, columns: readonly string[]): CitedSentence[] {
  const citedCells = cells.map((cell, i) => {
    const numbers = (cell.cited ?? []).map((number): ReportMark => ({ at: cell.text.length, number }));
    const links = cell.links.map(({ address }): ReportMark => ({ at: cell.text.length, address }));
    const written = numbersAlone(cell.text, columns[i] ?? "").map((number): ReportMark => ({ at: 0, number }));
    const all = [...numbers, ...links, ...written];
    const bare = withoutMarks({
      kind: "row",
      text: written.length > 0 ? "" : cell.text.replace(/\n/g, "; "),
      marks: all,
    });
    const isReference = bare.marks.length > 0 && isLabels(bare.text, cell.links);
    return { ...bare, head: cell.head, isReference };
  });
  const shared = citedCells.filter(({ isReference }) => isReference).flatMap(({ marks }) => marks);
  const row = citedCells[0]?.text ?? "";
  return citedCells.flatMap(({ text: words, marks, head, isReference }, i): CitedSentence[] => {
    const cites = marks.length > 0 ? marks : shared.map((mark) => ({ ...mark, at: words.length }));
    if (i === 0 || head || isReference || cites.length === 0 || words === "") return [];
    return [
      {
        text: words,
        marks: cites,
        path,
        row,
        column: isGeneric(columns[i] ?? "") ? "" : (columns[i] ?? ""),
      },
    ];
  });
}

const isOfReferences = matches(`^${anyOf("tables.references")}$`);

/** The numbers of a cell that holds only references: `[1]`, `[2, 3]`, or bare numbers below a heading that says so. */
function numbersAlone(cell: string, column: string): number[] {
  const isAlone = /^(?:\[\^?\d{1,4}(?:\s?[,;]\s?\d{1,4}){0,20}\][\s,]*){1,20}$/.test(cell);
  const isColumn = isOfReferences(column) && /^\d{1,4}(?:\s?[,;\s]\s?\d{1,4}){0,20}$/.test(cell);
  return isAlone || isColumn ? (cell.match(/\d+/g) ?? []).map(Number) : [];
}

/** Column heads that do not describe the cells. */
const isGeneric = matches(`^${anyOf("statements.column")}$`);

/** Whether a text consists of the labels of its links. `512 GB` has content, however few letters it has. */
function isLabels(text: string, links: readonly { readonly text: string }[]): boolean {
  const rest = links.reduce((left, { text: label }) => (label === "" ? left : left.replace(label, "")), text);
  return !/\p{L}{3}/u.test(rest) && quantities(text).length === 0;
}

function inProse(part: ReportPart): CitedSentence[] {
  const { text, marks: written } = withoutMarks(part);
  const marks = written.length > 0 ? written : attributionsIn(text);
  if (marks.length === 0) return [];
  const spans = sentencesIn(text);
  const last = spans.at(-1);
  if (!last) return [];
  const isAtEnd = marks.every(({ at }) => at >= last.to) || (spans.length > 1 && isSourceLine(last, marks));
  return spans.flatMap(({ from, to }, i): CitedSentence[] => {
    const next = spans[i + 1]?.from ?? text.length + 1;
    const ownMarks = isAtEnd
      ? marks.map((mark) => ({ ...mark, at: to - from }))
      : marks.filter(({ at }) => at > from && at < next).map((mark) => ({ ...mark, at: Math.min(mark.at, to) - from }));
    const sentence = text.slice(from, to);
    const linked = part.links.filter(({ text: label }) => sentence.includes(label));
    const isAddress = /^\W*https?:\/\/\S+$/i.test(sentence);
    if (ownMarks.length === 0 || isAddress || (linked.length > 0 && isLabels(sentence, linked))) return [];
    const shared = isAtEnd && i < spans.length - 1;
    return [{ text: sentence, marks: ownMarks, path: part.path, ...(shared && { shared }) }];
  });
}

/** The longest last sentence that only names the source of all before it: `Source: the maker's road map.` */
const maxSourceLineCharacters = 60;

function isSourceLine({ from, to }: Stretch, marks: readonly ReportMark[]): boolean {
  return to - from <= maxSourceLineCharacters && marks.every(({ at }) => at > from && at === marks[0]?.at);
}

function withoutMarks(part: Pick<ReportPart, "text" | "kind" | "marks">): Pick<CitedSentence, "text" | "marks"> {
  const numbered = marksIn(part).map(({ from, to, numbers }) => ({
    from,
    to,
    meant: numbers.map((number) => ({ number })),
  }));
  const written = [...numbered, ...keysIn(part.text), ...hostsIn(part.text)].sort((a, b) => a.from - b.from);
  if (written.length === 0) return { text: part.text, marks: part.marks };
  let text = "";
  let position = 0;
  const marks: CitationMark[] = [];
  const others = [...part.marks];
  const take = (to: number) => {
    while (others[0] && others[0].at <= to) {
      const { at, ...mark } = others.shift() as ReportMark;
      marks.push({ ...mark, at: text.length + Math.max(0, at - position) });
    }
  };
  for (const { from, to, meant } of written) {
    take(from);
    text += part.text.slice(position, from).replace(/\s$/, "");
    position = to;
    marks.push(...meant.map((one) => ({ at: text.length, ...one })));
  }
  take(part.text.length);
  return { text: text + part.text.slice(position), marks };
}

/** `(docs.example.org)`; also `(docs.example.org(docs.example.org))`, the rest of a link without its address. */
const bareHost = /(?<=\S\s?)\(((?:[a-z\d][a-z\d-]{0,62}\.){1,5}[a-z]{2,18})(?:\s?\(\1\)\s?)?\)/g;

/** `according to docs.example.org`, `the Alpha docs say`: names of sources in a text without other citations. */
const publication = `((?:[\\p{L}\\p{N}][\\p{L}\\p{N}.+/-]{0,40}['’]?s? ){1,6}${anyOf("statements.publication")})`;
const attributions: readonly (readonly ["host" | "name", RegExp])[] = [
  [
    "host",
    new RegExp(
      `${anyOf("statements.according-on")} ((?:[a-z\\d][a-z\\d-]{0,62}\\.){1,5}[a-z]{2,18})(?![\\p{L}\\p{N}/-])`,
      "giu",
    ),
  ],
  ["name", new RegExp(`${anyOf("statements.according-in")} (?:the |its |their )?${publication}\\b`, "giu")],
  ["name", new RegExp(`\\bthe ${publication} ${anyOf("statements.states")}\\b`, "giu")],
];

function attributionsIn(text: string): CitationMark[] {
  return attributions
    .flatMap(([kind, pattern]) =>
      [...text.matchAll(pattern)].map((match) => ({ at: match.index + match[0].length, [kind]: match[1] ?? "" })),
    )
    .sort((a, b) => a.at - b.at);
}

const bracketed = /\[([^[\]]{0,80}@[^[\]]{1,400})\]/g;
const citedKey = /(?<![\p{L}\p{N}_.@])@([\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&+?<>~/-](?=[\p{L}\p{N}_])){0,100})/gu;

/** `[@doe99; see @roe, p. 3]`: keys of references. Spec: https://pandoc.org/MANUAL.html#citation-syntax */
function keysIn(text: string) {
  return [...text.matchAll(bracketed)].flatMap((match) => {
    const [whole, inner = ""] = match;
    const keys = inner.split(";").map((one) => [...one.matchAll(citedKey)].map(([, key = ""]) => key));
    if (keys.some((own) => own.length !== 1)) return [];
    return [{ from: match.index, to: match.index + whole.length, meant: keys.flat().map((key) => ({ key })) }];
  });
}

function hostsIn(text: string) {
  return [...text.matchAll(bareHost)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    meant: [{ host: match[1] ?? "" }],
  }));
}

const end = /[.!?]["”’)\]]*\s+(?=["“‘([]?[\p{Lu}\p{Nd}])|[。！？]/gu;
const abbreviation = new RegExp(
  `(?:^|[\\s(])(?:${anyOf("statements.abbreviation")}|(?<!\\p{Nd}\\s)\\p{Lu}|${shortScales})\\.$`,
  "u",
);

export function sentencesIn(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of text.matchAll(end)) {
    const stop = match.index + 1;
    if (abbreviation.test(text.slice(Math.max(0, stop - 12), stop))) continue;
    const to = match.index + match[0].trimEnd().length;
    stretches.push({ from, to });
    from = match.index + match[0].length;
  }
  if (from < text.length) stretches.push({ from, to: text.length });
  return stretches;
}
