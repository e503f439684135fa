import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StatusFile } from "../../src/model/status-file.ts";
import { otherReport as report } from "../../src/read/kinds/report.ts";
import { runs } from "../support/runs.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const whole: StatusFile = JSON.parse(new TextDecoder().decode(fixture("report.json").body));
const [first] = whole.ratings;
const of = (file: object) => response(JSON.stringify(file));
const facts = async (ratings: object[]) => (await reading(report, of({ ...whole, ratings }))).facts;

describe("report", () => {
  test("reads ratings as facts, and how long they hold", async () => {
    expect(await reading(report, fixture("report.json"))).toEqual({
      title: "Engines of 2026",
      facts: {
        "big/speed": "Medium",
        "big/speed freshness": "in doubt",
        "big/cost": "High",
        "big/cost freshness": "fresh",
      },
      holds: { until: Date.UTC(2026, 8, 22, 6), since: Date.UTC(2026, 8, 21, 6) },
    });
  });

  test("before its first check it holds from when it was written", async () => {
    const { lastCheck: _, ...file } = whole;
    expect((await reading(report, of(file))).holds?.since).toBe(Date.UTC(2026, 8, 21, 6, 2));
  });

  test.each([
    ["https://a.example/r/status.json", "https://a.example/r/status.json", "https://a.example/r/"],
    ["https://a.example/r/tpu.JSON?x=1#y", "https://a.example/r/tpu.JSON?x=1", "https://a.example/r/"],
    ["https://a.example/r/", "https://a.example/r/status.json", "https://a.example/r/"],
    ["https://a.example/r?x=1", "https://a.example/r/status.json", "https://a.example/r?x=1"],
    ["https://a.example/v0.2", "https://a.example/v0.2/status.json", "https://a.example/v0.2"],
    ["https://a.example/r/index.html#top", "https://a.example/r/status.json", "https://a.example/r/index.html#top"],
    ["https://a.example", "https://a.example/status.json", "https://a.example"],
  ])("%s is read at %s and opened at %s", (address, url, page) => {
    const one = source(report, {}, address);
    expect(report.request(one, { githubToken: false }).url).toBe(url);
    expect(report.page(one)).toBe(page);
  });

  test("names are safe, with any name of a rating", async () => {
    const named = (id: string) => ({ ...first, id });
    const odd = [
      "__proto__",
      "constructor",
      "a b",
      "ä/ß",
      "",
      " a",
      "a\nb",
      "a\u202eb",
      "a  b",
      "x freshness",
      "hasOwn",
    ];
    const found = await facts(odd.map(named));
    expect(Object.keys(found ?? {}).filter((name) => !name.endsWith(" freshness"))).toEqual(
      ["__proto__", "constructor", "a b", "ä/ß", "hasOwn"].toReversed(),
    );
    expect(await facts([named("x"), { ...first, id: "x", level: "Low" }])).toMatchObject({ x: "Medium" });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary-ascii", maxLength: 50 }), { maxLength: 8 }), async (ids) => {
        for (const name of Object.keys((await facts(ids.map(named))) ?? {})) expect(name).toMatch(/^\P{C}+$/u);
      }),
      { numRuns: runs(50) },
    );
  });

  test.each<[string, object | string, string]>([
    [
      "a newer format",
      { ...whole, format: 3, ratings: "elsewhere" },
      "written by a newer Recheck: format 3, this one reads 2",
    ],
    ["an older one", { ...whole, format: 0 }, "not well-formed status.json of a Recheck"],
    ["one that is no number", { ...whole, format: "2" }, "not well-formed status.json of a Recheck"],
    ["other JSON", { releases: [] }, "not well-formed status.json of a Recheck"],
    ["a list", [], "not well-formed status.json of a Recheck"],
    ["HTML", "<!doctype html><html><body>Not found</body></html>", "HTML where JSON was expected"],
    ["nothing", "", "an empty answer"],
    ["half of it", JSON.stringify(whole).slice(0, 400), "not well-formed JSON"],
    ["no ratings", { ...whole, ratings: undefined }, "not well-formed status.json of a Recheck"],
    [
      "a level that is a list",
      { ...whole, ratings: [{ ...first, level: ["High"] }] },
      "not well-formed status.json of a Recheck",
    ],
    [
      "a freshness nobody knows",
      { ...whole, ratings: [{ ...first, reason: "ripe" }] },
      "not well-formed status.json of a Recheck",
    ],
    ["a time that is none", { ...whole, staleAfter: "soon" }, "not well-formed status.json of a Recheck"],
    [
      "a day the calendar has not",
      { ...whole, staleAfter: "2026-02-31T00:00:00Z" },
      "not well-formed status.json of a Recheck",
    ],
    [
      "a year that nobody sees",
      { ...whole, staleAfter: "9999-12-31T00:00:00Z" },
      "not well-formed status.json of a Recheck",
    ],
    [
      "a name without end",
      { ...whole, ratings: [{ ...first, level: "x".repeat(201) }] },
      "not well-formed status.json of a Recheck",
    ],
    [
      "too many ratings",
      { ...whole, ratings: Array.from({ length: 10_001 }, (_, i) => ({ ...first, id: `r${i}` })) },
      "more than 10000 entries",
    ],
    ["a well without ground", "[".repeat(200_000), "not well-formed JSON (it nests too deeply)"],
  ])("%s is a failure", async (_, body, says) => {
    expect(await failure(report, typeof body === "string" ? body : of(body))).toBe(says);
  });

  test("other fields may hold anything", async () => {
    const { facts } = await reading(report, of({ ...whole, claims: "none", references: 7, more: [[]] }));
    expect(Object.keys(facts ?? {})).toHaveLength(4);
  });
});
