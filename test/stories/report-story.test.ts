import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { publish } from "../../src/publish/index.ts";
import { sync } from "../../src/recheck/sync.ts";
import { status } from "../../src/status/status.ts";
import { scan } from "../../src/watch/scan.ts";
import { editionFrom, wire } from "../../src/wire/program.ts";
import type { Settings } from "../../src/wire/settings.ts";
import { type LocalGitHub, startGitHub } from "../github/server.ts";

/** Two reports, each with a Recheck and a GitHub of its own: the second rests on what the first publishes. */

const hour = 3_600_000;
const day = 24 * hour;
const folders = mkdtempSync(join(tmpdir(), "recheck-reports-"));
/** What the loopback web serves, by path. */
const web = new Map<string, string>();
const server = createServer((request, response) => {
  const body = web.get(request.url ?? "");
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body);
});
let base = "";
let now = 0;
let upstream: Report;
let team: Report;

interface Report {
  readonly github: LocalGitHub;
  readonly settings: Settings;
  write(file: string, text: string): void;
  /** One run: checks what is due, and brings its GitHub up to date. */
  run(): ReturnType<typeof scan>;
  issues(): Promise<{ number: number; title: string; body: string; state: string }[]>;
  comments(issue: number): Promise<{ body: string }[]>;
}

async function reportOf(name: string): Promise<Report> {
  const folder = join(folders, `${name}-${now}`);
  mkdirSync(join(folder, "triggers"), { recursive: true });
  const github = await startGitHub({ repo: `example/${name}` });
  const settings: Settings = {
    config: folder,
    data: join(folder, "data"),
    repo: github.repo,
    auth: { token: github.token },
    githubApi: github.url,
    clock: { now: () => now },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
    github: { patience: false, fetch: github.fetch },
  };
  return {
    github,
    settings,
    write: (file, text) => writeFileSync(join(folder, file), text),
    async run() {
      const program = await wire(settings);
      try {
        const done = await scan(program.world);
        await sync({ ...program.outbox, github: program.github });
        return done;
      } finally {
        await program.close();
      }
    },
    issues: () => github.asPerson("GET", "/issues?state=all&direction=asc"),
    comments: (issue) => github.asPerson("GET", `/issues/${issue}/comments`),
  };
}

const upstreamConfig = (rating: string) => `report: { title: State of engines, audited: 2026-05-16 }
levels: [Low, Medium, High]
axes: [platform, area]
names: { tpu: Google TPU, maturity: Maturity }
ratings: { tpu/maturity: ${rating} }
sources:
  torchtpu: { title: TorchTPU, json: "${base}/facts.json", facts: { public: public }, every: 20h }
`;
const trigger = `name: TPU
ratings: [tpu/maturity]
on:
  - { fact: torchtpu, name: public, becomes: "yes", awaited: true }
`;

/** The six lines of the README, with the address of this machine and a rating of the team's own. */
function sixLines(): string {
  const readme = readFileSync(join(import.meta.dirname, "..", "..", "docs", "sources.md"), "utf8");
  const block =
    /^## Reports that rest on reports\n[\s\S]*?^```yaml\n# sources.yaml\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";
  expect(block.trimEnd().split("\n")).toHaveLength(6);
  expect(block).toContain("report: https://tunguz.github.io/PyTorch_Hardware_May_2026/recheck/\n");
  return block
    .replace("https://tunguz.github.io/PyTorch_Hardware_May_2026/recheck/", `${base}/report/`)
    .replace("is: Medium,", "is: Medium, ratings: [cluster],");
}

const teamConfig = () => `report: { title: Which cluster we buy, audited: 2026-06-01 }
ratings: { cluster: no TPUs yet }
${sixLines()}`;

/** Upstream checks, and publishes where the team checks. */
async function upstreamDay(): Promise<void> {
  await upstream.run();
  web.set("/report/status.json", publish(await editionFrom(upstream.settings)).get("status.json") ?? "");
}

/** Of the team: what of its one source the newest check said. */
const checked = async () => (await team.run()).checks.map(({ outcome, failure }) => failure?.says ?? outcome);

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  now = Date.UTC(2026, 8, 1, 6);
  [upstream, team] = await Promise.all([reportOf("engines"), reportOf("team")]);
  web.set("/facts.json", '{ "public": false }');
  upstream.write("sources.yaml", upstreamConfig("Medium"));
  upstream.write("triggers/tpu.yaml", trigger);
  team.write("sources.yaml", teamConfig());
});

afterEach(async () => {
  await Promise.all([upstream.github.close(), team.github.close()]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folders, { recursive: true });
});

test("a rating that is in doubt there is asked about here, and so is another level", async () => {
  await upstreamDay();
  expect(await checked()).toEqual(["first"]);
  expect(await team.issues()).toEqual([]);

  // Upstream checks again and again: what it publishes is another file each time, and no news.
  for (let i = 0; i < 3; i++) {
    now += day;
    await upstreamDay();
    expect(await checked()).toEqual(["unchanged"]);
  }
  expect(await team.issues()).toEqual([]);

  // What upstream waited for has come.
  web.set("/facts.json", '{ "public": true }');
  now += day;
  await upstreamDay();
  expect((await upstream.issues()).map(({ title }) => title)).toEqual([
    "TorchTPU: public no → yes; is “TPU” still right?",
  ]);
  expect(await checked()).toEqual(["changed"]);
  const [asked, ...others] = await team.issues();
  expect(others).toEqual([]);
  expect(asked?.title).toBe("hardware: tpu/maturity is in doubt; is “Claims” still right?");
  const shown = asked?.body.replaceAll(base, "") ?? "";
  expect(shown).toContain("“TPUs are of Medium maturity”. `hardware`: tpu/maturity is in doubt (since 2026-09-05).");
  expect(shown).toContain("[open](/report/)");
  expect(shown).toContain("- tpu/maturity freshness: fresh\n+ tpu/maturity freshness: in doubt\n");
  expect(shown).toContain("**Is this rating still right?** cluster **no TPUs yet**");

  // It stays so there: nothing is said again.
  now += day;
  await upstreamDay();
  expect(await checked()).toEqual(["unchanged"]);
  expect(await team.comments(1)).toEqual([]);

  // Upstream answers with another level: that is news, in the same issue.
  await upstream.github.asPerson("PATCH", "/issues/1", { state: "closed" });
  upstream.write("sources.yaml", upstreamConfig("{ level: High, reviewed: 2026-09-07 }"));
  now += day;
  await upstreamDay();
  expect(JSON.parse(web.get("/report/status.json") ?? "").ratings).toMatchObject([
    { level: "High", state: "up to date" },
  ]);
  expect(await checked()).toEqual(["changed"]);
  const [comment, ...more] = await team.comments(1);
  expect(more).toEqual([]);
  expect(comment?.body).toContain("“TPUs are of Medium maturity”** · seen 2026-09-07");
  expect(comment?.body).toContain("- tpu/maturity: Medium\n+ tpu/maturity: High\n");
  const [told, ...none] = await team.issues();
  expect(none).toEqual([]);
  expect(told?.body).toContain("“TPUs are of Medium maturity”; `hardware` has said something else since 2026-09-07.");

  // The team answers, and says so in its own file: what is there now is what it rests on.
  await team.github.asPerson("PATCH", "/issues/1", { state: "closed" });
  team.write("sources.yaml", teamConfig().replaceAll("Medium", "High"));
  now += day;
  await upstreamDay();
  expect(await checked()).toEqual(["unchanged"]);
  expect(await team.issues()).toHaveLength(1);
  expect(await standing()).toEqual(["fresh"]);
});

/** How the team's rating stands. */
async function standing(): Promise<string[]> {
  const program = await wire(team.settings);
  try {
    return (await status(program.world.config, program.world.store, now)).ratings.map(({ level }) => level);
  } finally {
    await program.close();
  }
}

test("a citation that was in doubt before the team began is asked about at the first check", async () => {
  await upstreamDay();
  web.set("/facts.json", '{ "public": true }');
  now += day;
  await upstreamDay();
  expect(await checked()).toEqual(["first"]);
  expect((await team.issues()).map(({ title }) => title)).toEqual([
    "hardware: tpu/maturity is in doubt; is “Claims” still right?",
  ]);
  now += day;
  await upstreamDay();
  expect(await checked()).toEqual(["unchanged"]);
});

test("an answer from there holds here again, and is asked about when it is in doubt once more", async () => {
  const claim = async () =>
    JSON.parse(publish(await editionFrom(team.settings)).get("status.json") ?? "").claims[0].reason;
  await upstreamDay();
  await checked();
  web.set("/facts.json", '{ "public": true }');
  now += day;
  await upstreamDay();
  await checked();
  expect(await claim()).toBe("contradicted");
  await upstream.github.asPerson("PATCH", "/issues/1", { state: "closed" });
  await team.github.asPerson("PATCH", "/issues/1", { state: "closed" });
  now += day;
  await upstreamDay();
  await checked();
  expect(await claim()).toBe("supported");
  expect(await team.issues()).toHaveLength(1);

  for (const [after, value] of [
    [10, false],
    [10, true],
  ] as const) {
    web.set("/facts.json", `{ "public": ${value} }`);
    now += after * day;
    await upstreamDay();
    await checked();
  }
  const [, again, ...none] = await team.issues();
  expect(none).toEqual([]);
  expect(again).toMatchObject({ title: "hardware: tpu/maturity is in doubt; is “Claims” still right?", state: "open" });
});

test("a monitor that has stopped is no news, and nothing that anybody may rest on", async () => {
  await upstreamDay();
  expect(await checked()).toEqual(["first"]);
  const stopped = "that report's monitor has stopped: last check 2026-09-01";
  const seen: string[] = [];
  for (let i = 1; i <= 12; i++) {
    now += day;
    seen.push(...(await checked()));
    if (i === 8) expect(await standing()).toEqual(["fresh"]);
  }
  expect(seen[0]).toBe("unchanged");
  expect(new Set(seen.slice(1))).toEqual(new Set([stopped]));
  expect(await standing()).toEqual(["blind"]);
  expect(await team.issues()).toEqual([]);

  // It runs again.
  await upstreamDay();
  now += 7 * hour;
  expect(await checked()).toEqual(["unchanged"]);
  expect(await standing()).toEqual(["fresh"]);
});

test("a rating that no longer exists is asked about after a second check", async () => {
  await upstreamDay();
  await checked();
  upstream.write("sources.yaml", upstreamConfig("Medium").replaceAll("tpu/maturity", "tpu/age"));
  upstream.write("triggers/tpu.yaml", trigger.replaceAll("tpu/maturity", "tpu/age"));
  now += day;
  await upstreamDay();
  await checked();
  expect(await team.issues()).toEqual([]);
  now += 7 * hour;
  await checked();
  const [asked] = await team.issues();
  expect(asked?.title).toBe("hardware no longer supports “TPUs are of Medium maturity”");
  expect(asked?.body).toContain("- tpu/maturity: Medium\n");
});
