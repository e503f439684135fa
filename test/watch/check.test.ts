import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { changeLine } from "../../src/model/change-words.ts";
import type { Config } from "../../src/model/config.ts";
import { Failure } from "../../src/model/failure.ts";
import { StoreProblem } from "../../src/model/problem.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import type { Reader } from "../../src/read/reader.ts";
import { status } from "../../src/status/status.ts";
import { check, type World } from "../../src/watch/check.ts";
import { type Scan, scan } from "../../src/watch/scan.ts";
import { tasksHere } from "../../src/watch/tasks.ts";
import { configOf } from "../support/config-of.ts";
import { runs } from "../support/runs.ts";
import { type Answer, openWorld } from "../support/world-of.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 5, 1, 8);

async function worldOf(config: Config) {
  const web = new Map<string, Answer>();
  const { world, asked, scanAt, checkAt, close } = await openWorld(config, web);
  cleanup.push(close);
  return { world, web, asked, at: scanAt, checkAt };
}

const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of cleanup.splice(0)) await one();
});

const url = "https://example.org/specs";
const config = configOf(
  `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  specs:
    page: ${url}
    claims:
      ceiling: { says: Up to 128 GB, value: 128 GB, of: Max, ratings: [memory] }
`,
  { memory: "name: Memory\nratings: [memory]\non: [{ change: specs }]" },
);

function page(text: string): string {
  const filler = Array.from(
    { length: 12 },
    (_, index) => `<p>Paragraph ${index} says at some length what this machine is good for.</p>`,
  ).join("");
  return `<!doctype html><html lang="en"><head><title>Specs</title></head><body><main><h1>Specs</h1><p>${text}</p>${filler}</main></body></html>`;
}

const before = page("Max supports 128 GB of memory.");
const after = page("Max supports 192 GB of memory.");

test("a page that cannot be read is parsed once, until other bytes come or it is read in another way", async () => {
  const { world, web, checkAt } = await worldOf(config);
  let parsed = 0;
  const here = tasksHere(readers);
  const run: typeof here.run = (...task) => {
    parsed++;
    return here.run(...task);
  };
  const counting: World = { ...world, workers: { run } };
  const checkAgain = async (at: number, way: World = counting) => {
    const source = config.sources.get("specs") as Source;
    const [watched] = await world.store.watches();
    const checked = await check(source, watched, { ...way, clock: { now: () => start + at * hour } });
    if (checked.outcome !== "kept") await world.store.touch([checked.watch]);
    const { outcome, failure } = checked.check;
    return [outcome, failure?.says, failure?.count, parsed];
  };
  const empty = "<!doctype html><title>Specs</title>";
  web.set(url, before);
  await checkAt(start - hour, "specs");
  web.set(url, empty);
  const says = "an empty answer";
  expect(await checkAgain(1)).toEqual(["unknown", says, 1, 1]);
  expect(await checkAgain(2)).toEqual(["unknown", says, 2, 1]);
  web.set(url, `${empty}<p>`);
  expect(await checkAgain(3)).toEqual(["unknown", says, 3, 2]);
  web.set(url, new Failure("timeout"));
  expect((await checkAgain(4))[1]).toBe("timed out");
  // Which failure it had is not known any more.
  web.set(url, `${empty}<p>`);
  expect(await checkAgain(5)).toEqual(["unknown", says, 5, 3]);
  const page = readers.get("page") as Reader;
  const anew = { ...counting, readers: new Map([...readers, ["page", { ...page, version: page.version + 1 }]]) };
  expect(await checkAgain(6, anew)).toEqual(["unknown", says, 6, 4]);
  expect(await checkAgain(7, anew)).toEqual(["unknown", says, 7, 4]);
  web.set(url, before);
  expect((await checkAgain(8))[0]).toBe("unchanged");
});

describe("the notes of a release", () => {
  test("that are written after it was published fire within a week of it, once", async () => {
    const released = configOf(
      `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
products: { lib: { name: Lib } }
sources:
  releases: { github-releases: acme/lib, announces: lib }
`,
      { memory: "name: Memory\nratings: [memory]\non: [{ item: releases, matches: MPS, awaited: true }]" },
    );
    const { web, checkAt } = await worldOf(released);
    const listed = (...releases: [tag: string, on: string, body: string][]) =>
      web.set(
        "https://api.github.com/repos/acme/lib/releases?per_page=30",
        JSON.stringify(
          releases.map(([tag, on, body]) => ({
            ...{ tag_name: tag, name: tag, published_at: on, prerelease: false, body },
            html_url: `https://github.com/acme/lib/releases/tag/${tag}`,
          })),
        ),
      );
    const told = async (time: number) => (await checkAt(time, "releases")).firings.map(({ event }) => event.key);
    const old = (body: string): [string, string, string] => ["v2.12.0", "2026-04-01T00:00:00Z", body];
    const next = (body: string): [string, string, string] => ["v2.13.0", "2026-06-05T00:00:00Z", body];
    listed(old(""));
    expect(await told(start)).toEqual([]);
    listed(next(""), old("Runs on MPS, too."));
    expect(await told(start + 5 * day)).toEqual([]);
    listed(next("Runs on MPS."), old("Runs on MPS, too."));
    expect(await told(start + 5 * day + 6 * hour)).toEqual(["lib 2.13.0"]);
    listed(next("Runs on MPS and elsewhere."), old("Runs on MPS, too."));
    expect(await told(start + 6 * day)).toEqual([]);
  });
});

describe("a page", () => {
  test("fires when a second check, hours later, still sees the change: once, dated at the first sighting", async () => {
    const { web, checkAt, world } = await worldOf(config);
    web.set(url, before);
    expect((await checkAt(start, "specs")).outcome).toBe("first");
    expect(await world.store.claims()).toMatchObject([{ status: "supported", since: start }]);
    web.set(url, after);
    const once = await checkAt(start + day, "specs");
    expect(once.firings).toEqual([]);
    expect(once.sightings.length).toBeGreaterThan(0);
    expect(once.secondCheck).toBe(start + day + 6 * hour);
    const soon = await checkAt(start + day + 2 * hour, "specs");
    expect(soon.firings).toEqual([]);
    const second = await checkAt(start + day + 6 * hour, "specs");
    expect(second.outcome).toBe("changed");
    expect(second.firings.map(({ trigger, weight }) => `${trigger} ${weight}`)).toEqual(["memory contrary"]);
    expect(second.firings.every(({ seen }) => seen === start + day)).toBe(true);
    expect(await world.store.claims()).toMatchObject([{ status: "altered", since: start + day }]);
    expect((await checkAt(start + 2 * day, "specs")).firings).toEqual([]);
  });

  test("that changes back before the second check fires nothing", async () => {
    const { web, checkAt } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    web.set(url, after);
    await checkAt(start + day, "specs");
    web.set(url, before);
    expect((await checkAt(start + day + 6 * hour, "specs")).firings).toEqual([]);
    expect((await checkAt(start + 2 * day, "specs")).firings).toEqual([]);
  });

  test("whose claim is not found at the first check asks about that, and only once", async () => {
    const { web, checkAt } = await worldOf(config);
    web.set(url, page("Max supports 96 GB of memory."));
    expect((await checkAt(start, "specs")).firings.map(({ trigger }) => trigger)).toEqual(["not-found"]);
    expect((await checkAt(start + day, "specs")).firings).toEqual([]);
  });
});

describe("a change that comes a second time", () => {
  const twice = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  specs:
    page: ${url}
    claims:
      ceiling: { says: Up to 128 GB, value: 128 GB, of: Max, ratings: [memory] }
      quoted: { says: It is a prototype, quote: this machine is an early prototype and may fail, ratings: [memory] }
`,
    { link: "name: Link\nratings: [memory]\non: [{ link: specs, when: [gone, moved] }]" },
  );
  const prototype = "Beware: this machine is an early prototype and may fail.";
  const small = page(`Max supports 128 GB of memory. ${prototype}`);
  const large = page(`Max supports 192 GB of memory. ${prototype}`);
  const bare = page("Max supports 128 GB of memory.");
  const missing = new Failure("not-found", { status: 404 });

  /** What is told on these days: without the digest that says what it was. */
  async function toldBy(answers: readonly (readonly [days: number, answer: Answer])[]) {
    const { web, at } = await worldOf(twice);
    const told: string[] = [];
    for (const [days, answer] of answers) {
      web.set(url, answer);
      const { firings } = await at(start + days * day);
      told.push(...firings.map(({ event }) => `${days} ${event.key.replace(/ [0-9a-f]{16}/, "")}`));
    }
    return told;
  }

  test("is reported again if the claim was supported in between for months, by a value or a quote", async () => {
    expect(
      await toldBy([
        [0, small],
        [10, large],
        [11, large],
        [70, small],
        [71, small],
        [250, large],
        [251, large],
      ]),
    ).toEqual(["11 specs/ceiling altered", "251 specs/ceiling altered (2)"]);
    expect(
      await toldBy([
        [0, small],
        [10, bare],
        [11, bare],
        [70, small],
        [71, small],
        [250, bare],
        [251, bare],
      ]),
    ).toEqual(["11 specs/quoted gone", "251 specs/quoted gone (2)"]);
  });

  test("is not reported for a claim that goes to and fro from week to week", async () => {
    const weeks = Array.from({ length: 20 }, (_, i) => [i * 10, i % 2 === 0 ? small : large] as const);
    expect(
      await toldBy(weeks.flatMap(([days, answer]) => [[days, answer] as const, [days + 1, answer] as const])),
    ).toEqual(["11 specs/ceiling altered"]);
  });

  test("is reported for a source that was back for a while, and is gone again", async () => {
    const away = (from: number) => [0, 2, 4, 6].map((days) => [from + days, missing] as const);
    expect(await toldBy([[0, small], ...away(10), [30, small], [60, small], ...away(400)])).toEqual([
      "14 specs gone",
      "404 specs gone (2)",
    ]);
  });

  test("is reported for a redirect that was over, though the page stays as it is", async () => {
    const moved = { body: small, moved: "https://example.org/new" };
    const first = [
      [0, small],
      [10, moved],
      [11, moved],
      [40, small],
      [41, small],
    ] as const;
    expect(await toldBy([...first, [400, moved], [401, moved], [402, moved]])).toEqual([
      "11 specs moved https://example.org/new",
      "401 specs moved https://example.org/new (2)",
    ]);
    expect(await toldBy([...first, [43, moved], [44, moved], [45, small]])).toEqual([
      "11 specs moved https://example.org/new",
    ]);
  });
});

describe("a change that waits for a second check", () => {
  const told = async (world: World, at: number) =>
    (await status(world.config, world.store, at)).waiting.flatMap(({ sightings }) =>
      sightings.map(({ change, since }) => `${changeLine(change)}, since ${since - start}`),
    );

  test("is reported in its own kind while its page cannot be seen", async () => {
    const { web, world, checkAt } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    web.set(url, after);
    await checkAt(start + hour, "specs");
    const seen = [expect.stringContaining(`"Max supports 128 GB of memory." → "Max supports 192 GB of memory."`)];
    expect(await told(world, start + hour)).toEqual(seen);
    web.set(url, new Failure("status", { status: 500 }));
    const { checks } = await scan(world, { all: true });
    expect(checks.map(({ outcome }) => outcome)).toEqual(["unknown"]);
    expect(await told(world, start + hour)).toEqual(seen);
  });

  test("is a redirect, too, with the triggers that it will ask", async () => {
    const links = configOf(
      `report: { title: Report, audited: 2026-05-16 }\nratings: { a: high }\nsources:\n  specs: { page: "${url}" }`,
      { links: "name: Links\nratings: [a]\non: [{ link: specs }]" },
    );
    const { web, world, checkAt } = await worldOf(links);
    web.set(url, { body: before, moved: "https://example.org/new" });
    const first = await checkAt(start, "specs");
    expect(first.secondCheck).toBe(start + 6 * hour);
    const again = await checkAt(start + 2 * hour, "specs");
    expect(again.secondCheck).toBe(start + 6 * hour);
    expect(await told(world, start + 2 * hour)).toEqual([
      "the address moved for good to https://example.org/new, since 0",
    ]);
    const [check] = await world.store.checks("specs", 1);
    expect(check?.sightings).toMatchObject([{ asks: [{ trigger: "links", weight: "routine" }] }]);
    const second = await checkAt(start + 6 * hour, "specs");
    expect(second.firings.map(({ trigger }) => trigger)).toEqual(["links"]);
    expect(await told(world, start + 6 * hour)).toEqual([]);
  });
});

describe("a fact that comes back within days", () => {
  const address = "https://example.org/facts.json";
  const facts = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  facts: { json: "${address}", facts: { speed: speed } }
`,
    { speed: "name: Speed\nratings: [memory]\non: [{ fact: facts, name: speed, becomes: low }]" },
  );

  test("is reported once it has stayed for a week, though the source answers that nothing changed", async () => {
    const { web, checkAt } = await worldOf(facts);
    const toldOn = async (days: number, speed: string) => {
      web.set(address, JSON.stringify({ speed }));
      const { firings } = await checkAt(start + days * day, "facts");
      return firings.map(({ event, seen }) => `${event.key}, ${(seen - start) / day}`);
    };
    await toldOn(0, "high");
    expect(await toldOn(5, "low")).toEqual(["facts speed low, 5"]);
    for (const [days, speed] of [
      [20, "high"],
      [22, "low"],
      [23, "low"],
      [28, "low"],
    ] as const) {
      expect(await toldOn(days, speed)).toEqual([]);
    }
    expect(await toldOn(30, "low")).toEqual(["facts speed low (2), 22"]);
    expect(await toldOn(31, "low")).toEqual([]);
    for (const days of [40, 42, 44, 46]) expect(await toldOn(days, days % 4 === 0 ? "high" : "low")).toEqual([]);
  });
});

describe("a page in other bytes that reads the same", () => {
  const visit = (text: string, number: number) =>
    text.replace("</main>", `</main><script>let visit = ${number}</script>`);
  const row = ({ store }: World) => store.memory("specs");

  test("is unchanged, without a note of its own, and nothing of it is loaded or written but when it was seen", async () => {
    const { web, checkAt, world } = await worldOf(config);
    for (const number of [0, 1]) {
      web.set(url, visit(before, number));
      await checkAt(start + number * day, "specs");
    }
    const kept = await row(world);
    const asked: string[] = [];
    const { memory, commit } = world.store;
    Object.assign(world.store, {
      async memory(id: string) {
        asked.push("memory");
        return await memory(id);
      },
      async commit(...given: Parameters<typeof commit>) {
        asked.push("commit");
        return await commit(...given);
      },
    });
    web.set(url, visit(before, 2));
    expect(await checkAt(start + 2 * day, "specs")).toMatchObject({ outcome: "unchanged", firings: [], noise: [] });
    expect(asked).toEqual([]);
    expect(await row(world)).toBe(kept);
    web.set(url, visit(after, 3));
    expect((await checkAt(start + 3 * day, "specs")).sightings.length).toBeGreaterThan(0);
  });

  test("is not even read if it differs in nothing that a reading rests on; if its menu moves, it is once", async () => {
    const { web, checkAt, world } = await worldOf(config);
    let reads = 0;
    const counted = (reader: Reader): Reader => ({
      ...reader,
      read(...given) {
        reads++;
        return reader.read(...given);
      },
    });
    Object.assign(world, { readers: new Map([...readers].map(([kind, reader]) => [kind, counted(reader)])) });
    const menu = (text: string, entry: string) => text.replace("<main>", `<nav><a href="/">${entry}</a></nav><main>`);
    const readAt = async (days: number, text: string) => {
      reads = 0;
      web.set(url, visit(text, days));
      const { outcome } = await checkAt(start + days * day, "specs");
      return [outcome, reads];
    };
    await readAt(0, before);
    expect(await readAt(1, before)).toEqual(["unchanged", 1]);
    expect(await readAt(2, before)).toEqual(["unchanged", 0]);
    expect(await readAt(3, menu(before, "Start"))).toEqual(["unchanged", 1]);
    expect(await readAt(4, menu(before, "Start"))).toEqual(["unchanged", 0]);
    expect((await readAt(5, menu(after, "Start")))[1]).toBe(1);
  });

  test("reports the same as if each visit were compared", async () => {
    const texts = ["128 GB", "192 GB", "64 GB"].map((size) => page(`Max supports ${size} of memory.`));
    const step = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fc.integer({ min: 1, max: 200 }), fc.nat(9));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
        const told = await Promise.all(
          [true, false].map(async (isKept) => {
            const { web, checkAt, world } = await worldOf(config);
            const { watches } = world.store;
            if (!isKept) {
              const without = async () => (await watches()).map(({ lastRead: _, ...watch }) => watch);
              Object.assign(world.store, { watches: without });
            }
            const checks = [];
            let now = start;
            for (const [which, hours, number] of steps) {
              now += hours * hour;
              web.set(url, visit(texts[which] ?? "", number));
              checks.push(await checkAt(now, "specs"));
            }
            return [checks, await world.store.claims(), await world.store.firings()];
          }),
        );
        expect(told[0]).toEqual(told[1]);
      }),
      { numRuns: runs(25) },
    );
  });
});

describe("a text file that comes in half", () => {
  const file = "https://example.org/specs.md";
  const texts = configOf(`
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  specs:
    text: ${file}
    claims:
      ceiling: { says: Up to 128 GB, value: 128 GB, of: Max, ratings: [memory] }
`);
  const lines = Array.from({ length: 20 }, (_, i) => `Paragraph ${i} says at some length what this machine is for.\n`);
  const whole = `# Specs\n\n${lines.join("\n")}\nMax supports 128 GB of memory.\n`;
  const half = whole.slice(0, whole.length / 3);

  test("is not seen for two days, and fires nothing if the rest comes back", async () => {
    const { web, checkAt } = await worldOf(texts);
    web.set(file, whole);
    await checkAt(start, "specs");
    web.set(file, half);
    for (const hours of [6, 12, 24, 40]) {
      const check = await checkAt(start + hours * hour, "specs");
      expect(check).toMatchObject({ outcome: "unknown", failure: { kind: "half-loaded" }, firings: [] });
    }
    web.set(file, whole);
    expect(await checkAt(start + 44 * hour, "specs")).toMatchObject({ outcome: "unchanged", firings: [] });
  });

  test.each([
    ["half of it", whole.slice(0, whole.length / 2)],
    ["half of its lines", whole.slice(0, whole.indexOf("Paragraph 10"))],
    ["all but its end", whole.slice(0, -60)],
  ])("is not seen for twelve hours that serve %s", async (_, cut) => {
    const { web, checkAt } = await worldOf(texts);
    web.set(file, whole);
    await checkAt(start, "specs");
    web.set(file, cut);
    for (const hours of [24, 30, 36]) {
      const failure = { kind: "half-loaded" };
      expect(await checkAt(start + hours * hour, "specs")).toMatchObject({ outcome: "unknown", failure, firings: [] });
    }
    web.set(file, whole);
    expect(await checkAt(start + 48 * hour, "specs")).toMatchObject({ outcome: "unchanged", firings: [] });
  });

  test("is the whole of it if it stays so, and its claim gone at a second check", async () => {
    const { web, checkAt } = await worldOf(texts);
    web.set(file, whole);
    await checkAt(start, "specs");
    web.set(file, half);
    for (const days of [1, 2]) await checkAt(start + days * day, "specs");
    const fired = [];
    for (const days of [3, 4, 5]) fired.push(...(await checkAt(start + days * day, "specs")).firings);
    expect(fired.map(({ weight }) => weight)).toEqual(["contrary"]);
  });
});

describe("another page in its place", () => {
  const other = `<!doctype html><html lang="en"><head><title>Kites</title></head><body><main><h1>Kites</h1>
    <p>Our kites are sewn by hand from the lightest cloth, and each of them was flown before it is sold to you.</p>
    <p>In a light wind a large kite is the better choice; in a storm you leave it at home with its string.</p>
    </main></body></html>`;

  test("for two days is not seen, and nothing is reported when the old one is back", async () => {
    const { web, checkAt, world } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    web.set(url, other);
    for (const hours of [6, 12, 24, 40]) {
      expect(await checkAt(start + hours * hour, "specs")).toMatchObject({
        outcome: "unknown",
        failure: { kind: "another-page", says: "another page is in its place" },
        firings: [],
      });
    }
    web.set(url, before);
    expect(await checkAt(start + 44 * hour, "specs")).toMatchObject({ outcome: "unchanged", firings: [] });
    expect(await world.store.claims()).toMatchObject([{ status: "supported" }]);
  });

  test("that lasts is reported once, as that", async () => {
    const { web, checkAt } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    web.set(url, other);
    const fired = [];
    for (const days of [1, 2, 3, 4, 5, 6, 7]) fired.push(...(await checkAt(start + days * day, "specs")).firings);
    const told = fired.flatMap(({ evidence }) => evidence.map(({ change }) => change));
    expect(told.filter(({ kind }) => kind === "turned")).toMatchObject([{ now: "another page", since: start + day }]);
    expect(told.filter(({ kind }) => kind === "block")).toEqual([]);
  });
});

describe("an address that leads to another list for some days", () => {
  const address = "https://example.org/engine.xml";
  const feeds = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  releases: { feed: ${address} }
`,
    { memory: "name: Memory\nratings: [memory]\non: [{ item: releases }, { link: releases }]" },
  );
  const feed = (name: string, days: readonly number[]) =>
    `<rss version="2.0"><channel><title>${name}</title>${days
      .map(
        (n) =>
          `<item><guid>${name}-${n}</guid><title>${name} ${n}</title><pubDate>${new Date(start + n * day).toUTCString()}</pubDate></item>`,
      )
      .join("")}</channel></rss>`;

  /** All that is told while the address leads to a list of boats from the second day to the last. */
  async function toldWhile(last: number) {
    const { web, checkAt } = await worldOf(feeds);
    const engine = feed("engine", [-3, -2, -1]);
    const boats = { body: feed("boat", [1, 2, 3, 4, 5, 6, 7]), moved: "https://example.org/another.xml" };
    web.set(address, engine);
    await checkAt(start, "releases");
    const told = [];
    for (let n = 1; n <= 16; n++) {
      web.set(address, n >= 2 && n <= last ? boats : engine);
      const { firings } = await checkAt(start + n * day, "releases");
      told.push(...firings.flatMap(({ evidence }) => evidence.map(({ change }) => change)));
    }
    return told;
  }

  test("is not seen, and nothing of its text is reported", async () => {
    expect(await toldWhile(6)).toEqual([]);
  });

  test("or for good: the move is reported, once", async () => {
    expect(await toldWhile(16)).toMatchObject([{ kind: "link", to: "moved" }]);
  });

  test("a move was seen when the address first led there, not when a second check confirmed it", async () => {
    const { web, checkAt } = await worldOf(feeds);
    const engine = feed("engine", [-3, -2, -1]);
    web.set(address, engine);
    await checkAt(start, "releases");
    web.set(address, { body: engine, moved: "https://example.org/new.xml" });
    await checkAt(start + day, "releases");
    const { firings } = await checkAt(start + 2 * day, "releases");
    expect(firings).toMatchObject([{ seen: start + day, fired: start + 2 * day, event: { key: /moved/ } }]);
  });
});

describe("a file of a branch that was renamed", () => {
  const [raw, gitlab] = ["https://raw.githubusercontent.com/acme/kite", "https://forge.example/acme/kite/-/raw"];
  const kites = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  main: { text: ${raw}/main/README.md }
  gitlab: { text: ${gitlab}/main/README.md }
  pinned: { text: ${raw}/v1.0/README.md }
`,
    { memory: "name: Memory\nratings: [memory]\non: [{ link: main }, { link: gitlab }, { link: pinned }]" },
  );
  const text = "# Kite\n\nIt has 96 GB of memory.\n";

  test.each([
    ["main", raw, "was seen there before", true],
    ["main", raw, "was never seen there", false],
    ["gitlab", gitlab, "was seen there before", true],
  ])("is read from the default branch, and moved: %s of %s %s", async (id, at, _, before) => {
    const { web, checkAt, asked } = await worldOf(kites);
    web.set(`${at}/HEAD/README.md`, text);
    if (before) {
      web.set(`${at}/main/README.md`, text);
      await checkAt(start, id);
      expect(asked).toHaveLength(1);
      web.delete(`${at}/main/README.md`);
    }
    const told: unknown[] = [];
    for (let n = 1; n < 9; n++) {
      const { outcome, firings } = await checkAt(start + n * day, id);
      expect(["first", "unchanged", "changed"]).toContain(outcome);
      told.push(...firings.flatMap(({ evidence }) => evidence.map(({ change }) => change)));
    }
    expect(told).toEqual([{ kind: "link", to: "moved", address: `${at}/HEAD/README.md` }]);
  });

  test("is not there if the default branch has none either, or if a version had it", async () => {
    for (const [id, ref] of [
      ["main", "main"],
      ["pinned", "v1.0"],
    ] as const) {
      const { web, checkAt } = await worldOf(kites);
      web.set(`${raw}/${ref}/README.md`, text);
      await checkAt(start, id);
      web.clear();
      if (id === "pinned") web.set(`${raw}/HEAD/README.md`, text);
      expect((await checkAt(start + day, id)).outcome, id).toBe("unknown");
    }
  });
});

describe("a repository whose address led to its new name", () => {
  const asked = "https://api.github.com/repos/example/kite";
  const kite = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  kite: { github-repo: example/kite }
`,
    {
      memory: `name: Memory
ratings: [memory]
on: [{ fact: kite, name: public }, { fact: kite, name: archived }, { fact: kite, name: description }]`,
    },
  );
  const repository = (name: string, description: string, archived = false) =>
    JSON.stringify({ private: false, archived, full_name: name, description });
  const renamed = { body: repository("example/sail", "A kite"), moved: "https://api.github.com/repositories/7" };

  /** All that is told when it leads there no longer, and this stands at the address for ten days. */
  async function toldAfter(answer: Answer): Promise<string[]> {
    const { web, checkAt } = await worldOf(kite);
    const told: string[] = [];
    for (let n = 0; n < 13; n++) {
      web.set(asked, n < 2 ? renamed : answer);
      const { firings } = await checkAt(start + n * day, "kite");
      told.push(...firings.map(({ event }) => `${n} ${event.key}`));
    }
    return told;
  }

  test("and that is no longer public, is reported as any other", async () => {
    expect(await toldAfter({ body: '{"message":"Not Found"}', status: 404 })).toEqual(["3 kite public no"]);
  });

  test("and that gave its old one to another, is reported once as another source", async () => {
    expect(await toldAfter(repository("example/kite", "A boat", true))).toEqual([
      "9 kite now another source since 2026-06-03",
    ]);
  });
});

describe("a list of the newest version of each cycle", () => {
  const kites = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { lift: high }
products: { kite: { name: Kite } }
sources: { it: { endoflife: kite, announces: kite } }
`,
    { kites: "name: Kites\nratings: [lift]\non:\n  - release: kite\n" },
  );
  const cycle = (name: string, latest: string, date: string) => ({ name, latest: { name: latest, date } });
  const listed = (...releases: unknown[]) => JSON.stringify({ result: { label: "Kite", releases } });

  test("reports a new version, and never that the replaced one was withdrawn", async () => {
    const { web, checkAt } = await worldOf(kites);
    const address = "https://endoflife.date/api/v1/products/kite/";
    const older = cycle("3.9", "3.9.25", "2025-10-31");
    web.set(address, listed(cycle("3.14", "3.14.4", "2026-04-07"), older));
    await checkAt(start, "it");
    web.set(address, listed(cycle("3.14", "3.14.5", "2026-06-10"), older));
    const second = await checkAt(start + 10 * day, "it");
    expect(second.firings.map(({ event }) => event.key)).toEqual(["kite 3.14.5"]);
    expect(second.sightings).toEqual([]);
    const third = await checkAt(start + 11 * day, "it");
    expect(third.outcome).toBe("unchanged");
  });
});

describe("a store that fails", () => {
  const two = configOf(`
report: { title: Report, audited: 2026-05-16 }
sources:
  specs: { page: ${url} }
  others: { page: "https://other.example/others" }
  more: { page: "https://other.example/more" }
`);

  test.each(["memory", "readBy", "claims", "commit"] as const)(
    "as `%s` is called ends the scan with its own sentence, and no source is blamed",
    async (method) => {
      const { world, web, asked } = await worldOf(two);
      for (const { address } of two.sources.values()) web.set(address, before);
      await scan(world);
      for (const { address } of two.sources.values()) web.set(address, after);
      const problem = new StoreProblem("unreachable", "the database ended the connection");
      const failing = async () => {
        throw problem;
      };
      const defects: unknown[] = [];
      const broken = { ...world, clock: { now: () => start + 2 * day }, store: { ...world.store, [method]: failing } };
      asked.splice(0);
      const scanned = scan(broken, { onDefect: (_, thrown) => defects.push(thrown), atOnce: 1 });
      await expect(scanned).rejects.toBe(problem);
      expect(defects).toEqual([]);
      expect(asked.length).toBeLessThan(two.sources.size);
      expect((await world.store.watches()).filter(({ trouble }) => trouble)).toEqual([]);
    },
  );
});

describe("a failed check", () => {
  test("leaves validators, memory and firings as they were; the change is seen afterwards", async () => {
    const { web, asked, checkAt, world } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    const memory = await world.store.memory("specs");
    web.set(url, new Failure("status", { status: 503 }));
    const failed = await checkAt(start + day, "specs");
    expect(failed).toMatchObject({ outcome: "unknown", failure: { kind: "status", says: "503", count: 1 } });
    expect(await world.store.memory("specs")).toBe(memory);
    web.set(url, after);
    const seen = await checkAt(start + 2 * day, "specs");
    expect(asked.at(-1)?.options.validators?.etag).toBe(asked.at(-2)?.options.validators?.etag);
    expect(seen.sightings.length).toBeGreaterThan(0);
  });

  test("that cannot be read does not save the answer's validators", async () => {
    const { web, checkAt } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    web.set(url, "<html><body></body></html>");
    expect((await checkAt(start + day, "specs")).outcome).toBe("unknown");
    expect((await checkAt(start + 2 * day, "specs")).outcome).toBe("unknown");
  });

  test("counts its row, and the next good check ends it", async () => {
    const { web, checkAt, world } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    web.set(url, new Failure("timeout"));
    await checkAt(start + day, "specs");
    expect((await checkAt(start + 2 * day, "specs")).failure).toMatchObject({ count: 2, since: start + day });
    web.set(url, before);
    expect((await checkAt(start + 3 * day, "specs")).outcome).toBe("unchanged");
    expect((await world.store.watches())[0]?.trouble).toBeUndefined();
  });
});

describe("a source that is gone", () => {
  test("fires once for the claims that rest on it, after three checks and 72 hours", async () => {
    const { web, at } = await worldOf(config);
    web.set(url, before);
    await at(start);
    web.delete(url);
    expect((await at(start + 2 * day)).firings).toEqual([]);
    expect((await at(start + 4 * day)).firings).toEqual([]);
    const third = await at(start + 6 * day);
    expect(third.firings.map(({ trigger, event }) => `${trigger}: ${event.key}`)).toEqual(["memory: specs gone"]);
    expect(third.firings).toMatchObject([{ seen: start + 2 * day, fired: start + 6 * day }]);
    expect((await at(start + 8 * day)).firings).toEqual([]);
  });

  test("is asked about at the first check if it is not there then, and not again when it is gone for good", async () => {
    const { at, web } = await worldOf(config);
    const first = await at(start);
    expect(first.firings.map(({ trigger, event }) => `${trigger}: ${event.key}`)).toEqual(["not-found: specs gone"]);
    for (const days of [2, 4, 6]) expect((await at(start + days * day)).firings).toEqual([]);
    web.set(url, before);
    expect((await at(start + 8 * day)).firings).toEqual([]);
    expect((await at(start + 10 * day)).firings).toEqual([]);
    // It goes away a second time: that is a change like any other.
    web.delete(url);
    await at(start + 60 * day);
    await at(start + 62 * day);
    const again = await at(start + 64 * day);
    expect(again.firings.map(({ trigger, event }) => `${trigger}: ${event.key}`)).toEqual(["memory: specs gone (2)"]);
  });
});

describe("a source that was dead at its first check, and then moves", () => {
  const moving = configOf(
    `
report: { title: Report, audited: 2026-05-16 }
ratings: { memory: high }
sources:
  specs:
    page: ${url}
    claims:
      ceiling: { says: Up to 128 GB, value: 128 GB, of: Max, ratings: [memory] }
`,
    { memory: "name: Memory\nratings: [memory]\non: [{ link: specs }]\n" },
  );
  const moved = "https://elsewhere.example/specs";
  const keys = (scans: readonly Scan[]) => scans.map(({ firings }) => firings.map(({ event }) => event.key));

  test.each([
    ["before three days are over", 1],
    ["once it was reported as gone", 4],
  ])("%s: the move is reported once, and its claims are read from there", async (_, days) => {
    const { at, web, world } = await worldOf(moving);
    const scans: Scan[] = [];
    for (let n = 0; n <= days; n++) scans.push(await at(start + n * day));
    expect(keys(scans).flat()).toEqual(["specs gone"]);
    web.set(url, { body: before, moved });
    const later: Scan[] = [];
    for (let n = 1; n <= 5; n++) later.push(await at(start + (days + n) * day));
    expect(keys(later)).toEqual([[], [`specs moved ${moved}`], [], [], []]);
    expect(await world.store.claims()).toMatchObject([{ status: "supported" }]);
  });
});

describe("config that changes", () => {
  test("a new claim is proved at the next check, although the page says 304", async () => {
    const database = await worldOf(config);
    database.web.set(url, before);
    await database.checkAt(start, "specs");
    const more = configOf(
      `
report: { title: Report, audited: 2026-05-16 }
sources:
  specs:
    page: ${url}
    claims:
      ceiling: { says: Up to 128 GB, value: 128 GB, of: Max }
      other: { says: Something else, quote: a passage that is nowhere on this page }
`,
    );
    const source = more.sources.get("specs");
    const [watch] = await database.world.store.watches();
    if (!source) throw new Error("no source");
    const { check: result } = await check(source, watch, { ...database.world, config: more });
    expect(result.firings.map(({ event }) => event.key)).toEqual([expect.stringContaining("specs/other")]);
  });

  test("a better reader reads the kept response again, and its improvement is no change", async () => {
    const { web, checkAt, world } = await worldOf(config);
    web.set(url, before);
    await checkAt(start, "specs");
    const reader = readers.get("page");
    const source = config.sources.get("specs");
    const [watch] = await world.store.watches();
    if (!reader || !source) throw new Error("no reader");
    const better = {
      ...reader,
      version: reader.version + 1,
      read: async (response: Parameters<typeof reader.read>[0], of: typeof source) => {
        const reading = await reader.read(response, of);
        return {
          ...reading,
          blocks: [
            ...(reading.blocks ?? []),
            { path: ["Specs"], kind: "paragraph" as const, text: "What only the better reader sees in this page." },
          ],
        };
      },
    };
    const { check: result } = await check(source, watch, { ...world, readers: new Map([["page", better]]) });
    expect(result.sightings).toEqual([]);
    expect(result.firings).toEqual([]);
  });

  test.each([
    ["while nothing waits", undefined],
    ["while a redirect waits for its second check", "https://example.org/elsewhere"],
  ])("a better reader's improvement is no change %s", async (_, moved) => {
    const config = configOf(
      `
report: { title: Report, audited: 2026-05-16 }
ratings: { a: "1" }
sources:
  m: { json: "${url}", facts: { n: n } }
`,
      { t: "name: T\nratings: [a]\non: [{ fact: m, name: n }]" },
    );
    const { web, checkAt, world } = await worldOf(config);
    const reader = readers.get("json");
    if (!reader) throw new Error("no reader");
    const older: Reader = {
      ...reader,
      version: reader.version - 1,
      async read(...given) {
        const { facts = {}, ...reading } = await reader.read(...given);
        const cut = Object.entries(facts).map(([name, fact]) => [name, fact.slice(0, 3)]);
        return { ...reading, facts: Object.fromEntries(cut) };
      },
    };
    const body = '{ "n": "all of it" }';
    const answer = (text: string) => (moved === undefined ? text : { body: text, moved });
    Object.assign(world, { readers: new Map([["json", older]]) });
    web.set(url, body);
    await checkAt(start, "m");
    web.set(url, answer(body));
    await checkAt(start + day, "m");
    Object.assign(world, { readers });
    expect((await checkAt(start + 1.3 * day, "m")).firings).toEqual([]);
    web.set(url, answer('{ "n": "all of it, and more" }'));
    expect((await checkAt(start + 3 * day, "m")).firings).toHaveLength(1);
  });

  test.each([
    ["begins where it could last read one", ["1", "2"], "unchanged", 0],
    ["begins again if it can read none", ["2"], "first", 0],
    ["tells what changed since the one that it can read", ["0", "2"], "changed", 1],
  ])("a better reader that refuses a kept response %s", async (_, earlier, outcome, told) => {
    const config = configOf(
      `
report: { title: Report, audited: 2026-05-16 }
ratings: { a: "1" }
sources:
  m: { json: "${url}", facts: { n: n } }
`,
      { t: "name: T\nratings: [a]\non: [{ fact: m, name: n }]" },
    );
    const { web, checkAt, at, world } = await worldOf(config);
    for (const [i, n] of earlier.entries()) {
      web.set(url, `{ "n": ${n} }`);
      await at(start + i * day);
    }
    const reader = readers.get("json");
    if (!reader) throw new Error("no reader");
    const better: Reader = {
      ...reader,
      version: reader.version + 1,
      read: async (response, of) => {
        if (new TextDecoder().decode(response.body).includes("2")) throw new Failure("error-page");
        return await reader.read(response, of);
      },
    };
    Object.assign(world, { readers: new Map([["json", better]]) });
    expect((await checkAt(start + 4 * day, "m")).outcome).toBe("unknown");
    web.set(url, '{ "n": 1 }');
    const check = await checkAt(start + 5 * day, "m");
    expect(check.outcome).toBe(outcome);
    expect(check.firings).toHaveLength(told);
  });
});

describe("an outage of ours", () => {
  const many = configOf(`
report: { title: Report, audited: 2026-05-16 }
sources:
${["a", "b", "c", "d", "e"].map((host) => `  ${host}: { page: "https://${host}.example.org/" }`).join("\n")}
`);
  const urls = ["a", "b", "c", "d", "e"].map((host) => `https://${host}.example.org/`);

  test("is said once and held against no source; checks that did succeed are kept", async () => {
    const { web, at, world } = await worldOf(many);
    for (const one of urls) web.set(one, before);
    await at(start);
    for (const one of urls.slice(0, 3)) web.set(one, new Failure("connect"));
    const down = await at(start + 2 * day);
    expect(down.outage).toBe(true);
    const watches = await world.store.watches();
    expect(watches.filter(({ trouble }) => trouble)).toEqual([]);
    expect(watches.filter(({ lastSeen }) => lastSeen === start + 2 * day)).toHaveLength(2);
    expect((await at(start + 2 * day + hour)).checks).toHaveLength(3);
  });

  test("needs more than half of the hosts, and no answer at all", async () => {
    const { web, at, world } = await worldOf(many);
    for (const one of urls) web.set(one, before);
    await at(start);
    for (const one of urls.slice(0, 2)) web.set(one, new Failure("connect"));
    expect((await at(start + 2 * day)).outage).toBe(false);
    for (const one of urls) web.set(one, new Failure("status", { status: 503 }));
    expect((await at(start + 4 * day)).outage).toBe(false);
    expect((await world.store.watches()).filter(({ trouble }) => trouble)).toHaveLength(5);
  });

  test.each([
    [3, 2, true],
    [3, 1, false],
    [2, 2, false],
  ])("of %i hosts %i without a response: %s", async (hosts, silent, outage) => {
    const few = { ...many, sources: new Map([...many.sources].slice(0, hosts)) };
    const { web, at } = await worldOf(few);
    for (const [index, one] of urls.entries()) web.set(one, index < silent ? new Failure("connect") : before);
    expect((await at(start)).outage).toBe(outage);
  });
});
