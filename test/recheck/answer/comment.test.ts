import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isAsking } from "../../../src/model/ports/index.ts";
import { handleComment } from "../../../src/recheck/answer/comment.ts";
import { fullRechecks } from "../../../src/recheck/answer/repository.ts";
import { watchOf } from "../../support/watch-of.ts";
import { loose, openRoom, type Room, released } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now));
  await room.tend();
});

afterEach(() => room.close());

const reactions = () => room.local.reactions.map(({ content }) => content);
const words = async () =>
  (await room.comments()).map(({ body }) => body).filter((body) => body.includes("recheck:reply"));
const answers = async () =>
  (await room.store.answers()).map(({ rating, verdict, level, by }) => [rating, verdict, level, by]);

describe("who may answer", () => {
  test("a maintainer and a triager may: a reaction, and no words", async () => {
    await room.say("/recheck change tensor/maturity High because it is public");
    await room.say("/recheck keep compile", "reviewer");
    await room.tend();
    expect(reactions()).toEqual(["+1", "+1"]);
    expect(await words()).toEqual([]);
    expect(await answers()).toEqual([
      ["tensor/maturity", "change", "High", "author"],
      ["tensor/compile", "keep", undefined, "reviewer"],
    ]);
  });

  test("comment-command escalation: a stranger is refused, by one comment however often they try, and one reaction an hour", async () => {
    await room.say("/recheck change tensor/maturity High because I say so", "reader");
    await room.say("/recheck dismiss because I say so", "reader");
    await room.say("/recheck keep", "reader");
    await room.tend();
    expect(reactions()).toEqual(["confused"]);
    room.now += 3_600_000;
    const again = await room.say("/recheck dismiss because I say so", "reader");
    await room.say("/recheck keep", "reader");
    await room.tend();
    expect(reactions()).toEqual(["confused", "confused"]);
    expect(room.local.reactions.at(-1)?.path).toContain(`/comments/${again}/`);
    expect(await words()).toHaveLength(1);
    expect((await words())[0]).toContain("needs triage access or more");
    expect(await answers()).toEqual([]);
    expect(await room.store.rechecks()).toMatchObject([{ state: "open" }]);
    await room.say("/recheck keep");
    await room.say("/recheck keep");
    expect(reactions()).toHaveLength(4);
  });

  test("a bot, a quotation and any other talk are not heard", async () => {
    const id = await room.say("What of the compiler?");
    await room.hear(id, "/recheck keep", "helper[bot]", { bot: true });
    await room.say("> /recheck keep\n\nI would not.");
    await room.say("```\n/recheck keep\n```");
    await room.hear(id, "/recheck keep", "author", { issue: 77 });
    await room.tend();
    expect([reactions(), await words(), await answers()]).toEqual([[], [], []]);
  });
});

describe("a mistake is answered once", () => {
  test.each([
    ["/recheck change tensor/maturity Hihg because x", "did you mean `High`?"],
    ["/recheck snoze 14d", "did you mean `snooze`?"],
    ["/recheck dismiss", "The reason is missing"],
  ])("%s", async (body, says) => {
    const id = await room.say(body);
    await room.tend();
    await room.hear(id, body, "author");
    await room.tend();
    expect(reactions()).toEqual(["confused"]);
    expect(await words()).toHaveLength(1);
    expect((await words())[0]).toContain(says);
  });

  test("help is answered once, with these ratings", async () => {
    await room.say("/recheck help");
    await room.tend();
    expect(reactions()).toEqual(["+1"]);
    expect((await words())[0]).toContain("This recheck asks about `tensor/maturity` and `tensor/compile`");
  });

  test("further commands of a comment are not obeyed, which is said", async () => {
    await room.say("/recheck keep maturity\n/recheck keep compile");
    await room.tend();
    expect(await answers()).toHaveLength(1);
    expect((await words())[0]).toContain("Only the first line of a comment is read");
  });

  test("a closed recheck answers nothing, but still helps", async () => {
    await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
    await room.tend();
    await room.say("/recheck keep");
    await room.say("/recheck help");
    await room.tend();
    expect(reactions()).toEqual(["confused", "+1"]);
    expect(await words()).toHaveLength(2);
    expect((await words())[0]).toContain("this recheck is closed.");
    expect(await answers()).toEqual([]);
  });
});

describe("in an issue that was closed, and opened again", () => {
  const put = (state: string) => room.local.asPerson("PATCH", "/issues/1", { state });
  beforeEach(async () => {
    room.now += 7_200_000;
    await put("closed");
    await room.tend();
    room.now += 3_600_000;
  });

  test("an answer counts, though nobody has checked the issue since", async () => {
    await put("open");
    await room.say("/recheck keep");
    await room.tend();
    expect(reactions()).toEqual(["+1"]);
    expect(await words()).toEqual([]);
    expect(await room.store.rechecks()).toMatchObject([{ state: "open", issue: 1 }]);
    const [one] = await fullRechecks(await room.repository());
    expect(one?.status.open).toEqual([]);
    expect((await room.pulls()).map(({ state }) => state)).toEqual(["open"]);
  });

  test("an answer from before it was closed is asked for again", async () => {
    await put("open");
    await room.tend();
    await room.say("/recheck keep compile");
    await put("closed");
    await room.tend();
    await put("open");
    await room.say("/recheck keep maturity");
    const [one] = await fullRechecks(await room.repository());
    expect(one?.status.open).toEqual(["tensor/compile"]);
  });

  test("an answer from before it was closed that is heard only now does not count", async () => {
    await put("open");
    const said = { kind: "comment", issue: 1, comment: 5, body: "/recheck keep", by: "author", bot: false } as const;
    await room.store.commit(await handleComment(await room.repository(), said, room.now - 2 * 3_600_000));
    const [one] = await fullRechecks(await room.repository());
    expect(one?.status.open).toEqual(["tensor/maturity", "tensor/compile"]);
  });

  test("while another one asks, the answer says which", async () => {
    await room.fire(released(room.now, "2.14.0"));
    await room.tend();
    await put("open");
    await room.say("/recheck keep");
    await room.tend();
    expect(reactions()).toEqual(["confused"]);
    expect((await words())[0]).toContain("this recheck is closed, and #2 has taken its place. Answer there.");
    expect(await answers()).toEqual([]);
  });
});

describe("a comment is answered once", () => {
  test("though it is heard again, after its answers were withdrawn", async () => {
    const id = await room.say("/recheck keep");
    await room.tend();
    await room.closePull(2);
    await room.hearOf(2);
    await room.hear(id, "/recheck keep", "author");
    expect(await answers()).toEqual([]);
  });

  test.each([
    ["the reaction", /reactions$/],
    ["the permission", /permission$/],
  ])("though GitHub fails at %s, before or after", async (_, match) => {
    for (const when of ["before", "after"] as const) {
      room.local.fault({ match, status: 502, when });
      const comment = 1_000 + reactions().length;
      const hear = () => room.hear(comment, "/recheck keep maturity", "author");
      await expect(hear()).rejects.toMatchObject({ kind: "unavailable" });
      const before = (await answers()).length;
      await hear();
      expect(await answers()).toHaveLength(before + 1);
    }
  });

  test("though a later one was heard before it: the last word holds", async () => {
    await room.hear(52, "/recheck change maturity High because I checked again", "author");
    await room.hear(51, "/recheck keep maturity compile", "author");
    expect((await room.store.answers()).map(({ rating, verdict }) => [rating, verdict])).toEqual([
      ["tensor/maturity", "change"],
      ["tensor/compile", "keep"],
    ]);
    await room.hear(53, "/recheck keep maturity", "author");
    await room.tend();
    expect((await room.pulls()).map(({ title }) => title)).toEqual([expect.stringMatching(/: 2 kept$/)]);
  });

  test("though it was deleted meanwhile, or the conversation is locked", async () => {
    room.local.fault({ match: /reactions$/, status: 404, message: "Not Found", when: "before" });
    await room.say("/recheck keep maturity");
    room.local.fault({ match: /reactions$/, status: 403, message: "locked", when: "before" });
    await room.say("/recheck keep compile");
    expect(await answers()).toHaveLength(2);
  });

  test.each(["before", "after"] as const)("in words, with a connection cut %s them", async (when) => {
    await room.say("/recheck help");
    room.local.fault({ match: /^POST .*\/issues\/1\/comments$/, when });
    await room.tend();
    // Until then GitHub may still write it.
    room.now += 600_000;
    await room.tend();
    expect(await words()).toHaveLength(1);
    expect(await room.store.comments(false)).toEqual([]);
  });
});

test("a comment on an issue whose creation was not heard to succeed is not lost", async () => {
  await room.store.updateRecheck(1, { state: "planned" });
  await room.say("/recheck keep");
  expect(await room.store.rechecks()).toMatchObject([{ issue: 1 }]);
  expect(await answers()).toHaveLength(2);
});

test("marker forgery: a stranger's copy of an issue whose creation was not confirmed is not taken for it", async () => {
  const { body } = await room.issue();
  await room.store.updateRecheck(1, { state: "planned" });
  const copy = await room.local.asPerson<{ number: number }>("POST", "/issues", { title: "A copy", body }, "reader");
  await room.say("/recheck keep", "author", copy.number);
  expect((await room.store.rechecks())[0]?.issue).toBeUndefined();
  expect(await room.comments(copy.number)).toHaveLength(1);
  expect(reactions()).toEqual([]);
});

describe("dismissing", () => {
  test("closes the issue as not planned, takes back what waits, and counts against the trigger", async () => {
    await room.say("/recheck change maturity High because yes");
    await room.tend();
    await room.say("/recheck dismiss because a patch release");
    await room.tend();
    await room.tend();
    expect(await room.issue()).toMatchObject({ state: "closed", state_reason: "not_planned" });
    expect((await room.issue()).body).toContain("dismissed by `author` on 2026-11-20, because a patch release.");
    expect(await room.pulls()).toMatchObject([{ number: 2, state: "closed", merged_at: null }]);
    expect(await room.store.rechecks()).toMatchObject([
      { state: "closed", verdict: { kind: "dismiss", because: "a patch release", by: "author" } },
    ]);
    expect(await answers()).toEqual([]);
    expect(reactions()).toEqual(["+1", "+1"]);
    expect(await words()).toEqual([]);
    await room.hearOf(2);
    expect(await room.store.comments(false)).toEqual([]);
  });

  test("again for the same reason shows how to tighten the trigger", async () => {
    for (const [index, version] of ["2.13.0", "2.14.0"].entries()) {
      if (index > 0) await room.fire(released(room.now, version));
      await room.tend();
      await room.say("/recheck dismiss because a minor release", "author", index + 1);
      await room.tend();
    }
    const [first, second] = [await room.comments(1), await room.comments(2)];
    expect(first.filter(({ body }) => body.includes("recheck:reply"))).toEqual([]);
    const shown = second.find(({ body }) => body.includes("recheck:reply"))?.body;
    expect(shown).toContain("would have prevented them");
    expect(shown).toContain("--- a/triggers/tensor.yaml");
  });

  test("is undone by opening the issue again: it asks again", async () => {
    await room.say("/recheck dismiss because of this");
    await room.tend();
    await room.local.asPerson("PATCH", "/issues/1", { state: "open" });
    room.now += 1_000;
    expect((await room.tend()).reopened).toEqual([1]);
    const [recheck] = await room.store.rechecks();
    expect(recheck?.state).toBe("open");
    await room.tend();
    expect((await room.issue()).body).not.toContain("Dismissed");
  });

  test.each(["before", "after"] as const)("closes the issue, though GitHub fails %s that", async (when) => {
    await room.say("/recheck dismiss because of this");
    room.local.fault({ match: /^PATCH .*\/issues\/1$/, status: 502, when });
    await room.tend();
    await room.tend();
    expect((await room.issue()).state).toBe("closed");
    const [recheck] = await room.store.rechecks();
    expect(recheck?.state).toBe("closed");
    expect(await room.store.rechecks()).toHaveLength(1);
  });

  test("an event that the issue did not have yet is asked about again", async () => {
    await room.fire(released(room.now, "2.14.0"));
    room.local.fault({ match: /^PATCH .*\/issues\/1$/, status: 503, when: "before" });
    await room.tend();
    await room.say("/recheck dismiss because of 2.13");
    await room.tend();
    await room.tend();
    const { body } = await room.issue(2);
    expect(body).toContain("Loom 2.14.0");
    expect(body).not.toContain("Loom 2.13.0");
    expect(body).toContain("Follows #1");
    expect((await room.store.rechecks()).filter(isAsking)).toHaveLength(1);
  });
});

test("keeping what no rating rests on closes the issue, and the reason is kept", async () => {
  await room.fire(loose(room.now));
  await room.tend();
  await room.say("/recheck keep because *both* pages say so", "author", 2);
  await room.tend();
  const { state, body } = await room.issue(2);
  expect(state).toBe("closed");
  expect(body).toContain(
    "The report stays as it is: closed by `author` on 2026-11-20, because \\*both\\* pages say so.\n",
  );
  expect(body).not.toContain("Still asked");
  const kept = async () => (await room.store.rechecks()).find(({ issue }) => issue === 2);
  expect(await kept()).toMatchObject({
    state: "closed",
    verdict: { kind: "keep", by: "author", because: "*both* pages say so" },
  });
  await room.local.asPerson("PATCH", "/issues/2", { state: "open" });
  await room.tend();
  expect((await kept())?.state).toBe("open");
});

describe("the last word holds, though it was heard first:", () => {
  const first = async () => (await room.store.rechecks())[0];
  const hear = async (last: string, before: string) => {
    await room.hear(52, last, "author");
    await room.hear(51, before, "author");
  };

  test("of two snoozes", async () => {
    await hear("/recheck snooze 2026-12-24", "/recheck snooze 2027-02-01");
    expect(await first()).toMatchObject({ snoozed: Date.parse("2026-12-24") });
    await room.hear(53, "/recheck snooze until-next-event", "author");
    expect(await first()).toMatchObject({ snoozed: "next-event" });
    expect(reactions()).toEqual(["+1", "+1", "+1"]);
  });

  test("an answer, which ends a snooze", async () => {
    await hear("/recheck keep maturity", "/recheck snooze 14d");
    expect(await first()).not.toHaveProperty("snoozed");
  });

  test("a word about one rating, though all that are not answered were kept after it", async () => {
    await hear("/recheck keep", "/recheck change maturity High because it runs");
    const { status } = (await fullRechecks(await room.repository()))[0] ?? {};
    expect([...(status?.answered.values() ?? [])].map(({ rating, verdict }) => [rating, verdict])).toEqual([
      ["tensor/maturity", "change"],
      ["tensor/compile", "keep"],
    ]);
  });

  test("a snooze, beside an answer", async () => {
    await hear("/recheck snooze 2026-12-24", "/recheck keep maturity");
    expect(await first()).toMatchObject({ snoozed: Date.parse("2026-12-24") });
    expect(await answers()).toEqual([["tensor/maturity", "keep", undefined, "author"]]);
  });

  test.each([
    ["an answer", "/recheck keep"],
    ["a snooze", "/recheck snooze 2026-12-24"],
  ])("%s, and no dismissal before it, which is reported", async (_, last) => {
    await hear(last, "/recheck dismiss because a typo");
    const recheck = await first();
    expect(recheck?.state).toBe("open");
    expect([await answers(), recheck?.state === "open" && recheck.snoozed]).toEqual(
      last === "/recheck keep"
        ? [
            [
              ["tensor/maturity", "keep", undefined, "author"],
              ["tensor/compile", "keep", undefined, "author"],
            ],
            undefined,
          ]
        : [[], Date.parse("2026-12-24")],
    );
    await room.tend();
    expect(reactions()).toEqual(["+1", "confused"]);
    expect(await words()).toEqual([expect.stringContaining("Nothing was changed: a later comment takes precedence.")]);
  });

  test("a dismissal", async () => {
    await hear("/recheck dismiss because a typo", "/recheck snooze 14d");
    await room.hear(50, "/recheck keep", "author");
    expect(await first()).toMatchObject({ state: "closing", verdict: { kind: "dismiss", because: "a typo" } });
    expect(await answers()).toEqual([]);
  });

  test("a snooze of a source that no rating rests on", async () => {
    await room.fire(loose(room.now));
    await room.tend();
    await room.hear(52, "/recheck snooze 2026-12-24", "author", { issue: 2 });
    await room.hear(51, "/recheck keep", "author", { issue: 2 });
    expect((await room.store.rechecks())[1]).toMatchObject({ state: "open", snoozed: Date.parse("2026-12-24") });
  });
});

describe("snoozing", () => {
  test("is noted in the body, and keeps comments back until the day", async () => {
    await room.say("/recheck snooze 14d");
    await room.tend();
    expect((await room.issue()).body).toContain("*Snoozed until 2026-12-04.*");
    await room.fire({ ...released(room.now, "3.0.0"), weight: "contrary" });
    await room.tend();
    expect((await room.issue()).body).toContain("Loom 3.0.0");
    expect(await room.comments()).toHaveLength(1);
    await room.say("/recheck help", "reviewer");
    await room.tend();
    expect(await words()).toHaveLength(1);
    room.now += 15 * 86_400_000;
    await room.tend();
    await room.tend();
    const all = (await room.comments()).map(({ body }) => body);
    expect(all.filter((body) => body.includes("This is asked again: it was snoozed until 2026-12-04."))).toHaveLength(
      1,
    );
    expect((await room.issue()).body).not.toContain("Snoozed");
  });

  test("until the next event ends with it", async () => {
    await room.say("/recheck snooze until-next-event");
    await room.tend();
    expect((await room.issue()).body).toContain("*Snoozed until something new is seen.*");
    await room.fire(released(room.now, "2.14.0"));
    await room.tend();
    await room.tend();
    expect((await room.comments()).at(-1)?.body).toContain("This is asked again: something new was seen.");
    expect(await room.comments()).toHaveLength(2);
    expect((await room.issue()).body).not.toContain("Snoozed");
  });
});

test("a check is asked for at what the recheck rests on, at once", async () => {
  const { now } = room;
  const watched = ["loom-releases", "tensor-docs", "elsewhere"];
  await room.store.touch(watched.map((source) => watchOf(source, { next: now + 9_000_000 })));
  await room.say("/recheck check");
  const next = new Map((await room.store.watches()).map((watch) => [watch.source, watch.next]));
  expect([next.get("loom-releases"), next.get("tensor-docs"), next.get("elsewhere")]).toEqual([
    room.now,
    room.now,
    now + 9_000_000,
  ]);
  expect(reactions()).toEqual(["eyes"]);
});

test("the issue is given to those who own a rating that it asks about", async () => {
  expect((await room.issue()).assignees.map(({ login }) => login)).toEqual(["author"]);
});

test("if GitHub does not know an owner, the issue is opened all the same", async () => {
  await room.close();
  room = await openRoom();
  await room.fire(released(room.now));
  room.local.fault({ match: /^POST .*\/issues$/, status: 422, message: "Validation Failed", when: "before" });
  await room.tend();
  expect((await room.issue()).assignees).toEqual([]);
});
