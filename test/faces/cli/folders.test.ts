import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storePlace } from "../../../src/faces/cli/folders.ts";

const before = process.cwd();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-store-"));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

function store(place: string, used: string): void {
  mkdirSync(place, { recursive: true });
  const file = join(place, "recheck.sqlite");
  writeFileSync(file, "");
  utimesSync(file, new Date(used), new Date(used));
}

test("the store is beside the config", () => {
  expect(storePlace(".")).toEqual({ folder: ".recheck" });
  expect(storePlace(folder)).toEqual({ folder: ".recheck" });
  expect(storePlace("watch")).toEqual({ folder: join("watch", ".recheck") });
});

test("a store that was kept in the working directory is still found", () => {
  store(".recheck", "2026-05-16");
  expect(storePlace("watch")).toEqual({ folder: ".recheck" });
});

test("of two, the one beside the config, with a word if the other was used last", () => {
  store(".recheck", "2026-05-16");
  store("watch/.recheck", "2026-06-01");
  expect(storePlace("watch")).toEqual({ folder: join("watch", ".recheck") });
  store(".recheck", "2026-06-02");
  expect(storePlace("watch")).toEqual({
    folder: join("watch", ".recheck"),
    newer: { folder: ".recheck", used: Date.parse("2026-06-02") },
  });
});
