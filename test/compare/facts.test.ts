import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareFacts, type FactMemory } from "../../src/compare/facts.ts";
import type { Facts } from "../../src/model/reading.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 5, 1);

function walk(readings: readonly Facts[], options: { atAudit?: Facts; structured?: boolean; every?: number } = {}) {
  const { atAudit, structured = true, every = day } = options;
  let memory: FactMemory | undefined;
  return readings.map((facts, index) => {
    const result = compareFacts(memory, facts, {
      at: start + index * every,
      confirmAfter: 6 * hour,
      structured,
      atAudit,
    });
    memory = JSON.parse(JSON.stringify(result.memory));
    return result;
  });
}

const said = (results: ReturnType<typeof walk>) =>
  results.map(({ changes }) => changes.map(({ change }) => `${change.name} ${change.before} → ${change.after}`));

describe("first check", () => {
  test("is the baseline", () => {
    expect(said(walk([{ public: "yes" }]))).toEqual([[]]);
  });

  test("is compared with what was true at the audit", () => {
    expect(said(walk([{ public: "yes", archived: "no" }], { atAudit: { public: "no" } }))).toEqual([
      ["public no → yes"],
    ]);
    expect(said(walk([{ public: "no" }], { atAudit: { public: "no" } }))).toEqual([[]]);
  });

  test("says nothing of a fact that was true at the audit and is not given", () => {
    expect(said(walk([{}], { atAudit: { public: "no" } }))).toEqual([[]]);
  });

  test("without a second check if the source needs one", () => {
    expect(said(walk([{ price: "2" }], { atAudit: { price: "1" }, structured: false }))).toEqual([["price 1 → 2"]]);
  });
});

describe("later checks", () => {
  test("a value that differs is a change, once", () => {
    expect(said(walk([{ state: "open" }, { state: "closed" }, { state: "closed" }]))).toEqual([
      [],
      ["state open → closed"],
      [],
    ]);
  });

  test("a new fact is a change", () => {
    expect(said(walk([{ a: "1" }, { a: "1", b: "2" }]))).toEqual([[], ["b undefined → 2"]]);
  });

  test("a fact that disappears waits for a second check, and so does all that changed with it", () => {
    const results = walk([{ public: "yes", name: "x" }, { public: "no" }, { public: "no" }, { public: "no" }]);
    expect(said(results)).toEqual([[], [], ["public yes → no", "name x → undefined"], []]);
    expect(results[1]?.sightings).toHaveLength(2);
  });

  test("a fact that was away for one check is nothing", () => {
    expect(said(walk([{ public: "yes", name: "x" }, { public: "no" }, { public: "yes", name: "x" }]))).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("a value that comes back within a week is a flap", () => {
    const results = walk([{ v: "1" }, { v: "2" }, { v: "1" }, { v: "2" }]);
    expect(said(results)).toEqual([[], ["v 1 → 2"], [], []]);
    expect(results[2]?.noise.map(({ reason }) => reason)).toEqual(["returned to an earlier text"]);
  });

  test("a value that came back and stays is reported once it has stayed for a week, as of when it came", () => {
    const results = walk([{ v: "1" }, { v: "2" }, ...Array.from({ length: 10 }, () => ({ v: "1" }))]);
    expect(said(results).flat()).toEqual(["v 1 → 2", "v 2 → 1"]);
    expect(results[9]?.changes).toEqual([
      { change: { kind: "fact", name: "v", before: "2", after: "1", again: 1 }, since: start + 2 * day },
    ]);
  });

  test("a fact that comes and goes within a week stays silent, and at rest only another value than the last one is reported", () => {
    const flaps = (times: number) => Array.from({ length: times }, (_, i) => ({ v: i % 2 === 0 ? "1" : "2" }));
    const rest = (v: string) => Array.from({ length: 20 }, () => ({ v }));
    expect(said(walk(flaps(60))).flat()).toEqual(["v 1 → 2"]);
    expect(said(walk([...flaps(60), ...rest("2")])).flat()).toEqual(["v 1 → 2"]);
    expect(said(walk([...flaps(60), ...rest("1")])).flat()).toEqual(["v 1 → 2", "v 2 → 1"]);
    const long = walk([
      { v: "1" },
      { v: "2" },
      ...Array.from({ length: 60 }, (_, i) => ({ v: i % 6 < 3 ? "1" : "2" })),
    ]);
    expect(said(long).flat()).toEqual(["v 1 → 2"]);
  });

  test("a value that comes back after months is news, and says that it came before", () => {
    const results = walk([{ v: "1" }, { v: "2" }, { v: "1" }], { every: 60 * day });
    expect(said(results)).toEqual([[], ["v 1 → 2"], ["v 2 → 1"]]);
    expect(results[2]?.changes[0]?.change.again).toBe(1);
  });
});

describe("a fact that comes and goes", () => {
  const on = { deprecated: "use another", name: "x" };
  const off = { name: "x" };

  test("after months is news each time, and says how often it did", () => {
    const stages = [off, on, off, on, off].flatMap((facts) => [facts, facts]);
    const results = walk(stages, { every: 30 * day });
    expect(said(results).flat()).toEqual([
      "deprecated undefined → use another",
      "deprecated use another → undefined",
      "deprecated undefined → use another",
      "deprecated use another → undefined",
    ]);
    const told = results.flatMap(({ changes }) => changes.map(({ change }) => change.again));
    expect(told).toEqual([undefined, undefined, 1, 1]);
  });

  test("within a week stays silent, and at rest only a difference from the last report is reported", () => {
    const flaps = [off, on, ...Array.from({ length: 12 }, (_, i) => (i % 4 < 2 ? off : on))];
    const rest = (facts: Facts) => Array.from({ length: 12 }, () => facts);
    const first = ["deprecated undefined → use another", "deprecated use another → undefined"];
    expect(said(walk(flaps)).flat()).toEqual(first);
    expect(said(walk([...flaps, ...rest(off)])).flat()).toEqual(first);
    expect(said(walk([...flaps, ...rest(on)])).flat()).toEqual([...first, "deprecated undefined → use another"]);
  });

  test("under ever new names is forgotten in the end", () => {
    const listings = Array.from({ length: 300 }, (_, i) => ({ name: "x", [`cycle ${i}`]: "yes" }));
    const memory = walk(listings).at(-1)?.memory;
    expect(Object.keys(memory?.known ?? {}).length).toBeLessThan(110);
  });
});

const comesBack = ({ change, since }: { change: { again?: number }; since: number }, at: number) =>
  change.again !== undefined && at - since === 7 * day;

test("for any history: after the same facts twice nothing more is said, and nothing is said about unchanged facts", () => {
  const facts = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2", "3"));
  fc.assert(
    fc.property(fc.array(facts, { minLength: 1, maxLength: 10 }), fc.boolean(), (history, structured) => {
      const last = history.at(-1) ?? {};
      const readings = [...history, last, last, last];
      const results = walk(readings, { structured });
      const now = start + (readings.length - 1) * day;
      expect(results.at(-1)?.changes.filter((one) => !comesBack(one, now))).toEqual([]);
      expect(walk([...readings, ...Array.from({ length: 7 }, () => last)], { structured }).at(-1)?.changes).toEqual([]);
      expect(results.at(-1)?.sightings).toEqual([]);
      for (const { changes } of results) for (const { change } of changes) expect(change.before).not.toBe(change.after);
    }),
  );
});
