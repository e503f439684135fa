import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { failureMarkdown, type SummaryParts, summaryMarkdown } from "../../../src/faces/cli/job-summary.ts";
import { sideFile } from "../../../src/faces/cli/side-file.ts";
import type { Failure as Trouble } from "../../../src/model/failure.ts";
import { GitHubProblem } from "../../../src/model/ports/index.ts";
import { hostile } from "../../recheck/issue/hostile.ts";
import { living, rendered } from "../../recheck/issue/markdown.ts";
import { config, evidence, firing } from "../../recheck/samples.ts";
import { calm } from "../../support/calm.ts";
import { runs } from "../../support/runs.ts";

const folder = mkdtempSync(join(tmpdir(), "recheck-summary-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = Date.UTC(2026, 10, 20, 14, 5);

/** A scan in which every word of others is this one. */
function told(words: string): SummaryParts {
  const change = { kind: "item-added", item: { id: "1", title: words, text: words } } as const;
  const fired = firing("tensor", words, { evidence: [evidence("tensor-docs", { change, condition: undefined })] });
  const failure = { kind: "http", says: words, since: at, count: 1 } as unknown as Trouble;
  const unknown = { outcome: "unknown", failure, sightings: [], noise: [], firings: [], changes: [] };
  return {
    scan: {
      started: at,
      ended: at,
      checks: [{ source: "tensor-docs", at, ...unknown } as never],
      outage: false,
      hasNews: true,
      firings: [fired],
    },
    synced: {
      opened: [
        { trigger: "tensor", title: words, labels: [], issue: 1, url: "https://github.com/example/report/issues/1" },
      ],
      adopted: [6],
      answered: [7],
      updated: [2],
      commented: [3],
      closed: [4],
      gone: [],
      reopened: [5],
      left: [],
      waiting: [{ trigger: "tensor", what: "issue", because: words }],
      wouldOpen: [],
      wouldUpdate: [],
      problems: [{ kind: "invalid", says: words }],
    },
    status: {
      ...calm,
      at,
      ratings: [{ rating: "tensor/maturity", value: words, level: "in doubt", at, because: [] }] as never,
      waiting: [{ source: "tensor-docs", sightings: [{ change, since: at }] as never, secondCheck: at }],
      nextCheck: at,
    },
    config: { ...config, report: { ...config.report, title: words } },
    state: { branch: "recheck-state", from: "branch" },
  };
}

describe("the job's summary", () => {
  test("has the checks, the questions and the failures", () => {
    const text = summaryMarkdown(told("A fine release"));
    expect(text).toContain("## Recheck: A fine release");
    expect(text).toContain("As of **2026-11-20 14:05 UTC**: 1 source checked in under 1 s: 1 could not be checked.");
    expect(text).toMatch(/\| \*\*Tensor Board\*\* \| A fine release\s✗ \|/);
    expect(text).toContain("- opened [#1](https://redirect.github.com/example/report/issues/1) A fine release");
    expect(text).toContain("- commented on #3");
    expect(text).toContain("### Not done by GitHub\n\n- `A fine release`");
    expect(text).toContain("### Could not be checked\n\n- `○ tensor-docs A fine release, first time`");
    expect(text).toContain("- recovered from issues that the store did not have:");
    expect(text).toContain("stops them after 60 days");
  });

  test("has what waits for the same reason in one line", () => {
    const { synced, ...rest } = told("A fine release");
    const because = "GitHub could not list issues (502)";
    const waiting = ["tensor", "vector"].map((trigger) => ({ trigger, what: "issue", because }) as const);
    const text = summaryMarkdown({ ...rest, synced: synced && { ...synced, waiting } });
    expect(text).toMatch(/^- waits: \S[^,]* and Vector, GitHub could not list issues \(502\)$/m);
  });

  test("lets nothing that others wrote come alive", () => {
    fc.assert(
      fc.property(hostile(), (words) => {
        const { text, html, links, kinds } = rendered(summaryMarkdown(told(words)));
        expect(html.filter((tag) => !/^<\/?sub>$/.test(tag))).toEqual([]);
        expect(links).toEqual(["https://redirect.github.com/example/report/issues/1"]);
        expect(kinds.has("image")).toBe(false);
        // Our own numbers of issues are the only ones.
        expect(living(text.replace(/#[1-7]\b/g, ""))).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test("says why there was no scan", () => {
    fc.assert(
      fc.property(hostile(), (words) => {
        const { html, links, text } = rendered(failureMarkdown(new GitHubProblem("forbidden", words)));
        expect([html, links, living(text)]).toEqual([[], [], []]);
      }),
      { numRuns: runs(50) },
    );
    expect(failureMarkdown(new GitHubProblem("forbidden", "it needs `x`"))).toContain("`` it needs `x` ``");
  });

  test("is added to the text that is there, and ends at GitHub's limit", async () => {
    const file = join(folder, "summary.md");
    writeFileSync(file, "before\n");
    const summary = await sideFile("--summary", file);
    await summary?.add("after\n");
    expect(readFileSync(file, "utf8")).toBe("before\nafter\n");
    await summary?.add(`${"é".repeat(99)}\n`.repeat(6_000));
    const { size } = statSync(file);
    expect(size).toBeLessThanOrEqual(1_048_576);
    expect(size).toBeGreaterThan(1_048_000);
    expect(readFileSync(file, "utf8")).toMatch(/é\n\nThe rest is in the log of this step\.\n$/);
    await summary?.add("no room\n".repeat(1_000));
    expect(statSync(file).size).toBeLessThanOrEqual(1_048_576);
  });
});
