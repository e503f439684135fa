import { counted, type Hostile, many } from "./input.ts";

/** Reports whose layout is made to be slow, in every format. The address is the file's path. */

type Row = readonly [about: string, name: string, path: string, make: (size: number) => string];

const link = "[a](https://a.example/)";
const cells = (sources: readonly string[]) => JSON.stringify({ cells: [{ cell_type: "markdown", source: sources }] });

/**
 * Runs of line ends and of characters at the ends of lines: a pattern that starts again at every line needs the square of
 * their length.
 */
const lineEnds = ["\n", "\r", "\r\n", " \n", "\n ", "\t\n", "\n\n\t", "\u00a0\n", "\u2028", "\v\n", "\f\n"];

/** A text in each format, with a title, a link and a table around it. */
export const formats: readonly { readonly path: string; wrap(text: string): string }[] = [
  { path: "report.md", wrap: (text) => `# R\n\n${text}\n${link}\n` },
  { path: "report.md", wrap: (text) => `| a | b |\n| - | - |\n| ${link} | High |\n${text}\n| ${link} | Low |\n` },
  { path: "report.qmd", wrap: (text) => `---\ntitle: R\n---\n\n::: {.note}\n${text}\n:::\n${link}\n` },
  { path: "report.mdx", wrap: (text) => `import A from "a"\n\n${text}\n<A>{a}</A>\n${link}\n` },
  { path: "report.html", wrap: (text) => `<h1>R</h1><p>${text}</p><a href="https://a.example/">a</a>` },
  { path: "report.html", wrap: (text) => `<table><tr><th>a<th>b<tr><td>${text}<td>High</table>` },
  { path: "report.rst", wrap: (text) => `R\n=\n\n${text}\n\n\`a <https://a.example/>\`_\n` },
  {
    path: "report.rst",
    wrap: (text) => `.. list-table::\n\n   * - a\n     - b ${text}\n   * - \`a <https://a.example/>\`_\n`,
  },
  { path: "report.adoc", wrap: (text) => `= R\n\n${text}\n\nhttps://a.example/[a]\n` },
  { path: "report.adoc", wrap: (text) => `|===\n|a${text}b |c\n|===\nhttps://a.example/[a]\n` },
  { path: "report.mediawiki", wrap: (text) => `= R =\n${text}\n[https://a.example/ a]<ref>${text}</ref>\n` },
  { path: "report.mediawiki", wrap: (text) => `{| class="wikitable"\n! a !! b\n|-\n| ${text} || High\n|}\n` },
  { path: "report.ipynb", wrap: (text) => cells(["# R\n", text, `\n${link}`]) },
  { path: "report.csv", wrap: (text) => `name,rating,link\na,High,https://a.example/\n${text}\n` },
  { path: "report.tsv", wrap: (text) => `name\trating\tlink\na\tHigh\thttps://a.example/\n${text}\n` },
  { path: "report.json", wrap: (text) => JSON.stringify([{ name: text, rating: "High", url: "https://a.example/" }]) },
  { path: "refs.bib", wrap: (text) => `@article{a, title = {A ${text} b}, url = {https://a.example/}}\n${text}` },
  { path: "refs.ris", wrap: (text) => `TY  - JOUR\nTI  - A ${text}\nUR  - https://a.example/\n${text}\nER  - \n` },
  {
    path: "refs.json",
    wrap: (text) => JSON.stringify([{ id: "a", type: "book", title: text, URL: "https://a.example/" }]),
  },
  { path: "report.txt", wrap: (text) => `R\n\n${text}\n\n[1] A. Author, ${text}. https://a.example/\n` },
  {
    path: "report.tex",
    wrap: (text) => `\\section{R}\n${text}\n\\href{https://a.example/}{a}\n\\bibitem{a} ${text}\n`,
  },
  { path: "SUMMARY.md", wrap: (text) => `# Contents\n\n- [One](01-one.md)\n${text}\n- [Two](02-two.md)\n` },
];

const ofLayout: readonly Row[] = formats.flatMap(({ path, wrap }, i) =>
  lineEnds.map((end): Row => ["layout", `${JSON.stringify(end)} #${i}`, path, (size) => wrap(many(end, size))]),
);

const byHand: readonly Row[] = [
  ["layout", "headings without text", "report.md", (size) => many("#\n", size) + link],
  ["layout", "fences, never closed", "report.md", (size) => link + many("\n```\n~~~", size)],
  ["layout", "containers in containers", "report.md", (size) => many(":::{a}\n", size) + link],
  ["layout", "quotes in quotes", "report.md", (size) => many("> ", size) + link],
  [
    "tables",
    "a row of a thousand cells, again and again",
    "report.md",
    (size) => `|a|b|\n|-|-|\n${many(`${many("|a", 2_000)}|\n`, size)}`,
  ],
  ["tables", "tables of one row", "report.md", (size) => many(`|a|b|\n|-|-|\n|${link}|High|\n\n`, size)],
  [
    "tables",
    "rows of spans",
    "report.html",
    (size) => `<table>${many("<tr><td rowspan=900 colspan=900>a", size)}</table>`,
  ],
  ["tables", "cells of cells", "report.adoc", (size) => `|===\n${many("a|===\n", size)}`],
  ["tables", "grids that never end", "report.rst", (size) => many("+-+\n|a|\n", size)],
  ["tables", "tables in tables", "report.mediawiki", (size) => many("{|\n|a\n", size)],
  ["tables", "columns without end", "report.csv", (size) => `${many("a,", size / 2)}\n${many("b,", size / 2)}`],
  [
    "references",
    "a list of all that is cited",
    "report.md",
    (size) => counted((i) => `A [${i}].\n\n[${i}]: https://a${i}.example/\n\n`, size),
  ],
  [
    "references",
    "marks of one reference",
    "report.md",
    (size) => `${many("a [1]. ", size)}\n\n## References\n\n1. A https://a.example/\n`,
  ],
  ["references", "footnotes in footnotes", "report.md", (size) => counted((i) => `[^${i}]: a[^${i + 1}]\n`, size)],
  [
    "references",
    "substitutions of substitutions",
    "report.rst",
    (size) => counted((i) => `.. |a${i}| replace:: |a${i + 1}|\n`, size),
  ],
  [
    "references",
    "attributes of attributes",
    "report.adoc",
    (size) => `${counted((i) => `:a${i}: {a${i + 1}}{a${i + 1}}\n`, size)}{a0}`,
  ],
  [
    "references",
    "macros of macros",
    "refs.bib",
    (size) => counted((i) => `@string{a${i} = a${i + 1} # a${i + 1}}\n`, size),
  ],
  [
    "references",
    "templates in templates",
    "report.mediawiki",
    (size) => many("{{cite web|url=https://a.example/|", size),
  ],
  ["references", "braces in braces", "refs.bib", (size) => `@a{b, title = ${many("{", size)}`],
  [
    "references",
    "records of one key",
    "refs.bib",
    (size) => many("@a{b, title={c}, url={https://a.example/}}\n", size),
  ],
  [
    "notebooks",
    "cells of one character",
    "report.ipynb",
    (size) =>
      JSON.stringify({ cells: Array.from({ length: size / 50 }, () => ({ cell_type: "markdown", source: ["\n"] })) }),
  ],
  ["nesting", "data in data", "report.json", (size) => many("[", size / 2) + many("]", size / 2)],
  ["nesting", "lists in lists", "report.adoc", (size) => counted((i) => `${"*".repeat((i % 300) + 1)} a\n`, size)],
  ["contents", "links to chapters", "SUMMARY.md", (size) => counted((i) => `- [c](${i % 9}.md)\n`, size)],
  ["contents", "brackets that are no links", "SUMMARY.md", (size) => many("- [a](", size)],
];

export const reports: readonly Hostile[] = [...byHand, ...ofLayout].map(([about, name, path, make]) => ({
  about,
  name,
  kind: "report",
  address: path,
  make,
}));
