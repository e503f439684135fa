import { syncBuiltinESMExports } from "node:module";
import { availableParallelism } from "node:os";
import v8 from "node:v8";
import { expect, test, vi } from "vitest";
import { createPool } from "../../../src/adapters/threads/pool.ts";

const entry = new URL("./pool.child.ts", import.meta.url);
const pool = () => createPool({ entry, processor: 60_000, megabytes: 64 });
const many = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one));

test("the program limits its heap when a thread starts, and not before", async () => {
  const flags = vi.spyOn(v8, "setFlagsFromString");
  syncBuiltinESMExports();
  const { run } = pool();
  expect(flags).not.toHaveBeenCalled();
  await run("who", 1);
  expect(flags).toHaveBeenCalledWith("--heap-growing-percent=50");
  flags.mockRestore();
  syncBuiltinESMExports();
});

test("tasks that one thread soon comes to start no other", async () => {
  const { run, figures } = pool();
  const done = await many(20, () => run("who", 1));
  expect(new Set(done).size).toBe(1);
  expect(figures()).toMatchObject({ running: 1, busy: 0, waiting: 0 });
  expect(await run("who", 1)).toBe(done[0]);
});

test("a thread that takes long to start makes no task slow, so no other is started", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { run, figures } = pool();
  const done = many(2, () => run("who", 1));
  // The thread is starting: none of its messages comes before the clock goes on.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(new Set(await done).size).toBe(1);
  expect(figures().running).toBe(1);
});

const others = availableParallelism() > 1;
const onOne = others ? "" : ", which is left out on one processor";

test.skipIf(!others)(`a task behind one that takes long is done by another thread${onOne}`, async () => {
  const { run, figures } = pool();
  const first = await run("who", 1);
  let isDone = false;
  const long = run("who", 20_000).then(() => {
    isDone = true;
  });
  const next = await run("who", 1);
  expect(isDone).toBe(false);
  expect(next).not.toBe(first);
  // Those that come now have a thread that runs.
  expect(await run("who", 1)).toBe(next);
  expect(figures().running).toBe(2);
  void long;
});

test("many tasks that wait leave one processor to the program", async () => {
  const { run, figures } = pool();
  const done = await many(60, () => run("who", 10));
  expect(figures().running).toBe(Math.min(4, Math.max(1, availableParallelism() - 1)));
  expect(new Set(done).size).toBe(figures().running);
});

test("tasks that wait behind many quick ones start no other thread, however long they wait", async () => {
  const { run, figures } = pool();
  const done = await many(31, () => run("who", 130));
  expect(new Set(done).size).toBe(1);
  expect(figures().running).toBe(1);
});
