import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { auditCommand } from "../../../../src/faces/cli/audit/index.ts";
import { hash, links, newest, rangeIn, sha, versions } from "../../../support/code-history.ts";
import { type Answer, json, type LocalWeb, openWeb } from "../add/web.ts";

/** A report that cites lines of a file over ten commits. */

const raw = "raw.githubusercontent.com/marsh/woods";
const answers: Record<string, Answer> = {
  "api.github.com/repos/marsh/woods": json({ full_name: "marsh/woods", private: false, archived: false }),
};
for (const [i, body] of versions.entries()) answers[`${raw}/${sha(i)}/src/woods.ts`] = { type: "text/plain", body };
for (const ref of ["HEAD", "main"]) answers[`${raw}/${ref}/src/woods.ts`] = { type: "text/plain", body: newest };
answers[`${raw}/${sha(0)}/src/old.ts`] = { type: "text/plain", body: versions[0] ?? "" };

answers[`${raw}/${sha(0)}/src/former.ts`] = { type: "text/plain", body: versions[0] ?? "" };
answers["api.github.com/repos/marsh/woods/commits?path=src%2Fformer.ts&per_page=1"] = json([{ sha: sha(3) }]);
answers[`api.github.com/repos/marsh/woods/commits/${sha(3)}`] = json({
  files: [{ filename: "src/woods.ts", previous_filename: "src/former.ts", status: "renamed" }],
});
answers[`${raw}/refs/tags/stable/src/woods.ts`] = { type: "text/plain", body: versions[0] ?? "" };
answers[`${raw}/7.4/src/woods.ts`] = { type: "text/plain", body: versions[0] ?? "" };

const folder = mkdtempSync(join(tmpdir(), "recheck-lines-"));
let web: LocalWeb;
beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

interface Said {
  readonly kind: string;
  readonly line: number;
  readonly says: string;
  readonly evidence: string;
}

async function audit(text: string, file = join(folder, "report.md")): Promise<Said[]> {
  writeFileSync(file, text);
  const lines: string[] = [];
  const line = (one = "") => void lines.push(one);
  const settings = {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => Date.UTC(2026, 10, 26) },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
  };
  const out = { live: false, paint: (_: unknown, one: string) => one, line, note: line };
  await auditCommand([file], settings, { json: true }, out);
  return JSON.parse(lines.join("\n")).findings;
}

const link = (ref: string, range: string, file = "woods.ts") =>
  `See [this part](https://github.com/marsh/woods/blob/${ref}/src/${file}${range}) of it.\n\n`;

test("thirty links to lines of code: same, moved, changed or gone", async () => {
  expect(links).toHaveLength(30);
  const wrong: string[] = [];
  for (const [commit, begin, count, expected] of links) {
    const cited = rangeIn(versions[commit] ?? "", begin, count);
    const found = (await audit(link(sha(commit), hash(cited)))).filter(({ says }) => says.includes("cited line"));
    const state = found.map(({ says }) => /elsewhere|changed|no longer/.exec(says)?.[0]).join();
    const now = { same: "", moved: "elsewhere", changed: "changed", gone: "no longer" }[expected];
    if (state !== now) wrong.push(`${commit} ${begin}: ${state}, not ${expected}`);
    const place = hash(rangeIn(newest, begin, count));
    if (expected === "moved" && !found[0]?.evidence.endsWith(place)) wrong.push(`${begin}: ${found[0]?.evidence}`);
  }
  expect(wrong).toEqual([]);
}, 60_000);

test("several lines of one file, a file that is gone, and lines of a branch", async () => {
  const both = `${link(sha(0), "#L1")}${link(sha(0), "#L13-L17")}`;
  expect((await audit(both)).map(({ kind, says }) => `${kind}: ${says}`)).toEqual([
    "outdated: has its cited lines 13 to 17 no longer on the default branch",
    "moved: has its cited line 1 elsewhere now on the default branch",
  ]);
  expect((await audit(link(sha(0), "#L1-L2", "old.ts"))).map(({ kind, says }) => `${kind}: ${says}`)).toEqual([
    "outdated: still works, but its file is gone on the default branch",
  ]);
  expect((await audit(link("main", "#L900"))).map(({ says }) => says)).toEqual(["has its cited line 900 no longer"]);
  expect(await audit(link("main", "#L9"))).toEqual([]);
});

const said = async (text: string) =>
  (await audit(text)).map(({ kind, says, evidence }) => `${kind}: ${says}: ${evidence}`);
const page = "https://github.com/marsh/woods/blob";

test("a renamed file, a tag, and a branch with the name of a version", async () => {
  expect(await said(link(sha(0), "#L1", "former.ts"))).toEqual([
    `moved: has its cited line 1 in a renamed file on the default branch: ${page}/HEAD/src/woods.ts#L2`,
  ]);
  expect(await said(link("refs/tags/stable", "#L1"))).toEqual([
    `moved: has its cited line 1 elsewhere now on the default branch: ${page}/HEAD/src/woods.ts#L2`,
  ]);
  expect(await said(link("7.4", "#L1"))).toEqual([]);
});

test("of a renamed branch the page with the lines is offered, shown as it is cited", async () => {
  expect(await said(link("master", "?plain=1#L9-L10"))).toEqual([
    `moved: has moved for good: ${page}/HEAD/src/woods.ts?plain=1#L9-L10`,
  ]);
});

test("an error in place of today's file says nothing of the lines", async () => {
  const today = answers[`${raw}/HEAD/src/woods.ts`] ?? {};
  for (const body of [
    "Retry later\n",
    '{"message":"API rate limit exceeded","documentation_url":"https://docs.github.com"}',
  ]) {
    answers[`${raw}/HEAD/src/woods.ts`] = { type: "text/plain", body };
    expect(await said(link(sha(0), "#L13-L17"))).toEqual([]);
  }
  answers[`${raw}/HEAD/src/woods.ts`] = today;
});

test("lines of its own code that a document of a checkout names", async () => {
  const checkout = join(folder, "woods");
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", checkout, "-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);
  const document = join(checkout, "docs", "report.md");
  const named = [
    "Read `src/woods.ts:1` first.",
    `It adds at ../src/woods.ts:${rangeIn(versions[0] ?? "", "return width + 3", 1).from}.`,
    "Cedars are src/woods.ts:13-17, and nothing is at none.ts:3.",
    "The server listens at example.com:8080, an error was at src/woods.ts:2:5.",
    "More at http://fine.example/kites.",
  ].join("\n\n");
  mkdirSync(join(checkout, "docs"), { recursive: true });
  mkdirSync(join(checkout, "src"));
  git("init", "--quiet");
  writeFileSync(join(checkout, "src", "woods.ts"), versions[0] ?? "");
  writeFileSync(document, named);
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
  const lines = async () => (await audit(named, document)).filter(({ says }) => says.includes("cited line"));
  expect(await lines()).toEqual([]);
  writeFileSync(join(checkout, "src", "woods.ts"), newest);
  git("commit", "--quiet", "-am", "Edit");
  const place = rangeIn(newest, "return width + 3", 1).from;
  expect((await lines()).map(({ line, says, evidence }) => `${line} ${says}: ${evidence}`)).toEqual([
    "5 has its cited lines 13 to 17 no longer: src/woods.ts",
    "1 has its cited line 1 elsewhere now: src/woods.ts:2",
    `3 has its cited line 22 elsewhere now: ../src/woods.ts:${place}`,
  ]);
});
