import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Auth } from "../../src/adapters/github/client.ts";
import { createGitHub } from "../../src/adapters/github/index.ts";
import { openStore } from "../../src/adapters/store/open.ts";
import type { Database } from "../../src/adapters/store/store.ts";
import type { Config, Trigger } from "../../src/model/config.ts";
import type { Firing } from "../../src/model/firing.ts";
import { type GitHub, GitHubProblem, isAsking, type Store } from "../../src/model/ports/index.ts";
import { replyMark } from "../../src/recheck/issue/comment.ts";
import type { Outbox, Synced } from "../../src/recheck/run.ts";
import { sync } from "../../src/recheck/sync.ts";
import { status, unansweredFirings } from "../../src/status/status.ts";
import { violations } from "../github/openapi.ts";
import { type LocalGitHub, startGitHub } from "../github/server.ts";
import { at, claimAltered, config, firing, madePublic, matrixChanged, mentioned, released } from "./samples.ts";

interface LocalIssue {
  readonly state: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly { name: string }[];
}

let local: LocalGitHub;
let database: Database;
let store: Store;
let now = 0;
const clock = { now: () => now };

beforeEach(async () => {
  now = at("2026-09-21T07:00:00Z");
  local = await startGitHub({ clock });
  database = await openStore(":memory:");
  store = database.repository(local.repo);
});

afterEach(async () => {
  const wrong = local.requests.flatMap(violations);
  await database.close();
  await local.close();
  expect(wrong).toEqual([]);
});

function github(auth: Auth = { token: local.token }): GitHub {
  return createGitHub({ repo: local.repo, auth, baseUrl: local.url, clock, patience: false });
}
const run = (more: Partial<Outbox> = {}): Promise<Synced> => sync({ config, store, clock, github: github(), ...more });
/** When nothing that was sent before can still arrive. */
const runLater = (): Promise<Synced> => {
  now += 600_000;
  return run();
};
const fire = (...firings: Firing[]): Promise<void> => store.commit((tx) => tx.fire(firings));
const issues = (state = "open"): Promise<LocalIssue[]> => local.asPerson("GET", `/issues?state=${state}&direction=asc`);
const issue = (number: number): Promise<LocalIssue> => local.asPerson("GET", `/issues/${number}`);
const comments = (number: number): Promise<{ body: string }[]> => local.asPerson("GET", `/issues/${number}/comments`);
const edit = (number: number, change: object): Promise<unknown> => local.asPerson("PATCH", `/issues/${number}`, change);
const sent = (method: string, path: RegExp): number =>
  local.requests.filter((request) => request.method === method && path.test(request.path)).length;
const opened = (): number => sent("POST", /\/issues$/);
const vector = (key: string, more: Partial<Firing> = {}): Firing => firing("vector", key, more);

describe("a firing becomes an issue", () => {
  test.each([
    ["a token", (): Auth => ({ token: local.token })],
    ["an installation of the App", (): Auth => ({ appId: local.app.id, privateKey: local.app.privateKey })],
  ])("with %s, which later evidence finds again", async (_, auth) => {
    await fire(released);
    const first = await run({ github: github(auth()) });
    expect(first.opened).toMatchObject([
      { trigger: "tensor", issue: 1, title: "Loom 2.13.0 released: is “Tensor” still right?" },
    ]);
    const [made] = await issues();
    expect(made?.labels.map(({ name }) => name).sort()).toEqual([
      "confidence: medium-high",
      "platform: tensor",
      "recheck",
      "volatility: high",
    ]);

    await fire(mentioned);
    const second = await run({ github: github(auth()) });
    expect(second).toMatchObject({ opened: [], updated: [1], commented: [] });
    expect((await issue(1)).body).toContain("a Loom post speaks of Tensor");
    // The newest event leads; its title follows.
    expect((await issue(1)).title).toBe("A Loom post speaks of Tensor: is “Tensor” still right?");
  });

  test("whose title follows the strongest event until a person gives it another", async () => {
    await fire(released);
    await run();
    await fire(madePublic);
    await run();
    expect((await issue(1)).title).toContain("became public: is “Tensor” still right?");
    expect((await issue(1)).title).not.toContain("2.13.0");
    await local.asPerson("PATCH", "/issues/1", { title: "Is it public at last?" });
    await fire(mentioned);
    expect(await run()).toMatchObject({ updated: [1] });
    expect((await issue(1)).title).toBe("Is it public at last?");
  });

  test("one for each trigger, and nothing is written again while nothing changes", async () => {
    await fire(released, vector("one"));
    await run();
    expect(await issues()).toHaveLength(2);
    const writes = () => local.requests.filter(({ method }) => method !== "GET").length;
    const before = writes();
    expect(await run()).toMatchObject({
      opened: [],
      updated: [],
      commented: [],
      closed: [],
      waiting: [],
      problems: [],
    });
    expect(writes()).toBe(before);
  });

  test("of a trigger that config no longer has waits in the outbox", async () => {
    await fire(released, firing("removed", "key"));
    await run();
    expect(await issues()).toHaveLength(1);
    expect((await store.firings()).find(({ trigger }) => trigger === "removed")?.recheck).toBeUndefined();
    const triggers = new Map([...config.triggers, ["removed", { ...config.triggers.get("vector"), id: "removed" }]]);
    await run({ config: { ...config, triggers } as Config });
    expect(await issues()).toHaveLength(2);
  });

  test("more evidence of the same event only updates the body", async () => {
    await fire({ ...released, evidence: released.evidence.slice(0, 1) });
    await run();
    await fire(released);
    expect(await run()).toMatchObject({ updated: [1], commented: [], opened: [] });
    expect((await issue(1)).body).toContain("Also seen in Loom blog");
  });
});

describe("a contrary firing that joins", () => {
  test("writes one comment, once, and sets the label", async () => {
    await fire(released);
    await run();
    await fire(madePublic, claimAltered, mentioned);
    expect(await run()).toMatchObject({ updated: [1], commented: [1] });
    await run();
    const written = await comments(1);
    expect(written).toHaveLength(1);
    expect(written[0]?.body).toContain("2 new events contradict the report, or the report waits for them:");
    expect(written[0]?.body).toContain("**2. `tensor-org/board_backend` became public**");
    expect(written[0]?.body).not.toContain("a Loom post speaks of Tensor");
    const { body, labels } = await issue(1);
    expect(labels.map(({ name }) => name)).toContain("contrary");
    expect(body.indexOf("became public")).toBeLessThan(body.indexOf("Loom 2.13.0 released"));
    const [, lead] = body.split("\n\n", 2);
    expect(lead).toMatch(/^\*\*Is this sentence still right\?\*\* “The new chip runs in the cluster service only/);
  });

  test.each([
    ["a 502 after it", { status: 502, when: "after" }, 1],
    ["a 502 before it", { status: 502, when: "before" }, 1],
    ["a cut connection after it", { when: "after" }, 1],
  ] as const)("is told exactly once with %s", async (_, fault, count) => {
    await fire(released);
    await run();
    await fire(madePublic);
    local.fault({ match: /^POST .*\/comments$/, ...fault });
    await run();
    await runLater();
    await run();
    expect(await comments(1)).toHaveLength(count);
    expect(await store.comments(false)).toEqual([]);
  });

  const contraryNow = { ...released, weight: "contrary", evidence: madePublic.evidence } as const;

  test.each([
    ["", undefined],
    [", though its body could not be written at first", { match: /^PATCH /, status: 503, when: "before" }],
    [", though the answer got lost", { match: /^POST .*\/comments$/, when: "after" }],
  ] as const)("as it had joined when it was routine, is told once, with its label%s", async (_, fault) => {
    await fire(released, mentioned);
    await run();
    if (fault) local.fault(fault);
    await fire(contraryNow);
    await run();
    await run();
    await fire(contraryNow);
    await run();
    const written = await comments(1);
    expect(written).toHaveLength(1);
    expect(written[0]?.body).toContain("An event that the report waits for was seen:");
    expect(written[0]?.body).toContain('<!-- recheck:tells ["loom 2.13.0"] -->');
    const { labels } = await issue(1);
    expect(labels.map(({ name }) => name)).toContain("contrary");
    expect(await store.comments(false)).toEqual([]);
  });

  test("after its issue was closed opens a new one: the answer was to something else", async () => {
    await fire(released);
    await run();
    await edit(1, { state: "closed" });
    await run();
    const asked = async () => unansweredFirings(await store.firings(), await store.rechecks()).length;
    expect(await asked()).toBe(0);
    await fire(contraryNow);
    expect(await asked()).toBe(1);
    expect((await run()).opened).toMatchObject([{ issue: 2 }]);
    expect(await asked()).toBe(1);
    expect((await issue(2)).body).toContain("Follows #1, closed on 2026-09-21.");
    await edit(2, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [2], opened: [] });
    expect(await run()).toMatchObject({ opened: [], updated: [] });
  });

  test("in a body that could not be written before its issue was closed is asked about anew", async () => {
    await fire(released, mentioned);
    await run();
    await fire(contraryNow);
    local.fault({ match: /^PATCH /, status: 503, when: "before" });
    await run();
    await edit(1, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [1], opened: [{ issue: 2 }] });
    expect(await comments(1)).toEqual([]);
    const { body } = await issue(2);
    expect(body).toContain("became public");
    expect(body).not.toContain("Running Loom");
  });

  test("needs no comment where the issue is not out yet", async () => {
    await fire(released);
    local.fault({ match: /^POST .*\/issues$/, status: 503, when: "before" });
    await run();
    await fire(madePublic);
    await runLater();
    expect(await issues()).toHaveLength(1);
    expect(await comments(1)).toEqual([]);
    expect((await issue(1)).body).toContain("became public");
  });
});

describe("labels", () => {
  const namesOf = async (number: number) => (await issue(number)).labels.map(({ name }) => name).sort();

  test("that come later are added; what people put on or take off stays so", async () => {
    await fire(vector("one"));
    await run();
    expect(await namesOf(1)).toEqual(["platform: vector", "recheck"]);
    await edit(1, { labels: ["recheck", "mine"] });
    await fire(vector("two"));
    expect(await run()).toMatchObject({ updated: [1] });
    expect(await namesOf(1)).toEqual(["mine", "recheck"]);
    await fire(vector("three", { weight: "contrary" }));
    expect(await run()).toMatchObject({ updated: [1], commented: [1] });
    expect(await namesOf(1)).toEqual(["contrary", "mine", "recheck"]);
    await edit(1, { labels: ["recheck", "mine"] });
    await fire(vector("four", { weight: "contrary" }));
    await run();
    expect(await namesOf(1)).toEqual(["mine", "recheck"]);
    expect(await comments(1)).toHaveLength(2);
  });

  test("of an issue that people took `recheck` off: it is still found, and still answered by a close", async () => {
    await fire(released);
    await run();
    await edit(1, { labels: [] });
    await fire(mentioned);
    expect(await run()).toMatchObject({ updated: [1], closed: [], gone: [] });
    await edit(1, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [1] });
  });

  test("that GitHub does not take once are added the next time", async () => {
    await fire(released);
    await run();
    await fire(madePublic);
    local.fault({ match: /^POST .*\/issues\/1\/labels$/, status: 500, when: "before" });
    expect((await run()).problems).toMatchObject([{ kind: "unavailable" }]);
    await run();
    expect(await namesOf(1)).toContain("contrary");
    expect(await comments(1)).toHaveLength(1);
  });
});

describe("exactly one issue", () => {
  test.each([
    ["a 502 after creation", { status: 502, when: "after" }, 1],
    ["a 502 before creation", { status: 502, when: "before" }, 2],
    ["a connection cut after creation", { when: "after" }, 1],
    ["a connection cut before creation", { when: "before" }, 2],
  ] as const)("after %s", async (_, fault, posts) => {
    await fire(released);
    local.fault({ match: /^POST .*\/issues$/, ...fault });
    const first = await run();
    expect(first.problems).toHaveLength(posts - 1);
    expect(first.waiting).toHaveLength(posts - 1);
    await runLater();
    await run();
    expect(await issues("all")).toHaveLength(1);
    expect(opened()).toBe(posts);
    expect((await store.rechecks())[0]?.issue).toBe(1);
  });

  test("when GitHub carries out a creation long after its answer was lost", async () => {
    await fire(released);
    const hub = github();
    let arrive = async (): Promise<unknown> => undefined;
    const createIssue: GitHub["createIssue"] = async (draft, sending) => {
      await sending?.();
      arrive = () => hub.createIssue(draft);
      throw new GitHubProblem("lost", "no answer");
    };
    expect(await run({ github: { ...hub, createIssue } })).toMatchObject({ opened: [], problems: [{ kind: "lost" }] });
    now += 90_000;
    const because = "GitHub may still carry out an earlier request";
    expect(await run()).toMatchObject({ opened: [], waiting: [{ trigger: "tensor", what: "issue", because }] });
    await arrive();
    now += 60_000;
    expect((await run()).opened).toMatchObject([{ issue: 1 }]);
    expect(await issues("all")).toHaveLength(1);
  });

  test.each(["older", "younger"])(
    "when GitHub lists it so late that it was sent again, the %s was known: one is closed",
    async (known) => {
      await fire(released);
      local.fault({ match: /^POST .*\/issues$/, status: 502, when: "after" });
      const blind = { ...github(), findIssue: async () => undefined };
      await run({ github: blind });
      now += 600_000;
      expect((await run({ github: blind })).opened).toMatchObject([{ issue: 2 }]);
      if (known === "older") await store.updateRecheck(1, { state: "open", issue: 1 });
      const because = "it repeats #1: the issue was opened twice";
      expect((await run()).left).toEqual([{ trigger: "tensor", issue: 2, because }]);
      expect(await store.rechecks()).toMatchObject([{ state: "open", issue: 1 }]);
      expect([(await issue(1)).state, (await issue(2)).state]).toEqual(["open", "closed"]);
      expect((await issue(2)).body).toContain("This repeats #1");
      await edit(2, { state: "open" });
      expect((await run()).left).toEqual([]);
      expect((await issue(2)).state).toBe("open");
    },
  );

  test("an issue that has our hidden line and that a passer-by wrote is none of it", async () => {
    await fire(released);
    await run();
    const { title, body } = await issue(1);
    await local.asPerson("POST", "/issues", { title, body, labels: ["recheck"] }, "reader");
    await local.asPerson("POST", "/issues/2/labels", { labels: ["recheck"] });
    expect((await run()).left).toEqual([]);
    expect((await issue(2)).state).toBe("open");
  });

  describe("when people wiped the marker out before the creation was heard of", () => {
    const lost = async (): Promise<void> => {
      await fire(released);
      local.fault({ match: /^POST .*\/issues$/, status: 502, when: "after" });
      local.fault({ match: /^GET .*\/issues$/, status: 503, when: "before" });
      expect((await run()).opened).toEqual([]);
    };

    test("it is known by its title, and written again", async () => {
      await lost();
      await edit(1, { body: "I check this." });
      now += 1;
      await fire({ ...mentioned, fired: now });
      expect(await runLater()).toMatchObject({ opened: [{ issue: 1 }], updated: [1] });
      expect(opened()).toBe(1);
      expect((await issue(1)).body).toMatch(/a Loom post speaks of Tensor.*I check this\.$/s);
    });

    test("also where it would be called otherwise by now", async () => {
      await lost();
      await edit(1, { body: "" });
      const triggers = new Map([...config.triggers, ["tensor", { ...config.triggers.get("tensor"), name: "Boards" }]]);
      now += 600_000;
      expect(await run({ config: { ...config, triggers } as Config })).toMatchObject({ opened: [{ issue: 1 }] });
      expect(opened()).toBe(1);
    });

    test("and closed it, that is an answer", async () => {
      await lost();
      await edit(1, { body: "", state: "closed" });
      await runLater();
      await runLater();
      expect(opened()).toBe(1);
      expect(unansweredFirings(await store.firings(), await store.rechecks())).toEqual([]);
    });

    test("an issue that has another marker, or is a passer-by's, is not taken for it", async () => {
      await lost();
      const { title, body } = await issue(1);
      await edit(1, { body: body.replace((await store.rechecks())[0]?.marker ?? "", "another") });
      await local.asPerson("POST", "/issues", { title, body: "" });
      await runLater();
      expect((await store.rechecks())[0]?.issue).toBe(3);
    });

    test("the emptied issue of an earlier recheck is not taken for it", async () => {
      await fire(released);
      await run();
      await edit(1, { state: "closed" });
      await run();
      await edit(1, { body: "" });
      await fire({ ...released, weight: "contrary" });
      local.fault({ match: /^POST .*\/issues$/, status: 502, when: "before" });
      await run();
      expect((await runLater()).opened).toMatchObject([{ issue: 2 }]);
    });

    test("a clock that was ahead hides nothing but the title", async () => {
      await lost();
      await store.updateRecheck(1, { attempted: 1 });
      expect(await runLater()).toMatchObject({ opened: [{ issue: 1 }] });
    });
  });

  test("when GitHub refused at first: that is not waited for", async () => {
    await fire(released);
    local.fault({ match: /^POST .*\/issues$/, status: 403, message: "Resource not accessible", when: "before" });
    expect((await run()).opened).toEqual([]);
    expect((await run()).opened).toMatchObject([{ issue: 1 }]);
  });

  test("when the answer is lost and so is the look for it: the next time finds it", async () => {
    await fire(released);
    local.fault({ match: /^POST .*\/issues$/, status: 502, when: "after" });
    local.fault({ match: /^GET .*\/issues$/, status: 503, when: "before" });
    expect((await run()).problems).toMatchObject([
      { kind: "unavailable", says: "GitHub could not open an issue (502)" },
    ]);
    await fire(mentioned);
    const second = await run();
    expect(second.opened).toMatchObject([{ issue: 1 }]);
    expect(second.updated).toEqual([1]);
    expect(opened()).toBe(1);
    expect((await issue(1)).body).toContain("a Loom post speaks of Tensor");
  });

  /** Dies at a call of these once the fuse is burnt; what was done before stays done. */
  function dying<T extends object>(target: T, methods: readonly string[], fuse: { left: number }): T {
    return new Proxy(target, {
      get: (from, name) => {
        const value: unknown = Reflect.get(from, name);
        if (typeof value !== "function") return value;
        return async (...given: unknown[]) => {
          if (methods.includes(String(name)) && fuse.left-- <= 0) throw new Error("killed");
          return value.apply(from, given);
        };
      },
    });
  }

  const steps = ["openRecheck", "joinRecheck", "updateRecheck", "updateComment", "countCreation"];
  const calls = ["createIssue", "updateIssue", "createComment", "addLabels", "ensureLabels"];

  test.each([...Array(12).keys()])("when it is killed after %i writes, to its file or to GitHub", async (count) => {
    let deaths = 0;
    const killed = async (): Promise<void> => {
      const fuse = { left: count };
      const torn = { store: dying(store, steps, fuse), github: dying(github(), calls, fuse) };
      await sync({ config, clock, ...torn }).catch((error: Error) => {
        expect(error.message).toBe("killed");
        deaths++;
      });
    };
    await fire(released);
    await killed();
    await fire(madePublic);
    now += 600_000;
    await killed();
    expect(deaths).toBe(count < 6 ? 2 : count < 9 ? 1 : 0);
    await runLater();
    await run();
    const [made, ...others] = await issues("all");
    expect(others).toEqual([]);
    expect(made?.body).toContain("became public");
    expect(made?.body).toContain("Loom 2.13.0 released");
    // Where the issue was there before, a comment tells of it; else its first body does.
    expect(await comments(1)).toHaveLength(count < 5 ? 0 : 1);
    expect((await store.firings()).map(({ recheck }) => recheck)).toEqual([1, 1]);
  });
});

describe("what people do", () => {
  test("their words around the section, and their ticks, stay", async () => {
    await fire(released);
    await run();
    const { body } = await issue(1);
    const ticked = body.replace("- [ ] Does eager code", "- [x] Does eager code");
    await edit(1, { body: `I am on it.\n\n${ticked}\n\nSee also the other tracker.`.replaceAll("\n", "\r\n") });
    await fire(mentioned);
    await run();
    const after = (await issue(1)).body;
    expect(after.startsWith("I am on it.\r\n\r\n<!-- recheck:begin")).toBe(true);
    expect(after.endsWith("<!-- recheck:end -->\r\n\r\nSee also the other tracker.")).toBe(true);
    expect(after).toContain("- [x] Does eager code run");
    expect(after).toContain("a Loom post speaks of Tensor");
  });

  test("a long text of theirs leaves less room to the section, and GitHub takes both", async () => {
    await fire(released);
    await run();
    await edit(1, { body: `${(await issue(1)).body}\n${"mine ".repeat(12_800)}` });
    await fire(...Array.from({ length: 60 }, (_, index) => ({ ...matrixChanged, event: { key: `page ${index}` } })));
    expect(await run()).toMatchObject({ updated: [1], problems: [] });
    const { body } = await issue(1);
    expect([...body].length).toBeLessThanOrEqual(65_536);
    expect(body.endsWith("mine ".repeat(12_800))).toBe(true);
    expect((await run()).updated).toEqual([]);
  });

  test("a body that an edit of ours overwrote late, or a person, is written again", async () => {
    await fire(released);
    await run();
    const { body: old } = await issue(1);
    await fire(mentioned);
    await run();
    await edit(1, { body: `Mine.\n\n${old}` });
    expect(await run()).toMatchObject({ updated: [1] });
    expect((await issue(1)).body).toMatch(/^Mine\.\n\n.*a Loom post speaks of Tensor/s);
    await edit(1, { body: "Mine." });
    expect(await run()).toMatchObject({ updated: [1] });
    expect(await run()).toMatchObject({ updated: [] });
    expect((await issue(1)).body).toMatch(/a Loom post speaks of Tensor.*Mine\.$/s);
  });

  test("a close is an answer: only new evidence opens a new issue, which names the old one", async () => {
    await fire(released);
    await run();
    await edit(1, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [1], opened: [] });
    await fire(released);
    expect(await run()).toMatchObject({ opened: [], updated: [], closed: [] });

    await fire(madePublic);
    expect((await run()).opened).toMatchObject([{ issue: 2 }]);
    const { body } = await issue(2);
    expect(body).toContain("Follows #1, closed on 2026-09-21.");
    expect(body).not.toContain("Loom 2.13.0");
  });

  test("what the closed issue had not told of yet is asked about anew", async () => {
    await fire(released);
    await run();
    await fire(madePublic);
    local.fault({ match: /^PATCH /, status: 503, when: "before" });
    await run();
    await edit(1, { state: "closed" });
    const third = await run();
    expect(third.closed).toEqual([1]);
    expect(third.opened).toMatchObject([
      { issue: 2, title: "tensor-org/board_backend became public: is “Tensor” still right?" },
    ]);
    expect(await comments(1)).toEqual([]);
    expect((await issue(2)).body).not.toContain("Loom 2.13.0");
  });

  test("also where people wiped out the line that said what it told of", async () => {
    await fire(released);
    await run();
    await fire(madePublic);
    local.fault({ match: /^PATCH /, status: 503, when: "before" });
    await run();
    await edit(1, { body: (await issue(1)).body.replace(/^.*\n/, ""), state: "closed" });
    expect(await run()).toMatchObject({ closed: [1], opened: [{ issue: 2 }] });
    expect((await issue(2)).body).not.toContain("Loom 2.13.0");
  });

  test("an issue closed between reading and writing is left alone", async () => {
    await fire(released);
    await run();
    await fire(mentioned);
    const hub = github();
    const racing: GitHub = {
      ...hub,
      issue: async (number) => {
        await edit(1, { state: "closed" });
        return hub.issue(number);
      },
    };
    expect(await run({ github: racing })).toMatchObject({ updated: [], closed: [1] });
    expect((await run()).opened).toMatchObject([{ issue: 2 }]);
    expect((await issue(1)).body).not.toContain("Running Loom");
  });

  test("what was written into an issue that was closed just before is asked about anew, and stands there no more", async () => {
    await fire(released);
    await run();
    await fire(mentioned);
    const hub = github();
    const racing: GitHub = {
      ...hub,
      updateIssue: async (number, change) => {
        await edit(1, { state: "closed" });
        return hub.updateIssue(number, change);
      },
    };
    expect(await run({ github: racing })).toMatchObject({ updated: [], closed: [1] });
    expect((await run()).opened).toMatchObject([{ issue: 2 }]);
    expect((await issue(1)).body).not.toContain("Running Loom");
    expect((await issue(2)).body).toContain("Running Loom");
  });

  describe("what its body had not told of, when a recheck is dismissed", () => {
    const commentMade = { match: /^POST .*\/comments$/, status: 503, when: "before" } as const;
    /** Its body could not be written when `madePublic` joined, then it was dismissed. */
    async function dismissed(): Promise<void> {
      await fire(released);
      await run();
      await fire(madePublic);
      local.fault({ match: /^PATCH /, status: 503, when: "before" });
      await run();
      const verdict = { kind: "dismiss", by: "author", because: "noise" } as const;
      const change = { state: "closing", issue: 1, closed: now, verdict } as const;
      await store.commit((tx) => tx.updateRecheck(1, change));
    }

    test("is asked about together with what is new since, and told nowhere else", async () => {
      await dismissed();
      await fire(mentioned);
      expect(await run()).toMatchObject({ closed: [1], opened: [{ issue: 2 }] });
      const { body } = await issue(2);
      expect(body).toContain("became public");
      expect(body).toContain("a Loom post speaks of Tensor");
      expect((await store.rechecks()).map(({ state }) => state)).toEqual(["closed", "open"]);
      await run();
      expect((await issue(1)).body).not.toContain("became public");
      expect(await comments(1)).toEqual([]);
      expect(await store.comments(false)).toEqual([]);
    });

    test("is asked about where nothing is new, also when GitHub fails meanwhile", async () => {
      await dismissed();
      local.fault({ match: /^GET .*\/issues\/1$/, status: 503, when: "before" });
      expect((await run()).problems).toMatchObject([{ kind: "unavailable" }]);
      expect(await run()).toMatchObject({ closed: [1], opened: [{ issue: 2 }] });
      expect(await run()).toMatchObject({ closed: [], opened: [], updated: [], waiting: [] });
    });

    test("is asked about though its issue was deleted", async () => {
      await dismissed();
      local.fault({ ...commentMade, status: 404 });
      local.fault({
        match: /^GET .*\/issues\/1$/,
        status: 410,
        message: "This issue was deleted",
        when: "before",
        times: 9,
      });
      expect((await run()).opened).toMatchObject([{ issue: 2 }]);
      const { body } = await issue(2);
      expect(body).toContain("became public");
      expect(body).not.toContain("Loom 2.13.0");
    });
  });

  test("what a deleted issue had not told of is asked about anew, and nothing else", async () => {
    await fire(released);
    await run();
    await fire(madePublic);
    local.fault({ match: /^PATCH /, status: 503, when: "before" });
    await run();
    const gone = {
      match: /^GET .*\/issues\/1$/,
      status: 410,
      message: "This issue was deleted",
      when: "before",
    } as const;
    await edit(1, { state: "closed" });
    local.fault({ ...gone, times: 9 });
    expect(await run()).toMatchObject({ gone: [1], opened: [{ issue: 2 }] });
    const { body } = await issue(2);
    expect(body).toContain("became public");
    expect(body).not.toContain("Loom 2.13.0");
  });

  test("a reply that is owed is written though the issue is closed meanwhile, once", async () => {
    await fire(released);
    await run();
    const said = {
      recheck: 1,
      marker: replyMark("comment 7"),
      body: `${replyMark("comment 7")}\n\nHelp.`,
      done: false,
    };
    await store.commit((tx) => tx.say(said));
    await edit(1, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [1], commented: [1] });
    await run();
    expect((await comments(1)).map(({ body }) => body)).toEqual([said.body]);
  });

  test("a deleted issue is answered too", async () => {
    await fire(released);
    await run();
    local.fault({ match: /^GET .*\/issues\/1$/, status: 410, message: "This issue was deleted", when: "before" });
    await edit(1, { state: "closed" });
    expect(await run()).toMatchObject({ gone: [1], closed: [], problems: [] });
    expect((await run()).gone).toEqual([]);
    await fire(madePublic);
    expect((await run()).opened).toMatchObject([{ issue: 2 }]);
    expect((await issue(2)).body).toContain("Follows #1, deleted or moved away on 2026-09-21.");
  });

  test("one that is not found for an hour is answered, told once, and the others go on", async () => {
    await fire(released, vector("one"));
    await run();
    await edit(1, { state: "closed" });
    local.fault({ match: /^GET .*\/issues\/1$/, status: 404, message: "Not Found", when: "before", times: 9 });
    await fire(vector("two"));
    const because = "not found on GitHub; if it is still missing in an hour, it counts as closed";
    expect(await run()).toMatchObject({ gone: [], updated: [2], waiting: [{ because }], problems: [] });
    now += 3_600_000;
    expect(await run()).toMatchObject({ gone: [1], updated: [], problems: [] });
    expect(await run()).toMatchObject({ gone: [], updated: [], problems: [] });
    expect((await store.rechecks()).filter(isAsking)).toHaveLength(1);
  });

  test("one without its label that GitHub does not find once goes on asking", async () => {
    await fire(released);
    await run();
    await local.asPerson("DELETE", "/issues/1/labels/recheck");
    local.fault({ match: /^GET .*\/issues\/1$/, status: 404, message: "Not Found", when: "before" });
    await fire(mentioned);
    await run();
    now += 3_600_000;
    expect(await run()).toMatchObject({ opened: [], gone: [], updated: [1] });
    expect(await issues("all")).toHaveLength(1);
    expect((await store.rechecks())[0]?.refused).toBeUndefined();
  });

  test("one that vanishes between being seen and being written holds up nothing else", async () => {
    await fire(released, vector("one"));
    await run();
    await fire(mentioned, vector("two"));
    local.fault({ match: /^PATCH .*\/issues\/1$/, status: 404, message: "Not Found", when: "before" });
    const done = await run();
    expect(done.updated).toEqual([2]);
    expect(done.problems).toEqual([
      { kind: "not-found", says: "example/report#1 is not there, or not open to this token or App (404)" },
    ]);
    expect((await run()).updated).toEqual([1]);
  });

  test("a repository that is not found answers nothing: everything stays as it was", async () => {
    await fire(released, vector("one"));
    await run();
    await fire(madePublic);
    local.fault({ match: /^GET .*\/issues/, status: 404, message: "Not Found", when: "before", times: 9 });
    expect(await run()).toMatchObject({ gone: [], closed: [], problems: [{ kind: "not-found" }] });
    expect((await store.rechecks()).filter(isAsking)).toHaveLength(2);
  });
});

describe("an issue that is opened again", () => {
  beforeEach(async () => {
    await fire(released);
    await run();
    await edit(1, { state: "closed" });
    await run();
  });
  const openOnes = async () => unansweredFirings(await store.firings(), await store.rechecks()).length;

  test("asks again: its firings are unanswered, and new evidence joins it", async () => {
    expect(await openOnes()).toBe(0);
    await edit(1, { state: "open" });
    expect(await run()).toMatchObject({ reopened: [1], opened: [], left: [], problems: [] });
    expect(await openOnes()).toBe(1);
    await fire(madePublic);
    expect(await run()).toMatchObject({ reopened: [], opened: [], updated: [1], commented: [1] });
    await edit(1, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [1], opened: [] });
    expect(await openOnes()).toBe(0);
  });

  test("is joined at once by evidence that came in the same scan", async () => {
    await edit(1, { state: "open" });
    await fire(madePublic);
    expect(await run()).toMatchObject({ reopened: [1], opened: [], updated: [1], commented: [1] });
  });

  test("is left as it is while its successor asks, which is said; then it is not", async () => {
    await fire(madePublic);
    await run();
    await edit(1, { state: "open" });
    const left = [{ trigger: "tensor", issue: 1, because: "it was reopened, but #2 already asks the same" }];
    expect(await run()).toMatchObject({ reopened: [], left });
    await fire(mentioned);
    expect(await run()).toMatchObject({ updated: [2], left });
    await edit(2, { state: "closed" });
    expect(await run()).toMatchObject({ closed: [2], reopened: [1], left: [] });
  });

  test("and closed again before it is read stays answered", async () => {
    await edit(1, { state: "open" });
    const hub = github();
    const racing: GitHub = {
      ...hub,
      openIssues: async () => {
        const found = await hub.openIssues();
        await edit(1, { state: "closed" });
        return found;
      },
    };
    expect(await run({ github: racing })).toMatchObject({ reopened: [] });
    expect(await openOnes()).toBe(0);
  });
});

test("a recheck whose trigger is no longer in config is left to people, which is said", async () => {
  await fire(released, vector("one"));
  await run();
  const fewer = { ...config, triggers: new Map([...config.triggers].filter(([id]) => id !== "tensor")) } as Config;
  await fire(madePublic);
  const writes = () => local.requests.filter(({ method }) => method !== "GET").length;
  const before = writes();
  const left = [{ trigger: "tensor", issue: 1, because: "its trigger is no longer in triggers/" }];
  expect(await run({ config: fewer })).toMatchObject({ left, opened: [], updated: [], commented: [], problems: [] });
  expect(writes()).toBe(before);
  await edit(1, { state: "closed" });
  expect(await run({ config: fewer })).toMatchObject({ left: [], closed: [1] });
});

test("a recheck whose trigger left config before it was written waits for nobody, and is asked once that is back", async () => {
  await fire(released);
  await run({ stopped: () => true });
  const fewer = { ...config, triggers: new Map() } as Config;
  expect((await run({ config: fewer })).opened).toEqual([]);
  expect((await store.rechecks()).map(({ state }) => state)).toEqual(["queued"]);
  expect((await run({ config: fewer })).opened).toEqual([]);
  expect((await run()).opened).toHaveLength(1);
  expect((await store.rechecks()).map(({ state }) => state)).toEqual(["open"]);
});

test("told to stop, it begins no other write; the next time does", async () => {
  await fire(released, vector("one"));
  expect((await run({ stopped: () => opened() > 0 })).opened).toHaveLength(1);
  expect((await run()).opened).toHaveLength(1);
});

describe("the cap", () => {
  const triggers = Array.from({ length: 6 }, (_, index) => ({
    ...config.triggers.get("vector"),
    id: `t${index}`,
    name: `T${index}`,
  }));
  const wide = { ...config, triggers: new Map(triggers.map((one) => [one.id, one])) } as Config;
  const all = triggers.map(({ id }, index) => firing(id, id, { weight: index > 3 ? "contrary" : "routine" }));

  test("lets so many through an hour, the contrary ones first, and says what waits", async () => {
    await fire(...all);
    const first = await run({ config: wide, cap: 3 });
    expect(first.opened.map(({ trigger }) => trigger)).toEqual(["t4", "t5", "t0"]);
    expect(first.waiting).toEqual(
      ["t1", "t2", "t3"].map((trigger) => ({
        trigger,
        what: "issue",
        because: "at most 3 issues, comments and pull requests are written an hour",
      })),
    );
    expect((await run({ config: wide, cap: 3 })).opened).toEqual([]);
    now += 3_600_001;
    expect((await run({ config: wide, cap: 3 })).opened).toHaveLength(3);
    expect(await issues()).toHaveLength(6);
  });

  test("lets two new rechecks through an hour where it is paced, as config has it, the contrary ones first", async () => {
    await fire(...all);
    const paced = (limits = config.limits) => run({ config: { ...wide, limits }, paced: true });
    const first = await paced();
    expect(first.opened.map(({ trigger }) => trigger)).toEqual(["t4", "t5"]);
    expect(first.waiting[0]?.because).toBe("at most 2 rechecks are opened an hour");
    expect((await paced()).opened).toEqual([]);
    expect((await paced({ contentsAnHour: 3, rechecksAnHour: 20 })).opened).toHaveLength(1);
    now += 3_600_001;
    expect((await paced()).opened).toHaveLength(2);
  });

  test("counts one that GitHub may still be opening", async () => {
    await fire(...all);
    local.fault({ match: /^POST .*\/issues$/, status: 502, when: "before" });
    expect((await run({ config: wide, paced: true })).opened).toEqual([]);
    const second = await run({ config: wide, paced: true });
    expect(second.opened.map(({ trigger }) => trigger)).toEqual(["t5"]);
    expect(second.waiting.map(({ because }) => because)).toContain("at most 2 rechecks are opened an hour");
    now += 600_000;
    expect((await run({ config: wide, paced: true })).opened.map(({ trigger }) => trigger)).toEqual(["t4"]);
  });

  test("does not count the catch-up as a new recheck", async () => {
    await fire(...all);
    const first = await run({ config: wide, paced: true, catchUp: true });
    expect(first.opened.map(({ trigger }) => trigger)).toEqual(["t4", "t5", "catch-up"]);
    expect(first.waiting).toEqual([]);
  });

  test("holds comments too", async () => {
    await fire(released);
    await run();
    await fire(madePublic);
    expect(await run({ cap: 1 })).toMatchObject({
      updated: [1],
      commented: [],
      waiting: [{ trigger: "tensor", what: "comment" }],
    });
    expect((await run({ cap: 2 })).commented).toEqual([1]);
  });
});

describe("GitHub refuses", () => {
  test.each([
    [401, "Bad credentials", "unauthorized"],
    [403, "Resource not accessible by integration", "forbidden"],
    [404, "Not Found", "not-found"],
    [410, "Issues are disabled for this repo", "disabled"],
    [500, "", "unavailable"],
  ])("with %i: it is said, everything waits, and the next time opens it", async (status, message, kind) => {
    await fire(released, vector("one"));
    local.fault({ match: /^POST .*\/issues$/, status, message, when: "before" });
    const first = await run();
    expect(first.problems).toMatchObject([{ kind }]);
    expect(first.waiting.map(({ trigger }) => trigger).sort()).toEqual(["tensor", "vector"]);
    expect((await runLater()).opened).toHaveLength(2);
    expect(await issues()).toHaveLength(2);
  });

  test("with a secondary limit: when to go on is said, and nothing more is sent", async () => {
    await fire(released, vector("one"));
    const headers = { "retry-after": "120" };
    local.fault({ match: /^POST .*\/issues$/, status: 403, message: "secondary rate limit", headers, when: "before" });
    expect((await run()).problems).toMatchObject([{ kind: "slow-down", resumeAt: now + 120_000 }]);
    expect(opened()).toBe(1);
  });

  const locked = { status: 403, message: "Unable to create comment because issue is locked.", when: "before" } as const;
  const lock = (method: "PUT" | "DELETE") =>
    local.asPerson(method, "/issues/1/lock", method === "PUT" ? {} : undefined);
  const tries = () => sent("PATCH", /\/issues\/1$/) + sent("POST", /\/issues\/1\/(?:comments|labels)$/);

  test("a comment on a locked issue: others go on, it waits longer and longer, and is written once it is unlocked", async () => {
    await fire(released, vector("one"));
    await run();
    await lock("PUT");
    local.fault({ match: /^POST .*\/issues\/1\/comments$/, ...locked, times: 8 });
    await fire(madePublic, vector("two"));
    const because = "its conversation is locked: its description is updated, but without a comment";
    const left = [{ trigger: "tensor", issue: 1, because }];
    expect(await run()).toMatchObject({ updated: [1, 2], commented: [], problems: [], left });
    const hours = async (count: number) => {
      const before = tries();
      for (let hour = 0; hour < count; hour++) {
        now += 3_600_000;
        expect(await run()).toMatchObject({ problems: [], left });
      }
      return tries() - before;
    };
    expect(await hours(1)).toBe(1);
    expect(await hours(23)).toBe(4);
    expect(await hours(48)).toBe(2);
    await fire(mentioned);
    expect((await run()).updated).toEqual([1]);
    expect(await comments(1)).toEqual([]);
    await lock("DELETE");
    expect(await run()).toMatchObject({ commented: [1], left: [] });
  });

  test("the text of a locked issue: the same, and its comments wait too", async () => {
    await fire(released, vector("one"));
    await run();
    await lock("PUT");
    local.fault({ match: /^PATCH .*\/issues\/1$/, ...locked });
    await fire(madePublic, vector("two"));
    const because = "its conversation is locked; unlock it to get new events";
    expect(await run()).toMatchObject({ updated: [2], commented: [], left: [{ issue: 1, because }], problems: [] });
    expect(await run()).toMatchObject({ updated: [], left: [{ issue: 1 }] });
    expect(tries()).toBe(2);
    await lock("DELETE");
    expect(await run()).toMatchObject({ updated: [1], commented: [1], left: [] });
  });

  test("to close a locked issue: it is said, and done once it is unlocked", async () => {
    await fire(released, vector("one"));
    await run();
    await lock("PUT");
    local.fault({ match: /^PATCH .*\/issues\/1$/, ...locked });
    await store.commit((tx) => tx.updateRecheck(1, { state: "closing", issue: 1, closed: now }));
    await fire(vector("two"));
    const because = "it is answered, but GitHub does not let Recheck close a locked conversation";
    expect(await run()).toMatchObject({ updated: [2], closed: [], left: [{ issue: 1, because }] });
    expect(await run()).toMatchObject({ closed: [], left: [{ issue: 1 }] });
    await lock("DELETE");
    expect(await run()).toMatchObject({ closed: [1], left: [] });
    expect(await issues()).toHaveLength(1);
  });

  test("a reply in an issue that was closed and locked: the conversation is over", async () => {
    await fire(released);
    await run();
    await store.commit((tx) => tx.say({ recheck: 1, marker: replyMark("comment 7"), body: "Help.", done: false }));
    await edit(1, { state: "closed" });
    await lock("PUT");
    local.fault({ match: /^POST .*\/issues\/1\/comments$/, ...locked });
    expect(await run()).toMatchObject({ closed: [1], left: [], problems: [] });
    expect(await store.comments(false)).toEqual([]);
  });

  test("one text: it holds up nothing else", async () => {
    await fire(released, vector("one"));
    local.fault({ match: /^POST .*\/issues$/, status: 422, message: "Validation Failed", when: "before" });
    const first = await run();
    expect(first.problems).toMatchObject([
      { kind: "invalid", says: "GitHub refused to open an issue (422): Validation Failed" },
    ]);
    expect(first.opened).toHaveLength(1);
  });

  describe("to open an issue with this text", () => {
    const refuse = () =>
      local.fault({ match: /^POST .*\/issues$/, status: 422, message: "Validation Failed", when: "before", times: 99 });
    const hour = 3_600_000;
    const because = "GitHub rejects its new text; the next try is on 2026-09-21";

    test("it is tried again ever more seldom, which is said, and status too", async () => {
      await fire(released);
      refuse();
      expect(await run()).toMatchObject({ problems: [{ kind: "invalid" }] });
      const tries: number[] = [];
      for (let passed = 0; passed < 8 * 24; passed++) {
        const before = opened();
        now += hour;
        const { problems, waiting } = await run();
        if (opened() > before) tries.push(passed + 1);
        else expect([problems, waiting]).toMatchObject([[], [{ trigger: "tensor", what: "issue" }]]);
      }
      expect(tries).toEqual([1, 2, 4, 8, 16, 32, 56, 80, 104, 128, 152, 176]);
      const says = (await status(config, store, now)).open.map((one) => one.says);
      expect(says).toEqual(["GitHub rejects its new text; the next try is on 2026-09-29"]);
      local.mend();
      now += 24 * hour;
      expect(await run()).toMatchObject({ opened: [{ issue: 1 }], waiting: [], problems: [] });
      expect((await status(config, store, now)).open.map((one) => one.says)).toEqual([undefined]);
    });

    test("another text is tried at once, and counts from then on", async () => {
      await fire(released);
      refuse();
      await run();
      expect(await run()).toMatchObject({ problems: [], waiting: [{ what: "issue", because, until: now + hour }] });
      expect(opened()).toBe(1);
      await fire(mentioned);
      expect(await run()).toMatchObject({ problems: [{ kind: "invalid" }] });
      expect(opened()).toBe(2);
      local.mend();
      await fire(vector("one"));
      expect(await run()).toMatchObject({ opened: [{ trigger: "vector" }], waiting: [{ trigger: "tensor", because }] });
      await fire(claimAltered);
      expect(await run()).toMatchObject({ opened: [{ trigger: "tensor" }], waiting: [] });
    });

    test("or with one of its labels, alike", async () => {
      await fire(released);
      local.fault({ match: /^POST .*\/labels$/, status: 422, message: "Validation Failed", when: "before", times: 9 });
      expect(await run()).toMatchObject({ problems: [{ kind: "invalid" }] });
      expect(await run()).toMatchObject({ problems: [], waiting: [{ because }] });
      expect(sent("POST", /\/labels$/)).toBe(1);
    });
  });

  test("of an open issue: another text is tried at once", async () => {
    await fire(released);
    await run();
    local.fault({
      match: /^PATCH .*\/issues\/1$/,
      status: 422,
      message: "Validation Failed",
      when: "before",
      times: 2,
    });
    await fire(mentioned);
    expect(await run()).toMatchObject({ updated: [], left: [{ issue: 1 }] });
    expect(await run()).toMatchObject({ updated: [], left: [{ issue: 1 }] });
    expect(sent("PATCH", /\/issues\/1$/)).toBe(1);
    local.mend();
    await fire(claimAltered);
    expect(await run()).toMatchObject({ updated: [1], left: [] });
  });

  test("to edit one issue, each time: that holds up nothing else", async () => {
    await fire(released, vector("one"));
    await run();
    await fire(mentioned, vector("two", { weight: "contrary" }));
    local.fault({ match: /^PATCH .*\/issues\/1$/, status: 502, when: "before", times: 99 });
    expect(await run()).toMatchObject({ updated: [2], commented: [2], problems: [{ kind: "unavailable" }] });
    local.mend();
    expect(await run()).toMatchObject({ updated: [1], commented: [], problems: [] });
  });

  /** So many triggers, `vector-0` and so on, and a config of them alone. */
  function manyTriggers(length: number): { readonly vectors: readonly string[]; readonly many: Config } {
    const vectors = Array.from({ length }, (_, n) => `vector-${n}`);
    const triggers = vectors.map((id) => [id, { ...config.triggers.get("vector"), id }]);
    return { vectors, many: { ...config, triggers: new Map(triggers as [string, Trigger][]) } };
  }

  test("to take comments on one issue, each time: that holds up nothing else", async () => {
    const { vectors, many } = manyTriggers(4);
    await fire(...vectors.slice(1).map((id) => firing(id, "one")));
    await run({ config: many });
    await fire(...vectors.slice(1).map((id) => firing(id, "two", { weight: "contrary" })), firing("vector-0", "two"));
    local.fault({ match: /^POST .*\/issues\/1\/comments$/, status: 502, when: "before", times: 99 });
    const problems = [{ kind: "unavailable" }];
    expect(await run({ config: many })).toMatchObject({ commented: [2, 3], opened: [{ issue: 4 }], problems });
    local.mend();
    now += 11 * 60_000;
    expect(await run({ config: many })).toMatchObject({ commented: [1], opened: [], problems: [] });
  });

  test("to edit any issue: after a few no more is sent", async () => {
    const { vectors, many } = manyTriggers(6);
    await fire(...vectors.map((id) => firing(id, "one")));
    await run({ config: many });
    expect(await issues()).toHaveLength(6);
    await fire(...vectors.map((id) => firing(id, "two", { weight: "contrary" })));
    local.fault({ match: /^PATCH /, status: 502, when: "before", times: 99 });
    const before = sent("PATCH", /\/issues\/\d+$/);
    const { updated, commented, waiting } = await run({ config: many });
    expect({ updated, commented, waiting: waiting.length }).toEqual({ updated: [], commented: [], waiting: 6 });
    expect(sent("PATCH", /\/issues\/\d+$/) - before).toBe(3);
  });

  test("even to be read: nothing is planned on a guess, and everything is said to wait", async () => {
    await fire(released);
    await run();
    await fire(mentioned, vector("one"));
    local.fault({ match: /^GET /, status: 503, when: "before" });
    expect(await run()).toMatchObject({ problems: [{ kind: "unavailable" }], updated: [], opened: [] });
    expect((await store.firings()).filter(({ recheck }) => recheck === undefined)).toHaveLength(2);
    expect(await run()).toMatchObject({ updated: [1], opened: [{ issue: 2 }] });
  });

  test("a defect of ours is not taken for a refusal", async () => {
    await fire(released);
    const broken = { ...github(), createIssue: () => Promise.reject(new TypeError("ours")) };
    await expect(run({ github: broken })).rejects.toThrow("ours");
  });
});

test("without a GitHub it says what it would open and update, and keeps nothing", async () => {
  await fire(released, vector("one"));
  const dry = () => run({ github: undefined });
  expect(await dry()).toMatchObject({
    opened: [],
    wouldOpen: [
      {
        trigger: "tensor",
        title: "Loom 2.13.0 released: is “Tensor” still right?",
        labels: expect.arrayContaining(["recheck"]),
      },
      { trigger: "vector" },
    ],
  });
  expect(await store.rechecks()).toEqual([]);
  expect(local.requests).toEqual([]);
  local.fault({ match: /^POST .*\/issues$/, status: 503, when: "before" });
  await run();
  expect((await dry()).wouldOpen.map(({ trigger }) => trigger).sort()).toEqual(["tensor", "vector"]);
  await runLater();
  await fire(madePublic);
  expect(await dry()).toMatchObject({ wouldOpen: [], wouldUpdate: [{ trigger: "tensor", issue: 1 }] });
});
