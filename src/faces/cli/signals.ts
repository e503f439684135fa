import { constants } from "node:os";

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
