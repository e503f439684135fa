import { describe, expect, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import {
  hasOldText,
  isMadeBy as isMadeByOther,
  isRestamped,
  otherPage,
  restampedAfter,
} from "../../../src/compare/page/site-changes.ts";
import type { Block } from "../../../src/model/reading.ts";

const block = (text: string, kind: Block["kind"] = "paragraph"): Block => ({ path: [], kind, text });

describe("a stamp that names another version, date or build", () => {
  test.each([
    ["Version 2.12", "Version 2.13"],
    ["Version: v2.12.0-rc.1", "Version: v2.13.0"],
    ["Engine 2.12 documentation", "Engine 2.13 documentation"],
    ["Docs version 2.12 (2026-03-01)", "Docs version 2.13 (2026-06-01)"],
    ["Last updated on 3 March 2026", "Last updated on 14 June 2026"],
    ["Built from commit 1a2b3c4", "Built from commit 9f8e7d6"],
    ["Revision 17", "Revision 18"],
  ])("%s → %s", (before, after) => {
    expect(isRestamped({ before: block(before), after: block(after) })).toBe(true);
  });

  test.each([
    ["Engine 2.12 is required", "Engine 2.13 is required"],
    ["Python 3.11", "Python 3.12"],
    ["Minimum version 3.11", "Minimum version 3.12"],
    ["Supported version: 2.12", "Supported version: 2.13"],
    ["Latest stable release: 2.12", "Latest stable release: 2.13"],
    ["Release date: 2026-03-01", "Release date: 2026-06-01"],
    ["Released on 2026-03-01", "Released on 2026-06-01"],
    ["Updated prices: $20", "Updated prices: $25"],
    ["The version costs 20", "The version costs 25"],
    ["Version 2.12", "Release 2.13"],
    ["Version 2.12", "Version 2.13, which drops the old engine"],
    ["42", "43"],
  ])("not %s → %s", (before, after) => {
    expect(isRestamped({ before: block(before), after: block(after) })).toBe(false);
  });

  test("not a row, a heading or code, nor what only came or went", () => {
    for (const kind of ["row", "heading", "code"] as const) {
      expect(isRestamped({ before: block("Version 2.12", kind), after: block("Version 2.13", kind) })).toBe(false);
    }
    expect(isRestamped({ after: block("Version 2.13") })).toBe(false);
    expect(isRestamped({ before: block("Version 2.13") })).toBe(false);
  });
});

describe("a change that another page made too", () => {
  const [old, now, rest] = [block("Engine 2.12 is required."), block("Engine 2.13 is required."), block("The rest.")];
  const at = Date.UTC(2026, 5, 1);
  const confirmAfter = 6 * 3_600_000;
  const check = (known: Parameters<typeof comparePage>[0], blocks: readonly Block[], hours: number) =>
    comparePage(known, blocks, { at: at + hours * 3_600_000, confirmAfter }).memory;
  const first = check(undefined, [old, rest], 0);
  const seen = check(first, [now, rest], 24);
  const accepted = check(seen, [now, rest], 48);
  const change = { before: old, after: now };
  const isMadeBy = (page: typeof first, made: Parameters<typeof isMadeByOther>[1], since: number) =>
    isMadeByOther(otherPage(page, since), made);

  test("as soon as it was seen there, and while it is news", () => {
    expect(isMadeBy(first, change, at)).toBe(false);
    expect(isMadeBy(seen, change, at)).toBe(true);
    expect(isMadeBy(accepted, change, at)).toBe(true);
    expect(isMadeBy(accepted, change, at + 72 * 3_600_000)).toBe(false);
  });

  test("a text that is still there", () => {
    expect([first, seen, accepted].map((page) => hasOldText(otherPage(page, at), change))).toEqual([
      true,
      false,
      false,
    ]);
    expect(hasOldText(otherPage(first, at), { after: old })).toBe(false);
  });

  test("not if only one side of it is the same, nor if the page had it from the first", () => {
    expect(isMadeBy(accepted, { before: block("Engine 2.11 is required."), after: now }, at)).toBe(false);
    expect(isMadeBy(accepted, { before: old, after: block("Engine 2.14 is required.") }, at)).toBe(false);
    expect(isMadeBy(check(undefined, [now, rest], 0), { after: now }, at)).toBe(false);
    expect(isMadeBy(accepted, { before: old, after: block("Engine 2.13 is required.", "row") }, at)).toBe(false);
    expect(isMadeBy(accepted, {}, at)).toBe(false);
  });
});

test("a page cannot fill the memory with versions above its title", () => {
  const letters = [..."abcdefghijklmnopqrst"];
  const names = letters.flatMap((one) => letters.map((other) => `Mill ${one}${other}`));
  const page = (version: string) => [...names.map((name) => block(`${name} v${version}`)), block("Wind", "heading")];
  const restamped = restampedAfter({ accepted: page("2.12") }, page("2.13"));
  expect(restamped).toHaveLength(100);
  expect(restampedAfter({ accepted: page("2.13"), restamped }, page("2.14"))).toHaveLength(100);
});
