import { isDeepStrictEqual } from "node:util";
import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../../../src/model/condition.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Evidence, Firing } from "../../../src/model/firing.ts";
import type { AnsweredRecheck } from "../../../src/recheck/answer/figures.ts";
import { tighten } from "../../../src/recheck/answer/tighten.ts";
import { configOf } from "../../support/config-of.ts";

const sources = `report: { title: Boards, audited: 2026-05-16 }
ratings: { tensor: Medium }
products: { loom: { name: Loom } }
sources:
  releases: { github-releases: loom/loom, announces: loom }
  blog: { feed: "https://loom.example/feed.xml", announces: loom }
`;
const trigger = `name: Tensor
ratings: [tensor]
on:
  # The report names releases.
  - release: loom
  - { item: blog, matches: Tensor }
also:
  - item: blog
    title: Loom
    means: a post about Loom
`;

const config = configOf(sources, { tensor: trigger });

function conditionOf(part: "on" | "also", index: number, of: Config = config): Condition {
  const found = of.triggers.get("tensor")?.[part][index];
  if (!found) throw new Error("no such condition");
  return found;
}

let count = 0;

/** What a condition found, as the store gives it back. */
function found(condition: Condition, part: "on" | "also", title: string, version?: string, source = "blog"): Firing {
  const evidence: Evidence = {
    source,
    seen: 1,
    change: { kind: "item-added", item: { id: title, title } },
    part,
    condition: JSON.parse(JSON.stringify(condition)) as Condition,
  };
  const event = version === undefined ? { key: `${count++}` } : { key: `loom ${version}`, product: "loom", version };
  return { trigger: "tensor", event, weight: "routine", seen: 1, fired: 1, evidence: [evidence] };
}

const release = (version: string) => found(conditionOf("on", 0), "on", `Loom ${version}`, version, "releases");
const post = (title: string) => found(conditionOf("on", 1), "on", title);
const mention = (title: string) => found(conditionOf("also", 0), "also", title);

function dismissed(...firings: Firing[]): AnsweredRecheck[] {
  return firings.map((one) => ({ verdict: "dismiss", firings: [one] }));
}

function kept(...firings: Firing[]): AnsweredRecheck[] {
  return firings.map((one) => ({ verdict: "keep", firings: [one] }));
}

function shown(history: readonly AnsweredRecheck[], text = trigger, of = config): string[] {
  const its = of.triggers.get("tensor");
  if (!its) throw new Error("no trigger");
  const tightening = tighten(its, history, { path: "triggers/tensor.yaml", text });
  if (!tightening) return [];
  const lines = tightening.diff.split("\n").filter((line) => /^[-+](?![-+])/.test(line));
  return [tightening.says, ...lines];
}

describe("a pattern that repeated dismissals show", () => {
  test("patch releases", () => {
    expect(shown([...dismissed(release("2.13.1"), release("2.13.2")), ...kept(release("2.13.0"))])).toEqual([
      "All 2 dismissed events were patch releases.",
      "+    bump: [major, minor]",
    ]);
  });

  test("all but major releases, if bump is there already", () => {
    const text = trigger.replace("release: loom", "release: loom\n    bump: [major, minor]");
    const of = configOf(sources, { tensor: text });
    const its = (version: string) => found(conditionOf("on", 0, of), "on", version, version, "releases");
    expect(shown([...dismissed(its("2.13.0"), its("2.14.0")), ...kept(its("3.0.0"))], text, of)).toEqual([
      "All 2 dismissed events were minor releases.",
      "-    bump: [major, minor]",
      "+    bump: [major]",
    ]);
  });

  test("a word of titles that none of the others has", () => {
    const history = [
      ...dismissed(post("Tensor weekly digest 12"), post("Weekly digest of Tensor, 13")),
      ...kept(post("Tensor runs Loom")),
    ];
    expect(shown(history)).toEqual([
      "All 2 dismissed events have `weekly` in their title, and no relevant one has.",
      "-  - { item: blog, matches: Tensor }",
      "+  - { item: blog, matches: Tensor, not: '(?i)\\bweekly\\b' }",
    ]);
  });

  test("one source that never mattered", () => {
    expect(shown(dismissed(mention("Loom a"), mention("Loom b"), mention("Loom c")))).toEqual([
      "All 3 dismissed events came from `blog`, and no relevant one did.",
      "-also:",
      "-  - item: blog",
      "-    title: Loom",
      "-    means: a post about Loom",
    ]);
  });

  test("the one that would have kept most away", () => {
    const both = [
      ...dismissed(release("2.13.1"), release("2.13.2")),
      ...dismissed(mention("a"), mention("b"), mention("c")),
    ];
    expect(shown([...both, ...kept(release("2.13.0"))])[0]).toContain("`blog`");
  });
});

describe("no pattern", () => {
  test("in one dismissal, in several of one recheck, or without any", () => {
    expect(shown(dismissed(release("2.13.1")))).toEqual([]);
    expect(shown([{ verdict: "dismiss", firings: [release("2.13.1"), release("2.13.2")] }])).toEqual([]);
    expect(shown(kept(release("2.13.1"), release("2.13.2")))).toEqual([]);
  });

  test("if the same kind mattered once", () => {
    expect(shown([...dismissed(release("2.13.1"), release("2.13.2")), ...kept(release("2.12.4"))])).toEqual([]);
    expect(shown([...dismissed(post("Tensor x"), post("Tensor y")), ...kept(post("Tensor z"))])).toEqual([]);
  });

  test("if another condition would have matched it all the same", () => {
    const twice = (version: string): Firing => ({
      ...release(version),
      evidence: [...release(version).evidence, ...post("Tensor").evidence],
    });
    expect(shown([...dismissed(twice("2.13.1"), twice("2.13.2")), ...kept(release("2.13.0"))])).toEqual([]);
  });

  test("if the condition is the only one, or no longer there", () => {
    const text = "name: Tensor\nratings: [tensor]\non:\n  - { item: blog }\n";
    const alone = configOf(sources, { tensor: text });
    const its = (title: string) => found(conditionOf("on", 0, alone), "on", title);
    expect(shown(dismissed(its("a"), its("b")), text, alone)).toEqual([]);
    expect(shown(dismissed(its("a"), its("b")))).toEqual([]);
  });

  test("if the file is not what config was made of", () => {
    const history = [...dismissed(release("2.13.1"), release("2.13.2")), ...kept(release("2.13.0"))];
    for (const text of ["", "on: x", "on: []", "on:\n  - *a\n", "["]) expect(shown(history, text)).toEqual([]);
  });
});

test("the proposal is config that still holds, and differs only there", () => {
  const one = fc.oneof(
    fc.constantFrom("2.13.0", "2.13.1", "2.14.2", "3.0.0").map(release),
    fc.constantFrom("Tensor weekly", "Tensor weekly news", "Tensor runs").map(post),
    fc.constantFrom("Loom news", "Loom 3").map(mention),
  );
  const verdict = fc.constantFrom<AnsweredRecheck["verdict"]>("keep", "change", "dismiss", "dismiss");
  const history = fc.array(fc.record({ verdict, firings: fc.array(one, { minLength: 1, maxLength: 2 }) }), {
    maxLength: 8,
  });
  const its = config.triggers.get("tensor");
  fc.assert(
    fc.property(history, fc.boolean(), (some, crlf) => {
      const text = crlf ? trigger.replaceAll("\n", "\r\n") : trigger;
      const tightening = its && tighten(its, some, { path: "triggers/tensor.yaml", text });
      if (!tightening) return;
      const after = applyPatch(text, tightening.diff);
      if (after === false) throw new Error(tightening.diff);
      const tightened = configOf(sources, { tensor: after }).triggers.get("tensor");
      const [old, now] = [its, tightened].map((one) => [...(one?.on ?? []), ...(one?.also ?? [])]);
      expect(
        now?.filter((condition) => !old?.some((other) => isDeepStrictEqual(condition, other))).length,
      ).toBeLessThan(2);
      expect([0, 1]).toContain((old?.length ?? 0) - (now?.length ?? 0));
      expect({ ...tightened, on: [], also: [] }).toEqual({ ...its, on: [], also: [] });
      if (now?.length === old?.length) expect(after).toContain("# The report names releases.");
    }),
  );
});
