import { describe, expect, test } from "vitest";
import {
  aDay,
  aMinute,
  anHour,
  daysIn,
  isoTime,
  minute,
  pauseAfter,
  period,
  span,
  stamp,
} from "../../src/model/time.ts";

test.each([
  [0, "0 min"],
  [20 * aMinute, "20 min"],
  [-89 * aMinute, "89 min"],
  [90 * aMinute, "2 h"],
  [47.4 * anHour, "47 h"],
  [2 * aDay, "2 days"],
  [100.4 * aDay, "100 days"],
])("%d ms ago or until are %s", (length, says) => {
  expect(span(length)).toBe(says);
});

test.each([
  [6 * anHour, "6 h"],
  [aDay, "1 day"],
  [180 * aDay, "180 days"],
])("a declared length of %d ms is %s", (length, says) => {
  expect(period(length)).toBe(says);
});

test.each([
  [0, 0],
  [-3, 0],
  [1, aMinute],
  [2, 2 * aMinute],
  [6, 32 * aMinute],
  [7, anHour],
  [100_000, anHour],
])("after %d failures in a row the pause is %d ms, if it doubles from a minute to an hour", (failures, pause) => {
  expect(pauseAfter(failures, aMinute, anHour)).toBe(pause);
});

test("days are counted to the nearest", () => {
  expect([11 * anHour, 13 * anHour].map(daysIn)).toEqual([0, 1]);
});

describe("an instant", () => {
  const at = Date.UTC(2026, 6, 8, 17, 2, 30);

  test("is written to the minute, in UTC", () => {
    expect(stamp(at)).toBe("2026-07-08 17:02");
    expect(minute(at)).toBe("2026-07-08 17:02 UTC");
    expect(isoTime(at)).toBe("2026-07-08T17:02:30.000Z");
  });

  test.each([Number.NaN, -9e15, Number.POSITIVE_INFINITY])(
    "that no calendar has becomes one that it has: %d",
    (odd) => {
      expect(isoTime(odd)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    },
  );
});
