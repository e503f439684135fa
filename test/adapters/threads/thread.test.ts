import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createThread, JobGivenUp, type Thread, type ThreadSettings } from "../../../src/adapters/threads/thread.ts";
import { Failure } from "../../../src/model/failure.ts";
import { StoreProblem } from "../../../src/model/problem.ts";

let thread: Thread;
afterEach(async () => {
  vi.useRealTimers();
  await thread.close();
});

const entry = new URL("./thread.child.ts", import.meta.url);
const start = (more: Partial<ThreadSettings> = {}): void => {
  thread = createThread({ entry, data: "given", processor: 60_000, megabytes: 64, maxIdleTime: 60_000, ...more });
};
const ask = (does: string, more?: unknown): Promise<unknown> => thread.ask({ does, with: more });

test("one job is done after the other", async () => {
  start();
  expect(await Promise.all([ask("answer", 1), ask("answer", 2)])).toEqual([
    ["given", 1],
    ["given", 2],
  ]);
});

test("a job's question is answered by the caller of the job, not by the one who started the thread", async () => {
  start();
  const giver = new AsyncLocalStorage<string>();
  const asked = (by: string) =>
    giver.run(by, () => thread.ask({ does: "ask" }, async () => `given by ${giver.getStore()}`));
  expect(await asked("one")).toBe("given by one");
  expect(await asked("another")).toBe("given by another");
});

test("a job that does not end is given up, and holds up nothing meanwhile", async () => {
  start({ processor: 1_500 });
  await ask("answer", 1);
  let pulses = 0;
  const pulse = setInterval(() => pulses++, 5);
  const [spun, next] = await Promise.all([ask("spin").catch(String), ask("answer", 2)]);
  clearInterval(pulse);
  expect(spun).toMatch("too much processor");
  expect(next).toEqual(["given", 2]);
  expect(pulses).toBeGreaterThan(20);
});

test("partial results from before it was given up are kept", async () => {
  start({ processor: 300 });
  const error = await ask("spin", "so far").catch((error: unknown) => error);
  expect(error).toBeInstanceOf(JobGivenUp);
  expect(error).toMatchObject({ excess: "processor", soFar: "so far" });
});

test("a job that stays in one call of the engine, which shows no processor time, is given up", async () => {
  start({ processor: 100 });
  await expect(ask("stay in one call")).rejects.toMatchObject({ excess: "processor" });
});

test.each(["eat", "eat bytes"])(
  "a job that wants too much memory (%s) is given up, and the next one is done",
  async (does) => {
    start({ megabytes: 40 });
    await expect(ask(does, "so far")).rejects.toMatchObject({ excess: "memory", soFar: "so far" });
    expect(await ask("answer", 1)).toEqual(["given", 1]);
  },
);

test("no job is given up for the leftovers of those before it", async () => {
  start({ megabytes: 64 });
  const most = 40_000_000;
  for (let n = 0; n < 5; n++) expect(await ask("take for a while", most)).toBe(most);
});

test("leftovers of a job are collected, and a thread that keeps them all the same is replaced", async () => {
  start({ megabytes: 64 });
  const first = await ask("who");
  await ask("take for a while", 40_000_000);
  expect(await ask("who")).toBe(first);
  await ask("keep", 40_000_000);
  const next = await ask("who");
  expect(next).not.toBe(first);
  expect(await ask("who")).toBe(next);
});

test("young leftovers of a job are collected before the next one", async () => {
  start();
  for (let job = 0; job < 10; job++) {
    await ask("make objects", 100_000);
    expect(await ask("count young")).toBeLessThan(4_000_000);
  }
});

test("after a thousand jobs another thread takes its place", async () => {
  start();
  const first = await ask("who");
  for (let n = 0; n < 998; n++) await ask("answer", n);
  expect(await ask("who")).toBe(first);
  const next = await ask("who");
  expect(next).not.toBe(first);
  expect(await ask("who")).toBe(next);
});

test("a job that nests too deep is a failure of what it read, with that as its reason", async () => {
  start();
  await expect(ask("go deep")).rejects.toMatchObject({ kind: "too-deep", message: "nested too deep to be read" });
  await expect(ask("go deep")).rejects.toBeInstanceOf(Failure);
  expect(await ask("answer", 1)).toEqual(["given", 1]);
});

test("it is the processor time of a job that counts, not how long it takes", async () => {
  start({ processor: 300 });
  const answer = () => new Promise((resolve) => setTimeout(resolve, 700, "late"));
  expect(await thread.ask({ does: "ask" }, answer)).toBe("late");
});

test("a job asks the one who gave it", async () => {
  start();
  const answer = async (question: string, args: readonly unknown[]) => [question, ...args];
  expect(await thread.ask({ does: "ask", with: 1 }, answer)).toEqual(["how", 1]);
  await expect(ask("ask")).rejects.toThrow("nobody answers how");
});

test("a job that fails for want of an answer throws the error of the one who was asked", async () => {
  start();
  const error = new StoreProblem("unreachable", "the database ended the connection");
  const asked = thread.ask({ does: "ask" }, async () => {
    throw error;
  });
  await expect(asked).rejects.toBe(error);
  expect(await ask("answer", 1)).toEqual(["given", 1]);
});

test("secret leakage: nothing of the environment with its tokens reaches it, but the folder of compiled code", async () => {
  start();
  const names = (await ask("environment")) as string[];
  expect(names.filter((name) => name !== "NODE_COMPILE_CACHE")).toEqual([]);
});

test("a failure of a check comes back as what it is", async () => {
  start();
  await expect(ask("fail as a check does")).rejects.toEqual(new Failure("no-match", { selector: "main" }));
});

test("a job that fails says why, and the next one is done", async () => {
  start();
  await expect(ask("fail")).rejects.toThrow("it is broken");
  expect(await ask("answer", 1)).toEqual(["given", 1]);
});

test("a job that cannot be sent says so, and leaves nothing behind that ends a later one", async () => {
  start();
  const same = await ask("who");
  await expect(ask("answer", () => {})).rejects.toThrow("could not be cloned");
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

test("closed, it refuses jobs that are under way, that wait, and that come later", async () => {
  start();
  await ask("answer", 1);
  const asked = Promise.allSettled([ask("spin", "so far"), ask("answer", 2)]);
  await setImmediate();
  await thread.close();
  const refused = { status: "rejected", reason: new Error("the thread was closed") };
  expect(await asked).toEqual([refused, refused]);
  await expect(ask("answer", 3)).rejects.toThrow("the thread was closed");
});
