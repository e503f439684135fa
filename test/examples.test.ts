import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "../src/model/config.ts";
import { ratingsInDoubt } from "../src/model/dependencies.ts";
import type { Firing } from "../src/model/firing.ts";
import type { Scan } from "../src/watch/scan.ts";
import { configOf } from "./support/config-of.ts";
import { openWorld, type World } from "./support/world-of.ts";

/** The examples of other documents: each is scanned as it stands, over a web that the test writes. */
const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 7, 1, 8);

function exampleOf(name: string, triggers: readonly string[]): Config {
  const text = (file: string) => readFileSync(join(import.meta.dirname, "../examples", name, file), "utf8");
  return configOf(text("sources.yaml"), Object.fromEntries(triggers.map((id) => [id, text(`triggers/${id}.yaml`)])));
}

let worlds: World[] = [];
async function worldOf(config: Config, web: ReadonlyMap<string, string>) {
  const world = await openWorld(config, web);
  worlds.push(world);
  return world.scanAt;
}
afterEach(async () => {
  for (const world of worlds) await world.close();
  worlds = [];
});

const outcomes = ({ checks }: Scan) => Object.fromEntries(checks.map(({ source, outcome }) => [source, outcome]));
const said = (firings: readonly Firing[], config: Config) =>
  firings
    .map((firing) => `${firing.trigger} ${firing.weight}: ${[...ratingsInDoubt(firing, config)].join(", ")}`)
    .sort();

const filler = Array.from({ length: 8 }, (_, i) => `Paragraph ${i} tells at length what this software is good for.`);
const page = (text: string) =>
  `<!doctype html><html lang="en"><title>Docs</title><main><h1>Docs</h1>${[text, ...filler].map((one) => `<p>${one}</p>`).join("")}</main></html>`;
const api = (path: string) => `https://api.github.com/repos/${path}`;
const repository = (name: string, archived = false) =>
  JSON.stringify({ private: false, archived, full_name: name, description: "Maps" });

describe("an awesome-list, of claims only", () => {
  const config = exampleOf("awesome-list", []);
  const readme = (says: string) => `# Tile Press\n\n${says}.\n\n${filler.join("\n\n")}\n\n## Licence\n\nApache-2.0\n`;
  const web = () =>
    new Map([
      ["https://example.org/tile-press/README.md", readme("It renders every zoom level offline, from one file")],
      ["https://example.org/geo-cask/docs/limits", page("The free tier holds 5 GB of tiles.")],
      [api("example/contour-kit"), repository("example/contour-kit")],
    ]);

  test("is scanned as it is, and nothing fires", async () => {
    const done = await (await worldOf(config, web()))(start);
    expect(outcomes(done)).toEqual({ "tile-press-readme": "first", "geo-cask-docs": "first", "contour-kit": "first" });
    expect(done.firings).toEqual([]);
  });

  test("fires the built-in trigger when a source no longer says what an entry says", async () => {
    const changing = web();
    const at = await worldOf(config, changing);
    await at(start);
    changing.set("https://example.org/geo-cask/docs/limits", page("The free tier holds 2 GB of tiles."));
    expect((await at(start + 2 * day)).firings).toEqual([]);
    const { firings } = await at(start + 2 * day + 6 * hour);
    expect(said(firings, config)).toEqual(["claims contrary: "]);
    expect(firings[0]?.evidence.map(({ claim }) => claim)).toEqual(["geo-cask-docs/free-tier"]);
  });
});

describe("a technology radar, of one axis", () => {
  const config = exampleOf("technology-radar", ["lantern", "storage"]);
  const releases = (...all: [tag: string, body: string][]) =>
    JSON.stringify(
      all.map(([tag_name, body], i) => ({ tag_name, body, published_at: new Date(start - i * day).toISOString() })),
    );
  const feed = (...titles: string[]) =>
    `<rss version="2.0"><channel><title>Lantern</title>${titles
      .map((title, i) => {
        const date = new Date(start - (40 + i) * day).toUTCString();
        return `<item><guid>${title}</guid><title>${title}</title><pubDate>${date}</pubDate></item>`;
      })
      .join("")}</channel></rss>`;
  const web = () =>
    new Map([
      [`${api("example/quill-db")}/releases?per_page=30`, releases()],
      ["https://example.org/quill-db/docs/limits", page("Only one writer may be connected at a time.")],
      ["https://example.org/lantern/feed.xml", feed("Lantern 0.9 in practice")],
      [api("example/old-queue"), repository("example/old-queue")],
    ]);

  test("is scanned as it is: an entry after the audit that names a minor version asks nothing", async () => {
    const done = await (await worldOf(config, web()))(start);
    expect(new Set(Object.values(outcomes(done)))).toEqual(new Set(["first"]));
    expect(done.firings).toEqual([]);
  });

  test("fires for the technology that a release or a fact concerns", async () => {
    const changing = web();
    const at = await worldOf(config, changing);
    await at(start);
    changing.set("https://example.org/lantern/feed.xml", feed("Lantern 1.0 is stable", "Lantern 0.9 in practice"));
    changing.set(api("example/old-queue"), repository("example/old-queue", true));
    const notes: [string, string][] = [["quill-3.1.0", "## Changes\n\n- Supports multiple writers"]];
    changing.set(`${api("example/quill-db")}/releases?per_page=30`, releases(...notes));
    const { firings } = await at(start + day);
    expect(said(firings, config)).toEqual([
      "lantern contrary: lantern",
      "storage contrary: old-queue",
      "storage contrary: quill-db",
    ]);
  });
});

describe("a leaderboard, of values", () => {
  const config = exampleOf("leaderboard", ["results"]);
  const results = (median: string) =>
    JSON.stringify({ runs: { "swift-path": { median }, wayfarer: { median: "63.50 ms" } } });
  const web = () =>
    new Map([
      ["https://example.org/leaderboard/results.json", results("41 ms")],
      ["https://example.org/swift-path/benchmarks", page("The median latency is 41 ms.")],
      ["https://example.org/wayfarer/coverage", page("Wayfarer knows 201 countries and territories.")],
      [
        "https://example.org/planners/releases.xml",
        "<rss version='2.0'><channel><title>Planners</title></channel></rss>",
      ],
    ]);

  test("is scanned as it is, and nothing fires", async () => {
    const done = await (await worldOf(config, web()))(start);
    expect(new Set(Object.values(outcomes(done)))).toEqual(new Set(["first"]));
    expect(done.firings).toEqual([]);
  });

  test("fires for the value that changed", async () => {
    const changing = web();
    const at = await worldOf(config, changing);
    await at(start);
    changing.set("https://example.org/leaderboard/results.json", results("38 ms"));
    const { firings } = await at(start + 7 * day);
    expect(said(firings, config)).toEqual(["results routine: swift-path/latency"]);
    expect(firings[0]?.evidence[0]?.change).toMatchObject({ kind: "fact", before: "41 ms", after: "38 ms" });
  });
});
