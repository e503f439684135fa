import { execFile } from "node:child_process";
import { basename, resolve } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../../../model/config.ts";
import type { Source } from "../../../model/source.ts";
import { aMinute, type Instant } from "../../../model/time.ts";
import type { Frame, Tape } from "../../../watch/replay/tape.ts";

const run = promisify(execFile);

const maxAnswerBytes = 64_000_000;

/** Limit of revisions per file; the newest are read. */
const maxRevisions = 2_000;

/** The folder is not a checkout, or git does not answer. */
export class NoHistory extends Error {
  override readonly name = "NoHistory";
}

/**
 * The history of a checkout as tapes, for each `text` source whose address ends with the path of a file in it. If the address
 * names a GitHub repository, the checkout must be of that repository. @throws NoHistory
 */
export async function historyTapes(folder: string, config: Config, since: Instant): Promise<Tape[]> {
  const paths = (await git(folder, "ls-files", "-z")).split("\0").filter(Boolean);
  const names = await namesOf(folder);
  const tapes: Tape[] = [];
  for (const source of config.sources.values()) {
    const path = source.kind === "text" ? pathOf(source, paths, names) : undefined;
    const frames = path === undefined ? [] : await framesOf(folder, path, source, since);
    if (frames.length > 0) tapes.push({ source, frames });
  }
  return tapes;
}

/** The longest path in the checkout that the address ends with. */
function pathOf({ address }: Source, paths: readonly string[], names: ReadonlySet<string>): string | undefined {
  const { host, pathname } = new URL(address);
  const decoded = decodeURIComponent(pathname).slice(1);
  const isGitHub = host === "raw.githubusercontent.com" || host === "github.com";
  if (
    isGitHub &&
    !names.has(decoded.split("/").slice(0, 2).join("/").toLowerCase()) &&
    !names.has(decoded.split("/")[1]?.toLowerCase() ?? "")
  )
    return undefined;
  const fitting = paths.filter((path) => decoded === path || decoded.endsWith(`/${path}`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** `owner/name` of the checkout's origin; without one, the name of its folder. */
async function namesOf(folder: string): Promise<Set<string>> {
  const origin = await git(folder, "config", "--get", "remote.origin.url").catch(() => "");
  const found = /[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?\s*$/.exec(origin)?.[1];
  return new Set([(found ?? basename(resolve(folder))).toLowerCase()]);
}

async function framesOf(folder: string, path: string, source: Source, since: Instant): Promise<Frame[]> {
  const log = await git(folder, "log", "--first-parent", `--max-count=${maxRevisions}`, "--format=%H %ct", "--", path);
  const commits = log
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ hash: line.slice(0, 40), at: Number(line.slice(41)) * 1000 }))
    .sort((a, b) => a.at - b.at);
  const start = Math.max(
    0,
    commits.findLastIndex(({ at }) => at <= since),
  );
  const frames: Frame[] = [];
  for (const { hash, at } of commits.slice(start)) {
    const body = await blob(folder, hash, path);
    const response = { url: source.address, status: body ? 200 : 404, headers: {}, body: body ?? new Uint8Array() };
    frames.push({ at: Math.max(at, since) + aMinute, response });
  }
  return frames;
}

/** Undefined if a commit removed the file. */
async function blob(folder: string, hash: string, path: string): Promise<Uint8Array | undefined> {
  try {
    const args = ["-C", folder, "cat-file", "blob", `${hash}:${path}`];
    const { stdout } = await run("git", args, { maxBuffer: maxAnswerBytes, encoding: "buffer" });
    return new Uint8Array(stdout);
  } catch {
    return undefined;
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await run("git", ["-C", folder, ...args], { maxBuffer: maxAnswerBytes })).stdout;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n")[0] : "";
    throw new NoHistory(`git has no history of ${folder}${said ? `: ${said}` : ""}`);
  }
}
