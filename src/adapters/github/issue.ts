import { z } from "zod";
import type { DatedIssue, Issue } from "../../ports.ts";

const told = z.object({
  number: z.number().int().positive(),
  state: z.enum(["open", "closed"]),
  title: z.string(),
  body: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  html_url: z.string(),
  locked: z.boolean().optional(),
  repository_url: z.string().optional(),
  pull_request: z.unknown().optional(),
});

type Told = z.infer<typeof told>;

const issueOf = ({ labels, html_url, repository_url, body, pull_request, ...rest }: Told) => ({
  issue: {
    ...rest,
    body: body ?? "",
    url: html_url,
    labels: labels.map((each) => (typeof each === "string" ? each : (each.name ?? ""))),
  } satisfies Issue,
  isPull: pull_request !== undefined && pull_request !== null,
  /** The address of the repository it is in: another one than was asked, where the issue was moved. */
  home: repository_url,
});

/** An issue as GitHub tells it: https://docs.github.com/en/rest/issues/issues#get-an-issue */
export const issueSchema = told.transform(issueOf);

const time = z.string().transform((text) => Date.parse(text));

/** The same with its dates. */
export const datedSchema = told
  .extend({ created_at: time, closed_at: time.nullish() })
  .transform(({ created_at: opened, closed_at: closed, ...rest }) => {
    const { issue, isPull } = issueOf(rest);
    return { isPull, issue: { ...issue, opened, ...(closed && { closed }) } satisfies DatedIssue };
  });

/** Whether an address of the API names this repository. */
export function isAt(home: string, repo: string): boolean {
  return home.toLowerCase().endsWith(`/repos/${repo.toLowerCase()}`);
}
