import { basename } from "node:path/posix";
import { anyOf, matches } from "../language/lexicon.ts";
import type { AppGitHub, RepositoryTree, TreeFile, UnreadPages } from "../model/ports/index.ts";
import { foreignFolder } from "../model/repository-path.ts";
import { firstOf, pluralize } from "../model/words.ts";
import { isUndated } from "../report/cite/about.ts";
import { type Draft, type DraftedReport, type ReportFile, reportTitleOf, richestDraft } from "../report/index.ts";
import {
  type Book,
  bookAround,
  bookOf,
  booksIn,
  comparePaths,
  isCiting,
  isManual,
  type ListedBook,
  listedBooks,
  type ReadPage,
  type Shelf,
  withIncluded,
} from "./books.ts";
import { isTable, maxTableBytes } from "./contents.ts";
import { originalsOf } from "./translations.ts";

/** The most bytes of a file: no report for people is longer. */
const maxFileBytes = 2_000_000;
const maxFiles = 20;

/** Files that every repository has and that are not reports. */
const isCustomaryName = matches(`^${anyOf("citations.customary")}\\b`);

/** Common names of a report, or of its folder. */
const usualNames = new Set(
  "assessment audit benchmark benchmarks comparison evaluation index landscape leaderboard radar report reports review survey".split(
    " ",
  ),
);

/** Whether files of this name are written for readers, or hold the data that a report shows: `data/radar.json`. */
export function isPage(path: string): boolean {
  if (/\.(?:md|markdown|mdx|qmd|rmd|rst|adoc|asciidoc|mediawiki|wiki|ipynb|html?)$/i.test(path)) return true;
  return isData(path) && isUsual(basename(path).replace(/\.\w+$/, ""));
}

function isData(path: string): boolean {
  return /\.(?:csv|tsv|json)$/i.test(path);
}

/** Whether a file of this name may be a chapter, or a part that chapters include. */
export function isReadable(path: string): boolean {
  return isPage(path) || /\.(?:inc|txt|rest|bib)$/i.test(path);
}

/** Whether a file of this name is LaTeX, Typst or Org source. Only its addresses are read. */
export function isTypeset(path: string): boolean {
  return /\.(?:tex|ltx|latex|typ|org)$/i.test(path);
}

export const convertTypeset =
  "convert LaTeX, Typst and Org first, for example with `pandoc FILE -o report.md`, and name the result; a .bib file is read as it is";

interface Pages {
  readonly pages: readonly TreeFile[];
  /** Pages, and files that are part of a report only through a table of contents or an include. */
  readonly readable: readonly TreeFile[];
  /** Tables of contents, those nearest to the root first. */
  readonly tables: readonly string[];
  /** Why other files are left out, a sentence each. */
  readonly says: readonly string[];
  /** The same for files that every repository has. */
  readonly customary: readonly string[];
}

/** `folder`: the one that a person named. Its own name does not count. */
function pagesIn(tree: readonly TreeFile[], folder = ""): Pages {
  const pathInFolder = (path: string) => (path.startsWith(folder) ? path.slice(folder.length) : path);
  const isHidden = ({ path }: TreeFile) => /(?:^|\/)\./.test(pathInFolder(path));
  const readable = tree.filter((file) => isReadable(file.path) && file.size > 0 && !file.link && !isHidden(file));
  const isForeign = ({ path }: TreeFile) => foreignFolder(pathInFolder(path)) !== undefined;
  const isCustomary = ({ path }: TreeFile) => isCustomaryName(basename(path));
  const all = readable.filter(({ path }) => isPage(path));
  const candidateFiles = all.filter((file) => !isForeign(file) && !isCustomary(file));
  const { pages, translations } = originalsOf(candidateFiles.map(({ path }) => path));
  const originals = new Set(pages);
  const foreign = all.filter(isForeign);
  const folders = new Set(foreign.map(({ path }) => foreignFolder(pathInFolder(path)) ?? ""));
  const data = tree.filter((file) => isData(file.path) && !isPage(file.path) && !isHidden(file) && !isForeign(file));
  const usual = all.filter((file) => isCustomary(file) && !isForeign(file)).map(({ path }) => path);
  const translatedPages = [...translations.values()].reduce((sum, count) => sum + count, 0);
  return {
    pages: candidateFiles.filter(({ path }) => originals.has(path)),
    readable,
    tables: tree
      .filter((file) => isTable(file.path) && !file.link && !isHidden(file) && !isForeign(file))
      .map(({ path }) => path)
      .toSorted((a, b) => depth(a) - depth(b)),
    says: [
      ...leftOut(
        foreign.length,
        "page",
        ` because of the names of their folders (${firstOf([...folders], 5)}): name the folder itself to read it`,
      ),
      ...leftOut(
        tree.filter(({ path }) => isTypeset(path)).length,
        "file",
        ` because of the format: ${convertTypeset}`,
      ),
      ...leftOut(
        translatedPages,
        "translation",
        ` (${firstOf([...translations.keys()], 8)}): a report is read in one language`,
      ),
    ],
    customary: [
      ...leftOut(usual.length, "page", becauseOfName(usual)),
      ...leftOut(data.length, "file of data", becauseOfName(data.map(({ path }) => path)), "files of data"),
    ],
  };
}

/** `2 pages were left out …`; empty if the count is 0. */
function leftOut(count: number, noun: string, why: string, nouns?: string): string[] {
  return count === 0 ? [] : [`${pluralize(count, noun, nouns)} ${count === 1 ? "was" : "were"} left out${why}.`];
}

function becauseOfName(paths: readonly string[]): string {
  const names = paths.length === 1 ? "its name" : "their names";
  return ` because of ${names} (${firstOf(paths, 5)}): name the file itself to read it`;
}

/** Files that may be a report, likeliest first: by name, at the root, in `docs/`, then deeper and deeper. */
function candidates(pages: readonly TreeFile[]): TreeFile[] {
  let bytes = 0;
  return pages
    .filter(({ size }) => size <= maxFileBytes)
    .toSorted((a, b) => rank(a.path) - rank(b.path) || depth(a.path) - depth(b.path) || b.size - a.size)
    .filter(({ size }) => {
      if (bytes + size > setUpLimits.bytes) return false;
      bytes += size;
      return true;
    })
    .slice(0, maxFiles);
}

function rank(path: string): number {
  if (/^readme\./i.test(path)) return 0;
  if (!path.includes("/")) return isUsual(path) ? 1 : 3;
  // A page that shows one figure of a report comes after the report's index.
  if (/(?:^|[-_/])(?:figures?|fig|charts?|plots?|tables?)[-_/\d]/i.test(path)) return 6;
  if (isUsual(path)) return 2;
  return path.startsWith("docs/") ? 4 : 5;
}

function isUsual(path: string): boolean {
  return path
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => usualNames.has(word));
}

function depth(path: string): number {
  return path.split("/").length;
}

export function likelyPages(files: readonly TreeFile[]): readonly TreeFile[] {
  return candidates(pagesIn(files).pages);
}

export interface BestDraft {
  /** The most promising draft; undefined if no file cites or rates anything. */
  readonly best?: Draft;
  readonly report?: DraftedReport;
  readonly unread?: UnreadPages;
}

type Files = Pick<AppGitHub, "tree" | "text" | "changed">;
type DraftOf = (report: DraftedReport) => Promise<Draft | undefined>;

export interface ReadLimits {
  readonly chapters: number;
  readonly pages: number;
  readonly bytes: number;
}

/** For a set-up, which reads each file by one request. */
const setUpLimits: ReadLimits = { chapters: 100, pages: 120, bytes: 5_000_000 };
const maxBooks = 3;
/** The most chapters that are also drafted alone, to find the one with most ratings. */
const maxAlone = 100;

/** A folder that a person named. It is the report: as its table of contents lists it, or else as a whole. */
export interface Folder {
  /** With its final slash; empty if all paths are relative to it. */
  readonly folder: string;
  readonly limits: ReadLimits;
}

/**
 * Finds the report among the files of a commit, and drafts its config: from the book that a table of contents lists,
 * from chapters, or from one file. `draft`: drafts one report.
 * @throws GitHubProblem
 */
export async function draftFrom(github: Files, commit: string, draft: DraftOf, choice?: Folder): Promise<BestDraft> {
  const tree = await github.tree(commit);
  const limits = choice?.limits ?? setUpLimits;
  const files = pagesIn(tree.files, choice?.folder);
  const { pages } = files;
  const shelf = new LimitedShelf({ tree: tree.files, ...files, limits }, (path) => github.text(path, commit));
  const paths = pages.map(({ path }) => path);
  const readPages: ReadPage[] = [];
  const readAlone = async (chosen: readonly string[]) => {
    for (const path of chosen) {
      const text = readPages.some((page) => page.path === path) ? undefined : await shelf.text(path);
      if (text !== undefined) readPages.push({ path, text, drafted: await draft({ path, text }) });
    }
  };
  if (!choice) await readAlone(candidates(pages).map(({ path }) => path));
  const { tables = [], broken = [] } = Object.groupBy(await listedBooks(shelf), ({ paths }) =>
    paths.length >= 2 ? "tables" : "broken",
  );
  const listed = choice ? tables : tables.filter((book) => !isManual(book.paths));
  for (const book of listed.slice(0, maxBooks)) await readAlone(book.paths.slice(0, maxAlone));
  // Files in a folder come before those of the folders in it, which they may include.
  const folder =
    choice && listed.length === 0 ? paths.toSorted((a, b) => depth(a) - depth(b) || comparePaths(a, b)) : [];
  await readAlone(folder.slice(0, maxAlone));
  const idle = new Set(readPages.filter((page) => !isCiting(page)).map(({ path }) => path));
  const whole = folder.filter((path) => !idle.has(path));
  // A table of contents is more reliable than names and numbers.
  const inBooks = new Set(listed.flatMap((book) => book.paths));
  const otherPaths = paths.filter((path) => !inBooks.has(path));
  const books = [
    ...listed.slice(0, maxBooks).map((book) => ({ ...bookOf(book.paths, book.paths, readPages), ...book })),
    ...(choice ? whole.slice(0, 1).map(() => bookOf(whole, whole, readPages)) : booksIn(otherPaths, readPages)),
  ];
  const drafts: { report: DraftedReport; drafted: Draft | undefined; says: readonly string[] }[] = [];
  for (const book of distinctBooks(books).slice(0, maxBooks)) {
    const { report, left } = await chaptersOf(book, shelf, limits);
    drafts.push({ report, drafted: await draft(report), says: [...(book.faults ?? []), ...left] });
  }
  if (!choice)
    for (const { path, text, drafted } of readPages)
      if (!inBooks.has(path)) drafts.push({ report: { path, text }, drafted, says: [] });
  const richestOf = richestDraft(drafts.map(({ drafted }) => drafted));
  const best = drafts.find(({ drafted }) => drafted && drafted === richestOf);
  // If the whole repository was searched, it is no surprise that most files are left out.
  const notes = best ? (choice ? files.says : []) : [...files.says, ...files.customary];
  const { chapters = [], path: own } = best?.report ?? {};
  const ownPaths = [own, ...chapters.map(({ path }) => path)];
  const elsewhere = tables.flatMap(({ table, paths: [first] }) => (best && !ownPaths.includes(first) ? table : []));
  const unread = unreadOf(tree, choice ? 0 : pages.length - shelf.asked, [
    ...(best?.says ?? []),
    ...broken.flatMap(({ faults }) => faults),
    ...leftOut(elsewhere.length, "other book", `: ${firstOf(elsewhere, 5)}. Name the folder of one to read it`),
    ...notes,
  ]);
  if (!best?.drafted) return { ...unread };
  const isDated = !isUndated(best.drafted.found.because);
  const committed = isDated ? undefined : await github.changed(best.report.path, commit);
  const report = committed === undefined ? best.report : { ...best.report, committed };
  const dated = committed === undefined ? undefined : await draft(report);
  return { best: dated ?? best.drafted, report, ...unread };
}

type FoundBook = Book & Partial<ListedBook>;

/** The largest first; of books with the same files, the first. */
function distinctBooks(books: readonly FoundBook[]): FoundBook[] {
  const key = ({ report, chapters }: Book) => JSON.stringify([report, ...chapters].toSorted());
  const byFiles = new Map(books.toReversed().map((book) => [key(book), book]));
  return books
    .filter((book) => byFiles.get(key(book)) === book)
    .toSorted((a, b) => b.chapters.length - a.chapters.length);
}

async function chaptersOf(
  { report, chapters, title, index }: FoundBook,
  shelf: LimitedShelf,
  limits: ReadLimits,
): Promise<{ report: DraftedReport; left: string[] }> {
  const files = [];
  const text = (await shelf.text(report)) ?? "";
  for (const path of chapters.slice(0, limits.chapters - 1)) {
    const chapter = await shelf.text(path);
    if (chapter !== undefined) files.push({ path, text: chapter });
  }
  const omitted = chapters.length - files.length;
  const called = title ?? files.filter(({ path }) => path === index).map(reportTitleOf)[0];
  return {
    report: { path: report, text, chapters: files, ...(called !== undefined && { title: called }) },
    left:
      omitted > 0
        ? [
            `The report has ${pluralize(chapters.length + 1, "file")}, too many or too large for one draft: ${pluralize(omitted, "file")} ${omitted === 1 ? "was" : "were"} not read.`,
          ]
        : [],
  };
}

type TextFiles = Pick<Files, "tree" | "text">;

/** A file with its includes, as one report. `left`: a sentence for each part that was not read. */
export async function withIncludes(
  path: string,
  files: TextFiles,
  limits: ReadLimits,
): Promise<{ readonly report: DraftedReport; readonly left: readonly string[] }> {
  const shelf = await shelfOf(files, "", { limits, folder: folderOf(path) });
  const { paths, faults } = await withIncluded(path, shelf);
  const chapters = paths.filter((one) => one !== path);
  const { report, left } = await chaptersOf({ report: path, chapters }, shelf, limits);
  return { report, left: [...faults, ...left] };
}

const chapterLimits: ReadLimits = { chapters: 0, pages: 20, bytes: 5_000_000 };

/** The files of the report that a file belongs to, by their paths. @throws GitHubProblem */
export async function filesAround(path: string, files: TextFiles, commit: string): Promise<readonly string[]> {
  const shelf = await shelfOf(files, commit, { limits: chapterLimits, folder: folderOf(path) });
  return (await bookAround(path, shelf)).paths;
}

/** The other files of the report that a file belongs to, as far as the limits allow. @throws GitHubProblem */
export async function chaptersAround(
  path: string,
  files: TextFiles,
  commit: string,
  limits: ReadLimits = setUpLimits,
): Promise<ReportFile[]> {
  const chapters: ReportFile[] = [];
  let left = limits.bytes;
  for (const chapter of (await filesAround(path, files, commit)).slice(0, limits.chapters)) {
    const text = chapter === path || left <= 0 ? undefined : await files.text(chapter, commit);
    left -= text?.length ?? 0;
    if (text !== undefined) chapters.push({ path: chapter, text });
  }
  return chapters;
}

async function shelfOf(files: TextFiles, commit: string, { folder, limits }: Folder): Promise<LimitedShelf> {
  const { files: tree } = await files.tree(commit);
  return new LimitedShelf({ tree, ...pagesIn(tree, folder), limits }, (path) => files.text(path, commit));
}

interface Readable extends Pick<Pages, "pages" | "readable" | "tables"> {
  readonly tree: readonly TreeFile[];
  readonly limits: ReadLimits;
}

class LimitedShelf implements Shelf {
  readonly pages: readonly string[];
  readonly tables: readonly string[];
  readonly readable: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  readonly #texts = new Map<string, string | undefined>();
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #limits: ReadLimits;
  readonly #read: (path: string) => Promise<string | undefined>;
  #bytes = 0;
  #tableBytes = 0;

  constructor(
    { tree, pages, readable, tables, limits }: Readable,
    readFile: (path: string) => Promise<string | undefined>,
  ) {
    this.pages = pages.map(({ path }) => path);
    this.tables = tables;
    this.readable = new Set(readable.map(({ path }) => path));
    this.all = new Set(tree.filter(({ link }) => !link).map(({ path }) => path));
    this.#sizes = new Map(tree.map(({ path, size }) => [path, size]));
    this.#limits = limits;
    this.#read = readFile;
  }

  get asked(): number {
    return this.pages.filter((path) => this.#texts.has(path)).length;
  }

  async text(path: string): Promise<string | undefined> {
    const size = this.#sizes.get(path);
    if (this.#texts.has(path) || size === undefined || !this.all.has(path)) return this.#texts.get(path);
    const { pages, bytes } = this.#limits;
    const isPage = this.readable.has(path);
    const most = isPage ? maxFileBytes : maxTableBytes - this.#tableBytes;
    if (size > most || this.#bytes + size > bytes || this.#texts.size >= pages) return undefined;
    this.#bytes += size;
    if (!isPage) this.#tableBytes += size;
    const text = await this.#read(path);
    this.#texts.set(path, text);
    return text;
  }
}

/** With its final slash; empty at the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function unreadOf(
  { whole }: RepositoryTree,
  pages: number,
  says: readonly string[],
): { readonly unread?: UnreadPages } {
  if (whole && pages === 0 && says.length === 0) return {};
  return { unread: { pages, ...(!whole && { unlisted: true }), ...(says.length > 0 && { says }) } };
}
