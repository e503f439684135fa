import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { makeOnce } from "../../model/cache.ts";
import type { Duration } from "../../model/time.ts";
import type { Tables } from "./schema.ts";
import type { Scope } from "./tables.ts";

type Results<R> = ReadonlyMap<string, R>;

interface Batch<T, R> {
  readonly all: Map<string, T>;
  readonly done: Promise<Results<R>>;
}

/**
 * Batches work: callers during one batch share the next one. In a batch each key occurs once. `pause`: milliseconds to wait for
 * others before each batch. `patience`: milliseconds after which the next batch no longer waits for one that hangs.
 */
export function createBatches<T, R>(
  work: (all: ReadonlyMap<string, T>) => Promise<Results<R>>,
  { pause = 0, patience = 1_000 }: { readonly pause?: Duration; readonly patience?: Duration } = {},
) {
  let previous: Promise<unknown> = Promise.resolve();
  let settled = previous;
  let next: Batch<T, R> | undefined;

  function begin(): Batch<T, R> {
    const all = new Map<string, T>();
    const begun = previous.then(async () => {
      if (pause > 0) await sleep(pause);
      next = undefined;
    });
    const done = begun.then(() => work(all));
    const ended = done.catch(() => {});
    settled = Promise.all([settled, ended]).then(() => {});
    previous = begun.then(() => Promise.race([ended, sleep(patience, undefined, { ref: false })]));
    return { all, done };
  }

  /** Requests one item; `what` is passed on with the others. */
  async function ask(key: string, what: T): Promise<R> {
    while (next?.all.has(key)) await next.done.catch(() => {});
    next ??= begin();
    next.all.set(key, what);
    const found = await next.done;
    return found.get(key) as R;
  }

  /** `settled` resolves once everything requested until then is done. */
  return Object.assign(ask, { settled: () => settled });
}

/** A query whose statement several repositories share. `query` may return rows that one of them did not ask for. */
export function queryTogether<T, Row extends { readonly repository: string }>(
  query: (db: Kysely<Tables>, keys: readonly string[], all: readonly T[]) => { execute(): Promise<Row[]> },
): (scope: Scope, what: T) => Promise<Row[]> {
  const ofDatabases = new WeakMap<object, ReturnType<typeof createBatches<T, Row[] | undefined>>>();
  return async ({ db, repository }, what) => {
    const ask = makeOnce(ofDatabases, db, () =>
      createBatches<T, Row[] | undefined>(async (all) =>
        Map.groupBy(await query(db, [...all.keys()], [...all.values()]).execute(), (row) => row.repository),
      ),
    );
    return (await ask(repository, what)) ?? [];
  };
}
