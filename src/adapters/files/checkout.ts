import { execFile } from "node:child_process";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";

export async function checkoutOf(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (await fileExists(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

export async function fileExists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

const maxSettingsBytes = 100_000;
/** `git@github.com:owner/name.git`, `https://github.com/owner/name`. */
function remoteAt(written: string): { readonly host?: string; readonly name?: string } {
  const url = URL.parse(written.replace(/^git@([\w.-]{1,200}):/, "ssh://git@$1/"));
  if (!url || !/^(?:https|ssh):$/.test(url.protocol)) return {};
  const name = /^\/([\w-]{1,39}\/[\w.-]{1,100}?)(?:\.git)?\/?$/.exec(url.pathname)?.[1];
  return { host: url.host, name };
}

/** The repository that a checkout was cloned from, `owner/name`, by its remote *origin*, if that is on this host. */
export async function originOf(folder: string, host = "github.com"): Promise<string | undefined> {
  const root = await checkoutOf(folder);
  const text = root && (await readShort(join(await gitFolder(root), "config")));
  if (text === undefined) return undefined;
  let section = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line.startsWith("[")) section = line;
    const url = section === '[remote "origin"]' ? /^url *= *(\S+)$/.exec(line)?.[1] : undefined;
    if (url === undefined) continue;
    const remote = remoteAt(url);
    return remote.host === host ? remote.name : undefined;
  }
  return undefined;
}

/** Git's own folder of a checkout. Spec: https://git-scm.com/docs/gitrepository-layout */
async function gitFolder(root: string): Promise<string> {
  const link = /^gitdir: (.+)$/m.exec((await readShort(join(root, ".git"))) ?? "")?.[1];
  if (link === undefined) return join(root, ".git");
  const folder = resolve(root, link);
  return resolve(folder, (await readShort(join(folder, "commondir")))?.trim() ?? ".");
}

/** Undefined if it is missing, no file, or too long. */
async function readShort(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text !== undefined && text.length <= maxSettingsBytes ? text : undefined;
}

/**
 * Resolves paths from a config or a checkout. Links are followed only within the checkout that contains `folder`, or
 * else within `folder`: a proposed change could contain a link to any file of the machine. The paths are relative to
 * `folder`. @throws an error of code ELEADSOUT, or the system's
 */
export async function pathsWithin(folder: string): Promise<(path: string) => Promise<string>> {
  const limits = await Promise.all([folder, (await checkoutOf(folder)) ?? folder].map((at) => realpath(at)));
  return async (path) => {
    const full = join(folder, path);
    const real = await realpath(full);
    if (limits.some((limit) => real.startsWith(limit.endsWith(sep) ? limit : limit + sep))) return full;
    throw Object.assign(new Error(`${full} leads out of ${folder}`), { code: "ELEADSOUT", path: full });
  };
}

export async function pathWithin(folder: string, path: string): Promise<string> {
  return await (await pathsWithin(folder))(path);
}

const execute = promisify(execFile);

/** Runs git in a folder, and returns its output. @throws Error if git is missing, refuses or says too much */
export async function git(folder: string, ...words: readonly string[]): Promise<string> {
  return (await gitBytes(folder, words)).toString();
}

/** `limits`: bytes of the answer, and milliseconds. @throws Error if git is missing, refuses or exceeds a limit */
export async function gitBytes(
  folder: string,
  words: readonly string[],
  limits: { readonly maxBuffer: number; readonly timeout?: number } = { maxBuffer: 64_000_000 },
): Promise<Buffer> {
  return (await execute("git", ["-C", folder, ...words], { ...limits, encoding: "buffer" })).stdout;
}

const limits = { maxBuffer: 5_000_000, timeout: 10_000 };

/**
 * A file that a line of a document names: its text at the last edit of that line, and today. Undefined if git has no
 * such file. `path`: relative to the document's folder or to the checkout.
 */
export async function fileBeforeAndAfter(
  document: string,
  line: number,
  path: string,
): Promise<{ readonly before: string; readonly after?: string } | undefined> {
  const root = await checkoutOf(dirname(document));
  if (root === undefined) return undefined;
  const pathInRoot = (file: string) => relative(root, file).split(sep).join("/");
  const inRoot = async (...words: string[]) => (await gitBytes(root, words, limits)).toString();
  try {
    const blame = await inRoot(
      "blame",
      "-s",
      "--porcelain",
      "-L",
      `${line},${line}`,
      "--",
      pathInRoot(resolve(document)),
    );
    const [commit = ""] = blame.split(" ");
    if (!/[1-9a-f]/.test(commit)) return undefined;
    const resolved = await pathsWithin(root);
    for (const file of [resolve(dirname(document), path), join(root, path)]) {
      if (pathInRoot(file).startsWith("..")) continue;
      const before = await inRoot("show", `${commit}:${pathInRoot(file)}`).catch(() => undefined);
      if (before === undefined) continue;
      const after = await resolved(pathInRoot(file))
        .then((path) => readFile(path, "utf8"))
        .catch(() => undefined);
      return { before, after };
    }
  } catch {
    // The document was never committed, or git is missing.
  }
  return undefined;
}
