import MarkdownIt, { type Env } from "markdown-it";
import type { Link } from "./piece.ts";

const parser = new MarkdownIt({ html: true, maxNesting: 24, breaks: true }).disable("code");

/**
 * Markdown as HTML: ends of lines stay, because text that was extracted from a page has its tables in lines.
 * Spec: https://github.github.com/gfm/; footnotes: https://docs.github.com/get-started/writing-on-github
 */
export function htmlOfMarkdown(markdown: string): { html: string; defined: Map<number, Link> } {
  const env: Env = {};
  const html = parser.render(footnotes(markdown), env);
  const defined = new Map<number, Link>();
  for (const [label, { href, title }] of Object.entries(env.references ?? {})) {
    if (/^\d{1,4}$/.test(label) && Number(label) > 0) defined.set(Number(label), { address: href, text: title ?? "" });
  }
  return { html, defined };
}

const definition = /^ {0,3}\[\^([^\]\s]{1,60})\]:[ \t]*/gm;
const mark = /\[\^([^\]\s]{1,60})\]/g;

/** Footnotes, by their numbers: those they have, else as GitHub counts them, in the order of their first mention. */
function footnotes(markdown: string): string {
  const defined = new Set([...markdown.matchAll(definition)].map(([, label = ""]) => label));
  if (defined.size === 0) return markdown;
  const mentioned = new Set([...markdown.matchAll(mark)].map(([, label = ""]) => label));
  const order = [...mentioned].filter((label) => defined.has(label));
  const ownNumbers = order.every((label) => /^[1-9]\d{0,3}$/.test(label));
  const numbers = new Map(order.map((label, i) => [label, ownNumbers ? label : String(i + 1)]));
  return markdown
    .replace(definition, (_, label: string) => `\n\n&#91;${numbers.get(label)}&#93; `)
    .replace(mark, (whole, label: string) => (numbers.has(label) ? `<sup>${numbers.get(label)}</sup>` : whole));
}
