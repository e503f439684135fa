import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { editRatings } from "../../../src/config/edit/rating.ts";
import { type FileChange, patchOf } from "../../../src/report/edit/splice.ts";
import { runs } from "../../support/runs.ts";
import { textOf, written } from "./written.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-patch-"));
  execFileSync("git", ["init", "-q", "--initial-branch=main", folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What git makes of the files. */
function applied(changes: readonly FileChange[], patch = patchOf(changes)): string[] {
  for (const { path, before } of changes) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (before === undefined) rmSync(file, { force: true });
    else writeFileSync(file, before);
  }
  if (patch !== "") {
    const options = ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"];
    execFileSync("git", options, { cwd: folder, input: patch });
  }
  return changes.map(({ path }) => readFileSync(join(folder, path), "utf8"));
}

test("git applies the edit of any sources.yaml", () => {
  fc.assert(
    fc.property(written(), fc.constantFrom("High", "Not yet"), (file, level) => {
      const before = textOf(file);
      const edits = file.entries.map(({ id }) => ({ rating: id, level, reviewed: Date.parse("2026-11-20") }));
      const { text: after } = editRatings(before, edits);
      expect(applied([{ path: "sources.yaml", before, after }])).toEqual([after]);
    }),
    { numRuns: runs(40) },
  );
});

test("git applies several files, a new one among them, and paths that want quoting", () => {
  const changes = [
    { path: "docs/my report (2).md", before: "a\nb", after: "a\nc" },
    { path: "docs/été.md", before: "a\r\nb\r\n", after: "a\r\nc\r\n" },
    { path: "docs/log.md", after: "# Log\n\n- one\n" },
    { path: ".github/recheck/sources.yaml", before: "a: 1\n", after: "a: 1\nb: 2" },
    { path: "same.md", before: "a", after: "a" },
  ];
  expect(applied(changes)).toEqual(changes.map(({ after }) => after));
  expect(patchOf(changes)).not.toContain("same.md");
  expect(patchOf([])).toBe("");
});

test("a patch whose CR were lost in a browser applies with --ignore-whitespace", () => {
  const change = { path: "crlf.yaml", before: "a: 1\r\nb: 2\r\nc: 3\r\n", after: "a: 1\r\nb: 3\r\nc: 3\r\n" };
  writeFileSync(join(folder, change.path), change.before);
  const patch = patchOf([change]).replaceAll("\r", "");
  execFileSync("git", ["apply", "--ignore-whitespace", "-"], { cwd: folder, input: patch, stdio: "pipe" });
  expect(readFileSync(join(folder, change.path), "utf8").replaceAll("\r", "")).toBe("a: 1\nb: 3\nc: 3\n");
});
