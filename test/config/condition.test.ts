import { describe, expect, it } from "vitest";
import type { Condition } from "../../src/model.ts";
import { config, sources } from "./valid.ts";

const one = (written: string): Condition | undefined =>
  config(sources, `name: x\non:\n  - ${written}\n`).triggers.get("delta")?.on[0];
const day = 86_400_000;

describe("a condition", () => {
  it.each<[string, Condition]>([
    [
      "release: spar",
      { kind: "release", products: ["spar"], bump: ["major", "minor", "patch"], pre: "no", sources: [] },
    ],
    [
      "{ release: spar, pre: only, sources: [limits] }",
      { kind: "release", products: ["spar"], bump: ["major", "minor", "patch"], pre: "only", sources: ["limits"] },
    ],
    ["item: limits", { kind: "item", source: "limits" }],
    [
      "{ item: limits, matches: a, not: b, awaited: true }",
      { kind: "item", source: "limits", matches: "a", not: "b", awaited: true },
    ],
    ["{ commit: limits, matches: a }", { kind: "commit", source: "limits", matches: "a" }],
    ["{ change: limits, under: Payload }", { kind: "change", source: "limits", under: "Payload" }],
    ["row: limits", { kind: "row", source: "limits", when: ["added", "removed", "changed"] }],
    [
      "{ row: limits, under: Sizes, when: [added] }",
      { kind: "row", source: "limits", under: "Sizes", when: ["added"] },
    ],
    ["{ fact: wind-tracker, name: state }", { kind: "fact", source: "wind-tracker", name: "state" }],
    [
      "{ fact: wind-tracker, name: merged, becomes: yes }",
      { kind: "fact", source: "wind-tracker", name: "merged", becomes: "yes" },
    ],
    ["{ issue: wind-tracker, when: [title] }", { kind: "issue", source: "wind-tracker", when: ["title"] }],
    ["claim: wind-tracker", { kind: "claim", source: "wind-tracker", when: ["altered", "gone", "contradicted"] }],
    [
      "{ claim: wind-tracker/early, when: [gone] }",
      { kind: "claim", source: "wind-tracker", claim: "early", when: ["gone"] },
    ],
    ["link: limits", { kind: "link", source: "limits", when: ["gone", "moved"] }],
    [
      "{ silence: limits, for: 2w, means: nobody is there }",
      { kind: "silence", source: "limits", for: 14 * day, means: "nobody is there" },
    ],
    ["unreviewed: 180d", { kind: "unreviewed", for: 180 * day }],
  ])("%s", (written, expected) => expect(one(written)).toEqual(expected));
});
