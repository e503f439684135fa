import fc from "fast-check";
import { expect, test } from "vitest";
import { cutToDifference, sharedLengths } from "../../src/model/apart.ts";

const words = fc.array(fc.constantFrom("a", "bb", "ccc", "dddd"), { maxLength: 40 }).map((list) => list.join(" "));

test("text that two texts share is shown once, at the start before the end", () => {
  expect(sharedLengths("one two three", "one 2 three")).toEqual({ start: 4, end: 6 });
  expect(sharedLengths("one", "one one")).toEqual({ start: 3, end: 0 });
  expect(sharedLengths("", "one")).toEqual({ start: 0, end: 0 });
  fc.assert(
    fc.property(words, words, (one, other) => {
      const { start, end } = sharedLengths(one, other);
      expect(start + end).toBeLessThanOrEqual(Math.min(one.length, other.length));
      expect(one.slice(0, start)).toBe(other.slice(0, start));
      expect(one.slice(one.length - end)).toBe(other.slice(other.length - end));
    }),
  );
});

test("texts are cut at words, around the difference", () => {
  const [one, other] = cutToDifference("a b c d e f g h i", "a b c d X f g h i", 4, 10);
  expect([one, other]).toEqual([
    { text: "d e f g", before: 6, after: 4 },
    { text: "d X f g", before: 6, after: 4 },
  ]);
  expect(cutToDifference("one two", "one two three", 20, 20).map(({ text }) => text)).toEqual([
    "one two",
    "one two three",
  ]);
});

test("one long word is cut in it, and so is a long difference", () => {
  const [one, other] = cutToDifference(`${"x".repeat(500)}1`, `${"x".repeat(500)}2`, 160, 900);
  expect(one).toEqual({ text: `${"x".repeat(160)}1`, before: 340, after: 0 });
  expect(other.text).toBe(`${"x".repeat(160)}2`);
  expect(cutToDifference("", "y".repeat(500), 10, 50)[1]).toEqual({ text: "y".repeat(50), before: 0, after: 450 });
});
