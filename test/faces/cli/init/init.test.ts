import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import type { Web } from "../../../../src/audit/visit.ts";
import { type InitOptions, initCommand } from "../../../../src/faces/cli/init/index.ts";
import { filesOf, findReport } from "../../../../src/faces/cli/report.ts";
import { commandToType, Unreachable, WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import { Failure } from "../../../../src/model/failure.ts";
import { reportLimits, type Workers } from "../../../../src/model/ports/index.ts";
import type { ReportToDraft } from "../../../../src/onboard/first-check.ts";
import { draftFrom } from "../../../../src/onboard/report-files.ts";
import { readers } from "../../../../src/read/index.ts";
import { draft, type ReportFile } from "../../../../src/report/index.ts";
import { loadConfig } from "../../../../src/wire/config.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { shareOfThreads } from "../../../../src/wire/web.ts";
import { type Answer, type LocalWeb, openWeb, page, prose } from "../add/web.ts";

/** First configs for reports of every shape, over a web on this machine. */

const at = Date.UTC(2026, 10, 22);
const report = `# Kites of today

| kite | flies | lifts |
|---|---|---|
| Delta | yes | no |
| Parafoil | partial | yes |
| Rokkaku | no | yes |

The [guide](http://fine.example/guide) compares them, and the [old table](http://moved.example/old) has figures [1], [2].

## References

1. Maker. Delta. http://fine.example/delta
2. Museum. Rokkaku. http://gone.example/rokkaku
3. A photograph. http://fine.example/kite.png
`;
const fine = page("Fine", "", `<h1>Fine</h1>${prose("kites")}`);
const answers: Record<string, Answer> = {
  "fine.example/guide": fine,
  "fine.example/delta": fine,
  "moved.example/old": { status: 301, headers: { location: "http://moved.example/new" } },
  "moved.example/new": fine,
  "pages.example/report": page(
    "Report",
    "",
    `<h1>Report</h1>${prose("r")}<a href="http://fine.example/guide">guide</a>`,
  ),
  "login.example/report": {
    body: '<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form><p>Please sign in to continue.</p>',
  },
  "image.example/report": { type: "image/png", body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]) },
  "busy.example/report": { status: 429, headers: { "retry-after": "60" } },
  "api.github.com/repos/kites/empty/git/trees/HEAD?recursive=1": { status: 409, type: "application/json", body: "{}" },
};

let web: LocalWeb;
let folder: string;
beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(() => web.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-init-"));
  writeFileSync(join(folder, "report.md"), report);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function init(written: string, options: InitOptions = {}, changed: Partial<Settings> = {}, width?: number) {
  const lines: string[] = [];
  const origin = () => web.origin;
  const settings: Settings = {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => at },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin, pause: 0 },
    ...changed,
  };
  const line = (text = "") => void lines.push(text);
  const terminal = { live: false, paint: (_: unknown, text: string) => text, line, note: line, width };
  const code = await initCommand(written, settings, options, terminal);
  return { code, out: lines.join("\n") };
}

/** The files that `audit` reads. */
async function filesIn(written: string) {
  const report = await findReport(written, { ...({} as Web), workers: await shareOfThreads() }, { at });
  return { files: filesOf(report).map(({ path }) => path), says: report.unread?.says };
}

test("a chapter that takes too much is left out and named; the rest is drafted", async () => {
  const chapters = join(folder, "chapters");
  mkdirSync(chapters);
  for (const name of ["a", "b"])
    writeFileSync(join(chapters, `${name}.md`), `# ${name}\n\n[${name}](http://fine.example/${name})\n`);
  const threads = await shareOfThreads();
  const workers: Workers = {
    run: async (task, input, asker) => {
      expect(asker).toEqual(reportLimits);
      const { path, chapters: more } = (input as ReportToDraft).report;
      if (path.endsWith("b.md") && !more) throw new Failure("processor", { after: reportLimits.processor });
      return await threads.run(task, input, asker);
    },
  };
  const found = await findReport(chapters, { ...({} as Web), workers }, { at });
  expect(found.faults).toEqual([
    `${join(chapters, "b.md")} could not be read: reading it took more than 20 s of processor time`,
  ]);
  expect(found.best?.found.path).toBe(join(chapters, "a.md"));
  await threads.close();
});

const wrote = (path: string) => readFileSync(join(folder, path), "utf8");

describe("init", () => {
  test("names the command that writes the files of --dry-run", async () => {
    const { out } = await init(join(folder, "report.md"), { dryRun: true });
    const words = [join(folder, "report.md"), "--config", folder];
    expect(out.split("\n").at(-1)).toBe(`  ${commandToType("init", ...words)}  writes it`);
  });

  test("names the addresses that nobody else can open", async () => {
    writeFileSync(join(folder, "report.md"), `${report}4. Wiki. http://10.0.0.7/kites\n`);
    const { out } = await init(join(folder, "report.md"));
    expect(out).toContain("Not checked: 1 address that is private, numeric or with a login: http://10.0.0.7/kites.");
  });

  test("lists its next commands with their effects below them on a narrow terminal", async () => {
    const { out } = await init(join(folder, "report.md"), {}, {}, 60);
    const next = out.slice(out.indexOf("\n  Next\n"));
    expect(next).toMatch(/ --dry-run\n {6}checks everything, and reports what is already outdated\n/);
  });

  test("names the schema of the repository's own copy of the package in the first lines, and no other", async () => {
    const config = join(folder, "docs", "recheck");
    mkdirSync(join(folder, ".git"));
    mkdirSync(config, { recursive: true });
    const firstLines = async () => {
      const { out } = await init(join(folder, "report.md"), { dryRun: true, json: true }, { config });
      const { files } = JSON.parse(out) as { files: { path: string; text: string }[] };
      return files.filter(({ path }) => !path.includes("workflows")).map(({ text }) => text.split("\n")[0] ?? "");
    };
    expect((await firstLines()).filter((line) => line.includes("$schema"))).toEqual([]);
    mkdirSync(join(folder, "node_modules", "recheck-bot"), { recursive: true });
    writeFileSync(join(folder, "node_modules", "recheck-bot", "recheck.schema.json"), "{}");
    const [sources, ...triggers] = await firstLines();
    const schema = "# yaml-language-server: $schema=../../node_modules/recheck-bot/recheck.schema.json";
    expect(sources).toBe(schema);
    expect([...new Set(triggers)]).toEqual([`${schema.replace("../../", "../../../")}#/$defs/trigger`]);
  });

  test("writes the files of the App's first pull request, and the workflow of README.md", async () => {
    writeFileSync(join(folder, "other.md"), "# Another page\n\nOf nothing.\n");
    const { code, out } = await init(folder);
    expect(code).toBe(0);
    const files = new Map([
      ["report.md", report],
      ["other.md", "# Another page\n\nOf nothing.\n"],
    ]);
    const github = {
      tree: async () => ({
        files: [...files].map(([path, { length: size }]) => ({ path, size, sha: path })),
        whole: true,
      }),
      text: async (path: string) => files.get(path),
      changed: async () => undefined,
    };
    const app = await draftFrom(github, "x", async (one: ReportFile) => draft(one, { at, readers }));
    expect(app.best?.files.length).toBeGreaterThan(1);
    for (const { path, text } of app.best?.files ?? []) expect(wrote(path)).toBe(text);
    const readme = readFileSync(join(import.meta.dirname, "../../../../README.md"), "utf8");
    expect(readme).toContain(`# .github/workflows/recheck.yml\n${wrote(".github/workflows/recheck.yml")}\`\`\``);
    const { sources, ratings } = await loadConfig(folder);
    expect([sources.size, ratings.size]).toEqual([4, 6]);
    expect(out).toMatch(/^Kites of today, drafted from report\.md$/m);
    expect(out).toMatch(/^ {2}replace OWNER in \.github\/workflows\/recheck\.yml +with the account that/m);
  });

  test("lists pages that could not be read, that moved, and that need review", async () => {
    const { out } = await init(join(folder, "report.md"));
    expect(out).toMatch(/3 of 4 sources could be read/);
    expect(out).toMatch(/Could not be read properly\n {2}○ {2}\S+ +http:\/\/gone\.example\/rokkaku +404, not found/);
    expect(out).toMatch(/Moved for good, to\n {2}→ {2}\S+ +http:\/\/moved\.example\/new/);
    expect(out).toMatch(/To review\n {2}- The report does not say which source/);
    expect(out).toMatch(/1 reference cannot be watched; `unwatchable` says why/);
    expect(wrote("sources.yaml")).toMatch(/unwatchable:\n {2}- title: .*\n {4}url: http:\/\/fine\.example\/kite\.png/);
  });

  test("writes the kind of the file that came in place of a page, if that can be read", async () => {
    answers["fine.example/download/7"] = { type: "application/pdf", body: "%PDF-1.4 and no more" };
    answers["fine.example/latest"] = {
      type: "application/xml",
      body: '<feed xmlns="http://www.w3.org/2005/Atom"><title>Kites</title><entry><title>Kite 2.0</title><id>k2</id><updated>2026-03-01T00:00:00Z</updated></entry></feed>',
    };
    writeFileSync(
      join(folder, "came.md"),
      `${report}4. Broken. http://fine.example/download/7\n5. Maker. Parafoil. http://fine.example/latest\n`,
    );
    const { out } = await init(join(folder, "came.md"));
    expect(out).not.toMatch(/fine\.example\/latest/);
    const { sources, triggers } = await loadConfig(folder);
    const latest = [...sources.values()].find(({ address }) => address === "http://fine.example/latest");
    expect(latest?.kind).toBe("feed");
    const asked = [...triggers.values()].flatMap(({ on }) => on);
    expect(asked).toContainEqual(expect.objectContaining({ kind: "item", source: latest?.id }));
    expect(out).toMatch(/http:\/\/fine\.example\/download\/7 +application\/pdf where HTML was expected/);
  });

  test("moves sources that refuse to be read to `unwatchable`, and says so", async () => {
    answers["walled.example/kites"] = { status: 403, body: "no" };
    writeFileSync(join(folder, "walled.md"), `${report}4. Club. Members. http://walled.example/kites\n`);
    const { out } = await init(join(folder, "walled.md"));
    expect(out).toMatch(/http:\/\/walled\.example\/kites +403 \(now `unwatchable`\)/);
    const { sources, unwatchable } = await loadConfig(folder);
    expect([...sources.values()].map(({ address }) => address)).toContain("http://gone.example/rokkaku");
    expect(unwatchable).toMatchObject([
      { cites: [3] },
      {
        title: "Club. Members",
        url: "http://walled.example/kites",
        cites: [4],
        because: "it could not be read when this was drafted: 403",
      },
    ]);
  });

  test("drafts the chapters of a folder as one report, as the App does", async () => {
    const book = join(folder, "book");
    mkdirSync(book);
    writeFileSync(join(book, "01-day.md"), report);
    writeFileSync(join(book, "02-night.md"), "# Night\n\nAs the [guide](http://fine.example/guide) says.\n");
    const { out } = await init(book);
    expect(out).toMatch(/drafted from book\/01-day\.md\n.* in 2 files, /);
    const { documents, sources } = await loadConfig(folder);
    expect([...documents.keys()]).toEqual(["night"]);
    const guide = [...sources.values()].find(({ address }) => address.endsWith("/guide"));
    expect(guide?.citedBy).toEqual(["night"]);
  });

  test("reads the files of a book that audit reads, in a folder of any name, and follows no link", async () => {
    const book = join(folder, "examples", "vendor");
    mkdirSync(book, { recursive: true });
    const cites = (word: string) => `The \`${word} <http://${word}.example/guide>\`_ says so.\n`;
    writeFileSync(join(book, "conf.py"), "project = 'Kites and wind'\n");
    writeFileSync(join(book, "index.rst"), `Kites\n=====\n\n${cites("fine")}\n.. toctree::\n\n   wind\n   linked\n`);
    writeFileSync(join(book, "wind.rst"), `Wind\n====\n\n${cites("wind")}\n.. include:: gusts.rst\n`);
    writeFileSync(join(book, "gusts.rst"), cites("gusts"));
    writeFileSync(join(book, "apart.rst"), cites("apart"));
    writeFileSync(join(folder, "secret.rst"), cites("secret"));
    symlinkSync(join(folder, "secret.rst"), join(book, "linked.rst"));
    const { out } = await init(book, { dryRun: true, json: true });
    const { files, report: name, goOver, found } = JSON.parse(out);
    expect(files[0].text).toContain("title: Kites and wind\n");
    expect(name).toBe(book);
    expect(found).toMatchObject({ path: "examples/vendor/index.rst", chapters: 2, references: 3 });
    expect(goOver.join("\n")).toContain("examples/vendor/conf.py lists 1 file that cannot be found: linked");
    const { files: audited } = await filesIn(book);
    expect(audited).toEqual(["index.rst", "wind.rst", "gusts.rst"].map((one) => `${book}/${one}`));
    const single = await filesIn(join(book, "wind.rst"));
    expect(single.files).toEqual(["wind.rst", "gusts.rst"].map((one) => `${book}/${one}`));
  });

  test("takes claims from chapters, if their numbers are the report's", async () => {
    const weight = `<h1>Delta</h1><p>The Delta kite weighs 240 grams with its line.</p>${prose("kites")}`;
    answers["weights.example/delta"] = page("Delta", "", weight);
    answers["weights.example/other"] = fine;
    const book = join(folder, "book");
    mkdirSync(book);
    const list = (...addresses: string[]) =>
      `## References\n\n${addresses.map((one, i) => `${i + 1}. ${one}\n`).join("")}`;
    const said = "# Weights\n\nThe Delta kite weighs 240 grams [1].\n";
    writeFileSync(join(book, "index.md"), `# Kites\n\nA book.\n\n${list("Maker. http://weights.example/delta")}`);
    writeFileSync(join(book, "01-weights.md"), said);
    writeFileSync(join(book, "02-more.md"), "# More\n\nNothing.\n");
    await init(book);
    const claims = async () => [...(await loadConfig(folder)).sources.values()].flatMap((one) => one.claims);
    expect((await claims()).map(({ says }) => says)).toEqual(["The Delta kite weighs 240 grams."]);

    // Where another chapter counts its own, [1] means two things.
    rmSync(join(folder, "sources.yaml"));
    rmSync(join(folder, "triggers"), { recursive: true });
    writeFileSync(join(book, "02-more.md"), `# More\n\nAs told [1].\n\n${list("Other. http://weights.example/other")}`);
    await init(book);
    expect(await claims()).toEqual([]);
  });

  test("writes nothing on a dry run, and gives programs all of it", async () => {
    const { code, out } = await init(join(folder, "report.md"), { dryRun: true, json: true });
    expect(code).toBe(0);
    expect(existsSync(join(folder, "sources.yaml"))).toBe(false);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ written: false, found: { references: 5, ratings: 6 }, later: [] });
    expect(told.files.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(["sources.yaml", ".github/workflows/recheck.yml"]),
    );
  });

  test.each(["sources.yaml", "triggers/kites.yaml"])("overwrites nothing: %s", async (path) => {
    mkdirSync(join(folder, "triggers"));
    const { files } = JSON.parse((await init(join(folder, "report.md"), { dryRun: true, json: true })).out);
    const taken = path.startsWith("triggers/") ? files[1].path : path;
    writeFileSync(join(folder, taken), "mine\n");
    await expect(init(join(folder, "report.md"))).rejects.toThrow(/exists already and is not overwritten/);
    expect(wrote(taken)).toBe("mine\n");
    expect(existsSync(join(folder, ".github"))).toBe(false);
  });

  test("leaves a workflow that is there as it is, and names the folder of a config that is not at the root", async () => {
    spawnSync("git", ["init", "-q", folder]);
    const watch = join(folder, "watch");
    await init(join(folder, "report.md"), {}, { config: watch });
    expect(wrote("watch/sources.yaml")).toContain("  text: report.md #");
    expect(wrote(".github/workflows/recheck.yml")).toMatch(/OWNER\/recheck@v0\n {8}with: \{ config: "watch" \}\n$/);
    const workflow = wrote(".github/workflows/recheck.yml");
    const { out } = await init(join(folder, "report.md"));
    expect(out).not.toContain("recheck.yml");
    expect(wrote(".github/workflows/recheck.yml")).toBe(workflow);
  });

  test("takes the day of the file's last commit, as the App does", async () => {
    const git = (...args: string[]) => {
      const own = ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@a.example", "-c", "commit.gpgsign=false"];
      const env = { ...process.env, GIT_COMMITTER_DATE: "2026-03-04T12:00:00Z" };
      expect(spawnSync("git", [...own, ...args], { env }).status).toBe(0);
    };
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "Say it");
    await init(join(folder, "report.md"));
    expect(wrote("sources.yaml")).toContain("audited: 2026-03-04 # the file's last commit");
  });

  test("drafts from a page, and from a repository whose possible reports it reads", async () => {
    await init("http://pages.example/report");
    expect(wrote("sources.yaml")).toContain("  url: http://pages.example/report\n");
    rmSync(join(folder, "sources.yaml"));
    rmSync(join(folder, "triggers"), { recursive: true });
    const tree = [
      { path: "README.md", mode: "100644", type: "blob", sha: "1", size: 20 },
      { path: "docs/report.md", mode: "100644", type: "blob", sha: "2", size: report.length },
      { path: "src/big.md", mode: "100644", type: "blob", sha: "3", size: 9_000_000 },
    ];
    const json = (body: unknown) => ({ type: "application/json", body: JSON.stringify(body) });
    Object.assign(answers, {
      "api.github.com/repos/kites/report/git/trees/HEAD?recursive=1": json({ tree, truncated: false }),
      "raw.githubusercontent.com/kites/report/HEAD/README.md": { type: "text/plain", body: "# Kites\n" },
      "raw.githubusercontent.com/kites/report/HEAD/docs/report.md": { type: "text/plain", body: report },
      "api.github.com/repos/kites/report/commits?path=docs%2Freport.md&per_page=1": json([
        { commit: { committer: { date: "2026-02-03T00:00:00Z" } } },
      ]),
    });
    const { out } = await init("https://github.com/kites/report");
    expect(wrote("sources.yaml")).toContain("audited: 2026-02-03 #");
    expect(wrote("sources.yaml")).toContain("text: docs/report.md");
    expect(out).toContain("1 more page in Markdown or HTML was not checked");
  });

  test("drafts from a file of a reference manager, and says which entries it could not read", async () => {
    const bib = "@misc{delta, title={Delta}, url={http://fine.example/delta}}\n@misc{open, title={Open}\n";
    writeFileSync(join(folder, "refs.bib"), bib);
    const { code, out } = await init(join(folder, "refs.bib"));
    expect(code, out).toBe(0);
    expect(wrote("sources.yaml")).toMatch(
      /\n {2}delta:\n {4}page: http:\/\/fine\.example\/delta\n(?:.*\n)* {4}cites: \[1\]/,
    );
    expect(out).toMatch(/Entries that could not be read\n {2}\S*refs\.bib:2: entry open is not closed/);
    rmSync(join(folder, "sources.yaml"));
    writeFileSync(join(folder, "refs.bib"), "@misc{open, title={Open}\n");
    await expect(init(join(folder, "refs.bib"))).rejects.toThrow(
      /nothing to watch\n\S*refs\.bib:1: entry open is not closed/,
    );
  });

  test("says of a DOI that another agency gave out how it is to be written", async () => {
    answers["api.datacite.org/dois/10.9999%2Fkites"] = { type: "application/json", body: '{"data":{"attributes":{}}}' };
    writeFileSync(
      join(folder, "data.md"),
      "# Data\n\n- [Kites, counted](https://doi.org/10.9999/kites)\n- [None](https://doi.org/10.9999/none)\n",
    );
    const { out } = await init(join(folder, "data.md"));
    expect(out).toMatch(/10\.9999\/kites +write it as datacite: it is known there/);
    expect(out).toMatch(/10\.9999\/none +404, not found/);
  });

  test("checks as many as there is time for, and names the others", async () => {
    const slow = { ...fine, meanwhile: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150) };
    const links = Array.from({ length: 200 }, (_, i) => `http://slow.example/${i}`);
    for (const link of links) answers[link.replace("http://", "")] = slow;
    writeFileSync(join(folder, "long.md"), links.map((link, i) => `- [Part ${i}](${link})\n`).join(""));
    const { code, out } = await init(join(folder, "long.md"), { minutes: "0.02", json: true });
    expect(code).toBe(0);
    const { later, probes } = JSON.parse(out);
    expect(later.length).toBeGreaterThan(100);
    expect(later.length + probes.length).toBe(200);
    expect(existsSync(join(folder, "sources.yaml"))).toBe(true);
  });
});

describe("bad input of init", () => {
  const links = (count: number) =>
    Array.from({ length: count }, (_, i) => `[${i}](http://fine.example/${i})\n\n`).join("");

  test.each<readonly [string, string, string]>([
    ["nothing there", "nowhere.md", "cannot find nowhere.md: give a file, a folder, owner/name or a URL"],
    ["a page behind a login", "http://login.example/report", "could not be read: login page"],
    ["a picture", "http://image.example/report", "image/png where a report was expected"],
    ["a page that is not there", "http://gone.example/", "could not be read: 404, not found"],
    ["a host that limits us", "http://busy.example/report", "could not be read: 429, asked to slow down"],
    ["a private repository", "kites/private", "kites/private is private or does not exist"],
    ["an empty repository", "kites/empty", "kites/empty is empty: it has no commit yet"],
  ])("has a sentence for %s", async (_, written, says) => {
    await expect(init(written)).rejects.toThrow(new RegExp(says.replace(/[/.]/g, "\\$&")));
    await expect(init(written)).rejects.toBeInstanceOf(WrongUsage);
    expect(existsSync(join(folder, "sources.yaml"))).toBe(false);
  });

  test("says what would count as a rating if there is no link and no cell of a table judges", async () => {
    writeFileSync(
      join(folder, "makers.md"),
      "# Kites\n\n| Kite | Maker |\n| --- | --- |\n| Delta | Acme |\n| Box | Bell |\n",
    );
    await expect(init(join(folder, "makers.md"))).rejects.toThrow(
      "Add a link, or a table whose cells judge something, such as High, 4/5 or ✅",
    );
  });

  test("has a sentence for a text without a link, for one of 50 MB, and for a file that is no text", async () => {
    writeFileSync(join(folder, "bare.md"), "# Nothing\n\nNo link at all.\n");
    await expect(init(join(folder, "bare.md"))).rejects.toThrow("cites no public address, and has no ratings");
    for (const name of ["kites.tex", "kites.typ", "kites.org"])
      await expect(init(join(folder, name))).rejects.toThrow(
        "convert LaTeX, Typst and Org first, for example with `pandoc",
      );
    writeFileSync(join(folder, "large.md"), Buffer.alloc(50_000_001, "a"));
    await expect(init(join(folder, "large.md"))).rejects.toThrow("larger than 50 MB");
    writeFileSync(join(folder, "bytes.md"), Buffer.alloc(100));
    await expect(init(join(folder, "bytes.md"))).rejects.toThrow("is not a text");
  });

  test("has a sentence for more links than find room", async () => {
    writeFileSync(join(folder, "many.md"), links(3_100));
    const { out } = await init(join(folder, "many.md"), { minutes: "0.001", json: true });
    const { found, goOver } = JSON.parse(out);
    expect(found.left).toBeGreaterThan(0);
    expect(goOver.join("\n")).toContain(`no room for ${found.left.toLocaleString("en")} references`);
    expect((await loadConfig(folder)).sources.size).toBe(found.sources);
  });

  test("writes nothing without a network, and says so in one sentence", async () => {
    const { port } = new URL(web.origin);
    const none = {
      allowAddresses: parseRanges("127.0.0.0/8"),
      origin: () => `http://127.0.0.1:${Number(port) === 1 ? 2 : 1}`,
    };
    await expect(init(join(folder, "report.md"), {}, { fetch: { ...none, pause: 0 } })).rejects.toThrow(Unreachable);
    await expect(init("http://fine.example/guide", {}, { fetch: { ...none, pause: 0 } })).rejects.toThrow(
      /^http:\/\/fine\.example\/guide could not be read: /,
    );
    expect(existsSync(join(folder, "sources.yaml"))).toBe(false);
  });
});
