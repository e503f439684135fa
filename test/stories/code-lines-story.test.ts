import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { scanAndAudit } from "../../src/audit/first-scan.ts";
import { explainCommand } from "../../src/faces/cli/explain/index.ts";
import { initCommand } from "../../src/faces/cli/init/index.ts";
import type { StoredFiring } from "../../src/model/ports/index.ts";
import { findLines } from "../../src/read/shared/cited-lines.ts";
import { sync } from "../../src/recheck/sync.ts";
import { scan } from "../../src/watch/scan.ts";
import { wire } from "../../src/wire/program.ts";
import { type Answer, json, type LocalWeb, openWeb } from "../faces/cli/add/web.ts";
import { type LocalGitHub, startGitHub } from "../github/server.ts";
import { hash, links, rangeIn, sha, versions } from "../support/code-history.ts";
import { linesOut } from "../support/lines-out.ts";

/** A report cites lines of code, which move, change and vanish while the repository lives on. */

const day = 86_400_000;
const raw = "raw.githubusercontent.com/marsh/woods";
const page = "https://github.com/marsh/woods/blob";
const answers: Record<string, Answer> = {};
/** What the default branch has from now on. */
function push(body: string | undefined): void {
  for (const ref of ["HEAD", "main"]) {
    if (body === undefined) delete answers[`${raw}/${ref}/src/woods.ts`];
    else answers[`${raw}/${ref}/src/woods.ts`] = { type: "text/plain", body };
  }
}

let web: LocalWeb;
let github: LocalGitHub;
let folder: string;
let now: number;
beforeEach(async () => {
  for (const [i, body] of versions.entries()) answers[`${raw}/${sha(i)}/src/woods.ts`] = { type: "text/plain", body };
  web = await openWeb(answers);
  github = await startGitHub({ repo: "example/tools" });
  folder = mkdtempSync(join(tmpdir(), "recheck-code-"));
  now = Date.parse("2026-06-01T06:00:00Z");
});
afterEach(async () => {
  await web.close();
  await github.close();
  rmSync(folder, { recursive: true });
});

const settings = () => ({
  config: folder,
  data: join(folder, "data"),
  clock: { now: () => now },
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
});

/** A program that starts, scans and ends, a day after the last one. */
async function run({ isKilled = false } = {}): Promise<readonly StoredFiring[]> {
  now += day;
  const program = await wire({
    ...{ ...settings(), repo: github.repo, auth: { token: github.token }, githubApi: github.url },
    github: { patience: false, fetch: github.fetch },
  });
  // It ends before anything is written to GitHub.
  await scan(program.world);
  if (!isKilled) await sync({ ...program.outbox, github: program.github });
  const firings = await program.world.store.firings();
  await program.close();
  return firings;
}

const issues = () =>
  github.asPerson<{ number: number; title: string; body: string; state: string }[]>("GET", "/issues?state=all");

/** Where the cited file is from a commit on, as people open it, and its text; without one it is gone. */
type FileAt = (commit: number) => { readonly link: string; readonly text?: string };
interface Link {
  readonly id: string;
  /** The commit from which on it is watched; its text there is the one that is cited. */
  readonly commit: number;
  readonly cited: { readonly from: number; readonly to: number };
  readonly address: string;
  readonly at: FileAt;
}

const textOf = (commit: number) => versions[commit] ?? "";
const onBranch =
  (ref: string): FileAt =>
  (commit) => ({ link: `${page}/${ref}/src/woods.ts`, text: textOf(commit) });

/** The links of the history: every third names the branch, the others a commit. */
const thirty = links.map(([commit, begin, count], i): Link => {
  const cited = rangeIn(textOf(commit), begin, count);
  const ref = i % 3 === 2 ? "main" : sha(commit);
  const at = onBranch(ref === "main" ? "main" : "HEAD");
  return { id: `link-${i + 1}`, commit, cited, address: `${page}/${ref}/src/woods.ts${hash(cited)}`, at };
});

/** The commits that rename `former.ts`, and delete `shed.ts`. */
const [renaming, deleting] = [4, 6];
/** Links to a file that is renamed, one that is deleted, a tag, and branches with names like versions, each to several lines. */
const others = [
  [
    "former",
    `${sha(0)}/src/former.ts`,
    (commit) => ({ link: `${page}/HEAD/src/${formerName(commit)}`, text: textOf(commit) }),
  ],
  [
    "shed",
    `${sha(0)}/src/shed.ts`,
    (commit) => ({ link: `${page}/HEAD/src/shed.ts`, ...(commit < deleting && { text: textOf(commit) }) }),
  ],
  ["tag", "refs/tags/first/src/woods.ts", onBranch("HEAD")],
  ["old-branch", "7.4/src/woods.ts", () => ({ link: `${page}/7.4/src/woods.ts`, text: textOf(0) })],
  ["new-branch", "v2-dev/src/woods.ts", onBranch("v2-dev")],
] as const satisfies readonly (readonly [string, string, FileAt])[];
const formerName = (commit: number) => (commit < renaming ? "former.ts" : "latter.ts");

const more = others.flatMap(([name, path, at]) =>
  ["Measures alder", "rings * 5", "Measures cedar", "Measures ivy"].map((begin, i): Link => {
    const cited = rangeIn(textOf(0), begin, 1);
    return { id: `${name}-${i + 1}`, commit: 0, cited, address: `${page}/${path}${hash(cited)}`, at };
  }),
);
const all = [...thirty, ...more];

/** Serves the files beside the main one as they are at a commit. */
function pushOthers(commit: number): void {
  const put = (path: string, body: string | undefined) => {
    if (body === undefined) delete answers[`${raw}/${path}`];
    else answers[`${raw}/${path}`] = { type: "text/plain", body };
  };
  for (const path of [`${sha(0)}/src/former.ts`, `${sha(0)}/src/shed.ts`, "refs/tags/first/src/woods.ts"])
    put(path, textOf(0));
  put("7.4/src/woods.ts", textOf(0));
  put("v2-dev/src/woods.ts", textOf(commit));
  put("HEAD/src/shed.ts", commit < deleting ? textOf(commit) : undefined);
  put("HEAD/src/former.ts", commit < renaming ? textOf(commit) : undefined);
  put("HEAD/src/latter.ts", commit < renaming ? undefined : textOf(commit));
  const ofCommit = (path: string, by: number, change: object) => {
    answers[`api.github.com/repos/marsh/woods/commits?path=${encodeURIComponent(path)}&per_page=1`] = json([
      { sha: sha(by) },
    ]);
    answers[`api.github.com/repos/marsh/woods/commits/${sha(by)}`] = json({ sha: sha(by), files: [change] });
  };
  ofCommit("src/former.ts", renaming, {
    filename: "src/latter.ts",
    previous_filename: "src/former.ts",
    status: "renamed",
  });
  ofCommit("src/shed.ts", deleting, { filename: "src/shed.ts", status: "removed" });
}

function sourcesOf(written: readonly Link[]): string {
  return `report: { title: Woods, audited: 2026-05-16, text: README.md }
sources:
${written.map(({ id, address }) => `  ${id}:\n    lines: ${address}\n    claims: { holds: { says: Sentence ${id}, fact: lines } }\n`).join("")}`;
}

/** What the engine says of a link at each later commit, each state once. */
function expectedOf({ id, commit, cited, at }: Link): string[] {
  const said: string[] = [];
  const [first] = [at(commit)];
  let before = "same";
  for (let later = commit; later < versions.length; later++) {
    const { link, text } = at(later);
    const found = text === undefined ? ({ state: "gone" } as const) : findLines(first.text ?? "", text, cited);
    const state = stateOf(found, text ?? "");
    if (state !== before && state !== "same") said.push(`${id} ${state}`);
    before = state;

    function stateOf(now: typeof found, body: string): string {
      if (now.state === "gone") return "contrary: gone";
      if (now.state === "changed") {
        const lines = body.split(/\r?\n/).slice(now.at.from - 1, now.at.to);
        return `contrary: ${lines.join("\n")}`;
      }
      const isMoved = now.state === "moved" || link !== first.link;
      return isMoved ? `routine: ${link}${hash(now.state === "moved" ? now.at : cited)}` : "same";
    }
  }
  return said;
}

test("thirty links over a history of commits, and twenty to other files and refs: each move, change and loss once, and nothing else", async () => {
  expect([thirty.length, more.length]).toEqual([30, 20]);
  let firings: readonly StoredFiring[] = [];
  for (const [commit, version] of versions.entries()) {
    push(version);
    pushOthers(commit);
    writeFileSync(join(folder, "sources.yaml"), sourcesOf(all.filter((link) => link.commit <= commit)));
    await run({ isKilled: true });
    firings = await run({ isKilled: commit % 2 === 0 });
  }
  const said = firings.flatMap(({ weight, evidence }) =>
    evidence.map(({ source, change }) => {
      if (change.kind !== "claim") return `${source} ${change.kind}`;
      return `${source} ${weight}: ${change.to === "gone" ? "gone" : change.after}`;
    }),
  );
  const expected = all.flatMap(expectedOf);
  expect(said.toSorted()).toEqual(expected.toSorted());
  const kinds = Map.groupBy(expected, (one) => /routine|gone$|contrary/.exec(one)?.[0]);
  expect([...kinds].map(([kind, some]) => [kind, some.length > 2])).toEqual(
    [...kinds.keys()].map((kind) => [kind, true]),
  );
  // Every file is asked for once a scan, however many of its lines are cited.
  expect(web.asked.filter((address) => address.endsWith("/HEAD/src/woods.ts"))).toHaveLength(2 * versions.length);
  const scansWithout = 2 * (versions.length - renaming + versions.length - deleting);
  expect(web.asked.filter((address) => address.startsWith("api.github.com/"))).toHaveLength(2 * scansWithout);
}, 120_000);

const report = (ref: string, lines: string) => `# Woods

Last audited: 2026-05-30.

An alder is measured by its rings, as [this function](${page}/${ref}/src/woods.ts${lines}) shows.
`;

test("a fact that only an audit knows of cited lines is asked about at the first check: their repository is archived", async () => {
  push(versions[0]);
  answers["api.github.com/repos/marsh/woods"] = json({ full_name: "marsh/woods", private: false, archived: true });
  writeFileSync(join(folder, "sources.yaml"), sourcesOf(thirty.slice(0, 1)));
  const program = await wire({ ...settings(), auth: { token: "t" } });
  const file = { path: "README.md", text: report(sha(0), "#L1-L3") };
  const { firings } = await scanAndAudit(program.world, { report: async () => [file] });
  const said = firings.flatMap(({ evidence }) => evidence.map(({ source, change }) => [source, change]));
  expect(said).toMatchObject([
    ["link-1", { kind: "fact", name: "ended", first: { says: expect.stringContaining("archived") } }],
  ]);
  await program.close();
  delete answers["api.github.com/repos/marsh/woods"];
});

/** An issue without the mark that is different in every run. */
const asGolden = (issue: { title: string; body: string } | undefined) =>
  `# ${issue?.title}\n\n${issue?.body.replace(/"marker":"\w+"/, '"marker":""')}\n`;

test("a report that cites lines is drafted, asked about, corrected by a patch, and watched on", async () => {
  push(versions[0]);
  writeFileSync(join(folder, "README.md"), report(sha(0), "#L1-L3"));
  const { out, lines } = linesOut();
  expect(await initCommand(join(folder, "README.md"), settings(), {}, out), lines.join("\n")).toBe(0);
  const sources = () => readFileSync(join(folder, "sources.yaml"), "utf8");
  expect(sources()).toContain(`lines: "${page}/${sha(0)}/src/woods.ts#L1-L3"`);
  expect(sources()).toContain("fact: lines");

  await run();
  expect(await issues()).toEqual([]);
  push(`// One\n// Two\n${versions[0]}`);
  await run();
  await run();
  const [moved, ...others] = await issues();
  expect(others).toEqual([]);
  expect(moved?.title).toBe("this function: its cited lines are at L3-L5");
  await expect(asGolden(moved)).toMatchFileSnapshot("golden/code-lines-moved.md");

  const [, patch] = /````diff\n(diff --git a\/README[\s\S]*?)\n````/.exec(moved?.body ?? "") ?? [];
  execFileSync("git", ["apply", "-"], { cwd: folder, input: `${patch}\n` });
  expect(readFileSync(join(folder, "README.md"), "utf8")).toBe(report("HEAD", "#L3-L5"));
  await github.asPerson("PATCH", `/issues/${moved?.number}`, { state: "closed" });
  await run();
  expect((await issues()).map(({ state }) => state)).toEqual(["closed"]);

  push(`// One\n// Two\n${versions[0]?.replace("rings * 5", "rings + 5")}`);
  await run();
  await run();
  const changed = (await issues()).find(({ state }) => state === "open");
  expect(changed?.title).toMatch(/^this function now differs from “An alder is measured/);
  await expect(asGolden(changed)).toMatchFileSnapshot("golden/code-lines-changed.md");

  const explained: string[] = [];
  const told = (text = "") => void explained.push(text);
  await explainCommand("this-function", settings(), {}, { ...out, line: told, note: told });
  expect(explained.join("\n")).toContain(
    "Baseline: the file as it was on 2026-06-05, compared with https://raw.githubusercontent.com/marsh/woods/HEAD/src/woods.ts.",
  );
  expect(explained.join("\n")).toContain(`moved the proof of claim "lines" to ${page}/HEAD/src/woods.ts#L3-L5`);

  // The lines come back, which answers the question; nothing else is asked.
  push(`// One\n// Two\n${versions[0]}`);
  for (let passed = 0; passed < 9; passed++) await run();
  expect((await issues()).map(({ state }) => state).toSorted()).toEqual(["closed", "open"]);
  expect((await issues()).find(({ state }) => state === "open")?.body).not.toContain("Is this sentence still right?");

  push("// One\n// Two\n");
  await run();
  await run();
  const gone = (await issues()).find(({ state }) => state === "open");
  expect([gone?.number, gone?.title]).toEqual([
    changed?.number,
    "this function no longer supports “An alder is measured by its rings, as this function shows”",
  ]);
});

test("a file that is gone on the default branch is asked about, and its link is not called dead", async () => {
  push(versions[0]);
  writeFileSync(join(folder, "README.md"), report(sha(0), "#L1-L3"));
  const out = { live: false, paint: (_: unknown, text: string) => text, line: () => {}, note: () => {} };
  expect(await initCommand(join(folder, "README.md"), settings(), {}, out)).toBe(0);
  await run();
  push(undefined);
  await run();
  await run();
  const [gone, ...more] = await issues();
  expect(more).toEqual([]);
  await expect(asGolden(gone)).toMatchFileSnapshot("golden/code-lines-file-gone.md");
});
