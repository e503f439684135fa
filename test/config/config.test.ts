import { describe, expect, it } from "vitest";
import { duration } from "../../src/config/words.ts";
import { readers } from "../../src/read/index.ts";
import { config, parse } from "./valid.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const smallest = "report: { title: Kites, audited: 2026-05-16 }\n";

describe("a valid config", () => {
  it("holds the report and its judgements", () => {
    const { report, documents, levels, axes, names, rubric, ratings, conclusions } = config();
    expect(report).toEqual({
      title: "The State of Kites: May 2026",
      url: "https://example.org/kites/",
      version: "0.2",
      audited: Date.UTC(2026, 4, 16),
    });
    expect([...documents.values()]).toEqual([{ id: "knots", title: "Knots for kites", published: "2025-12" }]);
    expect(levels).toEqual(["Low", "Medium", "High"]);
    expect(axes).toEqual(["kite", "area"]);
    expect([...names]).toEqual([
      ["delta", "Delta"],
      ["sled", "Flat sled"],
    ]);
    expect(rubric.get("lift")?.get("High")).toBe("flies in any wind");
    expect([...ratings.values()]).toEqual([
      { id: "delta/lift", level: "Low", owners: [] },
      {
        id: "sled/lift",
        level: "High",
        basis: "judgement",
        volatility: "High",
        reviewed: Date.UTC(2026, 5, 1),
        owners: ["kite-team"],
      },
    ]);
    expect([...conclusions.values()][1]).toEqual({
      id: "final",
      text: "Sleds first",
      restsOn: ["beginners", "delta/lift"],
    });
  });

  it("holds what is watched", () => {
    const { products, sources, unwatchable } = config();
    expect(products.get("spar")).toEqual({
      id: "spar",
      name: "Spar",
      aliases: ["spar-cad"],
      tags: ["spar-{version}"],
      renumbered: { "3.40.1": "3.40" },
      parts: 2,
      phantom: [],
    });
    expect([...sources.keys()]).toEqual(["spar-releases", "wind-tracker", "limits"]);
    expect(sources.get("spar-releases")).toEqual({
      id: "spar-releases",
      kind: "github-releases",
      address: "example/spar",
      options: {},
      cites: [3],
      standsFor: [1, 2],
      citedBy: [],
      announces: ["spar"],
      claims: [],
    });
    expect(sources.get("wind-tracker")).toMatchObject({
      citedBy: ["knots"],
      atAudit: { state: "open" },
      every: 2 * hour,
    });
    expect(sources.get("limits")).toMatchObject({ title: "Limits", options: { select: "main" }, confirm: 3 * hour });
    expect(unwatchable).toEqual([{ title: "Kites of the World", cites: [5], citedBy: [], because: "a printed book" }]);
  });

  it("holds each claim with its proof", () => {
    const claims = [...config().sources.values()].flatMap((source) => source.claims);
    expect(claims).toEqual([
      {
        id: "early",
        source: "wind-tracker",
        says: "The wind model is early",
        proof: { quote: "is an early model", suffix: "and likely to fail" },
        ratings: ["delta/lift"],
        cites: [4],
        until: [{ kind: "release", products: ["spar"], bump: ["major", "minor", "patch"], pre: "yes", sources: [] }],
      },
      {
        id: "weight",
        source: "limits",
        says: "It carries 95 g",
        proof: { value: "95 g", of: "payload" },
        ratings: [],
        cites: [],
        until: [],
      },
      {
        id: "licence",
        source: "limits",
        says: "No licence is needed",
        proof: { absent: "licence required" },
        ratings: [],
        cites: [],
        until: [],
      },
    ]);
  });

  it("holds the triggers, one question a line", () => {
    expect(config().triggers.get("delta")).toEqual({
      id: "delta",
      name: "Delta kites",
      wording: "Spar release, or the wind tracker.",
      confidence: "Medium-high",
      volatility: "High",
      ratings: ["delta/lift", "sled/lift"],
      on: [
        { kind: "release", products: ["spar"], bump: ["major", "minor"], pre: "no", sources: [] },
        { kind: "issue", source: "wind-tracker", when: ["closed", "reopened", "body", "checklist"] },
      ],
      also: [
        {
          kind: "claim",
          source: "wind-tracker",
          claim: "early",
          when: ["altered", "gone", "contradicted", "moved"],
          means: "the model grew up",
        },
        { kind: "change", source: "limits", under: "Payload", matches: "\\b(95|96) g\\b", ratings: ["delta/lift"] },
        { kind: "unreviewed", for: 180 * day },
      ],
      ask: ["Does it lift?", "In any wind?"],
    });
  });
});

describe("defaults", () => {
  it("has its default", () => {
    const { levels, axes, volatility, schedule, sources, triggers, unwatchable } = config(smallest, "");
    expect({ levels, axes, unwatchable, sources: sources.size, triggers: triggers.size }).toEqual({
      levels: [],
      axes: [],
      unwatchable: [],
      sources: 0,
      triggers: 0,
    });
    expect([...volatility]).toEqual([
      ["High", 90 * day],
      ["Medium", 180 * day],
      ["Low", 365 * day],
    ]);
    expect([...schedule.keys()]).toEqual([...readers.keys()]);
    for (const [kind, { cadence }] of readers) expect(schedule.get(kind)).toBe(duration.parse(cadence));
  });

  it("is the report's own if it says so", () => {
    const { volatility, schedule } = config(
      `${smallest}volatility: { Fast: 2w }\nschedule: { page: 90m }`,
      "name: x\nvolatility: Fast\n",
    );
    expect([...volatility]).toEqual([["Fast", 14 * day]]);
    expect(schedule.get("page")).toBe(90 * minute);
    expect(schedule.get("feed")).toBe(6 * hour);
  });
});

describe("ratings without levels", () => {
  it("are text, or numbers as they are spelt", () => {
    const { ratings } = config(`${smallest}ratings: { a/b: 92.10, a/c: 41 ms, a/d: { level: 1e3 }, a/e: "7" }`, "");
    expect([...ratings.values()].map(({ level }) => level)).toEqual(["92.10", "41 ms", "1e3", "7"]);
  });
});

describe("words of YAML", () => {
  it("yes and no are text, as YAML 1.2 has it", () => {
    const { sources } = config(`${smallest}sources:\n  a: { github-repo: a/b, at-audit: { public: no } }`, "");
    expect(sources.get("a")?.atAudit).toEqual({ public: "no" });
  });

  it("keys are taken as they are spelt", () => {
    const { products } = config(`${smallest}products:\n  a: { name: A, renumbered: { 13.10: "13.1" } }`, "");
    expect(products.get("a")?.renumbered).toEqual({ "13.10": "13.1" });
  });
});

describe("one address, several sources", () => {
  const two = (a: string, b: string) => parse(`${smallest}sources:\n  a: { ${a} }\n  b: { ${b} }`, "").problems.length;

  it("is none if path, branch or tags distinguish them", () => {
    expect(two("github-commits: a/b, path: docs", "github-commits: a/b, path: src")).toBe(0);
    expect(two("container-tags: a/b, tags: ^x", "container-tags: a/b")).toBe(0);
    expect(two("page: https://example.org/a", "text: https://example.org/a")).toBe(0);
    expect(two("page: https://example.org/a?b=1", "page: https://example.org/a?b=2")).toBe(0);
  });

  it("is one else", () => {
    expect(two("github-commits: a/b, path: docs", "github-commits: A/b, path: docs")).toBe(1);
    expect(two("page: http://example.org/a", "page: https://example.org/a/")).toBe(1);
  });
});
