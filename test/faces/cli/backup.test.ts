import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { backupCommand, doctorCommand, eraseCommand, restoreCommand } from "../../../src/faces/cli/store.ts";
import { settingsFrom } from "../../../src/faces/environment.ts";
import { kept, watch } from "../../adapters/store/samples.ts";
import { recheckHere } from "../../support/command.ts";

let folder: string;
let lines: string[];
const now = Date.UTC(2026, 10, 20);

const out = {
  live: false,
  paint: (_: unknown, text: string) => text,
  line: (text = "") => void lines.push(text.replaceAll(folder, "")),
  note: (text: string) => void lines.push(text),
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "recheck-doctor-"));
  lines = [];
  writeFileSync(
    join(folder, "sources.yaml"),
    "report: { title: A report, audited: 2026-05-16 }\nratings: { speed: fast }\nsources:\n  a: { page: https://example.org/ }\n",
  );
  const database = await openStore(join(folder, "data", "recheck.sqlite"));
  const seen = watch("a", { lastCheck: now, next: now + 1 });
  await database.repository("example/report").commit((tx) => tx.keep(kept("a", { watch: seen })));
  await database.close();
});

afterEach(() => rmSync(folder, { recursive: true }));

function settings() {
  const all = settingsFrom({ RECHECK_DATA: join(folder, "data") }, { config: folder, repo: "example/report" });
  return { ...all, clock: { now: () => now } };
}

test("a copy is made and put back, and the store before it is named", async () => {
  expect(await backupCommand(join(folder, "copy"), settings(), {}, out)).toBe(0);
  expect(await restoreCommand(join(folder, "copy"), settings(), {}, out)).toBe(0);
  expect(lines).toEqual([
    expect.stringMatching(/^\/copy: \d+ kB, whole, sha256 [0-9a-f]{64}$/),
    expect.stringMatching(/^\/data\/recheck\.sqlite: \d+ kB of \/copy, sha256 [0-9a-f]{64}$/),
    "The store that was there is kept as /data/recheck.sqlite.2026-11-20T00-00-00.",
    expect.stringContaining("are found again by the next scan"),
  ]);
});

test("a copy that cannot be written or does not exist is a mistake of the command line: exit 1, and nothing changes", async () => {
  writeFileSync(join(folder, "taken"), "mine");
  const run = (command: string, file: string) =>
    recheckHere([command, join(folder, file)], { RECHECK_DATA: join(folder, "data") }, folder);
  const cases: [command: string, file: string, says: string][] = [
    ["backup", "missing/copy", "/missing/copy cannot be written: there is no such folder"],
    ["backup", "taken/copy", "/taken/copy cannot be written: a file is where a folder should be"],
    ["backup", "data", "/data cannot be written: it is a folder"],
    ["backup", "taken", "/taken is there already: name another file"],
    ["restore", "copy", "there is no /copy: name a backup"],
  ];
  for (const [command, file, says] of cases) {
    const { code, err } = await run(command, file);
    expect([code, err.replaceAll(folder, "")]).toEqual([1, `${says}\n`]);
  }
  expect(readFileSync(join(folder, "taken"), "utf8")).toBe("mine");
});

test("the doctor lists healthy parts, and with exit 2 the others", async () => {
  expect(await doctorCommand(settings(), {}, out)).toBe(0);
  expect(lines).toEqual([
    "✔ config: valid",
    "✔ integrity: the store's file is not damaged",
    "✔ orphans: every row belongs to a watched source",
    "✔ outbox: nothing has waited for more than a day",
    "✔ scans: monitoring has not stopped",
    "✔ clock: no time is in the future",
    "✔ permissions: only the owner can read the store",
    "✔ disk: there is enough free space",
  ]);
  writeFileSync(join(folder, "sources.yaml"), "report: { titel: A report }\n");
  rmSync(join(folder, "data"), { recursive: true });
  lines = [];
  expect(await doctorCommand(settings(), {}, out)).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(/^✗ config: \d problems: .*validate lists them$/),
    expect.stringMatching(/^✗ store: nothing is recorded in \/data\/recheck.sqlite yet: run .*scan first$/),
  ]);
});

test("the doctor says if monitoring has stopped: after two days without a daily check, or three without a config", async () => {
  const later = (days: number) => ({ ...settings(), clock: { now: () => now + days * 86_400_000 } });
  expect(await doctorCommand(later(2), {}, out)).toBe(0);
  lines = [];
  expect(await doctorCommand(later(2.1), {}, out)).toBe(2);
  const stopped =
    "✗ scans: monitoring has stopped: the last check was at 2026-11-20 00:00 UTC. Is the schedule still running?";
  expect(lines).toContain(stopped);
  rmSync(join(folder, "sources.yaml"));
  expect(await doctorCommand(later(2.1), {}, out)).toBe(0);
  expect(await doctorCommand(later(3.1), {}, out)).toBe(2);
});

test("a database is not examined, and is nothing that is wrong", async () => {
  const address = "postgres://recheck:hidden@127.0.0.1:1/recheck";
  expect(await doctorCommand({ ...settings(), data: address }, {}, out)).toBe(0);
  expect(lines).toEqual(["✔ config: valid", "✔ store (127.0.0.1:1/recheck: only a file is examined)"]);
});

test("erasing asks for --yes, erases at once, and says if nothing was there", async () => {
  await expect(eraseCommand(settings(), { repo: "example/report" }, out)).rejects.toThrow(
    "/recheck.sqlite for good: add --yes",
  );
  const nowhere = { ...settings(), data: join(folder, "none") };
  await expect(eraseCommand(nowhere, { person: "octocat", yes: true }, out)).rejects.toThrow("nothing is recorded in");
  expect(existsSync(nowhere.data)).toBe(false);
  await expect(eraseCommand(settings(), { yes: true }, out)).rejects.toThrow("name what to erase");
  await expect(eraseCommand(settings(), { person: "a b", yes: true }, out)).rejects.toThrow("a login on GitHub");
  const rest = "Copies of the store, logs and GitHub's issues are not changed.";
  for (const options of [{ repo: "example/report" }, { repo: "example/report" }, { person: "octocat" }])
    expect(await eraseCommand(settings(), { ...options, yes: true }, out)).toBe(0);
  expect(lines).toEqual([
    `example/report was erased from /data/recheck.sqlite. ${rest}`,
    `nothing is stored of example/report in /data/recheck.sqlite. ${rest}`,
    `nothing is stored of octocat in /data/recheck.sqlite. ${rest}`,
  ]);
});
