import { isObject, jsonIn } from "../shared/json-path.ts";

/**
 * The Markdown of a notebook's cells, with `program` also their code and what it printed, in fences.
 * Spec: https://nbformat.readthedocs.io/en/latest/format_description.html
 */
export function notebookMarkdown(text: string, program?: "program"): string {
  const notebook = jsonIn(text);
  const cells = isObject(notebook) && Array.isArray(notebook.cells) ? notebook.cells.filter(isObject) : [];
  return cells
    .flatMap(({ cell_type: type, source, outputs }) => {
      if (type === "markdown") return joined(source);
      return program && type === "code" ? [source, ...printed(outputs)].map(fenced) : [];
    })
    .join("\n\n");
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
