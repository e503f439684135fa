import { escapeHtml } from "../escape.ts";
import { inlineHtml, type Substitutions } from "./inline.ts";
import { csvTable, listTable, tableHtml } from "./table.ts";

const code = words(
  "code code-block sourcecode literalinclude prompt parsed-literal math doctest testcode graphviz mermaid",
);
const silent = words(
  "toctree image figure include contents meta highlight raw currentmodule autosummary automodule autoclass autofunction " +
    "autodata autoattribute automethod default-role index role sectnum target-notes bibliography only-html title",
);
/** Their argument is the name of a class or a measure. */
const untitled = words("container class rst-class cssclass grid grid-item columns");
const quotes = words(
  "note warning tip important caution attention danger error hint seealso admonition todo versionadded versionchanged " +
    "deprecated epigraph highlights pull-quote",
);

/** `name:: argument` and what is indented below it. */
export interface Directive {
  readonly name: string;
  readonly argument: string;
  readonly lines: readonly string[];
}

/** What a directive shows. Of one that is not known, its title and content stay: tabs, cards, drop-downs. */
export function directiveHtml(
  { name, argument, lines }: Directive,
  substitutions: Substitutions,
  bodyHtml: (lines: readonly string[]) => string,
): string {
  const split = lines.findIndex((line) => line.trim() !== "" && !/^\s*:[\w-]+:(?:\s|$)/.test(line));
  const options = lines.slice(0, split < 0 ? lines.length : split);
  const content = split < 0 ? [] : lines.slice(split);
  if (code.has(name))
    return `<pre>${escapeHtml([argument.includes(" ") ? argument : "", ...content].join("\n"))}</pre>`;
  if (name === "raw" && argument.trim() === "html") return content.join("\n");
  if (silent.has(name)) return "";
  const title = argument === "" || untitled.has(name) ? "" : `<p>${inlineHtml(argument, substitutions)}</p>`;
  const rows = Number(option(options, "header-rows") ?? 0);
  if (name === "list-table") return title + tableHtml(listTable(content, rows), substitutions);
  if (name === "csv-table") return title + tableHtml(csvTable(content, option(options, "header"), rows), substitutions);
  const inside = title + bodyHtml(content);
  return quotes.has(name) ? `<blockquote>${inside}</blockquote>` : inside;
}

function option(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((written) => written.trim().startsWith(`:${name}:`));
  return line
    ?.trim()
    .slice(name.length + 2)
    .trim();
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
