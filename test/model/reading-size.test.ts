import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block, Reading } from "../../src/model/reading.ts";
import { sizeLine, sizeOfReading } from "../../src/model/reading-size.ts";
import { anySign } from "../support/any-sign.ts";

const at = Date.UTC(2026, 4, 3, 8);
const block = (text: string): Block => ({ path: [], kind: "paragraph", text });

test.each<[Reading, string]>([
  [
    {
      items: [
        { id: "a", title: "Engine 2.9.0", version: "2.9.0", at: 1 },
        { id: "b", title: "Engine 2.9.1", version: "2.9.1", at: 2 },
      ],
    },
    "2 entries, newest 2.9.1, on 2026-05-03",
  ],
  [
    { items: [{ id: "a", title: "Undated\u202e" }], facts: { license: "MIT" } },
    "1 entry, newest Undated; 1 fact, on 2026-05-03",
  ],
  [{ items: [], facts: {} }, "no entries; 0 facts, on 2026-05-03"],
  [{ blocks: [block("Two words."), block("And three more.")] }, "5 words, on 2026-05-03"],
])("a reading is described by its size: %#", (reading, says) => {
  expect(sizeLine(sizeOfReading(reading), at)).toBe(says);
});

test("words are separated by white space of any script", () => {
  const text = fc.array(
    fc.oneof(fc.string({ unit: anySign }), fc.constantFrom(..." \t\v\n\u00a0\u1680\u2003\u2029\u3000\ufeff")),
  );
  fc.assert(
    fc.property(text, (parts) => {
      const written = parts.join("");
      expect(sizeOfReading({ blocks: [block(written)] }).words).toBe(written.match(/\S+/g)?.length ?? 0);
    }),
  );
});
