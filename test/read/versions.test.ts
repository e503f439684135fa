import { describe, expect, test } from "vitest";
import { pattern } from "../../src/model/options.ts";
import { json } from "../../src/read/kinds/json.ts";
import { instantOfNumber } from "../../src/read/shared/body.ts";
import { versionsIn } from "../../src/read/shared/versions.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { source } from "./given.ts";

const found = (text: string, versions: string) => versionsIn(text, source(json, { versions }))?.map(({ id }) => id);

describe("versions", () => {
  test("a set, in the order of the text, by the first group if there is one", () => {
    expect(found("CUDA 13.3, CUDA 13.2 and CUDA 13.3", "CUDA (\\d+\\.\\d+)")).toEqual(["13.3", "13.2"]);
    expect(found("r1 r2", "r\\d")).toEqual(["r1", "r2"]);
    expect(versionsIn("r1", source(json))).toBeUndefined();
  });

  test("nothing yet is an empty list; far too much is a failure", () => {
    expect(found("none", "\\d+")).toEqual([]);
    expect(found("none", "\\d*")).toEqual([]);
    const many = Array.from({ length: 3_000 }, (_, i) => i).join(" ");
    expect(() => found(many, "\\d+")).toThrow(/more than 2000/);
  });

  test("of several groups the one that took part", () => {
    expect(found("stable 1.2, newest=1.3", "stable (\\d\\.\\d)|newest=(\\d\\.\\d)")).toEqual(["1.2", "1.3"]);
  });

  test.each([
    ["wheel-2.9.0.dev20250423-cp311", "2.9.0.dev20250423"],
    ["wheel-2.9.0rc1", "2.9.0rc1"],
    ["wheel-2.9.0-rc.2", "2.9.0-rc.2"],
    ["wheel-2.9.0a0", "2.9.0a0"],
    ["wheel-2.9.0 beta 2 is out", "2.9.0 beta"],
    ["wheel-2.9.0 release candidate", "2.9.0 release candidate"],
    ["wheel-2.9.0.devyyyymmdd", "2.9.0.devyyyymmdd"],
    ["wheel-2.9.0+git06c5533", "2.9.0+git06c5533"],
    ["wheel-2.9.0-M1", "2.9.0-M1"],
    ["wheel-2.9.0.CR2", "2.9.0.CR2"],
    ["wheel-2.9.0-milestone-3", "2.9.0-milestone-3"],
    ["wheel-2.9.0-eap-12", "2.9.0-eap-12"],
    ["wheel-2.9.0-SNAPSHOT", "2.9.0-SNAPSHOT"],
    ["wheel-2.9.0-canary.1016", "2.9.0-canary.1016"],
    ["wheel-2.9.0.post1", "2.9.0.post1"],
    ["wheel-2.9.0-macos", "2.9.0"],
    ["wheel-2.9.0 m2", "2.9.0"],
    ["wheel-2.9.0-post", "2.9.0"],
    ["wheel-2.9.0+cu126", "2.9.0"],
    ["wheel-2.9.0-cp311", "2.9.0"],
    ["wheel-2.9.0 preinstalled", "2.9.0"],
    ["wheel-2.9.0.", "2.9.0"],
    ["wheel-2.9.0 and a beta", "2.9.0"],
  ])("a match is the whole of a pre-release or a post-release: %s is %s", (text, version) => {
    expect(found(text, "wheel-(\\d+\\.\\d+\\.\\d+)")).toEqual([version]);
    expect(found(text, "wheel-(\\d+\\.\\d+)")).toEqual([version === "2.9.0" ? "2.9" : version]);
  });

  test.each([
    "# Thing 6.2 release notes (VER2 mockup)",
    "# Thing 6.2 (draft)",
    "## [Thing 6.2] - Unreleased",
    "# Thing 6.2 template",
  ])("a heading that calls itself a draft announces nothing: %s", (line) => {
    expect(found(`${line}\n\n# Thing 6.1\n`, "Thing (\\d+\\.\\d+)")).toEqual(["6.1"]);
    expect(found(`# Thing 6.1\r\n${line}`, "Thing (\\d+\\.\\d+)")).toEqual(["6.1"]);
  });

  test.each([
    "6.2 (in development)",
    "6.2 (*in development*)",
    "6.2 - UNDER DEVELOPMENT",
    "6.2 (current development version)",
    "6.2 - Not Released",
    "6.2 (not yet released)",
    "6.2 — TBA",
    "6.2 (trunk) =====",
    "6.2 [YYYY-MM-DD]",
    "6.2 (2026-XX-XX)",
    "6.2 (XXXX-XX-XX)",
    "6.2 - mm dd, yyyy",
    "6.2 - XXX",
    "6.2\n===\n\nUnreleased",
    "6.2\n---\n\nReleased TBD",
    "6.2\n===\nReleased: Not yet",
    "6.2\n\n**Date**: [Unreleased][6.2-milestone]",
    "6.2\n\n_UNRELEASED_",
    "6.2\n\nStatus: in development",
    "6.2\n---\n2026-XX-XX\n\n- Runs faster.",
    "6.2\n---\n\n2026-02-??",
  ])("a heading with nothing but that behind or below it announces nothing: %j", (heading) => {
    expect(found(`Thing ${heading}\n\nThing 6.1\n`, "Thing (\\d+\\.\\d+)")).toEqual(["6.1"]);
    expect(found(`Thing ${heading}`, "Thing (\\d+\\.\\d+)")).toEqual([]);
  });

  test.each([
    "6.2: Faster reloads in development",
    "6.2 (2026-02-01)",
    "6.2\n\n## Unreleased",
    "6.2\n\n- Unreleased",
    "6.2\n\nRuns faster.\n\nUnreleased\n",
    "6.2\n\nUnreleased memory is freed.",
    "6.2\n\nReleased 2026-02-01",
    "6.2 in progress bars",
    "6.2 XXL",
    "6.2 | Not yet",
    "6.2 Development",
    "6.2\nDevelopment version\nThe next one flies higher.",
    "6.2\n\nIn progress\n===\n\nAll else",
    "6.2\nTrunk",
  ])("a heading that says more announces its version: %j", (heading) => {
    expect(found(`Thing ${heading}`, "Thing (\\d+\\.\\d+)")).toEqual(["6.2"]);
  });

  test("prose may speak of drafts", () => {
    expect(found(`Thing 6.2 ${"reads templates of every kind, ".repeat(6)}`, "Thing (\\d+\\.\\d+)")).toEqual(["6.2"]);
  });

  test("no pattern takes exponential time", () => {
    const begun = processorTime();
    expect(found(`${"a".repeat(100_000)}!1`, "(?:a+)+$|\\d")).toEqual(["1"]);
    expectTime(processorTime() - begun, 3_000);
  });

  test.each(["(", "(?=a)", "(a)\\1", "", "a".repeat(2_000)])("refuses the pattern %s", (written) => {
    expect(pattern.safeParse(written).success).toBe(false);
  });
});

describe("dates", () => {
  test("numbers are seconds or milliseconds", () => {
    expect(instantOfNumber(1_783_504_800)).toBe(Date.UTC(2026, 6, 8, 10));
    expect(instantOfNumber(1_783_504_800_000)).toBe(Date.UTC(2026, 6, 8, 10));
    expect(instantOfNumber(Number.NaN)).toBeUndefined();
    expect(instantOfNumber(-5)).toBeUndefined();
  });
});
