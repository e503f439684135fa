import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answersSchema } from "../../../scripts/answers.ts";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { addCommand } from "../../../src/faces/cli/add/index.ts";
import { auditCommand } from "../../../src/faces/cli/audit/index.ts";
import { backtestCommand } from "../../../src/faces/cli/backtest/index.ts";
import { checkCommand } from "../../../src/faces/cli/check.ts";
import { claimsCommand } from "../../../src/faces/cli/claims.ts";
import { explainCommand } from "../../../src/faces/cli/explain/index.ts";
import { initCommand } from "../../../src/faces/cli/init/index.ts";
import { publishCommand } from "../../../src/faces/cli/publish.ts";
import { scanCommand } from "../../../src/faces/cli/scan.ts";
import { servedCommand, statusCommand } from "../../../src/faces/cli/status.ts";
import {
  backupCommand,
  doctorCommand,
  eraseCommand,
  moveCommand,
  restoreCommand,
} from "../../../src/faces/cli/store.ts";
import type { Terminal } from "../../../src/faces/cli/terminal.ts";
import { validateCommand } from "../../../src/faces/cli/validate.ts";
import { freshnessLevels } from "../../../src/model/states.ts";
import { statusFile } from "../../../src/model/status-file.ts";
import { aDay, anHour } from "../../../src/model/time.ts";
import type { Settings } from "../../../src/wire/settings.ts";
import { linesOut } from "../../support/lines-out.ts";
import { type Answer, type LocalWeb, openWeb, page, prose } from "./add/web.ts";

/** What every command answers with `--json`: valid under the published schema, and in one dialect. */

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const schema = answersSchema();
const validate = ajv.compile(schema);

const report =
  "# Engines\n\nThe Big Engine has 128 GB of memory [1].\n\n## References\n\n1. Big Engine. http://docs.example/big\n2. Gone. http://docs.example/gone\n";
const sources = `report: { title: Engines, audited: 2026-05-16, text: report.md }
levels: [Low, High]
ratings: { big/memory: High }
sources:
  spec:
    page: http://docs.example/big
    title: Big Engine
    cites: [1]
    claims: { memory: { says: It has 128 GB of memory, value: 128 GB, ratings: [big/memory] } }
  wall: { page: http://docs.example/wall }
`;
const trigger = "name: Big\nratings: [big/memory]\non:\n  - { change: spec }\n  - { silence: wall, for: 400d }\n";
const engine = (memory: string) =>
  page(
    "Big Engine",
    "",
    `<h1>Big Engine</h1>${prose("engines", 20)}<h2>Memory</h2><p>The Big Engine has ${memory} of memory.</p>`,
  );
const web: Record<string, Answer> = {
  "docs.example/big": engine("128 GB"),
  "docs.example/wall": { status: 403, body: "no" },
  "docs.example/new": page("Small Wheels", "", `<h1>Small Wheels</h1>${prose("wheels", 20)}`),
};

let local: LocalWeb;
const folder = mkdtempSync(join(tmpdir(), "recheck-answers-"));
const at = (path: string) => join(folder, path);
const begin = Date.UTC(2026, 10, 1);
const clock = { at: begin, now: () => clock.at };

function settings(changed: Partial<Settings> = {}): Settings {
  const fetch = { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => local.origin, pause: 0 };
  return { config: folder, data: at("data"), clock, fetch, ...changed };
}

beforeAll(async () => {
  local = await openWeb(web);
  mkdirSync(at("triggers"));
  mkdirSync(at("empty"));
  for (const [name, text] of [
    ["report.md", report],
    ["sources.yaml", sources],
    ["triggers/big.yaml", trigger],
    ["refs.bib", "@misc{new, title={Small Wheels}, url={http://docs.example/new}}\n"],
  ] as const) {
    writeFileSync(at(name), text);
  }
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
});
afterAll(async () => {
  await local.close();
  rmSync(folder, { recursive: true });
});

/** The answer, once it is sure that it is one. */
async function answerOf(run: (out: Terminal) => Promise<number>): Promise<Record<string, unknown>> {
  const { out, lines } = linesOut(() => {});
  await run(out);
  const said = JSON.parse(lines.join("\n"));
  expect(validate(said), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  expect(oddIn(said)).toEqual([]);
  return said;
}

/** Instants that are no RFC 3339, and states under another name. */
function oddIn(value: unknown, path = ""): string[] {
  if (typeof value === "number") return value > 1e11 ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const isLevel = (freshnessLevels as readonly unknown[]).includes(one);
    const isOdd =
      (name === "freshness" && !isLevel) ||
      (name === "level" && isLevel) ||
      (name === "status" && typeof one === "string");
    return [...(isOdd ? [`${path}/${name}`] : []), ...oddIn(one, `${path}/${name}`)];
  });
}

const json = true;

test("scans, and their stored results", async () => {
  await answerOf((out) => scanCommand(settings(), { json }, out));
  web["docs.example/big"] = engine("96 GB");
  clock.at += 2 * aDay;
  const once = await answerOf((out) => scanCommand(settings(), { json }, out));
  expect(once).toMatchObject({ status: { waiting: [{ source: "spec" }] } });
  expect(await answerOf((out) => explainCommand("spec", settings(), { json }, out))).toMatchObject({
    stories: [{ kind: "source", waiting: [{ secondCheck: expect.stringMatching(/^2026-11-03T/) }] }],
  });
  clock.at += 7 * anHour;
  expect(await answerOf((out) => scanCommand(settings(), { json }, out))).toMatchObject({
    command: "scan",
    scan: {
      started: "2026-11-03T07:00:00.000Z",
      firings: [{ weight: "contrary" }],
    },
    status: { ratings: [{ id: "big/memory", level: "High", state: "outdated", reason: "in doubt" }] },
  });
  const stands = await answerOf((out) => statusCommand(settings(), { json }, out));
  expect(stands).toMatchObject({
    command: "status",
    claims: [{ id: "spec/memory", state: "outdated", reason: "altered" }],
    references: [{ number: 1, page: "references.html#ref-1" }],
    unseen: [{ source: "wall", trouble: { since: "2026-11-01T00:00:00.000Z" } }],
  });
  // As it is published.
  expect(statusFile.parse(stands).ratings).toEqual(stands.ratings);
  expect(await answerOf((out) => statusCommand(settings(), { json, rating: "big/memory" }, out))).toHaveProperty(
    "ratings.length",
    1,
  );
  for (const name of ["big/memory", "spec", "big"]) {
    expect(await answerOf((out) => explainCommand(name, settings(), { json }, out))).toHaveProperty(
      "stories.length",
      1,
    );
  }
  expect(await answerOf((out) => publishCommand(settings(), { json, out: at("site") }, out))).toMatchObject({
    written: expect.arrayContaining(["digests.html", "status.json"]),
  });
  expect(await answerOf((out) => backtestCommand(settings(), { json, since: "2026-05-16" }, out))).toHaveProperty(
    "firings",
  );
  writeFileSync(at("other.yaml"), trigger.replace("change: spec", "change: spec, under: Nothing"));
  const differs = await answerOf((out) =>
    backtestCommand(settings(), { json, since: "2026-05-16", trigger: at("other.yaml") }, out),
  );
  expect(differs).toMatchObject({
    command: "backtest",
    came: expect.any(Array),
    rechecks: { came: expect.any(Number) },
  });
});

test("the content of a config and a report", async () => {
  expect(await answerOf((out) => validateCommand(folder, { json }, out))).toMatchObject({ problems: [] });
  writeFileSync(at("empty/sources.yaml"), "report: { titel: X }\n");
  const { problems } = await answerOf((out) => validateCommand(at("empty"), { json }, out));
  expect(problems).toMatchObject([{ file: "sources.yaml", line: 1 }, { suggestion: "title" }]);
  expect(await answerOf((out) => auditCommand([at("report.md")], settings(), { json }, out))).toMatchObject({
    at: new Date(clock.at).toISOString(),
    // The page says something else by now, as the tests before saw.
    findings: [
      { kind: "unsupported", numbers: [1] },
      { kind: "gone", numbers: [2] },
    ],
  });
  expect(await answerOf((out) => claimsCommand(undefined, settings(), { json }, out))).toMatchObject({
    command: "claims",
  });
  writeFileSync(at("report.md"), report.replace("128 GB", "512 GB"));
  expect(await answerOf((out) => checkCommand(undefined, settings(), { json, since: "HEAD" }, out))).toMatchObject({
    sentences: 1,
  });
  const drafted = at("drafted");
  mkdirSync(drafted);
  expect(
    await answerOf((out) => initCommand(at("report.md"), settings({ config: drafted }), { json }, out)),
  ).toMatchObject({
    command: "init",
    found: { audited: expect.stringMatching(/T.*Z$/) },
  });
  expect(
    await answerOf((out) => addCommand("http://docs.example/new", settings(), { json, dryRun: true }, out)),
  ).toMatchObject({
    proposal: { kind: "page" },
  });
  expect(await answerOf((out) => addCommand("http://docs.example/no", settings(), { json }, out))).toHaveProperty(
    "refused.says",
  );
  expect(await answerOf((out) => addCommand(at("refs.bib"), settings(), { json, dryRun: true }, out))).toMatchObject({
    added: [{ line: 1 }],
  });
});

test("changes of the store", async () => {
  const copy = at("copy");
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(await answerOf((out) => backupCommand(copy, settings(), { json }, out))).toEqual({
    ...{ command: "backup", file: copy, bytes: expect.any(Number), sha256: digest },
  });
  expect(await answerOf((out) => restoreCommand(copy, settings(), { json }, out))).toMatchObject({
    ...{ command: "restore", file: copy, store: at("data/recheck.sqlite"), sha256: digest, kept: expect.any(String) },
  });
  const moved = await answerOf((out) => moveCommand({ to: at("moved"), json }, settings(), out));
  expect(moved).toMatchObject({ command: "move", from: at("data"), to: at("moved") });
  const erased = await answerOf((out) =>
    eraseCommand({ ...settings(), data: at("moved") }, { person: "octocat", yes: true, json }, out),
  );
  expect(erased).toEqual({ command: "erase", subject: "octocat", erased: false });
  expect(moved.tables).toContainEqual({ table: "watch", rows: 2, digest });
  const examined = await answerOf((out) => doctorCommand(settings({ data: at("none") }), { json }, out));
  expect(examined).toMatchObject({
    ...{ command: "doctor", left: 1 },
    examined: [
      { of: "config", findings: [] },
      { of: "store", findings: [{ says: expect.any(String) }] },
    ],
  });
});

test("the repositories of a server", async () => {
  const { close } = await openStore(join(at("data"), "recheck.db"));
  await close();
  expect(await answerOf((out) => servedCommand(settings(), { json }, out))).toEqual({
    command: "status",
    repositories: [],
    putAside: [],
  });
});

test("the schema is what npm run schema writes, and each answer names its command", () => {
  const file = new URL("../../../answers.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(schema)));
  const commands = schema.anyOf.map(({ $ref }) => {
    const { properties } = schema.$defs[$ref.slice("#/$defs/".length)] as {
      properties: { command: { const: string } };
    };
    return properties.command.const;
  });
  expect(new Set(commands).size).toBe(17);
});
