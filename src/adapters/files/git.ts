import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Bytes of one answer, and milliseconds. */
const limits = { maxBuffer: 64_000_000, timeout: 60_000 };

/** Runs git in a folder, and returns its output. @throws Error if git is missing, refuses or takes too long */
export async function git(folder: string, ...words: readonly string[]): Promise<string> {
  return (await gitBytes(folder, ...words)).toString();
}

export async function gitBytes(folder: string, ...words: readonly string[]): Promise<Buffer> {
  return (await run("git", ["-C", folder, ...words], { ...limits, encoding: "buffer" })).stdout;
}
