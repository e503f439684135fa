import { latexAddress, latexText } from "./latex.ts";
import type { BibliographicRecord, ImportedRecords, ImportFault } from "./records.ts";

type Fields = ReadonlyMap<string, string>;

interface Entry {
  readonly type: string;
  readonly key: string;
  readonly line: number;
  readonly end: number;
  readonly fields: Fields;
}

const maxValueCharacters = 50_000;
const maxFields = 200;

/**
 * Entries of BibTeX and BibLaTeX. Text between entries is a comment. `@string` and `crossref` are resolved.
 * Spec: https://ctan.org/pkg/bibtex (btxdoc), https://ctan.org/pkg/biblatex
 */
export function bibtexRecords(text: string): ImportedRecords {
  const parser = new Parser(text);
  const entries = parser.entries();
  const named = new Map(entries.map((entry) => [entry.key.toLowerCase(), entry.fields]));
  return { records: entries.map((entry) => recordOf(entry, named)), faults: parser.faults };
}

function recordOf({ type, key, line, end, fields }: Entry, named: ReadonlyMap<string, Fields>): BibliographicRecord {
  const parent = named.get((fields.get("crossref") ?? fields.get("xdata") ?? "").toLowerCase());
  const raw = (name: string) => fields.get(name) ?? parent?.get(name) ?? "";
  const kind = (raw("archiveprefix") || raw("eprinttype")).toLowerCase();
  // A chapter that has an address does not inherit that of the volume.
  const inherits = !["doi", "eprint", "url"].some((name) => fields.has(name));
  const addressIn = (name: string) => latexAddress(inherits ? raw(name) : (fields.get(name) ?? ""));
  const eprint = addressIn("eprint");
  const links = linkFields.map(addressIn).filter(Boolean);
  return {
    key,
    line,
    end,
    title: latexText([raw("title"), raw("subtitle")].filter(Boolean).join(": ") || raw("booktitle")),
    doi: addressIn("doi"),
    arxiv: kind === "arxiv" || (kind === "" && /^(?:arxiv:)?\d{4}\.\d{4,5}/i.test(eprint)) ? eprint : undefined,
    isbn: latexText(raw("isbn")) || undefined,
    links,
    texts: [`${addressIn("journal")} ${addressIn("volume")}`.replace(/^CoRR,? abs\//i, "arXiv:"), ...links],
    authors: (raw("author") || raw("editor"))
      .split(/(?<!\s)\s+and\s+/)
      .map(latexText)
      .filter(Boolean),
    year: yearOf(raw("year") || raw("date")),
    venue: latexText(venueFields.map(raw).find((value) => value !== "") ?? ""),
    type,
    number: [raw("volume"), raw("number"), raw("pages")].map(latexText).join(" ").trim(),
  };
}

/** Fields with the place of publication, the most specific first. */
const venueFields = ["journal", "journaltitle", "booktitle", "howpublished", "school", "institution", "publisher"];

export function yearOf(text: string): number | undefined {
  const year = /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0];
  return year === undefined ? undefined : Number(year);
}

/** Fields that may hold addresses: those of BibTeX first, then those of DBLP, BibDesk and people. */
const linkFields = ["url", "howpublished", "note", "annote", "addendum", "link", "ee", "eprint", "bdsk-url-1"];

/** Why an entry cannot be parsed. The parser continues at the next one. */
class Malformed extends Error {}

/** Parses in one pass, without going back. An entry ends at the latest before a line that begins another one. */
class Parser {
  readonly faults: ImportFault[] = [];
  private at = 0;
  private line = 1;
  private readonly strings = new Map<string, string>();
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  entries(): Entry[] {
    const entries: Entry[] = [];
    while (this.seek()) {
      const line = this.line;
      try {
        entries.push(...this.entry(line));
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        this.faults.push({ line, says: error.message });
      }
    }
    return entries;
  }

  /** Moves to the place after the next `@`. */
  private seek(): boolean {
    while (this.at < this.text.length) if (this.take() === "@") return true;
    return false;
  }

  private entry(line: number): Entry[] {
    const type = this.while(/\w/).toLowerCase();
    this.space();
    const open = this.peek();
    // An `@` in a mail address begins no entry.
    if (type === "" || (open !== "{" && open !== "(")) return [];
    this.take();
    const close = open === "{" ? "}" : ")";
    if (type === "comment" || type === "preamble") {
      this.balanced(close, "a comment");
      return [];
    }
    if (type === "string") {
      for (const [name, value] of this.fields(close, "@string")) this.strings.set(name, value);
      return [];
    }
    this.space();
    const key = this.while(/[^\s,{}()=]/);
    const entryName = key === "" ? "an entry without a key" : `entry ${key.slice(0, 80)}`;
    this.space();
    if (this.peek() === close) {
      this.take();
      throw new Malformed(`${entryName} is empty`);
    }
    if (this.peek() !== ",") throw new Malformed(`${entryName}: a comma is missing after its key`);
    this.take();
    const fields = this.fields(close, entryName);
    return [{ type, key, line, end: this.line, fields }];
  }

  /** Parses `name = value, name = value` up to the closing mark. */
  private fields(close: string, entryName: string): Map<string, string> {
    const fields = new Map<string, string>();
    for (;;) {
      this.space();
      while (this.peek() === ",") {
        this.take();
        this.space();
      }
      if (this.peek() === close) {
        this.take();
        return fields;
      }
      if (this.startsEntry()) throw new Malformed(this.faultMessage(entryName, ""));
      const name = this.while(/[^\s=,{}()"#]/).toLowerCase();
      this.space();
      if (name === "" || this.peek() !== "=") throw new Malformed(this.faultMessage(entryName, name));
      this.take();
      const value = this.value(entryName);
      if (fields.size < maxFields && !fields.has(name)) fields.set(name, value);
    }
  }

  private faultMessage(what: string, name: string): string {
    if (this.at >= this.text.length || this.startsEntry()) return `${what} is not closed`;
    return name === "" ? `${what}: a field without a name` : `${what}: no value for field ${name.slice(0, 80)}`;
  }

  /** Strings, numbers and names of `@string`, joined by `#`. */
  private value(entryName: string): string {
    const parts: string[] = [];
    do {
      this.space();
      const open = this.peek();
      if (open === "{") {
        this.take();
        parts.push(this.balanced("}", entryName));
      } else if (open === '"') {
        this.take();
        parts.push(this.balanced('"', entryName));
      } else {
        const name = this.while(/[^\s,#{}()"=]/);
        if (name === "") throw new Malformed(this.faultMessage(entryName, ""));
        parts.push(this.strings.get(name.toLowerCase()) ?? name);
      }
      this.space();
    } while (this.peek() === "#" && this.take() !== "");
    return parts.join("").slice(0, maxValueCharacters);
  }

  /** The text up to the closing mark outside all braces. */
  private balanced(close: string, entryName: string): string {
    const start = this.at;
    let depth = 0;
    while (this.at < this.text.length) {
      if (this.startsEntry()) break;
      const character = this.take();
      if (character === "\\") this.take();
      else if (character === close && depth === 0) return this.text.slice(start, this.at - 1);
      else if (character === "{") depth++;
      else if (character === "}") depth--;
    }
    throw new Malformed(`${entryName} is not closed`);
  }

  /** Whether a new entry begins at this line. */
  private startsEntry(): boolean {
    if (this.text[this.at] !== "@" || this.text[this.at - 1] !== "\n") return false;
    return /^@\w{1,40}\s{0,10}[{(]/.test(this.text.slice(this.at, this.at + 60));
  }

  private while(shape: RegExp): string {
    const start = this.at;
    while (this.at < this.text.length && shape.test(this.peek())) this.take();
    return this.text.slice(start, this.at);
  }

  private space(): void {
    while (/\s/.test(this.peek()) || this.peek() === "%") {
      if (this.peek() === "%") while (this.at < this.text.length && this.peek() !== "\n") this.take();
      else this.take();
    }
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  private take(): string {
    const character = this.text[this.at] ?? "";
    if (character === "\n") this.line++;
    this.at++;
    return character;
  }
}
