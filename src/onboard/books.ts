import { basename } from "node:path/posix";
import type { Draft } from "../report/index.ts";

/** A report in several files, by their paths. */
export interface Book {
  /** Its index, or the chapter with most ratings; the folder itself where it has neither. */
  readonly report: string;
  readonly chapters: readonly string[];
}

/** A page that was read, and its own draft. */
export interface ReadPage {
  readonly path: string;
  readonly text: string;
  readonly drafted: Draft | undefined;
}

/** Chapters that are read with a report, at most, each by one request. */
const maxChapters = 100;
/** Reports in several files that are drafted, at most, each as a whole. */
const maxBooks = 3;
const fewestItems = 3;
const mostly = 0.6;

const indexName = /^(?:readme|_?index|summary|overview|toc|contents)\.\w+$/i;
const tableOfContents = /^(?:_?index|summary|toc|contents)\.\w+$/i;
/** `01-intro.md`, `chapter-3.md`, `0007-use-x.md`; a blog post begins with its year and month instead. */
const inSeries =
  /^(?!\d{4}-\d{2}\b)(?:(?:chapter|chap|ch|part|section|sec|appendix)[-_. ]?)?\d{1,4}(?:[-_. ]\D|\.\w+$)/i;
/** Manuals of programs consist of pages that look like chapters. */
const manual =
  /\b(?:install\w*|set-?up|usage|quick-?start|getting[-_ ]started|tutorials?|configur\w*|deploy\w*|api|cli|faq|troubleshooting|upgrading|migrat\w*|development|testing)\b/i;

/**
 * Finds pages that are chapters of one report: numbered ones in a folder, those that a table of contents lists, and
 * those in a folder where each rates one thing. `pages`: all paths, read or not. The largest report first. Pure.
 */
export function booksIn(pages: readonly string[], read: readonly ReadPage[]): Book[] {
  const found = [...inFolders(pages, read), ...listed(pages, read)].filter(({ length }) => length >= 2);
  const distinct = new Map(found.map((paths) => [JSON.stringify(paths.toSorted()), paths]));
  return [...distinct.values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxBooks)
    .map((paths) => bookOf(paths.slice(0, maxChapters), pages, read));
}

function inFolders(pages: readonly string[], read: readonly ReadPage[]): string[][] {
  const byPath = new Map(read.map((page) => [page.path, page]));
  return [...Map.groupBy(pages, folderOf).values()].map((paths) => {
    const own = paths.filter((path) => !indexName.test(basename(path)));
    const known = own.flatMap((path) => byPath.get(path) ?? []);
    const items = known.filter(({ drafted }) => drafted?.found.ratings === 1);
    if (items.length >= fewestItems && items.length >= mostly * known.length) return own;
    const counted = own.filter((path) => inSeries.test(basename(path)));
    return known.some((page) => counted.includes(page.path) && cites(page)) && !isManual(counted) ? counted : [];
  });
}

/** Whether a page cites: by addresses of its own, or by the numbers of a list elsewhere. */
function cites({ drafted, text }: ReadPage): boolean {
  return drafted !== undefined || /\S ?\[\^?\d{1,4}\]/.test(text);
}

/** The pages that a list below a heading like Contents links to; in an index file, every list. */
function listed(pages: readonly string[], read: readonly ReadPage[]): string[][] {
  const known = new Set(pages);
  return read
    .filter(({ path }) => indexName.test(basename(path)))
    .map(({ path, text }) => {
      const paths = linksIn(text, tableOfContents.test(basename(path))).map((link) => resolved(link, folderOf(path)));
      const own = [...new Set(paths)].filter((one) => one !== path && known.has(one));
      return isManual(own) ? [] : own;
    });
}

const contents = /\b(?:contents|chapters|sections|parts)\b/i;
const listLink = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[^\]]{1,200}\]\(<?([^()\s<>#?]{1,300})/;
const maxLines = 5_000;

function linksIn(text: string, everywhere: boolean): string[] {
  const found: string[] = [];
  let within = everywhere;
  for (const line of text.split("\n", maxLines)) {
    const heading = /^#{1,6}\s+(.{1,200})/.exec(line)?.[1];
    if (heading !== undefined) within = everywhere || contents.test(heading);
    const link = within ? listLink.exec(line.slice(0, 600))?.[1] : undefined;
    if (link !== undefined) found.push(link);
  }
  return found;
}

/** A relative link from a folder as a path from the root. */
function resolved(link: string, folder: string): string {
  const url = URL.parse(link, `path:///${folder}`);
  try {
    return url?.protocol === "path:" ? decodeURIComponent(url.pathname.slice(1)) : "";
  } catch {
    return "";
  }
}

function isManual(paths: readonly string[]): boolean {
  return paths.filter((path) => manual.test(basename(path).replace(/_/g, " "))).length >= 2;
}

/** The report is the file with most ratings; without ratings the index, or else the first chapter. */
function bookOf(paths: readonly string[], pages: readonly string[], read: readonly ReadPage[]): Book {
  const [first = ""] = paths;
  const folder = folderOf(first);
  const isIndex = (path: string) => indexName.test(basename(path));
  const index =
    pages.find((path) => isIndex(path) && folderOf(path) === folder) ??
    read.find(({ path, text }) => isIndex(path) && leadsTo(text, path, paths))?.path;
  const all = [...(index === undefined ? [] : [index]), ...paths];
  const rates = ({ drafted }: ReadPage) => drafted?.found.ratings ?? 0;
  const own = read.filter(({ path }) => all.includes(path));
  const [most] = own.filter((page) => rates(page) > 1).toSorted((a, b) => rates(b) - rates(a));
  const areItems = own.filter((page) => rates(page) === 1).length >= fewestItems && folder !== "";
  const report = most?.path ?? index ?? (areItems ? folder.slice(0, -1) : first);
  return { report, chapters: all.filter((path) => path !== report) };
}

function leadsTo(text: string, from: string, paths: readonly string[]): boolean {
  const links = new Set(linksIn(text, true).map((link) => resolved(link, folderOf(from))));
  return paths.filter((path) => links.has(path)).length >= 2;
}

/** With its final slash; empty at the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
