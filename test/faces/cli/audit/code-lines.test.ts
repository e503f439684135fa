import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { auditCommand } from "../../../../src/faces/cli/audit/index.ts";
import { type Answer, json, type LocalWeb, openWeb } from "../add/web.ts";

/** A file over ten commits of a repository on this machine, and a report that cites its lines at each of them. */

const names = "alder birch cedar dogwood elder fir gorse hazel ivy juniper".split(" ");
const part = (name: string, more = "") =>
  `/** Measures ${name} wood. */\nexport function ${name}(rings: number): number {\n  const width = rings * ${name.length};\n${more}  return width + ${names.indexOf(name)};\n}\n`;

/** Each commit edits the file of the one before it. */
const edits: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `// Woods of the marsh\n${text}`,
  (text) => text.replace("rings * 5;", "rings * 6;"),
  (text) => text.replace(`${part("cedar")}\n`, ""),
  (text) => `${text}\n${part("willow")}`,
  (text) => text.replace(part("gorse"), part("gorse", "  log(width);\n")),
  (text) => text.replaceAll("): number {", "): Width {"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replace("Measures ivy wood", "Measures the ivy"),
  (text) => `${text}// The end\n`,
];
const versions: string[] = [];
for (const edit of edits) versions.push(edit(versions.at(-1) ?? names.map((name) => part(name)).join("\n")));
const newest = versions.at(-1) ?? "";
const sha = (i: number) => `${i}`.repeat(40);
const rangeIn = (text: string, begin: string, count: number) => {
  const from = text.split(/\r?\n/).findIndex((line) => line.includes(begin)) + 1;
  return { from, to: from + count - 1 };
};
const hash = ({ from, to }: { from: number; to: number }) => (from === to ? `#L${from}` : `#L${from}-L${to}`);

type Expected = "same" | "moved" | "changed" | "gone";
/** A commit, the first line that is cited, the number of lines, and what became of them. */
const links: readonly (readonly [commit: number, begin: string, count: number, expected: Expected])[] = [
  [0, "Measures alder", 1, "moved"],
  [0, "Measures alder", 5, "changed"],
  [0, "rings * 5", 1, "changed"],
  [0, "Measures birch", 1, "moved"],
  [0, "Measures cedar", 5, "gone"],
  [0, "cedar(rings", 1, "gone"],
  [0, "return width + 2", 1, "gone"],
  [0, "Measures dogwood", 1, "moved"],
  [0, "dogwood(rings", 1, "changed"],
  [0, "return width + 3", 1, "moved"],
  [1, "Measures alder", 1, "same"],
  [1, "Woods of the marsh", 1, "same"],
  [1, "Measures birch", 1, "same"],
  [1, "Measures elder", 5, "changed"],
  [1, "return width + 4", 1, "moved"],
  [2, "Measures fir", 1, "moved"],
  [2, "Measures gorse", 5, "changed"],
  [2, "return width + 6", 1, "moved"],
  [3, "Measures hazel", 1, "moved"],
  [3, "Measures fir", 1, "same"],
  [3, "fir(rings", 3, "changed"],
  [4, "Measures willow", 1, "moved"],
  [4, "Measures ivy", 1, "changed"],
  [4, "return width + 8", 1, "moved"],
  [5, "Measures juniper", 1, "same"],
  [5, "juniper(rings", 4, "changed"],
  [6, "juniper(rings", 4, "same"],
  [6, "willow(rings", 3, "same"],
  [7, "Measures ivy", 5, "changed"],
  [8, "Measures ivy", 5, "same"],
];

const raw = "raw.githubusercontent.com/marsh/woods";
const answers: Record<string, Answer> = {
  "api.github.com/repos/marsh/woods": json({ full_name: "marsh/woods", private: false, archived: false }),
};
for (const [i, body] of versions.entries()) answers[`${raw}/${sha(i)}/src/woods.ts`] = { type: "text/plain", body };
for (const ref of ["HEAD", "main"]) answers[`${raw}/${ref}/src/woods.ts`] = { type: "text/plain", body: newest };
answers[`${raw}/${sha(0)}/src/old.ts`] = { type: "text/plain", body: versions[0] ?? "" };

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
    "unsupported: has its cited lines 13 to 17 no longer",
    "moved: has its cited line 1 elsewhere now",
  ]);
  expect((await audit(link(sha(0), "#L1-L2", "old.ts"))).map(({ says }) => says)).toEqual([
    "has its cited lines 1 to 2 no longer",
  ]);
  expect((await audit(link("main", "#L900"))).map(({ says }) => says)).toEqual(["has its cited line 900 no longer"]);
  expect(await audit(link("main", "#L9"))).toEqual([]);
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
