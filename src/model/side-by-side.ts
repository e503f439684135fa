/** Runs `work` for each, at most `atOnce` at a time, in order of start. */
export async function sideBySide<T>(
  all: readonly T[],
  atOnce: number,
  stopped: (() => boolean) | undefined,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const queue = all.values();
  const lane = async () => {
    for (const one of queue) {
      if (stopped?.()) return;
      await work(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
}
