import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { parseJson, shaped } from "../shared/body.ts";
import { api, gitHubLabel, labelNames, numbered, numberedAt, numberedParts } from "../shared/github.ts";
import { shownAt } from "../shared/repository.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";

/**
 * An issue: its state, title and labels as facts, its text as blocks. Lines of its checklist begin with `[ ] ` or `[x]
 * `.
 */
export const githubIssue = readerOf({
  kind: "github-issue",
  spec: "https://docs.github.com/rest/issues/issues#get-an-issue",
  noun: "issue",
  cadence: "6h",
  example: "pytorch/pytorch#150121",
  address: numbered,
  recognises: (url) => numberedAt(url, "issues"),
  gives: () => ({ issue: true, text: true, facts: ["state", "title", "labels"] }),
  version: 8,
  request: (source) => {
    const { repo, number } = numberedParts(source);
    return api(`${repo}/issues/${number}`);
  },
  read,
  page: (source) => {
    const { repo, number } = numberedParts(source);
    return `https://github.com/${repo}/issues/${number}`;
  },
  leadsTo: shownAt,
  titleOf: (_, { facts }) => facts?.title,
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
  const issue = shaped(shape, parseJson(response), "GitHub issue");
  return {
    title: issue.title,
    blocks: blocksOfMarkdown(issue.body ?? ""),
    facts: { state: issue.state, title: issue.title, labels: labelNames(issue.labels).join(", ") },
  };
}
