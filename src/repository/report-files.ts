import type { AppGitHub, TreeFile } from "../ports.ts";
import type { ReportFile } from "../setup/draft.ts";

/** In bytes. A longer file is no report that people read. */
const largest = 2_000_000;
const most = 20;

/** Every repository has them, and none is a report. */
const customary = /^(?:change(?:s|log)|contributing|code[-_]of[-_]conduct|licen[cs]e|security|support|governance)\b/i;

/** The files of a tree that may be a report, the likeliest first: Markdown and HTML at the root, in `docs/`, one folder deep. */
function candidates(tree: readonly TreeFile[]): TreeFile[] {
  return tree
    .filter(({ path, size }) => /\.(?:md|markdown|html?)$/i.test(path) && size > 0 && size <= largest)
    .filter(({ path }) => path.split("/").length <= 2 && !path.startsWith(".") && !customary.test(nameOf(path)))
    .toSorted((a, b) => rank(a.path) - rank(b.path) || b.size - a.size)
    .slice(0, most);
}

function rank(path: string): number {
  if (/^readme\./i.test(path)) return 0;
  if (!path.includes("/")) return 1;
  return path.startsWith("docs/") ? 2 : 3;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** @throws GitHubProblem */
export async function readReports(
  github: Pick<AppGitHub, "tree" | "text" | "changed">,
  commit: string,
): Promise<ReportFile[]> {
  const files: ReportFile[] = [];
  for (const { path } of candidates(await github.tree(commit))) {
    const text = await github.text(path, commit);
    if (text === undefined) continue;
    const committed = await github.changed(path, commit);
    files.push({ path, text, ...(committed !== undefined && { committed }) });
  }
  return files;
}
