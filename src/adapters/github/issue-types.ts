import { z } from "zod";
import { type Clock, GitHubProblem } from "../../ports.ts";
import type { Call } from "./call.ts";

/** Types of issues, which owners of repositories define: https://docs.github.com/en/rest/repos/issue-types */
export interface IssueTypes {
  /** Whether a repository (`owner/name`) has one by this name. Asked once a day; no where GitHub knows of none. */
  has(call: Call, repo: string, name: string): Promise<boolean>;
}

const day = 86_400_000;
const needs = "metadata: read";
/** 404: a GitHub of an earlier time, or a repository that has none. 403: a server that keeps them to itself. */
const none: readonly GitHubProblem["kind"][] = ["not-found", "forbidden"];
const types = z.array(z.object({ name: z.string(), is_enabled: z.boolean().optional() }));

export function createIssueTypes(clock: Clock): IssueTypes {
  const known = new Map<string, { readonly names: readonly string[]; readonly at: number }>();

  async function names(call: Call, repo: string): Promise<readonly string[]> {
    const there = known.get(repo);
    if (there && clock.now() - there.at < day) return there.names;
    try {
      const all = await call("list issue types", "GET /repos/{owner}/{repo}/issue-types", {}, types, needs);
      const names = all.filter(({ is_enabled }) => is_enabled !== false).map(({ name }) => name);
      known.set(repo, { names, at: clock.now() });
      return names;
    } catch (error) {
      const isNone = error instanceof GitHubProblem && (none.includes(error.kind) || error.uncertain);
      if (!isNone) throw error;
      if (!error.uncertain) known.set(repo, { names: [], at: clock.now() });
      return [];
    }
  }

  return {
    has: async (call, repo, name) => (await names(call, repo)).includes(name),
  };
}
