import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Auth } from "../../src/adapters/github/client.ts";
import { createGitHub } from "../../src/adapters/github/index.ts";
import { openStore } from "../../src/adapters/store/open.ts";
import type { Database } from "../../src/adapters/store/store.ts";
import type { Config, Trigger } from "../../src/model/config.ts";
import type { Firing } from "../../src/model/firing.ts";
import { type GitHub, GitHubProblem, type Store } from "../../src/model/ports/index.ts";
import { replyMark } from "../../src/recheck/issue/comment.ts";
import type { Outbox, SyncResult } from "../../src/recheck/run.ts";
import { sync } from "../../src/recheck/sync.ts";
import { status, unansweredFirings } from "../../src/status/status.ts";
import type { Fault } from "../github/front.ts";
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
  return createGitHub({ repo: local.repo, auth, baseUrl: local.url, fetch: local.fetch, clock, patience: false });
}
const run = (more: Partial<Outbox> = {}): Promise<SyncResult> =>
  sync({ config, store, clock, github: github(), ...more });
/** When nothing that was sent before can still arrive. */
const runLater = (): Promise<SyncResult> => {
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

const contraryNow: Firing = { ...released, weight: "contrary", evidence: madePublic.evidence };
const samples: Readonly<Record<string, Firing>> = {
  ...{ released, mentioned, madePublic, claimAltered, contraryNow },
  releasedOnce: { ...released, evidence: released.evidence.slice(0, 1) },
};
/** A sample, or a firing of the trigger `vector`: `vector/one`, and `vector/one!` if it is contrary. */
const firingOf = (name: string): Firing =>
  samples[name] ?? vector(name.replace(/^vector\/|!$/g, ""), name.endsWith("!") ? { weight: "contrary" } : {});

/** What happens, one thing after the other: "fire released; run; close 1". A function does anything else. */
type Step = string | (() => unknown);

const words: Readonly<Record<string, (rest: string) => unknown>> = {
  fire: (rest) => fire(...rest.split(" ").map(firingOf)),
  run: () => run(),
  later: () => runLater(),
  hours: (rest) => {
    now += Number(rest) * 3_600_000;
  },
  close: (rest) => edit(Number(rest), { state: "closed" }),
  reopen: (rest) => edit(Number(rest), { state: "open" }),
  label: (rest) => edit(1, { labels: rest === "" ? [] : rest.split(" ") }),
  lock: () => local.asPerson("PUT", "/issues/1/lock", {}),
  unlock: () => local.asPerson("DELETE", "/issues/1/lock"),
  mend: () => local.mend(),
};

/** An entry of what a run did: the number of an issue, or facts. */
function plain(entry: number | object): string {
  if (typeof entry === "number") return `#${entry}`;
  const facts = Object.entries(entry).filter(
    ([name, fact]) => name !== "url" && name !== "labels" && fact !== undefined,
  );
  return facts.map(([name, fact]) => `${name} ${Number(fact) > 1e12 ? new Date(fact).toISOString() : fact}`).join(", ");
}

/** Does the steps, and tells what each run did. */
async function play(story: readonly Step[]): Promise<string[]> {
  const log: string[] = [];
  for (const step of story.flatMap((one): Step[] => (typeof one === "string" ? one.split("; ") : [one]))) {
    if (typeof step === "function") {
      await step();
      continue;
    }
    const [word = "", ...rest] = step.split(" ");
    const before = local.requests.length;
    const did = await words[word]?.(rest.join(" "));
    log.push(`> ${step}`);
    if (word !== "run" && word !== "later") continue;
    for (const [what, value] of Object.entries(did as SyncResult))
      if (Array.isArray(value)) log.push(...value.map((entry) => `  ${what}: ${plain(entry)}`));
    log.push(`  writes: ${local.requests.slice(before).filter(({ method }) => method !== "GET").length}`);
  }
  return log;
}

/** All issues with what they ask about, their comments, and what is remembered. */
async function shown(): Promise<string[]> {
  const lines: string[] = [];
  for (const { number, title, state, body, labels } of await issues("all")) {
    const names = labels.map(({ name }) => name).sort();
    lines.push(`# ${number}, ${state}: ${title}`, `labels: ${names.join(", ")}`);
    lines.push(...(body.match(/^(?:Follows|Closed|This repeats|\*\*\d+\. |Also seen).*$/gm) ?? []));
    for (const { body: comment } of await comments(number))
      lines.push(`## comment on ${number}`, ...comment.split("\n").filter((line) => /^\*\*|^\w/.test(line)));
  }
  const waiting = (await store.comments(false)).length;
  const unanswered = unansweredFirings(await store.firings(), await store.rechecks()).length;
  lines.push(`# remembered: ${waiting} comments to write, ${unanswered} firings without an answer`);
  lines.push(
    ...(await store.rechecks()).map(({ id, state, issue }) => `recheck ${id} ${state}, issue ${issue ?? "none"}`),
  );
  return lines;
}

const fails = (match: RegExp, fault: Partial<Fault> = {}): Step => {
  return () => local.fault({ match, status: 503, when: "before", ...fault });
};
const creates = /^POST .*\/issues$/;
const comments1 = /^POST .*\/comments$/;
const deleted = { status: 410, message: "This issue was deleted" };
const notFound = { status: 404, message: "Not Found" };
const refused = { status: 422, message: "Validation Failed" };
const isLocked = { status: 403, message: "Unable to create comment because issue is locked." };
const reply: Step = () =>
  store.commit((tx) =>
    tx.say({ recheck: 1, marker: replyMark("comment 7"), body: `${replyMark("comment 7")}\n\nHelp.`, done: false }),
  );
/** Its body could not be written when `madePublic` joined, then it was dismissed. */
const dismissed: readonly Step[] = [
  "fire released; run; fire madePublic",
  fails(/^PATCH /),
  "run",
  () =>
    store.commit((tx) =>
      tx.updateRecheck(1, {
        ...{ state: "closing", issue: 1, closed: now, verdict: { kind: "dismiss", by: "author", because: "noise" } },
      }),
    ),
];
const torn = { status: undefined } as const;

const stories: Readonly<Record<string, readonly Step[]>> = {
  // A firing becomes an issue
  "Later evidence finds the issue of its trigger again": ["fire released; run; fire mentioned; run"],
  "The title follows the strongest event until a person gives it another": [
    "fire released; run; fire madePublic; run",
    () => edit(1, { title: "Is it public at last?" }),
    "fire mentioned; run",
  ],
  "There is one issue for each trigger, and nothing is written again while nothing changes": [
    "fire released vector/one; run; run",
  ],
  "More evidence of the same event only updates the body": ["fire releasedOnce; run; fire released; run"],
  // A contrary firing that joins
  "A contrary firing that joins is one comment, once, and sets the label": [
    "fire released; run; fire madePublic claimAltered mentioned; run; run",
  ],
  "A comment is written once though GitHub fails after it": [
    "fire released; run; fire madePublic",
    fails(comments1, { status: 502, when: "after" }),
    "run; later; run",
  ],
  "A comment is written once though GitHub fails before it": [
    "fire released; run; fire madePublic",
    fails(comments1, { status: 502 }),
    "run; later; run",
  ],
  "A comment is written once though the connection is cut after it": [
    "fire released; run; fire madePublic",
    fails(comments1, { ...torn, when: "after" }),
    "run; later; run",
  ],
  "An event that turns contrary is reported once, with its label": [
    "fire released mentioned; run; fire contraryNow; run; run; fire contraryNow; run",
  ],
  "An event that turns contrary is reported once, though its body could not be written at first": [
    "fire released mentioned; run",
    fails(/^PATCH /),
    "fire contraryNow; run; run; fire contraryNow; run",
  ],
  "An event that turns contrary is reported once, though the answer got lost": [
    "fire released mentioned; run",
    fails(comments1, { ...torn, when: "after" }),
    "fire contraryNow; run; run; fire contraryNow; run",
  ],
  "An event that turns contrary after its issue was closed opens a new one": [
    "fire released; run; close 1; run; fire contraryNow; run; close 2; run; run",
  ],
  "An event that turned contrary in a body that could not be written before its issue was closed is asked about again":
    ["fire released mentioned; run; fire contraryNow", fails(/^PATCH /), "run; close 1; run"],
  "A contrary event needs no comment if the issue is not out yet": [
    "fire released",
    fails(creates),
    "run; fire madePublic; later",
  ],
  // Labels
  "Labels that come later are added; labels that people put on or take off stay so": [
    "fire vector/one; run; label recheck mine; fire vector/two; run; fire vector/three!; run; label recheck mine; fire vector/four!; run",
  ],
  "An issue that people took the label off is still found, and answered by a close": [
    "fire released; run; label; fire mentioned; run; close 1; run",
  ],
  "Labels that GitHub does not take once are added the next time": [
    "fire released; run; fire madePublic",
    fails(/^POST .*\/issues\/1\/labels$/, { status: 500 }),
    "run; run",
  ],
  // Exactly one issue
  "There is one issue after a 502 after its creation": [
    "fire released",
    fails(creates, { status: 502, when: "after" }),
    "run; later; run",
  ],
  "There is one issue after a 502 before its creation": [
    "fire released",
    fails(creates, { status: 502 }),
    "run; later; run",
  ],
  "There is one issue after a connection cut after its creation": [
    "fire released",
    fails(creates, { ...torn, when: "after" }),
    "run; later; run",
  ],
  "There is one issue after a connection cut before its creation": [
    "fire released",
    fails(creates, torn),
    "run; later; run",
  ],
  "A refusal of the creation is not waited for": [
    "fire released",
    fails(creates, { status: 403, message: "Resource not accessible" }),
    "run; run",
  ],
  "When the answer is lost and so is the search for it, the next time finds it": [
    "fire released",
    fails(creates, { status: 502, when: "after" }),
    fails(/^GET .*\/issues$/),
    "run; fire mentioned; run",
  ],
  // What people do
  "A close is an answer: only new evidence opens a new issue, which names the old one": [
    "fire released; run; close 1; run; fire released; run; fire madePublic; run",
  ],
  "An event that the closed issue did not have yet is asked about again": [
    "fire released; run; fire madePublic",
    fails(/^PATCH /),
    "run; close 1; run",
  ],
  "An event that the closed issue did not have is asked about also if people wiped out its hidden line": [
    "fire released; run; fire madePublic",
    fails(/^PATCH /),
    "run",
    async () => edit(1, { body: (await issue(1)).body.replace(/^.*\n/, ""), state: "closed" }),
    "run",
  ],
  "An event that a dismissed issue did not have is asked about together with later ones": [
    ...dismissed,
    "fire mentioned; run; run",
  ],
  "An event that a dismissed issue did not have is asked about, also when GitHub fails meanwhile": [
    ...dismissed,
    fails(/^GET .*\/issues\/1$/),
    "run; run; run",
  ],
  "An event that a dismissed issue did not have is asked about though the issue was deleted": [
    ...dismissed,
    fails(comments1, { status: 404 }),
    fails(/^GET .*\/issues\/1$/, { ...deleted, times: 9 }),
    "run",
  ],
  "An event that a deleted issue did not have is asked about again, and nothing else": [
    "fire released; run; fire madePublic",
    fails(/^PATCH /),
    "run; close 1",
    fails(/^GET .*\/issues\/1$/, { ...deleted, times: 9 }),
    "run",
  ],
  "A reply that is owed is written though the issue is closed meanwhile, once": [
    "fire released; run",
    reply,
    "close 1; run; run",
  ],
  "A deleted issue is answered too": [
    "fire released; run",
    fails(/^GET .*\/issues\/1$/, deleted),
    "close 1; run; run; fire madePublic; run",
  ],
  "An issue that is not found for an hour is answered, reported once, and the others go on": [
    "fire released vector/one; run; close 1",
    fails(/^GET .*\/issues\/1$/, { ...notFound, times: 9 }),
    "fire vector/two; run; hours 1; run; run",
  ],
  "An issue without its label that GitHub does not find once goes on asking": [
    "fire released; run",
    () => local.asPerson("DELETE", "/issues/1/labels/recheck"),
    fails(/^GET .*\/issues\/1$/, notFound),
    "fire mentioned; run; hours 1; run",
  ],
  "An issue that vanishes between being seen and being written holds up nothing else": [
    "fire released vector/one; run; fire mentioned vector/two",
    fails(/^PATCH .*\/issues\/1$/, notFound),
    "run; run",
  ],
  "A repository that is not found answers nothing: everything stays as it was": [
    "fire released vector/one; run; fire madePublic",
    fails(/^GET .*\/issues/, { ...notFound, times: 9 }),
    "run",
    "mend",
  ],
  // An issue that is opened again
  "An issue that is opened again asks again, and new evidence joins it": [
    "fire released; run; close 1; run; reopen 1; run; fire madePublic; run; close 1; run",
  ],
  "An issue that is opened again is joined at once by evidence that came in the same scan": [
    "fire released; run; close 1; run; reopen 1; fire madePublic; run",
  ],
  "An issue that is opened again is left as it is while its successor asks, which is said": [
    "fire released; run; close 1; run; fire madePublic; run; reopen 1; run; fire mentioned; run; close 2; run",
  ],
  // GitHub refuses
  ...Object.fromEntries(
    [
      [401, "Bad credentials"] as const,
      [403, "Resource not accessible by integration"] as const,
      [404, "Not Found"] as const,
      [410, "Issues are disabled for this repo"] as const,
      [500, ""] as const,
    ].map(([status, message]) => [
      `A refusal with ${status} is said, everything waits, and the next time opens it`,
      ["fire released vector/one", fails(creates, { status, message }), "run; later"],
    ]),
  ),
  "With a secondary limit, when to go on is said, and nothing more is sent": [
    "fire released vector/one",
    fails(creates, { status: 403, message: "secondary rate limit", headers: { "retry-after": "120" } }),
    "run",
  ],
  "The text of a locked issue and its comments wait until it is unlocked": [
    "fire released vector/one; run; lock",
    fails(/^PATCH .*\/issues\/1$/, isLocked),
    "fire madePublic vector/two; run; run; unlock; run",
  ],
  "To close a locked issue waits until it is unlocked, which is said": [
    "fire released vector/one; run; lock",
    fails(/^PATCH .*\/issues\/1$/, isLocked),
    () => store.commit((tx) => tx.updateRecheck(1, { state: "closing", issue: 1, closed: now })),
    "fire vector/two; run; run; unlock; run",
  ],
  "A reply in an issue that was closed and locked is dropped: the conversation is over": [
    "fire released; run",
    reply,
    "close 1; lock",
    fails(/^POST .*\/issues\/1\/comments$/, isLocked),
    "run",
  ],
  "One text that is refused holds up nothing else": ["fire released vector/one", fails(creates, refused), "run"],
  "Another text than the refused one is tried at once, and counts from then on": [
    "fire released",
    fails(creates, { ...refused, times: 99 }),
    "run; run; fire mentioned; run; mend; fire vector/one; run; fire claimAltered; run",
  ],
  "An issue with a label that is refused waits, too": [
    "fire released",
    fails(/^POST .*\/labels$/, { ...refused, times: 9 }),
    "run; run",
  ],
  "Another text of an open issue than the refused one is tried at once": [
    "fire released; run",
    fails(/^PATCH .*\/issues\/1$/, { ...refused, times: 2 }),
    "fire mentioned; run; run; mend; fire claimAltered; run",
  ],
  "An issue that cannot be edited holds up nothing else": [
    "fire released vector/one; run; fire mentioned vector/two!",
    fails(/^PATCH .*\/issues\/1$/, { status: 502, times: 99 }),
    "run; mend; run",
  ],
  "If GitHub cannot be read, nothing is planned on a guess, and everything is said to wait": [
    "fire released; run; fire mentioned vector/one",
    fails(/^GET /),
    "run; run",
  ],
};

/** `npx vitest run test/recheck/sync.test.ts -u` writes the golden files again. */
test.each(Object.entries(stories))("%s", async (name, story) => {
  const text = [...(await play(story)), "", ...(await shown())].join("\n");
  await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.txt`);
});

test("an installation of the App opens an issue", async () => {
  await fire(released);
  const auth = { appId: local.app.id, privateKey: local.app.privateKey };
  expect((await run({ github: github(auth) })).opened).toMatchObject([{ trigger: "tensor", issue: 1 }]);
});

describe("a firing becomes an issue", () => {
  test("of a trigger that config no longer has waits in the outbox", async () => {
    await fire(released, firing("removed", "key"));
    await run();
    expect(await issues()).toHaveLength(1);
    expect((await store.firings()).find(({ trigger }) => trigger === "removed")?.recheck).toBeUndefined();
    const triggers = new Map([...config.triggers, ["removed", { ...config.triggers.get("vector"), id: "removed" }]]);
    await run({ config: { ...config, triggers } as Config });
    expect(await issues()).toHaveLength(2);
  });
});

describe("exactly one issue", () => {
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

    test("also if it would have another title by now", async () => {
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

describe("edits by people", () => {
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

  test("an event that was written into an issue that was closed just before is asked about in a new one, and no more in the old one", async () => {
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
});

describe("an issue that is opened again", () => {
  const openOnes = async () => unansweredFirings(await store.firings(), await store.rechecks()).length;

  test("and closed again before it is read stays answered", async () => {
    await play(["fire released; run; close 1; run; reopen 1"]);
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

test("stopped in the middle, it begins no other write; the next time does", async () => {
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

  test("lets two new rechecks through an hour if it is paced by config, the contrary ones first", async () => {
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
  const tries = () => sent("PATCH", /\/issues\/1$/) + sent("POST", /\/issues\/1\/(?:comments|labels)$/);

  test("a comment on a locked issue: others go on, it waits longer and longer, and is written once it is unlocked", async () => {
    await fire(released, vector("one"));
    await run();
    await play(["lock"]);
    local.fault({ match: /^POST .*\/issues\/1\/comments$/, ...isLocked, when: "before", times: 8 });
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
    await play(["unlock"]);
    expect(await run()).toMatchObject({ commented: [1], left: [] });
  });

  test("to open an issue with this text: it is tried again ever more seldom, which is said, and status too", async () => {
    await fire(released);
    local.fault({ match: creates, ...refused, when: "before", times: 99 });
    expect(await run()).toMatchObject({ problems: [{ kind: "invalid" }] });
    const tries: number[] = [];
    for (let passed = 0; passed < 8 * 24; passed++) {
      const before = opened();
      now += 3_600_000;
      const { problems, waiting } = await run();
      if (opened() > before) tries.push(passed + 1);
      else expect([problems, waiting]).toMatchObject([[], [{ trigger: "tensor", what: "issue" }]]);
    }
    expect(tries).toEqual([1, 2, 4, 8, 16, 32, 56, 80, 104, 128, 152, 176]);
    const says = (await status(config, store, now)).open.map((one) => one.says);
    expect(says).toEqual(["GitHub rejects its new text; the next try is on 2026-09-29"]);
    local.mend();
    now += 24 * 3_600_000;
    expect(await run()).toMatchObject({ opened: [{ issue: 1 }], waiting: [], problems: [] });
    expect((await status(config, store, now)).open.map((one) => one.says)).toEqual([undefined]);
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
        title: "Loom 2.13.0 released; is “Tensor” still right?",
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
