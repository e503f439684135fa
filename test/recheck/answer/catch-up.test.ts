import { afterEach, beforeEach, expect, test } from "vitest";
import { builtIn } from "../../../src/model/firing.ts";
import { isAsking } from "../../../src/model/ports/index.ts";
import { addressOf } from "../../../src/recheck/issue/question.ts";
import { sync } from "../../../src/recheck/sync.ts";
import { renderOverview } from "../../../src/status/overview.ts";
import { status } from "../../../src/status/status.ts";
import { changed, openRoom, type Room, released } from "./room.ts";
import { play, refuse, rests, type Step, shownIn } from "./transcript.ts";

/** What was routine before the watch began is one issue, and answered there like any other. */

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now), changed(room.now));
  await sync({ ...(await room.repository()), commands: true, catchUp: true });
});

afterEach(() => room.close());

const high = "say /recheck change tensor/maturity High because it is public";
const turnsContrary: Step = async ({ store, fire }) => {
  const firings = (await store.firings()).map(
    ({ id: _, recheck: __, reported: ___, joined: ____, ...firing }) => firing,
  );
  await fire(...firings.map((firing) => ({ ...firing, weight: "contrary" as const })));
};

const stories: Readonly<Record<string, readonly Step[]>> = {
  "The catch-up shows the answers that it accepts, and no others": ["say /recheck help; tend"],
  "An answer in the catch-up is shown with its pull request": [high, "tend"],
  "A merge of its answers closes the catch-up": [high, "tend; tick Keep both; tend; merge 2; hear 2; refresh; tend"],
  "Without permission to open pull requests, the edit is a patch in the catch-up": [
    refuse(/git\/trees$/, { times: 9 }),
    high,
    "tend",
  ],
  "Dismissing the catch-up counts against no trigger, and proposes nothing": [
    "say /recheck dismiss because we know all of it; tend",
  ],
  "The catch-up is snoozed until a day": ["say /recheck snooze 14d; tend"],
  "A catch-up that is answered in part is no longer snoozed": [
    "say /recheck snooze 14d; tend; say /recheck keep tensor/maturity; tend",
  ],
  "The catch-up cannot be snoozed until new evidence, as none joins it": ["say /recheck snooze until-next-event; tend"],
  "Events after the catch-up have their own question": ["minutes pass: 1; release 2.14.0; tend"],
  "An event that turns contrary is asked about elsewhere, and the catch-up says that it is empty": [
    turnsContrary,
    "tend",
  ],
  "An empty catch-up can be closed": [turnsContrary, "tend; say /recheck keep; tend"],
  "A catch-up closed by hand names the consequences": ["close issue; tend"],
};

test.each(Object.entries(stories))("%s", async (name, story) => {
  await play(room, story);
  await rests(room);
  await expect(await shownIn(room)).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.md`);
});

test("the overview has the snoozed catch-up under its name", async () => {
  await play(room, ["say /recheck snooze 14d; tend"]);
  const { config, store } = await room.repository();
  const overview = {
    ...{
      config,
      watches: await store.watches(),
      rechecks: (await store.rechecks()).filter(isAsking),
      figures: new Map(),
    },
    ...{ status: await status(config, store, room.now), marker: "abc", commands: true, link: addressOf },
  };
  const { body } = renderOverview(overview);
  expect(body).toContain("ask again now: #1 **Catch up**, until 2026-12-04");
  expect(body).not.toContain("### To review");
});

test("events after the catch-up open a recheck of their own, and each links to the other", async () => {
  await play(room, ["minutes pass: 1; release 2.14.0; tend"]);
  const { config, store } = await room.repository();
  const open = (await status(config, store, room.now)).open.map(({ trigger, issue, firings }) => [
    trigger,
    issue,
    firings.map(({ event }) => event.key),
  ]);
  expect(open).toEqual([
    ["tensor", 2, ["loom 2.14.0"]],
    ["tensor", 1, ["loom 2.13.0"]],
    ["vector", 1, [expect.stringContaining("tensor-docs changed")]],
  ]);
  expect((await room.store.rechecks()).filter(isAsking).map(({ trigger }) => trigger)).toEqual([
    builtIn.catchUp,
    "tensor",
  ]);
});
