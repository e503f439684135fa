import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { publishCommand } from "../../../src/faces/cli/publish.ts";
import { settingsFrom } from "../../../src/faces/environment.ts";
import { statusFile } from "../../../src/model/status-file.ts";
import { kept, watch } from "../../adapters/store/samples.ts";
import { recheckHere } from "../../support/command.ts";

let folder: string;
let lines: string[];
const now = Date.UTC(2026, 10, 20);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-publish-"));
  lines = [];
  writeFileSync(
    join(folder, "sources.yaml"),
    "report: { title: A report, audited: 2026-05-16 }\nratings: { speed: fast }\nsources:\n  a: { page: https://example.org/ }\n",
  );
});

afterEach(() => rmSync(folder, { recursive: true }));

async function publish(json = false, repo = "example/report"): Promise<number> {
  const settings = settingsFrom(
    { RECHECK_DATA: join(folder, "data") },
    { config: folder, ...(repo !== "" && { repo }) },
  );
  const terminal = {
    live: false,
    paint: (_: unknown, text: string) => text,
    line: (text = "") => void lines.push(text),
    note: (text: string) => void lines.push(text),
  };
  return await publishCommand(
    { ...settings, clock: { now: () => now } },
    { out: join(folder, "site"), json },
    terminal,
  );
}

describe("publish", () => {
  test("writes the readers' files, beside a scan that is under way", async () => {
    const database = await openStore(join(folder, "data", "recheck.sqlite"));
    await database.repository("example/report").commit(async (tx) => {
      await tx.keep(kept("a", { watch: watch("a", { lastSeen: now, lastCheck: now, firstSeen: now }) }));
    });
    expect(await publish()).toBe(0);
    const [line = ""] = lines;
    expect(line).toMatch(/^wrote \d+ files to .*site, 0 unchanged$/);
    const status = statusFile.parse(JSON.parse(readFileSync(join(folder, "site", "status.json"), "utf8")));
    expect(status.sources).toMatchObject([{ id: "a", state: "up to date" }]);
    for (const path of ["index.html", "feed.xml", "badge.svg", "ratings/speed.html", "ratings/speed.xml"]) {
      expect(readFileSync(join(folder, "site", path), "utf8").length, path).toBeGreaterThan(200);
    }
    await database.close();
    lines = [];
    expect(await publish(true)).toBe(0);
    const told = JSON.parse(lines.join(""));
    expect(told).toMatchObject({ out: join(folder, "site"), written: [], removed: [] });
    expect(told.unchanged).toContain("status.json");
  });

  test("takes the only repository that is remembered, and no other for one that is not", async () => {
    const database = await openStore(join(folder, "data", "recheck.sqlite"));
    const keep = (name: string) =>
      database.repository(name).commit((tx) => tx.keep(kept("a", { watch: watch("a", { lastCheck: now }) })));
    await keep("example/report");
    expect(await publish(false, "")).toBe(0);
    const site = () => readFileSync(join(folder, "site", "status.json"), "utf8");
    const before = site();
    expect(JSON.parse(before)).toHaveProperty("lastCheck");
    await expect(publish(false, "example/repotr")).rejects.toThrow(
      /recheck\.sqlite has no records of example\/repotr, only of example\/report$/,
    );
    await keep("example/second");
    await expect(publish(false, "")).rejects.toThrow(/ several repositories: name one by --repo \(/);
    expect(site()).toBe(before);
    await database.close();
  });

  test("says in a sentence why it cannot: nothing recorded, no folder given, a file in the way", async () => {
    const env = { RECHECK_DATA: join(folder, "data") };
    const args = ["publish", "--config", folder, "--out", join(folder, "site")];
    const none = await recheckHere(args, env);
    expect([none.code, none.err]).toEqual([
      5,
      expect.stringMatching(/^nothing is recorded in .* yet: run recheck scan first\n$/),
    ]);
    await (await openStore(join(folder, "data", "recheck.sqlite"))).close();
    writeFileSync(join(folder, "site"), "a file");
    const taken = await recheckHere(args, env);
    expect([taken.code, taken.err]).toEqual([
      1,
      expect.stringMatching(/^cannot write .*site.*: a file is where a folder should be\n$/),
    ]);
    expect((await recheckHere(args.slice(0, 3), env)).code).toBe(1);
    const unset = await recheckHere([...args.slice(0, 4), ""], env);
    expect([unset.code, unset.err]).toEqual([1, "--out needs a folder: recheck publish --out DIR\n"]);
    expect(readFileSync(join(folder, "site"), "utf8")).toBe("a file");
  });
});
