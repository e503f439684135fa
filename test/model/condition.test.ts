import { describe, expect, test } from "vitest";
import { type Condition, conditionWords, patternsOf, readableCondition } from "../../src/model/condition.ts";
import { configOf } from "../support/config-of.ts";

const config = configOf("report: { title: Kites, audited: 2026-05-16 }\nsources: {}\n");
const change = (matches: string): Condition => ({ kind: "change", source: "page", matches });

describe("a condition, for those who read no patterns,", () => {
  test.each([
    ["Spar", 'names "Spar"'],
    [String.raw`\b(MPS|Metal|Apple GPU)\b`, 'names "MPS", "Metal" or "Apple GPU"'],
    [String.raw`(?i)TorchTPU|\bRFC\b|deprecat`, 'names "TorchTPU", "RFC" or "deprecat"'],
    [String.raw`\btorch\.compile\b`, 'names "torch.compile"'],
  ])("says the texts of %s", (pattern, words) => {
    expect(readableCondition(change(pattern), config)).toBe(`a change of the page that ${words}`);
    expect(patternsOf(change(pattern))).toEqual([]);
    expect(conditionWords(change(pattern), config)).toBe(`a change of the page matching ${pattern}`);
  });

  test.each([
    String.raw`\bM\d+ (pro|max)\b`,
    "a.c",
    "^Spar",
    "colou?r",
    "(a|b)(c|d)",
    "[ab]",
    "a||b",
    String.raw`a\|b|c\d`,
    Array.from({ length: 9 }, (_, i) => `word ${i}`).join("|"),
    "x".repeat(201),
  ])("keeps %s apart, which is no choice of a few texts", (pattern) => {
    expect(readableCondition(change(pattern), config)).toBe("a change of the page that matches a pattern");
    expect(patternsOf(change(pattern))).toEqual([pattern]);
  });

  test("says title, text and exception", () => {
    const entry: Condition = { kind: "item", source: "blog", title: "^Spar", matches: "(?i)monsoon", not: "rc|beta" };
    expect(readableCondition(entry, config)).toBe(
      'a new entry whose title matches a pattern and that names "monsoon", unless it names "rc" or "beta"',
    );
    expect(patternsOf(entry)).toEqual(["^Spar"]);
  });
});

test("a condition on releases says which of them it hears", () => {
  const torch = configOf(
    "report: { title: Kites, audited: 2026-05-16 }\nproducts: { torch: { name: Torch } }\nsources: {}\n",
  );
  const words = (when?: readonly ("published" | "withdrawn")[]) =>
    conditionWords(
      { kind: "release", products: ["torch"], bump: ["major"], pre: "no", sources: [], ...(when && { when }) },
      torch,
    );
  expect(words()).toBe("a release of Torch (major)");
  expect(words(["published"])).toBe("a release of Torch (major)");
  expect(words(["withdrawn"])).toBe("a withdrawn release of Torch (major)");
  expect(words(["published", "withdrawn"])).toBe("a new or withdrawn release of Torch (major)");
});
