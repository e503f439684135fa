import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { type BacktestOptions, backtestCommand } from "../../../src/faces/cli/backtest/index.ts";
import { explainCommand } from "../../../src/faces/cli/explain/index.ts";
import { readers } from "../../../src/read/index.ts";
import { scan } from "../../../src/watch/scan.ts";
import { loadConfig } from "../../../src/wire/config.ts";
import { closeAll, fetching, page, web } from "../../adapters/fetch/local-web.ts";
import { linesOut } from "../../support/lines-out.ts";

const folder = mkdtempSync(join(tmpdir(), "recheck-backtest-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterAll(closeAll);
const write = (name: string, text: string) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
};

write(
  "sources.yaml",
  `report: { title: Kites, audited: 2026-05-16 }
levels: [Low]
ratings: { lift: Low }
products: { spar: { name: Spar } }
sources:
  table: { json: "http://example.org/table.json", items: "$", item: { id: v, version: v, title: v }, announces: spar }
  notes: { text: "https://raw.githubusercontent.com/example/kites/main/docs/notes.md" }
  other: { text: "https://raw.githubusercontent.com/example/other/main/docs/notes.md" }
`,
);
write(
  "triggers/delta.yaml",
  "name: Delta\nratings: [lift]\non:\n  - release: spar\n    bump: [major]\n  - change: notes\n  - change: other\n",
);
write("new/delta.yaml", "name: Delta\nratings: [lift]\non:\n  - release: spar\n    bump: [minor]\n");
write("new/broken.yaml", "name: Broken\non:\n  - change: note\n");

const now = Date.parse("2026-07-01");
const settings = { config: folder, data: join(folder, "data"), clock: { now: () => now }, fetch: {} };

async function run(options: Partial<BacktestOptions>): Promise<string[]> {
  const { out, lines } = linesOut(() => {});
  expect(await backtestCommand(settings, { since: "2026-06-01", ...options }, out)).toBe(0);
  return lines;
}

beforeAll(async () => {
  const config = await loadConfig(folder);
  const database = await openStore(join(settings.data, "recheck.sqlite"));
  let versions = ["1.0.0"];
  const { origin } = await web((request, response) =>
    request.url === "/table.json"
      ? page(response, JSON.stringify(versions.map((v) => ({ v }))))
      : response.writeHead(404).end(),
  );
  let time = Date.parse("2026-05-20");
  const clock = { now: () => time };
  const fetch = fetching({ origin: () => origin, clock });
  const world = { config, clock, fetch, readers, store: database.repository("local"), access: { githubToken: false } };
  for (const [date, version] of [
    ["2026-05-20", "1.0.0"],
    ["2026-06-05", "1.1.0"],
    ["2026-06-09", "2.0.0"],
  ] as const) {
    time = Date.parse(date);
    versions = [...new Set([version, ...versions])];
    await scan(world, { all: true });
  }
  await database.close();
});

describe("the stored history", () => {
  it("shows the questions that were asked, by date", async () => {
    expect(await run({})).toEqual([
      "Backtest since 2026-06-01 · what is stored: 3 answers of 1 source, 9 checks",
      "",
      "  2026-06-09  for your information  delta  Spar 2.0.0 released  (table)",
      "",
      "1 recheck would have been opened, with 1 event",
      "  2026-06-09  Delta: 1 event",
    ]);
  });

  it("shows the questions that another trigger file brings and takes", async () => {
    const file = join(folder, "new/delta.yaml");
    expect(await run({ trigger: file })).toEqual([
      "Backtest since 2026-06-01 · what is stored: 3 answers of 1 source",
      "",
      `+1, −1 rechecks in 30 days with ${file}; events: +1, −1, 0 unchanged`,
      "  + 2026-06-05  for your information  delta  Spar 1.1.0 released  (table)",
      "  − 2026-06-09  for your information  delta  Spar 2.0.0 released  (table)",
      "",
      "Events that join the open recheck of their trigger count as one. It stays open until its actual answer.",
    ]);
    const [json = ""] = await run({ trigger: file, json: true });
    expect(JSON.parse(json)).toMatchObject({
      came: [{ event: { key: "spar 1.1.0" } }],
      went: [{ trigger: "delta" }],
      stayed: 0,
      rechecks: { came: 1, went: 1 },
    });
  });

  it("can be explained by the command", async () => {
    const { out, lines } = linesOut(() => {});
    expect(await explainCommand("table", settings, {}, out)).toBe(0);
    expect(lines[0]).toBe("table · json http://example.org/table.json");
    expect(lines).toContain("              ● delta  fired, for your information");
    lines.length = 0;
    await explainCommand("delta", settings, { json: true }, out);
    expect(JSON.parse(lines.join(""))).toMatchObject({
      stories: [{ kind: "trigger", asking: [{ firings: [{ event: { key: "spar 2.0.0" } }] }] }],
    });
    await expect(explainCommand("tabel", settings, {}, out)).rejects.toThrow(
      'no rating, source or trigger is called "tabel"; did you mean "table"?',
    );
    await expect(explainCommand("#7", settings, {}, out)).rejects.toThrow("no recheck #7 is known here");
  });
});

describe("a checkout", () => {
  it("is replayed for the text sources whose repository it is", async () => {
    const home = join(folder, "kites");
    const git = (date: string, ...args: string[]) => {
      const env = { PATH: process.env.PATH, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null", HOME: folder };
      execFileSync("git", ["-C", home, "-c", "user.name=kite", "-c", "user.email=kite@example.org", ...args], { env });
    };
    write("kites/docs/notes.md", "# Notes\n\nMind the trees.\n");
    git("2026-04-01T00:00:00Z", "init", "-q");
    git("2026-04-01T00:00:00Z", "add", ".");
    git("2026-04-01T00:00:00Z", "commit", "-q", "-m", "one");
    write("kites/docs/notes.md", "# Notes\n\nMind the lines.\n");
    git("2026-06-10T00:00:00Z", "commit", "-q", "-a", "-m", "two");
    expect(await run({ git: home })).toEqual([
      `Backtest since 2026-06-01 · the history of ${home}: 2 answers of 1 source, 3 checks`,
      "",
      "  2026-06-10  for your information  delta  notes: text changed under Notes  (notes)",
      "",
      "1 recheck would have been opened, with 1 event",
      "  2026-06-10  Delta: 1 event",
    ]);
  });

  it("that is none is said so", async () => {
    await expect(run({ git: join(folder, "new") })).rejects.toThrow(/^git has no history of /);
  });
});

describe("a folder of documents", () => {
  it("is replayed from the day on, as if the report had been audited then", async () => {
    const doc = {
      ...{ doc: "table", url: "http://example.org/table.json" },
      revisions: [
        { rev: 1, file: "1.json", date: "2026-01-01T00:00:00Z" },
        { rev: 2, file: "2.json", date: "2026-06-20T00:00:00Z" },
      ],
    };
    write("past/docs/table/timeline.json", JSON.stringify(doc));
    write("past/docs/table/1.json", '[{ "v": "3.0.0" }]');
    write("past/docs/table/2.json", '[{ "v": "4.0.0" }, { "v": "3.0.0" }]');
    const lines = await run({ corpus: join(folder, "past") });
    expect(lines[2]).toBe("  2026-06-20  for your information  delta  Spar 4.0.0 released  (table)");
    expect(lines.filter((line) => line.includes("released"))).toHaveLength(1);
  });
});

describe("wrong usage", () => {
  it.each([
    [{ since: "2026-6" }, '--since needs a day such as 2026-07-08, not "2026-6"'],
    [{ corpus: "a", git: "b" }, "--corpus and --git: one of them"],
    [{ trigger: "/nowhere/delta.yaml" }, "--trigger: /nowhere/delta.yaml cannot be read: it is not there"],
    [{ trigger: "." }, "--trigger: . cannot be read: it is a folder"],
    [{ corpus: "/nowhere" }, "--corpus: /nowhere cannot be read: its folder docs does not exist"],
  ])("%j", async (options, message) => {
    await expect(run(options)).rejects.toThrow(message);
  });

  it("a trigger file with mistakes is reported with their places", async () => {
    await expect(run({ trigger: join(folder, "new/broken.yaml") })).rejects.toMatchObject({
      problems: [{ file: join(folder, "new/broken.yaml"), line: 3, column: 13, suggestion: "notes" }],
    });
  });
});
