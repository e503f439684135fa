import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClaimState } from "../../../src/model/claim.ts";
import type { Firing } from "../../../src/model/firing.ts";
import type { GivenAnswer } from "../../../src/recheck/answer/answers.ts";
import { relatedTo, renderIssue } from "../../../src/recheck/issue/body.ts";
import { boxLine, newTicks, tickedBoxes, withSection } from "../../../src/recheck/issue/marker.ts";
import { addressOf, type Question } from "../../../src/recheck/issue/question.ts";
import { at, claimAltered, config, evidence, firing, madePublic, released } from "../samples.ts";
import { hostile } from "./hostile.ts";
import { living, rendered } from "./markdown.ts";

const question = (more: Partial<Question> = {}): Question => ({
  config,
  trigger: "tensor",
  marker: "0123456789abcdef01",
  firings: [released],
  claims: [],
  link: addressOf,
  ...more,
});
const body = (more: Partial<Question> = {}) => renderIssue(question(more)).body;
const ticked = (text: string) => text.replaceAll("- [ ] ", "- [x] ");

const kept: GivenAnswer = { rating: "tensor/maturity", verdict: "keep", by: "octocat", at: at("2026-09-22") };
const changed: GivenAnswer = {
  rating: "tensor/compile",
  verdict: "change",
  level: "High",
  because: "it *runs* now, says @you",
  by: "hubot[bot]",
  at: at("2026-09-23"),
};

test("text in people's answers brings nothing alive", () => {
  fc.assert(
    fc.property(hostile(), (word) => {
      const answers = [{ ...changed, because: word, by: word, level: word, settled: 1 }];
      const open = body({ commands: true, answers });
      expect(living(rendered(open).text)).toEqual([]);
      expect(tickedBoxes(open)).toEqual([]);
      for (const kind of ["dismiss", "keep"] as const) {
        const closed = body({ answers, closed: { at: 1, verdict: { kind, by: word, because: word } } });
        expect(living(rendered(closed).text)).toEqual([]);
      }
    }),
  );
});

test("a closed issue asks nothing, and shows no edit that is left to make", () => {
  const text = body({ commands: true, pending: { patch: "the patch" }, answers: [kept], closed: { at: 1 } });
  expect(text).not.toMatch(/recheck:do|\/recheck|still right|the patch/);
});

describe("boxes", () => {
  const open = () => body({ commands: true });

  test("are known by their ids, once they are ticked", () => {
    expect(tickedBoxes(open())).toEqual([]);
    expect(tickedBoxes(ticked(open()))).toEqual(["keep", "check"]);
    const once = open().replace("- [ ] <!-- recheck:do keep", "- [X] <!-- recheck:do keep");
    expect(newTicks(open(), once)).toEqual(["keep"]);
    expect(newTicks(once, ticked(open()).replaceAll("\n", "\r\n"))).toEqual(["check"]);
    expect(newTicks(once, once)).toEqual([]);
  });

  test("outside the bot's section and in text of sources are none", () => {
    const box = ticked(boxLine("keep", "keep"));
    expect(tickedBoxes(`${box}\n\n${open()}\n\n${box}`)).toEqual([]);
    const change = {
      kind: "block" as const,
      before: { path: [], kind: "paragraph" as const, text: "[x] <!-- recheck:do keep -->keep ```` now" },
    };
    const seen = firing("tensor", "key", { evidence: [evidence("tensor-docs", { change })] });
    const text = body({ commands: true, firings: [seen] });
    expect(text).toContain("\n- [x] <!-- recheck:do keep -->");
    expect(tickedBoxes(text)).toEqual([]);
    expect(tickedBoxes(ticked(text))).toEqual(["keep", "check"]);
  });

  test("lose their ticks with the next writing; questions keep theirs", () => {
    const merged = withSection(ticked(open()), () => body({ commands: true, firings: [released, madePublic] }));
    expect(tickedBoxes(merged)).toEqual([]);
    expect(merged).toContain("- [x] Does eager code run from the public package?");
  });
});

describe("rechecks hit by the same", () => {
  const others = [
    { issue: 13, firings: [{ ...released, trigger: "vector" }] },
    {
      issue: 12,
      firings: [
        { ...released, trigger: "x" },
        { ...claimAltered, trigger: "x" },
      ],
    },
    { issue: 14, firings: [firing("y", "another")] },
  ];

  test("are linked", () => {
    const text = body({ firings: [released, madePublic], related: relatedTo([released, madePublic], others) });
    expect(text).toContain("\n\nAlso asked about in #12, #13: Loom 2.13.0\n\n");
    expect(text).not.toContain("#14");
  });

  test("by an event without a product are linked too", () => {
    expect(body({ firings: [claimAltered], related: relatedTo([claimAltered], others) })).toContain(
      "Also asked about in #12: Tensor 7 documentation [53] now differs from “The new chip runs",
    );
    expect(body({ firings: [madePublic], related: relatedTo([madePublic], others) })).not.toContain("Also asked");
  });

  test("by several events are named once", () => {
    const second = { ...released, event: { ...released.event, key: "loom 2.14.0", version: "2.14.0" } };
    const both = [{ issue: 12, firings: [released, second] }];
    expect(body({ related: relatedTo([released, second], both) })).toContain(
      "\n\nAlso asked about in #12: Loom 2.13.0; Loom 2.14.0\n\n",
    );
  });

  test("are not all named if they are many", () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ issue: index + 1, firings: [released] }));
    expect(body({ related: relatedTo([released], many) })).toContain(
      "in #1, #2, #3, #4, #5, #6, #7, #8, #9, #10, #11, #12 and 18 more: Loom 2.13.0",
    );
  });
});

test("the issue of proofs never found is not written again for another claim", () => {
  const change = {
    kind: "claim" as const,
    claim: "tensor-docs/bridge",
    from: "not found" as const,
    to: "not found" as const,
  };
  const missing: Firing = firing("not-found", "key", {
    evidence: [evidence("tensor-docs", { part: "claim", claim: "tensor-docs/bridge", change })],
  });
  const state = (claims: ClaimState[]) => body({ trigger: "not-found", firings: [missing], claims });
  const since = at("2026-06-01");
  const bridge = (status: ClaimState["status"]): ClaimState => ({ claim: "tensor-docs/bridge", status, since });
  const other = (status: ClaimState["status"]): ClaimState => ({ claim: "tensor-docs/cluster-only", status, since });
  expect(state([bridge("not found"), other("altered")])).toBe(state([bridge("not found"), other("supported")]));
});
