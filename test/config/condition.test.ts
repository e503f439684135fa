import { describe, expect, it } from "vitest";
import type { Condition } from "../../src/model/condition.ts";
import { config, sources } from "./valid.ts";

/** With a source for each kind of condition. */
const more = `  news: { feed: https://example.org/feed, announces: spar }
  code: { github-commits: example/spar }
  patch: { github-pull: example/spar#3 }
`;
const one = (written: string): Condition | undefined =>
  config(sources.replace("unwatchable:", `${more}unwatchable:`), `name: x\non:\n  - ${written}\n`).triggers.get("delta")
    ?.on[0];
const day = 86_400_000;

describe("a condition", () => {
  it.each<[string, Condition]>([
    [
      "release: spar",
      { kind: "release", products: ["spar"], bump: ["major", "minor", "patch"], pre: "no", sources: [] },
    ],
    [
      "{ release: spar, pre: only, sources: [news] }",
      { kind: "release", products: ["spar"], bump: ["major", "minor", "patch"], pre: "only", sources: ["news"] },
    ],
    [
      "{ release: spar, when: [withdrawn] }",
      {
        kind: "release",
        products: ["spar"],
        bump: ["major", "minor", "patch"],
        pre: "no",
        when: ["withdrawn"],
        sources: [],
      },
    ],
    ["item: news", { kind: "item", source: "news" }],
    [
      "{ item: news, title: t, matches: a, not: b, awaited: true }",
      { kind: "item", source: "news", title: "t", matches: "a", not: "b", awaited: true },
    ],
    ["{ commit: code, matches: a }", { kind: "commit", source: "code", matches: "a" }],
    ["{ change: limits, under: Payload }", { kind: "change", source: "limits", under: "Payload" }],
    ["row: limits", { kind: "row", source: "limits", when: ["added", "removed", "changed"] }],
    [
      "{ row: limits, under: Sizes, when: [added] }",
      { kind: "row", source: "limits", under: "Sizes", when: ["added"] },
    ],
    ["{ fact: wind-tracker, name: state }", { kind: "fact", source: "wind-tracker", name: "state" }],
    ["{ fact: patch, name: merged, becomes: yes }", { kind: "fact", source: "patch", name: "merged", becomes: "yes" }],
    ["{ issue: wind-tracker, when: [title] }", { kind: "issue", source: "wind-tracker", when: ["title"] }],
    [
      "claim: wind-tracker",
      { kind: "claim", source: "wind-tracker", when: ["altered", "gone", "contradicted", "moved"] },
    ],
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
