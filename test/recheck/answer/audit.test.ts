import { afterEach, beforeEach, expect, test } from "vitest";
import type { Condition } from "../../../src/model/condition.ts";
import { handleConfig } from "../../../src/recheck/answer/audit.ts";
import { status } from "../../../src/status/status.ts";
import { changed, loose, openRoom, type Room, released, sources } from "./room.ts";

let room: Room;
const day = 86_400_000;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(() => room.close());

/** The author raises `audited` to this day, on this day. */
async function audit(date: string, text = sources): Promise<void> {
  await room.write("sources.yaml", text.replace("audited: 2026-05-16", `audited: ${date}`));
  const before = await room.refresh();
  room.now += 60_000;
  await room.store.commit(await handleConfig(await room.repository(), before, { by: "author", at: room.now }));
  await room.tend();
  await room.tend();
}
const states = async () => (await room.store.rechecks()).map(({ trigger, state }) => [trigger, state]);

test("raising `audited` answers all older evidence: the issues are closed, the ratings fresh", async () => {
  await room.fire(released(room.now), changed(room.now));
  await room.tend();
  await audit("2026-11-20");
  expect(await states()).toEqual([
    ["tensor", "closed"],
    ["vector", "closed"],
  ]);
  expect([(await room.issue(1)).state, (await room.issue(2)).state]).toEqual(["closed", "closed"]);
  expect((await room.issue(1)).body).toContain("Medium kept, by `author` on 2026-11-20");
  expect(await room.pulls()).toEqual([]);
  const { config, store } = await room.repository();
  expect((await status(config, store, room.now)).ratings.map(({ level }) => level)).toEqual([
    "fresh",
    "fresh",
    "fresh",
  ]);
});

test("raising `audited` also closes a question about no rating, unless something newer was seen", async () => {
  await room.fire(loose(room.now - 5 * day));
  await room.tend();
  await audit("2026-11-14");
  expect(await states()).toEqual([["claims", "open"]]);
  await audit("2026-11-20");
  expect(await states()).toEqual([["claims", "closed"]]);
});

test("events after that day stay asked, with the ratings that they touch", async () => {
  await room.fire(released(room.now - 5 * day), changed(room.now));
  await room.tend();
  await audit("2026-11-17");
  expect(await states()).toEqual([
    ["tensor", "closed"],
    ["vector", "open"],
  ]);
});

test("a question that was not written yet is not asked any more, and later ones follow the issue before it", async () => {
  await room.fire(released(room.now));
  await room.tend();
  await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
  await room.tend();
  await room.fire(released(room.now, "2.14.0"));
  await audit("2026-11-20");
  expect(await states()).toEqual([
    ["tensor", "closed"],
    ["tensor", "closed"],
  ]);
  room.now += 2 * day;
  await room.fire(released(room.now, "2.15.0"));
  await room.tend();
  const { body } = await room.issue(2);
  expect(body).toContain("Loom 2.15.0");
  expect(body).not.toContain("Loom 2.14.0");
  expect(body).toContain("Follows #1, closed on 2026-11-20.");
});

test("a question that GitHub refused to take into an open issue is not asked any more either", async () => {
  await room.fire(released(room.now));
  await room.tend();
  await room.fire(released(room.now, "2.14.0"));
  room.local.fault({ match: /^PATCH .*\/issues\/1$/, status: 503, when: "before" });
  await room.tend();
  await audit("2026-11-20");
  expect(await states()).toEqual([
    ["tensor", "closed"],
    ["tensor", "closed"],
  ]);
  expect((await room.issue(1)).state).toBe("closed");
  expect(await room.local.asPerson("GET", "/issues?state=all")).toHaveLength(1);
});

test("of two events in one recheck, the older is answered as far as the newer does not touch the same", async () => {
  const narrow = released(room.now, "2.14.0");
  const condition = { ...narrow.evidence[0]?.condition, ratings: ["tensor/compile"] } as Condition;
  const evidence = narrow.evidence.map((piece) => ({ ...piece, condition }));
  await room.fire(released(room.now - 5 * day), { ...narrow, evidence });
  await room.tend();
  await audit("2026-11-17");
  expect(await states()).toEqual([["tensor", "open"]]);
  expect((await room.store.answers()).map(({ rating }) => rating)).toEqual(["tensor/maturity"]);
  expect((await room.issue()).body).toContain("Still open: **Tensor Board**: compile.");
});

test("an answer that waits in a pull request stays", async () => {
  await room.fire(released(room.now));
  await room.tend();
  await room.say("/recheck change maturity High because it is public");
  await room.tend();
  await audit("2026-11-20");
  expect(await states()).toEqual([["tensor", "open"]]);
  expect((await room.pulls()).map(({ state }) => state)).toEqual(["open"]);
  await room.merge(2);
  await room.hearOf(2);
  await room.tend();
  expect(await states()).toEqual([["tensor", "closed"]]);
});

test("an edit that leaves `audited` as it was, or sets it back, answers nothing", async () => {
  await room.fire(released(room.now));
  await room.tend();
  await audit("2026-05-16", sources.replace("# as of May", "# as of June"));
  await audit("2026-05-01");
  expect(await states()).toEqual([["tensor", "open"]]);
  expect(await room.store.answers()).toEqual([]);
});
