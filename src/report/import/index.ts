import { decodeHTMLStrict } from "entities/decode";
import { cutLine } from "../../model/markdown.ts";
import { doiIn, doiPage } from "../../read/shared/doi.ts";
import { addressesIn } from "../../read/text/bare-addresses.ts";
import { arxivPage, identifiersIn, webAddress } from "../cite/addresses.ts";
import type { Reference, References } from "../cite/references.ts";
import { fileText } from "../rate/words.ts";
import { bibtexRecords } from "./bibtex.ts";
import { cslRecords, isCsl } from "./csl.ts";
import type { BibliographicRecord, ImportedRecords } from "./records.ts";
import { risRecords } from "./ris.ts";

export interface ImportedReferences extends References {
  /** Entries that could not be parsed, one sentence each: `refs.bib:12: …`. */
  readonly faults: readonly string[];
}

/** Limits of one file. */
const maxCharacters = 10_000_000;
const maxEntries = 3_000;
const maxFaults = 50;

/**
 * The entries of a BibTeX or BibLaTeX (`.bib`), RIS (`.ris`) or CSL-JSON file as references, numbered in the file's
 * order. Undefined for any other file. Broken entries are listed in `faults`. Never throws.
 */
export function importOf(path: string, text: string): ImportedReferences | undefined {
  const format = formatOf(path, text);
  if (!format) return undefined;
  const { records, faults } = format(fileText(text, maxCharacters));
  const all = records.map((record, i) => {
    const address = addressOf(record);
    const { key, line, isbn } = record;
    // Catalogues of publishers escape titles and addresses as HTML.
    const title = cutLine(decodeHTMLStrict(record.title), 160) || cutLine(key, 160) || `Reference ${i + 1}`;
    return {
      number: i + 1,
      title: address === undefined && isbn !== undefined ? `${title} (ISBN ${cutLine(isbn, 20)})` : title,
      key,
      line,
      where: [],
      ...(address !== undefined && { address }),
    };
  });
  const place = path.replace(/#\.\w+$/, "");
  const messages = faults.slice(0, maxFaults).map(({ line, says }) => `${place}:${line}: ${says}`);
  const omitted = faults.length - messages.length;
  return {
    all: all.slice(0, maxEntries),
    numbered: all.length > 0,
    others: [],
    left: Math.max(0, all.length - maxEntries),
    faults: [
      ...messages,
      ...(omitted > 0 ? [`${place}: ${omitted} more faults`] : []),
      ...(text.length > maxCharacters ? [`${place}: only its first ${maxCharacters / 1e6} MB were read`] : []),
    ],
  };
}

/** Whether a file is BibTeX, which reports in several formats use for their references. */
export function isBibliography({ path }: { readonly path: string }): boolean {
  return /\.bib$/i.test(path);
}

/** The entries of bibliographies whose keys a text cites: `[@key]`, `` {cite}`key` ``, `` :cite:`key` ``. */
export function entriesCited(
  bibliographies: readonly { readonly path: string; readonly text: string }[],
  text: string,
): Reference[] {
  if (bibliographies.length === 0) return [];
  const marks = text.matchAll(/@\{?([\w][\w:.#$%&+?<>~/-]{0,99})|[{:]cite(?::\w{1,9})?[}:]`([^`]{1,500})`/g);
  const keys = new Set(
    [...marks].flatMap(([, key, more = ""]) =>
      (key ?? more).split(/[,\s]+/).map((one) => one.replace(/[.:,;]{1,9}$/, "")),
    ),
  );
  return bibliographies
    .flatMap(({ path, text: entries }) => importOf(path, entries)?.all ?? [])
    .filter(({ key = "" }) => keys.has(key))
    .map(({ number: _, ...entry }) => entry);
}

function formatOf(path: string, text: string): ((text: string) => ImportedRecords) | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === "bib" || extension === "bibtex") return bibtexRecords;
  if (extension === "ris") return risRecords;
  return extension === "json" && isCsl(text) ? cslRecords : undefined;
}

/** The best address of an entry: its DOI, its arXiv page, or else its first public link. */
function addressOf({ doi = "", arxiv = "", links, texts }: BibliographicRecord): string | undefined {
  const name = doiIn(doi);
  const paper = /(?:\d{4}\.\d{4,5}|(?<![a-z-])[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i.exec(arxiv.trim())?.[0];
  const written = [
    ...(name === undefined ? [] : [doiPage(name)]),
    ...(paper === undefined ? [] : [`${arxivPage}${paper}`]),
    ...links.map((link) => decodeHTMLStrict(link)).flatMap((field) => addressesIn(field)),
    ...texts.flatMap(identifiersIn),
  ];
  return written.map(webAddress).find((address) => address !== undefined);
}
