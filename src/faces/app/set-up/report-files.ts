import { type Draft, type ReportFile, richest } from "../../../config/draft/index.ts";
import type { AppGitHub, RepositoryTree, TreeFile, UnreadPages } from "../../../model/ports/index.ts";

/** A report that people read is not longer. */
const maxFileBytes = 2_000_000;
/** Limits of what one set-up reads, each file by one request. */
const maxFiles = 20;
const maxBytesTogether = 5_000_000;

/** Names of files that every repository has, and that are not reports. */
const customary =
  /^(?:change(?:s|log)|contributing|code[-_]of[-_]conduct|licen[cs]e|security|support|governance|maintainers|authors|codeowners|(?:issue|pull[-_]request)[-_]template)\b/i;
/** Folders of which the pages are somebody else's, or are about the making of others. */
const foreign =
  /(?:^|\/)(?:node_modules|vendor|third[-_]party|\w*[-_]?templates?|tests?|__tests__|fixtures|testdata|examples?|site-packages|dist|build)\//i;

/** Words by which people call a report, or the folder it lies in. */
const usual = new Set(
  "assessment audit benchmark benchmarks comparison evaluation index landscape leaderboard radar report reports review survey".split(
    " ",
  ),
);

/** Whether people write for others in files of this name, or keep what a report shows: `data/radar.json`. */
export function isPage(path: string): boolean {
  if (/\.(?:md|markdown|mdx|qmd|rmd|rst|ipynb|html?)$/i.test(path)) return true;
  return /\.(?:csv|tsv|json)$/i.test(path) && isUsual(nameOf(path).replace(/\.\w+$/, ""));
}

/** Files in which people write for others. */
function pagesIn(tree: readonly TreeFile[]): TreeFile[] {
  return tree
    .filter(({ path, size }) => isPage(path) && size > 0)
    .filter(({ path }) => !/(?:^|\/)\./.test(path) && !customary.test(nameOf(path)) && !foreign.test(path));
}

/** Those that may be a report, the likeliest first: by their names, at the root, in `docs/`, then ever deeper. */
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

/** A page that shows one figure of a report; its index comes before it. */
function isFigure(path: string): boolean {
  return /(?:^|[-_/])(?:figures?|fig|charts?|plots?|tables?)[-_/\d]/i.test(path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Those of a repository's files that may be a report, the likeliest first. */
export function likelyPages(files: readonly TreeFile[]): readonly TreeFile[] {
  return candidates(pagesIn(files));
}

/** A draft from the files of a commit, and what of them was not looked at. */
export interface Drafted {
  /** The draft from the file that is most like a report; undefined where no file cites or rates anything. */
  readonly best?: Draft;
  readonly unread?: UnreadPages;
}

/** Drafts config from the likeliest files, one after the other. `draft`: makes a draft of one of them. @throws GitHubProblem */
export async function draftFrom(
  github: Pick<AppGitHub, "tree" | "text" | "changed">,
  commit: string,
  draft: (report: ReportFile) => Promise<Draft | undefined>,
): Promise<Drafted> {
  const tree = await github.tree(commit);
  const pages = pagesIn(tree.files);
  const likely = candidates(pages);
  const unread = unreadOf(tree, pages.length - likely.length);
  let best: { readonly report: ReportFile; readonly drafted: Draft } | undefined;
  for (const { path } of likely) {
    const text = await github.text(path, commit);
    if (text === undefined) continue;
    const report = { path, text };
    const drafted = await draft(report);
    if (drafted && richest([best?.drafted, drafted]) === drafted) best = { report, drafted };
  }
  if (!best) return { ...unread };
  const { report } = best;
  const committed = await github.changed(report.path, commit);
  const dated = committed === undefined ? best.drafted : await draft({ ...report, committed });
  return { best: dated ?? best.drafted, ...unread };
}

function unreadOf({ whole }: RepositoryTree, pages: number): { readonly unread?: UnreadPages } {
  return whole && pages === 0 ? {} : { unread: { pages, ...(!whole && { unlisted: true }) } };
}
