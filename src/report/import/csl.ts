import * as z from "zod";
import { jsonIn } from "../../read/shared/json-path.ts";
import type { BibliographicRecord, ImportedRecords, ImportFault } from "./records.ts";

/** Spec: https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types */
const types = new Set(
  (
    "article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection dataset " +
    "document entry entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case legislation " +
    "manuscript map motion_picture musical_score pamphlet paper-conference patent performance periodical " +
    "personal_communication post post-weblog regulation report review review-book software song speech standard thesis " +
    "treaty webpage"
  ).split(" "),
);

/** Whether a JSON text is a bibliography: the first entry of its list has a CSL type. */
export function isCsl(text: string): boolean {
  const [first] = elementsOf(text.slice(0, 200_000));
  const parsed = shape.safeParse(jsonIn(first?.text ?? "")).data;
  return parsed !== undefined && types.has(parsed.type);
}

const name = z.object({ family: z.string().optional(), given: z.string().optional(), literal: z.string().optional() });
const part = z.union([z.string(), z.number()]);
const issued = z.object({
  "date-parts": z.array(z.array(part)).optional(),
  year: part.optional(),
  raw: z.string().optional(),
});

const shape = z.object({
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
  type: z.string(),
  title: z.string().optional().catch(undefined),
  DOI: z.string().optional().catch(undefined),
  URL: z.string().optional().catch(undefined),
  ISBN: z.string().optional().catch(undefined),
  archive: z.string().optional().catch(undefined),
  archive_location: z.string().optional().catch(undefined),
  "container-title": z.string().optional().catch(undefined),
  number: z.union([z.string(), z.number()]).optional().catch(undefined),
  note: z.string().optional().catch(undefined),
  author: z.array(name).optional().catch(undefined),
  editor: z.array(name).optional().catch(undefined),
  issued: issued.optional().catch(undefined),
  publisher: z.string().optional().catch(undefined),
  volume: z.union([z.string(), z.number()]).optional().catch(undefined),
  page: z.union([z.string(), z.number()]).optional().catch(undefined),
});

/** Entries of CSL-JSON. Spec: https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html */
export function cslRecords(text: string): ImportedRecords {
  const records: BibliographicRecord[] = [];
  const faults: ImportFault[] = [];
  for (const { text: written, line } of elementsOf(text)) {
    const entry = shape.safeParse(jsonIn(written)).data;
    if (entry) records.push(recordOf(entry, line));
    else faults.push({ line, says: "this entry is not a CSL-JSON object with a type" });
  }
  return { records, faults };
}

function recordOf(entry: z.infer<typeof shape>, line: number): BibliographicRecord {
  const { id = "", title = "", DOI, URL: url = "", ISBN, archive, note = "" } = entry;
  const number = String(entry.number ?? "");
  const located = entry.archive_location ?? "";
  return {
    key: String(id).slice(0, 200),
    line,
    title: title.replace(/<\/?(?:i|b|sub|sup|span)(?:\s[^<>]{0,100})?>/g, ""),
    doi: DOI,
    arxiv: /^arxiv$/i.test(archive ?? "") || /^arxiv:/i.test(number) ? number || located : undefined,
    isbn: ISBN,
    links: [url, note],
    texts: [note, entry["container-title"] ?? ""],
    authors: (entry.author ?? entry.editor ?? []).map(
      ({ family, given, literal }) => literal ?? [family, given].filter(Boolean).join(", "),
    ),
    year: yearOf(entry.issued),
    venue: entry["container-title"] ?? entry.publisher ?? "",
    type: entry.type,
    number: [entry.volume, entry.page].filter(Boolean).join(" "),
  };
}

function yearOf(date: z.infer<typeof issued> | undefined): number | undefined {
  const year = Number(date?.["date-parts"]?.[0]?.[0] ?? date?.year ?? /\b\d{4}\b/.exec(date?.raw ?? "")?.[0]);
  return year > 0 ? year : undefined;
}

interface Element {
  readonly text: string;
  readonly line: number;
}

const maxEntryCharacters = 200_000;

/**
 * The texts of the objects in the outermost list, or in that of `{ "items": […] }`. They are parsed one by one, so that
 * a syntax error affects a single entry.
 */
function elementsOf(text: string): Element[] {
  const from = /^\s*(?:\{\s*"(?:items|references)"\s*:\s*)?\[/.exec(text)?.[0].length;
  if (from === undefined) return [];
  const elements: Element[] = [];
  let depth = 0;
  let quoted = false;
  let start = from;
  let line = text.slice(0, from).split("\n").length;
  let began = line;
  for (let i = from; i < text.length; i++) {
    const character = text[i];
    if (character === "\n") line++;
    if (quoted) {
      if (character === "\\") i++;
      else if (character === '"' || character === "\n") quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" && depth++ === 0) {
      start = i;
      began = line;
    } else if (character === "}" && depth > 0 && --depth === 0 && i - start < maxEntryCharacters)
      elements.push({ text: text.slice(start, i + 1), line: began });
    else if (character === "]" && depth === 0) break;
  }
  if (depth > 0) elements.push({ text: text.slice(start, start + maxEntryCharacters), line: began });
  return elements;
}
