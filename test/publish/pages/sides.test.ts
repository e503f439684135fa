import fc from "fast-check";
import { expect, test } from "vitest";
import { ShownEdits, sides, sidesOf } from "../../../src/publish/pages/sides.ts";
import { hostile } from "../../recheck/issue/hostile.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { elementsOf, wordsOf } from "./elements.ts";

const shown = (before: string | undefined, after: string | undefined) => sides(before, after).toString();

test("whole words are marked, and those that changed one after the other as one", () => {
  const made = shown("Torch 2.12.0 needs you to set a flag.", "Torch 2.13.0 needs no flag.");
  expect(made).toContain("Torch <del>2.12.0</del> needs <del>you to set a</del> flag.");
  expect(made).toContain("Torch <ins>2.13.0</ins> needs <ins>no</ins> flag.");
});

test("a side that is not there says so, and the other is all new or all gone", () => {
  expect(shown(undefined, "Now it runs.")).toMatch(/not there<\/p>.*<ins>Now it runs\.<\/ins>/s);
  expect(shown("Once it ran.", undefined)).toMatch(/<del>Once it ran\.<\/del>.*not there any more/s);
});

test("text that did not change is cut to the part around the difference", () => {
  const long = "lift and drag ".repeat(100);
  const text = wordsOf(shown(`${long}95 g ${long}`, `${long}80 g ${long}`));
  expect(text.length).toBeLessThan(1_000);
  expect(text).toMatch(/^before … .*drag 95 g lift.* after … .*drag 80 g lift/);
});

test("texts that share nothing are compared in bounded time", () => {
  const words = (seed: number) => Array.from({ length: 2_000 }, (_, i) => `w${(i * seed) % 7919}`).join(" ");
  const begun = processorTime();
  const made = shown(words(31), words(57));
  expectTime(processorTime() - begun, 3_000);
  expect(elementsOf(made).filter(({ name }) => name === "del").length).toBeGreaterThan(0);
});

test("a claim that was looked for the first time has no text before it", () => {
  const change = { kind: "claim", claim: "a/b", from: "not found", to: "not found", after: "96GB" } as const;
  expect(wordsOf(sidesOf(change)?.toString() ?? "")).toBe("96GB");
});

test("an address that moved is shown with its new one", () => {
  const moved = { kind: "link", to: "moved", address: "https://new.example/docs" } as const;
  expect(wordsOf(sidesOf(moved)?.toString() ?? "")).toBe("https://new.example/docs");
  expect(sidesOf({ kind: "link", to: "gone" })).toBeUndefined();
});

test("nothing but marks comes from two texts", () => {
  fc.assert(
    fc.property(hostile(), hostile(), (before, after) => {
      const names = new Set(elementsOf(shown(before, after)).map(({ name }) => name));
      expect([...names].filter((name) => !["div", "p", "ins", "del"].includes(name))).toEqual([]);
    }),
  );
});

test("an edit is shown once, by a block or by a claim that lies in it", () => {
  const edits = new ShownEdits();
  const [before, after] = ["You can use the JAX framework.", "You can use the JAX and PyTorch frameworks."];
  expect(`${edits.show(before, after)}`).toContain("<ins>");
  expect(`${edits.show(before.slice(0, -1), after.slice(0, -1))}`).toMatch(
    /^<p class="note">Before and after are shown/,
  );
  expect(`${edits.show(`On TPUs: ${before}`, `On TPUs: ${after}`)}`).toMatch(
    /^<p class="note">Before and after are shown/,
  );
  expect(`${edits.show(`On TPUs: ${before}`, `On GPUs: ${after}`)}`).toContain("<ins>GPUs</ins>");
  expect(`${edits.show(before, undefined)}`).toContain("not there any more");
});
