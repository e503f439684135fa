import { runCommand } from "../../src/faces/cli/run.ts";
import { processTerminal } from "../../src/faces/cli/terminal.ts";
import type { Ended } from "./child.ts";

/** Commands share this process's environment, folder and output: each has them alone. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command as `startProgram` does, but in this process, whose modules and threads are warm: a tenth of the processor
 * time. Tests of what only a process has need `startProgram`: signals, pipes, terminals, standard input, two at once.
 */
export function recheckHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Promise<Ended> {
  const mine = last.then(() =>
    withProcess(env, cwd, () => runCommand(["node", "recheck", ...args], processTerminal())),
  );
  last = mine.catch(() => {});
  return mine;
}

async function withProcess(
  env: Readonly<Record<string, string>>,
  cwd: string,
  work: () => Promise<number>,
): Promise<Ended> {
  const before = { env: process.env, cwd: process.cwd(), out: process.stdout.write, err: process.stderr.write };
  const said = { out: "", err: "" };
  const writeTo = (channel: "out" | "err") => (chunk: Uint8Array | string) => {
    said[channel] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  process.env = { PATH: before.env.PATH, ...env };
  process.chdir(cwd);
  process.stdout.write = writeTo("out");
  process.stderr.write = writeTo("err");
  try {
    return { code: await work(), ...said };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
    process.stdout.write = before.out;
    process.stderr.write = before.err;
  }
}
