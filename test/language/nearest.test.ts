import { expect, it } from "vitest";
import { nearestWord } from "../../src/language/nearest.ts";

it.each([
  ["cite", ["title", "cites", "every"], "cites"],
  ["qoute", ["value", "quote"], "quote"],
  ["high", ["Low", "High"], "High"],
  ["mps-traker", ["mps-docs", "mps-tracker"], "mps-tracker"],
  ["feed", ["page", "text"], undefined],
  ["x", ["y"], undefined],
  ["", ["a"], undefined],
])("%s is meant as one of %j: %s", (word, words, expected) => {
  expect(nearestWord(word, words)).toBe(expected);
});

it("is none once looking for it has taken the effort that there is, for all words that are looked for", () => {
  const effort = { left: 60 };
  expect(nearestWord("qoute", ["value", "quote"], effort)).toBe("quote");
  expect(effort.left).toBeLessThan(20);
  expect(nearestWord("qoute", ["value", "quote"], effort)).toBeUndefined();
});
