import type { LineRange, LinesNow } from "../compare/cited-lines.ts";
import { decode } from "../read/shared/body.ts";
import { isPinnedFile, onDefaultBranch } from "../read/shared/github.ts";
import type { Sight, Web } from "./see.ts";
import { citedLinesApart } from "./tasks.ts";

/** Lines of a file in a repository that are cited by their numbers: `…/blob/main/src/index.ts#L10-L20`. */
export interface CitedLines {
  readonly cited: LineRange;
  readonly now: LinesNow;
  /** The file on the default branch. */
  readonly file: string;
}

/** Spec: https://docs.github.com/repositories/working-with-files/using-files/getting-permanent-links-to-files; GitLab: `L10-20` */
const form = /^L(\d{1,6})(?:C\d{1,4})?(?:-L?(\d{1,6})(?:C\d{1,4})?)?$/;

/** The lines that a fragment names. */
function rangeOf(name: string): LineRange | undefined {
  const [, first, last = first] = form.exec(name) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return from >= 1 && to >= from ? { from, to } : undefined;
}

/**
 * What became of cited lines of a file on the default branch. Those of a commit or version are compared with the file there;
 * of those of a branch it is only known whether the file is long enough.
 */
export async function seeLines(
  address: string,
  names: readonly string[],
  { fetch, workers }: Pick<Web, "fetch" | "workers">,
  response: NonNullable<Sight["response"]>,
): Promise<CitedLines[]> {
  const ranges = names.flatMap((name) => rangeOf(name) ?? []);
  const file = onDefaultBranch(address);
  if (file === undefined || ranges.length === 0) return [];
  const before = decode(response);
  if (!isPinnedFile(address)) {
    const count = before.replace(/\n$/, "").split("\n").length;
    return ranges.flatMap((cited): CitedLines[] => (cited.to > count ? [{ cited, file, now: { state: "gone" } }] : []));
  }
  const after = await textAt(file, fetch);
  if (after === undefined) return [];
  return await Promise.all(
    ranges.map(async (cited) => ({ cited, file, now: await citedLinesApart({ before, after, cited }, { workers }) })),
  );
}

/** Empty if the file is not there; undefined if that is unknown. */
async function textAt(url: string, fetch: Web["fetch"]): Promise<string | undefined> {
  try {
    const fetched = await fetch.get({ url }, { answers: [404] });
    if (fetched.kind !== "response") return undefined;
    return fetched.response.status === 404 ? "" : decode(fetched.response);
  } catch {
    return undefined;
  }
}

/** The page of lines on the default branch, for people. */
export function pageOfLines(file: string, { from, to }: LineRange): string {
  const page = file
    .replace(/^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\//, "https://github.com/$1/blob/")
    .replace("/-/raw/", "/-/blob/");
  return `${page}#L${from}${to === from ? "" : `-L${to}`}`;
}
