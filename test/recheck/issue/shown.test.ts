import { describe, expect, test } from "vitest";
import { editAll } from "../../../src/config/edit/index.ts";
import type { Firing } from "../../../src/model/firing.ts";
import { pageOfFile } from "../../../src/recheck/issue/answer-help.ts";
import { renderIssue } from "../../../src/recheck/issue/body.ts";
import { countWords, maxWords } from "../../../src/recheck/issue/layout.ts";
import { addressOf, type Question, shownPatch } from "../../../src/recheck/issue/question.ts";
import { wordsBeforeFolds } from "../../support/words-before-folds.ts";
import { at, claimAltered, config, evidence, firing, released } from "../samples.ts";
import { rendered } from "./markdown.ts";

const text = "ratings:\n  tensor/maturity: Medium # by hand\n";
const kept = (yaml: string) =>
  editAll([{ rating: "tensor/maturity", verdict: "keep", at: at("2026-06-01") }], config, {
    sources: { path: "sources.yaml", text: yaml },
  }).changes;

const body = (firings: readonly Firing[], more: Partial<Question> = {}): string =>
  renderIssue({
    ...{ config, trigger: "tensor", marker: "0123456789abcdef01", firings, claims: [], link: addressOf, ...more },
  }).body;

describe("an edit that people make themselves", () => {
  test("leads to the file's editor on a known branch, else to the file itself", () => {
    const repository = "https://github.com/example/report";
    expect(pageOfFile(repository, "a b/sources.yaml", "fix/#1")).toBe(`${repository}/edit/fix/%231/a%20b/sources.yaml`);
    expect(pageOfFile(repository, "sources.yaml", undefined)).toBe(`${repository}/blob/HEAD/sources.yaml`);
  });

  test.each([
    ["Markdown and HTML", "# **now** </details> <img src=x> @octocat ![x](https://example.org/)"],
    ["backticks", "# ```````` `code` ````"],
  ])("is text, with %s beside it", (_, comment) => {
    const { html, code, links } = rendered(body([claimAltered], { kept: kept(text.replace("# by hand", comment)) }));
    expect(code).toContain(`-  tensor/maturity: Medium ${comment}`);
    expect(html.join("\n")).not.toMatch(/<img|octocat/);
    expect(html.filter((one) => one.includes("</details>"))).toHaveLength(
      html.filter((one) => one.includes("<details>")).length,
    );
    expect(links).not.toContain("https://example.org/");
  });

  test("keeps a last line of context that is blank: without it, git refuses the patch", () => {
    const before = "one\ntwo\nthree\n\nfive\n";
    expect(shownPatch([{ path: "a.md", before, after: before.replace("one", "ONE") }])).toMatch(/\n three\n \n````$/);
  });

  test("is not shown beside characters that are not shown: it may read otherwise than it is", () => {
    const shown = body([claimAltered], { kept: kept(text.replace("# by hand", "# \u202egiH\u202c")) });
    expect(shown).not.toContain("diff --git");
    expect(shown).not.toMatch(/[\u202a-\u202e]/);
  });
});

describe("350 words before the folds, and 700 in all", () => {
  const entry = (number: number): Firing => {
    const paragraph = (word: string) => ({
      ...{ path: ["Limits"], kind: "paragraph" as const },
      text: `Board ${number} ${word} ${"a sentence of the page that goes on ".repeat(8)}`,
    });
    const change = { kind: "block", before: paragraph("had"), after: paragraph("has") } as const;
    return firing("tensor", `event ${number}`, { evidence: [evidence("tensor-docs", { change })] });
  };
  const expectShort = (shown: string) => {
    expect(wordsBeforeFolds(shown)).toBeLessThanOrEqual(maxWords.shown);
    expect(countWords(shown)).toBeLessThanOrEqual(maxWords.all);
  };

  test("are not passed by the events of many triggers, nor are 150 before the evidence by the lines above them; their questions are left to their issues", () => {
    const ask = Array.from({ length: 60 }, (_, number) => `Question ${number}: does it still do what it did before?`);
    const triggers = new Map([...config.triggers].map(([id, one]) => [id, { ...one, ask }]));
    const many = { ...config, triggers };
    const related = [1, 2, 3, 4].map((issue) => ({ firing: entry(issue), issues: [issue] }));
    const shown = body([released, ...[1, 2, 3, 4].map(entry)], { config: many, trigger: "catch-up", related });
    expectShort(shown);
    expect(countWords(shown.split("### Evidence")[0] ?? "")).toBeLessThanOrEqual(maxWords.asking);
    expect(shown).not.toContain("Question ");
  });

  test("are not passed by many events: those without room are folded in a line each, and then counted", () => {
    const shown = body(Array.from({ length: 90 }, (_, number) => entry(number)));
    expectShort(shown);
    expect(shown).toMatch(/<details><summary>8\d more events<\/summary>\n\n\*\*\d+\. /);
    expect(shown).toMatch(/\nand \d+ more events: see `recheck explain tensor`\n/);
    expect(shown.indexOf("</details>")).toBeLessThan(shown.indexOf("### What depends on it"));
  });

  test.each([
    ["one long difference", ["a sentence of the page that goes on and on "]],
    ["a difference of the shortest words", ["a b c "]],
    ["links that are none, and folds", ["](a b c d e f g h i) <details> </details> "]],
    ["twelve differences", Array.from({ length: 12 }, (_, number) => `the ${number}. sentence of the page goes on `)],
  ])("are not passed by one event: %s", (_, sentences) => {
    const block = (text: string) => ({ path: ["Limits"], kind: "paragraph" as const, text });
    const changes = sentences.map((sentence) => ({
      kind: "block" as const,
      before: block(`It was ${sentence.repeat(1_000)}`),
      after: block(`Now it is ${sentence.toUpperCase().repeat(1_000)}`),
    }));
    const one = firing("tensor", "long", {
      evidence: changes.map((change) => evidence("tensor-docs", { change, excerpt: sentences[0]?.repeat(1_000) })),
    });
    const shown = body([one], { kept: kept(text) });
    expectShort(shown);
    expect(shown).toMatch(/^- It was .*\n\+ Now it is /m);
    expect(rendered(shown).kinds).toContain("code");
  });

  test("are not passed by the trigger's questions; one event is always shown", () => {
    const ask = Array.from(
      { length: 30 },
      (_, number) => `Is the ${number}. limit of the board ${"still ".repeat(9)}so?`,
    );
    const asking = {
      ...config,
      triggers: new Map([...config.triggers].map(([id, one]) => [id, { ...one, ask, wording: "word ".repeat(79) }])),
    };
    const shown = body([entry(1), released], { config: asking });
    expect(wordsBeforeFolds(shown)).toBeLessThanOrEqual(maxWords.shown);
    expect(shown).toContain("**1. ");
    expect(countWords(shown)).toBeLessThanOrEqual(maxWords.all);
    expect(shown).toMatch(/\nand \d+ more questions\n/);
  });

  test("count what a reader sees: no address and no hidden line", () => {
    const folded = "<details><summary>two words</summary>\n\nhidden\n\n</details>";
    expect(
      countWords(`<!-- recheck:begin {} -->\n\n[one link](https://example.org/a) | **bold** |\n|---|\n${folded}\nend`),
    ).toBe(7);
  });
});
