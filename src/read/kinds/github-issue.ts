import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { parseJson, parseShape } from "../shared/body.ts";
import { gitHubLabel, labelNames, ofThread } from "../shared/github.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";

/** An issue: state, title and labels as facts, text as blocks. Lines of its checklist begin with `[ ] ` or `[x] `. */
export const githubIssue = readerOf({
  kind: "github-issue",
  spec: "https://docs.github.com/rest/issues/issues#get-an-issue",
  noun: "issue",
  example: "pytorch/pytorch#150121",
  ...ofThread("issues", "issues"),
  gives: () => ({ issue: true, text: true, facts: ["state", "title", "labels"] }),
  version: 10,
  read,
  says: { "state closed": "was closed", "state open": "was reopened" },
});

const shape = z.object({
  state: z.string().min(1),
  title: z.string(),
  labels: z.array(gitHubLabel).default([]),
  body: z.string().nullish(),
});

/** Comments, reactions and the time of the last update are not read: they change without meaning. */
function read(response: Response): Reading {
  const issue = parseShape(shape, parseJson(response), "GitHub issue");
  return {
    title: issue.title,
    blocks: blocksOfMarkdown(issue.body ?? ""),
    facts: { state: issue.state, title: issue.title, labels: labelNames(issue.labels).join(", ") },
  };
}
