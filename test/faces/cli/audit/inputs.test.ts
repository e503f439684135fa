import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { writeFolder } from "../../../../src/adapters/files/folder.ts";
import { type AuditOptions, auditCommand, exclusionsFrom } from "../../../../src/faces/cli/audit/index.ts";
import { WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { type LocalArchive, localArchive, timegate } from "../../../support/local-archive.ts";
import { startProgram } from "../../../support/program.ts";
import { type LocalWeb, openWeb, page, prose } from "../add/web.ts";

const answers = {
  "fine.example/guide": page("Guide", "", prose("the guide", 20)),
  "fine.example/<b>": page("Odd", "", prose("the odd name", 20)),
};
const folder = mkdtempSync(join(tmpdir(), "recheck-inputs-"));
const at = (...names: string[]) => join(folder, ...names);
let web: LocalWeb;
let archive: LocalArchive;

beforeAll(async () => {
  archive = localArchive();
  archive.copies.set("http://gone.example/one", [
    { at: Date.UTC(2025, 0, 3), body: `<title>One</title><main>${prose("the first", 20)}</main>` },
  ]);
  web = await openWeb(answers, 0, archive);
  mkdirSync(at("docs", "deep"), { recursive: true });
  writeFileSync(at("docs", "a.md"), "# A\n\n[one](http://gone.example/one) and [guide](http://fine.example/guide)\n");
  writeFileSync(at("docs", "deep", "b.md"), "# B\n\n[two](http://gone.example/two)\n");
  writeFileSync(at("docs", "notes.log"), "http://gone.example/log\n");
  await writeFolder(at("docs", "site"), new Map([["index.html", '<a href="http://gone.example/page">page</a>']]));
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

async function audit(written: readonly string[], options: AuditOptions = {}) {
  const lines: string[] = [];
  const settings: Settings = {
    config: folder,
    data: at("data"),
    clock: { now: () => Date.UTC(2026, 10, 22) },
    archive: { timegate },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
  };
  const line = (text = "") => void lines.push(text);
  const out = { live: false, paint: (_: unknown, text: string) => text, line, note: () => {} };
  const code = await auditCommand(written, settings, options, out);
  return { code, out: lines.join("\n") };
}

test("several files, and a pattern that the shell left alone, are one audit", async () => {
  const { out } = await audit([at("docs", "a.md"), at("docs", "deep", "*")]);
  expect(out).toContain("a.md:3  one");
  expect(out).toContain("b.md:3  two");
  expect(out).toContain("3 citations, 1 read");
  expect(out).toContain("2 things in these 2 reports are out of date");
  expect((await audit([at("docs", "**", "*"), at("docs", "a.md")])).out).toContain("3 citations, 1 read");
});

test("a pattern that matches nothing is said", async () => {
  await expect(audit([at("docs", "*.bib")])).rejects.toThrow(/no report matches .*: give a file/);
});

test("pages that publish wrote are never audited", async () => {
  expect((await audit([at("docs")])).out).toContain("3 citations, 1 read");
  expect((await audit([at("docs", "a.md"), at("docs", "site", "index.html")])).out).toContain("2 citations, 1 read");
  await expect(audit([at("docs", "site", "index.html")])).rejects.toThrow(/written by .*publish, and no report/);
});

test("excluded addresses are left out, and counted", async () => {
  const { out, code } = await audit([at("docs")], { exclude: ["http://gone.example/one", "/two$"], failOn: "gone" });
  expect(code).toBe(0);
  expect(out).toContain("1 citation, 1 read");
  expect(out).toContain("Not checked: 2 excluded citations.");
});

test("ignore files have one address or pattern a line", async () => {
  const home = at("ignoring");
  mkdirSync(home);
  expect(await exclusionsFrom([], home)).toEqual([]);
  writeFileSync(join(home, ".recheckignore"), "# ours\n\nhttps://a.example/?q=(1\r\n");
  writeFileSync(join(home, ".lycheeignore"), "\\.internal/\n");
  expect(await exclusionsFrom(["x"], home)).toEqual([
    { prefix: "x", pattern: "x" },
    { prefix: "https://a.example/?q=(1" },
    { prefix: "\\.internal/", pattern: "\\.internal/" },
  ]);
  writeFileSync(join(home, ".recheckignore"), "ok\n(?=never)\n");
  await expect(exclusionsFrom([], home)).rejects.toThrow(
    new WrongUsage(
      `${join(home, ".recheckignore")}:2: "(?=never)" is not a pattern: the linear-time engine has no lookaround`,
    ),
  );
});

test("addresses that are private, numeric or have a login are named, also if the report has no others", async () => {
  const text =
    "[a](http://10.0.0.1/x), http://a:secret@fine.example/y, [guide](http://fine.example/guide), `http://localhost/z`\n";
  writeFileSync(at("private.md"), text);
  const { out } = await audit([at("private.md")]);
  expect(out).toContain(
    "Not checked: 2 addresses that are private, numeric or with a login: http://10.0.0.1/x, http://fine.example/y.",
  );
  writeFileSync(at("alone.md"), "[a](http://10.0.0.1/x)\n");
  await expect(audit([at("alone.md")])).rejects.toThrow(
    "Not checked: 1 address that is private, numeric or with a login: http://10.0.0.1/x.",
  );
});

test("an archived copy of a dead link is suggested", async () => {
  const { out } = await audit([at("docs")], { suggest: true });
  expect(out).toMatch(/a\.md:3 {2}one .*\n.*\n.*→.*\n {4}archived copy of 2025-01-03: https:\S+gone\.example\/one/);
  expect(out.match(/archived copy of/g)).toHaveLength(1);
  const json = JSON.parse((await audit([at("docs")], { suggest: true, json: true })).out);
  expect(json.findings.map(({ copy }: { copy?: { at: string } }) => copy?.at)).toEqual([
    "2025-01-03T00:00:00.000Z",
    undefined,
  ]);
});

test("JUnit has a test for each citation; findings that --fail-on does not name are skipped", async () => {
  const odd = '# Odd\n\n[<b>"&]](http://gone.example/a?b&c) [guide](http://fine.example/guide)\n';
  writeFileSync(at("odd.md"), odd);
  const { out } = await audit([at("odd.md")], { format: "junit" });
  expect(out).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="2" failures="1" skipped="0">\n/);
  expect(out).toContain('line="3">\n      <failure type="gone" message="Gone">');
  expect(out).toMatch(/<\/testsuites>$/);
  expect(out).toContain("http://gone.example/a?b&amp;c");
  expect(out).not.toContain("<b>");
  const lenient = await audit([at("odd.md")], { format: "junit", failOn: "retracted" });
  expect(lenient.out).toContain('failures="0" skipped="1"');
});

test("Markdown is printed as a summary has it", async () => {
  const { out } = await audit([at("docs")], { format: "markdown" });
  expect(out).toMatch(/^## Audit of /);
  expect(out).toContain("### Gone");
  expect(out).toMatch(/\S$/);
});

test("standard input is a report, and the working directory's ignore file counts", async () => {
  writeFileSync(at(".recheckignore"), "http://fine.example/\n");
  const child = startProgram(["audit", "-", "--format", "json"], { HTTP_PROXY: web.origin }, folder);
  child.process.stdin?.end("[one](http://gone.example/one), [guide](http://fine.example/guide)\n");
  const { out, code } = await child.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    report: "standard input",
    citations: 1,
    findings: [{ kind: "gone", file: "standard input#.md", line: 1 }],
    left: ["Not checked: 1 excluded citation."],
  });
});
