import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { changeLine, changePhrases, changeWords } from "../../src/model/change-words.ts";
import type { Block, Item } from "../../src/model/reading.ts";
import { oneLine } from "../../src/model/words.ts";

const entry: Item = { id: "a", title: "Loom 2.13.0", version: "2.13.0" };
const text = (words: string): Block => ({ path: ["Page", "Memory"], kind: "paragraph", text: words });
const claim = { kind: "claim", claim: "tensor-docs/service", from: "supported" } as const;

const changes: readonly [Change, string][] = [
  [{ kind: "item-added", item: entry }, 'new entry "Loom 2.13.0"'],
  [
    { kind: "item-edited", before: { ...entry, title: "Loom 2.13" }, item: entry },
    'entry edited "Loom 2.13.0", before "Loom 2.13"',
  ],
  [
    { kind: "item-edited", before: { ...entry, pre: true }, item: entry },
    'entry edited "Loom 2.13.0": no longer a pre-release',
  ],
  [
    { kind: "item-edited", before: { ...entry, version: undefined }, item: entry },
    'entry edited "Loom 2.13.0": no version → 2.13.0',
  ],
  [{ kind: "item-edited", before: entry, item: entry }, 'entry edited "Loom 2.13.0"'],
  [{ kind: "item-withdrawn", item: entry }, 'entry withdrawn "Loom 2.13.0"'],
  [{ kind: "fact", name: "public", before: "no", after: "yes" }, 'public "no" → "yes"'],
  [{ kind: "fact", name: "price" }, "price no longer given"],
  [{ kind: "fact", name: "labels", before: "kites", after: "" }, 'labels "kites" → nothing'],
  [{ kind: "fact", name: "labels", before: "", after: "kites" }, 'labels nothing → "kites"'],
  [
    {
      kind: "fact",
      name: "fixed",
      before: `${"kite 1.0, ".repeat(20)}line 1.1`,
      after: `${"kite 1.0, ".repeat(20)}line 1.2`,
    },
    'fixed "… kite 1.0, line 1.1" → "… kite 1.0, line 1.2"',
  ],
  [
    { kind: "block", before: text("up to 128GB"), after: text("up to 192GB") },
    'text changed under "Memory": "up to 128GB" → "up to 192GB"',
  ],
  [{ kind: "block", after: { ...text("new here"), path: [] } }, 'text added: "new here"'],
  [{ kind: "block", before: { ...text("a | b"), kind: "row" } }, 'table row removed under "Memory": "a | b"'],
  [
    { ...claim, to: "gone", before: "in the service only" },
    'no longer supports claim "service": "in the service only"',
  ],
  [{ ...claim, to: "altered", before: "one", after: "two" }, 'now differs from claim "service": "one" → "two"'],
  [{ ...claim, from: "not found", to: "not found", after: "near" }, 'does not support claim "service"'],
  [
    { ...claim, from: "not found", to: "not found", after: "near", otherwise: true },
    'contradicts claim "service" (first check)',
  ],
  [{ kind: "turned", now: "in German", since: 0 }, "now in German"],
  [{ kind: "link", to: "gone" }, "the address is gone"],
  [{ kind: "link", to: "gone", first: true }, "the address was not found"],
  [{ kind: "link", to: "back" }, "the address is back"],
  [
    { kind: "link", to: "moved", address: "https://new.example/" },
    "the address moved for good to https://new.example/",
  ],
];

test.each(changes)("%j in a line", (change, says) => {
  expect(changeLine(change)).toBe(says);
  expect(says.startsWith(changeWords(change))).toBe(true);
});

test("several blocks are one line", () => {
  expect(changeLine({ kind: "block", before: text("gone now") }, 3)).toBe('3 changes under "Memory": "gone now"');
});

test("a long text is shown from its first difference on", () => {
  const long = "one two three four five six seven eight nine ten";
  const change: Change = { kind: "block", before: text(`${long} eleven`), after: text(`${long} twelve`) };
  expect(changeLine(change)).toContain('"… eight nine ten eleven" → "… eight nine ten twelve"');
});

test("words of others stay apart from our own", () => {
  const subject = [{ config: "Tensor docs" }];
  expect(changePhrases({ kind: "link", to: "gone" }, { subject })).toEqual([...subject, " is gone"]);
  expect(changePhrases({ ...claim, to: "gone" }, { subject, says: "It ships." })).toEqual([
    ...[...subject, " no longer supports "],
    ...["“", { says: "It ships" }, "”", ""],
  ]);
  expect(changePhrases({ kind: "item-added", item: entry }, { subject })).toEqual([
    ...[...subject, ", "],
    ...["new entry ", { source: "Loom 2.13.0" }],
  ]);
});

test("a text in one line has no control characters, and an end", () => {
  expect(oneLine("a\u001b[31m\u202eb\nc")).toBe("a [31m b c");
  expect(oneLine("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
});
