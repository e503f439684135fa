import { isMap, isSeq, LineCounter, parseDocument, parse as parseYaml } from "yaml";
import { wikiNames } from "../language/lexicon.ts";
import { jsonIn } from "../read/shared/json-path.ts";
import { styledParts } from "../report/cite/styles.ts";
import { blankOut } from "../report/edit/splice.ts";
import { bibtexRecords, yearOf } from "../report/import/bibtex.ts";
import { cslRecords, isCsl } from "../report/import/csl.ts";
import { latexAddress, latexText } from "../report/import/latex.ts";
import type { BibliographicRecord } from "../report/import/records.ts";
import { endnoteRecords, risRecords } from "../report/import/ris.ts";
import { templateFields } from "../report/parse/mediawiki.ts";
import { fileText } from "../report/rate/words.ts";
import type { CitedWork } from "./cited-work.ts";
import { identifiersOf } from "./identifiers.ts";
import { maxEntryCharacters, plainText, proseOf } from "./prose.ts";

/** Limits of one document. */
const maxCharacters = 10_000_000;
const maxWorks = 10_000;

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
