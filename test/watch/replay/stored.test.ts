import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Store } from "../../../src/model/ports/index.ts";
import { isAsking } from "../../../src/model/ports/index.ts";
import type { Instant } from "../../../src/model/time.ts";
import { readers } from "../../../src/read/index.ts";
import { plan } from "../../../src/recheck/plan.ts";
import { play } from "../../../src/watch/replay/play.ts";
import { storedTapes } from "../../../src/watch/replay/tape.ts";
import { scan } from "../../../src/watch/scan.ts";
import { closeAll, fetching, web } from "../../adapters/fetch/local-web.ts";
import { released } from "../../recheck/samples.ts";
import { configOf } from "../../support/config-of.ts";
import { runs } from "../../support/runs.ts";

const config = configOf(
  `report: { title: Kites, audited: 2026-05-16 }
levels: [Low, High]
ratings: { lift: Low, drag: High }
products:
  spar: { name: Spar }
sources:
  releases: { json: "http://a.example.org/releases.json", items: "$", item: { id: v, version: v, title: v, date: at }, announces: spar }
  package: { json: "http://b.example.org/releases.json", items: "$", item: { id: v, version: v, title: v }, announces: spar }
  limits:
    text: http://c.example.org/limits.md
    claims:
      payload: { says: It carries 95 g, quote: A sled carries 95 g in a fresh wind, ratings: [lift] }
  state: { json: "http://d.example.org/state.json", facts: { public: public, price: price }, at-audit: { public: no } }
  notes: { text: "http://e.example.org/notes.md", confirm: 1h }
`,
  {
    delta: `name: Delta kites
ratings: [lift, drag]
on:
  - release: spar
    bump: [major, minor]
  - change: limits
  - fact: state
    name: public
    awaited: true
also:
  - fact: state
    name: price
  - link: notes
`,
    sled: "name: Sleds\nratings: [drag]\non:\n  - release: spar\n  - change: notes\n",
  },
);

const hour = 3_600_000;
const begin = Date.UTC(2026, 4, 20);

/** What the web says at one time, path by path: a body, or a status. */
type Web = Record<string, string | number>;

const versions = ["1.0.0", "1.0.1", "1.1.0", "2.0.0", "2.1.0-rc1", "1.1.1"];
const list = fc
  .subarray(versions, { minLength: 1 })
  .map((some) =>
    JSON.stringify(some.map((v) => ({ v, at: new Date(begin - versions.indexOf(v) * 24 * hour).toISOString() }))),
  );
const text = fc
  .tuple(fc.constantFrom("95 g", "80 g", "100 g"), fc.constantFrom("trees", "lines", "cows", "masts"))
  .map(
    ([weight, things]) => `# Payload\n\nA sled carries ${weight} in a fresh wind.\n\n# Care\n\nMind the ${things}.\n`,
  );
const facts = fc
  .tuple(fc.constantFrom("yes", "no"), fc.constantFrom("3", "4", "5"))
  .map(([isPublic, price]) => JSON.stringify({ public: isPublic, price }));
const trouble = fc.constantFrom(403, 404, 503);
const mostly = (body: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 6, arbitrary: body }, { weight: 1, arbitrary: trouble });
const days = fc.array(
  fc.record({
    hours: fc.integer({ min: 1, max: 80 }),
    web: fc.record<Web>(
      {
        "a.example.org/releases.json": mostly(list),
        "b.example.org/releases.json": mostly(list),
        "c.example.org/limits.md": mostly(text),
        "d.example.org/state.json": mostly(facts),
        "e.example.org/notes.md": mostly(text),
      },
      { requiredKeys: [] },
    ),
    answers: fc.constantFrom(undefined, undefined, undefined, "delta", "sled"),
  }),
  { minLength: 3, maxLength: 14 },
);

const stores: { close(): Promise<void> }[] = [];
afterEach(closeAll);
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function newStore(): Promise<Store> {
  const database = await openStore(":memory:");
  stores.push(database);
  return database.repository("test");
}

/** Opens, joins and closes rechecks as the outbox does with a GitHub on which people answer. */
async function asks(store: Store, at: Instant, answered: string | undefined): Promise<void> {
  for (const action of plan(await store.firings(), await store.rechecks(), () => true)) {
    if (action.kind === "join") await store.joinRecheck(action.recheck, action.firings, at);
    else {
      const { trigger, firings, previous } = action;
      await store.openRecheck({ trigger, state: "planned", marker: `${trigger} ${at}`, opened: at, previous }, firings);
    }
  }
  const open = (await store.rechecks()).find((one) => one.trigger === answered && isAsking(one));
  if (open) await store.updateRecheck(open.id, { state: "closed", closed: at });
}

/** The rechecks of each trigger in their order, and what feeds each: what must be the same. */
async function asked(store: Store) {
  const firings = await store.firings();
  const rechecks = (await store.rechecks()).toSorted((a, b) =>
    a.trigger < b.trigger ? -1 : a.trigger > b.trigger ? 1 : a.id - b.id,
  );
  return rechecks.map(({ id, trigger, state }) => ({
    trigger,
    state,
    firings: firings
      .filter(({ recheck }) => recheck === id)
      .map(({ event, weight, evidence }) => ({
        ...{ event: event.key, weight },
        sources: [...new Set(evidence.map(({ source }) => source))].sort(),
      }))
      .sort((a, b) => (a.event < b.event ? -1 : 1)),
  }));
}

/** A list in whose place an older one stands, until that is told as such. */
const anotherList = [{ "1.0.0": 20, "1.0.1": 19, "2.0.0": 17 }, { "1.1.1": 15 }].map((days, i) => ({
  hours: 6 + i * 250,
  web: {
    "a.example.org/releases.json": JSON.stringify(
      Object.entries(days).map(([v, day]) => ({ v, at: `2026-05-${day}T00:00:00.000Z` })),
    ),
  },
  answers: undefined,
}));

describe("a backtest of the stored history", () => {
  it("opens exactly the rechecks that are stored", async () => {
    const said: Web = {};
    const { origin } = await web((request, response) => {
      const answer = said[`${request.headers.host}${request.url}`] ?? 404;
      if (typeof answer === "number") response.writeHead(answer).end();
      else response.writeHead(200, { etag: `"${Buffer.from(answer).toString("base64url").slice(-60)}"` }).end(answer);
    });
    let rechecks = 0;
    await fc.assert(
      fc.asyncProperty(days, async (story) => {
        for (const key of Object.keys(said)) delete said[key];
        // No two checks begin at the very same time.
        const clock = { time: begin, now: () => clock.time++ };
        const fetch = fetching({ origin: () => origin, clock });
        const store = await newStore();
        const world = { config, clock, readers, store, fetch, access: { githubToken: true } };
        for (const { hours, web, answers } of story) {
          Object.assign(said, web);
          for (let passed = 0; passed < hours; passed += 5) {
            clock.time += Math.min(5, hours - passed) * hour;
            await scan(world, { atOnce: 1 });
            await asks(store, clock.time, undefined);
          }
          await asks(store, clock.time, answers);
        }
        const stored = await storedTapes(config, store);
        const empty = await newStore();
        const settings = {
          config,
          readers,
          store: empty,
          answers: stored.answers,
          until: clock.time,
        };
        await play(stored.tapes, settings);
        const expected = await asked(store);
        rechecks += expected.length;
        expect(await asked(empty)).toEqual(expected);
        await fetch.close();
      }),
      { numRuns: runs(20), endOnFailure: true, examples: [[anotherList]] },
    );
    expect(rechecks).toBeGreaterThan(runs(20));
  }, 120_000);

  it("takes an answer to *Catch up* for one to all that it asks about", async () => {
    const store = await newStore();
    await store.commit((tx) =>
      tx.fire([
        { ...released, trigger: "delta" },
        { ...released, trigger: "sled" },
      ]),
    );
    const ids = (await store.firings()).map(({ id }) => id);
    const caught = { trigger: "catch-up", state: "planned", marker: "c", opened: begin } as const;
    const recheck = await store.openRecheck(caught, ids);
    await store.updateRecheck(recheck, { state: "closed", closed: begin + hour });
    expect((await storedTapes(config, store)).answers).toEqual([
      { trigger: "delta", at: begin + hour },
      { trigger: "sled", at: begin + hour },
    ]);
  });
});
