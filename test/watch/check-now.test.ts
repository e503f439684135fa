import { afterEach, beforeEach, expect, test } from "vitest";
import { stamp } from "../../src/model/time.ts";
import { beginLife, type Life } from "../stories/life/life.ts";

let life: Life;
beforeEach(async () => {
  life = await beginLife();
  await life.run();
  life.happen("beta", false);
  life.pass(86_400_000);
  await life.run();
  for (const webhook of life.hub.pending.splice(0)) await life.deliver(webhook);
});
afterEach(() => life.close());

const issue = (title: RegExp) => {
  const found = life.hub.issues.find((one) => title.test(one.title));
  if (!found) throw new Error(`no issue ${title}`);
  return found;
};
const checks = async () =>
  Object.fromEntries((await life.store.watches()).map(({ source, checks }) => [source, checks]));

test.each([
  ["ticked in the overview", () => life.hub.tick(issue(/overview/), "check", "author")],
  ["ticked in a recheck", () => life.hub.tick(issue(/beta/), "check", "author")],
  ["commanded", () => life.hub.say(issue(/beta/).number, "/recheck check", "reviewer")],
])("a check that is %s while a scan runs comes after it, once", async (_, ask) => {
  const before = await checks();
  life.pass(86_400_000);
  life.meanwhile(() => {
    life.pass(1_000);
    ask();
  });
  await life.run();
  for (let run = 0; run < 3; run++) {
    life.pass(60_000);
    await life.run();
  }
  const after = Object.entries(await checks()).map(([id, count]) => [id, count - (before[id] ?? 0)]);
  expect(Object.fromEntries(after)).toEqual({ alpha: 2, beta: 2, gamma: 2 });
});

test.each([
  ["ticked in the overview", () => life.hub.tick(issue(/overview/), "check", "author")],
  ["ticked in a recheck", () => life.hub.tick(issue(/beta/), "check", "author")],
  ["commanded", () => life.hub.say(issue(/beta/).number, "/recheck check", "reviewer")],
])("once a check that is %s was made, the overview gives its time, once", async (_, ask) => {
  const told = () => /The last scan ended on ([^.]*) UTC\./.exec(issue(/overview/).body)?.[1];
  const before = told();
  life.pass(3_600_000);
  ask();
  for (const webhook of life.hub.pending.splice(0)) await life.deliver(webhook);
  await life.run();
  expect(told()).toBe(stamp(life.now()));
  expect(told()).not.toBe(before);
  const writes = life.hub.writes.length;
  for (let run = 0; run < 3; run++) {
    life.pass(60_000);
    await life.run();
  }
  expect(life.hub.writes.length).toBe(writes);
});
