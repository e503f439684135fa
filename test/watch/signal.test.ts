import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { inputSize } from "../support/runs.ts";
import {
  begin,
  configOf,
  type Days,
  day,
  document,
  hour,
  lived,
  type News,
  page,
  type Told,
  told,
} from "../support/story.ts";
import { type Answer, openWorld } from "../support/world-of.ts";

/**
 * What a world does over days, and what must fire: exactly. A line is the day of the first sighting, the trigger (`!`:
 * contrary) and what was seen.
 */
type Story = readonly [name: string, config: Told, days: Days, fires: readonly string[], until?: number];

function tell(stories: readonly Story[]): void {
  for (const [name, config, days, fires, until] of stories) {
    test(name, async () => {
      expect(await told(config, days, until)).toEqual(fires);
    });
  }
}

const on = (conditions: string) => ({ t: `name: T\nratings: [a]\non: [${conditions}]` });

// ── Pages ──────────────────────────────────────────────────────────────────────────────────────

const manual = "https://example.org/manual";
const engine = "products: { engine: { name: Engine } }\n";

function watching(conditions: string, options = ""): Told {
  return { sources: `${engine}sources:\n  m:\n    page: ${manual}\n${options}`, triggers: on(conditions) };
}

/** A claim and nothing else: no condition listens to the page's text. */
function claiming(proof: string): Told {
  return watching("{ link: m, when: [gone] }", `    claims:\n      c: { says: It does, ${proof}, ratings: [a] }\n`);
}

/** The same address, from day to day. */
const from = (...said: readonly (readonly [at: number, answer: Answer])[]): Days =>
  Object.fromEntries(said.map(([at, answer]) => [at, { [manual]: answer }]));

const p = (text: string) => `<p>${text}</p>`;
const list = (...items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
const table = (...rows: string[]) =>
  `<table><tr><th>Chip</th><th>Memory</th></tr>${rows
    .map(
      (row) =>
        `<tr>${row
          .split(" | ")
          .map((cell) => `<td>${cell}</td>`)
          .join("")}</tr>`,
    )
    .join("")}</table>`;

const limit = "The engine holds 128 GB of memory at most.";
const raised = "The engine holds 192 GB of memory at most.";
const more = "The engine holds 256 GB of memory at most.";
const altered = (at: number, passage: string) => `${at} t!: m/c altered: ${passage.replace(/\.$/, "")}`;
const before = page("<h2>Memory</h2>", p(limit), "<h2>Speed</h2>");
const after = page("<h2>Memory</h2>", p(raised), "<h2>Speed</h2>");
const edit = `${limit} → ${raised}`;

const down = new Failure("status", { status: 503 });
const away = new Failure("not-found", { status: 404 });
const consent = `<html><head><title>Before you continue</title></head><body><div id="consent"><h1>We value your privacy</h1>
<p>We and our partners use cookies to store and access information. Accept all or manage preferences.</p></div></body></html>`;
const german = document(
  `<h1>Handbuch</h1>${Array.from({ length: 14 }, (_, index) => p(`Der Motor hat einen Speicher, und in Kapitel ${index} steht, was er kann und wofür er gut ist.`)).join("")}`,
  "de",
);
const change = watching("{ change: m }");
const rows = watching("{ row: m, when: [changed], means: changed }");
const newRows = watching("{ row: m, when: [added, removed] }");
const chips = ["A1 | 16 GB", "B2 | 32 GB", "C3 | 64 GB"];
const quoted = claiming(`quote: "${limit}"`);

describe("a page", () => {
  tell([
    ["that is edited: before and after, once", change, from([0, before], [2, after]), [`2 t: ${edit}`]],
    [
      "whose edit the second check sees by a 304",
      change,
      from([0, before], [2, { body: after, etag: "2" }]),
      [`2 t: ${edit}`],
    ],
    [
      "that gets another tag and no other text",
      change,
      from([0, { body: before, etag: "1" }], [2, { body: before, etag: "2" }]),
      [],
    ],
    [
      "that is out of reach between first and second sighting",
      change,
      from([0, before], [2, after], [2.5, down], [5, after]),
      [`2 t: ${edit}`],
    ],
    ["that is out of reach, and back as it was", change, from([0, before], [2, after], [2.2, down], [5, before]), []],
    [
      "that flaps every other day",
      change,
      from([0, before], [2, after], [4, before], [6, after], [8, before]),
      [`2 t: ${edit}`],
    ],
    [
      "that shows a consent wall for a week, and is back with news",
      change,
      from([0, before], [2, consent], [9, after]),
      [`9 t: ${edit}`],
    ],
    [
      "that shows a consent wall for a week, and is back as it was",
      change,
      from([0, before], [2, consent], [9, before]),
      [],
    ],
    ["that speaks German for two days", change, from([0, before], [2, german], [4, before]), []],
    [
      "that speaks German for two days, and is back with news",
      change,
      from([0, before], [2, german], [4, after]),
      [`4 t: ${edit}`],
    ],
    [
      "that moved for good, as it was",
      watching("{ change: m }, { link: m }"),
      from([0, before], [2, { body: before, moved: "https://example.com/manual" }]),
      ["2 t: m moved https://example.com/manual"],
    ],
    [
      "that moved for good, and was edited",
      watching("{ change: m }, { link: m }"),
      from([0, before], [2, { body: after, moved: "https://example.com/manual" }]),
      [`2 t: ${edit}`, "2 t: m moved https://example.com/manual"],
    ],
    [
      "that gets a new stamp at each build",
      change,
      from(
        ...[0, 2, 4, 6].map(
          (at) => [at, before.replace("</main>", `<p>Last updated on ${at + 1} June 2026.</p></main>`)] as const,
        ),
      ),
      [],
    ],
    [
      "that takes effect on another day",
      change,
      from([0, page(p("Effective date: 3 June 2026"))], [2, page(p("Effective date: 5 June 2026"))]),
      ["2 t: Effective date: 3 June 2026 → Effective date: 5 June 2026"],
    ],
    [
      "with a ticked box",
      change,
      from([0, page(list("[ ] Linux", "[ ] Mac"))], [2, page(list("[ ] Linux", "[x] Mac"))]),
      ["2 t: [ ] Mac → [x] Mac"],
    ],
    [
      "that changes elsewhere in a paragraph which names the word",
      watching("{ change: m, matches: Windows }"),
      from([0, page(p("Windows runs. Linux has 3 modes."))], [2, page(p("Windows runs. Linux has 4 modes."))]),
      [],
    ],
    [
      "that changes in the sentence with the word",
      watching("{ change: m, matches: Windows }"),
      from([0, page(p("Windows runs. Linux has 3 modes."))], [2, page(p("Windows is gone. Linux has 3 modes."))]),
      ["2 t: Windows runs. Linux has 3 modes. → Windows is gone. Linux has 3 modes."],
    ],
    [
      "whose row is edited",
      rows,
      from([0, page(table(...chips))], [2, page(table("A1 | 16 GB", "B2 | 48 GB", "C3 | 64 GB"))]),
      ["2 t: B2 | 32 GB → B2 | 48 GB"],
    ],
    [
      "whose row is edited, for who wants new ones",
      newRows,
      from([0, page(table(...chips))], [2, page(table("A1 | 16 GB", "B2 | 48 GB", "C3 | 64 GB"))]),
      [],
    ],
    [
      "whose row grows, for who wants new ones",
      newRows,
      from([0, page(table(...chips))], [2, page(table("A1 | 16 GB", "B2 | 32 GB (preview)", "C3 | 64 GB"))]),
      [],
    ],
    [
      "whose table is sorted again and edited, for a trigger on new rows",
      newRows,
      from([0, page(table(...chips))], [2, page(table("C3 | 96 GB", "A1 | 16 GB", "B2 | 32 GB"))]),
      [],
    ],
    [
      "with one row more beside an edited one",
      newRows,
      from([0, page(table(...chips))], [2, page(table("A1 | 16 GB", "A9 | 24 GB", "B2 | 48 GB", "C3 | 64 GB"))]),
      ["2 t: + A9 | 24 GB"],
    ],
    [
      "with another row in one's place",
      newRows,
      from([0, page(table("A1 | 16 GB", "Windows | yes"))], [2, page(table("A1 | 16 GB", "Linux | yes"))]),
      ["2 t: + Linux | yes · - Windows | yes"],
    ],
    ["with NULs among its letters", change, from([0, before], [2, before.replaceAll("engine", "en\0gine")]), []],
    [
      "in another encoding",
      change,
      from(
        [0, page(p("Größe 5 µm"))],
        [2, { body: Buffer.from(page(p("Größe 5 µm")), "latin1"), type: "text/html; charset=iso-8859-1" }],
      ),
      [],
    ],
    [
      "with a selector that matches everything",
      watching("{ change: m }", '    select: "*"\n'),
      from([0, before], [2, after]),
      [`2 t: ${edit}`],
    ],
    [
      "with a selector that matches nothing",
      watching("{ change: m }", '    select: "#nothing"\n'),
      from([0, before], [2, after]),
      [],
    ],
    ["of which nothing is content", watching("{ change: m }", '    ignore: "*"\n'), from([0, before], [2, after]), []],
  ]);
});

describe("a claim", () => {
  const three = (one: string, two: string, last: string) =>
    page(p(`On Mac: ${one}`), "<h2>Linux</h2>", p(`On Linux: ${two}`), "<h2>BSD</h2>", p(`On BSD: ${last}`));
  const memory = (...lines: string[]) =>
    page(list("M5 Max with 18-core CPU and 40-core GPU", ...lines, "24GB (M5)", "512GB SSD"));
  const max = claiming('quote: "128GB (M5 Max with 40-core GPU)"');
  const linux = claiming(`quote: "${limit}", prefix: "On Linux:"`);

  tell([
    ["that is altered", quoted, from([0, before], [2, after]), [altered(2, raised)]],
    ["that is altered, then restored", quoted, from([0, before], [2, after], [4, before]), [altered(2, raised)]],
    [
      "that is altered twice",
      quoted,
      from([0, before], [2, after], [4, page("<h2>Memory</h2>", p(more), "<h2>Speed</h2>")]),
      [altered(2, raised), altered(4, more)],
    ],
    [
      "whose passage is there three times, altered once",
      quoted,
      from([0, three(limit, limit, limit)], [2, three(limit, raised, limit)]),
      [],
    ],
    [
      "whose passage is there three times, altered where it was meant",
      linux,
      from([0, three(limit, limit, limit)], [2, three(limit, raised, limit)]),
      [altered(2, raised)],
    ],
    [
      "whose passage is there three times, altered where it was not",
      linux,
      from([0, three(limit, limit, limit)], [2, three(raised, limit, limit)]),
      [],
    ],
    [
      "whose line went, beside one like it",
      max,
      from([0, memory("128GB (M5 Max with 40-core GPU)")], [2, memory()]),
      ["2 t!: m/c gone"],
    ],
    [
      "whose line was edited, beside one like it",
      max,
      from([0, memory("128GB (M5 Max with 40-core GPU)")], [2, memory("192GB (M5 Max with 40-core GPU)")]),
      [altered(2, "192GB (M5 Max with 40-core GPU)")],
    ],
    ["of a page that is gone for ten days", quoted, from([0, before], [2, away], [12, before]), ["2 t!: m gone"]],
    [
      "of a page that is back from the dead with news",
      quoted,
      from([0, before], [2, away], [12, after]),
      ["2 t!: m gone", altered(12, raised)],
    ],
    [
      "while one edit follows another, within a day",
      quoted,
      from([0, before], [2, after], [2.25, after.replace("Speed", "Pace")], [2.5, after]),
      [altered(2, raised)],
    ],
  ]);
});

describe("a claim of an absence", () => {
  const absent = claiming("absent: needs a licence");
  const other = document(
    `<h1>Welcome to Acme</h1>${Array.from({ length: 12 }, (_, index) => p(`Customer number ${index} is happy with whatever we sell at our shops in town.`)).join("")}`,
  );
  const rewritten = document(
    `<h1>Manual</h1>${Array.from({ length: 12 }, (_, index) => p(`Section ${index} was written anew by people who know far more about motors.`)).join("")}`,
  );
  tell([
    [
      "proves nothing on a page that another took the place of",
      absent,
      from([0, before], [2, other]),
      ["2 t!: m/c gone"],
    ],
    [
      "is asked about once, and holds again where the page is back",
      absent,
      from([0, before], [2, other], [6, before], [9, other]),
      ["2 t!: m/c gone"],
    ],
    ["holds on a page that was edited", absent, from([0, before], [2, after]), []],
    ["holds on a page that was rewritten under its title", absent, from([0, before], [2, rewritten]), []],
  ]);
});

describe("config that is edited while something waits", () => {
  const selecting = (select: string) => ({ config: watching("{ change: m }", `    select: ${select}\n`) });
  tell([
    [
      "a selector: the change is reported all the same",
      change,
      { ...from([0, before], [2, after]), 2.25: selecting("main") },
      [`2 t: ${edit}`],
    ],
    [
      "a selector, on the day of the change",
      change,
      { ...from([0, before]), 2: { web: { [manual]: after }, ...selecting("main") } },
      [`2 t: ${edit}`],
    ],
    ["a selector, and nothing else", change, { ...from([0, before]), 2: selecting("h2") }, []],
    [
      "a selector that finds something at last",
      watching("{ change: m }", '    select: "#nothing"\n'),
      { ...from([0, before], [4, after]), 2: selecting("main") },
      [`4 t: ${edit}`],
    ],
    [
      "a claim that was true before",
      change,
      { ...from([0, before], [2, after]), 2.2: { config: quoted } },
      [altered(2, raised)],
    ],
    [
      "a claim's words",
      quoted,
      { ...from([0, before], [2, after]), 2.2: { config: claiming('quote: "holds 128 GB of memory"') } },
      [altered(2, "holds 192 GB of memory")],
    ],
    [
      "a claim's words, to what never was there",
      quoted,
      { ...from([0, before]), 2: { config: claiming('quote: "nobody ever said this of an engine"') } },
      ["2 not-found: m/c not found"],
    ],
    [
      "a claim's words, mistyped twice",
      quoted,
      {
        ...from([0, before]),
        2: { config: claiming("quote: nobody ever said this") },
        4: { config: claiming("quote: nor did anybody say that") },
      },
      ["2 not-found: m/c not found", "4 not-found: m/c not found"],
    ],
    [
      "an altered claim, to what it says now",
      quoted,
      {
        ...from([0, before], [2, after], [6, page("<h2>Memory</h2>", p(more), "<h2>Speed</h2>")]),
        4: { config: claiming(`quote: "${raised}"`) },
      },
      [altered(2, raised), altered(6, more)],
    ],
  ]);
});

// ── Lists and facts ────────────────────────────────────────────────────────────────────────────

const api = "https://api.github.com/repos/acme/engine";
const listed = `${api}/releases?per_page=30`;
const blog = "https://acme.example/feed.xml";

const iso = (at: number) => new Date(begin + at * day).toISOString();

type Release = readonly [tag: string, at: number, more?: object];

/** Releases of GitHub's API, newest first: tag, and days since the beginning. */
const releases = (...all: Release[]) => ({
  [listed]: JSON.stringify(
    all.map(([tag, at, more]) => ({
      tag_name: tag,
      name: tag,
      draft: false,
      prerelease: false,
      published_at: iso(at),
      html_url: `https://github.com/acme/engine/releases/tag/${tag}`,
      body: "",
      ...more,
    })),
  ),
});

type Entry = readonly [id: string, title: string, at: number];

const feed = (...entries: Entry[]) => ({
  [blog]: `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme</title><link>https://acme.example/</link>${entries
    .map(
      ([id, title, at]) =>
        `<item><guid isPermaLink="false">${id}</guid><title>${title}</title><link>https://acme.example/${id}</link><pubDate>${new Date(begin + at * day).toUTCString()}</pubDate></item>`,
    )
    .join("")}</channel></rss>`,
});

const sourced = (sources: string, conditions: string): Told => ({
  sources: `${engine}sources:\n${sources}`,
  triggers: on(conditions),
});
const rel = "  rel: { github-releases: acme/engine, announces: engine }\n";
const news = `  blog: { feed: "${blog}", announces: engine }\n`;
const released = sourced(rel, "{ release: engine }");
const withdrawnToo = sourced(rel, "{ release: engine, when: [published, withdrawn] }");
const both = sourced(rel + news, "{ release: engine }");
const posted = sourced(news, "{ release: engine }, { item: blog, title: Metal }");

const old: Release = ["v1.0.0", -40];
const hello: Entry = ["a", "Hello", -30];
const metal: Entry = ["b", "About Metal", -20];

describe("a source that config calls something else", () => {
  const renamed = (told: Told, from: string, to: string): Told => ({
    sources: told.sources.replaceAll(`  ${from}: `, `  ${to}: `),
    triggers: Object.fromEntries(
      Object.entries(told.triggers ?? {}).map(([id, text]) => [id, text.replaceAll(`: ${from},`, `: ${to},`)]),
    ),
  });
  tell([
    [
      "asks nothing again, and reports new entries",
      posted,
      {
        0: feed(["b", "Metal for all", -10], ["a", "Hello", -30]),
        2: { config: renamed(posted, "blog", "journal") },
        4: feed(["c", "More Metal", 4], ["b", "Metal for all", -10], ["a", "Hello", -30]),
      },
      ["0 t: blog b", "4 t: journal c"],
    ],
    [
      "and takes its claims along",
      sourced(
        `  m: { page: "${manual}", claims: { c: { says: It does, quote: "${limit}", ratings: [a] } } }\n`,
        "{ link: x, when: [gone] }".replace("x", "m"),
      ),
      {
        ...from([0, before], [2, after]),
        4: {
          config: sourced(
            `  n: { page: "${manual}", claims: { c: { says: It does, quote: "${limit}", ratings: [a] } } }\n`,
            "{ link: n, when: [gone] }",
          ),
        },
        6: { [manual]: page("<h2>Memory</h2>", p(more), "<h2>Speed</h2>") },
      },
      [`2 t!: n/c altered: ${raised.replace(/\.$/, "")}`, `6 t!: n/c altered: ${more.replace(/\.$/, "")}`],
    ],
  ]);
});

describe("a list of releases", () => {
  tell([
    ["that grows", released, { 0: releases(old), 2: releases(["v1.1.0", 2], old) }, ["2 t: engine 1.1.0"]],
    [
      "of which one is withdrawn, and listed again",
      released,
      { 0: releases(old), 2: releases(["v1.1.0", 2], old), 4: releases(old), 7: releases(["v1.1.0", 7], old) },
      ["2 t: engine 1.1.0"],
    ],
    [
      "of which one is withdrawn and listed again, for those who ask for that",
      withdrawnToo,
      { 0: releases(old), 2: releases(["v1.1.0", 2], old), 4: releases(old), 7: releases(["v1.1.0", 7], old) },
      ["2 t: engine 1.1.0", "4 t: engine 1.1.0 withdrawn"],
    ],
    [
      "with a candidate that becomes a release",
      released,
      {
        0: releases(old),
        2: releases(["v1.1.0-rc1", 2, { prerelease: true }], old),
        4: releases(["v1.1.0", 4], ["v1.1.0-rc1", 2, { prerelease: true }], old),
      },
      ["4 t: engine 1.1.0"],
    ],
    [
      "with a pre-release that is promoted as it is",
      released,
      { 0: releases(old), 2: releases(["v1.1.0", 2, { prerelease: true }], old), 4: releases(["v1.1.0", 2], old) },
      ["4 t: engine 1.1.0"],
    ],
    [
      "with a draft that is published",
      released,
      {
        0: releases(old),
        2: releases(["v1.1.0", 2, { draft: true, published_at: null }], old),
        4: releases(["v1.1.0", 4], old),
      },
      ["4 t: engine 1.1.0"],
    ],
    [
      "of nightlies and builds of commits",
      released,
      {
        0: releases(old),
        2: releases(
          ["nightly-2026-11-20", 2],
          ["v2.12.0+git06c5533", 2],
          ["v2.12.0.dev20261120", 2],
          ["nightly", 2],
          old,
        ),
      },
      [],
    ],
    [
      "with a fix of an old line",
      released,
      { 0: releases(["v6.3.3", -40], ["v6.1.4", -50]), 2: releases(["v6.1.5", 2], ["v6.3.3", -40], ["v6.1.4", -50]) },
      ["2 t: engine 6.1.5"],
    ],
    [
      "that is a window, and slides there and back",
      released,
      {
        0: releases(["v1.4.0", -20], ["v1.3.0", -25]),
        2: releases(["v1.5.0", 2], ["v1.4.0", -20]),
        4: releases(["v1.5.0", 2], ["v1.4.0", -20], ["v1.3.0", -25], ["v1.2.0", -30]),
      },
      ["2 t: engine 1.5.0"],
    ],
    [
      "that is empty for two days, and back with one more",
      released,
      { 0: releases(["v1.1.0", -20], old), 2: releases(), 4: releases(["v1.2.0", 3], ["v1.1.0", -20], old) },
      ["4 t: engine 1.2.0"],
    ],
    ["that was empty at first", released, { 0: releases(), 2: releases(["v1.0.0", 2]) }, ["2 t: engine 1.0.0"]],
    [
      "first seen with 40 releases since the audit",
      released,
      {
        0: releases(...Array.from({ length: 40 }, (_, index): Release => [`v1.${60 - index}.0`, -1 - index * 0.3]), [
          "v1.0.0",
          -60,
        ]),
      },
      Array.from({ length: 40 }, (_, index) => `0 t: engine 1.${21 + index}.0`),
      1,
    ],
    [
      "and a feed that say the same in the same second",
      both,
      {
        0: { ...releases(old), ...feed(hello) },
        2: { ...releases(["v1.1.0", 2], old), ...feed(["b", "Engine 1.1 is out", 2], hello) },
      },
      ["2 t: engine 1.1.0"],
    ],
    [
      "and a post that names the version only later",
      both,
      {
        0: { ...releases(old), ...feed(hello) },
        2: feed(["b", "Engine is out", 2], hello),
        3: feed(["b", "Engine 1.1 is out", 2], hello),
        5: releases(["v1.1.0", 2], old),
      },
      ["3 t: engine 1.1.0"],
    ],
  ]);
});

test("an event that several sources report in one scan is one firing of that scan, with all its evidence", async () => {
  const web = new Map<string, Answer>(Object.entries({ ...releases(old), ...feed(hello) }));
  const { scanAt, close } = await openWorld(configOf(both), web);
  await scanAt(begin);
  for (const [url, body] of Object.entries({
    ...releases(["v1.1.0", 1], old),
    ...feed(["b", "Engine 1.1 is out", 1], hello),
  }))
    web.set(url, body);
  const { firings } = await scanAt(begin + 2 * day);
  await close();
  expect(firings.map(({ event, evidence }) => [event.key, evidence.map(({ source }) => source).sort()])).toEqual([
    ["engine 1.1.0", ["blog", "rel"]],
  ]);
});

describe("two lists of one product without dates", () => {
  const other = "https://example.org/versions.json";
  const versions = `    versions: "engine (\\\\d+\\\\.\\\\d+)"\n    announces: engine\n`;
  const listing = (id: string, url: string) => `  ${id}:\n    text: ${url}\n${versions}`;
  const [one, two] = [
    sourced(listing("m", manual), "{ release: engine }"),
    sourced(listing("m", manual) + listing("n", other), "{ release: engine }"),
  ];
  const three = sourced(listing("b", other) + listing("m", manual), "{ release: engine }");
  const has = (...found: string[]) => found.map((version) => `engine ${version}`).join("\n");
  tell([
    [
      "of which one is added when the new version is out already",
      one,
      {
        0: { [manual]: has("1.0") },
        2.1: { config: two, web: { [manual]: has("1.0", "1.1"), [other]: has("1.0", "1.1") } },
      },
      ["2 t: engine 1.1.0"],
    ],
    [
      "of which the one that is added is checked first",
      one,
      {
        0: { [manual]: has("1.0") },
        2.1: { config: three, web: { [manual]: has("1.0", "1.1"), [other]: has("1.0", "1.1") } },
      },
      ["2 t: engine 1.1.0"],
    ],
    [
      "of which one was out of reach until the new version was out",
      two,
      { 0: { [manual]: has("1.0"), [other]: away }, 2: { [manual]: has("1.0", "1.1"), [other]: has("1.0", "1.1") } },
      ["2 t: engine 1.1.0"],
    ],
    [
      "of which one had it first, and the other lagged behind",
      two,
      { 0: { [manual]: has("1.0"), [other]: has("1.0", "1.1") }, 4: { [manual]: has("1.0", "1.1") } },
      [],
    ],
  ]);
});

describe("a feed", () => {
  tell([
    [
      "with a new post",
      posted,
      { 0: feed(hello), 2: feed(["b", "Engine 2.0 is out", 2], hello) },
      ["2 t: engine 2.0.0"],
    ],
    ["that gets new dates", posted, { 0: feed(metal, hello), 2: feed(["b", "About Metal", 2], ["a", "Hello", 2]) }, []],
    [
      "whose entries get other ids",
      posted,
      { 0: feed(metal, hello), 2: feed(["b2", "About Metal", -20], ["a2", "Hello", -30]) },
      [],
    ],
    [
      "whose entries get other ids, beside a new one",
      posted,
      { 0: feed(metal, hello), 2: feed(["c2", "More of Metal", 2], ["b2", "About Metal", -20], ["a2", "Hello", -30]) },
      ["2 t: blog c2"],
    ],
    ["that says the same every week", posted, { 0: feed(metal), 2: feed(["c", "About Metal", 2]) }, ["2 t: blog c"]],
    ["that is empty for four days", posted, { 0: feed(metal, hello), 2: feed(), 6: feed(metal, hello) }, []],
    [
      "that is empty for four days, and back with one more",
      posted,
      { 0: feed(metal, hello), 2: feed(), 6: feed(["c", "Metal again", 5], metal, hello) },
      ["6 t: blog c"],
    ],
    [
      "that is an error page for two days",
      posted,
      {
        0: feed(metal),
        2: { [blog]: "<!doctype html><html><body>Sorry</body></html>" },
        4: feed(["c", "Metal again", 3], metal),
      },
      ["4 t: blog c"],
    ],
  ]);
});

describe("a repository", () => {
  const watched = (facts: string) =>
    sourced(
      `  repo: { github-repo: acme/engine${facts} }\n`,
      "{ fact: repo, name: public, becomes: yes }, { fact: repo, name: name }, { link: repo }",
    );
  const shown = (name: string) =>
    JSON.stringify({ full_name: name, private: false, archived: false, description: "An engine." });
  const hidden: Answer = { body: '{ "message": "Not Found" }', status: 404 };
  const outage: Answer = { body: "default backend - 404", status: 404 };
  tell([
    [
      "that becomes public",
      watched(", at-audit: { public: no }"),
      { 0: { [api]: hidden }, 3: { [api]: shown("acme/engine") } },
      ["3 t: public no → yes"],
    ],
    [
      "whose service is out, which a proxy before it says as 404",
      watched(""),
      { 0: { [api]: shown("acme/engine") }, 3: { [api]: outage }, 14: { [api]: shown("acme/engine") } },
      [],
    ],
    [
      "that is hidden for a day",
      watched(""),
      { 0: { [api]: shown("acme/engine") }, 3: { [api]: hidden }, 4: { [api]: shown("acme/engine") } },
      [],
    ],
    [
      "that is renamed",
      watched(""),
      {
        0: { [api]: shown("acme/engine") },
        3: { [api]: { body: shown("acme/motor"), moved: "https://api.github.com/repositories/1" } },
      },
      ["3 t: name acme/engine → acme/motor", "3 t: repo moved https://github.com/acme/motor"],
    ],
  ]);
});

describe("values that an interface makes for each answer", () => {
  const values = "https://example.org/values.json";
  const whole = sourced(`  m: { json: "${values}" }\n`, "{ change: m }");
  /** A rate that is doubled on a day, beside what each answer tells of itself. */
  const days = (own: (hour: number) => object, doubled = Infinity): Days =>
    Object.fromEntries(
      Array.from({ length: 12 * 24 }, (_, hour) => {
        const rates = [{ of: "A1", per: hour / 24 < doubled ? 5 : 10 }];
        return [hour / 24, { [values]: JSON.stringify({ ...own(hour), rates }) }];
      }),
    );
  const second = (hour: number) => begin / 1000 + hour * 3600;
  const stamps: readonly (readonly [name: string, own: (hour: number) => object])[] = [
    ["seconds", (hour) => ({ timestamp: second(hour) })],
    ["a date", (hour) => ({ generated_at: new Date(second(hour) * 1000).toISOString() })],
    ["a duration", (hour) => ({ took: (hour * 37) % 101 })],
    ["a name of the request", (hour) => ({ meta: { request_id: `q${(second(hour) * 7919).toString(36)}` } })],
    [
      "all of them",
      (hour) => ({ asOf: second(hour), meta: { id: (hour * 7919).toString(36), ms: (hour * 37) % 101 } }),
    ],
  ];
  tell(stamps.map(([name, own]) => [`${name}: nothing`, whole, days(own), []]));
  tell(
    stamps.map(([name, own]) => [
      `${name}, beside a value that changes and stays: that value, once`,
      whole,
      days(own, 7),
      ["7 t: rates[]: of: A1; per: 5 → rates[]: of: A1; per: 10"],
    ]),
  );
});

describe("one bad answer of an interface", () => {
  const values = "https://example.org/values.json";
  const json = (options: string, conditions: string) =>
    sourced(`  m: { json: "${values}", every: 1h${options} }\n`, conditions);
  const whole = json("", "{ change: m }");
  const price = json(", facts: { price: price }", "{ fact: m, name: price }");
  const says = (...answers: readonly (readonly [at: number, value: unknown])[]): Days =>
    Object.fromEntries(answers.map(([at, value]) => [at, { [values]: JSON.stringify(value) }]));
  const chip = { chip: { name: "A1", memory: "16 GB", speed: "2 GHz" } };
  const faster = { chip: { ...chip.chip, speed: "3 GHz" } };
  const issue = sourced(
    `  m:\n    github-issue: acme/engine#1\n    every: 1h\n    claims: { c: { says: Not yet, quote: is an early prototype, ratings: [a] } }\n`,
    "{ issue: m }",
  );
  const body = (text: string | null) => ({
    [`${api}/issues/1`]: JSON.stringify({ state: "open", title: "Compile", labels: [], body: text }),
  });
  const prototype = "The compiler is an early prototype.\n\n- [ ] fast\n- [ ] right";
  const repo = sourced("  m: { github-repo: acme/engine, every: 1h }\n", "{ fact: m, name: public }");
  const audited = sourced(
    "  m: { github-repo: acme/engine, every: 1h, at-audit: { public: yes } }\n",
    "{ fact: m, name: public }",
  );
  const shown = { [api]: JSON.stringify({ full_name: "acme/engine", private: false, archived: false }) };
  const hidden: News["web"] = { [api]: { body: '{ "message": "Not Found" }', status: 404 } };
  const version = json(`, announces: engine, versions: '"latest": "([\\d.]+)"'`, "{ release: engine }");
  const latest = (...answers: readonly (readonly [at: number, value: string])[]): Days =>
    Object.fromEntries(answers.map(([at, value]) => [at, { [values]: `{ "latest": "${value}" }` }]));
  tell([
    ["an older version out of some cache, once", version, latest([0, "2.13.0"], [3, "2.12.1"], [3.2, "2.13.0"]), []],
    ["a newer version that stays", version, latest([0, "2.13.0"], [3, "2.14.0"]), ["3 t: engine 2.14.0"]],
    ["an error as JSON, once", whole, says([0, chip], [3, { error: "try again" }], [3.2, chip]), []],
    [
      "an error in place of the only value",
      whole,
      says([0, { memory: "16 GB" }], [3, { error: "no" }], [3.2, { memory: "16 GB" }]),
      [],
    ],
    ["nothing, once", whole, says([0, chip], [3, {}], [3.2, chip]), []],
    [
      "two values that change places",
      whole,
      says([0, { mill: { on: 1 }, sled: { on: 0 } }], [3, { mill: { on: 0 }, sled: { on: 1 } }]),
      ["3 t: mill.on: 1 → mill.on: 0 · sled.on: 0 → sled.on: 1"],
    ],
    ["another value, once", whole, says([0, chip], [3, faster], [3.2, chip]), []],
    ["another value that stays", whole, says([0, chip], [3, faster]), ["3 t: chip.speed: 2 GHz → chip.speed: 3 GHz"]],
    [
      "a value that is gone for good",
      whole,
      says([0, chip], [3, { chip: { name: "A1", memory: "16 GB" } }]),
      ["3 t: - chip.speed: 2 GHz"],
    ],
    ["a fact that is null, once", price, says([0, { price: 3 }], [3, { price: null }], [3.2, { price: 3 }]), []],
    ["a fact that is null for good", price, says([0, { price: 3 }], [3, { price: null }]), ["3 t: price 3 → "]],
    ["an issue without its text, once", issue, { 0: body(prototype), 3: body(""), 3.2: body(prototype) }, []],
    [
      "an issue whose box is ticked, at once",
      issue,
      { 0: body(prototype), 3: body(prototype.replace("[ ] fast", "[x] fast")), 3.2: body(prototype) },
      ["3 t: [ ] fast → [x] fast"],
    ],
    [
      "an issue without its text for good",
      issue,
      { 0: body(prototype), 3: body(null) },
      ["3 t!: m/c gone", "3 t: - The compiler is an early prototype. · - [ ] fast · - [ ] right"],
    ],
    ["a repository that is not there, once", repo, { 0: shown, 3: hidden, 3.2: shown }, []],
    ["a repository that is not there at its first check, once", audited, { 0: hidden, 0.2: shown }, []],
    ["a repository that is no longer public", repo, { 0: shown, 3: hidden }, ["3 t: public yes → no"]],
  ]);
});

describe("versions in a text", () => {
  const spelled = (pattern: string) =>
    watching("{ release: engine }", `    announces: engine\n    versions: '${pattern}'\n`);
  const at = (...versions: string[]) => page(...versions.map((version) => p(`Engine ${version} is here.`)));
  tell([
    [
      "that flap",
      spelled("Engine (\\d[^ <]+)"),
      from([0, at("2.11.0")], [2, at("2.12.0")], [4, at("2.11.0")], [6, at("2.12.0")]),
      ["2 t: engine 2.12.0"],
    ],
    [
      "that are builds",
      spelled("Engine ([^ <]+)"),
      from([0, at("2.11.0")], [2, at("2.11.0", "2.12.0+git06c5533", "nightly-2026-11-20", "2.12.0.dev20261120")]),
      [],
    ],
    ["found by a pattern that finds nothing to name", spelled("x*"), from([0, at("2.11.0")], [2, at("2.12.0")]), []],
  ]);
});

describe("bad input", () => {
  const notes = "https://example.org/notes.txt";
  const text = { sources: `sources:\n  m: { text: "${notes}" }\n`, triggers: on("{ change: m }") };
  /** Far deeper than is read, in a full run also than any stack. */
  const depth = inputSize(250_000, 10_000);
  const deep = (tag: string) => `<!doctype html>${tag.repeat(depth)}`;
  const lines = (word: string) =>
    Array.from({ length: inputSize(130_000, 1_200) }, (_, index) => `${word} ${index}`).join("\n\n");
  const post = (body: string) => ({
    [blog]: `<rss version="2.0"><channel><title>A</title><item><guid>1</guid><title>x</title><description>${body}</description></item></channel></rss>`,
  });
  const follower = sourced(news, "{ item: blog }");

  /** What failed, and what fired; nothing is a defect. */
  async function suffered(config: Told, days: Days, until: number): Promise<string> {
    const { firings, checks } = await lived(config, days, until);
    const failures = new Set(checks.flatMap(({ failure }) => failure?.kind ?? []));
    return [...failures, ...firings.map((firing) => firing.trigger)].join(" ");
  }

  test.each<[string, Told, Days, string]>([
    [
      "a pattern that other engines take exponential time for",
      watching("{ change: m, matches: (a+)+$ }"),
      from([0, page(p(`${"a".repeat(50_000)}b`))], [2, page(p(`${"a".repeat(50_000)}c`))]),
      "",
    ],
    ["a page of one line of 5 MB", change, from([0, before], [2, page(p("word ".repeat(1_000_001)))]), "too-large"],
    [
      "10,001 versions",
      watching("{ release: engine }", "    announces: engine\n    versions: '1\\.\\d+'\n"),
      from([0, before], [2, page(p("1.0 ".repeat(10_001)))]),
      "too-many",
    ],
    ["elements nested too deep", change, from([0, before], [2, deep("<div>")]), "malformed"],
    ["and never closed", change, from([0, before], [2, deep("<b><i>")]), "malformed"],
    ["the same in a feed", follower, { 0: post("hi"), 2: post("&lt;div&gt;".repeat(depth)) }, "malformed"],
    [
      "the same in XHTML in a feed",
      follower,
      { 0: post("hi"), 2: post("<div>".repeat(depth) + "</div>".repeat(depth)) },
      "malformed",
    ],
    [
      "the same in Markdown",
      { ...text, sources: text.sources.replace("notes.txt", "README.md") },
      {
        0: { "https://example.org/README.md": "# A\n\nb" },
        2: { "https://example.org/README.md": `# A\n\n${"<div>".repeat(depth)}` },
      },
      "malformed",
    ],
  ])("%s: a clear reason, in time, and no alarm", async (_, config, days, told) => {
    expect(await suffered(config, days, 0.6)).toBe(told);
  });

  test("lines that all change are one event, and no defect, however many they are", async () => {
    expect(await suffered(text, { 0: { [notes]: lines("old") }, 2: { [notes]: lines("new") } }, 0.9)).toBe("t");
  });

  test("a clock that was a year ahead for one check, and one that goes back while something waits", async () => {
    const web = new Map<string, Answer>([[manual, before]]);
    const world = await openWorld(configOf(change), web);
    const fired: string[] = [];
    const at = async (hours: number) => {
      for (const { trigger } of (await world.scanAt(begin + hours * hour)).firings) fired.push(`${trigger} ${hours}`);
    };
    for (const hours of [0, 24 * 365, 24]) await at(hours);
    web.set(manual, after);
    for (const hours of [48, 30, 31, 36, 40, 60]) await at(hours);
    await world.close();
    expect(fired).toEqual(["t 36"]);
  });
});
