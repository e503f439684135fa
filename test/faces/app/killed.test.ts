import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Person } from "../../github/server.ts";
import { chance } from "../../support/chance.ts";
import type { Child } from "../../support/child.ts";
import { endInstance, type Instance, issuesOf, startInstance } from "../../support/instance.ts";
import { startProgram } from "../../support/program.ts";

/** The server as a process of its own, which is killed while it works off what webhooks told. */

const hour = 3_600_000;
let it: Instance;
let child: Child | undefined;

beforeEach(async () => {
  it = await startInstance("alpha", "beta", "gamma");
});

afterEach(async () => {
  child?.process.kill("SIGKILL");
  await child?.ended;
  child = undefined;
  await endInstance(it);
});

const issues = () => issuesOf(it);
const state = async (number: number) => (await issues()).find((one) => one.number === number)?.state;
const comments = async (issue: number) =>
  (await it.local.asPerson<{ body: string; user: { type: string } }[]>("GET", `/issues/${issue}/comments`))
    .filter(({ user }) => user.type === "Bot")
    .map(({ body }) => body);
const writes = () => it.local.requests.filter(({ method }) => method !== "GET").length;

async function serve(): Promise<Child> {
  child = startProgram(["start"], it.environment);
  await child.says("Listening on");
  return child;
}

/** What people do in a round, and when the process that hears of it is killed: soon, or during such a write. */
interface Round {
  readonly does: () => Promise<unknown>;
  readonly kill: "soon" | RegExp;
}

test("kill -9 of the server: each webhook's work is done exactly once", async () => {
  for (const source of ["alpha", "beta", "gamma"]) it.lists.add(source, "one");
  await it.serve(it.config());
  it.pass(2 * hour);
  await it.run();
  await it.stop();
  const numbers = new Map((await issues()).map(({ title, number }) => [/About (\w+)/.exec(title)?.[1] ?? "", number]));
  const [alpha = 0, beta = 0, gamma = 0] = ["alpha", "beta", "gamma"].map((source) => numbers.get(source));
  expect([alpha, beta, gamma]).not.toContain(0);
  const say = (issue: number, body: string, who?: Person) => () =>
    it.local.asPerson("POST", `/issues/${issue}/comments`, { body }, who);

  const rounds: readonly Round[] = [
    { does: say(alpha, "/recheck help"), kill: "soon" },
    { does: say(alpha, "/recheck change speed slow because it lags"), kill: /^POST .*\/pulls$/ },
    { does: say(beta, "/recheck change speed slow", "reader"), kill: /^POST .*\/issues\/\d+\/comments$/ },
    { does: say(beta, "/recheck kepe"), kill: "soon" },
    { does: say(gamma, "/recheck dismiss because it is nothing"), kill: /^PATCH .*\/issues\/\d+$/ },
    { does: say(beta, "/recheck keep"), kill: /^POST .*\/git\/commits$/ },
  ];
  const random = chance(20_261_120);
  let killed = 0;
  for (const { does, kill } of rounds) {
    const server = await serve();
    const from = it.local.requests.length;
    if (kill instanceof RegExp) it.local.fault({ match: kill, when: "after", hold: "until-mended" });
    await does();
    if (kill instanceof RegExp) {
      const isDue = () => it.local.requests.slice(from).some(({ method, path }) => kill.test(`${method} ${path}`));
      await expect.poll(isDue, { interval: 5 }).toBe(true);
    } else await sleep(random() * 300);
    killed += Number(server.process.kill("SIGKILL"));
    expect((await server.ended).err).toBe("");
    child = undefined;
    it.local.mend();
  }
  expect(killed).toBe(rounds.length);

  await it.start();
  const told = [...it.local.sent];
  for (const { id, event, payload } of told) await it.local.send(event, payload, id);
  await it.run();
  it.pass(2 * hour);
  await it.run();

  expect(await comments(alpha)).toEqual([expect.stringContaining("/recheck snooze")]);
  // One says which word was meant, one that a stranger changes nothing.
  const [meant, refused, ...more] = (await comments(beta)).toSorted();
  expect([meant, refused, more]).toEqual([
    expect.stringContaining("did you mean `keep`"),
    expect.stringContaining("Nothing was changed"),
    [],
  ]);
  expect(await comments(gamma)).toEqual([]);
  expect([await state(alpha), await state(beta), await state(gamma)]).toEqual(["open", "open", "closed"]);
  expect((await issues()).map(({ title }) => /About \w+|Recheck overview/.exec(title)?.[0]).toSorted()).toEqual([
    "About alpha",
    "About beta",
    "About gamma",
    "Recheck overview",
  ]);
  const pulls = await it.local.asPerson<{ head: { ref: string } }[]>("GET", "/pulls?state=all");
  expect(pulls.map(({ head }) => head.ref).toSorted()).toEqual([`recheck/alpha-${alpha}`, `recheck/beta-${beta}`]);
  const answers = await it.stored((store) => store.answers());
  expect(answers.map(({ verdict }) => verdict).toSorted()).toEqual(["change", "keep"]);
  expect(it.local.reactions.map(({ content }) => content).toSorted()).toEqual([
    "+1",
    "+1",
    "+1",
    "+1",
    "confused",
    "confused",
  ]);
  const before = writes();
  await it.run();
  expect(writes()).toBe(before);
});

test("an effect of a webhook is written soon, though the server was killed right after it was worked off", async () => {
  it.lists.add("alpha", "one");
  await it.serve(it.config());
  await it.stop();
  const { number = 0 } = (await issues()).find(({ title }) => title.includes("“About alpha”")) ?? {};
  const server = await serve();
  const isClosing = /^PATCH .*\/issues\/\d+$/;
  it.local.fault({ match: isClosing, when: "before", hold: "until-mended" });
  await it.local.asPerson("POST", `/issues/${number}/comments`, { body: "/recheck dismiss because it is none" });
  const isHeard = () => it.stored(async (store) => (await store.rechecks()).some((one) => one.state === "closing"));
  await expect.poll(isHeard).toBe(true);
  server.process.kill("SIGKILL");
  await server.ended;
  child = undefined;
  it.local.mend();
  expect(await state(number)).toBe("open");
  await it.serve();
  expect(await state(number)).toBe("closed");
});
