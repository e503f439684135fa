import { z } from "zod";
import type { Issue } from "../../ports.ts";

/** An issue as GitHub tells it: https://docs.github.com/en/rest/issues/issues#get-an-issue */
export const issueSchema = z
  .object({
    number: z.number().int().positive(),
    state: z.enum(["open", "closed"]),
    title: z.string(),
    body: z.string().nullish(),
    labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
    html_url: z.string(),
    locked: z.boolean().optional(),
    repository_url: z.string().optional(),
    pull_request: z.unknown().optional(),
  })
  .transform(({ labels, html_url, repository_url, body, pull_request, ...rest }) => ({
    issue: {
      ...rest,
      body: body ?? "",
      url: html_url,
      labels: labels.map((each) => (typeof each === "string" ? each : (each.name ?? ""))),
    } satisfies Issue,
    isPull: pull_request !== undefined && pull_request !== null,
    /** The address of the repository it is in: another one than was asked, where the issue was moved. */
    home: repository_url,
  }));

/** Whether an address of the API names this repository. */
export function isAt(home: string, repo: string): boolean {
  return home.toLowerCase().endsWith(`/repos/${repo.toLowerCase()}`);
}
