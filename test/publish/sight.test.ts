import { expect, test } from "vitest";
import { strip } from "../../src/publish/edition.ts";
import { check } from "../adapters/store/samples.ts";
import { configOf } from "../support/config-of.ts";
import { openWorld } from "../support/world-of.ts";

const day = 86_400_000;
const today = Date.UTC(2026, 10, 20);
const noon = (ago: number) => today + day / 2 - ago * day;

test("a day is changed if something counted, seen if it was seen at all, unknown if every check failed", () => {
  const checks = [
    check("blog", noon(0), { outcome: "unknown" }),
    check("blog", noon(1) + 1, { outcome: "unknown" }),
    check("blog", noon(1), { outcome: "unchanged" }),
    check("blog", noon(3) + 1, { outcome: "unknown" }),
    check("blog", noon(3), { outcome: "changed" }),
    check("blog", noon(5), { outcome: "first" }),
  ];
  // Seen 1, 3 and 4 days ago, and 2 days ago without a record.
  const watch = { lastSeen: noon(1), seenDays: (0b1111).toString(16) };
  expect(strip(watch, checks, noon(0), 7)).toEqual(["none", "seen", "seen", "changed", "seen", "seen", "unknown"]);
});

test("a source that nobody checked has empty days", () => {
  expect(strip(undefined, [], noon(0), 3)).toEqual(["none", "none", "none"]);
});

test("checks that changed nothing are remembered by their day, in the row that is written anyway", async () => {
  const config = configOf(`
report: { title: A report, audited: 2026-05-16 }
sources:
  notes: { text: https://example.org/notes.md, every: 1d }
`);
  const web = new Map([["https://example.org/notes.md", "# Notes\n\nAll is as it was."]]);
  const world = await openWorld(config, web);
  for (const ago of [6, 5, 4, 1, 0]) await world.scanAt(noon(ago));
  const [watch] = await world.store.watches();
  const checks = await world.store.checks("notes", 100);
  await world.close();
  expect(checks.map(({ outcome }) => outcome)).toEqual(["first"]);
  expect(strip(watch, checks, noon(0), 7)).toEqual(["seen", "seen", "seen", "none", "none", "seen", "seen"]);
});
