import type { LineRange } from "./cited-lines.ts";
import { fileOnGitHub, isPinnedFile, onDefaultBranch, pageOfFile, rawFile } from "./github.ts";

/** Links to lines of a file in a repository: `…/blob/main/src/index.ts#L10-L20`. */

/** Spec: https://docs.github.com/repositories/working-with-files/using-files/getting-permanent-links-to-files; GitLab: `L10-20` */
const form = /^#?L(\d{1,6})(?:C\d{1,4})?(?:-L?(\d{1,6})(?:C\d{1,4})?)?$/;

/** The lines that a fragment names. */
export function rangeIn(fragment: string): LineRange | undefined {
  const [, first, last = first] = form.exec(fragment) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return from >= 1 && to >= from ? { from, to } : undefined;
}

/** The files of a link to lines. */
interface LinkedLines {
  readonly cited: LineRange;
  /** The raw file of the commit, tag or branch that the link names. */
  readonly file: string;
  /** The raw file of the default branch, if the link names a commit or tag; else the same file. */
  readonly current: string;
  /** How its page is shown: `?plain=1`. */
  readonly query: string;
}

/** Used in place of the link to lines if the default branch has no such file. A link to a commit or tag still works. */
export const fileGone = "file gone";

/** The lines that an address links to; undefined for other addresses. */
export function linesLinked(address: string): LinkedLines | undefined {
  const url = URL.parse(address);
  const cited = url && rangeIn(url.hash);
  if (!cited) return undefined;
  const bare = `${url.origin}${url.pathname}`;
  const file =
    fileOnGitHub(url)?.address ?? (/\/-\/(?:blob|raw)\//.test(bare) ? bare.replace("/-/blob/", "/-/raw/") : undefined);
  // Only pages have a view. GitLab's type of a ref may change later.
  const isView = bare.includes("/blob/") && !url.searchParams.has("ref_type");
  const current = file && (isPinnedFile(file) ? onDefaultBranch(file) : file);
  return file === undefined || current === undefined
    ? undefined
    : { cited, file, current, query: isView ? url.search : "" };
}

/** Today's page of a linked file, by the address of its response: the file may be elsewhere, or gone. */
export function fileToday({ file, current }: LinkedLines, came: string) {
  const [there, linked] = [rawFile(came), rawFile(current)];
  return {
    address: there ? came : current,
    isGone: file !== current && isPinnedFile(came),
    isRenamed: there !== undefined && there.path !== linked?.path,
  };
}

/** Equal for links to the same lines of the same file, however they are written: `blob` or `raw`, `#L10-L20` or `#L10-20`. */
export function sameLines(address: string): string | undefined {
  const { file = "", cited } = linesLinked(address) ?? {};
  const { at, ref, path } = rawFile(file) ?? {};
  return cited && [at, ref, path, cited.from, cited.to].join(" ");
}

/** The page for lines of a raw file, shown as in the link. */
export function pageOfLines(file: string, { from, to }: LineRange, query = ""): string {
  const page = pageOfFile(file);
  const last = page.includes("/-/blob/") ? `-${to}` : `-L${to}`;
  return `${page}${query}#L${from}${to === from ? "" : last}`;
}
