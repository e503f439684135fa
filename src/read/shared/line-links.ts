import type { LineRange } from "./cited-lines.ts";
import { fileOnGitHub, isPinnedFile, onDefaultBranch } from "./github.ts";

/** Links to lines of a file in a repository: `…/blob/main/src/index.ts#L10-L20`. */

/** Spec: https://docs.github.com/repositories/working-with-files/using-files/getting-permanent-links-to-files; GitLab: `L10-20` */
const form = /^#?L(\d{1,6})(?:C\d{1,4})?(?:-L?(\d{1,6})(?:C\d{1,4})?)?$/;

/** The lines that a fragment names. */
export function rangeIn(fragment: string): LineRange | undefined {
  const [, first, last = first] = form.exec(fragment) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return from >= 1 && to >= from ? { from, to } : undefined;
}

/** A link to lines: the raw file, that of today, and whether these are two. */
interface LinkedLines {
  readonly cited: LineRange;
  /** The raw file of the commit, version or branch that the link names. */
  readonly file: string;
  /** The raw file of the default branch, if the link names a commit or version; else the same file. */
  readonly current: string;
}

/** The lines that an address links to; undefined of anything else. */
export function linesLinked(address: string): LinkedLines | undefined {
  const url = URL.parse(address);
  const cited = url && rangeIn(url.hash);
  if (!cited) return undefined;
  const bare = `${url.origin}${url.pathname}`;
  const file =
    fileOnGitHub(url)?.address ?? (/\/-\/(?:blob|raw)\//.test(bare) ? bare.replace("/-/blob/", "/-/raw/") : undefined);
  const current = file && (isPinnedFile(file) ? onDefaultBranch(file) : file);
  return file === undefined || current === undefined ? undefined : { cited, file, current };
}

/** The page that shows lines of a raw file to people. */
export function pageOfLines(file: string, { from, to }: LineRange): string {
  const page = file
    .replace(/^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\//, "https://github.com/$1/blob/")
    .replace("/-/raw/", "/-/blob/");
  return `${page}#L${from}${to === from ? "" : `-L${to}`}`;
}
