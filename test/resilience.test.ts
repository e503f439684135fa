import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type LocalGitHub, startGitHub } from "../demo/github.ts";
import { scanCommand } from "../src/faces/cli/scan.ts";
import { settingsFrom } from "../src/faces/environment.ts";
import { markOf } from "../src/recheck/marker.ts";
import { sync } from "../src/recheck/sync.ts";
import { scan } from "../src/scan.ts";
import { type Program, wire } from "../src/wire.ts";
import { start } from "./child.ts";
import { violations } from "./github/openapi.ts";
import { type Lists, startLists } from "./lists.ts";

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function listsOf(...sources: string[]): Promise<{ lists: Lists; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-resilience-"));
  const lists = await startLists(...sources);
  lists.configure(folder);
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => lists.close(),
  );
  return { lists, folder };
}

async function github(): Promise<LocalGitHub> {
  const local = await startGitHub();
  await local.asPerson("POST", "/labels", { name: "recheck", color: "0e8a16" });
  closing.push(() => local.close());
  return local;
}

const environment = (folder: string, local: LocalGitHub, data = "data") => ({
  RECHECK_DATA: join(folder, data),
  RECHECK_REPO: local.repo,
  RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
  GITHUB_API_URL: local.url,
  GITHUB_TOKEN: local.token,
});

/** The same program in this process, without pauses. */
function opened(folder: string, local: LocalGitHub, data?: string): Promise<Program> {
  const settings = settingsFrom(environment(folder, local, data), { config: folder });
  return wire({ ...settings, fetch: { ...settings.fetch, pause: 0 }, github: { patience: false } });
}

/** As two minutes later: what was sent before cannot arrive any more. */
async function passTime(folder: string, local: LocalGitHub): Promise<void> {
  const program = await opened(folder, local);
  const { store } = program.world;
  const earlier = (at: number) => ({ attempted: at - 120_000 });
  for (const { id, attempted } of await store.rechecks())
    if (attempted) await store.updateRecheck(id, earlier(attempted));
  for (const { id, attempted } of await store.comments(false))
    if (attempted) await store.updateComment(id, earlier(attempted));
  await program.close();
}

const scanning = (folder: string, env: Readonly<Record<string, string>>) =>
  start("src/faces/cli/main.ts", ["scan", "--all", "--config", folder], env);
const issuesOf = (local: LocalGitHub): Promise<{ number: number; title: string; body: string }[]> =>
  local.asPerson("GET", "/issues?state=all&per_page=100");
const commentsOf = async (local: LocalGitHub, issue: number): Promise<string[]> =>
  (await local.asPerson<{ body: string }[]>("GET", `/issues/${issue}/comments?per_page=100`)).map(({ body }) => body);

describe("kill -9 at any moment", () => {
  /** Numbers from 0 to 1 that are the same at every run. */
  function chance(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  const sources = ["alpha", "beta", "gamma"];
  /** What happens in a round, and when the process that sees it is killed. */
  const rounds: readonly { adds: readonly string[]; kill: "creation" | "edit" | "comment" | "look" | "time" }[] = [
    { adds: ["alpha"], kill: "creation" },
    { adds: ["alpha"], kill: "look" },
    { adds: ["alpha!"], kill: "time" },
    { adds: ["beta!"], kill: "creation" },
    { adds: ["beta"], kill: "time" },
    { adds: ["alpha"], kill: "edit" },
    { adds: ["alpha!"], kill: "comment" },
    { adds: ["beta"], kill: "look" },
    { adds: ["gamma", "alpha"], kill: "creation" },
    { adds: ["gamma!"], kill: "comment" },
    { adds: ["gamma", "beta"], kill: "time" },
    { adds: ["alpha", "beta", "gamma"], kill: "look" },
    { adds: ["beta!"], kill: "edit" },
    { adds: ["gamma"], kill: "time" },
    { adds: ["alpha"], kill: "edit" },
    { adds: ["gamma!", "alpha!"], kill: "time" },
  ];
  const writes = { creation: /^POST .*\/issues$/, edit: /^PATCH /, comment: /^POST .*\/comments$/ };

  test("nothing is lost and nothing told twice", { timeout: 180_000 }, async () => {
    const random = chance(20_260_516);
    const { lists, folder } = await listsOf(...sources);
    const torn = await github();
    const whole = await github();
    const undisturbed = await opened(folder, whole, "whole");
    const look = async (program: Program) => {
      await scan(program.world, { all: true });
      return await sync({ ...program.outbox, cap: 1_000 });
    };
    await look(undisturbed);

    let killed = 0;
    let startup = 400;
    for (const [index, { adds, kill }] of rounds.entries()) {
      for (const add of adds) lists.add(add.replace("!", ""), `entry ${index}`, add.endsWith("!"));
      const written = torn.requests.length;
      const looked = lists.asked.length;
      const begun = performance.now();
      if (kill in writes) torn.fault({ match: writes[kill as keyof typeof writes], when: "after", hold: 1_000 });
      const child = scanning(folder, environment(folder, torn));
      let isOver = false;
      void child.ended.then(() => (isOver = true));
      const moment = startup * (0.5 + random());
      const isDue = (): boolean => {
        if (kill === "time") return performance.now() - begun > moment;
        if (kill === "look") return lists.asked.length > looked + Math.floor(random() * 2);
        return torn.requests.slice(written).some(({ method, path }) => writes[kill].test(`${method} ${path}`));
      };
      while (!isOver && !isDue()) await sleep(4);
      if (kill === "look") {
        startup = performance.now() - begun;
        await sleep(random() * 40);
      }
      killed += Number(child.process.kill("SIGKILL"));
      expect((await child.ended).err).toBe("");
      await passTime(folder, torn);
      await look(undisturbed);
    }
    expect(killed).toBeGreaterThanOrEqual(12);

    const after = await opened(folder, torn);
    await look(after);
    const writing = () => torn.requests.filter(({ method }) => method !== "GET").length;
    const before = writing();
    expect(await look(after)).toMatchObject({ opened: [], updated: [], commented: [], waiting: [], problems: [] });
    expect(writing()).toBe(before);

    const fired = async ({ world }: Program) =>
      (await world.store.firings())
        .map(({ trigger, event, weight, evidence }) => [trigger, event.key, weight, evidence.length].join(" "))
        .sort();
    const all = rounds.flatMap(({ adds }) => adds);
    expect(await fired(after)).toEqual(await fired(undisturbed));
    expect(await fired(after)).toHaveLength(all.length);
    expect(await after.world.store.comments(false)).toEqual([]);
    for (const [local, program] of [
      [torn, after],
      [whole, undisturbed],
    ] as const) {
      await expectToldOnce(local, program);
      expect(local.requests.flatMap(violations)).toEqual([]);
      await program.close();
    }
  });

  /** One issue for each trigger, which tells of all its firings; a contrary one is told of by its first body or one comment. */
  async function expectToldOnce(local: LocalGitHub, { world }: Program): Promise<void> {
    const issues = await issuesOf(local);
    expect(issues.map(({ body }) => markOf(body)?.trigger).sort()).toEqual(sources);
    const firings = await world.store.firings();
    const created = local.requests.filter(
      ({ method, path, status }) => method === "POST" && /\/issues$/.test(path) && status === 201,
    );
    expect(created).toHaveLength(sources.length);
    for (const { number, body } of issues) {
      const mark = markOf(body);
      const its = firings.filter(({ trigger }) => trigger === mark?.trigger);
      expect(mark?.events.toSorted()).toEqual(its.map(({ event }) => event.key).sort());
      const comments = await commentsOf(local, number);
      const first = created
        .map(({ body: sent }) => (sent as { body: string }).body)
        .find((text) => markOf(text)?.marker === mark?.marker);
      for (const { event, weight } of its) {
        const said = `*event:* \`${event.key.replaceAll("/", " ")}\``;
        const times = [first, ...comments].filter((text) => text?.includes(said)).length;
        if (weight === "contrary") expect([event.key, times]).toEqual([event.key, 1]);
        else expect(comments.join()).not.toContain(said);
      }
    }
  }
});

/** The whole `scan` command, in this process. */
async function scanned(folder: string, env: Readonly<Record<string, string>>): Promise<{ code: number; out: string }> {
  let out = "";
  const line = (text = ""): void => {
    out += `${text}\n`;
  };
  const terminal = { live: false, paint: (_: unknown, text: string) => text, line, aside: line };
  return { code: await scanCommand(settingsFrom(env, { config: folder }), {}, terminal), out };
}

test("`scan` says what people did with its issues", { timeout: 60_000 }, async () => {
  const { lists, folder } = await listsOf("alpha", "beta", "gamma");
  const local = await github();
  const env = environment(folder, local);
  for (const source of ["alpha", "beta", "gamma"]) lists.add(source, "one");
  expect(await scanned(folder, env)).toMatchObject({ code: 0, out: expect.stringMatching(/opened {3}#3 /) });
  await local.asPerson("PATCH", "/issues/1", { state: "closed" });
  await local.asPerson("PATCH", "/issues/2", { state: "closed" });
  local.fault({ match: /^GET .*\/issues\/2$/, status: 404, message: "Not Found", when: "before", times: 9 });
  rmSync(join(folder, "triggers", "gamma.yaml"));
  const second = await scanned(folder, env);
  expect(second.code).toBe(0);
  expect(second.out).toContain("  closed   #1 by a person: answered\n");
  expect(second.out).toContain("  gone     #2, deleted or moved elsewhere: taken as answered\n");
  expect(second.out).toContain("  left     #3 as it is: its trigger is no longer in triggers/\n");
  await local.asPerson("PATCH", "/issues/1", { state: "open" });
  expect((await scanned(folder, env)).out).toContain("  reopened #1 by a person: asked again\n");
  expect(local.requests.flatMap(violations)).toEqual([]);
});

describe("when GitHub does not do it, `scan`", () => {
  const lost = { when: "after" } as const;
  const refused = (status: number, message = "") => ({ status, message, when: "before" }) as const;

  test.concurrent.each([
    ["a 502 although it was opened", { ...lost, status: 502 }, undefined],
    ["a connection cut although it was opened", lost, undefined],
    ["a 502", refused(502), "GitHub could not open an issue (502)"],
    ["a connection cut before", { when: "before" } as const, "no answer from GitHub when asked to open an issue"],
    ["401", refused(401, "Bad credentials"), "GitHub does not accept the token or the App's key (401)"],
    [
      "403",
      refused(403, "Resource not accessible by personal access token"),
      'the token or App may not open an issue in example/report (403): it needs "issues: write"',
    ],
    ["404", refused(404, "Not Found"), "example/report is not there, or not open to this token or App (404)"],
    ["410", refused(410, "Issues are disabled for this repo"), "example/report has issues switched off (410)"],
    ["422", refused(422, "Validation Failed"), "GitHub refused to open an issue (422): Validation Failed"],
    ["500", refused(500), "GitHub could not open an issue (500)"],
  ] as const)("says so: %s; the next time exactly one issue is there", { timeout: 60_000 }, async (_, fault, says) => {
    const { lists, folder } = await listsOf("alpha");
    const local = await github();
    const env = environment(folder, local);
    lists.add("alpha", "one");
    local.fault({ match: /^POST .*\/issues$/, ...fault });
    const first = await scanned(folder, env);
    if (says === undefined) {
      expect(first.code).toBe(0);
      expect(first.out).toContain("opened   #1 ");
    } else {
      expect(first.code).toBe(4);
      expect(first.out).toContain(`  ✗ ${says}\n`);
      if (!says.includes("(422)")) expect(first.out).toContain(`  waits    issue of About alpha: ${says}\n`);
      expect(await issuesOf(local)).toEqual([]);
    }
    await passTime(folder, local);
    const second = await scanned(folder, env);
    expect(second.code).toBe(0);
    if (says !== undefined) expect(second.out).toContain("opened   #1 ");
    const issues = await issuesOf(local);
    expect(issues).toHaveLength(1);
    expect(markOf(issues[0]?.body ?? "")?.events).toEqual([expect.stringContaining("one")]);
    expect(local.requests.flatMap(violations)).toEqual([]);
  });

  test("says until when a limit holds", { timeout: 60_000 }, async () => {
    const { lists, folder } = await listsOf("alpha");
    const local = await github();
    lists.add("alpha", "one");
    const headers = { "retry-after": "60" };
    local.fault({ match: /^POST .*\/issues$/, status: 403, message: "secondary rate limit", headers, when: "before" });
    const { code, out, err } = await scanning(folder, environment(folder, local)).ended;
    expect({ code, err }).toEqual({ code: 4, err: "" });
    expect(out).toMatch(/✗ GitHub asks to slow down; to be resumed at \d{4}-\d\d-\d\dT[\d:.]+Z\n/);
    expect(await issuesOf(local)).toEqual([]);
  });
});
