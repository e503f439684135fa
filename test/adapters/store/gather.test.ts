import { describe, expect, test } from "vitest";
import { createBatches, queryTogether } from "../../../src/adapters/store/gather.ts";
import type { Scope } from "../../../src/adapters/store/tables.ts";

/** Gathers keys, and keeps what each piece of work was given. */
function gathering(pause?: number) {
  const batches: string[][] = [];
  const ask = createBatches<string, string>(
    async (all) => {
      batches.push([...all.keys()]);
      await Promise.resolve();
      if (all.has("bad")) throw new Error("bad");
      return new Map([...all].map(([key, what]) => [key, what.toUpperCase()]));
    },
    { pause },
  );
  return { ask, batches };
}

describe("work for many at the cost of one", () => {
  test("a batch that hangs does not hold up the next one for ever", async () => {
    const hangs = Promise.withResolvers<ReadonlyMap<string, string>>();
    const ask = createBatches<string, string>(async (all) => (all.has("hangs") ? await hangs.promise : all), {
      patience: 1,
    });
    const first = ask("hangs", "late");
    await new Promise(setImmediate);
    expect(await ask("other", "in time")).toBe("in time");
    hangs.resolve(new Map([["hangs", "late"]]));
    expect(await first).toBe("late");
  });

  test("a query of several repositories is one statement, and each gets its rows", async () => {
    const queries: (readonly string[])[] = [];
    const ask = queryTogether((_, keys, all: readonly number[]) => ({
      async execute() {
        queries.push(keys);
        return keys.flatMap((repository, at) => [1, 2].map((n) => ({ repository, value: n * (all[at] ?? 0) })));
      },
    }));
    const db = {} as Scope["db"];
    const asked = ["7", "8"].map((repository, at) => ask({ db, repository }, at + 1));
    expect((await Promise.all(asked)).map((rows) => rows.map(({ value }) => value))).toEqual([
      [1, 2],
      [2, 4],
    ]);
    expect(queries).toEqual([["7", "8"]]);
    await ask({ db: {} as Scope["db"], repository: "7" }, 1);
    expect(queries).toHaveLength(2);
  });

  test("work that comes while a batch is done is in the next batch, and each gets his own", async () => {
    const { ask, batches } = gathering();
    const first = ask("a", "x");
    await Promise.resolve();
    const others = ["b", "c", "d"].map((key) => ask(key, key));
    expect(await first).toBe("X");
    expect(await Promise.all(others)).toEqual(["B", "C", "D"]);
    expect(batches).toEqual([["a"], ["b", "c", "d"]]);
  });

  test("the same key twice is in two batches", async () => {
    const { ask, batches } = gathering();
    expect(await Promise.all([ask("a", "one"), ask("a", "two")])).toEqual(["ONE", "TWO"]);
    expect(batches).toEqual([["a"], ["a"]]);
  });

  test("with a pause all that come within it are one batch", async () => {
    const { ask, batches } = gathering(1);
    const asked = [ask("a", "x")];
    for (const key of ["b", "c"]) {
      // Without the pause, a batch begins before this is over. A timer cannot end it on a slow machine.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      asked.push(ask(key, "x"));
    }
    await Promise.all(asked);
    expect(batches).toEqual([["a", "b", "c"]]);
  });

  test("is settled once all the work is done, also if it failed", async () => {
    const { ask, batches } = gathering(5);
    const failed = expect(ask("bad", "x")).rejects.toThrow("bad");
    const other = ask("good", "x").catch(() => "failed with it");
    await ask.settled();
    expect(batches).toEqual([["bad", "good"]]);
    await failed;
    expect(await other).toBe("failed with it");
    await ask.settled();
    expect(await ask("good", "y")).toBe("Y");
  });
});
