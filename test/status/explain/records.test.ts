import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sourcesUnder } from "../../../src/model/dependencies.ts";
import { ratingsBySource } from "../../../src/status/explain/records.ts";
import { configOf } from "../../support/config-of.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

describe("the ratings of all sources", () => {
  test("are those whose sources they are, one by one", () => {
    const triggers = readdirSync(new URL("triggers", root)).map((name) => [
      name.slice(0, -5),
      read(`triggers/${name}`),
    ]);
    const config = configOf(read("sources.yaml"), Object.fromEntries(triggers));
    const all = ratingsBySource(config);
    for (const { id } of config.sources.values()) {
      const expected = [...config.ratings.values()].filter((rating) => sourcesUnder(rating, config).includes(id));
      expect(all.get(id) ?? [], id).toEqual(expected.map((rating) => rating.id));
    }
    expect([...all.values()].flat().length).toBeGreaterThan(100);
  });

  test("are fewer if a condition touches fewer", () => {
    const config = configOf(
      `
report: { title: A report, audited: 2026-05-16 }
ratings: { one: x, two: y, three: z }
products: { loom: { name: Loom } }
sources:
  blog: { feed: https://example.org/feed, announces: loom }
  page: { page: https://example.org/, claims: { c: { says: So, quote: so, ratings: [three] } } }
`,
      { t: "name: T\nratings: [one, two]\non:\n  - { release: loom, ratings: [two] }\n  - { change: page }\n" },
    );
    expect(ratingsBySource(config)).toEqual(
      new Map([
        ["page", ["one", "two", "three"]],
        ["blog", ["two"]],
      ]),
    );
  });
});
