import { basename } from "node:path/posix";
import type { AppGitHub, RepositoryTree, TreeFile, UnreadPages } from "../model/ports/index.ts";
import { type Draft, type DraftedReport, richestDraft } from "../report/index.ts";
import { type Book, booksIn, type ReadPage } from "./books.ts";

/** Bytes of a file that is read, at most: no report that people read is longer. */
const maxFileBytes = 2_000_000;
/** Files that one set-up reads, at most, each by one request. */
const maxFiles = 20;
/** The same including the chapters of a report. */
const maxPages = 120;
const maxBytesTogether = 5_000_000;

/** Names of files that every repository has and that are no reports. */
const customary =
  /^(?:change(?:s|log)|contributing|code[-_]of[-_]conduct|licen[cs]e|security|support|governance|maintainers|authors|codeowners|(?:issue|pull[-_]request)[-_]template)\b/i;
/** Folders whose pages are somebody else's, or are about how others are made. */
const foreign =
  /(?:^|\/)(?:node_modules|vendor|third[-_]party|\w*[-_]?templates?|tests?|__tests__|fixtures|testdata|examples?|site-packages|dist|build)\//i;

/** Common names of a report, or of its folder. */
const usual = new Set(
  "assessment audit benchmark benchmarks comparison evaluation index landscape leaderboard radar report reports review survey".split(
    " ",
  ),
);

/** Whether files of this name are written for readers, or hold the data that a report shows: `data/radar.json`. */
export function isPage(path: string): boolean {
  if (/\.(?:md|markdown|mdx|qmd|rmd|rst|adoc|asciidoc|org|mediawiki|wiki|ipynb|html?)$/i.test(path)) return true;
  return /\.(?:csv|tsv|json)$/i.test(path) && isUsual(basename(path).replace(/\.\w+$/, ""));
}

/** Files that are written for readers. */
function pagesIn(tree: readonly TreeFile[]): TreeFile[] {
  return tree
    .filter(({ path, size }) => isPage(path) && size > 0)
    .filter(({ path }) => !/(?:^|\/)\./.test(path) && !customary.test(basename(path)) && !foreign.test(path));
}

/** Files that may be a report, likeliest first: by name, at the root, in `docs/`, then ever deeper. */
function candidates(pages: readonly TreeFile[]): TreeFile[] {
  let bytes = 0;
  return pages
    .filter(({ size }) => size <= maxFileBytes)
    .toSorted((a, b) => rank(a.path) - rank(b.path) || depth(a.path) - depth(b.path) || b.size - a.size)
    .filter(({ size }) => {
      if (bytes + size > maxBytesTogether) return false;
      bytes += size;
      return true;
    })
    .slice(0, maxFiles);
}

function rank(path: string): number {
  if (/^readme\./i.test(path)) return 0;
  if (!path.includes("/")) return isUsual(path) ? 1 : 3;
  if (isFigure(path)) return 6;
  if (isUsual(path)) return 2;
  return path.startsWith("docs/") ? 4 : 5;
}

function isUsual(path: string): boolean {
  return path
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => usual.has(word));
}

function depth(path: string): number {
  return path.split("/").length;
}

/** A page that shows one figure of a report; the report's index comes first. */
function isFigure(path: string): boolean {
  return /(?:^|[-_/])(?:figures?|fig|charts?|plots?|tables?)[-_/\d]/i.test(path);
}

/** The files of a repository that may be a report, likeliest first. */
export function likelyPages(files: readonly TreeFile[]): readonly TreeFile[] {
  return candidates(pagesIn(files));
}

/** A draft from the files of a commit, and what was not searched. */
export interface Drafted {
  /** The draft that looks most like a report; undefined where no file cites or rates anything. */
  readonly best?: Draft;
  /** The files that it was drafted from. */
  readonly report?: DraftedReport;
  readonly unread?: UnreadPages;
}

type Files = Pick<AppGitHub, "tree" | "text" | "changed">;
type DraftOf = (report: DraftedReport) => Promise<Draft | undefined>;

/**
 * Drafts config from the likeliest files in turn, and from chapters of one report together. `draft`: drafts one report.
 * @throws GitHubProblem
 */
export async function draftFrom(github: Files, commit: string, draft: DraftOf): Promise<Drafted> {
  const tree = await github.tree(commit);
  const pages = pagesIn(tree.files);
  const read: ReadPage[] = [];
  for (const { path } of candidates(pages)) {
    const text = await github.text(path, commit);
    if (text !== undefined) read.push({ path, text, drafted: await draft({ path, text }) });
  }
  const chapters = new Chapters(pages, read, (path) => github.text(path, commit));
  const all: { report: DraftedReport; drafted: Draft | undefined }[] = [];
  for (const book of booksIn(
    pages.map(({ path }) => path),
    read,
  )) {
    const report = await chapters.of(book);
    all.push({ report, drafted: await draft(report) });
  }
  all.push(...read.map(({ path, text, drafted }) => ({ report: { path, text }, drafted })));
  const unread = unreadOf(tree, pages.length - chapters.asked);
  const richestOf = richestDraft(all.map(({ drafted }) => drafted));
  const best = all.find(({ drafted }) => drafted && drafted === richestOf);
  if (!best?.drafted) return { ...unread };
  const committed = await github.changed(best.report.path, commit);
  const report = committed === undefined ? best.report : { ...best.report, committed };
  const dated = committed === undefined ? undefined : await draft(report);
  return { best: dated ?? best.drafted, report, ...unread };
}

/** Reads chapters that were not read yet, up to the limit. */
class Chapters {
  readonly #texts: Map<string, string | undefined>;
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #read: (path: string) => Promise<string | undefined>;
  #bytes: number;

  constructor(
    pages: readonly TreeFile[],
    read: readonly ReadPage[],
    text: (path: string) => Promise<string | undefined>,
  ) {
    const asked = candidates(pages);
    const known = new Map(read.map((page) => [page.path, page.text]));
    this.#texts = new Map(asked.map(({ path }) => [path, known.get(path)]));
    this.#sizes = new Map(pages.map(({ path, size }) => [path, size]));
    this.#bytes = asked.reduce((sum, { size }) => sum + size, 0);
    this.#read = text;
  }

  /** How many pages were read. */
  get asked(): number {
    return this.#texts.size;
  }

  async of({ report, chapters }: Book): Promise<DraftedReport> {
    const files = [];
    for (const path of chapters) {
      const text = await this.#text(path);
      if (text !== undefined) files.push({ path, text });
    }
    return { path: report, text: (await this.#text(report)) ?? "", chapters: files };
  }

  async #text(path: string): Promise<string | undefined> {
    const size = this.#sizes.get(path);
    if (this.#texts.has(path) || size === undefined) return this.#texts.get(path);
    const isTooMuch = size > maxFileBytes || this.#bytes + size > maxBytesTogether || this.asked >= maxPages;
    if (isTooMuch) return undefined;
    this.#bytes += size;
    const text = await this.#read(path);
    this.#texts.set(path, text);
    return text;
  }
}

function unreadOf({ whole }: RepositoryTree, pages: number): { readonly unread?: UnreadPages } {
  return whole && pages === 0 ? {} : { unread: { pages, ...(!whole && { unlisted: true }) } };
}
