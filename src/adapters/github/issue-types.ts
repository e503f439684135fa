import { z } from "zod";
import { type Clock, GitHubProblem } from "../../ports.ts";
import type { Call } from "./call.ts";

/** Types of issues, which organisations define: https://docs.github.com/en/rest/orgs/issue-types */
export interface IssueTypes {
  /** Whether the owner of a repository has one by this name. Asked once a day; no where nobody may know. */
  has(call: Call, owner: string, name: string): Promise<boolean>;
}

const day = 86_400_000;
const needs = "organization issue types: read";
/** 404: a person, or an organisation that has none. 403: a permission that few grant. */
const none: readonly GitHubProblem["kind"][] = ["not-found", "forbidden"];
const types = z.array(z.object({ name: z.string(), is_enabled: z.boolean().optional() }));

export function createIssueTypes(clock: Clock): IssueTypes {
  const known = new Map<string, { readonly names: readonly string[]; readonly at: number }>();

  async function names(call: Call, org: string): Promise<readonly string[]> {
    const there = known.get(org);
    if (there && clock.now() - there.at < day) return there.names;
    const parameters = { org, owner: undefined, repo: undefined };
    try {
      const all = await call("list issue types", "GET /orgs/{org}/issue-types", parameters, types, needs);
      const names = all.filter(({ is_enabled }) => is_enabled !== false).map(({ name }) => name);
      known.set(org, { names, at: clock.now() });
      return names;
    } catch (error) {
      const isNone = error instanceof GitHubProblem && (none.includes(error.kind) || error.uncertain);
      if (!isNone) throw error;
      if (!error.uncertain) known.set(org, { names: [], at: clock.now() });
      return [];
    }
  }

  return {
    has: async (call, owner, name) => (await names(call, owner)).includes(name),
  };
}
