import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { checkoutOf, pathsWithin } from "./checkout.ts";

const run = promisify(execFile);
const limits = { maxBuffer: 5_000_000, timeout: 10_000 };

/**
 * A file that a line of a document names: its text at the last edit of that line, and today. Undefined if git has no
 * such file. `path`: relative to the document's folder or to the checkout.
 */
export async function thenAndNow(
  document: string,
  line: number,
  path: string,
): Promise<{ readonly before: string; readonly after?: string } | undefined> {
  const root = await checkoutOf(dirname(document));
  if (root === undefined) return undefined;
  const git = async (...words: string[]) => (await run("git", ["-C", root, ...words], limits)).stdout;
  const within = (file: string) => relative(root, file).split(sep).join("/");
  try {
    const blame = await git("blame", "-s", "--porcelain", "-L", `${line},${line}`, "--", within(resolve(document)));
    const [commit = ""] = blame.split(" ");
    if (!/[1-9a-f]/.test(commit)) return undefined;
    const resolved = await pathsWithin(root);
    for (const file of [resolve(dirname(document), path), join(root, path)]) {
      if (within(file).startsWith("..")) continue;
      const before = await git("show", `${commit}:${within(file)}`).catch(() => undefined);
      if (before === undefined) continue;
      const after = await resolved(within(file))
        .then((path) => readFile(path, "utf8"))
        .catch(() => undefined);
      return { before, ...(after !== undefined && { after }) };
    }
  } catch {
    // The document was never committed, or git is missing.
  }
  return undefined;
}
