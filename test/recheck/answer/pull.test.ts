import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editAll } from "../../../src/config/edit/index.ts";
import { lengthOnGitHub } from "../../../src/model/markdown.ts";
import {
  branchOf,
  type PullAnswers,
  presentFiles,
  renderPatch,
  renderPull,
} from "../../../src/recheck/answer/write-pull.ts";
import { maxBodyCharacters } from "../../../src/recheck/issue/layout.ts";
import { answersMark } from "../../../src/recheck/issue/marker.ts";
import { configOf } from "../../support/config-of.ts";
import { runs } from "../../support/runs.ts";
import { hostile } from "../issue/hostile.ts";
import { living, rendered } from "../issue/markdown.ts";

const sources = `report: { title: Boards, audited: 2026-05-16, text: report.md }
levels: [Low, Medium, High]
axes: [board, area]
names: { tensor: Tensor Board, maturity: Maturity }
ratings:
  tensor/maturity: Medium
  tensor/compile: Medium
conclusions:
  training: { text: Train on vector, rests-on: [tensor/maturity] }
`;
const config = configOf(sources, {
  tensor: "name: Tensor\nratings: [tensor/maturity, tensor/compile]\non: [{ unreviewed: 90d }]\n",
});
const at = Date.parse("2026-11-20T10:00:00Z");
const change = {
  rating: "tensor/maturity",
  verdict: "change",
  level: "High",
  because: "it is public",
  by: "alice",
  at,
} as const;
const keep = { rating: "tensor/compile", verdict: "keep", by: "bob", at } as const;
const text = "# Boards\n\nThe maturity of Tensor Board: Medium.\n";

function answering(more: Partial<PullAnswers> = {}): PullAnswers {
  const answers = more.answers ?? [change, keep];
  const edited = editAll(
    answers,
    config,
    { sources: { path: "sources.yaml", text: sources }, text: { path: "report.md", text } },
    { issue: 12 },
  );
  return { config, trigger: "tensor", issue: 12, answers, open: [], edited, marker: "m4rk", ...more };
}

test("the pull request lists every answer, the reason, and the places that are left to edit and to read again", () => {
  const { title, body, commit } = renderPull(answering());
  expect(title).toBe("Answer recheck #12 (Tensor): tensor/maturity Medium → High, 1 kept");
  expect(commit).toBe(`${title}\n\ntensor/maturity: Medium → High\ntensor/compile: kept\n`);
  expect(body).toBe(`<!-- recheck:answer m4rk -->

Answers #12. Merging this closes the issue. Closing this without merging withdraws the answers.

- Tensor Board · Maturity: Medium → **High**, by \`alice\` on 2026-11-20, because it is public
- Tensor Board · compile: Medium kept, by \`bob\` on 2026-11-20

### To edit by hand

- [ ] \`report.md\`, line 3: \`The maturity of Tensor Board: Medium.\`

### To read again

These depend on the changed ratings:

- [ ] *Train on vector*

<!-- recheck:end -->`);
  expect(body.startsWith(answersMark("m4rk"))).toBe(true);
});

test("ratings that are still open are reported", () => {
  const { body, title } = renderPull(answering({ answers: [keep], open: ["tensor/maturity"] }));
  expect(title).toBe("Answer recheck #12 (Tensor): 1 kept");
  expect(body).toContain("`tensor/maturity` is not answered yet: the issue stays open until then.");
  expect(body).not.toContain("###");
});

test("a second pull request of a recheck has a branch of its own", () => {
  expect([branchOf("tensor", 12), branchOf("tensor", 12, 2)]).toEqual(["recheck/tensor-12", "recheck/tensor-12-2"]);
});

test("without permission the edit is a patch in a fence", () => {
  const part = renderPatch(answering());
  expect(part).toContain("run `git apply` on it");
  expect(part).toContain("\n````diff\ndiff --git a/sources.yaml b/sources.yaml\n");
  expect(part).toContain("\n+  tensor/maturity: { level: High, reviewed: 2026-11-20 }\n");
  const { kinds } = rendered(part);
  expect([...kinds]).toEqual(expect.arrayContaining(["code", "list"]));
});

test("it is never longer than GitHub takes", () => {
  const answers = Array.from({ length: 400 }, () => ({ ...change, because: "@".repeat(1_000) }));
  const { body } = renderPull(answering({ answers }));
  expect(lengthOnGitHub(body)).toBeLessThan(maxBodyCharacters - 4_000);
  expect(body).toMatch(/\*Left out, because GitHub allows 65,536 characters: \d+ answers\.\*\n\n<!-- recheck:end -->$/);
  expect(body).toContain("- [ ] *Train on vector*");
});

describe("any words of people and config", () => {
  test("a reason says no more than its own words", () => {
    const because = "as `| r/repo#3` shows\n- [ ] **done**, by @alice";
    const { body } = renderPull(answering({ answers: [{ ...change, because }] }));
    expect(living(rendered(body).text.replace("Answers #12", ""))).toEqual([]);
    expect(body.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      "- Tensor Board · Maturity: Medium → **High**, by `alice` on 2026-11-20, because as `| r/repo#3` shows - \\[ \\] \\*\\*done\\*\\*, by @&#8203;alice",
      "- [ ] `report.md`, line 3: `The maturity of Tensor Board: Medium.`",
      "- [ ] *Train on vector*",
    ]);
  });

  test("a trigger's name mentions no issue, and closes none, from a commit's message", () => {
    const name = "fixes GH-2 https://github.com/a/b/issues/4 www.github.com/a/b/pull/5 c/d#6";
    const named = configOf(sources, {
      tensor: `name: "${name}"\nratings: [tensor/maturity]\non: [{ unreviewed: 90d }]\n`,
    });
    const { title, commit } = renderPull(answering({ config: named }));
    expect(title).toMatch(/^Answer recheck #12 \(fixes GH 2 github\.com/);
    expect(living(`${title}\n${commit}`.replaceAll("#12", ""))).toEqual([]);
  });

  test("Markdown injection: nor with characters in it that nobody sees", () => {
    const name =
      "fixes G\u200BH-2 https:\u2060//github.com/a/b/issues/4 w\u00ADww.github.com/a/b/pull/5 closes GH\u200D-7";
    const named = configOf(sources, {
      tensor: `name: "${name}"\nratings: [tensor/maturity]\non: [{ unreviewed: 90d }]\n`,
    });
    const { title, commit } = renderPull(answering({ config: named }));
    expect(title).toMatch(/^Answer recheck #12 \(fixes GH 2 github\.com/);
    expect(living(`${title}\n${commit}`.replaceAll("#12", ""))).toEqual([]);
  });

  const free = configOf(sources.replace("levels: [Low, Medium, High]\n", "").replace("Train on vector", "'`@x` #1'"));

  test("nothing comes alive, and nothing closes an issue by itself", () => {
    fc.assert(
      fc.property(hostile(), hostile(), hostile(), (because, level, line) => {
        const answers = [{ ...change, because, level: `fixes #3 ${level}` }, keep];
        const files = {
          sources: { path: "sources.yaml", text: sources },
          text: { path: "report.md", text: `Tensor board maturity Medium ${line}` },
        };
        const edited = editAll(answers, free, files);
        const { title, body, commit } = renderPull(answering({ config: free, answers, edited }));
        const { text: shown, html, links } = rendered(body);
        expect(living(shown.replace("Answers #12", ""))).toEqual([]);
        expect(html).toEqual(["<!-- recheck:answer m4rk -->", "<!-- recheck:end -->"]);
        expect(links).toEqual([]);
        expect(`${title}\n${commit}`.replaceAll("#12", "")).toMatch(/^[^@#<>`\p{Cf}\p{Cs}]*$/u);
        expect(`${title}\n${body}\n${commit}`).not.toMatch(
          /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:#\d|GH-\d|https?:)/i,
        );
        expect(title.length).toBeLessThanOrEqual(200);
      }),
      { numRuns: runs(300) },
    );
  });
});

test.each([
  ["main", ["main"]],
  [undefined, ["asked"]],
])(
  "files are read from the default branch; if it is not stored, %s, GitHub is asked for it",
  async (defaultBranch, expected) => {
    const read: string[] = [];
    const github = {
      facts: async () => ({ defaultBranch: "asked" }),
      commit: async (branch: string) => void read.push(branch),
    };
    expect(await presentFiles({ state: { defaultBranch }, github } as never)).toBeUndefined();
    expect(read).toEqual(expected);
  },
);
