import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import type { Watch } from "../../src/model/ports/index.ts";
import {
  cadence,
  confirmAfter,
  dueSources,
  latestDue,
  nextCheck,
  nextTry,
  type SourceSelection,
} from "../../src/watch/schedule.ts";
import { currentWatch, failedAfter, unchangedAfter } from "../../src/watch/watch.ts";
import { anyAddress } from "../support/any-address.ts";
import { configOf } from "../support/config-of.ts";
import { watchOf } from "../support/watch-of.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 6, 1);

const config = configOf(`
report: { title: Report, audited: 2026-05-16 }
schedule: { feed: 3h }
sources:
  blog: { feed: "https://example.org/feed" }
  specs: { page: "https://example.org/specs", confirm: 2h }
  old: { page: "https://example.org/old", every: 14d }
`);

function source(id: string) {
  const found = config.sources.get(id);
  if (!found) throw new Error(id);
  return found;
}

function watch(id: string, next: number): [string, Watch] {
  return [id, watchOf(id, { next })];
}

describe("due sources", () => {
  const watches = new Map([watch("blog", now + hour), watch("specs", now - hour)]);
  const chosen = (choice: SourceSelection) =>
    dueSources({ sources: [...config.sources.values()], watches }, config, { at: now, lastCheck: undefined }, choice);

  test("are those that were never checked, and those past their time, longest first", () => {
    expect(chosen({}).map(({ id }) => id)).toEqual(["old", "specs"]);
  });

  test("are all with --all, and the named ones with --source", () => {
    expect(chosen({ all: true })).toHaveLength(3);
    expect(chosen({ sources: ["blog"] }).map(({ id }) => id)).toEqual(["blog"]);
  });
});

test("a host that answers three requests and then asks for an hour's rest has each of its nine pages seen", () => {
  const pages = Array.from({ length: 9 }, (_, n) => `  p${n}: { page: "https://example.org/${n}", every: 6h }`);
  const config = configOf(`report: { title: Report, audited: 2026-05-16 }\nsources:\n${pages.join("\n")}`);
  const sources = [...config.sources.values()];
  const watches = new Map<string, Watch>();
  for (let at = now; at < now + 2 * day; at += 6 * hour) {
    const due = dueSources({ sources, watches }, config, { at, lastCheck: at - 6 * hour }, {});
    for (const [turn, source] of due.entries()) {
      const before = currentWatch(watches.get(source.id), source, at);
      const facts = { status: 429, retryAfter: hour, ...(turn > 3 && { unasked: "yes" }) };
      const after =
        turn < 3
          ? unchangedAfter(source, before, { kind: "not-modified" }, at, config)
          : failedAfter(source, before, new Failure("rate-limited", facts), at, config);
      watches.set(source.id, after.watch);
    }
  }
  for (const { lastSeen = 0 } of watches.values()) expect(lastSeen).toBeGreaterThanOrEqual(now + day);
});

test("a source's own cadence goes before its kind's", () => {
  expect(cadence(source("blog"), config)).toBe(3 * hour);
  expect(cadence(source("old"), config)).toBe(14 * day);
});

test("a second check is never sooner than an hour", () => {
  expect(confirmAfter(source("specs"))).toBe(2 * hour);
  expect(confirmAfter({ ...source("specs"), confirm: minute })).toBe(hour);
  expect(confirmAfter(source("old"))).toBe(6 * hour);
});

test("regular checks keep their cadence, are sooner by a tenth at most, and do not march in step", () => {
  fc.assert(
    fc.property(fc.integer({ min: now, max: now + 400 * day }), (at) => {
      const next = nextCheck(source("blog"), config, at) - at;
      expect(next).toBeGreaterThanOrEqual(0.9 * 3 * hour);
      expect(next).toBeLessThanOrEqual(3 * hour);
    }),
  );
  const times = new Set(
    Array.from({ length: 20 }, (_, index) => nextCheck({ ...source("blog"), address: `${index}` }, config, now)),
  );
  expect(times.size).toBeGreaterThan(10);
});

test("all who watch an address come to check it at the same moments, whenever each began, somewhat early or late", () => {
  const begun = fc.integer({ min: now, max: now + 40 * day });
  fc.assert(
    fc.property(
      begun,
      begun,
      anyAddress,
      fc.integer({ min: -0.1 * hour, max: 0.1 * hour }),
      (one, other, address, late) => {
        const watched = { ...source("blog"), address };
        const after = (checks: number, from: number) => {
          let at = from;
          while (checks-- > 0) at = nextCheck(watched, config, at + late, at);
          return at;
        };
        const [first, second] = [after(30, one), after(30, other)];
        expect(Math.abs(first - second) % (3 * hour)).toBe(0);
        expect(after(1, first) - first).toBe(3 * hour);
      },
    ),
  );
});

describe("after a failure", () => {
  const failure = new Failure("timeout");

  test("the next try comes sooner than usual, then ever later, never later than usual", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => nextTry(source("old"), config, now, failure, count) - now);
    expect(waits[0]).toBe(hour);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(nextTry(source("blog"), config, now, failure, 50) - now).toBe(0.9 * 3 * hour);
  });

  test("a source that was not asked because its host was silent comes before one that was", () => {
    const unasked = new Failure("timeout", { unasked: "yes" });
    for (const count of [1, 5]) {
      const [asked, other] = [failure, unasked].map((one) => nextTry(source("old"), config, now, one, count));
      expect(other).toBeLessThan(asked ?? 0);
    }
  });

  test("not before the host allows it", () => {
    const limited = new Failure("rate-limited", { status: 429, retryAfter: 2 * day });
    expect(nextTry(source("blog"), config, now, limited, 1) - now).toBe(2 * day);
  });
});

test("every time is a whole millisecond, as a database keeps it", () => {
  fc.assert(
    fc.property(fc.nat(day), fc.nat(day), fc.nat(20), fc.nat({ max: day }), (pause, early, count, asked) => {
      const at = now + pause;
      const limited = new Failure("rate-limited", { status: 429, retryAfter: asked + 0.5 });
      for (const one of config.sources.values()) {
        for (const time of [
          latestDue({ at, lastCheck: now }, early + 0.1),
          nextCheck(one, config, at),
          nextTry(one, config, at, limited, count),
        ])
          expect(Number.isSafeInteger(time)).toBe(true);
      }
    }),
  );
});
