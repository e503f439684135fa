import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once it has written this to its output; rejects where it ends without. */
  says(text: string): Promise<void>;
}

/** Runs a file of the program as its own process, with nothing of this one's environment but the path. */
export function start(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Child {
  const child = spawn(process.execPath, [resolve(file), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: join(tmpdir(), "recheck-compile-cache"), ...env },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, out, err })));
  return {
    process: child,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const check = () => out.includes(text) && resolve();
        child.stdout.on("data", check);
        void ended.then(() => reject(new Error(`ended without "${text}": ${out}${err}`)));
        check();
      }),
  };
}
