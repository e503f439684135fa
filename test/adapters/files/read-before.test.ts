import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readBefore } from "../../../src/adapters/files/read-before.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "recheck-cache-"));
  vi.stubEnv("XDG_CACHE_HOME", cache);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true });
});

const file = (text: string, path = "sources.yaml") => ({ path, text: new TextEncoder().encode(text) });
const asked = { program: "p1", about: ["2026-11-22"] };
const config = { sources: new Map([["a", { kind: "page" }]]) };

test("results for the same bytes are found again, even if other bytes were read between", () => {
  const before = readBefore("/report", [file("a")], asked);
  expect(before.find()).toBeUndefined();
  before.keep(config);
  readBefore("/other", [file("b")], asked).keep({ sources: new Map() });
  expect(readBefore("/report", [file("a")], asked).find()).toEqual(config);
});

test.each([
  ["another byte", [file("b")], asked],
  ["another name", [file("a", "triggers/a.yaml")], asked],
  ["one file more", [file("a"), file("", "triggers/a.yaml")], asked],
  ["another program", [file("a")], { ...asked, program: "p2" }],
  ["another day", [file("a")], { ...asked, about: ["2026-11-23"] }],
])("with %s it is read again", (_, files, by) => {
  readBefore("/report", [file("a")], asked).keep(config);
  expect(readBefore("/report", files, by).find()).toBeUndefined();
});

test("a file that was cut off or written by others is read again", () => {
  readBefore("/report", [file("a")], asked).keep(config);
  const place = join(cache, "recheck/config");
  const [name = ""] = readdirSync(place);
  writeFileSync(join(place, name), "no such thing");
  expect(readBefore("/report", [file("a")], asked).find()).toBeUndefined();
});

test("results that nobody read for a month are forgotten, and so are files that a dead program left half written", () => {
  readBefore("/gone", [file("a")], asked).keep(config);
  const place = join(cache, "recheck/config");
  writeFileSync(join(place, "0123456789abcdef.v8.77"), "half");
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  for (const name of readdirSync(place)) utimesSync(join(place, name), longAgo, longAgo);
  readBefore("/report", [file("a")], asked).keep(config);
  readBefore("/other", [file("a")], asked).keep(config);
  expect(readdirSync(place)).toHaveLength(2);
  expect(readBefore("/report", [file("a")], asked).find()).toEqual(config);
});

test("without a folder to keep it in nothing is kept, and nothing fails", () => {
  writeFileSync(join(cache, "taken"), "");
  vi.stubEnv("XDG_CACHE_HOME", join(cache, "taken"));
  const before = readBefore("/report", [file("a")], asked);
  before.keep(config);
  expect(before.find()).toBeUndefined();
});
