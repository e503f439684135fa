import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { type CheckOptions, checkCommand, workflowCommand } from "../../../../src/faces/cli/check.ts";
import { exits, WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { linesOut } from "../../../support/lines-out.ts";
import { type Answer, type LocalWeb, openWeb, page, prose } from "../add/web.ts";

/** A report in a checkout, edited, and a web on this machine that it cites. */

const address = "https://docs.engine.example.org/spec";
const report = (...sentences: string[]) =>
  `# Engines\n\n${sentences.join("\n\n")}\n\n## References\n\n1. Specification. ${address}\n`;
const old = "The Small Wheel has 999 GB of memory [1].";
const answers: Record<string, Answer> = {
  "docs.engine.example.org/spec": page(
    "Big Engine",
    "",
    `<h1>Big Engine</h1>${prose("engines", 30)}<h2>Memory</h2><p>The Big Engine has 96 GB of memory in all that is sold.</p>`,
  ),
};

let web: LocalWeb;
let folder: string;
const git = (...words: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
    encoding: "utf8",
  });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(() => web.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-check-"));
  git("init", "--quiet");
  mkdirSync(join(folder, "docs"));
  write("docs/report.md", report(old));
  write("sources.yaml", sources());
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
  web.asked.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function sources(more = ""): string {
  return `report: { title: Engines, audited: 2026-05-16, text: docs/report.md${more} }\nratings: { a: High }\nsources:\n  other: { page: https://other.example.org/ }\n`;
}

async function check(options: Partial<CheckOptions> = {}, written?: string) {
  const settings: Settings = {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => Date.UTC(2026, 10, 22) },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
  };
  const { out: terminal, lines } = linesOut();
  const code = await checkCommand(written, settings, { since: "HEAD", ...options }, terminal);
  return { code, out: lines.join("\n") };
}

test("a new link to words that its page does not hold is reported, and an old one is not", async () => {
  const linked = (passage: string) => `The [engine](${address}#:~:text=${passage}) has much memory.`;
  write("docs/report.md", report(linked("Big%20Engine%20has%2095%20GB")));
  git("commit", "--quiet", "-am", "Link");
  const text = report(linked("Big%20Engine%20has%2095%20GB"), `It is big: ${linked("Engine%20has%20512%20GB")}`);
  write("docs/report.md", text);
  const { out } = await check();
  expect(out).toContain(`docs/report.md:5  Check this citation
  Specification (${address}) does not hold the words that its link quotes: “Engine has 512 GB”. Find where it is now, and link to that
`);
  expect(out).toContain("1 finding.");
});

test("changes that are not committed yet are checked, and nothing else", async () => {
  expect(await check()).toEqual({
    code: 0,
    out: "0 changed sentences with citations; 0 cited pages read: 0 findings. Since HEAD.",
  });
  expect(web.asked).toEqual([]);
  write("docs/report.md", report(old, "The Big Engine\nhas 512 GB of *memory* [1]."));
  const { code, out } = await check();
  expect(code).toBe(0);
  expect(out).toBe(`docs/report.md:6  The cited page says otherwise
  The page says 96 GB, under “Memory”; the report says 512 GB (${address})

1 changed sentence with citations; 1 cited page read: 1 finding. Since HEAD.`);
});

test("as commands of a workflow, in its summary, and as errors if config says so", async () => {
  write("docs/report.md", report(old, "The Big Engine has 512 GB of memory [1]."));
  write("sources.yaml", sources(", check: required"));
  git("commit", "--quiet", "-am", "Edit");
  const summary = join(folder, "summary.md");
  const { code, out } = await check({ since: "HEAD^1", annotate: true, summary });
  expect(code).toBe(2);
  expect(out).toBe(
    `::error file=docs/report.md,line=5,title=The cited page says otherwise::The page says 96 GB, under “Memory”; the report says 512 GB (${address})`,
  );
  expect(readFileSync(summary, "utf8")).toContain("- `docs/report.md:5` The page says 96 GB");
  expect(JSON.parse((await check({ since: "HEAD^1", json: true })).out)).toMatchObject({
    required: true,
    findings: [{ file: "docs/report.md", line: 5 }],
  });
});

test("a chapter that cites by key or number is read with the lists of its report that nobody changed", async () => {
  write("refs.bib", `@misc{engine,\n  title = {Specification},\n  url = {${address}}\n}\n`);
  write("docs/references.md", `# References\n\n1. Specification. ${address}\n`);
  write("docs/report.md", "# Engines\n\nIts chapters follow.\n");
  write("docs/chapter.md", "# Memory\n\nIt begins.\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "Write a chapter");
  for (const mark of ["[@engine, p. 3]", "[1]"]) {
    write("docs/chapter.md", `# Memory\n\nIt begins.\n\nThe Big Engine has 512 GB of memory ${mark}.\n`);
    const { out } = await check({}, join(folder, "docs/chapter.md"));
    expect(out).toContain(`docs/chapter.md:5  The cited page says otherwise
  The page says 96 GB, under “Memory”; the report says 512 GB (${address})`);
  }
});

test("no text of a report or a source becomes a command of its own", () => {
  const finding = { file: "a,b:c\n::error::x.md", line: 1, title: "T", message: "100 %\r\n::set-output name=x::y" };
  expect(workflowCommand(finding, false)).toBe(
    "::warning file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax.md,line=1,title=T::100 %25%0A::set-output name=x::y",
  );
});

test("a commit that is not there, and a report that is not in the checkout, are refused", async () => {
  await expect(check({ since: "HEAD^1" })).rejects.toThrow(/--since HEAD\^1: there is no such commit.*fetch-depth: 2/);
  await expect(check({ since: "--output=x" })).rejects.toThrow(WrongUsage);
  const elsewhere = mkdtempSync(join(tmpdir(), "recheck-elsewhere-"));
  writeFileSync(join(elsewhere, "report.md"), report(old));
  await expect(check({}, join(elsewhere, "report.md"))).rejects.toThrow("is not a file of the checkout");
  rmSync(elsewhere, { recursive: true });
});

test("a folder that git does not know, and a summary that cannot be written, are refused before anything is asked", async () => {
  await expect(check({ summary: join(folder, "nowhere", "summary.md") })).rejects.toThrow(/there is no such folder$/);
  rmSync(join(folder, ".git"), { recursive: true });
  await expect(check()).rejects.toThrow(`${folder} is not in a git checkout`);
  expect(web.asked).toEqual([]);
});

test("a pull request that takes `check: required` away is still held to it", async () => {
  write("sources.yaml", sources(", check: required"));
  git("commit", "--quiet", "-am", "Require");
  write("sources.yaml", sources());
  write("docs/report.md", report("The Big Engine has 192 GB of memory [1]."));
  expect((await check()).code).toBe(exits.standing);
});

test("a report that is a link out of the checkout is not read", async () => {
  rmSync(join(folder, "docs/report.md"));
  symlinkSync("/proc/self/environ", join(folder, "docs/report.md"));
  const refused = check();
  await expect(refused).rejects.toThrow(WrongUsage);
  await expect(refused).rejects.toThrow("docs/report.md could not be read: it is a link that leads out of its folder");
});
