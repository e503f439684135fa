/** The result of each, by the key under which it was asked for. */
type Results<R> = ReadonlyMap<string, R>;

/** Asks for one thing; `what` is told with the others. */
export type Gathered<T, R> = (key: string, what: T) => Promise<R>;

interface Batch<T, R> {
  readonly all: Map<string, T>;
  readonly done: Promise<Results<R>>;
}

/**
 * Work that is done for many at the cost of one: whoever comes while it is done for others is in the next batch, with all
 * who come until then. In a batch each key is there once.
 */
export function gathered<T, R>(work: (all: ReadonlyMap<string, T>) => Promise<Results<R>>): Gathered<T, R> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Batch<T, R> | undefined;

  function begin(): Batch<T, R> {
    const all = new Map<string, T>();
    const done = last.then(() => {
      next = undefined;
      return work(all);
    });
    last = done.catch(() => {});
    return { all, done };
  }

  return async (key, what) => {
    while (next?.all.has(key)) await next.done.catch(() => {});
    next ??= begin();
    next.all.set(key, what);
    const found = await next.done;
    return found.get(key) as R;
  };
}
