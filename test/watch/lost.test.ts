import { afterEach, describe, expect, test } from "vitest";
import { configOf } from "../support/config-of.ts";
import { type Answer, openWorld, type World } from "../support/world-of.ts";

/** What a source gave and gives no more is unknown at first; where it lasts, it is the source as it is now, told once. */

const day = 86_400_000;
const start = Date.UTC(2026, 5, 1, 8);
const address = "https://engine.example/it";

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

/** What each day's check said: its outcome, or why it is unknown, and the events that fired. */
async function told(source: string, condition: string, days: readonly Answer[], at = address): Promise<string[]> {
  const config = configOf(
    `report: { title: Engines, audited: 2026-05-16 }\nratings: { speed: High }\nsources:\n  it:\n${source}`,
    { speed: `name: Speed\nratings: [speed]\non: [${condition}]\n` },
  );
  const web = new Map<string, Answer>();
  const world = await openWorld(config, web);
  worlds.push(world);
  const said: string[] = [];
  for (const [index, answer] of days.entries()) {
    web.set(at, answer);
    const { checks } = await world.scanAt(start + index * day);
    for (const { outcome, failure, firings } of checks) {
      said.push(
        failure?.says ?? [outcome, ...firings.map(({ event, weight }) => `${weight}: ${event.key}`)].join(", "),
      );
    }
  }
  return said;
}

const list = (...versions: readonly (string | undefined)[]): string =>
  JSON.stringify({ releases: versions.map((version, i) => ({ version, date: `2026-05-${10 - i}` })) });
const json = `    json: ${address}\n    every: 1d\n    items: releases\n    item: { version: version, date: date }\n`;
const engine = list("2.9.1", "2.9.0", "2.8.0");

describe("a list that is another one", () => {
  const other = list("alpha", "beta", "gamma");
  const missing = "it no longer gives an entry like the 3 before";

  test("is reported once, and compared from there on", async () => {
    const news = JSON.stringify({
      releases: [{ version: "delta", date: "2026-06-06" }, ...JSON.parse(other).releases],
    });
    expect(await told(json, "{ item: it }", [engine, engine, other, other, other, other, other, news])).toEqual([
      "first",
      "unchanged",
      missing,
      missing,
      missing,
      "changed, routine: it now another list since 2026-06-03",
      "unchanged",
      "changed, routine: it delta",
    ]);
  });

  test("reports with it the entries since the list was last seen", async () => {
    const dated = JSON.stringify({
      releases: [
        { version: "beta", date: "2026-06-04" },
        { version: "alpha", date: "2026-05-01" },
        { version: "zeta" },
      ],
    });
    const said = await told(json, "{ item: it }", [engine, dated, dated, dated, dated]);
    expect(said.at(-1)).toBe("changed, routine: it now another list since 2026-06-02, routine: it beta");
  });

  test("is nothing if the old one comes back", async () => {
    const back = list("2.10.0", "2.9.1", "2.9.0", "2.8.0");
    expect(await told(json, "{ item: it }", [engine, other, other, engine, back])).toEqual([
      "first",
      missing,
      missing,
      "unchanged",
      "changed, routine: it 2.10.0",
    ]);
  });

  test("is not believed if the checks do not agree", async () => {
    const empty = list();
    const said = await told(json, "{ item: it }", [engine, other, empty, other, empty, other]);
    expect(said.slice(1).every((one) => one.startsWith("it no longer gives"))).toBe(true);
  });
});

test("an empty list is reported after a week, and need not be reported again", async () => {
  const days = [engine, ...Array<string>(8).fill(list()), engine, list()];
  const said = await told(json, "{ item: it }", days);
  expect(new Set(said.slice(1, 8))).toEqual(new Set(["it no longer gives any of its 3 entries"]));
  expect(said.slice(8)).toEqual(["changed, routine: it now an empty list since 2026-06-02", "unchanged", "unchanged"]);
});

describe("a page", () => {
  const page = (body: string, lang = "en") => ({
    body: `<!doctype html><html lang="${lang}"><body><main>${body}</main></body></html>`,
    type: "text/html",
  });
  const paragraphs = (text: string) => Array.from({ length: 8 }, (_, i) => `<p>${i}. ${text}</p>`).join("");
  const english = page(
    paragraphs("The driver is loaded when the service starts, and it stays in memory for as long as you need it."),
  );
  const german = page(
    paragraphs(
      "Der Treiber wird mit dem Dienst geladen und bleibt im Speicher, solange Sie ihn für die Arbeit brauchen.",
    ),
    "de",
  );

  test("in another language is reported once as that, and not sentence by sentence", async () => {
    expect(
      await told(`    page: ${address}\n    every: 1d\n`, "{ change: it }", [
        english,
        german,
        german,
        german,
        german,
        german,
      ]),
    ).toEqual([
      "first",
      ...Array(3).fill("in de, before in en"),
      "changed, routine: it now in German since 2026-06-02",
      "unchanged",
    ]);
  });

  test("that another part holds, with another text, is reported once as another page", async () => {
    const shop = {
      body: `<!doctype html><html lang="en"><body>${paragraphs("The finest kites for the whole family are to be had here.")}</body></html>`,
      type: "text/html",
    };
    const said = await told(`    page: ${address}\n    every: 1d\n`, "{ change: it }", [
      english,
      shop,
      shop,
      shop,
      shop,
      shop,
    ]);
    expect(said.slice(1, 4)).toEqual(Array(3).fill("it no longer gives its text: the layout has changed"));
    expect(said.slice(4)).toEqual(["changed, routine: it now another page since 2026-06-02", "unchanged"]);
  });
});

test("a claim does not end because its source became something else", async () => {
  const claims = `    claims:
      newest: { says: The engine is at 2.9.1, quote: "2.9.1", ratings: [speed], until: [{ item: it, title: "3.0" }] }
`;
  const other = list("alpha", "beta", "gamma");
  const condition = "{ item: it, title: never }";
  const said = await told(`${json}${claims}`, condition, [engine, other, other, other, other]);
  expect(said.at(-1)).toBe("changed, routine: it now another list since 2026-06-02");
  expect(await worlds[0]?.store.claims()).toMatchObject([{ claim: "it/newest", status: "supported" }]);
});

describe("a claim of a source that lists entries, too", () => {
  const claimed = (quote: string) => `    claims:
      early: { says: It is early, quote: ${quote}, ratings: [speed] }
`;
  const condition = "{ item: it, title: never }";

  test("whose passage is gone from the text is reported as gone", async () => {
    const page = (body: string, day: number) => ({
      body: `<!doctype html><html lang="en"><body><main><!-- ${day} --><h1>Engine 2.9.1</h1>
        <p>The engine turns what it is given, and its parts are made of the best steel there is.</p>${body}</main></body></html>`,
      type: "text/html",
    });
    const source = `    page: ${address}\n    every: 1d\n    versions: 'Engine (\\d+\\.\\d+\\.\\d+)'\n`;
    const passage = "<p>Its compiler is an early prototype that is likely to fail.</p>";
    const days = [passage, passage, "", "", ""].map(page);
    const said = await told(`${source}${claimed("compiler is an early prototype")}`, condition, days);
    expect(said.slice(0, 3)).toEqual(["first", "unchanged", "unchanged"]);
    expect(said[3]).toMatch(/^changed, contrary: it\/early gone/);
    expect(said[4]).not.toContain("contrary");
  });

  test("whose fact is another one is reported as gone", async () => {
    const of = (license: string) => JSON.stringify({ ...JSON.parse(engine), license });
    const source = `${json}    facts: { license: license }\n${claimed('"license: Apache 2.0"')}`;
    const said = await told(source, condition, [of("Apache 2.0"), of("Commercial terms apply")]);
    expect(said[1]).toMatch(/^changed, contrary: it\/early gone/);
  });

  test("is proved by the text of an entry, too", async () => {
    const body = `<rss version="2.0"><channel><title>Engine</title><item><guid>1</guid><title>Engine 2.9</title><description>In it, the compiler is an early prototype.</description></item></channel></rss>`;
    const source = `    feed: ${address}\n    every: 1d\n${claimed("the compiler is an early prototype")}`;
    expect(await told(source, condition, [{ body, type: "application/rss+xml" }])).toEqual(["first"]);
    expect(await worlds[0]?.store.claims()).toMatchObject([{ claim: "it/early", status: "supported" }]);
  });

  test("says nothing if its entry slid out of the list", async () => {
    const source = `${json}${claimed('"2.8.0"')}`;
    const said = await told(source, condition, [engine, list("2.10.0", "2.9.1", "2.9.0")]);
    expect(said).toEqual(["first", "changed"]);
    expect(await worlds[0]?.store.claims()).toMatchObject([{ claim: "it/early", status: "supported" }]);
  });
});

describe("a record of an interface that is rewritten under its own id", () => {
  const advisory = (summary: string, details: string, fixed: string) =>
    JSON.stringify({
      id: "GHSA-aaaa-bbbb-cccc",
      summary,
      details,
      affected: [{ package: { name: "kite" }, ranges: [{ type: "SEMVER", events: [{ fixed }] }] }],
    });
  const before = advisory(
    "A kite may come loose",
    `The line of a kite tears where its knot was made wet, at less than the force that it is sold for. ${"Whoever flies one over people should take it down at once and check each of its knots in turn. ".repeat(3)}`,
    "2.0.0",
  );
  const after = advisory(
    "Insufficient strength of cord",
    `Cords of lots 14 to 19 do not hold 95 N. ${"All vendors were told to withdraw these lots from sale, and to send a replacement to their customers. ".repeat(3)}`,
    "2.1.0",
  );
  const source = "    osv: GHSA-aaaa-bbbb-cccc\n    every: 1d\n";
  const at = "https://api.osv.dev/v1/vulns/GHSA-aaaa-bbbb-cccc";

  test("is read as it is now at once: its own description does not wait for days", async () => {
    expect(await told(source, "{ fact: it, name: fixed }", [before, before, after, after], at)).toEqual([
      "first",
      "unchanged",
      "changed, routine: it fixed kite 2.1.0",
      "unchanged",
    ]);
  });
});
