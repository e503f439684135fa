import MarkdownIt, { type Token } from "markdown-it";
import { wordSet } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import { blocksOf } from "../html/html.ts";
import { dropped } from "../html/tree.ts";
import { escapeHtml } from "../shared/body.ts";
import { keepingAddresses } from "./bare-addresses.ts";
import { Fences } from "./fences.ts";
import { blocksOfData } from "./plain.ts";
import { code, lastPart, rstHtml, silent } from "./rst.ts";

/** Levels of nested lists and quotes, at most; anything deeper is text. */
const nesting = 24;

const parser = keepingAddresses(new MarkdownIt({ html: true, maxNesting: nesting }));
// Link targets are dropped: one long definition may be used everywhere.
parser.renderer.rules.link_open = () => "<a>";
parser.renderer.rules.image = ([...tokens], i, options, env, renderer) =>
  `<img alt="${escapeHtml(renderer.renderInlineAsText(tokens[i]?.children ?? [], options, env)).replaceAll('"', "&quot;")}">`;

/** Tags that prose may contain. Any other is a placeholder or a type (`List<object>`), and stays as written. */
const inlineTags = wordSet(
  "a abbr b bdi bdo big br center cite code del details dfn div em font hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr",
);

/**
 * Markdown as blocks: GitHub's (tables, task lists, alerts, raw HTML) and MyST's (directives, roles). It
 * becomes HTML first, because it may contain HTML and its readers see HTML. Spec: https://github.github.com/gfm/,
 * https://spec.commonmark.org/, https://mystmd.org/spec
 * @throws Failure `too-many`
 */
export function blocksOfMarkdown(markdown: string): Block[] {
  return blocksOf(htmlOf(withoutComponents(tagsAtMargin(markdown)), 0));
}

/** The same for a file, which may begin with front matter: data. */
export async function blocksOfMarkdownFile(markdown: string): Promise<Block[]> {
  const { front, rest } = frontMatter(markdown);
  return [...(front === "" ? [] : await blocksOfData(front)), ...blocksOfMarkdown(rest)];
}

function htmlOf(markdown: string, depth: number): string {
  const tokens = withoutEmptyTags(parser.parse(directives(markdown), {}));
  return tokens.map((token, i) => html(token, i, tokens, depth)).join("");
}

/** Leaves out empty components, `<Canvas of={Stories} />`, which HTML takes for elements up to the end of the file. */
function withoutEmptyTags(tokens: Token[]): Token[] {
  const ends = new Map<string, number>();
  tokens.forEach((token, at) => {
    if (token.type !== "html_block") return;
    for (const [, name = ""] of token.content.matchAll(/<\/([a-z]+)/gi)) ends.set(name.toLowerCase(), at);
  });
  tokens.forEach((token, at) => {
    if (token.type !== "html_block") return;
    token.content = token.content.replace(/<([a-z]+)(?=[\s/>])[^<>]*>?/gi, (tag, name: string) => {
      const isOpen = !tag.endsWith("/>") && (ends.get(name.toLowerCase()) ?? -1) >= at;
      return !dropped.has(name.toLowerCase()) || isOpen ? tag : "";
    });
  });
  return tokens;
}

function html(token: Token, i: number, tokens: Token[], depth: number): string {
  if (token.type === "inline")
    return parser.renderer.renderInline(prose(token, tokens[i - 2], tokens[i - 1]), parser.options, {});
  if (token.type === "fence") return fence(token, depth);
  if (token.type === "html_block") return token.content;
  return parser.renderer.render([token], parser.options, {});
}

/** ```` ```{note} ```` of MyST contains Markdown rather than code. */
function fence(token: Token, depth: number): string {
  const name = /^\{([\w:-]+)\}/.exec(token.info.trim())?.[1];
  if (name === undefined || depth >= 5 || code.has(name))
    return `<p>${escapeHtml(titleIn(token.info))}</p><pre>${escapeHtml(token.content)}</pre>`;
  if (silent.has(name)) return "";
  if (name === "eval-rst") return rstHtml(token.content);
  if (name === "toctree") return rstHtml(`.. toctree::\n${token.content.replace(/^/gm, "   ")}`);
  const title = token.info.trim().slice(name.length + 2);
  const inside = htmlOf(`${title}\n\n${token.content.replace(/^(?::[\w-]+:.*\n)+/, "")}`, depth + 1);
  return `<blockquote>${inside}</blockquote>`;
}

function prose(token: Token, outer: Token | undefined, around: Token | undefined): Token[] {
  const children = [...(token.children ?? [])];
  children.forEach((child, i) => {
    if (child.type === "html_inline") asText(child);
    if (child.type === "text" && children[i + 1]?.type === "code_inline") role(child, children[i + 1]);
  });
  const pieces =
    around?.type === "heading_open"
      ? children
      : children.flatMap((child, i) => [child, ...wordsOfTarget(child, children[i + 1])]);
  const first = children[0];
  if (first?.type !== "text") return pieces;
  if (outer?.type === "blockquote_open") first.content = first.content.replace(/^\[!\w{1,20}\]\s*/, "");
  if (outer?.type === "list_item_open") first.content = first.content.replace(/^\[X\] /, "[x] ");
  return pieces;
}

/** The address of a document, or the name of a label: `../install/guide.md#steps`, `#limits`, `limits`. */
const document = /^(?:#?[^/#:]*|[^:#]*\.(?:md|rst|ipynb)(?:#[^/]*)?)$/;

/** `[](guide.md)` shows a document's title, here the last part of its address. Others were pictures, or are anchors. */
function wordsOfTarget(link: Token, next: Token | undefined): Token[] {
  if (link.type !== "link_open" || next?.type !== "link_close") return [];
  const target = String(link.attrGet("href") ?? "");
  if (!document.test(target)) return [];
  const text = new MarkdownIt.Token("text", "", 0);
  text.content = lastPart(target);
  return [text];
}

function asText(token: Token): void {
  const tag = /^<\/?([a-z][\w-]*)/i.exec(token.content)?.[1];
  if (tag !== undefined && !inlineTags.has(tag.toLowerCase())) token.type = "text";
}

/** `` {ref}`the guide <guide>` `` is the text "the guide". */
function role(before: Token, content: Token | undefined): void {
  const name = /\{[\w:-]{1,40}\}$/.exec(before.content.slice(-42))?.[0];
  if (name === undefined || content === undefined) return;
  before.content = before.content.slice(0, -name.length);
  const shown = content.content.replace(/(?<!\s)\s*<[^<>]*>$/, "").trim();
  content.content =
    name === "{doc}" || shown === "" ? lastPart((shown || content.content).replace(/[<>]/g, "")) : shown;
}

/** A time of day dates the file, since a program wrote it. A picture shows no text. */
const silentField =
  /^[\w.-]{1,60}:[ \t]{0,9}(["']?)(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]{0,12} ?(?:Z|[+-]\d\d:?\d\d)?|\S{1,200}\.(?:avif|gif|ico|jpe?g|png|svg|webp))\1[ \t]{0,9}\r?$/gim;

/** Front matter without comments and silent fields, and the text below. Spec: https://jekyllrb.com/docs/front-matter/ */
function frontMatter(markdown: string): { front: string; rest: string } {
  const text = markdown.replace(/^\uFEFF/, "");
  const open = /^---[ \t]*\r?\n/.exec(text)?.[0];
  const end = open === undefined ? -1 : text.indexOf("\n---", open.length - 1);
  if (open === undefined || end < 0 || !/^\n---[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40))) {
    return { front: "", rest: text };
  }
  const fields = text.slice(open.length, end).replace(/^[ \t]*#.*$/gm, "");
  const rest = text.slice(end + 1).replace(/^---[^\n]*\n?/, "");
  return { front: fields.replace(silentField, "").trim(), rest };
}

/** `:::{note} Title`, `:::note`, `:::` */
const colons = /^\s*:{3,}(?!:)/;
/** The name or the attributes of pandoc after the colons. */
const fenceName = /^\s*(?:\{[^{}]{1,200}\}|[\w-]{1,40})?\s*/;

/**
 * Markdown without the control lines of MyST and similar formats: fences of colons (their title and content stay),
 * options right below a fence, `(targets)=` and `% comments`. Fenced code is left alone. Spec:
 * https://mystmd.org/guide/syntax-overview
 */
function directives(markdown: string): string {
  if (!/^[^\S\n\r\u2028\u2029]*:{3,}|^\([\w-]+\)=|^% /m.test(markdown)) return markdown;
  const fenced = new Fences();
  let opened = false;
  const lines = markdown.split("\n").map((line) => {
    if (fenced.hold(line)) return line;
    const fence = colons.exec(line);
    const option = opened && /^\s*:[\w-]+:/.test(line);
    opened = fence !== null || option;
    if (fence) return `\n${line.slice(fence[0].length).replace(fenceName, titleIn)}\n`;
    return option || /^\([\w-]+\)=\s*$|^% /.test(line) ? "" : line;
  });
  return lines.join("\n");
}

/** Tags of elements that hold others, up to their end. */
const containers = /<(\/?)(?:table|div|details|section|center|[uod]l)\b[^<>]*>/gi;

/** Markdown whose tags within HTML are not indented: behind an empty line, an indented one would be code. */
function tagsAtMargin(markdown: string): string {
  const fenced = new Fences();
  let depth = 0;
  const lines = markdown.split("\n").map((line) => {
    if (fenced.hold(line)) return line;
    const shown = depth > 0 ? line.replace(/^\s+(?=<)/, "") : line;
    if (!/^ {0,3}</.test(shown)) return shown;
    for (const [, end] of shown.matchAll(containers)) depth = Math.max(0, depth + (end ? -1 : 1));
    return shown;
  });
  return lines.join("\n");
}

/** A component's tag alone on its line: `<Step title="Install">`, `<Card />`, `</Steps>`. In capitals it is HTML. */
const tagLine = /^( *)<(\/?)(?=[A-Z]+[a-z])[\w.]+(\s(?:[^<>]|=>)*?)?(\/?)>\s*$/;
const closingTag = /^ *<\/(?=[A-Z]+[a-z])[\w.]+>\s*$/m;

/** The title that a component, a tab or a block of code shows above its text. */
function titleIn(attributes: string): string {
  const [, double, single] = /\s(?:title|label)=(?:"([^"]*)"|'([^']*)')/.exec(attributes) ?? [];
  return double ?? single ?? "";
}

/**
 * MDX without the tags of its components, which may indent their text as they like. Their titles are shown, so they are kept;
 * comments are dropped. Spec: https://mdxjs.com/docs/what-is-mdx/
 */
function withoutComponents(markdown: string): string {
  if (!closingTag.test(markdown)) return markdown;
  const fenced = new Fences();
  /** How far the text of each open component is indented; undefined before its first line. */
  const indents: (number | undefined)[] = [];
  let outermost = 0;
  const lines = markdown.split("\n").map((line) => {
    const isCode = fenced.hold(line);
    const [, before = "", end, attributes = "", isEmpty] = (isCode ? null : tagLine.exec(line)) ?? [];
    if (end !== undefined) {
      if (indents.length === 0) outermost = before.length;
      if (end) indents.pop();
      else if (!isEmpty) indents.push(undefined);
      return `\n${" ".repeat(outermost)}${titleIn(attributes)}\n`;
    }
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (indents.length > 0 && line.trim() !== "") indents[indents.length - 1] ??= indent;
    const surplus = Math.min(indent, Math.max(0, (indents.at(-1) ?? 0) - outermost));
    const text = line.slice(surplus);
    return isCode ? text : text.replace(/\{\/\*(?:(?!\{\/\*).)*?\*\/\}/g, "");
  });
  return lines.join("\n");
}
