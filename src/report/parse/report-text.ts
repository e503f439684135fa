import { type CheerioAPI, load } from "cheerio/slim";
import type { ParentNode } from "domhandler";
import { Failure } from "../../model/failure.ts";
import { treeOf, walk } from "../../read/html/tree.ts";
import { fileText } from "../rate/words.ts";
import { markupOf } from "./formats.ts";
import { gather } from "./gather.ts";

/** A report, read. */
export interface ReportText {
  /** As the document's head says it. */
  readonly title?: string;
  /** The text of the picture at the start of a report, where a README may have it in place of a title. */
  readonly logo?: string;
  /** Where it is published, as its head says it. */
  readonly url?: string;
  /** `key: value` of its front matter. */
  readonly front: ReadonlyMap<string, string>;
  readonly parts: readonly ReportPart[];
  /** The tables whose rows are among the parts. */
  readonly tables: readonly ReportTable[];
  /** Addresses that Markdown defines by number, `[1]: https://…`, with their titles. */
  readonly defined: ReadonlyMap<number, ReportLink>;
  /** There was more than is read. */
  readonly cut: boolean;
}

/** A heading, paragraph, item or row, with all that helps to find references and ratings in it. */
export interface ReportPart {
  readonly kind: "heading" | "text" | "item" | "row";
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** Its lines, joined by line feeds; white space within a line is folded. Marks of citations are left out. */
  readonly text: string;
  readonly links: readonly ReportLink[];
  /** Of a heading: 1 to 6, where it is marked as one. */
  readonly level?: number;
  /** Of an item: how many lists it stands in. */
  readonly depth?: number;
  /** The number of an item in an ordered list. */
  readonly number?: number;
  /** Ids by which links within the report reach it. */
  readonly ids: readonly string[];
  /** Its code, where addresses stand in it: they are examples. */
  readonly code?: string;
  /** References that it names: `¹`, `[1]`, `[^1]`. */
  readonly cited: readonly number[];
  /** Where its text cites, in order: marks that were taken out of it, and the ends of its links. */
  readonly marks: readonly ReportMark[];
  /** Of a row: its cells as they are written, and which of the tables it is in. */
  readonly cells?: readonly ReportCell[];
  readonly table?: number;
}

/** A link to somewhere else. */
export interface ReportLink {
  /** Its label as people read it; empty where it shows a picture or a number alone. */
  readonly text: string;
  /** As it is written. */
  readonly address: string;
  /** It shows nothing but a picture. */
  readonly picture?: boolean;
}

/** A citation of one reference by its number, or of one address, right behind so many characters of a text. */
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
  /** References that it names. */
  readonly cited?: readonly number[];
  /** It is the name of something in a program. */
  readonly code?: boolean;
  /** Its text is what a picture shows. */
  readonly picture?: boolean;
}

/** A table as people see it: what spans rows or columns stands in each of them. */
export interface ReportTable {
  /** By which its rows among the parts name it. */
  readonly id: number;
  readonly path: readonly string[];
  /** One name a column; empty where it has none. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReportCell[])[];
}

/** Characters of a report; more than any that people read. */
const mostCharacters = 1_000_000;

/**
 * Reads a report in any of the formats that its name or its beginning tells. Never throws: a text that no reader takes
 * (nested a thousand deep) has no parts.
 */
export function reportTextOf(path: string, text: string): ReportText {
  const whole = fileText(text, mostCharacters);
  try {
    const { html, front, defined } = markupOf(path, whole);
    const root = treeOf(html);
    const { parts, tables, full } = gather(root);
    const logo = logoOf(root);
    return {
      ...headOf(load(root)),
      ...(logo && { logo }),
      front,
      parts: headed(parts),
      tables,
      defined,
      cut: text.length > mostCharacters || full,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { front: new Map(), parts: [], tables: [], defined: new Map(), cut: true };
  }
}

/** Elements that are asked whether they are in the head: each is asked for all elements around it. */
const mostInHead = 20;

/** Spec: https://html.spec.whatwg.org/multipage/links.html#link-type-canonical, https://ogp.me/ */
function headOf($: CheerioAPI): { title?: string; url?: string } {
  const head = $("title, link[rel=canonical i], meta[property='og:url']").slice(0, mostInHead).not("body *");
  const title = head.filter("title").first().text().replace(/\s+/g, " ").trim();
  const [url] = head.toArray().flatMap(({ attribs: { href, content } }) => href ?? content ?? []);
  return { ...(title && { title }), ...(url && { url }) };
}

/** The words of the first picture, if no text is before it; none of a badge. */
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
    leave() {},
    done: () => isText || logo !== undefined,
  });
  return logo;
}

/**
 * Text without headings: a short line that ends like no sentence, above one that does not look like it, is one. What
 * has headings of its own is left as it is.
 */
function headed(parts: readonly ReportPart[]): readonly ReportPart[] {
  if (parts.some(({ kind }) => kind === "heading")) return parts;
  let path: readonly string[] = [];
  return parts.map((part, i): ReportPart => {
    const next = parts[i + 1];
    if (!heads(part) || !next || heads(next)) return { ...part, path };
    path = [part.text];
    return { ...part, kind: "heading", path: [] };
  });
}

function heads({ kind, text, links }: ReportPart): boolean {
  const short = kind === "text" && links.length === 0 && text.length <= 80 && !text.includes("\n");
  return short && /^[\p{Lu}\p{Nd}]/u.test(text) && !/[.,:;!?…>)"'”]$/.test(text);
}
