/** Work that must not overlap, by key: each waits for what was asked of the same key before. */
export interface Lanes<K> {
  run<T>(key: K, work: () => Promise<T>): Promise<T>;
  isBusy(key: K): boolean;
  /** Resolves once nothing is under way. */
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

/** Work that is never beside itself, by key, and is done once more where it was asked for while it was under way. */
export interface Repeats<K> {
  /** Resolves once nothing more was asked for; whoever asks meanwhile waits for the same end. */
  ask(key: K, work: () => Promise<void>): Promise<void>;
  /** The end of what is under way; undefined where nothing is. */
  end(key: K): Promise<void> | undefined;
}

export function createRepeats<K>(stopped: () => boolean): Repeats<K> {
  const busy = new Map<K, { isAskedAgain: boolean; end: Promise<void> }>();
  return {
    ask(key, work) {
      const known = busy.get(key);
      if (known) {
        known.isAskedAgain = true;
        return known.end;
      }
      const mine = { isAskedAgain: true, end: Promise.resolve() };
      const repeat = async () => {
        try {
          while (mine.isAskedAgain && !stopped()) {
            mine.isAskedAgain = false;
            await work();
          }
        } finally {
          busy.delete(key);
        }
      };
      busy.set(key, mine);
      mine.end = repeat();
      return mine.end;
    },
    end: (key) => busy.get(key)?.end,
  };
}

/** Work of which no more than so many are under way at once, begun in the order in which it was asked for. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
