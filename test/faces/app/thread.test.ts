import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createThread, type Thread, type ThreadSettings } from "../../../src/faces/app/thread.ts";

let thread: Thread;
afterEach(async () => {
  vi.useRealTimers();
  await thread.close();
});

const entry = new URL("./thread.child.ts", import.meta.url);
const start = (more: Partial<ThreadSettings> = {}): void => {
  thread = createThread({ entry, data: "given", maxJobTime: 60_000, maxMegabytes: 64, maxIdleTime: 60_000, ...more });
};
const ask = (does: string, more?: unknown): Promise<unknown> => thread.ask({ does, with: more });

test("one job is done after the other", async () => {
  start();
  expect(await Promise.all([ask("answer", 1), ask("answer", 2)])).toEqual([
    ["given", 1],
    ["given", 2],
  ]);
});

test("a job that does not end is given up, and holds up nothing meanwhile", async () => {
  start({ maxJobTime: 1_500 });
  await ask("answer", 1);
  let last = performance.now();
  let longest = 0;
  const pulse = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const [spun, next] = await Promise.all([ask("spin"), ask("answer", 2)]);
  clearInterval(pulse);
  expect(spun).toBeUndefined();
  expect(next).toEqual(["given", 2]);
  expect(longest).toBeLessThan(1_000);
});

test("what it said before it was given up holds", async () => {
  start({ maxJobTime: 1_500 });
  await ask("answer", 1);
  expect(await ask("spin", "so far")).toBe("so far");
});

test("a job that wants too much memory is given up, and the next one is done", async () => {
  start({ maxMegabytes: 32 });
  expect(await ask("eat", "so far")).toBe("so far");
  expect(await ask("answer", 1)).toEqual(["given", 1]);
});

test("a job that fails says why, and the next one is done", async () => {
  start();
  await expect(ask("fail")).rejects.toThrow("it is broken");
  expect(await ask("answer", 1)).toEqual(["given", 1]);
});

test("a job that cannot be sent says so, and leaves nothing behind that ends a later one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  start({ maxJobTime: 1_000 });
  const same = await ask("who");
  await expect(ask("answer", () => {})).rejects.toThrow("could not be cloned");
  vi.advanceTimersByTime(1_000);
  expect(await ask("who")).toBe(same);
});

test("a job whose thread ends without a word fails, and the next one is done", async () => {
  start();
  await expect(ask("leave")).rejects.toThrow("ended without an answer");
  expect(await ask("answer", 1)).toEqual(["given", 1]);
});

test("it ends once it has nothing to do, and is there again for the next job", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  start({ maxIdleTime: 1_000 });
  const first = await ask("who");
  vi.advanceTimersByTime(999);
  expect(await ask("who")).toBe(first);
  vi.advanceTimersByTime(1_000);
  expect(await ask("who")).not.toBe(first);
});

test("closed, it refuses what is under way, what waits, and what is asked later", async () => {
  start();
  await ask("answer", 1);
  const asked = Promise.allSettled([ask("spin", "so far"), ask("answer", 2)]);
  await setImmediate();
  await thread.close();
  const refused = { status: "rejected", reason: new Error("the thread was closed") };
  expect(await asked).toEqual([refused, refused]);
  await expect(ask("answer", 3)).rejects.toThrow("the thread was closed");
});
