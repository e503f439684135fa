import { describe, expect, test } from "vitest";
import { Failure } from "../../src/failure.ts";
import { instantOf, instantOfNumber } from "../../src/read/dates.ts";
import { json } from "../../src/read/json.ts";
import { pattern } from "../../src/read/pattern.ts";
import { versionsIn } from "../../src/read/versions.ts";
import { source } from "./given.ts";

const found = (text: string, versions: string) => versionsIn(text, source(json, { versions }))?.map(({ id }) => id);

describe("versions", () => {
  test("a set, in the order of the text, by the first group where there is one", () => {
    expect(found("CUDA 13.3, CUDA 13.2 and CUDA 13.3", "CUDA (\\d+\\.\\d+)")).toEqual(["13.3", "13.2"]);
    expect(found("r1 r2", "r\\d")).toEqual(["r1", "r2"]);
    expect(versionsIn("r1", source(json))).toBeUndefined();
  });

  test("nothing, and far too much, are failures", () => {
    expect(() => found("none", "\\d+")).toThrow(new Failure("no-match", { selector: "\\d+" }));
    expect(() => found("none", "\\d*")).toThrow(Failure);
    const many = Array.from({ length: 3_000 }, (_, i) => i).join(" ");
    expect(() => found(many, "\\d+")).toThrow(/more than 2000/);
  });

  test("no pattern takes exponential time", () => {
    const begun = performance.now();
    expect(found(`${"a".repeat(100_000)}!1`, "(?:a+)+$|\\d")).toEqual(["1"]);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  test.each(["(", "(?=a)", "(a)\\1", "", "a".repeat(2_000)])("refuses the pattern %s", (written) => {
    expect(pattern.safeParse(written).success).toBe(false);
  });
});

describe("dates", () => {
  test.each([
    ["2026-07-08", Date.UTC(2026, 6, 8)],
    ["2026-07-08T10:00:00Z", Date.UTC(2026, 6, 8, 10)],
    ["2026-07-08T10:00:00.5", Date.UTC(2026, 6, 8, 10, 0, 0, 500)],
    ["2026-07-08 10:00", Date.UTC(2026, 6, 8, 10)],
    ["2026-07-08T10:00:00+02:00", Date.UTC(2026, 6, 8, 8)],
    ["Wed, 08 Jul 2026 10:00:00 GMT", Date.UTC(2026, 6, 8, 10)],
    ["Wed, 08 Jul 2026 10:00:00 -0500", Date.UTC(2026, 6, 8, 15)],
    ["8 Jul 2026 10:00:00 EST", Date.UTC(2026, 6, 8, 15)],
    ["July 8, 2026", Date.UTC(2026, 6, 8)],
    ["tomorrow", undefined],
    ["2026-13-45", undefined],
    ["", undefined],
    [undefined, undefined],
    ["0001-01-01", undefined],
  ])("%s", (written, at) => {
    expect(instantOf(written)).toBe(at);
  });

  test("numbers are seconds or milliseconds", () => {
    expect(instantOfNumber(1_783_504_800)).toBe(Date.UTC(2026, 6, 8, 10));
    expect(instantOfNumber(1_783_504_800_000)).toBe(Date.UTC(2026, 6, 8, 10));
    expect(instantOfNumber(Number.NaN)).toBeUndefined();
    expect(instantOfNumber(-5)).toBeUndefined();
  });
});
