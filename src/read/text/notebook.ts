import { isObject, jsonIn } from "../shared/json-path.ts";

/**
 * The Markdown of a notebook's cells, with `program` also their code, what it printed, and raw texts, in fences.
 * Spec: https://nbformat.readthedocs.io/en/latest/format_description.html
 */
export function notebookMarkdown(text: string, program?: "program"): string {
  return cellsOf(jsonIn(text))
    .flatMap(({ cell_type: type, level, source, input = source, outputs }) => {
      if (type === "markdown") return joined(source);
      if (type === "heading") return `${"#".repeat(Number(level) || 1)} ${joined(source)}`;
      return program && (type === "code" || type === "raw") ? [input, ...printed(outputs)].map(fenced) : [];
    })
    .join("\n\n");
}

/** The cells of a notebook. Before version 4 they were in worksheets, and headings were cells. */
function cellsOf(notebook: unknown): Readonly<Record<string, unknown>>[] {
  const { cells, worksheets } = isObject(notebook) ? notebook : {};
  if (Array.isArray(worksheets)) return worksheets.flatMap(cellsOf);
  return Array.isArray(cells) ? cells.filter(isObject) : [];
}

/** Text that a cell printed. Pictures are left out, and so is HTML: the same result is there as text. */
function printed(outputs: unknown): unknown[] {
  const all = Array.isArray(outputs) ? outputs.filter(isObject) : [];
  return all.map(({ text, data }) => text ?? (isObject(data) ? data["text/plain"] : undefined));
}

/** The file may hold a text as a list of its lines. */
function joined(lines: unknown): string {
  return Array.isArray(lines) ? lines.join("") : typeof lines === "string" ? lines : "";
}

const fence = "~".repeat(12);

function fenced(lines: unknown): string {
  const text = joined(lines);
  return text === "" ? "" : `${fence}\n${text}\n${fence}`;
}
