import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hearComment } from "../../../src/recheck/answer/comment.ts";
import { sweepPulls } from "../../../src/recheck/answer/pulls.ts";
import { updatePulls } from "../../../src/recheck/answer/update-pulls.ts";
import { sync } from "../../../src/recheck/sync.ts";
import { status } from "../../../src/status/status.ts";
import { violations } from "../../github/openapi.ts";
import { changed, openRoom, type Room, released, report, sources } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now));
  await room.tend();
});

afterEach(async () => {
  const wrong = room.local.requests.flatMap(violations);
  await room.close();
  expect(wrong).toEqual([]);
});

const high = "/recheck change tensor/maturity High because it is public";
const writes = () => room.local.requests.filter(({ method }) => method !== "GET").length;
const opened = () =>
  room.local.requests.filter(({ method, path }) => method === "POST" && /\/pulls$/.test(path)).length;
const pushed = () => room.local.requests.filter(({ path }) => /git\/commits$/.test(path)).length;

/** The lines of two texts that are not in both. */
function difference(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

describe("one pull request", () => {
  test("holds the exact edit of sources.yaml, of the report's cell, and a line of the log", async () => {
    await room.say(high);
    await room.say("/recheck keep compile", "reviewer");
    await room.tend();
    const [pull, ...others] = await room.pulls();
    expect(others).toEqual([]);
    expect(pull).toMatchObject({
      number: 2,
      title: "Answer recheck #1 (Tensor): tensor/maturity Medium → High, 1 kept",
      state: "open",
      head: { ref: "recheck/tensor-1" },
    });
    expect(pull?.body).toContain("Answers #1. Merging this closes the issue.");
    const at = async (path: string) => (await room.text(path, "recheck/tensor-1")) ?? "";
    expect(difference(sources, await at("sources.yaml"))).toEqual([
      "-   tensor/maturity: Medium # it runs",
      "-   tensor/compile: { level: Low, owners: [author] }",
      "+   tensor/maturity: { level: High, reviewed: 2026-11-20 } # it runs",
      "+   tensor/compile: { level: Low, owners: [author], reviewed: 2026-11-20 }",
    ]);
    expect(difference(report, await at("report.md"))).toEqual([
      "- | Tensor Board | Medium | Low |",
      "+ | Tensor Board | High | Low |",
    ]);
    expect(await at("reviews.md")).toBe(
      "# Log of reviews\n\n- 2026-11-20: tensor/maturity Medium → High, because it is public (#1)\n- 2026-11-20: tensor/compile Low kept (#1)\n",
    );
    const { body } = await room.issue();
    expect(body).toContain(
      "- Tensor Board · Maturity: Medium → **High**, by `author` on 2026-11-20, because it is public",
    );
    expect(body).toContain("The answers are in pull request #2. Every rating has an answer.");
  });

  test("is written once, and anew only when the answers change", async () => {
    await room.say(high);
    await room.tend();
    await room.tend();
    const before = writes();
    await room.tend();
    expect(writes()).toBe(before);
    expect((await room.pulls())[0]?.body).toContain("`tensor/compile` is not answered yet");
    await room.say("/recheck keep");
    await room.tend();
    expect([opened(), pushed()]).toEqual([1, 3]);
    expect((await room.pulls())[0]?.body).toContain("Merging this closes the issue.");
  });

  test("stays ours where nobody heard that its branch was moved", async () => {
    await room.say(high);
    await room.tend();
    await room.say("/recheck keep maturity because I was wrong");
    room.local.fault({ match: /^PATCH .*\/git\/refs\//, when: "after" });
    await expect(room.tend()).rejects.toMatchObject({ kind: "lost" });
    await room.say(high);
    await room.tend();
    expect((await room.store.rechecks())[0]?.pull?.shared).toBeUndefined();
    const { sha } = await room.local.asPerson<{ sha: string }>("GET", "/commits/recheck%2Ftensor-1");
    expect((await room.store.rechecks())[0]?.pull).toMatchObject({ head: sha });
    // One commit on top of the default branch: what was there before is replaced.
    const { parents } = await room.local.asPerson<{ parents: { sha: string }[] }>("GET", `/git/commits/${sha}`);
    expect(parents.map((parent) => parent.sha)).toEqual([(await room.hub.commit("main"))?.sha]);
  });

  test("is not told to be kept out by a rule where a branch of its name is there already: that one is let be", async () => {
    const main = (await room.hub.commit("main"))?.sha;
    await room.local.asPerson("POST", "/git/refs", { ref: "refs/heads/recheck/tensor-1", sha: main });
    const text = { message: "Mine", content: Buffer.from("mine").toString("base64"), branch: "recheck/tensor-1" };
    await room.local.asPerson("PUT", "/contents/mine.txt", text);
    await room.say(high);
    await room.tend();
    await room.tend();
    expect(await room.text("mine.txt", "recheck/tensor-1")).toBe("mine");
    expect((await room.pulls()).map(({ head }) => head.ref)).toEqual(["recheck/tensor-1-2"]);
    expect((await room.issue()).body).not.toContain("A rule of this repository");
  });

  test("that GitHub has and does not list yet is waited for, and not told to be kept out by a rule", async () => {
    await room.say(high);
    const refuse = { status: 422, message: "A pull request already exists for example:recheck/tensor-1." } as const;
    room.local.fault({ match: /^POST .*\/pulls$/, ...refuse, when: "after" });
    await room.tend();
    expect((await room.store.rechecks())[0]?.pull?.patch).toBeUndefined();
    await room.tend();
    expect([opened(), (await room.store.rechecks())[0]?.pull?.number]).toEqual([1, 2]);
  });

  test("holds what is answered though the recheck's trigger is no longer in config, and merging it closes the issue", async () => {
    const { evidence, ...event } = released(room.now, "2.14.0");
    const own = evidence.map((piece) => ({
      ...piece,
      ...(piece.condition && { condition: { ...piece.condition, ratings: ["tensor/maturity"] } }),
    }));
    await room.fire({ ...event, evidence: own });
    await room.tend();
    const without = async () => {
      const repository = await room.repository();
      return { ...repository, config: { ...repository.config, triggers: new Map() } };
    };
    const said = { kind: "comment", issue: 1, comment: 9, body: high, by: "author", bot: false } as const;
    await room.store.commit(await hearComment(await without(), said, room.now));
    await updatePulls(await without());
    expect((await room.pulls()).map(({ title }) => title)).toEqual([
      "Answer recheck #1 (tensor): tensor/maturity Medium → High",
    ]);
    await room.merge(2);
    await room.refresh();
    await room.hearOf(2);
    await updatePulls(await without());
    await sync({ ...(await without()), commands: true });
    expect((await room.issue()).state).toBe("closed");
  });

  test("is in the folder where config lives", async () => {
    await room.close();
    room = await openRoom({ folder: ".github/recheck" });
    await room.fire(released(room.now));
    await room.tend();
    await room.say(high);
    await room.tend();
    expect(await room.text(".github/recheck/sources.yaml", "recheck/tensor-1")).toContain("level: High");
    expect(await room.text("report.md", "recheck/tensor-1")).toContain("| Tensor Board | High | Low |");
  });

  test("follows a change of mind", async () => {
    await room.say(high);
    await room.tend();
    await room.say("/recheck keep maturity because I was wrong");
    await room.tend();
    expect(await room.text("report.md", "recheck/tensor-1")).toBe(report);
    expect(await room.text("sources.yaml", "recheck/tensor-1")).toContain("{ level: Medium, reviewed: 2026-11-20 }");
    expect(opened()).toBe(1);
  });

  test.each([
    ["the pull request, before it", /^POST .*\/pulls$/, "before"],
    ["the pull request, after it", /^POST .*\/pulls$/, "after"],
    ["the commit", /^POST .*\/git\/commits$/, "after"],
    ["the branch", /^POST .*\/git\/refs$/, "after"],
  ] as const)("is there once, though GitHub fails at %s", async (_, match, when) => {
    await room.say(high);
    room.local.fault({ match, status: 502, when });
    await room.tend().catch(() => {});
    await room.tend();
    // Until then GitHub may still open it.
    room.now += 600_000;
    await room.tend();
    await room.tend();
    expect(await room.pulls()).toHaveLength(1);
    expect(await room.text("sources.yaml", "recheck/tensor-1")).toContain("level: High");
    expect((await room.store.rechecks())[0]?.pull).toMatchObject({ number: 2, round: 1, holds: [1] });
  });

  test("is there once, though its number was forgotten", async () => {
    await room.say(high);
    await room.tend();
    await room.store.updateRecheck(1, { pull: { branch: "recheck/tensor-1", round: 1 } });
    await room.tend();
    expect(await room.pulls()).toHaveLength(1);
    expect((await room.store.rechecks())[0]?.pull?.number).toBe(2);
  });

  test("waits where no more may be created within the hour", async () => {
    for (let index = 0; index < 20; index++) await room.store.countCreation(room.now);
    await room.say(high);
    await room.tend();
    expect(await room.pulls()).toEqual([]);
    expect((await room.issue()).body).toContain("Their pull request is not open yet. Still open:");
    room.now += 3_600_001;
    await room.tend();
    expect(await room.pulls()).toHaveLength(1);
    expect((await room.issue()).body).toContain("The answers are in pull request #2. Still open:");
  });
});

describe("a person's work on its branch and in its text stays", () => {
  test("later answers go on top", async () => {
    await room.say(high);
    await room.tend();
    const byHand = (await room.text("report.md", "recheck/tensor-1"))?.replace("# Boards", "# All boards") ?? "";
    await room.write("report.md", byHand, "recheck/tensor-1");
    const [pull] = await room.pulls();
    const body = `For the board.\n\n${pull?.body}\n\nSee also the tracker.`.replace("- [ ] *Train", "- [x] *Train");
    await room.local.asPerson("PATCH", "/pulls/2", { body });
    await room.say("/recheck change compile Medium because it compiles");
    await room.tend();
    expect(await room.text("report.md", "recheck/tensor-1")).toBe(
      report.replace("# Boards", "# All boards").replace("| Medium | Low |", "| High | Medium |"),
    );
    expect(await room.text("reviews.md", "recheck/tensor-1")).toBe(
      "# Log of reviews\n\n- 2026-11-20: tensor/maturity Medium → High, because it is public (#1)\n- 2026-11-20: tensor/compile Low → Medium, because it compiles (#1)\n",
    );
    const after = (await room.pulls())[0]?.body ?? "";
    expect(after).toMatch(
      /^For the board\.\n\n<!-- recheck:answer [\s\S]*<!-- recheck:end -->\n\nSee also the tracker\.$/,
    );
    expect(after).toContain("- [x] *Train on vector*");
    expect(after).toContain("it compiles");
  });

  test("a change of mind goes on top, too", async () => {
    await room.say(high);
    await room.tend();
    await room.write("notes.md", "mine\n", "recheck/tensor-1");
    await room.say("/recheck keep maturity because it is not");
    await room.tend();
    await room.say("/recheck change compile High because it does");
    await room.tend();
    await room.say("/recheck keep compile because it does not");
    await room.tend();
    expect(await room.text("notes.md", "recheck/tensor-1")).toBe("mine\n");
    expect(await room.text("report.md", "recheck/tensor-1")).toBe(report);
    expect(await room.text("sources.yaml", "recheck/tensor-1")).toContain("{ level: Medium, reviewed: 2026-11-20 }");
  });
});

describe("merged", () => {
  const merged = async () => {
    await room.merge(2);
    await room.hearOf(2);
    await room.refresh();
    await room.tend();
    await room.tend();
  };

  test("with every rating answered, the recheck and its issue are closed, and the ratings fresh", async () => {
    await room.say(high);
    await room.say("/recheck keep");
    await room.tend();
    await merged();
    expect(await room.issue()).toMatchObject({ state: "closed", state_reason: "completed" });
    const { body } = await room.issue();
    expect(body).toContain("Closed on 2026-11-20: 1 rating changed, 1 kept, answered by `author`.");
    expect(body).toContain("- Tensor Board · Maturity: changed to **High**, by `author`");
    expect(body).not.toContain("### Answer\n");
    expect(await room.store.rechecks()).toMatchObject([{ state: "closed", pull: { ended: expect.any(Number) } }]);
    const { config, store } = await room.repository();
    const { ratings } = await status(config, store, room.now);
    expect(ratings.map(({ rating, level, value }) => [rating, level, value]).slice(0, 2)).toEqual([
      ["tensor/maturity", "fresh", "High"],
      ["tensor/compile", "fresh", "Low"],
    ]);
    await room.fire(released(room.now));
    await room.tend();
    expect(await room.store.rechecks()).toHaveLength(1);
  });

  test("with a rating left, it stays open and says what is still asked; what was merged is fresh", async () => {
    await room.say(high);
    await room.tend();
    await merged();
    const { state, body } = await room.issue();
    expect(state).toBe("open");
    expect(body).toContain("Still open: **Tensor Board**: compile.");
    const { config, store } = await room.repository();
    const levels = (await status(config, store, room.now)).ratings.map(({ level }) => level);
    expect(levels.slice(0, 2)).toEqual(["fresh", "to review"]);
    await room.say("/recheck keep");
    await room.tend();
    expect((await room.pulls()).map(({ head }) => head.ref)).toEqual(["recheck/tensor-1", "recheck/tensor-1-2"]);
    await room.merge(3);
    await room.hearOf(3);
    await room.refresh();
    await room.tend();
    expect((await room.issue()).state).toBe("closed");
  });

  test("though the push is heard before it, after it, or alone", async () => {
    await room.say(high);
    await room.say("/recheck keep");
    await room.tend();
    await room.merge(2);
    await room.refresh();
    await room.tend();
    expect((await room.issue()).state).toBe("closed");
    await room.hearOf(2);
    await room.hearOf(2);
    await room.tend();
    expect(await room.store.rechecks()).toMatchObject([{ state: "closed" }]);
    expect((await room.store.answers()).every(({ settled }) => settled !== undefined)).toBe(true);
  });

  test("while an answer came that it does not hold, that one gets a pull request of its own", async () => {
    await room.say(high);
    await room.tend();
    await room.merge(2);
    await room.say("/recheck change compile Medium because it compiles");
    await room.tend();
    expect((await room.store.answers()).map(({ settled }) => settled !== undefined)).toEqual([true, false]);
    await room.refresh();
    await room.tend();
    expect((await room.pulls()).map(({ head, state }) => [head.ref, state])).toEqual([
      ["recheck/tensor-1", "closed"],
      ["recheck/tensor-1-2", "open"],
    ]);
    expect(await room.text("sources.yaml", "recheck/tensor-1-2")).toContain("level: High");
  });

  test("is seen by the sweep, where news of it got lost", async () => {
    await room.say(high);
    await room.say("/recheck keep");
    await room.tend();
    await room.merge(2);
    await sweepPulls(await room.repository());
    await room.tend();
    expect((await room.issue()).state).toBe("closed");
  });
});

describe("closed unmerged", () => {
  beforeEach(async () => {
    await room.say(high);
    await room.say("/recheck keep");
    await room.tend();
    await room.closePull(2);
  });

  test("withdraws the answers, and the issue says so, once", async () => {
    await room.hearOf(2);
    await room.hearOf(2);
    await room.tend();
    await room.tend();
    expect(await room.store.answers()).toEqual([]);
    const said = (await room.comments()).map(({ body }) => body).filter((body) => body.includes("recheck:reply"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(
      "#2 was closed without a merge, so its answers are withdrawn: `tensor/maturity` and `tensor/compile` are open again. To get them back, reopen #2; restore its branch first if it was deleted.",
    );
    const { body, state } = await room.issue();
    expect([state, body.includes("### Answered")]).toEqual(["open", false]);
    expect(await room.hub.commit("recheck/tensor-1")).toBeUndefined();
  });

  test("and answered anew, another one is opened", async () => {
    await room.hearOf(2);
    await room.say("/recheck keep");
    await room.tend();
    expect((await room.pulls()).map(({ head, state }) => [head.ref, state])).toEqual([
      ["recheck/tensor-1", "closed"],
      ["recheck/tensor-1-2", "open"],
    ]);
  });

  test("and opened again before that was heard, it goes on", async () => {
    await room.local.asPerson("PATCH", "/pulls/2", { state: "open" });
    await room.hearOf(2);
    expect(await room.store.answers()).toHaveLength(2);
  });

  test("is noticed when there is something to write, though nobody told", async () => {
    await room.say("/recheck change compile High because it does");
    await room.tend();
    await room.tend();
    expect((await room.pulls()).map(({ state }) => state)).toEqual(["closed", "open"]);
    expect((await room.store.answers()).map(({ level }) => level)).toEqual(["High"]);
  });
});

describe("closed unmerged, and opened again", () => {
  const said = async () =>
    (await room.comments()).flatMap(({ body }) => /recheck:reply [^\n]*\n\n(.*)/.exec(body)?.[1] ?? []);
  const given = async () =>
    (await room.store.answers()).map(({ rating, verdict, settled }) => [rating, verdict, settled !== undefined]);
  const merged = async (pull: number, how: () => Promise<void>) => {
    await room.merge(pull);
    await how();
    await room.refresh();
    await room.tend();
    await room.tend();
  };
  const back = "#2 was reopened: its answers about `tensor/maturity` and `tensor/compile` count again.";

  beforeEach(async () => {
    await room.say(high);
    await room.say("/recheck keep");
    await room.tend();
    await room.closePull(2);
    await room.hearOf(2);
    await room.tend();
    expect(await given()).toEqual([]);
  });

  test("gives the answers back, the issue says so once, and merging closes it", async () => {
    await room.reopenPull(2);
    await room.hearOf(2);
    await room.hearOf(2);
    await room.tend();
    await room.tend();
    expect((await said()).slice(1)).toEqual([back]);
    expect((await room.issue()).body).toContain("The answers are in pull request #2. Every rating has an answer.");
    const before = writes();
    await room.tend();
    expect(writes()).toBe(before);
    await merged(2, () => room.hearOf(2));
    expect((await room.issue()).state).toBe("closed");
    expect((await room.issue()).body).toContain(
      "Closed on 2026-11-20: 1 rating changed, 1 kept, answered by `author`.",
    );
    expect(await room.pulls()).toHaveLength(1);
    expect(await said()).toHaveLength(2);
  });

  test("is heard by its merging alone", async () => {
    await room.reopenPull(2);
    await merged(2, () => room.hearOf(2));
    expect((await room.issue()).state).toBe("closed");
    expect((await room.issue()).body).toContain(
      "Closed on 2026-11-20: 1 rating changed, 1 kept, answered by `author`.",
    );
    expect(await said()).toHaveLength(1);
  });

  test("is seen by the sweep, open or merged", async () => {
    await room.reopenPull(2);
    await sweepPulls(await room.repository());
    await sweepPulls(await room.repository());
    await room.tend();
    expect((await said()).slice(1)).toEqual([back]);
    await room.closePull(2);
    await room.hearOf(2);
    await room.reopenPull(2);
    await merged(2, async () => sweepPulls(await room.repository()));
    expect((await room.issue()).state).toBe("closed");
  });

  test("is noticed before another one is opened, though nobody told", async () => {
    await room.reopenPull(2);
    await room.say("/recheck keep maturity");
    await room.tend();
    await room.tend();
    expect((await room.pulls()).map(({ number, state }) => [number, state])).toEqual([[2, "open"]]);
    expect((await room.pulls())[0]?.title).toMatch(/: 2 kept$/);
    expect((await said()).slice(1)).toEqual(["#2 was reopened: its answer about `tensor/compile` counts again."]);
    await merged(2, () => room.hearOf(2));
    expect((await room.issue()).state).toBe("closed");
  });

  test("goes on where all of it was answered otherwise since, and no other is opened", async () => {
    await room.reopenPull(2);
    await room.say("/recheck keep");
    await room.tend();
    await room.tend();
    expect((await room.pulls()).map(({ number, state }) => [number, state])).toEqual([[2, "open"]]);
    expect((await room.pulls())[0]?.title).toMatch(/: 2 kept$/);
    expect(await said()).toHaveLength(1);
    await merged(2, () => room.hearOf(2));
    expect((await room.issue()).state).toBe("closed");
  });

  test("goes on where its answers fell to a dismissal that was taken back, and no other is opened", async () => {
    await room.reopenPull(2);
    await room.hearOf(2);
    await room.say("/recheck dismiss because of this");
    await room.tend();
    expect((await room.pulls()).map(({ state }) => state)).toEqual(["closed"]);
    await room.reopenPull(2);
    await room.local.asPerson("PATCH", "/issues/1", { state: "open" });
    await room.tend();
    await room.say("/recheck keep");
    await room.tend();
    expect((await room.pulls()).map(({ number, state }) => [number, state])).toEqual([[2, "open"]]);
    expect((await room.pulls())[0]?.title).toMatch(/: 2 kept$/);
  });

  test("beside another one, gives back what nobody answered otherwise", async () => {
    await room.say("/recheck keep maturity");
    await room.tend();
    await room.reopenPull(2);
    await room.hearOf(2);
    await room.tend();
    expect((await said()).slice(1)).toEqual([
      "#2 was reopened: its answer about `tensor/compile` counts again, and moves to #3.",
    ]);
    expect((await room.pulls())[1]?.title).toMatch(/: 2 kept$/);
    await merged(3, () => room.hearOf(3));
    expect((await room.issue()).state).toBe("closed");
  });

  test("beside another one that answers all of it, gives nothing back", async () => {
    await room.say("/recheck keep");
    await room.tend();
    await room.reopenPull(2);
    await room.hearOf(2);
    await sweepPulls(await room.repository());
    await room.tend();
    expect(await said()).toHaveLength(1);
    expect((await given()).map(([, verdict]) => verdict)).toEqual(["keep", "keep"]);
  });

  test("after another one was closed, too, goes on where it was, with what people did on its branch", async () => {
    await room.say("/recheck keep maturity");
    await room.tend();
    await room.closePull(3);
    await room.hearOf(3);
    await room.reopenPull(2);
    await room.write("notes.md", "mine\n", "recheck/tensor-1");
    await room.hearOf(2);
    await room.tend();
    await room.say("/recheck change compile High because it does");
    await room.tend();
    expect(await room.text("notes.md", "recheck/tensor-1")).toBe("mine\n");
    expect((await room.pulls()).map(({ state }) => state)).toEqual(["open", "closed"]);
    await merged(2, () => room.hearOf(2));
    expect((await room.issue()).state).toBe("closed");
    expect((await given()).filter(([, , settled]) => !settled)).toEqual([["tensor/compile", "keep", false]]);
  });

  test("and closed again, they are withdrawn again, which is said again", async () => {
    await room.reopenPull(2);
    await room.hearOf(2);
    await room.closePull(2);
    await room.hearOf(2);
    await room.tend();
    expect(await given()).toEqual([]);
    expect((await said()).map((text) => text.split(/[.:]/, 1)[0])).toEqual([
      "#2 was closed without a merge, so its answers are withdrawn",
      "#2 was reopened",
      "#2 was closed without a merge, so its answers are withdrawn",
    ]);
  });

  test("after a dismissal, gives nothing back", async () => {
    await room.say("/recheck dismiss because of this");
    await room.tend();
    await room.reopenPull(2);
    await room.hearOf(2);
    expect(await given()).toEqual([]);
  });

  test("after the issue was closed by hand, tells there what came of them", async () => {
    await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
    await room.tend();
    await room.reopenPull(2);
    await room.hearOf(2);
    await merged(2, () => room.hearOf(2));
    expect((await room.issue()).body).toContain("1 rating changed, 1 kept, answered by `author`.");
    expect(await said()).toHaveLength(1);
  });
});

describe("where GitHub does not let us", () => {
  const refuse = (match: RegExp, status = 403) =>
    room.local.fault({ match, status, message: "Resource not accessible by integration", when: "before", times: 99 });

  test.each([
    ["write contents", /git\/trees$/],
    ["open pull requests", /^(GET|POST) .*\/pulls$/],
  ])("%s, the edit is a patch in the issue, folded away", async (_, match) => {
    refuse(match);
    await room.say(high);
    await room.tend();
    const { body } = await room.issue();
    expect(body).toContain("<details><summary>Changes to make in the repository</summary>");
    expect(body).toContain("\n````diff\ndiff --git a/sources.yaml b/sources.yaml\n");
    expect(body).toContain("\n+  tensor/maturity: { level: High, reviewed: 2026-11-20 } # it runs\n");
    expect(body).toContain("\n+| Tensor Board | High | Low |\n");
    expect(await room.pulls()).toEqual([]);
    const before = writes();
    await room.tend();
    expect(writes()).toBe(before);
  });

  test("and somebody writes it by hand, that settles it", async () => {
    refuse(/git\/trees$/);
    await room.say("/recheck keep");
    await room.tend();
    room.local.fault({ match: /nothing/, when: "before" });
    const text = sources
      .replace("Medium # it runs", "{ level: Medium, reviewed: 2026-11-20 }")
      .replace("owners: [author] }", "owners: [author], reviewed: 2026-11-21 }");
    await byHand("sources.yaml", text);
    await room.refresh();
    await room.tend();
    expect((await room.issue()).state).toBe("closed");
    expect((await room.issue()).body).not.toContain("Changes to make in the repository");
  });

  test("any more, what is answered later is a patch, and nothing else is held up", async () => {
    await room.say(high);
    await room.tend();
    refuse(/\/pulls/);
    refuse(/^(POST|PATCH) .*git\//);
    await room.say("/recheck keep compile");
    await room.fire(changed(room.now));
    await room.tend();
    expect((await room.issue(1)).body).toContain("Changes to make in the repository");
    expect((await room.issue(3)).state).toBe("open");
    await room.say("/recheck dismiss because nobody can merge it");
    await room.tend();
    expect((await room.issue(1)).state).toBe("closed");
    expect((await room.store.rechecks())[0]?.pull?.ended).toBe(room.now);
  });

  test("because much was created just now, it waits, and is no patch", async () => {
    const message = "Validation Failed: was submitted too quickly";
    room.local.fault({ match: /^POST .*\/pulls$/, status: 422, message, when: "before", times: 1 });
    await room.say(high);
    await expect(room.tend()).rejects.toMatchObject({ kind: "slow-down" });
    room.now += 60_000;
    await room.tend();
    expect(await room.pulls()).toHaveLength(1);
    expect((await room.issue()).body).not.toContain("Changes to make in the repository");
  });

  test("one day, it is tried again on the next", async () => {
    room.local.fault({ match: /git\/trees$/, status: 403, message: "no", when: "before", times: 1 });
    await room.say(high);
    await room.tend();
    expect(await room.pulls()).toEqual([]);
    room.now += 86_400_000;
    await room.tend();
    await room.tend();
    expect(await room.pulls()).toHaveLength(1);
    expect((await room.issue()).body).not.toContain("Changes to make in the repository");
  });

  async function byHand(path: string, text: string): Promise<void> {
    const { sha } = await room.local.asPerson<{ sha: string }>("GET", `/contents/${path}`);
    const content = Buffer.from(text).toString("base64");
    await room.local.asPerson("PUT", `/contents/${path}`, { message: "By hand", content, sha });
  }
});

test("what stands in the config already needs no pull request", async () => {
  const reviewed = sources.replace("Medium # it runs", "{ level: Medium, reviewed: 2026-11-20 }");
  await room.write("sources.yaml", reviewed.replace("[author] }", "[author], reviewed: 2026-11-20 }"));
  await room.refresh();
  await room.say("/recheck keep");
  await room.tend();
  expect(await room.pulls()).toEqual([]);
  expect((await room.issue()).state).toBe("closed");
});

test("new evidence asks again about what was answered before", async () => {
  await room.say("/recheck keep");
  await room.tend();
  room.now += 1_000;
  await room.fire(released(room.now, "2.14.0"));
  await room.tend();
  expect((await room.issue()).body).not.toContain("### Answered");
  await room.merge(2);
  await room.hearOf(2);
  await room.refresh();
  await room.tend();
  expect((await room.issue()).state).toBe("open");
});

test("each recheck has a pull request of its own", async () => {
  await room.fire(changed(room.now));
  await room.tend();
  await room.say("/recheck keep", "author", 1);
  await room.say("/recheck change maturity Low because it fell behind", "author", 2);
  await room.tend();
  expect((await room.pulls()).map(({ head }) => head.ref)).toEqual(["recheck/tensor-1", "recheck/vector-2"]);
  expect(await room.text("sources.yaml", "recheck/vector-2")).not.toContain("tensor/maturity: {");
});

test("closing the issue by hand answers the evidence, and sets no date", async () => {
  await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
  expect((await room.tend()).closed).toEqual([1]);
  expect(await room.pulls()).toEqual([]);
  const { state, body } = await room.issue();
  expect(state).toBe("closed");
  expect(body).toContain("Closed by hand on 2026-11-20: no rating counts as reviewed.");
  expect(body).not.toContain("### Answer\n");
  const before = room.local.requests.length;
  expect((await room.tend()).closed).toEqual([]);
  expect(room.local.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  const { config, store } = await room.repository();
  expect((await status(config, store, room.now)).ratings[0]?.level).toBe("due");
});

describe("closed by hand while answers wait in a pull request, the issue says so", () => {
  const text = async () => (await room.issue()).body;

  beforeEach(async () => {
    await room.say(high);
    await room.tend();
    await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
    await room.tend();
    expect(await text()).toContain(
      "because it is public\n\nAnswers that are not in the config yet are in #2: merge it to write them, close it to withdraw them.",
    );
  });

  afterEach(async () => {
    const before = writes();
    await room.tend();
    expect(writes()).toBe(before);
    expect((await room.issue()).state).toBe("closed");
  });

  test("and what came of them once that is merged", async () => {
    await room.merge(2);
    await room.hearOf(2);
    await room.refresh();
    await room.tend();
    const body = await text();
    expect(body).toContain("Closed by hand on 2026-11-20: 1 rating changed, answered by `author`; 1 was not reviewed.");
    expect(body).toContain("- Tensor Board · Maturity: changed to **High**, by `author`");
    expect(body).not.toContain("waits in");
  });

  test("and forgets them once that is closed", async () => {
    await room.closePull(2);
    await room.hearOf(2);
    await room.tend();
    const body = await text();
    expect(body).toContain("no rating counts as reviewed.");
    expect(body).not.toContain("### Answered");
  });

  test("and what a person wrote by hand instead", async () => {
    const sources = (await room.text("sources.yaml", "recheck/tensor-1")) ?? "";
    await room.write("sources.yaml", sources);
    await room.refresh();
    await room.tend();
    expect(await text()).toContain("1 rating changed, answered by `author`; 1 was not reviewed.");
    expect((await room.pulls()).map(({ state }) => state)).toEqual(["closed"]);
  });
});

test("a question that a person has ticked off stays so when the rest is written again", async () => {
  await room.write("triggers/tensor.yaml", `${await room.text("triggers/tensor.yaml")}ask: Does it hold?\n`);
  await room.refresh();
  await room.tend();
  const { body: before } = await room.issue();
  expect(before).toContain("To decide:\n\n- [ ] Does it hold?\n");
  await room.local.asPerson("PATCH", "/issues/1", {
    body: before.replace("- [ ] Does it hold?", "- [x] Does it hold?"),
  });
  await room.say(high);
  await room.tend();
  const { body } = await room.issue();
  expect(body).toContain("### Answered");
  expect(body).toContain("- [x] Does it hold?\n");
});
