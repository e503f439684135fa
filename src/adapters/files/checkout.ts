import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";

/** The checkout that a folder lies in; undefined outside of one. */
export async function checkoutOf(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (await isThere(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** Whether there is a file or folder of this path. */
export async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

const run = promisify(execFile);
const limits = { maxBuffer: 5_000_000, timeout: 10_000 };

/**
 * A file that a line of a document names: its text when that line was last edited, and today; undefined if the checkout's
 * history has no such file. `path`: from the document's folder, or from that of the checkout.
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
    for (const file of [resolve(dirname(document), path), join(root, path)]) {
      if (within(file).startsWith("..")) continue;
      const before = await git("show", `${commit}:${within(file)}`).catch(() => undefined);
      if (before === undefined) continue;
      const after = await readFile(file, "utf8").catch(() => undefined);
      return { before, ...(after !== undefined && { after }) };
    }
  } catch {
    // A document that nobody committed, or no git.
  }
  return undefined;
}

/** Longest file of a checkout's settings that is read. */
const maxSettingsBytes = 100_000;
/** `git@github.com:owner/name.git`, `https://github.com/owner/name`. */
const onGitHub =
  /^(?:https:\/\/(?:[^@/]{1,200}@)?|ssh:\/\/git@|git@)github\.com[:/]([\w-]{1,39}\/[\w.-]{1,100}?)(?:\.git)?\/?$/;

/** The repository on github.com that a checkout was cloned from, `owner/name`, by its remote *origin*. */
export async function originOf(folder: string): Promise<string | undefined> {
  const root = await checkoutOf(folder);
  const text = root && (await readFile(join(root, ".git", "config"), "utf8").catch(() => undefined));
  if (text === undefined || text.length > maxSettingsBytes) return undefined;
  let section = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line.startsWith("[")) section = line;
    const url = section === '[remote "origin"]' ? /^url *= *(\S+)$/.exec(line)?.[1] : undefined;
    if (url !== undefined) return onGitHub.exec(url)?.[1];
  }
  return undefined;
}
