import { decode } from "../read/shared/body.ts";
import type { LineRange, LinesNow } from "../read/shared/cited-lines.ts";
import { isPinnedFile, onDefaultBranch } from "../read/shared/github.ts";
import { rangeIn } from "../read/shared/line-links.ts";
import type { Sight, Web } from "./see.ts";
import { citedLinesApart } from "./tasks.ts";

/** Lines of a file in a repository that are cited by their numbers: `…/blob/main/src/index.ts#L10-L20`. */
export interface CitedLines {
  readonly cited: LineRange;
  readonly now: LinesNow;
  /** The file on the default branch. */
  readonly file: string;
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
  const ranges = names.flatMap((name) => rangeIn(name) ?? []);
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
