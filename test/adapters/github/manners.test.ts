import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inTurn } from "../../../src/adapters/github/client.ts";
import { createGitHub } from "../../../src/adapters/github/index.ts";

const issue = { method: "POST", url: "/repos/{owner}/{repo}/issues" };
const label = { method: "PATCH", url: "/repos/{owner}/{repo}/issues/{issue_number}" };
const list = { method: "GET", url: "/repos/{owner}/{repo}/issues" };

let group = "";
let groups = 0;
let began = 0;
/** The second in which each was asked. */
const asked: number[] = [];
const ask = (what: typeof issue, of = group) =>
  inTurn(of, what, () => void asked.push(Math.round((performance.now() - began) / 1_000)));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance", "Date"] });
  group = `group ${groups++}`;
  began = performance.now();
  asked.length = 0;
});

afterEach(() => void vi.useRealTimers());

test("there is a second between writes, and three between those that notify people", async () => {
  const all = [label, label, label, issue, issue, label].map((what) => ask(what));
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(all);
  expect(asked).toEqual([0, 1, 2, 3, 5, 6]);
});

test("reads, and requests of another group, wait for no write", async () => {
  await Promise.all([ask(issue), ask(list), ask(issue, `another ${group}`)]);
  expect(asked).toEqual([0, 0, 0]);
});

test("ten are asked at once, the others as these end, and however they do", async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const all = Array.from({ length: 12 }, () => {
    return inTurn(group, list, () => {
      ends.push(Promise.withResolvers<void>());
      return ends.at(-1)?.promise;
    }).catch(String);
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(10);
  ends[3]?.reject(new Error("refused"));
  ends[7]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(12);
  for (const { resolve } of ends) resolve();
  expect(await Promise.all(all)).toHaveLength(12);
});

test("a program that was stopped while a write waited for its turn does not send it: others may have by now", async () => {
  await ask(issue);
  const late = ask(issue).catch((error: Error) => error.message);
  // Time passes, and no timer is due yet.
  const stoodStill = performance.now() + 12 * 60_000;
  const now = vi.spyOn(performance, "now").mockImplementation(() => stoodStill);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await late).toMatch(/was suspended/);
  now.mockRestore();
  expect(asked).toEqual([0]);
});

test("a program that stops waits for no turn: a waiting write is not sent", async () => {
  const stopping = new AbortController();
  const ends: (number | string)[] = [];
  const all = Array.from({ length: 40 }, async () => {
    const ask = () => void asked.push(0);
    await inTurn(group, issue, ask, stopping.signal).catch((error: Error) => ends.push(error.name));
    ends.push(Math.round((performance.now() - began) / 1_000));
  });
  await vi.advanceTimersByTimeAsync(500);
  stopping.abort();
  await vi.advanceTimersByTimeAsync(1_500);
  await Promise.all(all);
  expect(asked).toEqual([0]);
  expect(ends.filter((end) => end === "AbortError")).toHaveLength(39);
  expect(Math.max(...ends.filter((end) => typeof end === "number"))).toBeLessThan(3);
});

test("nor does one whose machine slept meanwhile, so that the monotonic clock did not move", async () => {
  await ask(issue);
  const late = ask(issue).catch((error: Error) => error.message);
  vi.setSystemTime(Date.now() + 12 * 60_000);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await late).toMatch(/was suspended/);
  expect(asked).toEqual([0]);
  await ask(label);
  expect(asked).toHaveLength(2);
});

test("a clock that was 20 days ahead and is right again holds up no write", async () => {
  const now = Date.now();
  vi.setSystemTime(now + 20 * 86_400_000);
  await ask(label);
  const waiting = ask(label);
  vi.setSystemTime(now);
  const other = ask(issue);
  await vi.advanceTimersByTimeAsync(3_000);
  await Promise.all([waiting, other]);
  expect(asked).toEqual([0, 1, 2]);
});

test("a request that waits for its turn goes with the token that is good by then", async () => {
  const minute = 60_000;
  /** A token's name is when it is no longer good. */
  const credentials = { token: async () => String(performance.now() + minute), forget: () => {} };
  const ends: number[] = [];
  const fetched: typeof fetch = async (_, init) => {
    const [, end] = new Headers(init?.headers).get("authorization")?.split(" ") ?? [];
    ends.push(Number(end) - performance.now());
    return Response.json({}, { status: 201 });
  };
  const auth = { token: "none" };
  const clock = { now: () => Date.now() };
  const { addLabels } = createGitHub({ repo: "a/b", auth, credentials, group, clock, fetch: fetched });
  const all = Array.from({ length: 90 }, () => addLabels(1, ["recheck"]));
  await vi.advanceTimersByTimeAsync(2 * minute);
  await Promise.all(all);
  expect([ends.length, ends.filter((left) => left <= 0)]).toEqual([90, []]);
});
