import MarkdownIt, { type Env, type Token } from "markdown-it";
import { footnoteMark } from "../../read/shared/body.ts";
import { csvRows, tableOfRows } from "../../read/shared/csv.ts";
import { asciidocHtml } from "../../read/text/asciidoc.ts";
import { keepingAddresses } from "../../read/text/bare-addresses.ts";
import { Fences } from "../../read/text/fences.ts";
import { notebookMarkdown } from "../../read/text/notebook.ts";
import { indentOf } from "../../read/text/rst.ts";
import { arxivPage } from "../cite/addresses.ts";
import { csvHtml, jsonHtml } from "./data.ts";
import { mediawikiHtml } from "./mediawiki.ts";
import type { ReportLink } from "./report-text.ts";
import { rstFields, rstWithCitations } from "./rst.ts";

/** A report as HTML. Every format is converted to HTML, so that one parser reads them all. */
export interface ReportMarkup {
  readonly html: string;
  /** Front matter, keys in lower case. */
  readonly front: ReadonlyMap<string, string>;
  /** Numbered link definitions in Markdown with their titles: `[1]: https://…`. */
  readonly defined: ReadonlyMap<number, ReportLink>;
}

/**
 * Chooses the format by file extension; HTML also by its first line. Everything else is Markdown, plain text included.
 */
export function markupOf(path: string, text: string): ReportMarkup {
  const extension = /\.([a-z]+)(?:\.inc)?$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  if (isHtml(extension, text)) return htmlMarkup(text);
  switch (extension) {
    case "rst":
      return rstMarkup(text);
    case "adoc":
    case "asciidoc":
      return asciidocMarkup(text);
    case "mediawiki":
    case "wiki":
      return { ...htmlOnly(mediawikiHtml(text)), front: headOfProposal(text) };
    case "csv":
      return htmlOnly(csvHtml(text, ","));
    case "tsv":
      return htmlOnly(csvHtml(text, "\t"));
    case "json":
      return htmlOnly(jsonHtml(text));
    case "ipynb":
      return markdownMarkup(notebookMarkdown(text));
    default:
      return markdownMarkup(extension === "mdx" ? withoutModules(text) : text);
  }
}

/** The head of a proposal in a wiki's markup, which begins with it: `Title: Silent Kites`. Spec: https://bips.dev/3/ */
function headOfProposal(text: string): Map<string, string> {
  if (!/^\s{0,100}<pre>/i.test(text)) return new Map();
  const [, head = ""] = text.slice(0, 3_000).split(/<\/?pre>/i, 2);
  return headLines(`${head.replace(/^ {1,8}(?=[A-Z])/gm, "").trim()}\n\n`).front;
}

function htmlOnly(html: string): ReportMarkup {
  return { html, front: new Map(), defined: new Map() };
}

function rstMarkup(text: string): ReportMarkup {
  const { front, rest } = headLines(text);
  return { ...htmlOnly(rstWithCitations(rest)), front: front.size > 0 ? front : rstFields(text) };
}

/** The attributes of the document serve as front matter. */
function asciidocMarkup(text: string): ReportMarkup {
  const { html, attributes } = asciidocHtml(text);
  return { ...htmlOnly(html), front: attributes };
}

/** An HTML page for a site generator may have front matter. */
function htmlMarkup(text: string): ReportMarkup {
  const { front, rest } = frontMatter(text);
  return { ...htmlOnly(rest), front };
}

function isHtml(extension: string, text: string): boolean {
  if (/^x?html?$/.test(extension)) return true;
  const markdown = /^(?:md|markdown|mdown|mkd|qmd|rmd|mdx)$/.test(extension);
  return !markdown && /^\s*<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 500));
}

function markdownMarkup(text: string): ReportMarkup {
  const { front, rest } = frontMatter(text);
  const env: Env = {};
  const html = markdownHtml(numberFootnotes(rest), env, 0);
  const defined = new Map<number, ReportLink>();
  for (const [label, { href, title }] of Object.entries(env.references ?? {})) {
    if (/^\d{1,4}$/.test(label) && Number(label) > 0) defined.set(Number(label), { address: href, text: title ?? "" });
  }
  return { html, front, defined };
}

/**
 * Spec: https://jekyllrb.com/docs/front-matter/, https://gohugo.io/content-management/front-matter/ (`+++`),
 * https://mmark.miek.nl/post/syntax/ (`%%%`), https://jbake.org/docs/2.6.7/#metadata (`name=value` above `~~~~~~`)
 */
function frontMatter(written: string): { front: Map<string, string>; rest: string } {
  const text = written.trimStart().replace(/^((?:[\w.-]{1,40}=.*\n){1,40})~{6}(?=\n)/, "+++\n$1+++");
  const fence = /^(?:---|\+\+\+|%%%)(?=\n)/.exec(text);
  // In drafts for the IETF a section follows: `--- abstract`. Spec: https://github.com/cabo/kramdown-rfc
  const end = fence && /\n(?:---|\+\+\+|%%%)(?: abstract)?(?:\n|$)/.exec(text.slice(3, 20_000));
  if (!end) return headLines(written);
  const head = text.slice(4, 3 + end.index);
  const entries = head.split("\n").flatMap((line): [string, string][] => {
    const [whole, key = "", value = ""] =
      /^([^\s#:=-][^:=]*)(?::(?=\s|$)|=)\s*(\S.*)?$/.exec(line.slice(0, 1_000)) ?? [];
    return whole === undefined ? [] : [[key.trim().toLowerCase(), value.trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  const rest = text.slice(3 + end.index + end[0].length);
  return { front: new Map(entries), rest: end[0].includes("abstract") ? rest + referencesInHead(head) : rest };
}

/** The references in the head of a draft for the IETF, as a list: `RFC2119:`, or a key with `title:` and `target:`. */
function referencesInHead(head: string): string {
  const items: { key: string; title: string; target: string }[] = [];
  let isListed = false;
  for (const line of head.split("\n").slice(0, 5_000)) {
    if (/^\S/.test(line)) isListed = /^(?:normative|informative):/.test(line);
    const [, key] = (isListed && /^ {2}["']?([\w.:-]{1,60}?)["']?:/.exec(line)) || [];
    const [, name, value = ""] = (isListed && /^ {3,8}(title|target):\s*["']?([^"'\n]{1,300})/.exec(line)) || [];
    const last = items.at(-1);
    if (key !== undefined) items.push({ key, title: "", target: "" });
    else if (last && name === "title") last.title ||= value;
    else if (last && name === "target") last.target ||= value;
  }
  const lines = items.map(({ key, title, target }) =>
    target === "" ? `- ${key}${title && `: ${title}`}` : `- [${title || key}](<${target}>)`,
  );
  return `\n\n# References\n\n${lines.join("\n")}\n`;
}

/**
 * Front matter without fences: leading `Name: value` lines, one of them the title.
 * Spec: https://python-markdown.github.io/extensions/meta_data/, https://peps.python.org/pep-0012/
 */
function headLines(text: string): { front: Map<string, string>; rest: string } {
  const lines = text.slice(0, 5_000).split("\n");
  const length = lines.findIndex((line) => line.trim() === "");
  const head = lines.slice(0, Math.max(0, length));
  const entries = head.flatMap((line): [string, string][] => {
    const [, key = "", value = ""] = /^([A-Za-z][\w -]{0,40}):\s+(\S.*)$/.exec(line) ?? [];
    return key === "" ? [] : [[key.toLowerCase(), value.trim()]];
  });
  const isHead = head.every((line) => /^(?:[A-Za-z][\w -]{0,40}:(?:\s|$)|\s+\S)/.test(line));
  const front = new Map(entries);
  if (!isHead || entries.length < 2 || !front.has("title")) return { front: new Map(), rest: text };
  return { front, rest: text.split("\n").slice(length).join("\n") };
}

const parser = keepingAddresses(new MarkdownIt({ html: true, maxNesting: 24, breaks: true }));
// The text of an address is the address as written, and not another one with spaces.
parser.normalizeLinkText = (address) => address;

/**
 * Markdown as HTML. Line breaks are kept, because tables in extracted text are plain lines. An indented block is code,
 * but not with links or rows: many dialects indent the text of notes and steps.
 * Spec: https://github.github.com/gfm/, https://mystmd.org/spec, https://quarto.org/docs/authoring/markdown-basics.html
 */
function markdownHtml(markdown: string, env: Env, depth: number): string {
  const tokens = parser.parse(withoutDialects(linkCitations(withoutRoles(withoutAttributes(markdown)))), env);
  const parts: string[] = [];
  let plain: Token[] = [];
  const flush = () => {
    if (plain.length > 0) parts.push(parser.renderer.render(plain, parser.options, env));
    plain = [];
  };
  for (const token of tokens) {
    const isText = token.type === "code_block" && depth < 5 && /\]\(|^ *\|/m.test(token.content);
    const inside = isText ? markdownHtml(token.content, env, depth + 1) : fenceHtml(token, env, depth);
    if (inside === undefined) plain.push(token);
    else {
      flush();
      parts.push(inside);
    }
  }
  flush();
  return parts.join("");
}

/**
 * Removes attributes of headings: `# Kites {#sec-kites}`, also in underlined headings; and of links, with their titles in
 * place of icons: `[:icon-eye:](…){ title="Policy" }`.
 * Spec: https://pandoc.org/MANUAL.html#extension-header_attributes,
 * https://python-markdown.github.io/extensions/attr_list/
 */
function withoutAttributes(markdown: string): string {
  return markdown
    .replace(/^(#{1,6} .*?) ?\{:? ?[#.][^{}\n]{0,100}\}[ \t]*$/gm, "$1")
    .replace(/^([^\s{][^{\n]{0,200})\{:? ?[#.][^{}\n]{0,100}\}[ \t]*(?=\n(?:={2,}|-{2,})[ \t]*$)/gm, "$1")
    .replace(linkWithAttributes, (_, label: string, target: string, attributes: string) => {
      const title = /\btitle="([^"]*)"/.exec(attributes)?.[1];
      return `[${title !== undefined && /^(?::[\w-]+:\s*)*$/.test(label) ? title : label}](${target})`;
    });
}

const linkWithAttributes = /\[([^[\]\n]{0,200})\]\(([^()\s]{1,1000})\)\{:? ?([^{}\n]{1,200})\}/g;

/**
 * MyST roles as their text, links without text as their target's id, and Quarto's icons as `:icon-name:`.
 * Spec: https://mystmd.org/guide/quickstart-myst-markdown#roles, https://quarto.org/docs/authoring/shortcodes.html
 */
function withoutRoles(markdown: string): string {
  return markdown
    .replace(/\{(?!cite|math|code|eval|raw|sub)[a-z][\w:-]{0,40}\}`([^`\n<]{1,200})(?:<[^<>`\n]{1,300}>)?`/g, "$1")
    .replace(/(?<!!)\[\]\(((?:[^()\s#]{0,200}#)?)([A-Za-z][\w-]{0,80})\)/g, (_, file: string, id: string) => {
      return `[${id.replace(/-/g, " ")}](${file}${id})`;
    })
    .replace(
      /\{\{<\s*(?:fa|bi|iconify|lucide)\s+(?:[\w-]+\s+)??([\w-]{1,40})(?:\s[^>\n]{0,100})?\s*>\}\}/g,
      ":icon-$1:",
    );
}

const citable: Readonly<Record<string, string>> = {
  doi: "https://doi.org/",
  arxiv: arxivPage,
  pmid: "https://pubmed.ncbi.nlm.nih.gov/",
  pmcid: "https://pmc.ncbi.nlm.nih.gov/articles/",
  url: "",
};

/**
 * Citations by identifier as links: `[@doi:10.1000/182; @url:https://…]`.
 * Spec: https://manubot.org/docs/citations.html
 */
function linkCitations(markdown: string): string {
  return markdown.replace(
    /(?<=[[\s(;-])@(doi|arxiv|pmid|pmcid|url):([^\s;\]<>]{3,300}[^\s;\]<>.,])/g,
    (_, kind: string, id: string) => `[${kind === "url" ? id : `${kind}:${id}`}](<${citable[kind] ?? ""}${id}>)`,
  );
}

const tagged = /^\[@(?:tag:)?([\w.:-]{1,100})\]:[ \t]*@?((?:doi|arxiv|pmid|pmcid|url):\S{3,300})[ \t]*$/gm;

/**
 * Citations by tags as those by their identifiers. The tags may be defined in another file.
 * Spec: https://manubot.github.io/catalog/ (citation tags)
 */
export function withoutTags<T extends { readonly text: string }>(files: readonly T[]): readonly T[] {
  const tags = new Map(
    files.flatMap(({ text }) => [...text.matchAll(tagged)].map(([, tag = "", id = ""]) => [tag, id] as const)),
  );
  if (tags.size === 0) return files;
  return files.map((file) => ({
    ...file,
    text: file.text
      .replace(tagged, "")
      .replace(/@(?:tag:)?([\w.:-]{1,100}[\w])/g, (whole, tag: string) =>
        tags.has(tag) ? `@${tags.get(tag)}` : whole,
      ),
  }));
}

/** MyST directives without text of the report, and languages of Quarto's code cells. */
const unread = new Set(
  (
    "code code-block code-cell sourcecode literalinclude prompt math mermaid toctree image include contents meta " +
    "bibliography highlight tableofcontents raw r python julia ojs sql bash sh zsh js javascript ts typescript node " +
    "css stan dot rust go c cpp rcpp perl ruby d3 graphviz tikz latex tex yaml json text"
  ).split(" "),
);

/** The content of ```` ```{table} Title ```` (MyST) or ```` ```{=html} ```` (Pandoc); undefined for code. */
function fenceHtml({ type, info, content }: Token, env: Env, depth: number): string | undefined {
  if (type !== "fence") return undefined;
  const [, name, title = ""] = /^\{(=?[\w:-]{1,40})(?:[\s,][^}]{0,300})?\}\s*(\S.*)?$/.exec(info.trim()) ?? [];
  if (name === undefined || unread.has(name) || depth >= 5) return undefined;
  if (name === "=html") return content;
  const { options, body } = optionsOf(content);
  if (name === "eval-rst") return rstWithCitations(content);
  const heading = title === "" ? "" : `<p>${parser.renderInline(title, env)}</p>`;
  if (name === "list-table") return heading + listTable(body, Number(options.get("header-rows") ?? 0), env);
  if (name === "csv-table") {
    const header = options.get("header");
    const rows = csvRows(header === undefined ? body : `${header}\n${body}`, delimiterOf(options.get("delim")));
    return heading + tableOfRows(rows, 1, (cell) => parser.renderInline(cell, env));
  }
  return heading + markdownHtml(body, env, depth + 1);
}

/** Spec: https://docutils.sourceforge.io/docs/ref/rst/directives.html#csv-table-1 */
function delimiterOf(option = ","): string {
  const named: Readonly<Record<string, string>> = { tab: "\t", space: " " };
  const bare = option.replace(/^(["'])(.+)\1$/, "$2");
  return named[bare] ?? bare.charAt(0);
}

/** The options at the start of a directive: `:name: value` lines, or a YAML block. */
function optionsOf(content: string): { options: Map<string, string>; body: string } {
  const block = /^---\n([\s\S]{0,4000}?)\n---(?:\n|$)/.exec(content);
  const colons = /^(?:[ \t]*:[\w-]+:.*(?:\n|$))*/.exec(content)?.[0] ?? "";
  const lines = (block?.[1] ?? colons).split("\n");
  const options = lines.flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = /^\s*:?([\w-]+):\s*(\S.*)?$/.exec(line) ?? [];
    return name === "" ? [] : [[name, value]];
  });
  return { options: new Map(options), body: content.slice((block?.[0] ?? colons).length) };
}

/** A table written as a list of lists. Spec: https://mystmd.org/guide/tables#list-tables */
function listTable(markdown: string, headerRows: number, env: Env): string {
  const rows: string[][] = [];
  for (const line of markdown.split("\n")) {
    const first = /^\s*[*-]\s+[*-](?:\s+(\S.*)?)?$/.exec(line);
    const next = /^\s+[*-](?:\s+(\S.*)?)?$/.exec(line);
    const row = rows.at(-1);
    if (first) rows.push([first[1] ?? ""]);
    else if (row && next) row.push(next[1] ?? "");
    else if (row && line.trim() !== "") row[row.length - 1] = `${row.at(-1) ?? ""} ${line.trim()}`;
  }
  return tableOfRows(rows, headerRows, (cell) => parser.renderInline(cell, env));
}

/** `:::{note} Title`, `:::note[Title]`, `::: {.callout}`, `:::` */
const colonFence = /^\s*:{3,}(?!:)\s*(?:(?:\{[^}]{0,200}\}|[\w-]{1,40})\s*)?(?:\[([^\]]{0,200})\]\s*)?(\S.*)?$/;
const longFence = "~~~~~~~~~~~~";
/**
 * `!!! note "Title"`, `??? note`, `=== "Tab"`. Spec: https://squidfunk.github.io/mkdocs-material/reference/admonitions/
 */
const indentedFence = /^(\s*)(?:!!!|\?\?\?\+?|===\+?)\s+\S.{0,200}$/;

/**
 * Removes the syntax of Markdown dialects: colon fences and `!!!` blocks become plain text; `(targets)=`, `% comments`
 * and Quarto's `{{< … >}}` are deleted. Fenced code is kept.
 */
function withoutDialects(markdown: string): string {
  if (!/^[ \t]*(?::{3,}|!!!|\?\?\?|=== )|^\([\w-]+\)=|^% |^\{\{</m.test(markdown)) return markdown;
  const code = new Fences();
  let depth = 0;
  /** The opening colons of a directive that is kept as a code fence. */
  let openColons = "";
  return markdown
    .split("\n")
    .map((written) => {
      if (!code.isOpen && written.trim() !== "" && indentOf(written) < depth) depth = 0;
      const line = depth > 0 ? written.slice(Math.min(depth, indentOf(written))) : written;
      if (code.hold(line)) return line;
      if (indentedFence.test(line)) {
        depth += indentOf(line) + 4;
        return "";
      }
      const marker = /^\s*(:{3,})\s*(\{(?:list-table|csv-table|table|eval-rst)\}.*)?$/.exec(line);
      if (openColons !== "") {
        if (marker?.[2] !== undefined || !marker?.[1]?.startsWith(openColons)) return line;
        openColons = "";
        return longFence;
      }
      if (marker?.[1] !== undefined && marker[2] !== undefined) {
        openColons = marker[1];
        return `${longFence}${marker[2]}`;
      }
      const fence = colonFence.exec(line);
      if (fence) return `\n${fence[1] ?? fence[2] ?? ""}\n`;
      return /^\([\w-]+\)=\s*$|^% |^\{\{<.*>\}\}\s*$/.test(line) ? "" : line;
    })
    .join("\n");
}

/**
 * MDX without imports, exports and comments; a component with an address, such as a card, begins with a link.
 * Spec: https://mdxjs.com/docs/what-is-mdx/
 */
function withoutModules(text: string): string {
  const linked = text.replace(component, (_, name: string, before: string, address: string, after: string) => {
    const title = /\btitle="([^"]{1,300})"/.exec(before + after)?.[1] ?? "";
    return `<a href="${address}">${title}</a>${after.endsWith("/") ? "" : `<${name}>`}`;
  });
  return linked.replace(/^(?:import|export)\s.*$/gm, "").replace(/\{\/\*(?:(?!\{\/\*)[\s\S]){0,5000}?\*\/\}/g, "");
}

const component = /<([A-Z]\w{0,40})\b([^<>]{0,500}?)\bhref="(https?:[^"\s]{1,1000})"([^<>]{0,500})>/g;

const definition = /^ {0,3}\[\^([^\]\s]{1,60})\]:[ \t]*/gm;
const mark = /\[\^([^\]\s]{1,60})\]/g;

/**
 * Footnotes as numbers. Labels that are no numbers are counted in the order of first mention, as on GitHub.
 * Spec: https://docs.github.com/get-started/writing-on-github
 */
function numberFootnotes(markdown: string): string {
  const defined = new Set([...markdown.matchAll(definition)].map(([, label = ""]) => label));
  if (defined.size === 0) return markdown;
  const mentioned = new Set([...markdown.matchAll(mark)].map(([, label = ""]) => label));
  const order = [...mentioned].filter((label) => defined.has(label));
  const ownNumbers = order.every((label) => /^[1-9]\d{0,3}$/.test(label));
  const numbers = new Map(order.map((label, i) => [label, ownNumbers ? label : String(i + 1)]));
  return markdown
    .replace(definition, (_, label: string) => `\n\n&#91;${numbers.get(label)}&#93; `)
    .replace(mark, (whole, label: string) => {
      const number = numbers.get(label);
      return number === undefined ? whole : footnoteMark(number);
    });
}
