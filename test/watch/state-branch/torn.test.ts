import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StateProblem } from "../../../src/model/ports/index.ts";
import { markOf } from "../../../src/recheck/issue/marker.ts";
import type { StateBranch } from "../../../src/watch/state-branch/files.ts";
import { take } from "../../../src/watch/state-branch/index.ts";
import { wireState } from "../../../src/wire/stores.ts";
import { branch, lock, type Report, startReport } from "./workflow.ts";

let report: Report;
beforeAll(async () => {
  report = await startReport("alpha", "beta");
});
afterAll(() => report.close());

const hour = 3_600_000;

/** What nobody sees until a branch leads to it. */
const isUnseen = (address: string): boolean => /\/git\/(?:blobs|trees|commits)$/.test(address);

/** GitHub as a run sees it that dies when its `last` write that others see has arrived: the same as before the one after. */
function dying(last: number): { fetch: typeof fetch; isDead: () => boolean } {
  let writes = 0;
  const dead = () => new TypeError("fetch failed");
  return {
    isDead: () => writes >= last,
    fetch: async (input, init) => {
      const isWrite = (init?.method ?? "GET") !== "GET" && !isUnseen(String(input));
      if (writes >= last) throw dead();
      if (isWrite) writes++;
      if (writes < last) return await fetch(input, init);
      await fetch(input, init);
      throw dead();
    },
  };
}

describe("a run that dies at any of its writes", () => {
  const now = Date.now();
  let round = 0;
  const at = (hours: number) => () => now + (round * 4 + hours) * hour;

  /** One issue for each trigger is open; every entry is told of in one issue, and where it is contrary by its first body or one comment. */
  async function expectToldOnce(entries: readonly string[], joins: boolean): Promise<void> {
    const issues = await report.issues();
    const open = issues.filter(({ state }) => state === "open").map(({ body }) => markOf(body)?.trigger);
    expect(open.sort()).toEqual(["alpha", "beta"]);
    const comments: string[] = [];
    for (const { number } of issues) {
      const path = `/issues/${number}/comments?per_page=100`;
      comments.push(...(await report.github.asPerson<{ body: string }[]>("GET", path)).map(({ body }) => body));
    }
    for (const entry of entries) {
      const telling = issues.filter(({ body }) => markOf(body)?.events.some((key) => key.includes(entry)));
      expect([entry, telling.length]).toEqual([entry, 1]);
      const times = comments.filter((body) => body.includes(entry)).length;
      expect([entry, times]).toEqual([entry, joins && entry.includes("beta") ? 1 : 0]);
    }
  }

  test.each([
    ["new issues to open", true],
    ["comments to write", false],
  ])("with %s, leaves nothing that the next one does not set right", async (_, closes) => {
    round++;
    for (const source of ["alpha", "beta"]) report.lists.add(source, `first-${round}`);
    expect((await report.run({ at: at(0) })).code).toBe(0);
    const entries: string[] = [];
    for (let last = 1; last < 40; last++) {
      round++;
      if (closes) {
        for (const { number, state } of await report.issues()) {
          if (state === "open") await report.github.asPerson("PATCH", `/issues/${number}`, { state: "closed" });
        }
      }
      for (const source of ["alpha", "beta"]) {
        const entry = `entry-${source}-${round}-end`;
        report.lists.add(source, entry, source === "beta");
        entries.push(entry);
      }
      const torn = dying(last);
      await report.run({ at: at(1), fetch: torn.fetch });
      expect((await report.run({ at: at(2) })).code).toBe(0);
      await expectToldOnce(entries, !closes);
      expect(await report.commits(lock)).toEqual([]);
      if (!torn.isDead()) return;
    }
    throw new Error("no run came to its end");
  });
});

describe("of two that want the lock", () => {
  async function stateBranch(run: number, from = Date.now()): Promise<StateBranch & { said: string[] }> {
    const said: string[] = [];
    let now = from;
    const { RECHECK_DATA: data = "" } = report.environment();
    const clock = { now: () => now };
    const {
      github: { repo, token, url, fetch },
    } = report;
    const settings = { config: report.folder, data, repo, auth: { token }, githubApi: url, clock, fetch: {} };
    const wired = await wireState(
      { ...settings, github: { patience: false, fetch }, run: { id: String(run), attempt: 1 } },
      branch,
      (one) => said.push(one),
    );
    const wait = async (duration: number): Promise<void> => {
      now += duration;
    };
    return { ...wired, said, wait };
  }

  test("at the same moment one gets it; the other waits ten minutes, and says why it waited", async () => {
    const both = [await stateBranch(1), await stateBranch(2)];
    const ended = await Promise.allSettled(both.map((one) => take(one)));
    const won = ended.findIndex(({ status }) => status === "fulfilled");
    const lost = ended[1 - won];
    expect(lost).toMatchObject({ status: "rejected", reason: expect.any(StateProblem) });
    const says = `run ${won + 1} has locked the store on recheck-state, until`;
    expect(lost?.status === "rejected" && lost.reason.message).toMatch(
      new RegExp(`^${says} [-\\d]+ [:\\d]+ UTC at the latest: nothing was checked; the next run goes on$`),
    );
    expect(both[1 - won]?.said).toEqual([expect.stringMatching(/; waiting for it$/)]);
    const [winner] = ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await winner?.letGo();
    expect(await report.commits(lock)).toEqual([]);
  });

  test("if a machine's clock is a year ahead, nobody waits for a year without a message", async () => {
    await take(await stateBranch(8, Date.now() + 365 * 24 * hour));
    await expect(take(await stateBranch(9))).rejects.toThrow(
      /at the latest: nothing was checked; a clock is wrong: delete the branch recheck-state-lock if no run is under way$/,
    );
    await report.move(lock);
  });

  test("of a run that died, one takes it over", async () => {
    await take(await stateBranch(3));
    const later = Date.now() + hour;
    const ended = await Promise.allSettled([take(await stateBranch(4, later)), take(await stateBranch(5, later))]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const one of ended) if (one.status === "fulfilled") await one.value.letGo();
    expect(await report.commits(lock)).toEqual([]);
  });

  test("a run that has had it for too long gives nothing back, and does not delete the next one's lock", async () => {
    const slow = await stateBranch(6);
    const taken = await take(slow);
    await slow.wait(hour);
    const next = await take(await stateBranch(7, slow.clock.now()));
    const before = await report.commits(branch);
    await expect(taken.journal()).rejects.toThrow(/has exceeded its time on the branch recheck-state/);
    await slow.archive.unpack(await packOfOther());
    await expect(taken.giveBack()).rejects.toThrow(/has exceeded its time on the branch recheck-state/);
    await taken.letGo();
    expect(await report.commits(branch)).toEqual(before);
    expect(await report.commits(lock)).not.toEqual([]);
    await next.letGo();
    expect(await report.commits(lock)).toEqual([]);
  });

  /** Something else to remember. */
  async function packOfOther() {
    const data = report.environment().RECHECK_DATA ?? "";
    report.lists.add("alpha", "other");
    await report.run({ data, plain: true });
    const {
      github: { repo, token },
    } = report;
    const settings = { config: "", data, repo, auth: { token }, clock: { now: Date.now }, fetch: {} };
    return await (await wireState(settings, branch, () => {})).archive.pack();
  }
});
