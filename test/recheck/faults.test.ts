import { expect, test } from "vitest";
import { checkCommit } from "../../src/faces/app/config/check-run.ts";
import type { AppRepository } from "../../src/faces/app/sandbox.ts";
import { GitHubProblem } from "../../src/model/ports/index.ts";
import type { Fault } from "../github/front.ts";
import { violations } from "../github/openapi.ts";
import { changed, openRoom, type Room, released } from "./answer/room.ts";

/** Every write that we make meets every way in which GitHub fails: in the end all is there once, and nothing twice. */

const writes = {
  "create a label": /^POST .*\/labels$/,
  "open an issue": /^POST .*\/repos\/[^/]+\/[^/]+\/issues$/,
  "edit an issue": /^PATCH .*\/issues\/1$/,
  "label an issue": /^POST .*\/issues\/1\/labels$/,
  "write a comment": /^POST .*\/issues\/\d+\/comments$/,
  "react to a comment": /^POST .*\/reactions$/,
  "make a tree": /^POST .*\/git\/trees$/,
  "make a commit": /^POST .*\/git\/commits$/,
  "make a branch": /^POST .*\/git\/refs$/,
  "move a branch": /^PATCH .*\/git\/refs\//,
  "open a pull request": /^POST .*\/pulls$/,
  "edit a pull request": /^PATCH .*\/pulls\/\d+$/,
  "write a check run": /^POST .*\/check-runs$/,
  "close an issue": /^PATCH .*\/issues\/[34]$/,
} as const;

interface Befalls extends Omit<Fault, "match"> {
  /** In which way GitHub is left otherwise than without it. */
  readonly leaves?: object;
}

const faults: Readonly<Record<string, Befalls>> = {
  "a 502 before it": { status: 502, when: "before" },
  "a 502 after it": { status: 502, when: "after" },
  "a connection torn before it": { when: "before" },
  "a connection torn after it": { when: "after" },
  // Without its permission a check run is not written: the daily sweep makes up for it.
  "a 403": { status: 403, message: "Resource not accessible by integration", when: "before", leaves: { checks: [] } },
  "a 404": { status: 404, message: "Not Found", when: "before" },
  "a 410": { status: 410, message: "This issue was deleted", when: "before" },
  "a 451": { status: 451, message: "Repository access blocked", when: "before" },
  "a repository that was just archived": {
    status: 403,
    message: "Repository was archived so is read-only.",
    when: "before",
  },
  "a 422": { status: 422, message: "Validation Failed", when: "before" },
  "the primary limit": {
    ...{ status: 403, message: "API rate limit exceeded", when: "before" },
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" },
  },
  "a secondary limit": {
    ...{ status: 403, message: "You have exceeded a secondary rate limit", when: "before" },
    headers: { "retry-after": "60" },
  },
};

const minute = 60_000;
/** A request that GitHub refuses is tried again after an hour, or the next day. */
const days = [1, 2, 3, 4, 5, 6].map((day) => day * 25 * 60);
const waits = [0, 1, 12, 24, 36, 48, 130, ...days].map((minutes) => minutes * minute);

/** As the server does: what did not succeed is done again later, until nothing waits any more. */
async function again(room: Room, work: () => Promise<unknown>): Promise<void> {
  const from = room.now;
  let isDone = false;
  for (const wait of waits) {
    room.now = from + wait;
    const before = room.local.requests.length;
    const isWhole = await step().then(() => true, unlessGitHub);
    const isWritten = room.local.requests.slice(before).some(({ method }) => method !== "GET");
    if (isWhole && !isWritten && !(await hasMore(room))) break;
  }
  expect(isDone).toBe(true);
  room.now = from + (waits.at(-1) ?? 0);

  async function step(): Promise<void> {
    if (!isDone) await work();
    isDone = true;
    await room.tend();
  }
}

function unlessGitHub(error: unknown): false {
  if (error instanceof GitHubProblem) return false;
  throw error;
}

/** Whether something waits for its time. */
async function hasMore({ store }: Room): Promise<boolean> {
  if ((await store.comments(false)).length > 0) return true;
  return (await store.rechecks()).some(
    ({ state, refused, pull }) =>
      state === "planned" || state === "closing" || refused !== undefined || pull?.patch !== undefined,
  );
}

const said = async ({ local }: Room, issue: number, body: string): Promise<number> =>
  (await local.asPerson<{ id: number }>("POST", `/issues/${issue}/comments`, { body })).id;

/** All that we write, each of it once; and what then stands on GitHub. */
async function story(room: Room): Promise<object> {
  const { local } = room;
  const nothing = async () => {};
  await room.fire(released(room.now));
  await again(room, nothing);
  await room.fire({ ...changed(room.now), trigger: "tensor", weight: "contrary" });
  await again(room, nothing);
  const high = "/recheck change tensor/maturity High because it is public";
  const first = await said(room, 1, high);
  await again(room, () => room.hear(first, high, "author"));
  const keep = "/recheck keep tensor/compile";
  const second = await said(room, 1, keep);
  await again(room, () => room.hear(second, keep, "author"));
  const parent = (await room.hub.commit("main"))?.sha ?? "";
  const files = [{ path: "sources.yaml", text: "report: {}\n" }];
  const commit = String(await room.hub.push({ branch: "broken", parent, message: "Break", files }));
  await again(room, async () => checkCommit((await room.repository()) as AppRepository, commit, true));
  await room.fire({ ...changed(room.now), event: { key: "vector moved" } });
  await again(room, nothing);
  const asked = (await room.store.rechecks()).find(({ trigger }) => trigger === "vector")?.issue ?? 0;
  const dismiss = "/recheck dismiss because it is noise";
  const third = await said(room, asked, dismiss);
  await again(room, () => room.hear(third, dismiss, "author", { issue: asked }));
  type Shown = { number: number; title: string; state: string; labels: { name: string }[]; pull_request?: object };
  const all = await local.asPerson<Shown[]>("GET", "/issues?state=all&direction=asc");
  const checks = await local.asPerson<{ check_runs: { conclusion: string }[] }>("GET", `/commits/${commit}/check-runs`);
  const issues = all.filter((one) => !one.pull_request);
  return {
    issues: issues.map(({ number, title, state, labels }) => [
      number,
      title,
      state,
      labels.map(({ name }) => name).sort(),
    ]),
    comments: await Promise.all(
      issues.map(async ({ number }) =>
        (await room.comments(number)).map(({ body }) => body.replace(/<!--.*?-->\s*/g, "").split("\n", 1)[0]),
      ),
    ),
    pulls: (await room.pulls()).map(({ title, state, head }) => [title, state, head.ref]),
    sources: await room.text("sources.yaml", "recheck/tensor-1"),
    checks: checks.check_runs.map(({ conclusion }) => conclusion),
    answers: (await room.store.answers()).map(({ rating, verdict }) => [rating, verdict]),
    asking: (await room.store.rechecks()).map(({ trigger, state }) => [trigger, state]),
    unsaid: await room.store.comments(false),
  };
}

async function played({ leaves: _, ...fault }: Partial<Befalls> = {}): Promise<{ stands: object; met: string[] }> {
  const room = await openRoom();
  try {
    const from = room.local.requests.length;
    const { when } = fault;
    for (const match of Object.values(writes)) if (when) room.local.fault({ match, ...fault, when });
    const stands = await story(room);
    const asked = room.local.requests.slice(from);
    expect(asked.flatMap(violations)).toEqual([]);
    const isMet = (match: RegExp) =>
      asked.some(({ method, path, status }) => match.test(`${method} ${path}`) && status === (fault.status ?? 0));
    return { stands, met: Object.entries(writes).flatMap(([name, match]) => (isMet(match) ? [name] : [])) };
  } finally {
    await room.close();
  }
}

const undisturbed = played();

test.each(Object.entries(faults))(
  "%s befalls each write once: all is written in the end, and nothing twice",
  async (_, fault) => {
    const { stands, met } = await played(fault);
    expect(met).toEqual(Object.keys(writes));
    expect(stands).toEqual({ ...(await undisturbed).stands, ...fault.leaves });
  },
);
