import { setTimeout as sleep } from "node:timers/promises";
import type { Duration } from "../../model/time.ts";

type Results<R> = ReadonlyMap<string, R>;

export interface Gathered<T, R> {
  /** Requests one item; `what` is passed on with the others. */
  (key: string, what: T): Promise<R>;
  /** Resolves once everything requested until then is done. */
  settled(): Promise<unknown>;
}

interface Batch<T, R> {
  readonly all: Map<string, T>;
  readonly done: Promise<Results<R>>;
}

/**
 * Batches work: callers during one batch share the next one. In a batch each key occurs once. `pause`: milliseconds to wait for
 * others before each batch.
 */
export function createBatches<T, R>(
  work: (all: ReadonlyMap<string, T>) => Promise<Results<R>>,
  { pause = 0 }: { readonly pause?: Duration } = {},
): Gathered<T, R> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Batch<T, R> | undefined;

  function begin(): Batch<T, R> {
    const all = new Map<string, T>();
    const done = last.then(async () => {
      if (pause > 0) await sleep(pause);
      next = undefined;
      return await work(all);
    });
    last = done.catch(() => {});
    return { all, done };
  }

  async function ask(key: string, what: T): Promise<R> {
    while (next?.all.has(key)) await next.done.catch(() => {});
    next ??= begin();
    next.all.set(key, what);
    const found = await next.done;
    return found.get(key) as R;
  }

  return Object.assign(ask, { settled: () => last });
}
