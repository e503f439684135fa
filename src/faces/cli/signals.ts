/** What is to be settled before a signal may end the program. */
const unsettled = new Set<() => unknown>();

/** Those by which a person, a terminal that is closed and a system that goes down end a program. */
const ending = ["SIGINT", "SIGHUP", "SIGTERM"] as const;

let isEnding = false;

/** Has a signal end the program only once this is settled; a second one does so at once. Returns what takes that back. */
export function settleBeforeSignal(settle: () => unknown): () => void {
  if (unsettled.size === 0) for (const signal of ending) process.on(signal, end);
  unsettled.add(settle);
  return () => {
    unsettled.delete(settle);
    if (unsettled.size === 0) letGo();
  };
}

/** By the signal itself, as whoever called the program expects of it. Others who hear it leave that to us until then. */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (!isEnding) {
    isEnding = true;
    await Promise.allSettled([...unsettled].map(async (settle) => settle()));
  }
  letGo();
  process.kill(process.pid, signal);
}

function letGo(): void {
  for (const signal of ending) process.off(signal, end);
}
