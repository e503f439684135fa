import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileBeforeAndAfter } from "../../../src/adapters/files/checkout.ts";

let folder: string;
const git = (...words: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-history-"));
  git("init", "--quiet");
  writeFileSync(join(folder, "README.md"), "See code.ts:1.\n");
  writeFileSync(join(folder, "code.ts"), "one\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
});
afterEach(() => rmSync(folder, { recursive: true }));

const lines = () => fileBeforeAndAfter(join(folder, "README.md"), 1, "code.ts");

test("a file that a document names is read as it was when the line was written, and as it is", async () => {
  writeFileSync(join(folder, "code.ts"), "two\n");
  expect(await lines()).toEqual({ before: "one\n", after: "two\n" });
});

test("a file that became a link out of the checkout is not read", async () => {
  rmSync(join(folder, "code.ts"));
  symlinkSync("/proc/self/environ", join(folder, "code.ts"));
  expect(await lines()).toEqual({ before: "one\n" });
});
