import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { originOf } from "../../../src/adapters/files/checkout.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-origin-"));
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "docs"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ["git@github.com:kites/report.git", "kites/report"],
  ["https://github.com/kites/report", "kites/report"],
  ["https://token@github.com/kites/report.git/", "kites/report"],
  ["ssh://git@github.com/kites/my.report.git", "kites/my.report"],
  ["https://git.example.org/kites/report.git", undefined],
  ["/home/kites/report", undefined],
])("the repository of a checkout is read from its remote: %s", async (url, name) => {
  const settings = `[core]\n\tbare = false\n[remote "other"]\n\turl = https://github.com/no/no\n[remote "origin"]\n\turl = ${url}\n`;
  writeFileSync(join(folder, ".git", "config"), settings);
  expect(await originOf(join(folder, "docs"))).toBe(name);
});

test("without a checkout, or without settings, it is unknown", async () => {
  expect(await originOf(folder)).toBeUndefined();
});

test("a linked worktree has the remote of its repository", async () => {
  mkdirSync(join(folder, ".git", "worktrees", "w"), { recursive: true });
  writeFileSync(join(folder, ".git", "worktrees", "w", "commondir"), "../..\n");
  writeFileSync(join(folder, ".git", "config"), '[remote "origin"]\n\turl = git@git.example.org:kites/report.git\n');
  mkdirSync(join(folder, "linked"));
  writeFileSync(join(folder, "linked", ".git"), `gitdir: ${join(folder, ".git", "worktrees", "w")}\n`);
  expect(await originOf(join(folder, "linked"), "git.example.org")).toBe("kites/report");
  expect(await originOf(join(folder, "linked"))).toBeUndefined();
});
