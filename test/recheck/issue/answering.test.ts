import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClaimState } from "../../../src/model/claim.ts";
import type { Firing } from "../../../src/model/firing.ts";
import { lengthOnGitHub } from "../../../src/model/markdown.ts";
import { relatedTo, renderIssue } from "../../../src/recheck/issue/body.ts";
import { maxBodyCharacters } from "../../../src/recheck/issue/layout.ts";
import {
  boxLine,
  filledInRecord,
  newTicks,
  recordTable,
  tickedBoxes,
  withSection,
} from "../../../src/recheck/issue/marker.ts";
import { type Answered, addressOf, type Question } from "../../../src/recheck/issue/question.ts";
import { wholeBody } from "../../../src/recheck/issue/section.ts";
import { at, byId, claim, claimAltered, config, evidence, firing, madePublic, released, source } from "../samples.ts";
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

const kept: Answered = { rating: "tensor/maturity", verdict: "keep", by: "octocat", at: at("2026-09-22") };
const changed: Answered = {
  rating: "tensor/compile",
  verdict: "change",
  level: "High",
  because: "it *runs* now, says @you",
  by: "hubot[bot]",
  at: at("2026-09-23"),
};

describe("where commands are served", () => {
  test("the issue lists them, and boxes do the same", () => {
    const text = body({ commands: true });
    expect(text).toContain("- `/recheck keep`: keep all ratings, or those named after it\n");
    expect(text).toContain("- `/recheck change tensor/maturity High because …`: set another level, and say why\n");
    expect(text).toContain("- `/recheck dismiss because …`: ");
    expect(text).toContain("- `/recheck snooze 14d`: ");
    expect(text).toContain("- `/recheck look`: ");
    expect(text).toContain("- `/recheck help`: ");
    expect(text).toContain(
      "\n- [ ] <!-- recheck:do keep -->keep all ratings\n- [ ] <!-- recheck:do look -->check the sources again now\n",
    );
    expect(text).toContain(
      "`/recheck dismiss` counts against the trigger and can suggest a narrower condition. Recheck rewrites this section",
    );
    expect(text).not.toContain("Answer by editing");
  });

  test("elsewhere it offers none", () => {
    expect(body()).not.toContain("/recheck ");
    expect(body()).not.toContain("recheck:do");
    expect(body()).toContain("Answer by editing `sources.yaml`");
  });

  test("the example names a rating that is still asked, and a level that it does not have", () => {
    expect(body({ commands: true, answers: [kept] })).toContain("`/recheck change tensor/compile High because …`");
    const vector = firing("vector", "loom 2.13.0", { evidence: released.evidence });
    const top = {
      ...config,
      triggers: byId([...config.triggers.values()].map((one) => ({ ...one, ratings: ["vector/maturity"] }))),
    };
    expect(body({ commands: true, firings: [vector], config: top, trigger: "vector" })).toContain(
      "`/recheck change vector/maturity Medium because …`: set another level, and say why",
    );
    expect(body({ commands: true, config: { ...config, levels: [] } })).toContain(
      "tensor/maturity VALUE because …`: set another value, and say why",
    );
  });

  test("claims without ratings are kept as a whole", () => {
    const lone = claim("alone", "loose-page");
    const loose = { ...config, sources: byId([source("loose-page", { claims: [lone] })]) };
    const change = {
      kind: "claim" as const,
      claim: "loose-page/alone",
      from: "supported" as const,
      to: "gone" as const,
    };
    const one = firing("claims", "key", {
      evidence: [evidence("loose-page", { part: "claim", claim: "loose-page/alone", change })],
    });
    const text = body({ commands: true, trigger: "claims", config: loose, firings: [one] });
    expect(text).toContain("- `/recheck keep`: keep the report as it is\n");
    expect(text).not.toContain("/recheck change");
    expect(text).toContain("<!-- recheck:do keep -->keep the report as it is");
  });
});

describe("what was answered", () => {
  test("is told, and what is still asked", () => {
    const text = body({ answers: [changed, { ...kept, rating: "tensor/compile" }] });
    expect(text).toContain(
      "### Answered\n\n- Tensor Board · Compiler: Medium → **High**, by `hubot[bot]` on 2026-09-23, because it \\*runs\\* now, says @&#8203;you\n\nStill open: **Tensor Board**: Maturity.\n\n### Answer\n",
    );
    expect(body({ answers: [changed, kept] })).toContain(
      "- Tensor Board · Maturity: Medium kept, by `octocat` on 2026-09-22\n",
    );
    expect(body({ answers: [changed, kept] })).toContain("\n\nEvery rating has an answer.\n");
    expect(body()).not.toContain("### Answered");
    const half = body({ commands: true, answers: [kept] });
    expect(half).toContain("- `/recheck keep`: keep all ratings without an answer, or those named after it\n");
    expect(half).toContain("<!-- recheck:do keep -->keep all ratings without an answer\n");
  });

  test("brings nothing alive that people wrote", () => {
    fc.assert(
      fc.property(hostile(), (word) => {
        const text = body({ commands: true, answers: [{ ...changed, because: word, by: word, level: word }] });
        expect(living(rendered(text).text)).toEqual([]);
        expect(tickedBoxes(text)).toEqual([]);
        expect([...text.matchAll(/^### /gm)]).toHaveLength(5);
      }),
    );
  });
});

describe("once it is closed", () => {
  const reviewed = {
    ...config,
    ratings: byId(
      [...config.ratings.values()].map((one) =>
        one.id === "tensor/compile" ? { ...one, level: "High", reviewed: at("2026-09-23") } : one,
      ),
    ),
  };
  const settled = [kept, changed].map((answer) => ({ ...answer, settled: at("2026-09-24") }));
  const on = { at: at("2026-09-24T08:00:00Z") };

  test("it says what was answered, by whom and when, and how the ratings stand; it asks nothing", () => {
    const text = body({ commands: true, config: reviewed, firings: [madePublic], answers: settled, closed: on });
    expect(text).toContain(
      " became public, seen 2026-09-21**. Closed on 2026-09-24: 1 rating changed, 1 kept, answered by `octocat` and `hubot[bot]`.\n",
    );
    expect(text).toContain(
      "### Answered\n\n- Tensor Board · Maturity: Medium kept, by `octocat` on 2026-09-22\n- Tensor Board · Compiler: changed to **High**, by `hubot[bot]` on 2026-09-23, because it \\*runs\\* now",
    );
    expect(text).toContain(
      "### How the ratings stand\n\n| rating | now | last reviewed |\n|---|---|---|\n| Tensor Board · Maturity | **Medium** | not since the audit of 2026-05-16 |\n| Tensor Board · Compiler | **High** | 2026-09-23 |\n\n### What was seen\n",
    );
    expect(text).toContain(
      "new evidence opens a new issue. Reopening this issue asks all of it again. Recheck rewrites this section",
    );
    for (const open of ["in doubt", "to review", "### Answer\n", "recheck:do", "/recheck", "Still asked", "is asked"])
      expect(text).not.toContain(open);
  });

  test.each<[string, Partial<Question>, string]>([
    [
      "by hand, before anything was answered",
      { closed: on },
      "Closed by hand on 2026-09-24: its events count as answered, and no rating counts as reviewed.",
    ],
    [
      "by hand, after a rating was reviewed by hand",
      { closed: on, config: reviewed },
      "Closed by hand on 2026-09-24: its events count as answered, and 1 of its 2 ratings was reviewed.",
    ],
    [
      "by hand, with an answer that was merged and one that was not",
      { closed: on, answers: [{ ...kept, settled: on.at }, changed] },
      "Closed by hand on 2026-09-24: 1 rating kept, answered by `octocat`; 1 was not reviewed.",
    ],
    [
      "by a dismissal",
      { closed: { ...on, verdict: { kind: "dismiss", by: "octocat", because: "a *typo*" } } },
      "Dismissed by `octocat` on 2026-09-24: no rating changes.\n\n### Answered\n\n- Dismissed by `octocat` on 2026-09-24, because a \\*typo\\*\n",
    ],
    [
      "by keeping a report that has no rating for it",
      { closed: { ...on, verdict: { kind: "keep", by: "octocat" } } },
      "Closed by `octocat` on 2026-09-24: the report stays as it is.",
    ],
    [
      "by keeping such a report for a reason",
      { closed: { ...on, verdict: { kind: "keep", by: "octocat", because: "a *copy*" } } },
      "the report stays as it is.\n\n### Answered\n\n- The report stays as it is, by `octocat` on 2026-09-24, because a \\*copy\\*\n",
    ],
  ])("%s", (_, more, says) => {
    const text = body({ firings: [released], ...more }).replace(/The report says when to check again: [^\n]*\n\n/, "");
    expect(text).toContain(says);
    expect(text).not.toMatch(/in doubt|up for review|### Answer\n/);
  });

  test("what waits for permission to be written is not shown any more", () => {
    const gathered = { patch: "the patch" };
    expect(body({ gathered, answers: [kept] })).toContain("the patch");
    expect(body({ gathered, answers: [kept], closed: on })).not.toContain("the patch");
  });

  test("brings nothing alive that people wrote", () => {
    fc.assert(
      fc.property(hostile(), (word) => {
        const answers = [{ ...changed, because: word, by: word, level: word, settled: 1 }];
        const text = body({ answers, closed: { at: 1, verdict: { kind: "dismiss", by: word, because: word } } });
        expect(living(rendered(text).text)).toEqual([]);
        const whole = body({ closed: { at: 1, verdict: { kind: "keep", by: word, because: word } } });
        expect(living(rendered(whole).text)).toEqual([]);
      }),
    );
  });
});

describe("boxes", () => {
  const open = () => body({ commands: true });

  test("are told by their ids, once they are ticked", () => {
    expect(tickedBoxes(open())).toEqual([]);
    expect(tickedBoxes(ticked(open()))).toEqual(["keep", "look"]);
    const once = open().replace("- [ ] <!-- recheck:do keep", "- [X] <!-- recheck:do keep");
    expect(newTicks(open(), once)).toEqual(["keep"]);
    expect(newTicks(once, ticked(open()).replaceAll("\n", "\r\n"))).toEqual(["look"]);
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
    expect(tickedBoxes(ticked(text))).toEqual(["keep", "look"]);
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

  test("are not all named where they are many", () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ issue: index + 1, firings: [released] }));
    expect(body({ related: relatedTo([released], many) })).toContain(
      "in #1, #2, #3, #4, #5, #6, #7, #8, #9, #10, #11, #12 and 18 more: Loom 2.13.0",
    );
  });
});

describe("the reproducibility record", () => {
  const fields = ["stack", "model | size", "`dtype`"];
  const table = recordTable(fields) ?? "";

  test("is a folded table to fill in, where the report asks for one", () => {
    const given = question({ config: { ...config, report: { ...config.report, record: fields } } });
    expect(wholeBody(given)).toBe(`${renderIssue(given).body}\n\n${table}`);
    expect(table).toContain(
      "<details><summary>Reproducibility record: fill in what you ran</summary>\n\n| field | value |\n|---|---|\n| stack | |\n| model \\| size | |\n| `dtype` | |\n",
    );
    expect(wholeBody(question())).toBe(body());
    expect(wholeBody(given)).toContain("It stays here.");
    expect(wholeBody({ ...given, commands: true })).toContain(
      "Your entries are copied into the pull request of the answers.",
    );
    expect(wholeBody({ ...given, commands: true })).toContain("Entries made after its merge stay only here.");
  });

  test("leaves the section as much room as GitHub has", () => {
    const long = Array.from({ length: 40 }, (_, index) => `${index} ${"*".repeat(76)}`);
    const firings = Array.from({ length: 300 }, (_, index) => firing("tensor", `event ${index} ${"x".repeat(300)}`));
    const whole = wholeBody(question({ firings, config: { ...config, report: { ...config.report, record: long } } }));
    expect(lengthOnGitHub(whole)).toBeLessThanOrEqual(maxBodyCharacters);
    expect(whole).toContain("*Left out, because GitHub allows 65,536 characters: ");
    expect(whole.match(/^\| \d+ /gm)).toHaveLength(40);
  });

  test("is read as it was filled in", () => {
    const filled = table
      .replace("| stack | |", "| stack | Loom 2.13, `pip` | ")
      .replace("| model \\| size | |", "|model \\| size|8B \\| dense")
      .replace("| `dtype` | |", "|  `dtype`  |   |");
    const read = filledInRecord(`${body()}\n\n${filled}`.replaceAll("\n", "\r\n"), fields);
    expect([...read]).toEqual([
      ["stack", "Loom 2.13, `pip`"],
      ["model | size", "8B | dense"],
    ]);
  });

  test("stays as people filled it in while the section is written anew", () => {
    const filled = `${body()}\n\n${table.replace("| stack | |", "| stack | Loom 2.13 |")}`;
    const after = withSection(filled, () => body({ firings: [released, madePublic] }));
    expect(after).toContain("became public");
    expect(filledInRecord(after, fields).get("stack")).toBe("Loom 2.13");
    expect(after.split("recheck:record")).toHaveLength(2);
  });

  test("is not read from the bot's own tables", () => {
    const states: ClaimState[] = [{ claim: "tensor-docs/bridge", status: "supported", since: 0 }];
    const text = body({ firings: [claimAltered], claims: states });
    expect(text).toContain("| The bridge is the way to production | ref 15 |");
    expect([...filledInRecord(text, ["The bridge is the way to production", "rating"])]).toEqual([]);
  });

  test("holds fields of any words", () => {
    fc.assert(
      fc.property(hostile(), (word) => {
        const shown = rendered(recordTable([word]) ?? "");
        expect(living(shown.text)).toEqual([]);
        expect(shown.kinds.has("table")).toBe(true);
      }),
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
  expect(state([bridge("supported")])).not.toBe(state([bridge("not found")]));
});

test("claims of one page have headlines of their own", () => {
  const second: Firing = {
    ...claimAltered,
    event: { key: "bridge" },
    evidence: claimAltered.evidence.map((piece) => ({ ...piece, claim: "tensor-docs/bridge" })),
  };
  const text = body({ firings: [claimAltered, second] });
  expect(text).toContain(
    "Claim altered: “The new chip runs in the cluster service only, with one framework”** · **contrary**",
  );
  expect(text).toContain("Claim altered: “The bridge is the way to production”** · **contrary**");
  expect(text).toContain("*source:* Tensor 7 documentation, ref 53 ·");
  expect(text).toContain("*source:* Tensor 7 documentation, ref 15 ·");
});
