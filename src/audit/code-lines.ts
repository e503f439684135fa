import { Failure } from "../model/failure.ts";
import type { Response } from "../model/ports/index.ts";
import { codeIn } from "../read/kinds/lines.ts";
import { type LineRange, type LinesNow, lineCount } from "../read/shared/cited-lines.ts";
import { fileToday, linesLinked, pageOfLines } from "../read/shared/line-links.ts";
import { askFor } from "../watch/ask.ts";
import type { NamedLines } from "./cited.ts";
import { type Finding, lineFinding } from "./findings.ts";
import { runInWorker } from "./tasks.ts";
import { sourceOf, type Web } from "./visit.ts";

/** Lines of a file in a repository that are cited by their numbers: `…/blob/main/src/index.ts#L10-L20`. */
export interface CitedLines {
  readonly cited: LineRange;
  readonly now: LinesNow;
  /** The address of the lines as they are now, or else of the file that was searched. */
  readonly page: string;
  /** For a link to a commit or tag: where the default branch has the file. */
  readonly onDefault?: "same file" | "renamed file" | "no file";
}

/**
 * Finds cited lines of a file on the default branch. Lines of a commit or tag are compared with the file there. For
 * lines of a branch it is only known whether the file is long enough. In doubt there is no finding.
 */
export async function seeLines(
  address: string,
  names: readonly string[],
  web: Web,
  response: Response,
): Promise<CitedLines[]> {
  const links = names.flatMap((name) => linesLinked(`${address}#${name}`) ?? []);
  const [link] = links;
  if (!link) return [];
  const isOfBranch = link.file === link.current;
  try {
    const today = isOfBranch ? response : await askToday(`${address}#${names[0]}`, web);
    const [before, after] = [codeIn(response), codeIn(today)];
    const { address: file, isGone, isRenamed } = fileToday(link, today.url);
    const onDefault = isOfBranch ? undefined : isGone ? "no file" : isRenamed ? "renamed file" : "same file";
    return await Promise.all(
      links.map(async ({ cited, query }): Promise<CitedLines> => {
        const isMissing = isGone || cited.to > lineCount(before);
        const compared: LinesNow = isMissing
          ? { state: "gone" }
          : await runInWorker("cited lines", { before, after, cited }, web);
        const now: LinesNow = isRenamed && compared.state === "same" ? { state: "moved", at: cited } : compared;
        const page = pageOfLines(file, "at" in now ? now.at : cited, query);
        return { cited, now, page, ...(onDefault && { onDefault }) };
      }),
    );
  } catch {
    return [];
  }
}

/** The address of the file in which a scan would search for the lines. @throws Failure */
async function askToday(address: string, web: Web): Promise<Response> {
  const reader = web.readers.get("lines");
  const fetched = reader && (await askFor(sourceOf({ kind: "lines", address }), reader, web));
  if (fetched?.kind !== "response") throw new Failure("status", { status: 304 });
  return fetched.response;
}

/** The finding about named lines, by their place in the current file; empty if they are the same. Pure. */
export function ownLinesNow({ file, line, path, ...range }: NamedLines, now: LinesNow): Finding[] {
  const placeOf = ({ from, to }: LineRange) => `${path}:${from}${to === from ? "" : `-${to}`}`;
  const finding = lineFinding({ cited: range, now, page: "at" in now ? placeOf(now.at) : path });
  const cited = { address: "", title: placeOf(range), numbers: [], file, line, sentences: [], words: "" };
  return finding ? [{ ...finding, cited, also: [] }] : [];
}
