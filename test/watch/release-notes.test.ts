import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Block } from "../../src/model/reading.ts";
import { notesOn, termsOf } from "../../src/watch/announced-version.ts";
import { configOf } from "../support/config-of.ts";

const config = configOf(
  `
report: { title: R, audited: 2026-05-16 }
axes: [platform, area]
names: { mps: Apple Silicon MPS, compile: torch.compile stability }
ratings: { mps/compile: Low }
products: { pytorch: { name: PyTorch } }
sources: { releases: { github-releases: pytorch/pytorch, announces: pytorch } }
`,
  {
    mps: "name: MPS\nratings: [mps/compile]\non:\n  - { release: pytorch, matches: '(?i)metal' }\nask: Does PyTorch compile with `aot_eager` on M5?\n".replace(
      ", matches: '(?i)metal'",
      "",
    ),
  },
);
const trigger = config.triggers.get("mps");
const block = (text: string, heading = "Backends"): Block => ({ path: ["2.13", heading], kind: "paragraph", text });
const release = (...blocks: Block[]): Change => ({
  kind: "item-added",
  item: { id: "v2.13.0", title: "2.13.0", blocks },
});

test("are searched for the names in a trigger's questions and ratings, and not for the product's own", () => {
  if (!trigger) throw new Error("no trigger");
  expect(termsOf(trigger, config)).toEqual(["aot_eager", "MPS", "torch.compile"]);
});

test("give the paragraphs that name one as a whole word, below their heading", () => {
  const notes = notesOn(
    release(block("PyTorch is faster."), block("On mps, scans compile."), block("Of MPSes nobody speaks.")),
    trigger,
    config,
  );
  expect(notes).toEqual({
    about: ["aot_eager", "MPS", "torch.compile"],
    paragraphs: ["Backends\nOn mps, scans compile."],
    more: 0,
  });
});

test("are said to hold nothing of it, and are not searched if an entry has no text", () => {
  expect(notesOn(release(block("PyTorch is faster.")), trigger, config)?.paragraphs).toEqual([]);
  expect(notesOn({ kind: "item-added", item: { id: "1", title: "2.13" } }, trigger, config)).toBeUndefined();
  expect(notesOn({ kind: "link", to: "gone" }, trigger, config)).toBeUndefined();
});

test("are cut: three paragraphs of 600 characters, the rest counted", () => {
  const long = Array.from({ length: 10_000 }, () => block(`MPS ${"x".repeat(2_000)}`));
  const notes = notesOn(release(...long), trigger, config);
  expect(notes?.paragraphs.map(({ length }) => length)).toEqual([600, 600, 600]);
  expect(notes?.more).toBe(4_997);
});
