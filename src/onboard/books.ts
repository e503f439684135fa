import { basename, dirname, join } from "node:path/posix";
import { RE2JS } from "re2js";
import { anyOf, says } from "../language/lexicon.ts";
import { firstOf, pluralize } from "../model/words.ts";
import type { Draft } from "../report/index.ts";
import { type Contents, contentsIn, isTable, linksIn, listedIn } from "./contents.ts";

/** A report in several files, by their paths. */
export interface Book {
  /** Its index, or the chapter with most ratings, or else the folder itself. */
  readonly report: string;
  readonly chapters: readonly string[];
  readonly title?: string | undefined;
  /** A chapter with the report's name. */
  readonly index?: string | undefined;
}

export interface ListedBook {
  readonly paths: readonly string[];
  readonly title?: string | undefined;
  readonly table: string;
  /** Faults of the table, a sentence each. */
  readonly faults: readonly string[];
}

export interface Shelf {
  readonly pages: readonly string[];
  /** Tables of contents, those nearest to the root first. */
  readonly tables: readonly string[];
  /** Pages, and other files that become chapters only through a table of contents. */
  readonly readable: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  /** Undefined for a file that is too large, or beyond the limits. */
  text(path: string): Promise<string | undefined>;
}

export interface ReadPage {
  readonly path: string;
  readonly text: string;
  readonly drafted: Draft | undefined;
}

const minItems = 3;
const minShare = 0.6;

/** The most tables of contents that are read: those nearest to the root. */
const maxTables = 20;
const maxChapters = 10_000;
const maxDepth = 10;
const maxPatterns = 100;

const indexName = /^(?:readme|_?index|summary|overview|toc|contents)\.\w+$/i;
const tableOfContents = /^(?:_?index|summary|toc|contents)\.\w+$/i;
/** `01-intro.md`, `chapter-3.md`, `RULE_0007-do-so.md`; a blog post begins with its year and month instead. */
const inSeries = new RegExp(
  `^(?!\\d{4}-\\d{2}\\b)((?:[a-z]{1,20}[-_. ]|${anyOf("citations.part")})?)(\\d{1,4})(?:[-_. ]\\D|\\.\\w+$)`,
  "i",
);
/** Manuals of programs consist of pages that look like chapters. */
const isManualName = says("citations.manual");

/** The books of the tables of contents, the largest first. Tables with the same chapters make one book. */
export async function listedBooks(shelf: Shelf): Promise<ListedBook[]> {
  const listings: { table: string; contents: Contents }[] = [];
  for (const table of shelf.tables.slice(0, maxTables)) {
    const contents = contentsIn(table, (await shelf.text(table)) ?? "");
    if (contents) listings.push({ table, contents });
  }
  const books: ListedBook[] = [];
  const within = new Set<string>();
  for (const { table, contents } of listings) {
    const isBeside = (one: { table: string }) => dirname(one.table) === dirname(table);
    const title = contents.title ?? listings.find((one) => isBeside(one) && one.contents.title)?.contents.title;
    const { paths, faults, tables } = await new Walk(table, shelf).list(contents);
    books.push({ table, title, paths, faults });
    for (const other of tables) if (other !== table) within.add(other);
  }
  const whole = books.filter(
    ({ table, paths, faults }) => !within.has(table) && (paths.length >= 2 || faults.length > 0),
  );
  return mergeListedBooks(whole).toSorted((a, b) => b.paths.length - a.paths.length);
}

function mergeListedBooks(books: readonly ListedBook[]): ListedBook[] {
  const merged: ListedBook[] = [];
  for (const book of books) {
    const chapters = new Set(book.paths);
    const at = merged.findIndex(({ paths }) => {
      const shared = paths.filter((path) => chapters.has(path)).length;
      return shared >= 1 && shared >= minShare * Math.min(paths.length, book.paths.length);
    });
    const same = merged[at];
    if (!same) merged.push(book);
    else merged[at] = mergeBooks(same, book);
  }
  return merged;
}

function mergeBooks(first: ListedBook, second: ListedBook): ListedBook {
  const paths = [...new Set([...first.paths, ...second.paths])];
  const differ = Math.max(paths.length - first.paths.length, paths.length - second.paths.length);
  const fault = `${first.table} and ${second.table} list different chapters: all ${paths.length} of both were read.`;
  return {
    table: first.table,
    title: first.title ?? second.title,
    paths,
    faults: [...first.faults, ...second.faults, ...(differ > 0 ? [fault] : [])],
  };
}

/** The book of a page: from a table of contents, or from its number; or else the page itself. */
export async function bookAround(path: string, shelf: Shelf): Promise<Omit<ListedBook, "table">> {
  const listed = (await listedBooks(shelf)).find(({ paths }) => paths.includes(path));
  if (listed) return listed;
  const series = seriesIn(shelf.pages.filter((one) => dirname(one) === dirname(path)));
  return series.includes(path) && !isManual(series) ? { paths: series, faults: [] } : await withIncluded(path, shelf);
}

export async function withIncluded(path: string, shelf: Shelf): Promise<Omit<ListedBook, "table">> {
  return await new Walk(path, shelf).list({ from: dirname(path), chapters: [basename(path)] });
}

/** Follows a table of contents, and the tables of the chapters in it. */
class Walk {
  readonly #table: string;
  readonly #shelf: Shelf;
  readonly #chapters = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #outside = new Set<string>();
  readonly #loops = new Set<string>();
  readonly #stems: ReadonlyMap<string, string>;
  #patterns = 0;

  constructor(table: string, shelf: Shelf) {
    this.#table = table;
    this.#shelf = shelf;
    this.#stems = stemsOf(shelf);
  }

  /** `tables`: other tables of contents that this one leads to. */
  async list(contents: Contents): Promise<Pick<ListedBook, "paths" | "faults"> & { tables: readonly string[] }> {
    await this.#follow(contents, contents.from, []);
    const names = (paths: ReadonlySet<string>) => firstOf([...paths], 5);
    const isOnlyTable = (path: string) => isTable(path) || /(?:^|\/)nav[^/]*\.adoc$/.test(path);
    const faults = [
      contents.fault !== undefined && `${this.#table} could not be read: ${contents.fault}.`,
      this.#missing.size > 0 &&
        `${this.#table} lists ${pluralize(this.#missing.size, "file")} that cannot be found: ${names(this.#missing)}.`,
      this.#outside.size > 0 &&
        `${this.#table} names files outside of the folder, which were not read: ${names(this.#outside)}.`,
      this.#loops.size > 0 &&
        `${names(this.#loops)}: listed below ${this.#loops.size === 1 ? "itself" : "themselves"}, and read once.`,
    ];
    return {
      paths: [...this.#chapters].filter((path) => !isOnlyTable(path)),
      tables: [...this.#chapters].filter(isTable),
      faults: faults.flatMap((fault) => fault || []),
    };
  }

  async #follow({ from, chapters, exact }: Contents, root: string, above: readonly string[]): Promise<void> {
    for (const entry of chapters) {
      const paths = this.#resolve(entry, from, root);
      if (paths.length === 0) this.#note(entry, from, exact === true);
      for (const path of paths) {
        if (above.includes(path)) this.#loops.add(path);
        if (this.#chapters.has(path) || this.#chapters.size >= maxChapters) continue;
        this.#chapters.add(path);
        const text = above.length < maxDepth ? await this.#shelf.text(path) : undefined;
        if (text !== undefined) await this.#follow(listedIn(path, text), root, [...above, path]);
      }
    }
  }

  /** The files of an entry, which may be a path with or without extension, a folder with an index, or a pattern. */
  #resolve(entry: string, from: string, root: string): readonly string[] {
    if (/^[a-z][a-z+.-]*:|^self$/i.test(entry)) return [];
    const path = join(entry.startsWith("/") ? root : from, entry.replace(/[#?](?!\.).*/s, ""));
    if (isPattern(entry))
      return this.#patterns++ < maxPatterns ? pagesMatching(join(from, entry), this.#shelf.pages) : [];
    const page = this.#shelf.readable.has(path) ? path : (this.#stems.get(path) ?? this.#stems.get(`${path}/`));
    return page === undefined ? [] : [page];
  }

  #note(entry: string, from: string, exact: boolean): void {
    const path = join(from, entry.replace(/^\/+/, ""));
    const isFile = exact ? !/^(?:self|genindex|modindex|search)$/.test(entry) : pageName.test(entry);
    if (!isFile || isPattern(entry) || /^[a-z][a-z+.-]*:/i.test(entry)) return;
    if (path.startsWith("../")) this.#outside.add(entry);
    else if (!this.#shelf.all.has(path)) this.#missing.add(entry);
  }
}

const pageName = /\.(?:md|markdown|mdx|qmd|rmd|rst|adoc|asciidoc|ipynb|html?)$/i;
const isPattern = (entry: string) => /[*?[]/.test(entry);

/** Pages by their paths without extension; those of an index also by their folder, others also without numbers. */
function stemsOf({ readable }: Shelf): Map<string, string> {
  const stems = new Map<string, string>();
  const name = (stem: string, path: string) => void (stems.has(stem) || stems.set(stem, path));
  for (const path of readable) name(path.replace(/\.\w+$/, ""), path);
  for (const path of readable) {
    const stem = path.replace(/\.\w+$/, "");
    if (/^(?:index|readme)$/i.test(basename(stem))) name(`${dirname(path)}/`, path);
    // https://docusaurus.io/docs/sidebar/autogenerated#using-number-prefixes
    name(stem.replace(/(^|\/)\d{1,4}[-_. ]+/g, "$1"), path);
  }
  return stems;
}

/** The most signs of a pattern that match any number of characters: each makes matching slower. */
const maxStars = 10;

/** Pages that match a pattern with `*`, `**`, `?` and `[…]`, in the order of their numbers and names. */
function pagesMatching(pattern: string, pages: readonly string[]): string[] {
  const signs = pattern.slice(0, 300).match(/\*\*\/?|\*|\?|\[!?[^\]/]{1,20}\]|[^*?[]+|\[/g) ?? [];
  if (signs.filter((sign) => sign.startsWith("*")).length > maxStars) return [];
  const written = signs.map((sign) => {
    if (sign.startsWith("**")) return ".*";
    if (sign === "*") return "[^/]*";
    if (sign === "?") return "[^/]";
    return sign.startsWith("[") && sign.length > 1 ? sign.replace("[!", "[^") : RE2JS.quote(sign);
  });
  const compiled = patternOf(written.join(""));
  return compiled ? pages.filter((page) => compiled.matcher(page).matches()).toSorted(comparePaths) : [];
}

function patternOf(written: string): RE2JS | undefined {
  try {
    return RE2JS.compile(written);
  } catch {
    return undefined;
  }
}

const { compare } = new Intl.Collator("en", { numeric: true });

/** Compares paths: an index first, and numbers by their value. */
export function comparePaths(a: string, b: string): number {
  const key = (path: string) => path.replace(/(?:readme|_?index)(\.\w+)$/i, "\u0000$1");
  return compare(key(a), key(b));
}

/**
 * Finds chapters of one report: numbered pages of a folder, pages in the list of an index, or pages in a folder that
 * each rate one thing. The largest report first. Pure.
 */
export function booksIn(pages: readonly string[], read: readonly ReadPage[]): Book[] {
  return [...inFolders(pages, read), ...listedPages(pages, read)]
    .filter(({ length }) => length >= 2)
    .map((paths) => bookOf(paths, pages, read));
}

function inFolders(pages: readonly string[], read: readonly ReadPage[]): string[][] {
  const byPath = new Map(read.map((page) => [page.path, page]));
  const isIndex = (path: string) => indexName.test(basename(path));
  const folders = Map.groupBy(
    pages.filter((path) => !isIndex(path)),
    dirname,
  );
  // If each thing has a folder, its page is the index there.
  const ofFolders = Map.groupBy(
    pages.filter((path) => isIndex(path) && path.includes("/")),
    (path) => `${dirname(dirname(path))}/*`,
  );
  return [...folders, ...ofFolders].map(([folder, own]) => {
    const known = own.flatMap((path) => byPath.get(path) ?? []);
    const items = known.filter(({ drafted }) => drafted?.found.ratings === 1);
    if (items.length >= minItems && items.length >= minShare * known.length) return own;
    const counted = folder.endsWith("/*") ? [] : seriesIn(own);
    return known.some((page) => counted.includes(page.path) && isCiting(page)) && !isManual(counted) ? counted : [];
  });
}

/** The numbered files of a folder, in order, if some of them count from the start after the same words. */
function seriesIn(paths: readonly string[]): string[] {
  const numbered = paths.filter((path) => inSeries.test(basename(path)));
  const parts = numbered.map((path) => inSeries.exec(basename(path))?.slice(1) ?? []);
  const starts = Map.groupBy(parts, ([words = ""]) => words.toLowerCase());
  const isSeries = [...starts.values()].some((all) => all.length >= 2 && all.some(([, number]) => Number(number) <= 1));
  return isSeries || parts.every(([words]) => words === "") ? numbered.toSorted(comparePaths) : [];
}

/** Whether a page cites: by addresses, or by numbers of a list elsewhere. */
export function isCiting({ drafted, text }: ReadPage): boolean {
  return drafted !== undefined || /\S ?\[\^?\d{1,4}\]/.test(text);
}

/** The pages that a list below a heading like Contents links to, in an index file every list; and those of toctrees. */
function listedPages(pages: readonly string[], read: readonly ReadPage[]): string[][] {
  const allPages = new Set(pages);
  return read
    .filter(({ path }) => indexName.test(basename(path)))
    .map(({ path, text }) => {
      const links = linksIn(text, tableOfContents.test(basename(path)));
      const paths = links.map((link) => resolveLink(link, path));
      const own = [...new Set(paths)].filter((one) => one !== path && allPages.has(one));
      return isManual(own) ? [] : own;
    });
}

/** A relative link as a path from the root. */
function resolveLink(link: string, from: string): string {
  try {
    return join(dirname(from), decodeURIComponent(link));
  } catch {
    return "";
  }
}

/** Whether these are chapters of a manual: at least two and a tenth of them have names of such chapters. */
export function isManual(paths: readonly string[]): boolean {
  const named = paths.filter((path) => isManualName(basename(path).replace(/_/g, " ")));
  return named.length >= Math.max(2, paths.length / 10);
}

/** The report is the file with most ratings; without ratings the index, or else the first chapter. */
export function bookOf(paths: readonly string[], pages: readonly string[], readPages: readonly ReadPage[]): Book {
  const [first = ""] = paths;
  const folder = folderOfAll(paths);
  const isIndex = (path: string) => indexName.test(basename(path)) && !isTable(path);
  const index =
    pages.find((path) => isIndex(path) && dirname(path) === folder) ??
    readPages.find(({ path, text }) => isIndex(path) && leadsTo(text, path, paths))?.path;
  const all = [...new Set([...(index === undefined ? [] : [index]), ...paths])];
  const rates = ({ drafted }: ReadPage) => drafted?.found.ratings ?? 0;
  const own = readPages.filter(({ path }) => all.includes(path));
  const [most] = own.filter((page) => rates(page) > 1).toSorted((a, b) => rates(b) - rates(a));
  const areItems = own.filter((page) => rates(page) === 1).length >= minItems;
  const report = most?.path ?? index ?? (areItems ? folder : first);
  return { report, chapters: all.filter((path) => path !== report), index: report === index ? undefined : index };
}

function leadsTo(text: string, from: string, paths: readonly string[]): boolean {
  const links = new Set(linksIn(text, true).map((link) => resolveLink(link, from)));
  return paths.filter((path) => links.has(path)).length >= 2;
}

function folderOfAll(paths: readonly string[]): string {
  return paths.map(dirname).reduce((folder, other) => {
    const steps = other.split("/");
    const differs = folder.split("/").findIndex((step, i) => step !== steps[i]);
    return differs < 0 ? folder : folder.split("/").slice(0, differs).join("/") || ".";
  });
}
