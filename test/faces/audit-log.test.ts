import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GitHubWrite } from "../../src/adapters/github/call.ts";
import { auditLogTo, settingsFrom } from "../../src/faces/environment.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-audit-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write: GitHubWrite = {
  at: "2026-11-20T08:00:00.000Z",
  state: "sent",
  repository: "example/report",
  action: "open an issue",
  route: "POST /repos/{owner}/{repo}/issues",
  as: "App 1",
};

test("is a file of its user's alone, with one line of JSON for each entry", () => {
  const path = join(folder, "audit.jsonl");
  const audit = auditLogTo(path, { run: "17" });
  audit({ ...write, delivery: "72d3162e" });
  audit({ ...write, state: 201, about: "two\nlines" });
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...write, delivery: "72d3162e", run: "17" },
    { ...write, state: 201, about: "two\nlines", run: "17" },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("nothing is sent that cannot be noted; an outcome that cannot be noted ends nothing", () => {
  const place = join(folder, "log");
  mkdirSync(place);
  const audit = auditLogTo(join(place, "audit.jsonl"));
  rmSync(place, { recursive: true });
  expect(() => audit(write)).toThrow("ENOENT");
  expect(() => audit({ ...write, state: 201 })).not.toThrow();
});

test("a file that cannot be written is refused at the start", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => settingsFrom({ RECHECK_AUDIT_LOG: join(folder, "file", "audit.jsonl") })).toThrow(
    "RECHECK_AUDIT_LOG cannot be written: a file is where a folder should be",
  );
  expect(() => settingsFrom({ RECHECK_AUDIT_LOG: folder })).toThrow(
    "RECHECK_AUDIT_LOG cannot be written: it is a folder",
  );
});
