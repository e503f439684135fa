import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import type { Database } from "../../../../src/adapters/store/store.ts";
import { type ClaimedDraft, claimSetUp } from "../../../../src/faces/app/set-up/claims.ts";
import { newRepository } from "../../../../src/faces/app/webhooks/lifecycle.ts";
import { GitHubProblem, type SetUp } from "../../../../src/model/ports/index.ts";
import { readers } from "../../../../src/read/index.ts";
import { Hub } from "../../../stories/life/hub.ts";
import { sandboxHere } from "../config/sandbox-here.ts";

/** What is committed to the branch of a set-up once its sources were checked. */

const branch = "recheck/set-up";
const drafted = [{ path: "sources.yaml", text: "report: { title: Boards, audited: 2026-05-16 }\n" }];
const claimed: ClaimedDraft = {
  counts: { considered: 3, stated: 2, proved: 1 },
  asked: [],
  open: [],
  against: [],
  files: [{ path: "sources.yaml", text: "report: { title: Boards, audited: 2026-05-16 }\nsources: {}\n" }],
};
const found = { path: "README.md", because: "its name", references: 1, numbered: true, sources: 1, frozen: 0 };

let database: Database;
let hub: Hub;
let head: string;
const clock = { now: () => Date.UTC(2026, 5, 1) };

beforeEach(async () => {
  database = await openStore(":memory:");
  hub = new Hub({ "README.md": "# Boards" }, clock.now);
  head = hub.git.push(branch, drafted, "recheck[bot]");
  const config = { commit: head, folder: "" as const, files: drafted };
  const setUp = { marker: "m", branch, searched: "s", found, head, config } as unknown as SetUp;
  const begun = newRepository({ id: 7, name: "example/report" }, 1, clock.now());
  await database.registry.revise(7, () => ({ ...begun, defaultBranch: "main", setUp }));
});
afterEach(() => database.close());

const setUpNow = async () => (await database.registry.repository(7))?.setUp;

/** `meanwhile`: done while the claims are looked for. */
async function claim({ gives = claimed as ClaimedDraft | "no end", meanwhile = () => {}, push = hub.app.push } = {}) {
  const state = await database.registry.repository(7);
  if (!state) throw new Error("it is not known");
  const sandbox = {
    ...sandboxHere(),
    claims: async () => {
      meanwhile();
      return gives === "no end" ? undefined : gives;
    },
  };
  const store = database.repository(7);
  return claimSetUp({
    ...{ state, store, clock, readers, sandbox },
    github: { ...hub.app, push },
    link: () => undefined,
  });
}

test("claims are committed upon the draft, once", async () => {
  expect(await claim()).toBe("claimed");
  const after = hub.git.branches.get(branch);
  expect(await setUpNow()).toMatchObject({
    claims: claimed.counts,
    head: after,
    config: { commit: after, files: claimed.files },
  });
  expect(hub.git.commit(after ?? "")).toMatchObject({ parent: head });
  expect(await claim()).toBe("no");
  expect(hub.git.branches.get(branch)).toBe(after);
});

test("if nothing is found, or finding does not end, the draft stays as it is, and is not tried again", async () => {
  for (const gives of [{ ...claimed, files: [] }, "no end"] as const) {
    const before = await setUpNow();
    expect(await claim({ gives })).toBe("claimed");
    expect(hub.git.branches.get(branch)).toBe(head);
    expect((await setUpNow())?.claims?.considered).toBe(gives === "no end" ? 0 : 3);
    expect(await claim()).toBe("no");
    await database.registry.revise(7, (state) => ({ ...(state as NonNullable<typeof state>), setUp: before }));
  }
});

test("a push that is refused leaves the draft without claims, says why, and is not tried again", async () => {
  const says = "GitHub has not granted contents: write";
  const refuse = () => Promise.reject(new GitHubProblem("forbidden", says, { needs: "contents: write" }));
  expect(await claim({ push: refuse })).toBe("claimed");
  expect(await setUpNow()).toMatchObject({ head, config: { commit: head }, claims: { considered: 0, proved: 0 } });
  expect(await database.registry.repository(7)).toMatchObject({ says, refused: { "contents: write": clock.now() } });
  expect(await claim()).toBe("no");
  expect(hub.git.branches.get(branch)).toBe(head);
});

test("a push with an unknown result is an error, and tried again", async () => {
  const lose = () => Promise.reject(new GitHubProblem("lost", "the connection broke off"));
  await expect(claim({ push: lose })).rejects.toThrow("the connection broke off");
  expect((await setUpNow())?.claims).toBeUndefined();
  expect(await claim()).toBe("claimed");
});

test("a branch that a person has edited is left alone, be it while the claims are looked for", async () => {
  const edit = () => hub.git.push(branch, [{ path: "sources.yaml", text: "report: { title: Mine }\n" }], "ada");
  let theirs = "";
  expect(
    await claim({
      meanwhile: () => {
        theirs = edit();
      },
    }),
  ).toBe("no");
  expect(hub.git.branches.get(branch)).toBe(theirs);
  expect(await setUpNow()).toMatchObject({ head });

  // As it is read again after their push.
  const before = await setUpNow();
  const config = { commit: theirs, folder: "" as const, files: drafted };
  await database.registry.revise(7, (state) => ({
    ...(state as NonNullable<typeof state>),
    setUp: { ...(before as SetUp), config },
  }));
  expect(await claim()).toBe("no");
  expect(hub.git.branches.get(branch)).toBe(theirs);
});
