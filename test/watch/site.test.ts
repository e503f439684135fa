import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { noiseWords } from "../../src/model/words.ts";
import { runs } from "../support/runs.ts";
import { begin, configOf, type Days, day, hour, lived, page, type Told, told } from "../support/story.ts";
import { type Answer, openWorld } from "../support/world-of.ts";

/** Several sources of one host: what changes on all of them at once. */

const names = ["one", "two", "three"];
const urlOf = (name: string, host = "docs.example.org") => `https://${host}/${name}`;
const sourcesOf = (hosts: readonly string[] = [], more = "") =>
  `sources:\n${names.map((name, i) => `  ${name}:\n    page: ${urlOf(name, hosts[i])}\n`).join("")}${more}`;
const listening = (conditions: string) => ({ t: `name: T\nratings: [a]\non: [${conditions}]` });
const all = names.map((name) => `{ change: ${name} }`).join(", ");
const site: Told = { sources: sourcesOf(), triggers: listening(all) };

const p = (text: string) => `<p>${text}</p>`;
const own = (name: string) =>
  p(`Here the manual tells everything about part ${name} of the engine, and about no other.`);
/** The three pages with these lines, on a day. */
const saying = (lines: string | ((name: string) => string), of = names, hosts: readonly string[] = []) =>
  Object.fromEntries(
    of.map((name) => [
      urlOf(name, hosts[names.indexOf(name)]),
      page(own(name), typeof lines === "string" ? lines : lines(name)),
    ]),
  );

const stamp = (version: string) => p(`Engine ${version} documentation`);
const restamped = "2 t: Engine 2.12 documentation → Engine 2.13 documentation";
const needed = (version: string) => p(`Engine ${version} is required.`);
const edit = "Engine 2.12 is required. → Engine 2.13 is required.";

/** The pages with a line above their title. */
const above = (line: string, of = names) =>
  Object.fromEntries(of.map((name) => [urlOf(name), page(own(name)).replace("<h1>", `${line}<h1>`)]));
const named = (version: string) => p(`Mill v${version}`);

const rest = p("Everything else stays as it was in the years before the flood.".repeat(2));

describe("pages of one site", () => {
  const stories: readonly (readonly [name: string, config: Told, days: Days, fires: readonly string[]])[] = [
    [
      "whose stamp of a version changes on all of them: silent",
      site,
      { 0: saying(stamp("2.12")), 2: saying(stamp("2.13")) },
      [],
    ],
    [
      "whose name has another version above the title of all of them: silent",
      site,
      { 0: above(named("2.12")), 2: above(named("2.13")) },
      [],
    ],
    [
      "that all get a line with a version above their title: silent",
      site,
      { 0: above(""), 2: above(named("2.13")) },
      [],
    ],
    [
      "with one that gets a line with a version above its title: reported",
      site,
      { 0: above(""), 2: above(named("2.13"), ["one"]) },
      ["2 t: + Mill v2.13"],
    ],
    [
      "that all get a line above their title saying that a version is deprecated: reported once",
      site,
      { 0: above(""), 2: above(p("Deprecated since 2.13")) },
      ["2 t: + Deprecated since 2.13"],
    ],
    [
      "that all get a line with a version within their text: reported once",
      site,
      { 0: saying(rest), 2: saying(named("2.13") + rest) },
      ["2 t: + Mill v2.13"],
    ],
    [
      "that all say a sentence with another version above their title: reported once",
      site,
      { 0: above(needed("2.12")), 2: above(needed("2.13")) },
      [`2 t: ${edit}`],
    ],
    [
      "that all name another version within their text: reported once",
      site,
      {
        0: saying(named("2.12") + rest),
        2: saying(named("2.13") + rest),
      },
      ["2 t: Mill v2.12 → Mill v2.13"],
    ],
    [
      "with two that change their stamp: reported, nothing is learned from so few",
      site,
      { 0: saying(stamp("2.12")), 2: saying(stamp("2.13"), ["one", "two"]) },
      [restamped, restamped],
    ],
    [
      "with one that is edited: reported",
      site,
      {
        0: saying(stamp("2.12") + needed("2.12")),
        2: saying((name) => stamp("2.13") + needed(name === "two" ? "2.13" : "2.12")),
      },
      [`2 t: ${edit}`],
    ],
    [
      "all edited alike: reported once",
      site,
      { 0: saying(needed("2.12")), 2: saying(needed("2.13")) },
      [`2 t: ${edit}`],
    ],
    [
      "all edited alike, and one of them otherwise too: reported once, and that",
      site,
      {
        0: saying(needed("2.12")),
        2: saying((name) => needed("2.13") + (name === "one" ? p("It needs water, too.") : "")),
      },
      ["2 t: + It needs water, too.", `2 t: ${edit}`],
    ],
    [
      "that all get a banner: reported once",
      site,
      { 0: saying(""), 2: saying(p("The engine is moving to another address next spring.")) },
      ["2 t: + The engine is moving to another address next spring."],
    ],
    [
      "all edited alike, a month apart: reported each time",
      site,
      {
        0: saying(needed("2.12")),
        2: saying(needed("2.13"), ["one"]),
        32: saying(needed("2.13"), ["two"]),
        62: saying(needed("2.13"), ["three"]),
      },
      [2, 32, 62].map((on) => `${on} t: ${edit}`),
    ],
    [
      "with a trigger that awaits the version in the stamp: reported",
      { ...site, triggers: listening(`${all}, { change: two, matches: "2\\\\.13", awaited: true }`) },
      { 0: saying(stamp("2.12")), 2: saying(stamp("2.13")) },
      ["2 t!: Engine 2.12 documentation → Engine 2.13 documentation"],
    ],
    [
      "all edited alike, each for a trigger of its own: reported to each",
      {
        ...site,
        triggers: Object.fromEntries(
          names.map((name) => [name, `name: ${name}\nratings: [a]\non: [{ change: ${name} }]`]),
        ),
      },
      { 0: saying(needed("2.12")), 2: saying(needed("2.13")) },
      ["one", "three", "two"].map((name) => `2 ${name}: ${edit}`),
    ],
  ];
  for (const [name, config, days, fires] of stories) {
    test(name, async () => {
      expect(await told(config, days)).toEqual(fires);
    });
  }

  test("all edited alike, which moves a claim of one of them: the claim is reported", async () => {
    const claim = '    claims:\n      c: { says: It does, quote: "Engine 2.12 is required.", ratings: [a] }\n';
    const days = { 0: saying(needed("2.12")), 2: saying(needed("2.13")) };
    const lines = await told({ ...site, sources: sourcesOf([], claim) }, days);
    expect(lines).toContain("2 t!: three/c altered: Engine 2.13 is required");
  });

  test("say of each silence why", async () => {
    const { checks } = await lived(site, {
      0: saying(stamp("2.12") + needed("2.12")),
      2: saying(stamp("2.13") + needed("2.13")),
    });
    const said = checks.flatMap(({ source, noise }) => noise.map((one) => `${source}: ${noiseWords(one)}`));
    expect(said.filter((line) => line.includes("stamp"))).toEqual(
      expect.arrayContaining(
        names.map((name) => `${name}: the same on 3 pages of this site: a stamp of its version, build or date`),
      ),
    );
    expect(said.filter((line) => line.includes("already reported"))).toHaveLength(2);
  });
});

test.each([
  ["that four other pages have: two of those are checked before the second check", needed("2.12"), 2],
  ["that no other page has: no other is checked sooner", p("The engine number three needs water."), 0],
])("a text changes %s", async (_, text, sooner) => {
  const all = [...names, "four", "five"];
  const every = (name: string) => (name === "three" ? "1d" : "7d");
  const sources = `sources:\n${all.map((name) => `  ${name}: { page: "${urlOf(name)}", every: ${every(name)} }\n`).join("")}`;
  const web = new Map<string, Answer>(Object.entries(saying(needed("2.12"), all)));
  web.set(urlOf("three"), page(own("three"), text));
  const { scanAt, close } = await openWorld(configOf({ sources }), web);
  await scanAt(begin);
  web.set(urlOf("three"), page(own("three"), needed("2.13")));
  const seen = await scanAt(begin + day);
  const soon = await scanAt(begin + day + hour);
  const second = await scanAt(begin + day + 6 * hour);
  await close();
  expect(seen.checks.map(({ source }) => source)).toEqual(["three"]);
  expect(soon.checks).toHaveLength(sooner);
  expect(second.checks.map(({ source }) => source)).toEqual(["three"]);
});

test("two pages are all of a site: a stamp is silent, and a change of both is reported once", async () => {
  const two = names.slice(0, 2);
  const pages = (version: string) => saying(stamp(version) + needed(version), two);
  const sources = `sources:\n${two.map((name) => `  ${name}: { page: "${urlOf(name)}" }\n`).join("")}`;
  const conditions = listening(two.map((name) => `{ change: ${name} }`).join(", "));
  expect(await told({ sources, triggers: conditions }, { 0: pages("2.12"), 2: pages("2.13") })).toEqual([
    `2 t: ${edit}`,
  ]);
});

describe("a page whose site has no other source", () => {
  const alone: Told = {
    sources: `sources:\n  one: { page: "${urlOf("one")}" }\n`,
    triggers: listening("{ change: one }"),
  };
  const link = (to: string) => `<p>Go on to <a href="${to}">the next part of the manual of this engine</a>.</p>`;
  const one = (lines: string, to = "two") => ({ [urlOf("one")]: page(own("one"), lines + link(to)) });
  const two = (lines: string) => ({ [urlOf("two")]: page(own("two"), lines) });
  const stampChanged = ["2 t: Engine 2.12 documentation → Engine 2.13 documentation"];

  test.each([
    ["with the same stamp: silent", two(stamp("2.13")), []],
    ["with the old stamp: reported", two(stamp("2.12")), stampChanged],
    ["with both: reported", two(stamp("2.12") + stamp("2.13")), stampChanged],
    ["without a stamp: reported", two(""), stampChanged],
    [
      "that is the same page again: reported",
      { [urlOf("two")]: page(own("one"), stamp("2.13") + link("two")) },
      stampChanged,
    ],
    ["that is missing: reported", { [urlOf("two")]: new Failure("not-found", { status: 404 }) }, stampChanged],
    ["that robots.txt forbids: reported", { [urlOf("two")]: new Failure("robots") }, stampChanged],
  ] as const)("changes its stamp, and links a neighbour %s", async (_, neighbour, fires) => {
    const days = { 0: { ...one(stamp("2.12")), ...two(stamp("2.12")) }, 2: { ...one(stamp("2.13")), ...neighbour } };
    const { firings, checks } = await lived(alone, days);
    expect(firings).toHaveLength(fires.length);
    const said = checks.flatMap(({ noise }) => noise.map(noiseWords)).filter((words) => words.includes("of this site"));
    expect(said).toEqual(
      fires.length > 0 ? [] : ["the same on 2 pages of this site: a stamp of its version, build or date"],
    );
  });

  const releases = ["2.12", "2.13", "2.14", "2.15"];
  const daysOf = (pageOf: (version: string) => Days[number]): Days =>
    Object.fromEntries(releases.map((version, i) => [i * 2, pageOf(version)]));
  const changes = releases.slice(1).map((version, i) => `${i * 2 + 2} t: Mill v${releases[i]} → Mill v${version}`);

  test("reports the version above its title once, and each time if a condition names it", async () => {
    const days = daysOf((version) => above(named(version), ["one"]));
    expect(await told(alone, days)).toEqual(changes.slice(0, 1));
    expect(await told({ ...alone, triggers: listening("{ change: one, matches: Mill }") }, days)).toEqual(changes);
  });

  test("reports a version in its content each time, and one without a name or with a status above its title", async () => {
    const sections = daysOf((version) => above(named(version) + p("It flies in any wind."), ["one"]));
    expect(await told(alone, sections)).toEqual(changes);
    expect(
      await told(
        alone,
        daysOf((version) => saying(named(version), ["one"])),
      ),
    ).toEqual(changes);
    for (const words of ["Stable:", "Version"]) {
      const line = daysOf((version) => above(p(`${words} v${version}`), ["one"]));
      expect(await told(alone, line)).toHaveLength(changes.length);
    }
  });

  test("reports any other change, with any text of its neighbour", async () => {
    const days = {
      0: { ...one(needed("2.12")), ...two(needed("2.12")) },
      2: { ...one(needed("2.13")), ...two(needed("2.13")) },
    };
    expect(await told(alone, days)).toEqual([`2 t: ${edit}`]);
  });

  test("reads no neighbour on another host, and none before a stamp waits", async () => {
    const asked: string[] = [];
    const web = new Map<string, Answer>();
    const get = (url: string) => {
      asked.push(url);
      return web.get(url);
    };
    const answers = { get } as unknown as Map<string, Answer>;
    const { scanAt, close } = await openWorld(configOf(alone), answers);
    const other = "https://elsewhere.example.org/two";
    const states = [stamp("2.12"), stamp("2.12") + needed("2.12"), stamp("2.13") + needed("2.12")];
    for (const [i, lines] of states.entries()) {
      for (const [url, answer] of Object.entries(one(lines, i === 2 ? other : "two"))) web.set(url, answer);
      for (let n = 0; n < 24; n++) await scanAt(begin + i * 2 * day + n * 2 * hour);
    }
    await close();
    expect(new Set(asked)).toEqual(new Set([urlOf("one")]));
  });
});

test("a change of one page alone is never hidden by changes of others of its site", async () => {
  const line = fc.constantFrom(stamp, needed, (version: string) => p(`It supports ${version} only.`));
  const edits = fc.record({
    lines: fc.uniqueArray(line, { minLength: 1 }),
    changed: fc.subarray(names, { minLength: 1 }),
    sourced: fc.subarray(names, { minLength: 1 }),
    edited: fc.constantFrom(...names),
  });
  await fc.assert(
    fc.asyncProperty(edits, async ({ lines, changed, sourced, edited }) => {
      const sources = `sources:\n${sourced.map((name) => `  ${name}: { page: "${urlOf(name)}" }\n`).join("")}`;
      const conditions = listening(sourced.map((name) => `{ change: ${name} }`).join(", "));
      const body = (version: string) => lines.map((of) => of(version)).join("");
      const links = names
        .map((name) => `<p><a href="${name}">The part about ${name}, and all that it does</a></p>`)
        .join("");
      const news = p("This part alone was given a second wheel, which it did not have before.");
      const days = {
        0: saying(() => body("2.12") + links),
        2: saying((name) => body(changed.includes(name) ? "2.13" : "2.12") + links + (name === edited ? news : "")),
      };
      const { firings } = await lived({ sources, triggers: conditions }, days);
      const texts = firings.flatMap(({ evidence }) => evidence.map((piece) => JSON.stringify(piece.change)));
      expect(texts.filter((text) => text.includes("second wheel")).length).toBe(sourced.includes(edited) ? 1 : 0);
      const isChanged = sourced.some((name) => changed.includes(name));
      for (const of of lines.filter((one) => one !== stamp && isChanged)) {
        expect(texts.some((text) => text.includes(of("2.13").slice(3, -4)))).toBe(true);
      }
      // A stamp is hidden only if other pages changed it too.
      const isAlone = changed.length === 1 && sourced.includes(changed[0] ?? "") && lines.includes(stamp);
      if (isAlone) expect(texts.some((text) => text.includes("Engine 2.13 documentation"))).toBe(true);
    }),
    { numRuns: runs(12) },
  );
}, 60_000);

test("one page on each host: nothing is ever learned of another", async () => {
  const hosts = ["a.example.org", "b.example.org", "c.example.org"];
  const line = fc.constantFrom(stamp, needed, (version: string) => p(`Version ${version}`));
  const version = fc.constantFrom("2.12", "2.13", "2.14");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, version), { minLength: 2, maxLength: 4 }), async (states) => {
      const days = Object.fromEntries(states.map(([of, to], i) => [i * 3, saying(of(to), names, hosts)]));
      const { checks, firings } = await lived({ ...site, sources: sourcesOf(hosts) }, days, 2);
      expect(checks.flatMap(({ noise }) => noise.filter((one) => one.site))).toEqual([]);
      const each = Map.groupBy(firings, ({ evidence }) => evidence[0]?.source);
      const times = names.map((name) => each.get(name)?.map(({ seen }) => Math.floor(seen / day)));
      expect(times).toEqual([times[0], times[0], times[0]]);
    }),
    { numRuns: runs(6) },
  );
});
