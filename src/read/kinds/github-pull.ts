import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { parseJson, parseShape } from "../shared/body.ts";
import { gitHubLabel, labelNames, ofThread } from "../shared/github.ts";

/** A pull request: its state, its title, and whether it was merged, by hand or by a bot that lands the commits. */
export const githubPull = readerOf({
  kind: "github-pull",
  spec: "https://docs.github.com/rest/pulls/pulls#get-a-pull-request",
  noun: "pull",
  example: "pytorch/pytorch#151111",
  ...ofThread("pull", "pulls"),
  gives: () => ({ issue: true, facts: ["state", "title", "merged"] }),
  version: 1,
  read,
  says: { "merged yes": "was merged", "state closed": "was closed", "state open": "was reopened" },
});

const shape = z.object({
  state: z.string().min(1),
  title: z.string(),
  merged_at: z.string().nullish(),
  labels: z.array(gitHubLabel).default([]),
});

function read(response: Response): Reading {
  const pull = parseShape(shape, parseJson(response), "GitHub pull request");
  const landed = pull.state === "closed" && labelNames(pull.labels).some((name) => /^merged$/i.test(name));
  return {
    title: pull.title,
    facts: { state: pull.state, title: pull.title, merged: pull.merged_at || landed ? "yes" : "no" },
  };
}
