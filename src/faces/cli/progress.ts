import { constants } from "node:os";
import { showCursor } from "./print.ts";
import { type Terminal, WrongUsage } from "./terminal.ts";

/** The minutes of `--minutes`, above 0 and up to a day; 1 by default. @throws WrongUsage */
export function minutesFrom(written = "1"): number {
  const minutes = /^\d{1,4}(?:\.\d{1,4})?$/.test(written) ? Number(written) : 0;
  if (minutes > 0 && minutes <= 1_440) return minutes;
  throw new WrongUsage("--minutes needs a number of minutes, e.g. 5");
}

/** Runs a job with a progress line, if a person watches. `title`: its first text, which the job may change. */
export async function withProgress<T>(
  out: Terminal,
  { json }: { readonly json?: boolean },
  work: (say: (says: string) => void) => Promise<T>,
  title = "Checking",
): Promise<T> {
  if (!out.live || json) return await work(() => {});
  const { Listr } = await import("listr2");
  let result: { readonly of: T } | undefined;
  const task = {
    title,
    task: async (_: unknown, line: { title: string }) => {
      result = { of: await work((says) => (line.title = says)) };
    },
  };
  const done = settleBeforeSignal(showCursor);
  // The progress library's own signal handler would end the program before running work is finished.
  const list = new Listr([task], { rendererOptions: { clearOutput: true }, registerSignalListeners: false });
  await list.run().finally(done);
  if (!result) throw new Error("the work ended without a result");
  return result.of;
}

/** Work that must finish before a signal may end the program. */
const unsettled = new Set<() => unknown>();

/** Signals by which a person, a closing terminal or a system shutdown ends a program. */
const ending = ["SIGINT", "SIGHUP", "SIGTERM"] as const;

let isEnding = false;

/** Lets a signal end the program only after this work; a second signal does so at once. Returns a function that undoes it. */
export function settleBeforeSignal(settle: () => unknown): () => void {
  if (unsettled.size === 0) for (const signal of ending) process.on(signal, end);
  unsettled.add(settle);
  return () => {
    unsettled.delete(settle);
    if (unsettled.size === 0) letGo();
  };
}

/** Ends by the signal itself, as the caller of a program expects. Until then other listeners leave the ending to us. */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (!isEnding) {
    isEnding = true;
    await Promise.allSettled([...unsettled].map(async (settle) => settle()));
  }
  letGo();
  process.kill(process.pid, signal);
  // The first process of a container is not ended by a signal that it does not handle.
  if (process.pid === 1) process.exit(128 + constants.signals[signal]);
}

function letGo(): void {
  for (const signal of ending) process.off(signal, end);
}
