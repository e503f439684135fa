import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;

/** Seconds since 1970. */
const built = 1_000_000;
function write(path: string, text: string, at: number): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), at, at);
}
const settle = () => {
  for (const path of ["src", "src/faces", "src/faces/cli"]) utimesSync(join(folder, path), built - 1, built - 1);
};
const runs = () => execFileSync(process.execPath, ["scripts/run.ts"], { cwd: folder, encoding: "utf8" }).trim();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-run-"));
  cpSync(join(import.meta.dirname, "../scripts/run.ts"), join(folder, "scripts/run.ts"));
  for (const path of ["package-lock.json", "scripts/build.ts"]) write(path, "", built - 1);
  write("package.json", '{ "type": "module" }', built - 1);
  write("src/faces/cli/main.ts", 'console.log("sources" as string);', built - 1);
  write("src/faces/cli/other.ts", "", built - 1);
  write("bin/recheck.cjs", 'console.log("bundle");', built - 1);
  settle();
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a clone runs its bundle while that is newer than the sources, and else the sources", () => {
  expect(runs()).toBe("sources");
  write("dist/main.js", "", built);
  expect(runs()).toBe("bundle");
  write("src/faces/cli/other.ts", "changed", built + 1);
  expect(runs()).toBe("sources");
});

test("a removed source makes the bundle stale, too", () => {
  write("dist/main.js", "", built);
  rmSync(join(folder, "src/faces/cli/other.ts"));
  expect(runs()).toBe("sources");
});
