import { matches, wikiNames } from "../../language/lexicon.ts";
import { escapeHtml, footnoteMark } from "../../read/shared/body.ts";
import { doiIn, doiPage } from "../../read/shared/doi.ts";

const isCitation = matches(`^(?:${wikiNames("shown-template").join("|")})\\b`);
const category = new RegExp(`\\[\\[(?:${wikiNames("category").join("|")})\\s*:[^[\\]]{0,300}\\]\\]`, "gi");
const file = new RegExp(
  `\\[\\[(?:${wikiNames("file").join("|")})\\s*:((?:[^[\\]]|\\[{1,2}[^[\\]]{0,500}\\]{1,2}){0,1000})\\]\\]`,
  "gi",
);
const redirect = new RegExp(`^#(?:${wikiNames("redirect").join("|")})\\b.*$`, "gim");

/** Nesting depth of templates. */
const deepest = 4;

/**
 * Wiki markup as HTML, line by line: headings, lists, tables, links, footnotes, and templates for citations and for yes
 * and no.
 * Spec: https://www.mediawiki.org/wiki/Help:Formatting, https://www.mediawiki.org/wiki/Help:Tables
 */
export function mediawikiHtml(text: string): string {
  const notes = new Notes();
  const plain = text
    .replaceAll(privateMarks.open, "")
    .replaceAll(privateMarks.close, "")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(pre|syntaxhighlight|source|math|gallery)\b[^>]{0,300}>[\s\S]*?(?:<\/\1>|$)/gi, "")
    .replace(/<\/?nowiki>/gi, "")
    .replace(redirect, "")
    .replace(/(?<![\w/.=-])__[A-Z]{3,30}__/g, "");
  const content = notes.extract(withoutTemplates(plain));
  const html = linesHtml(content) + notes.html();
  return html.replace(placeOfKept, (_, i: string) => notes.links[Number(i)] ?? "");
}

/** Private characters around the index of HTML that must not be escaped. */
const privateMarks = { open: "\ue000", close: "\ue001" } as const;
const placeOfKept = new RegExp(`${privateMarks.open}(\\d{1,6})${privateMarks.close}`, "g");

/** Expands templates from the innermost out: citations become links, answers become words, others are removed. */
function withoutTemplates(text: string): string {
  let written = text;
  for (let depth = 0; depth < deepest; depth++)
    written = written.replace(/\{\{([^{}]{0,3000})\}\}/g, (_, inner: string) => templateText(inner));
  return written;
}

const answers = new Set(
  "yes no partial partially some maybe depends good bad none planned beta included n/a unknown dunno ?".split(" "),
);

/** The named fields of a template, by their names in lower case. */
export function templateFields(parts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const [, key = "", value = ""] = /^\s*([\p{L}][\p{L}\p{N}_ -]{0,30}?)\s*=([\s\S]*)$/u.exec(part) ?? [];
      return key === "" ? [] : [[key.toLowerCase(), value.trim()]];
    }),
  );
}

function templateText(inner: string): string {
  const [name = "", ...parts] = inner.split("|").map((part) => part.trim());
  const fields = templateFields(parts);
  const shown = parts.filter((part) => !/^[\w-]{1,30}\s*=/.test(part)).join(", ");
  if (answers.has(name.toLowerCase())) return shown === "" ? name : `${name} (${shown})`;
  if (!isCitation(name)) return "";
  const doi = doiIn(fields.get("doi") ?? "");
  const address = fields.get("url") ?? (doi === undefined ? undefined : doiPage(doi));
  const title = (fields.get("title") ?? fields.get("titel") ?? fields.get("titre") ?? "").replace(/[[\]]/g, "");
  const others = ["author", "last", "work", "publisher", "date"].flatMap((key) => fields.get(key) ?? []);
  const work = address && /^https?:/i.test(address) ? `[${address.replace(/\s/g, "%20")} ${title}]` : title;
  return [work, ...others].filter((part) => part !== "").join(", ");
}

/** Footnotes by number; their texts follow at the end. */
class Notes {
  readonly links: string[] = [];
  private readonly texts: string[] = [];
  private readonly byName = new Map<string, number>();

  /** The text with footnote marks in place of notes, and with placeholders for links. */
  extract(text: string): string {
    const marked = text
      .replace(/<ref\b([^>]{0,200})\/>/gi, (_, attributes: string) => this.mark(attributes, ""))
      .replace(/<ref\b([^>/]{0,200})>([\s\S]*?)(?:<\/ref>|$)/gi, (_, attributes: string, note: string) =>
        this.mark(attributes, note),
      )
      .replace(/<references\b[^>]{0,200}\/?>/gi, "");
    return this.replaceLinks(marked);
  }

  private mark(attributes: string, note: string): string {
    const name = /\bname\s*=\s*["']?([^"'/>]{1,100})/i.exec(attributes)?.[1]?.trim();
    const known = name === undefined ? undefined : this.byName.get(name);
    const number = known ?? this.texts.push("");
    if (name !== undefined) this.byName.set(name, number);
    if (note !== "") this.texts[number - 1] = this.replaceLinks(note);
    return this.keep(footnoteMark(number));
  }

  /**
   * Placeholders for links to the web. Wiki links become their label, and pictures their caption. Many write links to the
   * web as those to pages, as in Creole: `[[https://kite.example|Kite]]`.
   */
  private replaceLinks(text: string): string {
    return text
      .replace(category, "")
      .replace(file, (_, inner: string) => captionOf(inner))
      .replace(/\[\[(https?:\/\/[^\s[\]|<>"]{1,1000})(?:\|([^[\]\n]{0,500}))?\]\]/gi, "[$1 $2]")
      .replace(/\[\[(?:[^[\]|]{0,300}\|)?([^[\]|]{1,300})\]\]/g, "$1")
      .replace(
        /\[((?:https?:)?\/\/[^\s[\]<>"]{1,1000})(?:\s+([^[\]\n]{0,500}))?\]/gi,
        (_, address: string, label = "") =>
          this.keep(`<a href="${escapeHtml(address)}">${escapeHtml(withoutQuotes(label))}</a>`),
      );
  }

  private keep(html: string): string {
    return `${privateMarks.open}${this.links.push(html) - 1}${privateMarks.close}`;
  }

  html(): string {
    return this.texts.map((text, i) => `<p>[${i + 1}] ${inlineHtml(text.replace(/\n/g, " "))}</p>`).join("");
  }
}

/** The caption of a picture: its last option, unless that sets the layout. */
function captionOf(inner: string): string {
  const [, ...options] = inner.split("|");
  const caption = options.at(-1) ?? "";
  return /^(?:thumb|frame|frameless|border|left|right|center|none|upright|\d{1,4}px|\w{2,10}=.*)$/.test(caption)
    ? ""
    : caption;
}

function withoutQuotes(text: string): string {
  return text.replace(/'{2,5}/g, "");
}

const inlineTags = /&lt;(\/?(?:br|sup|sub|code|s|del|small|big|b|i|u))(?:\s[^&]{0,100})?\/?&gt;/gi;

function inlineHtml(text: string): string {
  return escapeHtml(withoutQuotes(text))
    .replace(inlineTags, "<$1>")
    .replace(/&amp;(?=[a-z]{2,8};|#\d{2,5};)/gi, "&");
}

function linesHtml(text: string): string {
  const out: string[] = [];
  /** The markers of the open lists: `*`, `*#`. */
  let open = "";
  let table: Table | undefined;
  const list = (marks: string) => {
    let same = 0;
    while (same < open.length && same < marks.length && open[same] === marks[same]) same++;
    for (const mark of [...open].slice(same).toReversed()) out.push(`</li></${tagOf(mark)}>`);
    if (same > 0 && same === marks.length) out.push("</li><li>");
    for (const mark of [...marks].slice(same)) out.push(`<${tagOf(mark)}><li>`);
    open = marks;
  };
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (table === undefined && /^:*\s*\{\|/.test(trimmed)) {
      list("");
      table = new Table();
    } else if (table !== undefined) {
      if (/^\|\}/.test(trimmed)) {
        out.push(table.html());
        table = undefined;
      } else table.line(trimmed);
    } else {
      const [, marks = "", item = ""] = /^([*#:;]{1,6})\s*(\S.*)?$/.exec(trimmed) ?? [];
      const level = levelOf(trimmed);
      list(marks);
      if (marks !== "") out.push(inlineHtml(item));
      else if (level > 0) out.push(`<h${level}>${inlineHtml(trimmed.slice(level, -level).trim())}</h${level}>`);
      else if (trimmed !== "") out.push(`${inlineHtml(trimmed)} `);
      else if (out.at(-1) !== endOfParagraph) out.push(endOfParagraph);
    }
  }
  list("");
  return `<p>${out.join("")}${table?.html() ?? ""}</p>`;
}

const endOfParagraph = "</p><p>";

/** The level of a heading: the number of equals signs on both sides; 0 for other lines. */
function levelOf(line: string): number {
  let level = 0;
  while (level < 6 && line[level] === "=" && line.at(-1 - level) === "=") level++;
  return line.slice(level, -level).trim() === "" ? 0 : level;
}

function tagOf(mark: string): string {
  return mark === "#" ? "ol" : "ul";
}

/** A table. Each cell may be on its own line and have attributes before its text. */
class Table {
  private readonly rows: string[][] = [[]];
  private caption = "";

  line(line: string): void {
    if (/^\|\+/.test(line)) this.caption = line.slice(2);
    else if (/^\|-/.test(line)) this.rows.push([]);
    else if (/^[|!]/.test(line)) {
      const tag = line.startsWith("!") ? "th" : "td";
      const cells = line.slice(1).split(tag === "th" ? /!!|\|\|/ : "||");
      for (const cell of cells) this.cell(tag, cell);
    } else this.addLine(line);
  }

  private cell(tag: string, written: string): void {
    const before = written.slice(0, Math.max(0, written.indexOf("|")));
    const attributes = /^\s*[a-z-]{2,20}\s*=\s*\S/i.test(before) ? before : "";
    const text = attributes === "" ? written : written.slice(before.length + 1);
    const spans = [...attributes.matchAll(/\b(colspan|rowspan)\s*=\s*"?(\d{1,3})/gi)].map(
      ([, name, count]) => ` ${name}="${count}"`,
    );
    this.rows.at(-1)?.push(`<${tag}${spans.join("")}>${inlineHtml(text.trim())}`);
  }

  private addLine(line: string): void {
    const row = this.rows.at(-1);
    const last = row?.at(-1);
    if (row && last !== undefined && line !== "")
      row[row.length - 1] = `${last}<br>${inlineHtml(line.replace(/^[*#:;]+\s*/, ""))}`;
  }

  html(): string {
    const rows = this.rows
      .filter((row) => row.length > 0)
      .map((row) => `<tr>${row.map((cell) => `${cell}${cell.startsWith("<th") ? "</th>" : "</td>"}`).join("")}</tr>`);
    return `<table>${this.caption && `<caption>${inlineHtml(this.caption)}</caption>`}${rows.join("")}</table>`;
  }
}
