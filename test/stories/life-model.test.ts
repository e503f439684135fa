import fc from "fast-check";
import { expect, test } from "vitest";
import { isAsking } from "../../src/model/ports/index.ts";
import { isReply } from "../../src/recheck/issue/comment.ts";
import { markOf, splitAtSection } from "../../src/recheck/issue/marker.ts";
import { runs } from "../support/runs.ts";
import { wordsBeforeFolds } from "../support/words-before-folds.ts";
import { type Fault, type HubIssue, markIn, type Webhook, type Who } from "./life/hub.ts";
import { beginLife, type Life, type Source, sources } from "./life/life.ts";

/**
 * Rechecks live through whatever may come, in any order. Runs as many lives as LIFE_RUNS says, from LIFE_SEED on:
 * `LIFE_RUNS=1000 npx vitest run test/life-model.test.ts`.
 */

const lifeRuns = Number(process.env.LIFE_RUNS ?? runs(80));
const seed = Number(process.env.LIFE_SEED ?? 20_261_120);
const steps = 30;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Step =
  | { do: "nothing" }
  | { do: "run" }
  | { do: "happen"; source: Source; awaited: boolean }
  | { do: "say"; issue: number; words: string; who: Who }
  | { do: "tick"; issue: number; box: string }
  | { do: "close" | "reopen" | "write" | "delete" | "lock" | "unlock"; issue: number }
  | { do: "deface"; issue: number; what: "line" | "section" | "words" }
  | { do: "merge" | "refuse" | "revive"; pull: number }
  | { do: "push" | "audit" }
  | { do: "pass"; time: number }
  | { do: "deliver" }
  | { do: "overtake"; one: number }
  | { do: "repeat"; one: number }
  | { do: "lose"; one: number }
  | { do: "fail"; fault: Fault };

/** Of the things there are, by position. */
const one = fc.nat({ max: 7 });
const is = <T extends string>(name: T) => fc.constant(name);
const words = fc.constantFrom(
  "/recheck keep",
  "/recheck keep speed",
  "/recheck change speed High because it runs",
  "/recheck change size Medium because it grew",
  "/recheck dismiss because it is noise",
  "/recheck snooze 14d",
  "/recheck snooze until-next-event",
  "/recheck check",
  "/recheck help",
  "/recheck chnage speed",
  "I will check it tomorrow.",
);
const when = fc.constantFrom<Fault["when"]>("before", "after");
const fault = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        in: fc.nat({ max: 6 }),
        at: fc.constantFrom<Fault["at"]>("request", "write", "write", "check"),
        when,
        how: fc.constantFrom<Fault["how"]>("unavailable", "lost", "late", "slow-down", "killed", "killed", "overtaken"),
      }),
    },
    { weight: 1, arbitrary: fc.record({ in: fc.nat({ max: 60 }), at: is("store"), when, how: is("killed") }) },
  )
  .map((drawn): Fault => drawn);

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.record({ do: is("nothing") }) },
  { weight: 4, arbitrary: fc.record({ do: is("run") }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: is("happen"), source: fc.constantFrom(...sources), awaited: fc.boolean() }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: is("say"),
      issue: one,
      words,
      who: fc.constantFrom<Who>("author", "reviewer", "reviewer", "reader"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: is("tick"), issue: one, box: fc.constantFrom("keep", "check", "unsnooze", "retry") }),
  },
  { weight: 3, arbitrary: fc.record({ do: is("close"), issue: one }) },
  { weight: 2, arbitrary: fc.record({ do: is("reopen"), issue: one }) },
  { weight: 2, arbitrary: fc.record({ do: is("write"), issue: one }) },
  { weight: 1, arbitrary: fc.record({ do: is("delete"), issue: one }) },
  { weight: 2, arbitrary: fc.record({ do: is("lock"), issue: one }) },
  { weight: 2, arbitrary: fc.record({ do: is("unlock"), issue: one }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: is("deface"), issue: one, what: fc.constantFrom("line", "section", "words") }),
  },
  { weight: 4, arbitrary: fc.record({ do: is("merge"), pull: one }) },
  { weight: 3, arbitrary: fc.record({ do: is("refuse"), pull: one }) },
  { weight: 3, arbitrary: fc.record({ do: is("revive"), pull: one }) },
  { weight: 1, arbitrary: fc.record({ do: is("push") }) },
  { weight: 1, arbitrary: fc.record({ do: is("audit") }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: is("pass"), time: fc.constantFrom(minute, hour, 4 * hour, day + hour, 15 * day) }),
  },
  { weight: 10, arbitrary: fc.record({ do: is("deliver") }) },
  { weight: 6, arbitrary: fc.record({ do: is("overtake"), one }) },
  { weight: 2, arbitrary: fc.record({ do: is("repeat"), one }) },
  { weight: 2, arbitrary: fc.record({ do: is("lose"), one }) },
  { weight: 12, arbitrary: fc.record({ do: is("fail"), fault }) },
);

const at = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)];

/** The rechecks first, as people do; then the overview. */
const issuesIn = ({ hub }: Life, state?: HubIssue["state"]): HubIssue[] => {
  const overview = hub.issues.filter(({ title }) => title === "Recheck overview");
  const rechecks = hub.issues.filter((one) => !overview.includes(one));
  return [...rechecks, ...rechecks, ...overview].filter((one) => state === undefined || one.state === state);
};

interface Past {
  readonly webhook: Webhook;
  readonly sent: number;
}

async function take(step: Step, life: Life, past: Past[]): Promise<void> {
  const { hub } = life;
  switch (step.do) {
    case "nothing":
      return;
    case "run":
      return await life.run();
    case "happen":
      return life.happen(step.source, step.awaited);
    case "say": {
      const issue = at(issuesIn(life), step.issue);
      return issue && hub.say(issue.number, step.words, step.who);
    }
    case "tick": {
      const issue = at(issuesIn(life), step.issue);
      return issue && hub.tick(issue, step.box, "author");
    }
    case "write": {
      const issue = at(issuesIn(life), step.issue);
      return issue && hub.note(issue, "author");
    }
    case "close": {
      const issue = at(issuesIn(life, "open"), step.issue);
      return issue && hub.change(issue, "closed", "author");
    }
    case "reopen": {
      const issue = at(issuesIn(life, "closed"), step.issue);
      return issue && hub.change(issue, "open", "author");
    }
    case "delete": {
      const issue = at(issuesIn(life), step.issue);
      return issue && hub.delete(issue, "author");
    }
    case "lock":
    case "unlock": {
      const issue = at(issuesIn(life, "open"), step.issue);
      return issue && hub.lock(issue, step.do === "lock", "author");
    }
    case "deface": {
      const issue = at(issuesIn(life, "open"), step.issue);
      return issue && hub.deface(issue, step.what, "author");
    }
    case "merge":
    case "refuse": {
      const pull = at(
        hub.pulls.filter(({ state }) => state === "open"),
        step.pull,
      );
      return pull && hub.end(pull, step.do === "merge", "author");
    }
    case "revive": {
      const pull = at(
        hub.pulls.filter(({ state, merged }) => state === "closed" && !merged),
        step.pull,
      );
      return pull && hub.reopen(pull, "author");
    }
    case "push":
    case "audit": {
      const before = hub.git.commit("main")?.tree.get("sources.yaml") ?? "";
      const today = `audited: ${new Date(life.now()).toISOString().slice(0, 10)}`;
      const text = step.do === "push" ? `${before}# looked over\n` : before.replace(/audited: [\d-]+/, today);
      if (step.do === "audit") hub.audits += 1;
      return void hub.push("main", [{ path: "sources.yaml", text }], "author");
    }
    case "pass":
      life.pass(step.time);
      return await life.run();
    case "deliver":
      for (let left = hub.pending.length; left > 0; left--) await deliver(0);
      return;
    case "overtake":
      return await deliver(step.one);
    case "repeat": {
      // GitHub sends nothing again that is older than three days.
      const recent = past.filter(({ sent }) => sent > life.now() - 3 * day);
      const known = at(recent, step.one);
      return known && (await life.deliver(known.webhook));
    }
    case "lose":
      return void hub.pending.splice(step.one % Math.max(1, hub.pending.length), 1);
    case "fail":
      return void hub.faults.push({ ...step.fault });
  }

  async function deliver(place: number): Promise<void> {
    const [webhook] = hub.pending.splice(place % Math.max(1, hub.pending.length), 1);
    if (!webhook) return;
    past.push({ webhook, sent: life.now() });
    await life.deliver(webhook);
  }
}

/** What must hold at any moment. */
async function check({ hub, store, errors }: Life): Promise<void> {
  expect(errors).toEqual([]);
  const asking = (await store.rechecks()).filter(isAsking).map(({ trigger }) => trigger);
  expect(asking, "at most one open recheck per trigger").toEqual([...new Set(asking)]);

  const marks = hub.bodies.map(({ issue, body, stood }) => ({ issue, stood, mark: markOf(body) }));
  // What was written, and deleted before we heard that it was, is written again.
  const isDeleted = (issue: number) => hub.deleted.some(({ number }) => number === issue);
  const issueOf = new Map<string, number>();
  for (const { issue, mark } of marks) {
    if (!mark) continue;
    const before = issueOf.get(mark.marker);
    const known = before === undefined || isDeleted(before) ? issue : before;
    expect(issue, `one issue for ${mark.trigger || "the overview"}`).toBe(known);
    issueOf.set(mark.marker, issue);
  }
  const askedIn = new Map<string, number>();
  for (const { issue, stood, mark } of marks) {
    // What was told in an issue that had been closed was asked about nowhere.
    for (const event of mark?.trigger && stood === "open" ? mark.events : []) {
      const before = askedIn.get(event);
      const known = before === undefined || isDeleted(before) ? issue : before;
      expect(issue, `${event} is asked about in one issue`).toBe(known);
      askedIn.set(event, issue);
    }
  }
  const said = hub.comments.filter(({ bot }) => bot).map(({ issue, body }) => `${issue} ${body.split("\n", 1)[0]}`);
  expect(said, "no comment is written twice").toEqual([...new Set(said)]);
  const answers = Map.groupBy(await store.answers(), ({ recheck, rating }) => `${recheck} ${rating}`);
  const rechecks = new Map((await store.rechecks()).map(({ id, issue }) => [id, issue]));
  for (const [about, its] of answers) {
    const issue = rechecks.get(its[0]?.recheck ?? 0);
    const orders = hub.comments.filter((said) => said.issue === issue && /^\/recheck (?:keep|change)/.test(said.body));
    const ticks = hub.ticks.filter((ticked) => ticked === issue);
    expect(its.length, `nothing said of ${about} counts twice`).toBeLessThanOrEqual(
      orders.length + ticks.length + hub.audits,
    );
  }
  expect(hub.needless, "nothing is written that is there already").toEqual([]);
  // A process that died before it could note that it was refused tries again.
  const deaths = hub.struck.filter((how) => how === "killed").length;
  for (const { issue, stopped, at: since } of hub.locks) {
    const within = hub.locks.filter((one) => one.issue === issue && one.at >= since && one.at < since + hour);
    const turned = within.filter((one) => one.stopped === undefined).length;
    const tries = within.filter((one) => stopped !== undefined && one.stopped === stopped).length;
    expect(tries, `a comment on a locked issue is tried once an hour: ${issue}`).toBeLessThanOrEqual(
      turned + 1 + deaths,
    );
  }
  const pulls = hub.pulls.filter(({ state, beside }) => state === "open" && !beside).map(({ body }) => markIn(body));
  expect(pulls, "one open pull request for each recheck").toEqual([...new Set(pulls)]);
}

/** The storm is over: everything arrives that was not lost, and days pass. */
async function settle(life: Life): Promise<void> {
  const { hub } = life;
  hub.faults = [];
  for (const issue of hub.issues) hub.lock(issue, false, "author");
  for (let round = 0; round < 4; round++) {
    while (hub.pending.length > 0) {
      const [webhook] = hub.pending.splice(0, 1);
      if (webhook) await life.deliver(webhook);
    }
    life.pass(round === 0 ? day + 2 * hour : 5 * hour);
    await life.run();
  }
  while (hub.pending.length > 0) {
    const [webhook] = hub.pending.splice(0, 1);
    if (webhook) await life.deliver(webhook);
  }
  await life.run();
}

/** What must hold in the end. */
async function conclude(life: Life): Promise<void> {
  const { hub, store, happened } = life;
  // What only the last words of a closed issue tell was asked about nowhere.
  const asked = hub.bodies.filter(({ state }) => state === "open");
  const told = new Set(asked.flatMap(({ body }) => markOf(body)?.events ?? []));
  const unasked = new Set(
    (await store.rechecks()).flatMap(({ id, state, issue }) => (state !== "open" && issue === undefined ? [id] : [])),
  );
  for (const { recheck = 0, event } of hub.audits > 0 ? await store.firings() : []) {
    if (unasked.has(recheck)) told.add(event.key);
  }
  expect(
    happened.map(({ key }) => key).filter((key) => !told.has(key)),
    "no evidence is lost",
  ).toEqual([]);

  const all = await store.rechecks();
  const firings = await store.firings();
  for (const { id, trigger, state, issue } of all) {
    expect(state, `nothing of ${trigger} waits`).not.toBe("queued");
    if (state === "closed" || state === "closing") continue;
    const shown = hub.issues.find(({ number }) => number === issue);
    expect(shown?.state, `the open recheck of ${trigger} is asked`).toBe("open");
    const words = wordsBeforeFolds(splitAtSection(shown?.body ?? "").section);
    expect(words, `the issue of ${trigger} is read in a few minutes`).toBeLessThanOrEqual(600);
    const its = firings.filter(({ recheck }) => recheck === id).map(({ event }) => event.key);
    expect(markOf(shown?.body ?? "")?.events.toSorted(), `all of ${trigger} is told`).toEqual(its.sort());
  }
  const asleep = new Set(all.filter((one) => one.state === "open" && one.snoozed !== undefined).map(({ id }) => id));
  const unsaid = (await store.comments(false)).filter(({ recheck = 0 }) => !asleep.has(recheck));
  expect(unsaid, "every comment is written").toEqual([]);
  const rechecks = new Set(all.map(({ issue }) => issue));
  const present = new Set(hub.issues.map(({ number }) => number));
  // In the overview those who may not answer are not heard.
  const overviews = new Set(hub.issues.flatMap(({ title, number }) => (title === "Recheck overview" ? [number] : [])));
  const commands = hub.comments.filter(
    ({ issue, bot, body, by }) =>
      !bot &&
      body.startsWith("/recheck") &&
      (rechecks.has(issue) || (overviews.has(issue) && by !== "reader")) &&
      present.has(issue),
  );
  const unheard = commands.filter(({ id, by }) => by !== "reader" && !hub.reactions.has(id));
  expect(unheard, "every command is answered").toEqual([]);
  // Once an hour: in the same one another command of theirs may have had it.
  const refused = Map.groupBy(
    commands.filter(({ by }) => by === "reader"),
    ({ issue }) => issue,
  );
  const ignored = [...refused].filter(([, its]) => !its.some(({ id }) => hub.reactions.has(id)));
  expect(ignored, "those who may not answer are told").toEqual([]);

  const counting = await store.answers();
  const states = new Map(all.map(({ id, state }) => [id, state]));
  for (const { rating, recheck, at, suspendedBy } of await store.suspendedAnswers()) {
    const pull = hub.pulls.find(({ number }) => number === suspendedBy);
    if (states.get(recheck) === "closed" || (pull?.state === "closed" && !pull.merged)) continue;
    const later = counting.some((other) => other.recheck === recheck && other.rating === rating && other.at >= at);
    expect(later, `what #${suspendedBy} holds counts, or something later does`).toBe(true);
  }

  const everLocked = new Set(hub.locks.map(({ issue }) => issue));
  const numbers = new Map(all.map(({ id, issue }) => [id, issue]));
  for (const { marker, body, recheck = 0, issue = numbers.get(recheck) ?? 0 } of await store.comments(true)) {
    if (!isReply({ marker }) || body === "" || !present.has(issue) || everLocked.has(issue)) continue;
    expect(hub.comments.filter((said) => said.body === body && said.issue === issue).length, "a reply is owed").toBe(1);
  }

  for (const { issue, text } of hub.notes.filter(({ issue }) => present.has(issue))) {
    expect(hub.issues.find(({ number }) => number === issue)?.body, "what people wrote stays").toContain(text);
  }
  for (const { at: since } of hub.writes) {
    const within = hub.writes.filter((written) => written.at >= since && written.at < since + hour);
    const opened = within.filter(({ what }) => /^create issue .*“About /.test(what));
    expect(opened.length, "two new rechecks an hour").toBeLessThanOrEqual(2);
    expect(within.filter(({ what }) => /^c(?:reate|omment)/.test(what)).length, "20 an hour").toBeLessThanOrEqual(20);
  }

  const before = hub.writes.length;
  await life.run();
  life.pass(minute);
  await life.run();
  expect(hub.writes.slice(before), "nothing is written without need").toEqual([]);
}

function tally(things: readonly string[]): string {
  const kinds = Map.groupBy(things, (thing) => thing.replace(/ \d+$/, ""));
  return [...kinds].map(([kind, its]) => `${its.length} ${kind}`).join(", ");
}

test(
  "a recheck lives through any events",
  async () => {
    let lives = 0;
    const [written, struck]: [string[], string[]] = [[], []];
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: steps, maxLength: steps }), async (taken) => {
        const life = await beginLife();
        try {
          const past: Past[] = [];
          await life.run();
          life.happen("beta", false);
          life.pass(day);
          await life.run();
          for (const step of taken) {
            await take(step, life, past);
            await check(life);
          }
          await settle(life);
          await check(life);
          await conclude(life);
          expect(await life.forget("reviewer"), "tables that still mention a person who was erased").toEqual([]);
          expect(await life.erase(), "tables that still hold rows of a repository that was erased").toEqual([]);
          lives += 1;
          written.push(...life.hub.writes.map(({ what }) => what.split(" ", 2).join(" ")));
          struck.push(...life.hub.struck);
        } finally {
          await life.close();
        }
      }),
      { numRuns: lifeRuns, seed, endOnFailure: process.env.LIFE_SHRINK === undefined },
    );
    console.log(`${lives} lives of ${steps} steps, from seed ${seed}: ${written.length} writes`);
    console.log(`${tally(written)}; struck by ${tally(struck)}`);
  },
  60 * minute,
);
