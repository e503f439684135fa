import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import type { Watch } from "../../src/model/ports/index.ts";
import {
  goneAfter,
  goneChange,
  redirectAfter,
  watchAfterSeen as seenAgain,
  withEndedRedirect,
} from "../../src/watch/watch.ts";
import { watchOf } from "../support/watch-of.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 5, 1);
const seen = watchOf("page", { lastSeen: start - day });
const notFound = new Failure("not-found", { status: 404 });

/** Fails at these times in a row; says at which it was gone. */
function fail(watch: Watch, failures: readonly (readonly [Failure, number])[]): boolean[] {
  let now = watch;
  return failures.map(([failure, at]) => {
    now = { ...now, ...goneAfter(now, failure, at) };
    return now.gone;
  });
}

describe("gone", () => {
  test("means three checks in a row, with 72 hours from first to third", () => {
    expect(
      fail(seen, [
        [notFound, start],
        [notFound, start + day],
        [notFound, start + 3 * day],
      ]),
    ).toEqual([false, false, true]);
  });

  test("not before 72 hours, however many checks", () => {
    const checks = Array.from({ length: 10 }, (_, index) => [notFound, start + index * hour] as const);
    expect(fail(seen, checks)).not.toContain(true);
    expect(fail(seen, [...checks, [notFound, start + 72 * hour]]).at(-1)).toBe(true);
  });

  test("another failure in between breaks the row", () => {
    const timeout = new Failure("timeout");
    expect(
      fail(seen, [
        [notFound, start],
        [timeout, start + day],
        [notFound, start + 2 * day],
        [notFound, start + 4 * day],
      ]),
    ).not.toContain(true);
  });

  test("a check without a request neither breaks the row nor ends it", () => {
    const skipped = new Failure("rate-limited", { status: 429, unasked: "yes" });
    const checks = [notFound, skipped, notFound, notFound, skipped].map((one, n) => [one, start + n * day] as const);
    expect(fail(seen, checks)).toEqual([false, false, false, true, true]);
  });

  test("a name that does not resolve counts, 403 does not", () => {
    const dns = new Failure("dns");
    expect(
      fail(seen, [
        [dns, start],
        [notFound, start + day],
        [dns, start + 3 * day],
      ]).at(-1),
    ).toBe(true);
    const forbidden = new Failure("status", { status: 403 });
    expect(
      fail(seen, [
        [forbidden, start],
        [forbidden, start + day],
        [forbidden, start + 9 * day],
      ]),
    ).not.toContain(true);
  });

  test.each(["home-page", "missing-page"] as const)("also if the address answers, and with no page: %s", (kind) => {
    const dead = new Failure(kind);
    expect(
      fail(seen, [
        [dead, start],
        [notFound, start + day],
        [dead, start + 3 * day],
      ]),
    ).toEqual([false, false, true]);
  });

  test("not if the site fails, be it with status 200 and for weeks", () => {
    const failing = new Failure("error-page");
    expect(
      fail(
        seen,
        [0, 3, 9, 27].map((days) => [failing, start + days * day] as const),
      ),
    ).not.toContain(true);
  });

  test("needs the same three looks for a source that was never seen", () => {
    const never = { ...seen, lastSeen: undefined };
    expect(
      fail(never, [
        [notFound, start],
        [notFound, start + day],
        [notFound, start + 3 * day],
      ]),
    ).toEqual([false, false, true]);
  });

  test("is reported again with its count when it was back for a week, and only after a week if it was not", () => {
    const away = (watch: Watch, from: number, days: readonly number[]) => {
      let now = watch;
      const told = days.map((after) => {
        const { gone } = now;
        now = { ...now, ...goneAfter(now, notFound, from + after * day) };
        return now.gone && !gone ? goneChange(now) : undefined;
      });
      return { now, told };
    };
    const back = (watch: Watch, at: number) => seenAgain(watch, { kind: "not-modified" }, at);
    const once = away(seen, start, [0, 2, 4]);
    expect(once.told).toEqual([undefined, undefined, { kind: "link", to: "gone" }]);
    const later = away(back(once.now, start + 10 * day), start + 300 * day, [0, 2, 4]);
    expect(later.told).toEqual([undefined, undefined, { kind: "link", to: "gone", again: 1 }]);
    const soon = away(back(later.now, start + 310 * day), start + 312 * day, [0, 2, 4, 6, 7, 8]);
    expect(soon.told).toEqual([undefined, undefined, undefined, undefined, { ...later.told[2], again: 2 }, undefined]);
    expect(back(back(once.now, start + 10 * day), start + 11 * day).back).toEqual({ at: start + 10 * day, times: 1 });
  });

  test("is said once", () => {
    const checks = [0, 2, 4, 6].map((days) => [notFound, start + days * day] as const);
    expect(fail(seen, checks)).toEqual([false, false, true, true]);
  });
});

describe("moved for good", () => {
  test("is reported when a second check still follows the same redirect, once", () => {
    const first = redirectAfter(undefined, "https://new.example/", start, 6 * hour);
    expect(first).toMatchObject({ waits: true });
    expect(first.change).toBeUndefined();
    const soon = redirectAfter(first.moved, "https://new.example/", start + hour, 6 * hour);
    expect(soon).toMatchObject({ waits: true });
    const second = redirectAfter(soon.moved, "https://new.example/", start + 6 * hour, 6 * hour);
    expect(second.change).toEqual({ kind: "link", to: "moved", address: "https://new.example/" });
    expect(redirectAfter(second.moved, "https://new.example/", start + day, 6 * hour).change).toBeUndefined();
  });

  test("is nothing when it ends before the second check", () => {
    const first = redirectAfter(undefined, "https://new.example/", start, 6 * hour);
    expect(redirectAfter(first.moved, undefined, start + day, 6 * hour)).toEqual({ waits: false });
  });

  test("is reported again with its count when it comes after another time without it", () => {
    const address = "https://new.example/";
    const told = { address, since: start, told: true };
    const over = withEndedRedirect(told, undefined, start + 10 * day);
    expect(over).toEqual({ [address]: { until: start + 10 * day, times: 1 } });
    expect(withEndedRedirect({ ...told, told: false }, undefined, start + 10 * day)).toEqual({});
    expect(withEndedRedirect(told, address, start + 10 * day)).toEqual({});
    const late = redirectAfter(undefined, address, start + 300 * day, 6 * hour, over);
    expect(late).toMatchObject({ waits: true });
    expect(redirectAfter(late.moved, address, start + 301 * day, 6 * hour, over).change).toMatchObject({ again: 1 });
    const soon = redirectAfter(undefined, address, start + 12 * day, 6 * hour, over);
    expect(soon).toMatchObject({ waits: false });
    const still = redirectAfter(soon.moved, address, start + 18 * day, 6 * hour, over);
    expect(still).toEqual({ moved: soon.moved, waits: false });
    expect(redirectAfter(still.moved, address, start + 19 * day, 6 * hour, over).change).toMatchObject({ again: 1 });
    expect(withEndedRedirect({ ...told, since: start + 300 * day }, undefined, start + 400 * day, over)).toEqual({
      [address]: { until: start + 400 * day, times: 2 },
    });
  });

  test("begins again with another address", () => {
    const first = redirectAfter(undefined, "https://a.example/", start, 6 * hour);
    expect(redirectAfter(first.moved, "https://b.example/", start + day, 6 * hour)).toMatchObject({
      waits: true,
      moved: { since: start + day },
    });
  });
});
