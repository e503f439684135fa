import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Bytes of one answer, and milliseconds (default: no limit of time). */
export interface GitLimits {
  readonly maxBuffer: number;
  readonly timeout?: number;
}

/** Runs git in a folder, and returns its output. @throws Error if git is missing, refuses or says too much */
export async function git(folder: string, ...words: readonly string[]): Promise<string> {
  return (await gitBytes(folder, words)).toString();
}

/** @throws Error if git is missing, refuses or exceeds a limit */
export async function gitBytes(
  folder: string,
  words: readonly string[],
  limits: GitLimits = { maxBuffer: 64_000_000 },
): Promise<Buffer> {
  return (await run("git", ["-C", folder, ...words], { ...limits, encoding: "buffer" })).stdout;
}
