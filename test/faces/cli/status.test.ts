import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { explainCommand } from "../../../src/faces/cli/explain/index.ts";
import { scanCommand } from "../../../src/faces/cli/scan.ts";
import { statusCommand } from "../../../src/faces/cli/status.ts";
import { heading } from "../../../src/faces/cli/summary.ts";
import type { Terminal } from "../../../src/faces/cli/terminal.ts";
import { validateCommand } from "../../../src/faces/cli/validate.ts";
import { aDay } from "../../../src/model/time.ts";
import type { Settings } from "../../../src/wire/settings.ts";
import { configOf } from "../../support/config-of.ts";
import { linesOut } from "../../support/lines-out.ts";
import { type Answer, type LocalWeb, openWeb, page, prose } from "./add/web.ts";

/** What `status` says of days, and of a source that nobody checks any more while others are seen. */

const folder = mkdtempSync(join(tmpdir(), "recheck-status-"));
const clock = { at: Date.UTC(2026, 10, 1), now: () => clock.at };
let local: LocalWeb;
const answers: Record<string, Answer> = {};
const settings = (): Settings => ({
  config: folder,
  data: join(folder, "data"),
  clock,
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => local.origin, pause: 0 },
});

beforeAll(async () => {
  const about = (what: string) => page(what, "", `<h1>${what}</h1>${prose(what, 20)}<p>${what} fly.</p>`);
  Object.assign(answers, { "docs.example/kites": about("kites"), "docs.example/sleds": about("sleds") });
  local = await openWeb(answers);
  const source = (id: string) =>
    `  ${id}: { page: "http://docs.example/${id}", claims: { fly: { says: They fly, quote: ${id} fly, ratings: [${id}] } } }\n`;
  writeFileSync(
    join(folder, "sources.yaml"),
    `report: { title: Kites, audited: 2026-10-16 }\nratings: { kites: Low, sleds: Low }\nsources:\n${source("kites")}${source("sleds")}`,
  );
});
afterAll(async () => {
  await local.close();
  rmSync(folder, { recursive: true });
});

async function told(run: (out: Terminal) => Promise<number>): Promise<string[]> {
  const { out, lines } = linesOut(() => {});
  await run(out);
  return lines;
}

test("a source is reported that is blind because nobody checks it", async () => {
  await told((out) => scanCommand(settings(), {}, out));
  clock.at += 10 * aDay;
  await told((out) => scanCommand(settings(), { source: ["kites"] }, out));
  const lines = await told((out) => statusCommand(settings(), {}, out));
  expect(lines.join("\n")).toContain("\n\n  Could not be checked\n  ○ sleds  not checked since 2026-11-01\n");
  const explained = await told((out) => explainCommand("sleds", settings(), {}, out));
  expect(explained).toContain("  ○ They fly: source not checked since 2026-11-01");
  expect(explained).toContain("  ○ sleds has not been checkable since 2026-11-08: not checked");
});

test("of a source that cannot be seen the day is reported, and since when it is blind or gone", async () => {
  clock.at += aDay;
  await told((out) => scanCommand(settings(), { all: true }, out));
  answers["docs.example/kites"] = { status: 500 };
  answers["docs.example/sleds"] = { status: 404 };
  const seen: string[][] = [];
  for (let days = 1; days <= 9; days++) {
    clock.at += aDay;
    const lines = await told((out) => scanCommand(settings(), { all: true }, out));
    seen[days] = lines.filter((line) => line.startsWith("  ○"));
  }
  expect(seen[1]).toEqual(["  ○ kites  500, first time", "  ○ sleds  404, not found, first time"]);
  const [kites, ...rest] = seen[9] ?? [];
  expect([seen[7]?.[0], kites, ...rest]).toEqual([
    "  ○ kites  500, since 2026-11-13; not checkable from 2026-11-20 unless read before",
    "  ○ kites  500, since 2026-11-13; not checkable since 2026-11-20",
    "  ○ sleds  404, not found, gone since 2026-11-13",
  ]);
  const lines = await told((out) => statusCommand(settings(), {}, out));
  expect(lines).toContain("  ○ sleds  404, not found, gone since 2026-11-13");
});

test("a source that could not be seen for another reason before is gone since the first check that found it so", async () => {
  answers["docs.example/kites"] = { status: 404 };
  const scanned: string[] = [];
  for (let days = 1; days <= 5; days++) {
    clock.at += aDay;
    scanned.push(...(await told((out) => scanCommand(settings(), { all: true }, out))));
  }
  expect(scanned.filter((line) => line.startsWith("  ○ kites")).at(-1)).toBe(
    "  ○ kites  404, not found, gone since 2026-11-22",
  );
  const lines = await told((out) => statusCommand(settings(), {}, out));
  expect(lines).toContain("  ○ kites  404, not found, gone since 2026-11-22");
});

test("a source that announces a product and has named no version of it is reported by status and validate", async () => {
  const own = join(folder, "mill");
  mkdirSync(own);
  writeFileSync(
    join(own, "sources.yaml"),
    `report: { title: Mills, audited: 2026-10-16 }
ratings: { mills: Low }
products: { mill: { name: Mill, tags: ["mill-{version}"] } }
sources:
  mills:
    json: "http://docs.example/mills"
    items: $
    item: { version: tag }
    announces: mill
`,
  );
  answers["docs.example/mills"] = { type: "application/json", body: '[{ "tag": "v3" }]' };
  const at = { ...settings(), config: own, data: join(own, "data") };
  const validated = () => told((out) => validateCommand(own, { data: at.data }, out));
  expect((await validated()).join("\n")).not.toContain("names no version");
  await told((out) => scanCommand(at, {}, out));
  const says = "names no version of mill so far; its newest entry is v3: do its tags have another shape?";
  expect(await told((out) => statusCommand(at, {}, out))).toContain(`  ? mills  ${says}`);
  const answer = (await told((out) => statusCommand(at, { json: true }, out))).join("\n");
  expect(JSON.parse(answer).unnamed).toEqual([{ source: "mills", says }]);
  const lines = await validated();
  expect(lines.join("\n")).toContain(`"mills" ${says}`);
});

test.each([
  [0, "today"],
  [1, "1 day ago"],
  [2, "2 days ago"],
])("an audit of %d days ago was %s", (days, told) => {
  const config = configOf("report: { title: Kites, audited: 2026-10-16 }\n");
  expect(heading(config, config.report.audited + days * aDay)).toBe(`Recheck · Kites · audited 2026-10-16 (${told})`);
});
