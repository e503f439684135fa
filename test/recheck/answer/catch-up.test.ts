import { afterEach, beforeEach, expect, test } from "vitest";
import { builtIn } from "../../../src/model/firing.ts";
import { isAsking } from "../../../src/model/ports/index.ts";
import { addressOf } from "../../../src/recheck/issue/question.ts";
import { sync } from "../../../src/recheck/sync.ts";
import { renderOverview } from "../../../src/status/overview.ts";
import { status } from "../../../src/status/status.ts";
import { violations } from "../../github/openapi.ts";
import { changed, openRoom, type Room, released } from "./room.ts";

/** What was routine before the watch began is one issue, and answered there like any other. */

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now), changed(room.now));
  await sync({ ...(await room.repository()), commands: true, catchUp: true });
});

afterEach(async () => {
  const wrong = room.local.requests.flatMap(violations);
  await room.close();
  expect(wrong).toEqual([]);
});

const text = async () => (await room.issue()).body;
const told = async () =>
  (await room.comments()).map(({ body }) => body).filter((body) => body.includes("recheck:reply"));
const writes = () => room.local.requests.filter(({ method }) => method !== "GET").length;
const high = "/recheck change tensor/maturity High because it is public";

/** Once all is told, nothing is written any more. */
async function rests(): Promise<void> {
  const before = writes();
  await room.tend();
  expect(writes()).toBe(before);
}

test("it tells how it is answered, and nothing that does not hold there", async () => {
  const body = await text();
  expect(body).toContain(
    "<!-- recheck:do keep -->Keep all 3: `/recheck keep`; else `/recheck change tensor/maturity High because …`\n",
  );
  expect(body).toContain("- `/recheck snooze 14d`: ask again in 14 days; or a date\n");
  expect(body).toContain(
    "Set `report.audited` in `sources.yaml` to a later date to confirm all ratings up to that date.",
  );
  await room.say("/recheck help");
  await room.tend();
  const [help = ""] = await told();
  expect(help).toContain("closes this issue, and counts against no trigger |");
  expect(help).not.toContain("until-next-event");
});

test("what is answered is told with its pull request, and merging that closes it", async () => {
  await room.say(high);
  await room.tend();
  const [pull] = await room.pulls();
  expect(pull?.title).toBe("Answer recheck #1 (Catch up): tensor/maturity Medium → High");
  expect(await text()).toContain(
    "### Answered\n\n- Tensor Board · Maturity: Medium → **High**, by `author` on 2026-11-20, because it is public\n\n" +
      "The answers are in pull request #2. Still open: **Tensor Board**: compile · **vector**: Maturity.\n",
  );
  await rests();
  await room.tick("Keep both");
  await room.tend();
  expect(await text()).toContain("The answers are in pull request #2. Every rating has an answer.");
  await room.merge(2);
  await room.hearOf(2);
  await room.refresh();
  await room.tend();
  expect(await room.issue()).toMatchObject({ state: "closed", state_reason: "completed" });
  const body = await text();
  expect(body).toContain(
    "between the audit of 2026-05-16 and the first check.** Closed on 2026-11-20: 1 rating changed, 2 kept, answered by `author`.",
  );
  expect(body).toContain("- Tensor Board · Maturity: changed to **High**, by `author`");
  expect(body).not.toContain("### Answer\n");
  expect(body).not.toContain("/recheck keep");
  await rests();
});

test("where no pull request may be opened, the edit is a patch in it", async () => {
  room.local.fault({ match: /git\/trees$/, status: 403, message: "no", when: "before", times: 9 });
  await room.say(high);
  await room.tend();
  expect(await room.pulls()).toEqual([]);
  const body = await text();
  expect(body).toContain("- Tensor Board · Maturity: Medium → **High**, by `author`");
  expect(body).toContain("<details><summary>Changes to make in the repository</summary>");
  expect(body).toContain("+  tensor/maturity: { level: High, reviewed: 2026-11-20 } # it runs");
  await rests();
});

test("dismissing it is told, counts against no trigger, and proposes nothing", async () => {
  await room.say("/recheck dismiss because we know all of it");
  await room.tend();
  expect(await room.issue()).toMatchObject({ state: "closed", state_reason: "not_planned" });
  expect(await text()).toContain("first check.** Dismissed by `author` on 2026-11-20: no rating changes.");
  expect(await text()).toContain("- Dismissed by `author` on 2026-11-20, because we know all of it");
  expect(await told()).toEqual([]);
});

test("snoozing it is told in it, and in the overview under the name that it has", async () => {
  await room.say("/recheck snooze 14d");
  await room.tend();
  expect(await text()).toContain("\n\n*Snoozed until 2026-12-04.* Without an answer, ");
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
  await room.say("/recheck keep tensor/maturity");
  await room.tend();
  expect(await text()).not.toContain("Snoozed until");
});

test("it is not put off until something new joins it, for nothing does", async () => {
  await room.say("/recheck snooze until-next-event");
  await room.tend();
  expect(room.local.reactions.map(({ content }) => content)).toEqual(["confused"]);
  expect((await told())[0]).toContain("No new events are added to this issue");
  expect((await room.store.rechecks())[0]).not.toHaveProperty("snoozed");
});

test("what happens later is asked about on its own, and each tells of the other", async () => {
  room.now += 60_000;
  await room.fire(released(room.now, "2.14.0"));
  await room.tend();
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

test("what turns contrary is asked about elsewhere; once nothing is left, that is said", async () => {
  const firings = (await room.store.firings()).map(
    ({ id: _, recheck: __, told: ___, joined: ____, ...firing }) => firing,
  );
  await room.fire(...firings.map((firing) => ({ ...firing, weight: "contrary" as const })));
  await room.tend();
  expect((await room.store.rechecks()).filter(isAsking).map(({ trigger }) => trigger)).toEqual([
    builtIn.catchUp,
    "tensor",
    "vector",
  ]);
  expect(await text()).toContain("Nothing is asked here any more: another issue asks about these events.");
  await rests();
  await room.say("/recheck keep");
  await room.tend();
  expect((await room.issue()).state).toBe("closed");
});

test("closing it by hand says what comes of that", async () => {
  await room.local.asPerson("PATCH", "/issues/1", { state: "closed" });
  await room.tend();
  const body = await text();
  expect(body).toContain("Closed by hand on 2026-11-20: no rating counts as reviewed.");
  expect(body).toContain("### The ratings now");
  expect(body).not.toContain("### Answer\n");
  await rests();
});
