import { expect, test } from "vitest";
import type { Block, Change, Item } from "../../src/model/model.ts";
import { describeBlock, describeChange, quoted } from "../../src/model/words.ts";
import { changeWords } from "../../src/status/explain/quiet.ts";
import { config } from "../recheck/samples.ts";

const entry: Item = { id: "a", title: "Loom 2.13.0", version: "2.13.0" };
const text = (words: string): Block => ({ path: ["Page", "Memory"], kind: "paragraph", text: words });

const changes: readonly [Change, string, string][] = [
  [{ kind: "item-added", item: entry }, '"Loom 2.13.0" (tensor-docs)', 'new entry "Loom 2.13.0"'],
  [
    { kind: "item-edited", before: { ...entry, title: "Loom 2.13" }, item: entry },
    '"Loom 2.13.0" edited (tensor-docs)',
    'entry "Loom 2.13.0" renamed, before "Loom 2.13"',
  ],
  [
    { kind: "item-edited", before: { ...entry, pre: true }, item: entry },
    '"Loom 2.13.0" edited (tensor-docs)',
    'entry "Loom 2.13.0" is a pre-release no more',
  ],
  [
    { kind: "item-edited", before: { ...entry, version: undefined }, item: entry },
    '"Loom 2.13.0" edited (tensor-docs)',
    'entry "Loom 2.13.0" edited: no version → 2.13.0',
  ],
  [
    { kind: "item-edited", before: entry, item: entry },
    '"Loom 2.13.0" edited (tensor-docs)',
    'entry "Loom 2.13.0" edited',
  ],
  [{ kind: "item-withdrawn", item: entry }, '"Loom 2.13.0" withdrawn (tensor-docs)', 'entry "Loom 2.13.0" withdrawn'],
  [{ kind: "fact", name: "public", before: "no", after: "yes" }, "Tensor docs: public no → yes", '"public": no → yes'],
  [
    { kind: "fact", name: "price" },
    "Tensor docs: price unknown → no longer given",
    '"price": not given → no longer given',
  ],
  [
    { kind: "block", before: text("up to 128GB"), after: text("up to 192GB") },
    'Tensor docs: 1 block changed under "Memory": "up to 128GB" → "up to 192GB"',
    '1 block changed under "Memory": "up to 128GB" → "up to 192GB"',
  ],
  [
    { kind: "claim", claim: "tensor-docs/service", from: "supported", to: "gone", before: "in the service only" },
    "claim gone (tensor-docs/service)",
    'claim "service" gone: "in the service only"',
  ],
  [
    { kind: "claim", claim: "tensor-docs/service", from: "supported", to: "altered", before: "one", after: "two" },
    "claim altered (tensor-docs/service)",
    'claim "service" altered: "one" → "two"',
  ],
  [
    { kind: "claim", claim: "tensor-docs/service", from: "not found", to: "not found" },
    "claim not found (tensor-docs/service)",
    'claim "service" not found',
  ],
  [{ kind: "link", to: "gone" }, "Tensor docs is gone", "is gone"],
  [{ kind: "link", to: "back" }, "Tensor docs is back", "is back"],
  [
    { kind: "link", to: "moved", address: "https://new.example/" },
    "Tensor docs moved for good",
    "moved for good to https://new.example/",
  ],
];

test.each(changes)("%j: with its source, and below it", (change, withSource, below) => {
  expect(describeChange(change, "tensor-docs", config)).toBe(withSource.replace("Tensor docs", titled));
  expect(changeWords(change)).toBe(below);
});
const titled = config.sources.get("tensor-docs")?.title ?? "tensor-docs";

test("a block that came, one that went, and several", () => {
  expect(describeBlock({ after: { ...text("new here"), path: [] } })).toBe('1 block changed: new: "new here"');
  expect(describeBlock({ before: text("gone now") }, 3)).toBe('3 blocks changed under "Memory": gone: "gone now"');
});

test("a long text is shown from where it differs", () => {
  const long = "one two three four five six seven eight nine ten";
  expect(describeBlock({ before: text(`${long} eleven`), after: text(`${long} twelve`) })).toContain(
    '"… eight nine ten eleven" → "… eight nine ten twelve"',
  );
});

test("a text in one line has no control characters, and an end", () => {
  expect(quoted("a\u001b[31m\u202eb\nc")).toBe("a [31m b c");
  expect(quoted("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
});
