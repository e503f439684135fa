import { decodeHTMLStrict } from "entities/decode";
import { isMap, isSeq, LineCounter, parseDocument, parse as parseYaml } from "yaml";
import { anyOf, says, wikiNames } from "../language/lexicon.ts";
import { arxivNumber, doiIn, written as writtenDoi } from "../read/shared/doi.ts";
import { jsonIn } from "../read/shared/json-path.ts";
import { addressesIn, bareAddress, trimAddress } from "../read/text/bare-addresses.ts";
import { isReferencesHeading } from "../report/cite/bibliography.ts";
import { beginsWithNamesAndYear, lengthOfNames, styledParts } from "../report/cite/styles.ts";
import { blankOut } from "../report/edit/splice.ts";
import { bibtexRecords, yearOf } from "../report/import/bibtex.ts";
import { cslRecords, isCsl } from "../report/import/csl.ts";
import { latexAddress, latexText } from "../report/import/latex.ts";
import type { BibliographicRecord } from "../report/import/records.ts";
import { endnoteRecords, risRecords } from "../report/import/ris.ts";
import { templateFields } from "../report/parse/mediawiki.ts";
import { fileText } from "../report/rate/words.ts";
import type { CitedWork } from "./cited-work.ts";
import { type Columns, cellsOf, columnsUnder, fourDigitYear, partsOfRow, withRows } from "./rows.ts";

/** Limits of one document. */
const maxCharacters = 10_000_000;
const maxWorks = 10_000;
const maxEntryCharacters = 8_000;

/**
 * The works that a document cites: entries of a reference manager's file, or the entries of its lists, footnotes and tables
 * that look like citations. Never throws.
 */
export function citedWorksOf(path: string, text: string): CitedWork[] {
  const whole = fileText(text, maxCharacters);
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const split = splitters[extension];
  return (split ? split(whole) : proseOf(whole, path)).slice(0, maxWorks);
}

const splitters: Readonly<Record<string, (text: string) => CitedWork[]>> = {
  bib: (text) => bibtexRecords(text).records.map(ofRecord),
  bibtex: (text) => bibtexRecords(text).records.map(ofRecord),
  ris: (text) => risRecords(text).records.map(ofRecord),
  enw: (text) => endnoteRecords(text).records.map(ofRecord),
  json: (text) => (isCsl(text) ? cslRecords(text).records.map(ofRecord) : []),
  yaml: cslYaml,
  yml: cslYaml,
  tex: bibitems,
  wiki: wikiWorks,
  mediawiki: wikiWorks,
  ipynb: (text) => proseOf(notebookProse(text), ""),
  adoc: asciidocWorks,
  asciidoc: asciidocWorks,
};

function ofRecord(record: BibliographicRecord): CitedWork {
  const { key, line, title, authors = [], year, venue = "", type = "", doi = "", arxiv = "", links, texts } = record;
  const all = [
    doi.startsWith("10.") || /doi/i.test(doi) ? `https://doi.org/${doi.replace(/^.*?(?=10\.)/, "")}` : doi,
    arxiv && `arXiv:${arxiv}`,
    ...links,
    ...texts,
    venue,
  ].join(" \n ");
  return {
    line,
    end: record.end ?? line,
    ...(key !== "" && { key }),
    text: [authors.join("; "), title, venue, record.number ?? "", year ?? ""].join(". ").slice(0, maxEntryCharacters),
    title,
    authors,
    year,
    ...(venue !== "" && { venue }),
    ...(type !== "" && { type }),
    isStructured: true,
    ...identifiersOf(all),
    ...fieldDoi(doi),
  };
}

/** The DOI in a DOI field. It may have characters that would end an address. */
function fieldDoi(field: string): Pick<CitedWork, "doi"> {
  const doi = /^(?:doi:\s?)?(10\.\d{4,9}\/\S{1,300})$/i.exec(field.trim())?.[1]?.toLowerCase();
  return doi === undefined || doi.startsWith("10.48550/arxiv.") ? {} : { doi };
}

/** `references:` in the YAML head of a Pandoc document. Spec: https://pandoc.org/MANUAL.html#citations-in-markdown */
function cslYaml(text: string): CitedWork[] {
  const counter = new LineCounter();
  const body = text.replace(/^---\n/, "\n").replace(/\n(?:---|\.\.\.)[ \t]{0,20}\n[\s\S]*$/, "\n");
  const document = parseDocument(body, { lineCounter: counter });
  const references = document.get("references");
  if (!isSeq(references)) return [];
  return references.items.flatMap((item) => {
    if (!isMap(item) || !item.range) return [];
    const entry = parseYaml(String(item)) as Record<string, unknown>;
    const [record] = cslRecords(JSON.stringify([{ type: "document", ...entry }])).records;
    const line = counter.linePos(item.range[0]).line;
    return record ? [ofRecord({ ...record, line, end: counter.linePos(item.range[1]).line })] : [];
  });
}

/** `\bibitem{key} Authors. \newblock Title. \newblock {\em Venue}, 2020.` */
function bibitems(text: string): CitedWork[] {
  const works: CitedWork[] = [];
  const pieces = text.split(/\\bibitem(?=[[{\s])/);
  let line = (pieces[0] ?? "").split("\n").length;
  for (const piece of pieces.slice(1)) {
    const body = piece.split("\\end{thebibliography}")[0] ?? "";
    const [head = "", key = ""] = /^\s{0,20}(?:\[[^\]]{0,200}\])?\s{0,20}\{([^{}]{0,200})\}/.exec(body) ?? [];
    const entryText = body.slice(head.length, maxEntryCharacters);
    const blocks = entryText
      .split("\\newblock")
      .map((block) =>
        latexText(
          block
            .replace(/\{\\(?:em|it|sl)\s+([^{}]{0,500})\}/g, "⟦$1⟧")
            .replace(/\\(?:emph|textit)\{([^{}]{0,500})\}/g, "⟦$1⟧"),
        ),
      );
    const written = blocks.join(" ");
    const [authors = "", title, ...rest] = blocks;
    const end = line + entryText.trimEnd().split("\n").length - 1;
    const split = styledParts(title === undefined ? written : `${authors} “${title}” ${rest.join(" ")}`);
    works.push({
      line,
      end,
      key,
      text: plainText(written),
      ...split,
      isStructured: false,
      ...identifiersOf(latexAddress(entryText)),
    });
    line += piece.split("\n").length - 1;
  }
  return works;
}

const listsAuthors = new Set(wikiNames("template-of-authors"));
const holdsAuthors = new Set(wikiNames("authors"));

/** `{{cite journal |title=… |journal=…}}` and the equivalents in German, French and Spanish. */
function wikiTemplates(text: string): CitedWork[] {
  const works: CitedWork[] = [];
  const template = new RegExp(`\\{\\{\\s*(${wikiNames("template").join("|")})\\s*\\|([^{}]{1,6000})\\}\\}`, "gi");
  const isAuthor = new RegExp(`^(?:${wikiNames("author", "authors").join("|")})\\d*$`);
  for (const match of text.matchAll(template)) {
    const [whole, name = "", inner = ""] = match;
    const fields = templateFields(inner.split("|"));
    const fieldOf = (...names: string[]) =>
      names.map((key) => fields.get(key)).find((value) => value !== undefined && value !== "");
    const authors = [...fields]
      .filter(([key]) => isAuthor.test(key))
      .flatMap(([key, value]) => {
        if (holdsAuthors.has(key) || listsAuthors.has(name.toLowerCase())) return value.split(/,\s|;\s/);
        const number = /\d{0,3}$/.exec(key)?.[0] ?? "";
        const given = fieldOf(...wikiNames("given").map((field) => field + number));
        return given === undefined ? value : `${value}, ${given}`;
      });
    const line = text.slice(0, match.index).split("\n").length;
    works.push(
      ofRecord({
        key: "",
        line,
        end: line + whole.split("\n").length - 1,
        title: fieldOf(...wikiNames("title")) ?? "",
        authors,
        year: yearOf(fieldOf(...wikiNames("year")) ?? ""),
        venue: fieldOf(...wikiNames("venue")) ?? "",
        type: name.toLowerCase().replace(/^cite /, ""),
        number: ["volume", "issue", "pages"]
          .map((kind) => fieldOf(...wikiNames(kind)))
          .filter(Boolean)
          .join(" "),
        doi: fieldOf("doi"),
        arxiv: fieldOf("arxiv", "eprint"),
        links: [fieldOf("url") ?? "", fieldOf("pmid") ? `https://pubmed.ncbi.nlm.nih.gov/${fieldOf("pmid")}` : ""],
        texts: [fieldOf("journal", "work") ?? ""],
      }),
    );
  }
  return works;
}

/** Works in templates, in notes without one, and in lists. */
function wikiWorks(text: string): CitedWork[] {
  const works = wikiTemplates(text);
  let line = 1;
  let from = 0;
  for (const { index, 0: whole, 1: note = "" } of text.matchAll(/<ref\b[^<>/]{0,200}>([^<{}]{12,2000})<\/ref>/gi)) {
    line += linesBefore(text.slice(from, index));
    from = index;
    const [work] = proseOf(`- ${wikiMarkdown(note).replace(/\n/g, " ")}`, "");
    if (work) works.push({ ...work, line, end: line + linesBefore(whole) });
  }
  return [...works, ...proseOf(wikiMarkdown(text), "")];
}

function linesBefore(text: string): number {
  return text.split("\n").length - 1;
}

/** The text of a wiki outside its templates and notes as Markdown, on the same lines. */
function wikiMarkdown(text: string): string {
  return text
    .replace(/<!--[\s\S]*?(?:-->|$)|<ref\b[^<>/]{0,200}>[\s\S]*?(?:<\/ref>|$)|\{\{[^{}]{0,6000}\}\}/gi, blankOut)
    .replace(/^[#*:;]{1,6}(?=[^#*:;])/gm, "- ")
    .replace(/'{2,5}/g, (quotes) => (quotes.length === 3 ? "**" : "*"))
    .replace(/\[(https?:[^\s|[\]]{1,1000})(?:[|\s]([^[\]]{0,500}))?\]/gi, "[$2]($1)")
    .replace(/\[\[(?:[^[\]|]{0,300}\|)?([^[\]|]{1,300})\]\]/g, "$1");
}

/** The links of AsciiDoc are made Markdown's: `https://doi.org/10.1000/182[Title]`. */
function asciidocWorks(text: string): CitedWork[] {
  const link = /(?:link:)?(https?:\/\/[^\s[\]]{1,1000})\[([^[\],^\n]{0,300})[^[\]\n]{0,200}\]/g;
  return proseOf(
    text.replace(link, (_, address: string, label: string) => (label ? `[${label}](${address})` : address)),
    "",
  );
}

/** The Markdown of a notebook, each line of it where the file has it. Spec: https://nbformat.readthedocs.io/ */
function notebookProse(text: string): string {
  let isMarkdown = false;
  const lines = text.split("\n").map((line) => {
    const cell = /^\s{0,20}"cell_type":\s*"(\w{1,20})"/.exec(line)?.[1];
    isMarkdown = cell === undefined ? isMarkdown : cell === "markdown";
    const string = /^\s{2,20}("(?:[^"\\]|\\.){0,8000}"),?\s{0,9}$/.exec(line)?.[1];
    const written = isMarkdown && string !== undefined ? jsonIn(string) : "";
    return typeof written === "string" ? written.trimEnd() : "";
  });
  return lines.join("\n");
}

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
function proseOf(text: string, path: string): CitedWork[] {
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
function plainText(text: string): string {
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

export type Identifiers = Pick<CitedWork, "doi" | "arxiv" | "pmid">;

export function hasIdentifier({ doi, arxiv, pmid }: Identifiers): boolean {
  return doi !== undefined || arxiv !== undefined || pmid !== undefined;
}

export function identifiersOf(text: string): Identifiers & Pick<CitedWork, "links"> {
  const doi = doisIn(text).find((one) => !one.startsWith("10.48550/arxiv."));
  const arxiv = arxivIn(text);
  const pmid = /(?:\bPMID:?\s{0,3}|pubmed\.ncbi\.nlm\.nih\.gov\/|ncbi\.nlm\.nih\.gov\/pubmed\/)(\d{5,9})\b/i.exec(
    text,
  )?.[1];
  return { doi, arxiv, pmid, links: addressesIn(text).slice(0, 20) };
}

const place = new RegExp(`${bareAddress.source}|(?<![\\w.])${writtenDoi}`, "gi");

/** The DOIs of a text: bare, in addresses of the resolver, or in those of publishers. In lower case. */
export function doisIn(text: string): string[] {
  return [...text.matchAll(place)].flatMap(
    // Some styles put a remark in brackets without a space before it.
    ([written]) => doiIn(trimAddress(written.replace(/\([^()]*$/, "")))?.toLowerCase() ?? [],
  );
}

const beforeNumber = /arxiv(?:\.org\/(?:abs|pdf|html)\/|[:.\s]{1,3}(?:preprint\s)?(?:arxiv:\s?)?)|\beprint\s|\babs\//;
const numbered = new RegExp(`(?:${beforeNumber.source})(${arxivNumber})`, "i");

export function arxivIn(text: string): string | undefined {
  // Some styles remove all full stops: `arXiv:170603762`.
  const written = text
    .replace(/10\.48550\/arxiv\./gi, "arXiv:")
    .replace(/(?<=\barxiv:\s?)\d{4}(?=\d{4,5}(?!\d))/i, "$&.");
  const number = numbered.exec(written)?.[1]?.toLowerCase();
  // `math.gt/0309136`: arXiv itself omits the class.
  return number?.replace(/^([a-z-]+)\.[a-z-]+(?=\/)/, "$1");
}
