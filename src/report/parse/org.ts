/** Org as Markdown: headings, links, notes, code and tables. Spec: https://orgmode.org/worg/org-syntax.html */
export function orgMarkdown(org: string): string {
  const sections = org.split(/^(?=\*+ )/m).map(withoutMargin);
  const text = marks.reduce((written, [mark, markdown]) => written.replace(mark, markdown), sections.join(""));
  return text
    .replace(/^(\*+) (.*)$/gm, (_, { length }: string, heading: string) => {
      return `${"#".repeat(Math.min(6, length + 1))} ${heading.replace(/\s:[\w@#%:]+:\s*$/, "")}`;
    })
    .replace(/^[ \t]*\|.*(?:\n[ \t]*\|.*)*/gm, tableMarkdown);
}

/** A section without the indentation of its first line. In Markdown an indented line would be code. */
function withoutMargin(section: string): string {
  const [, margin = ""] = /^[^\n]*\n(?:[ \t]*\n)*?( +)\S/.exec(section) ?? [];
  return margin === "" ? section : section.replaceAll(`\n${margin}`, "\n");
}

const marks: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*#\+html:/gim, ""],
  [/^[ \t]*#\+(?:begin|end)_(?:src|example|comment)\b.*$/gim, "````"],
  // Other keywords, comments, drawers and their properties.
  [/^[ \t]*(?:#\+(?!title:)|# |:[\w-]+:).*$/gim, ""],
  [/^#\+title:/gim, "# "],
  [/^\[fn:([\w-]+)\]/gm, "[^$1]:"],
  [/\[fn:([\w-]+)\]/g, "[^$1]"],
  [/\[\[([^[\]]+)\]\[([^[\]]+)\]\]/g, "[$2](<$1>)"],
  [/\[\[([^[\]]+)\]\]/g, "<$1>"],
  [/(?<=^|[\s(|])([=~])(\S(?:[^\n=~]*\S)?)\1(?=$|[\s).,:;!?|])/gm, "`$2`"],
];

/** The first row names the columns, with or without a rule below it. */
function tableMarkdown(table: string): string {
  // A rule, or the widths of columns: `| <l> | <10> |`.
  const isRow = (line: string) => !/^[|+-][\s|+-]*(?:<[lrc]?\d*>[\s|]*)*$/.test(line);
  const [first = "", ...rows] = table
    .split("\n")
    .map((line) => line.trim())
    .filter(isRow);
  return ["", first, first.replace(/[^|]+/g, " --- "), ...rows].join("\n");
}
