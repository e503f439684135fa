import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { program, startProgram } from "../../support/program.ts";

/** What comes of a command where its output leads nowhere. */

const folder = mkdtempSync(join(tmpdir(), "recheck-unread-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, "sources.yaml"),
  "report: { title: Kites, audited: 2026-10-16 }\nratings: { kites/height: 5 m }\n",
);

test("a reader that has read enough does not end the work of a command", async () => {
  const summary = join(folder, "summary.md");
  const args = ["scan", "--config", folder, "--summary", summary];
  const child = startProgram(args, { RECHECK_DATA: join(folder, "data") });
  child.process.stdout?.destroy();
  expect(await child.ended).toEqual({ code: 0, out: "", err: "" });
  expect(readFileSync(summary, "utf8")).toContain("Kites");
});

test("a disk that is full is reported, and is no defect", async () => {
  const { main, environment } = program();
  const shell = ["-c", 'exec "$0" "$@" > /dev/full', process.execPath, main, "--help"];
  const ended = await new Promise((resolve) =>
    execFile("sh", shell, { env: { PATH: process.env.PATH, ...environment } }, (error, _, err) =>
      resolve({ code: error?.code, err }),
    ),
  );
  expect(ended).toEqual({ code: 1, err: "standard output cannot be written: its disk is full\n" });
});
