import fc from "fast-check";
import { expect, test } from "vitest";
import { escapePattern } from "../../src/model/words.ts";
import { anySign } from "../support/any-sign.ts";

test("an escaped text matches itself alone, with every sign of a pattern", () => {
  expect(escapePattern("a.b|c")).toBe("a\\.b\\|c");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anySign }), fc.stringMatching(/^[\\^$.*+?()[\]{}|/-]*$/)), (text) => {
      for (const flags of ["", "u"]) {
        const [match] = new RegExp(escapePattern(text), flags).exec(`<${text}>`) ?? [];
        expect(match).toBe(text);
      }
    }),
  );
});
