import { describe, expect, test } from "vitest";
import { proposer } from "../../../src/config/edit/proposals.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Firing } from "../../../src/model/firing.ts";
import type { StoredFiring } from "../../../src/model/ports/index.ts";
import { pageOfFile } from "../../../src/recheck/issue/answer-help.ts";
import { renderIssue } from "../../../src/recheck/issue/body.ts";
import { shownWords } from "../../../src/recheck/issue/layout.ts";
import { addressOf, type Question } from "../../../src/recheck/issue/question.ts";
import { questionOf, render } from "../../../src/recheck/issue/section.ts";
import { wordsBeforeFolds } from "../../support/words-before-folds.ts";
import { claimAltered, config, evidence, firing, released } from "../samples.ts";
import { rendered } from "./markdown.ts";

const text = `ratings:
  tensor/maturity: Medium # by hand
  tensor/compile: { level: Medium }
  vector/compile: &high High
`;
const path = "report/sources.yaml";
const byHand = {
  path,
  page: `https://github.com/example/report/edit/main/${path}`,
  propose: proposer(path, text),
};

const body = (firings: readonly Firing[], more: Partial<Question> = {}): string =>
  renderIssue({
    ...{ config, trigger: "tensor", marker: "0123456789abcdef01", firings, claims: [], link: addressOf, ...more },
  }).body;

describe("where nobody can answer by a command", () => {
  test("each answer stands there as an edit, with the way to its line in GitHub's editor", () => {
    const shown = body([claimAltered], { byHand });
    const [, folded = ""] = shown.split("<details><summary>5 answers as patches</summary>\n\n");
    expect(folded.split("\n\n").slice(0, 2)).toEqual([
      [
        `Keep both ratings, at [line 2](${byHand.page}#L2):`,
        ...[
          "````diff",
          `diff --git a/${path} b/${path}`,
          `--- a/${path}`,
          `+++ b/${path}`,
          "@@ -1,4 +1,4 @@",
          " ratings:",
        ],
        ...["-  tensor/maturity: Medium # by hand", "-  tensor/compile: { level: Medium }"],
        "+  tensor/maturity: { level: Medium, reviewed: 2026-06-01 } # by hand",
        "+  tensor/compile: { level: Medium, reviewed: 2026-06-01 }",
        ...["   vector/compile: &high High", "````"],
      ].join("\n"),
      [
        `Tensor Board · Maturity becomes **Low**, at [line 2](${byHand.page}#L2):`,
        ...[
          "````diff",
          `diff --git a/${path} b/${path}`,
          `--- a/${path}`,
          `+++ b/${path}`,
          "@@ -1,4 +1,4 @@",
          " ratings:",
        ],
        "-  tensor/maturity: Medium # by hand",
        "+  tensor/maturity: { level: Low, reviewed: 2026-06-01 } # by hand",
        ...["   tensor/compile: { level: Medium }", "   vector/compile: &high High", "````"],
      ].join("\n"),
    ]);
    expect(shown).toContain(`Answer by editing [\`${path}\`](${byHand.page}#L2)`);
  });

  test("nothing is proposed where an anchor stands, and no link made where the place is not known", () => {
    expect(byHand.propose([{ rating: "vector/compile", level: "Low", reviewed: 0 }])).toBeUndefined();
    expect(byHand.propose([{ rating: "nobody/knows", level: "Low", reviewed: 0 }])).toBeUndefined();
    const { page: _, ...nowhere } = byHand;
    expect(body([claimAltered], { byHand: nowhere })).toContain("Keep both ratings, at line 2:\n");
  });

  test("the way to the file is its editor on a known branch, else the file itself", () => {
    const repository = "https://github.com/example/report";
    expect(pageOfFile(repository, "a b/sources.yaml", "fix/#1")).toBe(`${repository}/edit/fix/%231/a%20b/sources.yaml`);
    expect(pageOfFile(repository, "sources.yaml", undefined)).toBe(`${repository}/blob/HEAD/sources.yaml`);
  });

  test.each([
    ["Markdown and HTML", "# **now** </details> <img src=x> @octocat ![x](https://example.org/)"],
    ["backticks", "# ```````` `code` ````"],
  ])("%s beside a rating stay text", (_, comment) => {
    const hostile = text.replace("# by hand", comment);
    const shown = body([claimAltered], { byHand: { ...byHand, propose: proposer(path, hostile) } });
    const { html, code, links } = rendered(shown);
    expect(code).toContain(`-  tensor/maturity: Medium ${comment}`);
    expect(html.join("\n")).not.toMatch(/<img|octocat/);
    expect(html.filter((one) => one.includes("</details>"))).toHaveLength(
      html.filter((one) => one.includes("<details>")).length,
    );
    expect(links).not.toContain("https://example.org/");
  });

  test("an edit beside characters that are not shown is not proposed: it may read otherwise than it is", () => {
    const hidden = text.replace("# by hand", "# \u202egiH\u202c");
    const shown = body([claimAltered], { byHand: { ...byHand, propose: proposer(path, hidden) } });
    expect(shown).not.toContain("diff --git");
    expect(shown).not.toMatch(/[\u202a-\u202e]/);
    expect(shown).toContain("Answer by editing [");
  });

  test("the lines of a patch are those of the whole file", () => {
    const long = `${"# a comment\n".repeat(40)}${text}`;
    const proposal = proposer(path, long)([{ rating: "tensor/compile", level: "High", reviewed: 0 }]);
    expect(proposal?.line).toBe(43);
    expect(proposal?.patch).toContain("@@ -40,5 +40,5 @@\n");
    expect(proposal?.patch).toContain("+  tensor/compile: { level: High, reviewed: 1970-01-01 }\n");
  });
});

describe("where config says where the published pages are", () => {
  const paged: Config = { ...config, report: { ...config.report, pages: "https://pages.example/recheck" } };

  test("ratings, references and what was seen lead to them", () => {
    const shown = body([claimAltered], { config: paged });
    const pages = "https://pages.example/recheck";
    expect(shown).toContain(`Tensor Board · Maturity · [page](${pages}/ratings/tensor--maturity.html) |`);
    expect(shown).toContain(`*source:* Tensor 7 documentation, ref [53](${pages}/references.html#ref-53) ·`);
    expect(shown).toMatch(
      /\[before and after\]\(https:\/\/pages\.example\/recheck\/ratings\/tensor--maturity\.html#seen-[0-9a-f]{16}\)/,
    );
    expect(shown).toContain(`| ref [53](${pages}/references.html#ref-53) |`);
  });

  test("an address that is too long to be one leads nowhere, and the text stays", () => {
    const far = { ...config, report: { ...config.report, pages: `https://pages.example/${"a".repeat(10_000)}/` } };
    const shown = body([claimAltered], { config: far });
    expect(shown).not.toContain("aaaa");
    expect(shown).toContain("*source:* Tensor 7 documentation, ref 53 ·");
    expect(shown).toContain("| Tensor Board · Maturity |".slice(0, -2));
  });

  test("without it, nothing does", () => {
    expect(body([claimAltered])).not.toMatch(/references\.html|before and after|\[page\]/);
  });
});

describe("a claim that the first look found said otherwise", () => {
  const [proved] = claimAltered.evidence;
  const change = { kind: "claim", claim: "tensor-docs/bridge", from: "not found", to: "not found" } as const;
  const atFirst = (otherwise: boolean, seen: number): StoredFiring => ({
    ...firing("not-found", "tensor-docs/bridge", {
      evidence: [evidence("tensor-docs", { seen, change: { ...change, ...(otherwise && { otherwise: true }) } })],
    }),
    id: 2,
  });
  const since = proved?.seen ?? 0;
  const row = (told: StoredFiring) => {
    const asked = { ...claimAltered, id: 1, recheck: 1 };
    const claims = [{ claim: "tensor-docs/bridge", status: "not found", since } as const];
    const recheck = { trigger: "tensor", marker: "0123456789abcdef01", opened: 0, state: "planned" } as const;
    const state = { firings: [asked, told], rechecks: [], claims, answers: [], archived: [] };
    return render(questionOf(recheck, [asked], state, { config })).body.match(/^\| The bridge .*$/m)?.[0];
  };

  test("is contradicted in the table of a trigger that asks about something else", () => {
    expect(row(atFirst(true, since))).toBe(
      "| The bridge is the way to production | ref 15 | **contradicted** at the first check |",
    );
  });

  test("is only not found where nothing speaks against it, and where its proof is another one since", () => {
    for (const told of [atFirst(false, since), atFirst(true, since - 1)])
      expect(row(told)).toBe("| The bridge is the way to production | ref 15 | **not found** at the first check |");
  });
});

test("archived copies open at the passage as it was, and as it is", () => {
  const [piece] = claimAltered.evidence;
  const copy = (day: string) => ({ url: `https://archive.example/${day}/docs`, at: Date.parse(day) });
  const archived = [
    {
      ...{ source: "tensor-docs", seen: piece?.seen ?? 0, before: copy("2026-05-14"), after: copy("2026-06-01") },
      ...{ tries: 1, next: 0 },
    },
  ];
  const shown = body([claimAltered], { archived });
  expect(shown).toContain(
    "[before, 2026-05-14](https://archive.example/2026-05-14/docs#:~:text=To%20use%20it%20you%20must",
  );
  expect(shown).toContain(
    "[since then, 2026-06-01](https://archive.example/2026-06-01/docs#:~:text=You%20can%20use%20it%20with",
  );
});

describe("600 words before the folds", () => {
  const entry = (number: number): Firing => {
    const paragraph = (word: string) => ({
      ...{ path: ["Limits"], kind: "paragraph" as const },
      text: `Board ${number} ${word} ${"a sentence of the page that goes on ".repeat(8)}`,
    });
    const change = { kind: "block", before: paragraph("had"), after: paragraph("has") } as const;
    return firing("tensor", `event ${number}`, { evidence: [evidence("tensor-docs", { change })] });
  };

  test("are not passed by many sightings: those without room are folded, and still told", () => {
    const shown = body(Array.from({ length: 30 }, (_, number) => entry(number)));
    expect(wordsBeforeFolds(shown)).toBeLessThanOrEqual(600);
    expect(wordsBeforeFolds(shown)).toBeGreaterThan(400);
    expect(shown).toMatch(/<details><summary>2\d more sightings<\/summary>\n\n\*\*\d+\. /);
    expect(shown).toContain("**30. ");
    expect(shown.indexOf("</details>")).toBeLessThan(shown.indexOf("### What rests on it"));
  });

  test.each([
    ["one long difference", ["a sentence of the page that goes on and on "]],
    ["a difference of the shortest words", ["a b c "]],
    ["links that are none, and folds", ["](a b c d e f g h i) <details> </details> "]],
    ["twelve differences", Array.from({ length: 12 }, (_, number) => `the ${number}. sentence of the page goes on `)],
  ])("are not passed by one sighting: %s", (_, sentences) => {
    const block = (text: string) => ({ path: ["Limits"], kind: "paragraph" as const, text });
    const changes = sentences.map((sentence) => ({
      kind: "block" as const,
      before: block(`It was ${sentence.repeat(1_000)}`),
      after: block(`Now it is ${sentence.toUpperCase().repeat(1_000)}`),
    }));
    const one = firing("tensor", "long", {
      evidence: changes.map((change) => evidence("tensor-docs", { change, excerpt: sentences[0]?.repeat(1_000) })),
    });
    const shown = body([one], { byHand });
    expect(wordsBeforeFolds(shown)).toBeLessThanOrEqual(600);
    expect(shown).toContain("<details><summary>The whole difference</summary>");
    expect(shown).toMatch(/^- It was .*\n\+ Now it is /m);
    expect(rendered(shown).kinds).toContain("code");
  });

  test("one sighting is always shown, and few are not folded", () => {
    expect(body([released])).not.toContain("more sighting");
    const asking = {
      ...config,
      triggers: new Map([...config.triggers].map(([id, one]) => [id, { ...one, wording: "word ".repeat(79) }])),
    };
    expect(body([entry(1), entry(2)], { config: asking })).toContain("**1. ");
  });

  test("count what a reader sees: no address, no hidden line, nothing that is folded, nested or not", () => {
    const folded =
      "<details><summary>two words</summary>\n\nhidden\n<details><summary>more</summary>\n\nx\n\n</details>\n\n</details>";
    expect(
      shownWords(`<!-- recheck:begin {} -->\n\n[one link](https://example.org/a) | **bold** |\n|---|\n${folded}\nend`),
    ).toBe(6);
  });
});
