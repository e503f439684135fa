import { pairsIn } from "../../language/fold.ts";
import { escapeHtml, footnoteMark } from "../shared/body.ts";
import { csvRows, tableOfRows } from "../shared/csv.ts";
import { trimAddress } from "./bare-addresses.ts";

/** Spec: https://docs.asciidoctor.org/asciidoc/latest/attributes/character-replacement-ref/ */
const characters = Object.entries(pairsIn("nbsp=\u00a0 amp=& plus=+ vbar=|"));

/**
 * AsciiDoc as HTML, and its attributes: sections, lists, tables, links, footnotes, the revision. Includes are left out.
 * All branches of conditional text are kept.
 * Spec: https://docs.asciidoctor.org/asciidoc/latest/
 */
export function asciidocHtml(text: string) {
  const lines = withoutComments(text.split("\n"));
  const attributes = new Map([...revisionOf(lines), ...attributesOf(lines)]);
  const inline = new Inline(new Map([...characters, ...attributes]), entryLabels(text));
  const html = new Blocks(lines, inline).html();
  return { html: html + inline.notes(), attributes };
}

const entry = /^:!?([A-Za-z0-9_][\w-]{0,60})!?:(?:[ \t]+(\S.*)?)?$/;
const revisionEntry = /^:rev(?:number|date|remark):[ \t]/;
const steering = /^(?:ifn?def|ifeval|endif|include|toc)::[^\s[]*\[.*\]$/;

function withoutComments(lines: readonly string[]): string[] {
  let isComment = false;
  return lines.flatMap((line) => {
    const text = line.trimEnd();
    const fence = /^\/{4,}$/.test(text);
    if (fence) isComment = !isComment;
    return fence || isComment || /^\/\/(?!\/)/.test(text) || steering.test(text) ? [] : [text];
  });
}

/** `:name: value` lines anywhere in the document. A value may refer to earlier attributes. */
function attributesOf(lines: readonly string[]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = entry.exec(line.slice(0, 1_000)) ?? [];
    if (name !== "" && attributes.size < 500)
      attributes.set(name.toLowerCase(), expandAttributes(value, attributes).slice(0, 1_000));
  }
  return attributes;
}

/**
 * The revision line below title and authors: `v1.2, 2026-03-04: the second`.
 * Spec: https://docs.asciidoctor.org/asciidoc/latest/document/revision-line/
 */
function revisionOf(lines: readonly string[]): [string, string][] {
  const title = lines.findIndex((line) => /^=\s+\S/.test(line));
  for (const line of title < 0 ? [] : lines.slice(title + 1, title + 3)) {
    const [, revnumber, revdate = ""] = /^v?(\d[\w.-]{0,20})(?:,\s*([^:]{4,40}))?(?::\s.*)?$/.exec(line) ?? [];
    if (revnumber !== undefined) return Object.entries({ revnumber, ...(revdate && { revdate }) });
    if (line === "" || entry.test(line)) break;
  }
  return [];
}

function expandAttributes(text: string, attributes: ReadonlyMap<string, string>): string {
  return text.replace(
    /(?<!\\)\{([\w-]{1,60})\}/g,
    (whole, name: string) => attributes.get(name.toLowerCase()) ?? whole,
  );
}

type Options = ReturnType<typeof optionsOf>;

/** The attribute line of a block: `[cols="1,2",options="header"]`. `separator` ends its cells in place of a bar. */
function optionsOf(written: string) {
  const cols = /\bcols="?([^"\]]{1,300})"?/.exec(written)?.[1]?.replace(/,[a-z]+=.*$/, "");
  const columns = cols?.split(/[,;]/).reduce((sum, one) => sum + Number(/^\s*(\d{1,2})\*/.exec(one)?.[1] ?? 1), 0);
  return {
    columns,
    header: /%header|\boptions="?[^"\]]*header|\bopts="?[^"\]]*header/.test(written),
    csv: /\bformat="?csv/.test(written),
    separator: /\bseparator="?([^\s"\]])/.exec(written)?.[1],
  };
}

const item = /^\s*(\*{1,6}|-|\.{1,6}|\d{1,4}\.|[a-z]\.|<(?:\d{1,3}|\.)>)\s+(\S.*)$/;
/** Marks in code of the list below it. Spec: https://docs.asciidoctor.org/asciidoc/latest/verbatim/callouts/ */
const callouts = /(?:[ \t]{1,20}(?:(?:#|\/\/|--|;;)[ \t]{0,3})?<(?:!--)?(?:\d{1,3}|\.)(?:--)?>)+[ \t]*$/gm;
const tableFence = /^[|,:!]={3,}$/;
const code = /^(?:-{4,}|\.{4,}|`{3,}\w*)$/;
const frame = /^(?:={4,}|\*{4,}|_{4,}|--)$/;
const passed = /^\+{4,}$/;
/** Lines that end the paragraph above them. */
const openings = [item, tableFence, code, frame, entry, passed, /^\+$/, /^\[.*\]$/, /^={1,6}\s/];

/** The blocks of a document as HTML. */
class Blocks {
  private readonly lines: readonly string[];
  private readonly inline: Inline;
  private at = 0;
  private parts: string[] = [];
  private readonly lists: { marker: string; tag: "ol" | "ul" }[] = [];
  private options = "";

  constructor(lines: readonly string[], inline: Inline) {
    this.lines = lines;
    this.inline = inline;
  }

  html(): string {
    while (this.at < this.lines.length) this.block(this.lines[this.at] ?? "");
    this.close();
    return this.parts.join("");
  }

  private block(line: string): void {
    const attributes = /^\[(?!\[)(.{0,1000})\]$/.exec(line)?.[1];
    const [, marks = "", heading = ""] = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line) ?? [];
    const under = underlinedLevel(line, this.lines[this.at + 1] ?? "");
    if (/^(?:\+?|\[\[[^\]]{1,100}\]\])$/.test(line) || (entry.test(line) && !revisionEntry.test(line))) this.at++;
    else if (attributes !== undefined) {
      const isFollowing = /^\[.*\]$/.test(this.lines[this.at - 1] ?? "");
      this.options = isFollowing ? `${this.options},${attributes}` : attributes;
      this.at++;
    } else if (marks !== "") this.heading(marks.length, heading, 1);
    else if (under !== undefined) this.heading(under, line, 2);
    else if (tableFence.test(line)) this.table(line);
    else if (code.test(line))
      this.addFenced(line, (inside) => `<pre><code>${escapeHtml(inside.replace(callouts, ""))}</code></pre>`);
    else if (passed.test(line)) this.addFenced(line, (inside) => inside);
    else if (frame.test(line)) this.at++;
    else if (item.test(line)) this.addItem(line);
    else this.paragraph();
  }

  private heading(level: number, text: string, lines: number): void {
    this.close();
    this.parts.push(`<h${level}>${this.inline.html(text.replace(/\s=+$/, ""))}</h${level}>`);
    this.at += lines;
  }

  private close(): void {
    for (let list = this.lists.pop(); list; list = this.lists.pop()) this.parts.push(`</li></${list.tag}>`);
  }

  private addItem(line: string): void {
    const [, written = "", text = ""] = item.exec(line) ?? [];
    const marker = written.replace(/^(?:(?:\d+|[a-z])\.|<.*>)$/, "1.");
    if (this.lists.some((list) => list.marker === marker)) {
      for (let last = this.lists.at(-1); last && last.marker !== marker; last = this.lists.at(-1)) {
        this.parts.push(`</li></${last.tag}>`);
        this.lists.pop();
      }
      this.parts.push("</li><li>");
    } else {
      const tag = /^[\d.]/.test(marker) ? "ol" : "ul";
      this.lists.push({ marker, tag });
      this.parts.push(`<${tag}><li>`);
    }
    this.at++;
    this.parts.push(this.inline.html([text, ...this.takeParagraph()].join("\n")));
  }

  /** The remaining lines of the current paragraph. */
  private takeParagraph(): readonly string[] {
    const start = this.at;
    const isEnd = (line = "") => line === "" || openings.some((one) => one.test(line));
    while (!isEnd(this.lines[this.at])) this.at++;
    return this.lines.slice(start, this.at);
  }

  private paragraph(): void {
    const before = this.lines[this.at - 1];
    if (before !== "+" && this.lists.length > 0) this.close();
    const first = (this.lines[this.at++] ?? "").replace(/^\.(?=[^\s.])/, "");
    const [, term = "", rest = ""] = /^(\S.{0,199}?)(?:::|;;)(?:\s+(\S.*))?$/.exec(first) ?? [];
    const begin = term === "" ? first : `${term}: ${rest}`;
    this.parts.push(`<p>${this.inline.html([begin, ...this.takeParagraph()].join("\n"))}</p>`);
  }

  /** The lines up to the matching fence. */
  private takeFenced(fence: string): string[] {
    const end = this.lines.indexOf(/^`{3,}/.exec(fence)?.[0] ?? fence, this.at + 1);
    const stop = end < 0 ? this.lines.length : end;
    const inside = this.lines.slice(this.at + 1, stop);
    this.at = stop + 1;
    return inside;
  }

  private addFenced(fence: string, html: (inside: string) => string): void {
    this.parts.push(html(this.takeFenced(fence).join("\n")));
  }

  private table(fence: string): void {
    const options = optionsOf(this.options);
    this.options = "";
    const lines = this.takeFenced(fence);
    const { separator = "," } = options;
    const barred = lines.map((line) => line.replaceAll("|", "\\|").replaceAll(separator, "|"));
    const cell = (text: string) => this.inline.html(text);
    const isCsv = fence.startsWith(",") || options.csv;
    if (isCsv) this.parts.push(tableOfRows(csvRows(lines.join("\n"), separator), 1, cell));
    else this.parts.push(tableHtml(options.separator === undefined ? lines : barred, options, cell));
  }
}

/** The level of a title that is underlined; undefined for other lines. */
function underlinedLevel(line: string, under: string): number | undefined {
  const level = /^(?:={4,}|-{4,}|~{4,}|\^{4,})$/.test(under) ? "=-~^".indexOf(under[0] ?? "") + 1 : 0;
  return level > 0 && /^[\p{L}\p{N}]/u.test(line) && Math.abs(line.length - under.length) <= 1 ? level : undefined;
}

interface Cell {
  text: string;
  readonly columns: number;
  readonly rows: number;
  readonly head: boolean;
}

/** More than in real tables. */
const maxCells = 50_000;

/** A cell separator with its prefix: spans, alignment and style. */
const bar = /(?:(?<=^|\s)(?:(\d{1,2})?(?:\.(\d{1,2}))?([+*]))?[<^>.]{0,4}([adehlmsv])?)?(?<!\\)\|/g;

/** Spec: https://docs.asciidoctor.org/asciidoc/latest/tables/build-a-basic-table/ */
function tableHtml(lines: readonly string[], options: Options, inline: (text: string) => string): string {
  const cells: Cell[] = [];
  let inFirst = 0;
  let first = -1;
  for (const [i, line] of lines.entries()) {
    const bars = [...line.matchAll(bar)];
    const before = line.slice(0, bars[0]?.index ?? line.length);
    const last = cells.at(-1);
    if (last && before.trim() !== "") last.text += `\n${before}`;
    else if (last && line === "") last.text += "\n";
    for (const [at, match] of bars.entries()) {
      const [whole, columns = "1", rows = "1", mark, style] = match;
      const text = line.slice(match.index + whole.length, bars[at + 1]?.index ?? line.length).trim();
      const copies = mark === "*" ? Math.min(Number(columns), 60) : 1;
      const spans = { columns: mark === "+" ? Number(columns) : 1, rows: mark === "+" ? Number(rows) : 1 };
      for (let n = 0; n < copies && cells.length < maxCells; n++) cells.push({ text, ...spans, head: style === "h" });
    }
    if (bars.length > 0 && first < 0) {
      first = i;
      inFirst = cells.reduce((sum, cell) => sum + cell.columns, 0);
    }
  }
  const width = options.columns ?? inFirst;
  const header = options.header || (first === 0 && inFirst === width && (lines[1] ?? "") === "" && lines.length > 2);
  const rows = rowsOf(cells, Math.max(1, width)).map((row, i) => {
    const html = row.map(({ text, columns, rows: down, head }) => {
      const tag = head || (header && i === 0) ? "th" : "td";
      const content = cellLines(text);
      return `<${tag} colspan="${columns}" rowspan="${down}">${inline(content.replace(/\\\|/g, "|"))}</${tag}>`;
    });
    return `<tr>${html.join("")}</tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

/** Cells in rows of this width. Cells that span rows take places in the rows below. */
function rowsOf(cells: readonly Cell[], width: number): Cell[][] {
  const rows: Cell[][] = [];
  /** For each column, how many more rows a cell from above covers. */
  let covered: number[] = [];
  let row: Cell[] = [];
  let column = 0;
  const skip = () => {
    while (column < width && (covered[column] ?? 0) > 0) column++;
  };
  for (const cell of cells) {
    skip();
    row.push(cell);
    for (let i = 0; i < cell.columns; i++) covered[column + i] = cell.rows + (covered[column + i] ?? 0);
    column += cell.columns;
    skip();
    if (column < width) continue;
    rows.push(row);
    row = [];
    column = 0;
    covered = covered.map((left) => Math.max(0, left - 1));
  }
  return row.length > 0 ? [...rows, row] : rows;
}

const [opened, closed] = ["\ue000", "\ue001"];
const placeOfKept = new RegExp(`${opened}(\\d{1,6})${closed}`, "g");

/** A character, or brackets with text. */
const balanced = "(?:[^[\\]]|\\[[^[\\]]{0,300}\\])";

/** `footnote:[A price.]` */
export const footnoteMacro = `footnote(?:ref)?:(?<noteId>[\\w-]{0,60})\\[(?<note>${balanced}{0,2000})\\]`;

const macros = new RegExp(
  [
    /\+\+\+(?<raw>[^+\n]{1,500})\+\+\+/,
    /`\+?(?<code>[^`\n]{1,500}?)\+?`/,
    /image::?(?<image>[^\s[\]]{1,500})\[(?<alt>[^\]]{0,500})\]/,
    /icon:(?<icon>[\w-]{1,40})\[[^\]]{0,200}\]/,
    new RegExp(footnoteMacro),
    new RegExp(`(?:link:)?(?<address>(?:https?|mailto):[^\\s[\\]<>"]{1,1000})\\[(?<label>${balanced}{0,500})\\]`),
    /(?<bare>https?:\/\/(?:(?!footnote(?:ref)?:)[^\s[\]<>"`{}|\\^])+)/,
    // A Markdown link. Asciidoctor shows its brackets, but the author meant a link.
    /\[(?<called>[^[\]\n]{1,300})\]\((?<leads>https?:[^\s()<>"]{1,1000})\)/,
    /(?:xref|link):[^\s[\]]{1,500}\[(?<inside>[^\]]{0,500})\]/,
    /<<(?<target>[^<>,\n]{1,200})(?:,(?<shown>[^<>\n]{1,300}))?>>/,
    /\[{2,3}(?<anchor>[^[\],\n]{1,100})(?:,(?<number>[^[\]\n]{1,100}))?\]{2,3}/,
    /\b(?:cite|citenp|indexterm2?):[^\s[\]]{0,100}\[[^\]]{0,300}\]/,
    /\b(?:kbd|btn|menu|pass|stem|latexmath|asciimath):[^\s[\]]{0,100}\[(?<plain>[^\]]{0,300})\]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Inline markup as HTML. Numbers the footnotes. */
class Inline {
  private readonly attributes: ReadonlyMap<string, string>;
  private readonly entries: ReadonlyMap<string, string>;
  private readonly footnotes: string[] = [];
  private readonly byId = new Map<string, number>();

  constructor(attributes: ReadonlyMap<string, string>, entries: ReadonlyMap<string, string>) {
    this.attributes = attributes;
    this.entries = entries;
  }

  html(written: string): string {
    const pieces: string[] = [];
    const keep = (html: string) => `${opened}${pieces.push(html) - 1}${closed}`;
    const text = expandAttributes(written.replaceAll(opened, "").replaceAll(closed, ""), this.attributes);
    const marked = text.replace(macros, (...args: unknown[]) => {
      const groups = args.at(-1) as Record<string, string | undefined>;
      if (groups.bare === undefined) return keep(this.macro(groups));
      const address = trimAddress(groups.bare);
      return keep(escapeHtml(address)) + groups.bare.slice(address.length);
    });
    return withoutEmphasis(escapeHtml(marked.replace(/ \+(?=\n|$)/g, keep("<br>")))).replace(
      placeOfKept,
      (_, i: string) => pieces[Number(i)] ?? "",
    );
  }

  private macro(groups: Record<string, string | undefined>): string {
    const { raw, code: literal, image, alt = "", icon, note, address, label = "", inside, target, plain } = groups;
    if (raw !== undefined) return escapeHtml(raw);
    if (literal !== undefined) return `<code>${escapeHtml(literal)}</code>`;
    if (image !== undefined) return imageHtml(image, alt);
    if (icon !== undefined) return `:icon-${icon}:`;
    if (note !== undefined) return this.footnote(groups.noteId ?? "", note);
    if (address !== undefined) return linkHtml(address, label);
    if (groups.leads !== undefined) return linkHtml(groups.leads, groups.called ?? "");
    if (inside !== undefined) return escapeHtml(labelOf(inside));
    if (target !== undefined) {
      const entry = this.entries.get(target) ?? (/^\d{1,4}$/.test(target) ? target : undefined);
      const shown = groups.shown ?? (entry === undefined ? target : `[${entry}]`);
      return `<a href="#${escapeHtml(target)}">${escapeHtml(shown)}</a>`;
    }
    if (groups.anchor !== undefined)
      return `<a id="${escapeHtml(groups.anchor)}"></a>${entryMark(groups.number ?? groups.anchor)}`;
    return escapeHtml(plain ?? "");
  }

  /** A footnote mark; keeps the note's text for the end of the document. */
  private footnote(id: string, note: string): string {
    const known = this.byId.get(id);
    const number = known ?? this.footnotes.length + 1;
    if (known === undefined) {
      this.footnotes.push("");
      if (id !== "") this.byId.set(id, number);
      this.footnotes[number - 1] = this.html(note);
    }
    return footnoteMark(number);
  }

  notes(): string {
    return this.footnotes.map((html, i) => `<p>[${i + 1}] ${html}</p>`).join("");
  }
}

/** How entries of a bibliography are cited, by their ids: `[[[lee, 2]]]` as `[2]`, `[[[lee]]]` as `[lee]`. */
function entryLabels(text: string): Map<string, string> {
  const anchors = text.matchAll(/\[{3}([^[\],\n]{1,100})(?:,([^[\]\n]{1,100}))?\]{3}/g);
  return new Map([...anchors].map(([, id = "", label = id]) => [id, label.trim()]));
}

/** `[[[2]]]` and `[[[lee, 2]]]` begin entry 2; other anchors show nothing. */
function entryMark(label: string): string {
  return /^\s*\d{1,4}\s*$/.test(label) ? `[${label.trim()}]` : "";
}

function linkHtml(address: string, label: string): string {
  const text = withoutEmphasis(escapeHtml(labelOf(label))) || escapeHtml(address.replace(/^mailto:/, ""));
  return `<a href="${escapeHtml(address)}">${text}</a>`;
}

function imageHtml(source: string, alt: string): string {
  const [words = ""] = alt.split(",");
  const picture = `<img src="${escapeHtml(source)}" alt="${escapeHtml(words.replace(/^"|"$/g, ""))}">`;
  const link = /\blink="?(https?:[^",\s]{1,1000})/.exec(alt)?.[1];
  return link === undefined ? picture : `<a href="${escapeHtml(link)}">${picture}</a>`;
}

/** The label of a link without its options: `the kite^`, `the kite,window=_blank`. */
function labelOf(written: string): string {
  return written
    .replace(/,\s?(?:window|role|opts|id|rel)=.*$/, "")
    .replace(/\^$/, "")
    .replace(/^"(.*)"$/, "$1")
    .trim();
}

/** Text without marks for bold, italic, highlighted or superscript. */
function withoutEmphasis(text: string): string {
  return text
    .replace(/(?<![\w*])\*{1,2}([^\s*][^*\n]{0,300}?)\*{1,2}(?![\w*])/g, "$1")
    .replace(/(?<![\w_])_{1,2}([^\s_][^_\n]{0,300}?)_{1,2}(?![\w_])/g, "$1")
    .replace(/(?:\[[.\w-]{1,60}\])?(?<![\w#&])#{1,2}([^\s#][^#\n]{0,300}?)#{1,2}(?![\w#])/g, "$1");
}

/** The lines of a cell. An item of a list, or a line below a blank one, begins with a hard line break. */
function cellLines(text: string): string {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.trim());
  const joined = lines.map((line, i) => {
    if (i === 0 || line === "") return line;
    const bullet = /^[*.-]\s+/.exec(line)?.[0] ?? "";
    return `${bullet !== "" || lines[i - 1] === "" ? " +\n" : "\n"}${line.slice(bullet.length)}`;
  });
  return joined.join("");
}
