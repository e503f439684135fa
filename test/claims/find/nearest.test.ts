import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestPassage } from "../../../src/claims/find/similar-passages.ts";
import { pageOf } from "./page.ts";

const page = pageOf(
  "# Engine\nThe engine is fast. It takes unleaded petrol only, and no oil. Ask us.\n# Price\nmodel | price\nsmall | 95 coins\nlarge | 180 coins",
);

test("the sentence that holds most of the words, in any order", () => {
  expect(nearestPassage(page, "only petrol and oil")).toBe("It takes unleaded petrol only, and no oil");
  expect(nearestPassage(page, "the large model costs 170 coins")).toContain("large | 180 coins");
});

test("the row with another figure of the same sort, and not the head of its table", () => {
  const specs = pageOf("# Specs\na | b | c\npart | M4 Max | M3 Ultra\nmemory | 128GB | 96GB\nnoise | low | low");
  expect(nearestPassage(specs, "512GB (M3 Ultra)")).toBe("memory | 128GB | 96GB");
});

test("nothing, if nothing comes near", () => {
  expect(nearestPassage(page, "wheels of wood are delivered on Sundays")).toBeUndefined();
  expect(nearestPassage(page, "")).toBeUndefined();
  expect(nearestPassage(pageOf(""), "petrol")).toBeUndefined();
});

test("of any page and any words it is a part of the page", () => {
  const word = fc.constantFrom("engine", "petrol", "the", "12", "95 coins", "a", "oil.", "| x", "# price\n");
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (there, wanted) => {
      const found = nearestPassage(pageOf(there), wanted) ?? "";
      const plain = (words: string) => words.replace(/[\s|#]+/g, " ").trim();
      expect(plain(there)).toContain(plain(found));
    }),
  );
});
