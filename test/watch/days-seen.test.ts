import fc from "fast-check";
import { expect, test } from "vitest";
import { daysSeen, wasSeenOn } from "../../src/watch/watch.ts";

const day = 86_400_000;
const start = Date.UTC(2026, 4, 16);

test("after any checks, each of the last 128 days says whether it was seen", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 * day }), { minLength: 1, maxLength: 60 }), (moments) => {
      const checks = moments.toSorted((a, b) => a - b).map((moment) => start + moment);
      let days: string | undefined;
      let last: number | undefined;
      for (const at of checks) {
        days = daysSeen(days, last, at);
        last = at;
      }
      const seen = new Set(checks.map((at) => Math.floor(at / day)));
      const latest = Math.floor((last ?? 0) / day);
      for (let ago = -2; ago < 140; ago++) {
        const expected = ago >= 0 && ago < 128 && seen.has(latest - ago);
        expect(wasSeenOn(days, last, (latest - ago) * day + 1), `${ago} days ago`).toBe(expected);
      }
      expect(days).toMatch(/^[0-9a-f]{1,32}$/);
    }),
  );
});

test("a second check on the same day changes nothing", () => {
  expect(daysSeen("a5", start + 1, start + day - 1)).toBe("a5");
});

test("a clock that was wrong leaves no day that has not come yet", () => {
  const wrong = daysSeen("7", start, start + 5 * day);
  const right = daysSeen(wrong, start + 5 * day, start + day);
  const seen = [-1, 0, 1, 2, 3, 4, 5].filter((ago) => wasSeenOn(right, start + day, start + (1 - ago) * day));
  expect(seen).toEqual([0, 1, 2, 3]);
});

test("the store of an older program has the last day alone", () => {
  const days = daysSeen(undefined, start, start + 2 * day);
  expect([0, 1, 2].map((ago) => wasSeenOn(days, start + 2 * day, start + (2 - ago) * day))).toEqual([
    true,
    false,
    true,
  ]);
});
