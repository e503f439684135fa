import { describe, expect, test } from "vitest";
import { ratingsInDoubt } from "../../src/model/dependencies.ts";
import type { Evidence, Firing } from "../../src/model/firing.ts";
import type { Watch } from "../../src/model/ports/index.ts";
import { freshness } from "../../src/status/freshness.ts";
import { configOf } from "../support/config-of.ts";
import { watchOf } from "../support/watch-of.ts";

const day = 86_400_000;
const audited = Date.UTC(2026, 4, 16);

const config = configOf(
  `
report: { title: Report, audited: 2026-05-16 }
axes: [platform, area]
volatility: { High: 90d, Medium: 180d, Low: 365d }
ratings:
  gpu/maturity: High
  gpu/cost: { level: Medium, basis: judgement, volatility: Low }
  tpu/maturity: { level: Low, reviewed: 2026-08-01 }
  tpu/cost: Low
products: { torch: { name: Torch } }
sources:
  releases: { github-releases: acme/torch, announces: torch }
  index: { pypi: torch, announces: torch }
  notes:
    page: https://example.org/notes
    claims: { early: { says: It is early, quote: early, ratings: [tpu/maturity] } }
  old: { page: "https://example.org/old", every: 14d, claims: { x: { says: x, quote: x, ratings: [tpu/cost] } } }
`,
  {
    gpu: "name: GPU\nvolatility: Medium\nratings: [gpu/maturity]\non: [{ release: torch }]",
    tpu: "name: TPU\nvolatility: High\nratings: [tpu/maturity, tpu/cost]\non: [{ change: notes, ratings: [tpu/maturity] }]",
  },
);

function watch(source: string, more: Partial<Watch> = {}): [string, Watch] {
  return [source, watchOf(source, more)];
}

/** Everything was seen at this time. */
const seen = (at: number) => new Map(["releases", "index", "notes", "old"].map((id) => watch(id, { lastSeen: at })));

function firing(trigger: string, weight: Firing["weight"], evidence: Partial<Evidence> = {}): Firing {
  const piece: Evidence = {
    source: "notes",
    seen: audited + day,
    change: { kind: "link", to: "moved" },
    part: "on",
    ...evidence,
  };
  return { trigger, event: { key: "x" }, weight, seen: audited + day, fired: audited + day, evidence: [piece] };
}

function levels(firings: readonly Firing[], watches: ReadonlyMap<string, Watch>, at: number): Record<string, string> {
  return Object.fromEntries(
    freshness(config, { unanswered: firings, watches, at }).map(({ rating, level }) => [rating, level]),
  );
}

const now = audited + 10 * day;
const allFresh = { "gpu/maturity": "fresh", "gpu/cost": "fresh", "tpu/maturity": "fresh", "tpu/cost": "fresh" };

test("a rating is fresh until its volatility has passed, counted from its review or the audit", () => {
  expect(levels([], seen(now), now)).toEqual(allFresh);
  const later = audited + 100 * day;
  expect(levels([], seen(later), later)).toEqual({ ...allFresh, "tpu/cost": "due" });
  const muchLater = audited + 200 * day;
  expect(levels([], seen(muchLater), muchLater)).toEqual({
    "gpu/maturity": "due",
    "gpu/cost": "fresh",
    "tpu/maturity": "due",
    "tpu/cost": "due",
  });
});

test("a routine firing asks about all its trigger's ratings, or those its condition names", () => {
  expect(levels([firing("tpu", "routine")], seen(now), now)).toEqual({
    ...allFresh,
    "tpu/maturity": "to review",
    "tpu/cost": "to review",
  });
  const [condition] = config.triggers.get("tpu")?.on ?? [];
  expect(levels([firing("tpu", "routine", { condition })], seen(now), now)).toEqual({
    ...allFresh,
    "tpu/maturity": "to review",
  });
});

test("a contrary firing puts in doubt, before all else", () => {
  const firings = [firing("tpu", "routine"), firing("tpu", "contrary", { part: "claim", claim: "notes/early" })];
  expect(levels(firings, seen(now), now)).toEqual({ ...allFresh, "tpu/maturity": "in doubt", "tpu/cost": "to review" });
});

test("a firing of the claims that no trigger names touches their own ratings", () => {
  expect([...ratingsInDoubt(firing("claims", "contrary", { part: "claim", claim: "notes/early" }), config)]).toEqual([
    "tpu/maturity",
  ]);
  expect([...ratingsInDoubt(firing("not-found", "routine", { part: "claim", claim: "old/x" }), config)]).toEqual([
    "tpu/cost",
  ]);
});

describe("blind", () => {
  const trouble = (since: number) => ({ kind: "status", says: "403", since, count: 9 });

  test("seven days after a source began to fail", () => {
    const watches = new Map([
      ...seen(now),
      watch("notes", { lastSeen: now - 8 * day, trouble: trouble(now - 7 * day) }),
    ]);
    expect(levels([], watches, now - 1)).toEqual(allFresh);
    expect(levels([], watches, now)).toEqual({ ...allFresh, "tpu/maturity": "blind" });
  });

  test("not if something else announces the same", () => {
    const failing = { lastSeen: now - 20 * day, trouble: trouble(now - 20 * day) };
    const one = new Map([...seen(now), watch("releases", failing)]);
    expect(levels([], one, now)).toEqual(allFresh);
    const both = new Map([...seen(now), watch("releases", failing), watch("index", failing)]);
    expect(levels([], both, now)).toEqual({ ...allFresh, "gpu/maturity": "blind" });
  });

  test("seven days after the first check if one of several sources was never read", () => {
    const page = (name: string) =>
      `  ${name}: { page: "https://example.org/${name}", claims: { x: { says: x, quote: x, ratings: [gpu/maturity] } } }\n`;
    const two = configOf(
      `report: { title: Report, audited: 2026-05-16 }\naxes: [platform, area]\nratings: { gpu/maturity: High }\nsources:\n${page("one")}${page("two")}`,
    );
    const levelAt = (at: number) => {
      const watches = new Map([watch("one", { lastSeen: at }), watch("two", { trouble: trouble(now) })]);
      return freshness(two, { unanswered: [], watches, at }).map(({ level, because }) => [level, ...because]);
    };
    expect(levelAt(now + 6 * day)).toEqual([["fresh"]]);
    expect(levelAt(now + 7 * day)).toEqual([["blind", "two"]]);
  });

  test("at once if none of its sources was ever read, and never before any check", () => {
    const unread = [watch("releases", { trouble: trouble(now) }), watch("notes", { trouble: trouble(now) })];
    expect(levels([], new Map([...seen(now), ...unread]), now)).toEqual({ ...allFresh, "tpu/maturity": "blind" });
    expect(levels([], new Map([...seen(now), watch("notes", {})]), now)).toEqual(allFresh);
  });

  test("also if what announces the same was never seen", () => {
    const failing = watch("releases", { lastSeen: now - 20 * day, trouble: trouble(now - 20 * day) });
    const never = watch("index", { trouble: trouble(now - day) });
    expect(levels([], new Map([...seen(now), failing, never]), now)).toEqual({ ...allFresh, "gpu/maturity": "blind" });
  });

  test("if nobody checked all, after two regular checks the least", () => {
    expect(levels([], seen(now - 8 * day), now)).toMatchObject({ "tpu/maturity": "blind", "tpu/cost": "fresh" });
    expect(levels([], seen(now - 29 * day), now)).toMatchObject({ "tpu/cost": "blind" });
  });
});
