/** Org as Markdown: headings, links, notes, code and tables. Spec: https://orgmode.org/worg/org-syntax.html */
export function orgMarkdown(org: string): string {
  const markdown: string[] = [];
  let isCode = false;
  let isTable = false;
  /** The indentation of a section's first line. In Markdown an indented line would be code. */
  let margin = 0;
  let isFirst = false;
  for (const line of org.split("\n")) {
    const [, edge] = /^\s*#\+(begin|end)_(?:src|example|comment)\b/i.exec(line) ?? [];
    if (edge !== undefined || isCode) {
      markdown.push(edge === undefined ? line : "~~~~");
      if (edge !== undefined) isCode = edge.toLowerCase() === "begin";
      continue;
    }
    const isRow = /^\s*\|/.test(line);
    // A rule, or the widths of columns: `| <l> | <10> |`.
    if (isRow && /^[\s|+-]*(?:<[lrc]?\d*>[\s|]*)*$/.test(line)) continue;
    if (isFirst && line.trim() !== "") margin = line.search(/\S/);
    isFirst = isHeading(line) || (isFirst && line.trim() === "");
    if (isFirst) margin = 0;
    if (isRow && !isTable) markdown.push("");
    markdown.push(isRow ? inlineMarkdown(line.trim()) : lineMarkdown(line.replace(/^ */, (all) => all.slice(margin))));
    // The first row names the columns, also without a rule below it.
    if (isRow && !isTable) markdown.push(line.trim().replace(/[^|]+/g, " --- "));
    isTable = isRow;
  }
  return markdown.join("\n");
}

const isHeading = (line: string) => /^\*+ /.test(line);

function lineMarkdown(line: string): string {
  const [, keyword = "", value = ""] = /^\s*#\+(title|html):\s*(\S.*)$/i.exec(line) ?? [];
  if (keyword !== "") return keyword.toLowerCase() === "title" ? `# ${value}` : value;
  // Other keywords, comments, drawers and their properties.
  if (/^\s*(?:#\+|# |:[\w-]+:)/.test(line)) return "";
  if (!isHeading(line)) return inlineMarkdown(line);
  const [stars = "", ...words] = line.replace(/\s:[\w@#%:]+:\s*$/, "").split(" ");
  return `${"#".repeat(Math.min(6, stars.length + 1))} ${inlineMarkdown(words.join(" "))}`;
}

function inlineMarkdown(text: string): string {
  return text
    .replace(/^\[fn:([\w-]+)\]/, "[^$1]:")
    .replace(/\[fn:([\w-]+)\]/g, "[^$1]")
    .replace(/\[\[([^[\]]+)\]\[([^[\]]+)\]\]/g, "[$2](<$1>)")
    .replace(/\[\[([^[\]]+)\]\]/g, "<$1>")
    .replace(/(?<=^|[\s(|])([=~])(\S(?:[^\n=~]*\S)?)\1(?=$|[\s).,:;!?|])/g, "`$2`");
}
