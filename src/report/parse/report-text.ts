import type { CheerioAPI } from "cheerio/slim";
import type { ParentNode } from "domhandler";
import { Failure } from "../../model/failure.ts";
import { documentOver } from "../../read/html/document.ts";
import { treeOf, walk } from "../../read/html/tree.ts";
import { fileText } from "../rate/words.ts";
import { markupOf } from "./formats.ts";
import { parseHtml } from "./parse-html.ts";

export interface ReportText {
  /** From the document's head. */
  readonly title?: string;
  /** Alternative text of the picture at the start; a README may use it as its title. */
  readonly logo?: string;
  /** Its published address, from the document's head. */
  readonly url?: string;
  readonly front: ReadonlyMap<string, string>;
  readonly parts: readonly ReportPart[];
  /** Tables; their rows are also among the parts. */
  readonly tables: readonly ReportTable[];
  /** Numbered link definitions in Markdown with their titles: `[1]: https://…`. */
  readonly defined: ReadonlyMap<number, ReportLink>;
  /** The report was too long, and its end is missing. */
  readonly cut: boolean;
}

/** A heading, paragraph, list item or table row. */
export interface ReportPart {
  readonly kind: "heading" | "text" | "item" | "row";
  /** The headings above it, outermost first. */
  readonly path: readonly string[];
  /** Its lines, joined by line feeds. White space is folded, citation marks are removed. */
  readonly text: string;
  readonly links: readonly ReportLink[];
  /** Heading level, 1 to 6; missing if the heading was only guessed. */
  readonly level?: number;
  /** Nesting depth of a list item, from 1. */
  readonly depth?: number;
  /** The number of an item in an ordered list. */
  readonly number?: number;
  /** Ids that links within the report may use. */
  readonly ids: readonly string[];
  /** Its code, if that contains addresses: they are examples. */
  readonly code?: string;
  /** Numbers of cited references: `¹`, `[1]`, `[^1]`. */
  readonly cited: readonly number[];
  /** The places of citations, in order: marks that were removed from the text, and the ends of links. */
  readonly marks: readonly ReportMark[];
  /** The cells of a row, and the id of its table. */
  readonly cells?: readonly ReportCell[];
  readonly table?: number;
}

export interface ReportLink {
  /** The visible label; empty if it is a picture or a number. */
  readonly text: string;
  /** As written. */
  readonly address: string;
  readonly picture?: boolean;
}

/** A citation by number or address, after `at` characters of the text. */
export interface ReportMark {
  readonly at: number;
  readonly number?: number;
  readonly address?: string;
}

export interface ReportCell {
  readonly text: string;
  readonly links: readonly ReportLink[];
  /** It names a row or a column. */
  readonly head: boolean;
  readonly cited?: readonly number[];
  /** Most of its text is code. */
  readonly code?: boolean;
  /** Most of its text comes from pictures. */
  readonly picture?: boolean;
}

/** A table as readers see it: a cell that spans rows or columns is in each of them. */
export interface ReportTable {
  /** The rows among the parts refer to it by this id. */
  readonly id: number;
  readonly file?: string;
  readonly path: readonly string[];
  /** One name per column; may be empty. */
  readonly columns: readonly string[];
  /** The columns after the first are names of code. */
  readonly codeColumns?: boolean;
  readonly rows: readonly (readonly ReportCell[])[];
}

/** Longer than reports for people. */
export const mostCharacters = 1_000_000;
/** Data is read as a whole or not at all; most of a notebook is pictures and output. */
const mostOfData = 20_000_000;

/**
 * Parses a report in any supported format. Never throws: a text that cannot be parsed (say, nested a thousand deep) has
 * no parts.
 */
export function reportTextOf(path: string, text: string): ReportText {
  const most = /\.(?:ipynb|json)$/i.test(path) ? mostOfData : mostCharacters;
  try {
    const { html, front, defined } = markupOf(path, fileText(text, most));
    const root = treeOf(html.slice(0, mostCharacters));
    const { parts, tables, full } = parseHtml(root);
    const logo = logoOf(root);
    const head = documentOver(root);
    return {
      ...headOf(head),
      ...(logo && { logo }),
      front: new Map([...daysOf(head), ...front]),
      parts: withGuessedHeadings(parts),
      tables,
      defined,
      cut: text.length > most || html.length > mostCharacters || full,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { front: new Map(), parts: [], tables: [], defined: new Map(), cut: true };
  }
}

/** The most elements that are tested for being in the head: each test walks up the tree. */
const mostInHead = 60;

/** Spec: https://html.spec.whatwg.org/multipage/links.html#link-type-canonical, https://ogp.me/ */
function headOf($: CheerioAPI): { title?: string; url?: string } {
  const head = $("title, link[rel=canonical i], meta[property='og:url']").slice(0, mostInHead).not("body *");
  const title = head.filter("title").first().text().replace(/\s+/g, " ").trim();
  const [url] = head.toArray().flatMap(({ attribs: { href, content } }) => href ?? content ?? []);
  return { ...(title && { title }), ...(url && { url }) };
}

/**
 * The days that a page's head states, by their names in front matter. Spec:
 * https://www.dublincore.org/specifications/dublin-core/dcmi-terms/, https://ogp.me/#type_article
 */
function daysOf($: CheerioAPI): [name: string, day: string][] {
  const metas = $("meta[content]").slice(0, mostInHead).not("body *").toArray();
  return metas.flatMap(({ attribs: { name, property = name, content = "" } }) => {
    const [, key] = /^(?:dc(?:terms)?\.|article:)?(date|created|modified)(?:_time)?$/i.exec(property ?? "") ?? [];
    return key ? [[key.toLowerCase(), content]] : [];
  });
}

/** Alternative text of the first picture if no text precedes it; empty for a badge. */
function logoOf(root: ParentNode): string | undefined {
  let logo: string | undefined;
  let isText = false;
  walk(root, {
    enter({ name, attribs }) {
      if (name === "img") logo = /badge|shields?\b/i.test(attribs.src?.slice(0, 300) ?? "") ? "" : (attribs.alt ?? "");
      return name !== "head";
    },
    text(data) {
      isText ||= data.trim() !== "";
    },
    done: () => isText || logo !== undefined,
  });
  return logo;
}

/** Finds headings in a text without any: a short line without final punctuation, above a line that is not like it. */
function withGuessedHeadings(parts: readonly ReportPart[]): readonly ReportPart[] {
  if (parts.some(({ kind }) => kind === "heading")) return parts;
  let path: readonly string[] = [];
  return parts.map((part, i): ReportPart => {
    const next = parts[i + 1];
    if (!isHeadingLine(part) || !next || isHeadingLine(next)) return { ...part, path };
    path = [part.text];
    return { ...part, kind: "heading", path: [] };
  });
}

function isHeadingLine({ kind, text, links }: ReportPart): boolean {
  const short = kind === "text" && links.length === 0 && text.length <= 80 && !text.includes("\n");
  return short && /^[\p{Lu}\p{Nd}]/u.test(text) && !/[.,:;!?…>)"'”]$/.test(text);
}
