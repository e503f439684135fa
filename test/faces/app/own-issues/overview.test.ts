import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeOverview } from "../../../../src/faces/app/own-issues/overview.ts";
import { handleEdit } from "../../../../src/recheck/answer/boxes.ts";
import { openRoom, type Room, released, sources } from "../../../recheck/answer/room.ts";
import { watchOf } from "../../../support/watch-of.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(() => room.close());

const write = async () => writeOverview(await room.repository(), room.now);
const own = async () => (await room.repository()).state.overview;
const sent = (method: string, match: RegExp) =>
  room.local.requests.filter((one) => one.method === method && match.test(one.path)).length;
const overviews = async () =>
  (await room.local.asPerson<{ number: number; title: string }[]>("GET", "/issues?state=all")).filter(
    ({ title }) => title === "Recheck overview",
  );

describe("the overview", () => {
  test("is made once, and written only when there is something to say", async () => {
    await write();
    await write();
    expect([sent("POST", /issues$/), sent("PATCH", /issues/)]).toEqual([1, 0]);
    room.now += 60_000;
    await write();
    expect(sent("PATCH", /issues/)).toBe(0);
    await room.fire(released(room.now));
    await room.tend();
    await write();
    expect((await room.issue(1)).body).toContain("#2 **Tensor**");
    expect(sent("PATCH", /issues/)).toBe(1);
  });

  test.each([
    ["a 502 before", { status: 502, when: "before" }],
    ["a 502 after", { status: 502, when: "after" }],
    ["a cut connection after", { when: "after" }],
  ] as const)("is there once with %s its creation", async (_, fault) => {
    room.local.fault({ match: /^POST .*\/issues$/, ...fault });
    await write().catch(() => {});
    await write();
    // Until then GitHub may still make it.
    room.now += 600_000;
    await write();
    expect(await overviews()).toHaveLength(1);
    expect((await own())?.number).toBe((await overviews())[0]?.number);
  });

  test.each(["before", "after"] as const)("is written again, though GitHub fails %s that", async (when) => {
    await write();
    await room.fire(released(room.now));
    room.local.fault({ match: /^PATCH /, status: 502, when });
    await expect(write()).rejects.toMatchObject({ kind: "unavailable" });
    await write();
    expect((await room.issue(1)).body).toContain("### Changed");
  });

  test("says of a recheck's issue that is locked, or is no more", async () => {
    await room.fire(released(room.now));
    await room.tend();
    const text = async () => {
      await write();
      return (await room.issue(2)).body;
    };
    expect(await text()).not.toContain("**#1**");
    const refused = { kind: "locked", what: "comment", since: room.now, next: room.now } as const;
    await room.store.updateRecheck(1, { refused });
    expect(await text()).toContain("**#1**: its conversation is locked: its description is updated, but");
    await room.store.updateRecheck(1, { refused: undefined });
    room.local.fault({ match: /^GET .*\/issues\/1$/, status: 410, message: "This issue was deleted", when: "before" });
    await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
    expect((await room.tend()).gone).toEqual([1]);
    expect(await text()).toContain("\n\n#1 has been gone since 2026-11-20: its questions count as answered");
    room.now += 7 * 86_400_000;
    expect(await text()).not.toContain("#1");
  });

  test("says of a recheck why GitHub has no issue of it", async () => {
    await room.fire(released(room.now));
    // With assignees, and without.
    const message = "Validation Failed";
    room.local.fault({ match: /^POST .*\/issues$/, status: 422, message, when: "before", times: 2 });
    await room.tend();
    await write();
    expect((await room.issue(1)).body).toContain(
      "**Tensor**: GitHub rejects its new text; the next try is on 2026-11-20.",
    );
  });

  test("waits if no more may be created within the hour", async () => {
    for (let index = 0; index < 20; index++) await room.store.countCreation(room.now);
    await write();
    expect(await overviews()).toEqual([]);
  });

  test("keeps people's text around it", async () => {
    await write();
    const { body } = await room.issue(1);
    await room.local.asPerson("PATCH", "/issues/1", { body: `Ours.\n\n${body}\n\nAnd ours.` });
    await room.fire(released(room.now));
    await write();
    const after = (await room.issue(1)).body;
    expect(after.startsWith("Ours.\n\n<!-- recheck:begin")).toBe(true);
    expect(after.endsWith("<!-- recheck:end -->\n\nAnd ours.")).toBe(true);
    expect(after).toContain("### Changed");
  });

  test("is closed once if config switches it off, and made again if it is switched on again", async () => {
    await write();
    await room.write("sources.yaml", `${sources}overview: no\n`);
    await room.refresh();
    room.local.fault({ match: /^PATCH /, status: 502, when: "after" });
    await write().catch(() => {});
    await write();
    await write();
    const { body, state } = await room.issue(1);
    expect(state).toBe("closed");
    expect(body).toContain("This overview is switched off: `overview: no` is set in `sources.yaml`.");
    expect(await own()).toBeUndefined();
    expect(sent("PATCH", /issues/)).toBe(1);
    await room.write("sources.yaml", sources);
    await room.refresh();
    await write();
    expect(await overviews()).toHaveLength(2);
  });

  test("that was never made stays so if it is off", async () => {
    await room.write("sources.yaml", `${sources}overview: no\n`);
    await room.refresh();
    await write();
    expect(await overviews()).toEqual([]);
  });
});

describe("its boxes", () => {
  const ticked = async (words: string) => {
    await room.tick(words);
    await write();
    return (await room.issue(1)).body;
  };

  test("check everything, and are empty again", async () => {
    const next = room.now + 1e9;
    await room.store.touch(["loom-releases", "tensor-docs"].map((source) => watchOf(source, { next })));
    await write();
    expect(await ticked("check every source now")).toContain("- [ ] <!-- recheck:do check -->");
    expect((await room.store.watches()).map(({ next }) => next)).toEqual([room.now, room.now]);
  });

  test("wake what is snoozed", async () => {
    await room.fire(released(room.now));
    await room.tend();
    await room.say("/recheck snooze 14d");
    await write();
    room.now += 1_000;
    const before = (await room.issue(2)).body;
    expect(before).toContain("### Snoozed");
    await room.tick("ask again now", "author", 2);
    expect((await room.store.rechecks())[0]).not.toHaveProperty("snoozed");
    await write();
    expect((await room.issue(2)).body).not.toContain("### Snoozed");
  });

  test("try again what could not be seen", async () => {
    const trouble = { kind: "status", says: "answered 403", since: room.now, count: 2 };
    await room.store.touch([watchOf("tensor-docs", { trouble, lastCheck: room.now, next: room.now + 1e9 })]);
    await write();
    await ticked("answered 403");
    expect((await room.store.watches()).map(({ next }) => next)).toEqual([room.now]);
  });

  test("do nothing for those who may not write, or know no such thing", async () => {
    await write();
    const body = (await room.issue(1)).body;
    const hear = async (id: string, by: string) => {
      const after = body
        .replace("<!-- recheck:do check -->", `<!-- recheck:do ${id} -->`)
        .replace("- [ ] <!--", "- [x] <!--");
      const news = { kind: "edited", issue: 1, before: body, after, by, bot: false } as const;
      await room.store.commit(await handleEdit(await room.repository(), news, room.now));
    };
    await room.store.touch([watchOf("tensor-docs", { next: room.now + 1e9 })]);
    await hear("check", "reviewer");
    await hear("retry elsewhere", "author");
    await hear("unsnooze 99", "author");
    await hear("keep", "author");
    expect((await room.store.watches()).map(({ next }) => next)).toEqual([room.now + 1e9]);
    expect((await own())?.written).toBeUndefined();
  });
});
