/** Work that must not overlap, by key: each waits for what was asked of the same key before. */
export interface Lanes<K> {
  run<T>(key: K, work: () => Promise<T>): Promise<T>;
  isBusy(key: K): boolean;
  /** Once nothing is under way. */
  idle(): Promise<void>;
}

export function createLanes<K>(): Lanes<K> {
  const last = new Map<K, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      const settled = mine.then(
        () => {},
        () => {},
      );
      last.set(key, settled);
      void settled.then(() => last.get(key) === settled && last.delete(key));
      return mine;
    },
    isBusy: (key) => last.has(key),
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
