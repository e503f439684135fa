import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { markOf } from "../../src/recheck/issue/marker.ts";
import { sync } from "../../src/recheck/sync.ts";
import { scan } from "../../src/watch/scan.ts";
import type { Program } from "../../src/wire/program.ts";
import { violations } from "../github/openapi.ts";
import type { LocalGitHub } from "../github/server.ts";
import { chance } from "../support/chance.ts";
import { start } from "../support/child.ts";
import { program } from "../support/program.ts";
import { closeAll, environment, github, issuesOf, listsOf, opened, passTime } from "./ground.ts";

afterAll(closeAll);

const scanning = (folder: string, env: Readonly<Record<string, string>>) => start(program().scanChild, [folder], env);
const commentsOf = async (local: LocalGitHub, issue: number): Promise<string[]> =>
  (await local.asPerson<{ body: string }[]>("GET", `/issues/${issue}/comments?per_page=100`)).map(({ body }) => body);

describe("kill -9 at any moment", () => {
  const sources = ["alpha", "beta", "gamma"];
  /** What happens in a round, and when the process that sees it is killed. */
  const rounds: readonly { adds: readonly string[]; kill: "creation" | "edit" | "comment" | "check" | "time" }[] = [
    { adds: ["alpha"], kill: "creation" },
    { adds: ["alpha"], kill: "check" },
    { adds: ["alpha!"], kill: "time" },
    { adds: ["beta!"], kill: "creation" },
    { adds: ["beta"], kill: "time" },
    { adds: ["alpha"], kill: "edit" },
    { adds: ["alpha!"], kill: "comment" },
    { adds: ["beta"], kill: "check" },
    { adds: ["gamma", "alpha"], kill: "creation" },
    { adds: ["gamma!"], kill: "comment" },
    { adds: ["gamma", "beta"], kill: "time" },
    { adds: ["alpha", "beta", "gamma"], kill: "check" },
    { adds: ["beta!"], kill: "edit" },
    { adds: ["gamma"], kill: "time" },
    { adds: ["alpha"], kill: "edit" },
    { adds: ["gamma!", "alpha!"], kill: "time" },
  ];
  const writes = { creation: /^POST .*\/issues$/, edit: /^PATCH /, comment: /^POST .*\/comments$/ };

  test("nothing is lost and nothing reported twice", async () => {
    const random = chance(20_260_516);
    const { lists, folder } = await listsOf(...sources);
    const torn = await github();
    const whole = await github();
    const undisturbed = await opened(folder, whole, "whole");
    const check = async (program: Program) => {
      await scan(program.world, { all: true });
      return await sync({ ...program.outbox, cap: 1_000 });
    };
    await check(undisturbed);

    let diedElsewhere = 0;
    let startup = 400;
    for (const [index, { adds, kill }] of rounds.entries()) {
      for (const add of adds) lists.add(add.replace("!", ""), `entry ${index}`, add.endsWith("!"));
      const written = torn.requests.length;
      const checked = lists.asked.length;
      const begun = performance.now();
      if (kill in writes)
        torn.fault({ match: writes[kill as keyof typeof writes], when: "after", hold: "until-mended" });
      const child = scanning(folder, environment(folder, torn));
      let isOver = false;
      void child.ended.then(() => (isOver = true));
      const moment = startup * (0.5 + random());
      const isDue = (): boolean => {
        if (kill === "time") return performance.now() - begun > moment;
        if (kill === "check") return lists.asked.length > checked + Math.floor(random() * 2);
        return torn.requests.slice(written).some(({ method, path }) => writes[kill].test(`${method} ${path}`));
      };
      while (!isOver && !isDue()) await sleep(4);
      if (kill === "check") {
        startup = performance.now() - begun;
        await sleep(random() * 40);
      }
      const died = child.process.kill("SIGKILL");
      if (kill in writes) expect([index, died]).toEqual([index, true]);
      else diedElsewhere += Number(died);
      expect((await child.ended).err).toBe("");
      torn.mend();
      await passTime(folder, torn);
      await check(undisturbed);
    }
    expect(diedElsewhere).toBeGreaterThan(0);

    const after = await opened(folder, torn);
    await check(after);
    const writing = () => torn.requests.filter(({ method }) => method !== "GET").length;
    const before = writing();
    expect(await check(after)).toMatchObject({ opened: [], updated: [], commented: [], waiting: [], problems: [] });
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

  /** Keys of the events that a comment of ours names in its hidden line. */
  function toldIn(comment: string): string[] {
    const [, keys = "[]"] = /<!-- recheck:tells (\[.*\]) -->/.exec(comment) ?? [];
    return JSON.parse(keys);
  }

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
        const isTold = markOf(first ?? "")?.events.includes(event.key) ? 1 : 0;
        const said = comments.filter((text) => toldIn(text).includes(event.key)).length;
        if (weight === "contrary") expect([event.key, isTold + said]).toEqual([event.key, 1]);
        else expect([event.key, said]).toEqual([event.key, 0]);
      }
    }
  }
});
