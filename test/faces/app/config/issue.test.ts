import fc from "fast-check";
import { expect, test } from "vitest";
import { type ProblemIssue, renderProblemIssue } from "../../../../src/faces/app/config/refresh.ts";
import { endedSection } from "../../../../src/faces/app/own-issues/own-issue.ts";
import { lengthOnGitHub } from "../../../../src/model/markdown.ts";
import type { Problem } from "../../../../src/model/problem.ts";
import { maxBodyCharacters } from "../../../../src/recheck/issue/layout.ts";
import { markOf, withSection } from "../../../../src/recheck/issue/marker.ts";
import { hostile } from "../../../recheck/issue/hostile.ts";
import { living, rendered } from "../../../recheck/issue/markdown.ts";

const problem: Problem = {
  file: "triggers/mps (old).yaml",
  line: 9,
  column: 15,
  message: 'no source named "mps-traker" in sources.yaml',
  suggestion: "mps-tracker",
};
const issue = (more: Partial<ProblemIssue> = {}) =>
  renderProblemIssue({
    problems: [problem],
    marker: "0123456789abcdef01",
    web: "https://github.com/owner/name",
    branch: "main",
    commit: "0123456789abcdef0123456789abcdef01234567",
    folder: "",
    ...more,
  });

test("a broken config is reported with its place, the config that holds meanwhile, and how it closes", () => {
  const body = issue({ inUse: "fedcba9876543210" });
  expect(body).toContain(
    "**Recheck cannot read its config on `main`: commit `0123456` has a problem.** The config of commit `fedcba9` stays in use until it is fixed.",
  );
  expect(body).toContain(
    '- [`triggers/mps (old).yaml:9:15`](https://github.com/owner/name/blob/0123456789abcdef0123456789abcdef01234567/triggers/mps%20%28old%29.yaml#L9) no source named "mps-traker" in sources.yaml; did you mean "mps-tracker"?',
  );
  expect(body).toContain("This issue closes by itself when a commit fixes them.");
  expect(markOf(body)?.marker).toBe("0123456789abcdef01");
  expect(issue()).toContain("Nothing is watched until it is fixed.");
});

test("a config in a folder is linked there", () => {
  expect(issue({ folder: ".github/recheck" })).toContain("/.github/recheck/triggers/mps%20%28old%29.yaml#L9)");
});

test("of many problems the first 50 are reported, within GitHub's limit", () => {
  const problems = Array.from({ length: 1_200 }, (_, i) => ({ ...problem, line: i + 1, message: "🦀".repeat(5_000) }));
  const body = issue({ problems });
  expect(body).toContain("has 1,200 problems.");
  expect(body.match(/^- \[/gm)).toHaveLength(50);
  expect(body).toContain("And 1,150 more.");
  expect(lengthOnGitHub(body)).toBeLessThanOrEqual(maxBodyCharacters);
});

test("when it is mended, it says so, and people's text stays", () => {
  const mended = endedSection("0123456789abcdef01", "The config is read again.");
  expect(withSection(`Mine.\n\n${issue()}`, () => mended)).toBe(`Mine.\n\n${mended}`);
  expect(mended).toContain("The config is read again.");
});

test("nothing in it comes alive", () => {
  fc.assert(
    fc.property(hostile(), hostile(), (message, file) => {
      const shown = rendered(issue({ problems: [{ ...problem, message, file, suggestion: file }], branch: message }));
      expect(living(shown.text)).toEqual([]);
      expect(shown.html.filter((html) => !html.startsWith("<!-- recheck:"))).toEqual([]);
      for (const link of shown.links) expect(link).toMatch(/^https:\/\/github\.com\/owner\/name\/blob\/0123456/);
    }),
  );
});
