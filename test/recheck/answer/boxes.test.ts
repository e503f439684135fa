import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handleEdit, sweepBoxes } from "../../../src/recheck/answer/boxes.ts";
import { watchOf } from "../../support/watch-of.ts";
import { openRoom, type Room, released } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now));
  await room.tend();
});

afterEach(() => room.close());

const answers = async () => (await room.store.answers()).map(({ rating, verdict, by }) => [rating, verdict, by]);

test("a ticked box keeps all ratings without an answer, and is empty again", async () => {
  await room.say("/recheck change maturity High because it is public");
  await room.tick("Keep both");
  await room.tend();
  expect(await answers()).toEqual([
    ["tensor/maturity", "change", "author"],
    ["tensor/compile", "keep", "author"],
  ]);
  expect((await room.issue()).body).not.toContain("recheck:do keep");
});

test("a ticked box checks again", async () => {
  await room.store.touch([watchOf("loom-releases", { next: room.now + 9_000_000 })]);
  await room.tick("check the sources again now");
  expect(await room.store.watches()).toMatchObject([{ next: room.now }]);
});

test("a tick of somebody who may not write is taken back, and nothing is done", async () => {
  await room.tick("Keep both", "reviewer");
  await room.tend();
  expect(await answers()).toEqual([]);
  expect((await room.issue()).body).toContain("- [ ] <!-- recheck:do keep -->");
});

test("our own edits, and those around our section, are no orders", async () => {
  const { body } = await room.issue();
  const ticked = body.replace("- [ ] <!-- recheck:do keep -->", "- [x] <!-- recheck:do keep -->");
  const hear = async (before: string, after: string, bot = false) => {
    const news = { kind: "edited", issue: 1, before, after, by: "author", bot } as const;
    await room.store.commit(await handleEdit(await room.repository(), news, room.now));
  };
  const [recheck] = await room.store.rechecks();
  await hear(body, ticked, true);
  await hear(ticked, ticked);
  await hear(body, `${body}\n\n- [x] <!-- recheck:do keep -->all`);
  expect(await answers()).toEqual([]);
  expect((await room.store.rechecks())[0]?.written).toBe(recheck?.written);
});

test("a person's change within our section is overwritten, their ticks of questions kept", async () => {
  const before = (await room.issue()).body;
  const after = before.replace("### Evidence", "### Nothing");
  await room.local.asPerson("PATCH", "/issues/1", { body: after });
  const news = { kind: "edited", issue: 1, before, after, by: "author", bot: false } as const;
  await room.store.commit(await handleEdit(await room.repository(), news, room.now));
  expect((await room.tend()).updated).toEqual([1]);
  expect((await room.issue()).body).toBe(before);
});

test("a tick whose text we overwrote before it was heard counts all the same", async () => {
  const before = (await room.issue()).body;
  const after = before.replace("- [ ] <!-- recheck:do keep -->", "- [x] <!-- recheck:do keep -->");
  await room.local.asPerson("PATCH", "/issues/1", { body: after });
  await room.fire(released(room.now, "2.14.0"));
  await room.tend();
  expect((await room.issue()).body).toContain("- [ ] <!-- recheck:do keep -->");
  const news = { kind: "edited", issue: 1, before, after, by: "author", bot: false } as const;
  await room.store.commit(await handleEdit(await room.repository(), news, room.now));
  expect(await answers()).toHaveLength(2);
});

test("a tick that the sweep has taken is no second answer when its news come late, to events that nobody had seen", async () => {
  const before = (await room.issue()).body;
  const after = before.replace("- [ ] <!-- recheck:do keep -->", "- [x] <!-- recheck:do keep -->");
  await room.local.asPerson("PATCH", "/issues/1", { body: after });
  const ticked = room.now;
  room.now += 3_600_000;
  await sweepBoxes(await room.repository(), room.now);
  await room.tend();
  expect(await answers()).toHaveLength(2);
  room.now += 3_600_000;
  await room.fire(released(room.now, "2.14.0"));
  await room.tend();
  const news = { kind: "edited", issue: 1, before, after, by: "author", bot: false } as const;
  await room.store.commit(await handleEdit(await room.repository(), { ...news, edited: ticked }, room.now));
  expect(await answers()).toHaveLength(2);
  await room.store.commit(await handleEdit(await room.repository(), { ...news, edited: room.now }, room.now));
  expect(await answers()).toHaveLength(4);
});

describe("a tick without a webhook", () => {
  async function ticked(): Promise<void> {
    const { body } = await room.issue();
    const after = body.replace("- [ ] <!-- recheck:do keep -->", "- [x] <!-- recheck:do keep -->");
    await room.local.asPerson("PATCH", "/issues/1", { body: after });
  }

  test("is found though somebody has taken the issue's label off", async () => {
    await room.local.asPerson("PATCH", "/issues/1", { labels: [] });
    await ticked();
    await sweepBoxes(await room.repository(), room.now);
    expect(await answers()).toHaveLength(2);
  });

  test("is let be if the trigger is no longer in config: nobody empties that box", async () => {
    await ticked();
    const repository = await room.repository();
    await sweepBoxes({ ...repository, config: { ...repository.config, triggers: new Map() } }, room.now);
    expect((await room.store.rechecks())[0]?.written).toBeDefined();
  });
});
