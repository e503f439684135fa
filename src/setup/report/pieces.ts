import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { Failure } from "../../failure.ts";
import { treeOf, walk } from "../../read/html/tree.ts";
import { gather } from "./gather.ts";
import { htmlOfMarkdown } from "./markdown.ts";
import type { Link, Piece, Pieces } from "./piece.ts";

/** Characters of a report; more than any that people read. */
const longest = 1_000_000;

/**
 * Reads a report in HTML, Markdown or plain text, whichever its name or its beginning says. Never throws: a text that
 * no reader takes (nested a thousand deep) has no pieces.
 */
export function piecesOf(path: string, text: string): Pieces {
  const whole = text
    .slice(0, longest)
    .replace(/\r\n?/g, "\n")
    .replace(/^\ufeff/, "");
  const { front, rest } = isHtml(path, whole) ? { front: new Map<string, string>(), rest: whole } : frontMatter(whole);
  const { html, defined } = isHtml(path, whole)
    ? { html: rest, defined: new Map<number, Link>() }
    : htmlOfMarkdown(rest);
  try {
    const root = treeOf(html);
    const { pieces, full } = gather(root);
    return { ...headOf(root), front, pieces: headed(pieces), defined, cut: text.length > longest || full };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { front, pieces: [], defined, cut: true };
  }
}

function isHtml(path: string, text: string): boolean {
  if (/\.x?html?$/i.test(path)) return true;
  return (
    !/\.(?:md|markdown|mdown|mkd|qmd|rmd|mdx)$/i.test(path) &&
    /^\s*<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 500))
  );
}

/** Spec: https://jekyllrb.com/docs/front-matter/ */
function frontMatter(text: string): { front: Map<string, string>; rest: string } {
  const end = text.startsWith("---\n") ? text.indexOf("\n---\n", 3) : -1;
  if (end < 0 || end > 20_000) return { front: new Map(), rest: text };
  const lines = text.slice(4, end).split("\n");
  const entries = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    if (at < 1 || /^[\s#-]/.test(line)) return [];
    return [
      [
        line.slice(0, at).trim().toLowerCase(),
        line
          .slice(at + 1)
          .trim()
          .replace(/^(["'])(.*)\1$/, "$2"),
      ],
    ];
  });
  return { front: new Map(entries), rest: text.slice(end + 5) };
}

function headOf(root: ParentNode): { title?: string; url?: string } {
  let title: string | undefined;
  let url: string | undefined;
  walk(root, {
    enter(element) {
      if (element.name === "title") title ??= textOf(element);
      url ??= addressOf(element);
      return element.name !== "body";
    },
    text() {},
    leave() {},
  });
  return { ...(title && { title }), ...(url && { url }) };
}

function textOf(element: Element): string | undefined {
  const text = element.children.filter(isText).map((child) => child.data);
  return text.join(" ").replace(/\s+/g, " ").trim() || undefined;
}

/** Spec: https://html.spec.whatwg.org/multipage/links.html#link-type-canonical, https://ogp.me/ */
function addressOf(element: Element): string | undefined {
  if (!isTag(element)) return undefined;
  const { rel, href, property, content } = element.attribs;
  if (element.name === "link" && rel?.toLowerCase() === "canonical") return href;
  return element.name === "meta" && property === "og:url" ? content : undefined;
}

/**
 * Text without headings: a short line that ends like no sentence, above one that does not look like it, is one. What
 * has headings of its own is left as it is.
 */
function headed(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.some(({ kind }) => kind === "heading")) return pieces;
  let path: readonly string[] = [];
  return pieces.map((piece, i): Piece => {
    const next = pieces[i + 1];
    if (!heads(piece) || !next || heads(next)) return { ...piece, path };
    path = [piece.text];
    return { ...piece, kind: "heading", path: [] };
  });
}

function heads({ kind, text, links }: Piece): boolean {
  const short = kind === "text" && links.length === 0 && text.length <= 80 && !text.includes("\n");
  return short && /^[\p{Lu}\p{Nd}]/u.test(text) && !/[.,:;!?…>)"'”]$/.test(text);
}
