import fc from "fast-check";
import { expect, test } from "vitest";
import {
  enumerate,
  enumerateOr,
  firstOf,
  groupDigits,
  noiseWords,
  partWords,
  pluralize,
  tally,
  verdictCounts,
  withoutStop,
} from "../../src/model/words.ts";

test("things are counted", () => {
  expect([pluralize(0, "source"), pluralize(1, "source"), pluralize(1204, "entry", "entries")]).toEqual([
    "0 sources",
    "1 source",
    "1,204 entries",
  ]);
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
  [["a", "b", "c", "d"], "a, b, c and 1 more"],
])("%j are listed as %j, three at most", (words, says) => {
  expect(enumerate(words, 3)).toBe(says);
});

test("one of several, and the first of many", () => {
  expect(enumerateOr(["a", "b", "c"])).toBe("a, b or c");
  expect(firstOf(["a", "b; c", "d"], 2, "; ")).toBe("a; b; c and 1 more");
});

test.each([
  ["A node costs $25.", "A node costs $25"],
  ["There are 5.", "There are 5"],
  ["It is made in the U.S.", "It is made in the U.S."],
  ["It goes on ...", "It goes on ..."],
  ["Does it?", "Does it?"],
])("%s is quoted as %s", (sentence, quoted) => {
  expect(withoutStop(sentence)).toBe(quoted);
});

test("a tally leaves out zeros", () => {
  expect(tally([])).toBe("");
  expect(verdictCounts([{ verdict: "keep" }, { verdict: "change" }, { verdict: "keep" }])).toBe("1 changed, 2 kept");
  expect(verdictCounts([{ verdict: "keep" }, { verdict: "keep" }], "rating")).toBe("2 ratings kept");
});

test("whole numbers have the groups that the engine gives them in English", () => {
  const english = new Intl.NumberFormat("en");
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(groupDigits(count)).toBe(english.format(count));
    }),
    { examples: [[0], [999], [1_000], [-1_000], [-999], [65_536]] },
  );
});

test("a finding of the first check is no condition of a trigger", () => {
  const change = { kind: "link", to: "gone" } as const;
  expect(partWords({ part: "also", change })).toBe("extra condition");
  expect(partWords({ part: "also", change: { ...change, first: true } })).toBe("seen at the first check");
});

test("a stored reason without words of this version is its own words", () => {
  expect(noiseWords(JSON.parse('{"reason":"laid out anew"}'))).toBe("laid out anew");
});
