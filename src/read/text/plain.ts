import type { YAMLMap } from "yaml";
import type { Block } from "../../model/reading.ts";
import { csvRows } from "../shared/csv.ts";
import { valueText } from "../shared/json-path.ts";
import { Size } from "../shared/size.ts";
import { blocksOfValues } from "../shared/values.ts";
import { dataOfXml } from "../shared/xml.ts";

/** Characters of a line, at most. Longer lines are cut, so that a change of minified code has one place. */
const longLine = 400;

/** Characters of a data file that is parsed, at most: this takes longer than to read lines. */
const largestData = 1_000_000;

/** In YAML, two braces that begin a value are a mapping with another one as its name. */
const isTemplate = /^(?![ \t]*#)(?:.*[:-][ \t]|[ \t]*)\{[{%]/m;

/** YAML, JSON or XML by its values, without comments; a text that is neither, or that multiplies itself, by its lines. */
export async function blocksOfData(text: string): Promise<Block[]> {
  const blocks = text.length > largestData || isTemplate.test(text) ? undefined : await valuesIn(text);
  return blocks && blocks.length > 0 ? blocks : blocksOfLines(text);
}

const isXml = /^\s*<[?!\w]/;

/** JSON may repeat a key, and the last one counts. Spec: https://www.rfc-editor.org/rfc/rfc8259#section-4 */
const isJson = /^\s*[{[]/;

/**
 * JSON is YAML. Scalars stay as written: the version 1.10 is not 1.1. Keys are compared here: the library would compare
 * each with all others. Spec: https://yaml.org/spec/1.2.2/#101-failsafe-schema
 */
async function valuesIn(text: string): Promise<Block[] | undefined> {
  const { isScalar, parseAllDocuments, visit } = await import("yaml");
  try {
    if (isXml.test(text)) return blocksOfValues(dataOfXml(text), new Size());
    const documents = [
      ...parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false, logLevel: "silent", prettyErrors: false }),
    ];
    if (documents.some(({ errors }) => errors.length > 0)) return undefined;
    let repeatsKey = false;
    const visitMap = (_: unknown, { items }: YAMLMap) => {
      repeatsKey ||= new Set(items.map(({ key }) => (isScalar(key) ? key.value : key))).size < items.length;
    };
    for (const document of documents) visit(document, { Map: visitMap });
    if (repeatsKey && !isJson.test(text)) return undefined;
    const values = documents.map((document) => document.toJS());
    return blocksOfValues(values.length === 1 ? values[0] : values, new Size());
  } catch {
    return undefined;
  }
}

/** JavaScript and other code: one block a line, comments too. */
export function blocksOfLines(text: string): Block[] {
  const lines = text.split("\n").flatMap((line) => [...pieces(line)].map(valueText));
  return lines.filter((line) => line !== "").map((line) => ({ path: [], kind: "code", text: line }));
}

const section = /^(?:\[{1,2}(?<section>[^[\]]+)\]{1,2}\s*(?:[#;].*)?|@\w{1,40}\s*\{\s*(?<entry>[^\s,{}"=]+)\s*,.*)$/;

/**
 * TOML and its like, and BibTeX: a line of a section or an entry begins with its name, one of a repeated section with its first
 * line, too.
 */
export function blocksOfSections(text: string): Block[] {
  let [name, isRepeated] = ["", false];
  return blocksOfLines(text).map((block) => {
    const found = section.exec(block.text)?.groups;
    const opened = found?.section ?? found?.entry;
    if (opened !== undefined) {
      [name, isRepeated] = [opened, block.text.startsWith("[[")];
      return block;
    }
    const own = name === "" ? block : { ...block, text: `[${name}] ${block.text}` };
    if (isRepeated) [name, isRepeated] = [`${name}: ${block.text}`, false];
    return own;
  });
}

/** A table with commas, semicolons or tabs: its rows, with the first one as their header. */
export function blocksOfCsv(text: string): Block[] {
  const [first = ""] = text.trimStart().split("\n", 1);
  const columns = (sign: string) => csvRows(first, sign)[0]?.length ?? 0;
  const byCommas = columns(",");
  const separator = ["\t", ";"].find((sign) => columns(sign) > byCommas) ?? ",";
  const rows = csvRows(text, separator).map((row) => row.map(valueText).join(" | "));
  return rows.map((text, i) => ({ path: [], kind: "row", text, ...(i > 0 && { header: rows[0] }) }));
}

/**
 * Plain text: a block for each paragraph, or for each line if they are not wrapped, with those indented below it;
 * `| a | b |` are rows. A short line that is not a sentence, above a different line, is a heading.
 */
export function blocksOfPlain(text: string): Block[] {
  const pieces = text.split(/\n[ \t\r]*\n/).flatMap(paragraph);
  let path: readonly string[] = [];
  return pieces.map(({ heads, ...block }, at): Block => {
    if (!heads || pieces[at + 1]?.heads !== false) return { ...block, path };
    path = [block.text];
    return { path: [], kind: "heading", text: block.text };
  });
}

/** A block that may turn out to be a heading. */
interface Piece extends Block {
  readonly heads: boolean;
}

function paragraph(text: string): Piece[] {
  const lines = text
    .split("\n")
    .map((line): Line => ({ indent: line.search(/\S/), text: valueText(line) }))
    .filter((line) => line.text !== "");
  const isProse = isWrapped(lines);
  let header: string | undefined;
  return entriesOf(lines, isProse).map((line): Piece => {
    if (!isRow(line)) {
      header = undefined;
      return prose(line, lines.length === 1 || !isProse);
    }
    const row = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim())
      .join(" | ");
    const block: Piece = { path: [], kind: "row", text: row, header, heads: false };
    header ??= row;
    return block;
  });
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Whether lines break at the width of the page: most have no room for the next word. Only the first is indented. */
function isWrapped(lines: readonly Line[]): boolean {
  const isList = lines.slice(2).some(({ indent }) => indent !== lines[1]?.indent);
  if (isList || lines.some(({ text }) => text.length > 100 || isRow(text))) return false;
  const width = Math.max(...lines.map(({ indent, text }) => indent + text.length));
  const breaks = lines.slice(1).flatMap(({ text }, i) => {
    const { indent = 0, text: above = "" } = lines[i] ?? {};
    const end = indent + above.length;
    const [word = ""] = text.split(" ", 1);
    const isFull = end + 1 + word.length > width;
    return end === width ? [] : [isFull && above.includes(" ") && !/[.!?:;]$/.test(above)];
  });
  return breaks.filter(Boolean).length * 2 > breaks.length || breaks.length === 0;
}

/** The lines of a paragraph. Those of prose are joined, and those below a less indented one, except in a list. */
function entriesOf(lines: readonly Line[], isProse: boolean): string[] {
  const entries: string[] = [];
  let open = 0;
  for (const { indent, text } of lines) {
    const isMore = (isProse || indent > open) && !marker.test(text) && !isRow(text);
    const above = isMore ? entries.pop() : undefined;
    if (above === undefined) open = indent;
    entries.push(above === undefined ? text : `${above} ${text}`);
  }
  return entries;
}

const marker = /^(?:[-*•–]|\d{1,3}[.)]) (?=\S)/;

function prose(written: string, alone: boolean): Piece {
  const text = written.replace(marker, "");
  const kind = text === written ? "paragraph" : "item";
  return { path: [], kind, text, heads: alone && kind === "paragraph" && heads(text) };
}

function heads(text: string): boolean {
  return text.length <= 80 && /^[\p{Lu}\p{Nd}]/u.test(text) && !/[.,:;!?…>)"'”]$/.test(text);
}

function isRow(line: string): boolean {
  return line.length > 2 && line.startsWith("|") && line.endsWith("|");
}

function* pieces(line: string): Generator<string> {
  if (line.length <= longLine) return yield line;
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    const length = i - start + 1;
    if ((length >= 80 && /[;,{}\s]/.test(line[i] ?? "")) || length >= 1000) {
      yield line.slice(start, i + 1);
      start = i + 1;
    }
  }
  yield line.slice(start);
}
