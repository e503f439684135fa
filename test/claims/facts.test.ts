import { describe, expect, test } from "vitest";
import { type Days, lived, told } from "../support/story.ts";

/** Claims that a fact proves, by the whole spine. */

const url = "https://engine.example/facts.json";
const facts = (values: object) => JSON.stringify(values);
const json = (claim: string) => ({
  sources: `sources:
  engine: { json: "${url}", facts: { speed: speed }, claims: { fast: { says: It is fast, ratings: [a], ${claim} } } }`,
});
const fast = json("fact: speed, is: high");
const days = (...values: (string | [number, string])[]): Days =>
  Object.fromEntries(
    values
      .map((value, i) => (typeof value === "string" ? [i, value] : value))
      .map(([day, speed]) => [day, { [url]: facts({ speed }) }]),
  );

describe("a claim proved by a fact", () => {
  test("is supported in silence, altered when the fact is another, and reported once", async () => {
    expect(await told(fast, days("high", "high", "low", "low"))).toEqual([
      "2 claims!: engine/fast altered: speed: low",
    ]);
  });

  test("is altered again by a third value, and supported again in silence", async () => {
    expect(await told(fast, days("high", "low", "none", [20, "high"]))).toEqual([
      "1 claims!: engine/fast altered: speed: low",
      "2 claims!: engine/fast altered: speed: none",
    ]);
  });

  test("fires again if the same value comes back after another held, and never if it flaps", async () => {
    const twice = await told(fast, days("high", [1, "low"], [20, "high"], [40, "low"]));
    expect(twice).toEqual([
      "1 claims!: engine/fast altered: speed: low",
      "40 claims!: engine/fast altered: speed: low",
    ]);
    const flapping = await told(fast, days("high", "low", "high", "low", "high", "low"));
    expect(flapping).toEqual(["1 claims!: engine/fast altered: speed: low"]);
  });

  test("fires again if a value comes back and stays, and not before it has", async () => {
    const back = (until: string) => days("high", [2, "low"], [20, "high"], [22, "low"], [28, until]);
    expect(await told(fast, back("high"))).toEqual(["2 claims!: engine/fast altered: speed: low"]);
    const { firings } = await lived(fast, back("low"));
    expect(firings.map(({ fired, seen }) => Math.round((fired - seen) / 86_400_000))).toEqual([0, 7]);
    expect(await told(fast, back("low"))).toEqual([
      "2 claims!: engine/fast altered: speed: low",
      "22 claims!: engine/fast altered: speed: low",
    ]);
  });

  test("that an earlier value alters again is reported once, when that has stayed", async () => {
    expect(await told(fast, days("low", [10, "high"], [12, "low"], [40, "low"]))).toEqual([
      "0 not-found!: engine/fast not found: speed: low",
      "12 claims!: engine/fast altered: speed: low",
    ]);
  });

  test("that never was so is contradicted at the first check, once, with the value that is there", async () => {
    const story = days("low", "low", "none");
    expect(await told(fast, story)).toEqual(["0 not-found!: engine/fast not found: speed: low"]);
  });

  test("is gone with its fact, after a second check", async () => {
    const repo = "https://api.github.com/repos/example/engine";
    const answer = (more: object) => JSON.stringify({ private: false, full_name: "example/engine", ...more });
    const config = {
      sources: `sources:
  engine: { github-repo: example/engine, claims: { kept: { says: It is kept, fact: description, is: An engine, ratings: [a] } } }`,
    };
    const story: Days = {
      0: { [repo]: answer({ description: "An engine" }) },
      1: { [repo]: answer({ description: "" }) },
    };
    const { firings } = await lived(config, story);
    expect(firings.map(({ event }) => event.key)).toEqual([expect.stringMatching(/^engine\/kept gone /)]);
    const [firing] = firings;
    expect((firing?.fired ?? 0) - (firing?.seen ?? 0)).toBeGreaterThanOrEqual(3_600_000);
    const flapping: Days = { ...story, 1.05: { [repo]: answer({ description: "An engine" }) } };
    expect((await lived(config, { ...flapping, 1: { [repo]: answer({ description: "" }) } })).firings).toEqual([]);
  });

  test("of public is altered when a repository closes", async () => {
    const repo = "https://api.github.com/repos/example/engine";
    const config = {
      sources: `sources:
  engine: { github-repo: example/engine, claims: { open: { says: It is open, fact: public, is: yes, ratings: [a] } } }`,
    };
    const open = JSON.stringify({ private: false, full_name: "example/engine" });
    const closed = JSON.stringify({ private: true, full_name: "example/engine" });
    expect(await told(config, { 0: { [repo]: open }, 2: { [repo]: closed } })).toEqual([
      "2 claims!: engine/open altered: public: no",
    ]);
  });

  test("whose proof is edited is another claim", async () => {
    const story: Days = {
      ...days("high", "low"),
      3: { config: json("fact: speed, is: low") },
      30: { web: { [url]: facts({ speed: "high" }) } },
    };
    expect(await told(fast, story)).toEqual([
      "1 claims!: engine/fast altered: speed: low",
      "30 claims!: engine/fast altered: speed: high",
    ]);
  });

  test("and a quoted one may be in one source, over the same facts", async () => {
    const both = {
      sources: `sources:
  engine:
    json: "${url}"
    facts: { constructor: speed }
    claims:
      fast: { says: It is fast, ratings: [a], fact: constructor, is: high }
      said: { says: It is fast, ratings: [a], quote: "constructor: high" }`,
    };
    expect(await told(both, days("high", "low"))).toEqual([
      expect.stringMatching(/^1 claims!: engine\/fast altered: constructor: low$/),
      expect.stringMatching(/^1 claims!: engine\/said (altered|gone)/),
    ]);
  });
});
