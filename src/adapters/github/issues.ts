import { z } from "zod";
import { type GitHub, GitHubProblem, type Issue, type PastIssues } from "../../ports.ts";
import { type Call, pages } from "./call.ts";
import { datedSchema, isAt, issueSchema } from "./issue.ts";
import type { IssueTypes } from "./issue-types.ts";

const comment = z.object({ body: z.string().nullish() });

/** Issues, their labels and comments: https://docs.github.com/en/rest/issues */
export function issuesOf(call: Call, repo: string, types: IssueTypes): Omit<GitHub, "repo"> & PastIssues {
  /** Newest first. */
  async function* issues(filter: object, most?: number): AsyncGenerator<Issue> {
    const query = { sort: "created", direction: "desc", ...filter };
    const found = pages(call, "list issues", "GET /repos/{owner}/{repo}/issues", query, issueSchema, most);
    for await (const { issue, isPull } of found) if (!isPull) yield issue;
  }

  async function first(isIt: (issue: Issue) => boolean, found: AsyncIterable<Issue>): Promise<Issue | undefined> {
    for await (const issue of found) if (isIt(issue)) return issue;
    return undefined;
  }

  /** A repository that was renamed answers under its new name, which its issues then tell. */
  async function isOurs(home: string): Promise<boolean> {
    if (isAt(home, repo)) return true;
    const known = z.object({ full_name: z.string() });
    return isAt(home, (await call("read the repository", "GET /repos/{owner}/{repo}", {}, known)).full_name);
  }

  const ensured = new Set<string>();
  const one = "/repos/{owner}/{repo}/issues/{issue_number}";
  return {
    // GitHub's search lags behind and matches too much; its lists do neither. A token without the right to set
    // labels creates issues without them, so the newest are looked at regardless of labels.
    async findIssue(isIt) {
      const labelled = await first(isIt, issues({ state: "all", labels: "recheck" }));
      return labelled ?? (await first(isIt, issues({ state: "all" }, 1)));
    },

    openIssues: () => Array.fromAsync(issues({ state: "open", labels: "recheck" })),

    async ownIssues() {
      const query = { state: "all", labels: "recheck", sort: "created", direction: "desc" };
      const found = pages(call, "list issues", "GET /repos/{owner}/{repo}/issues", query, datedSchema);
      return (await Array.fromAsync(found)).flatMap(({ issue, isPull }) => (isPull ? [] : [issue]));
    },

    async issue(number) {
      const { issue, home } = await call("read an issue", `GET ${one}`, { issue_number: number }, issueSchema);
      if (home === undefined || (await isOurs(home))) return issue;
      throw new GitHubProblem("deleted", `issue #${number} was moved to another repository`);
    },

    async createIssue(issue) {
      const { labels, assignees = [], type, ...rest } = issue;
      const isKnown = type !== undefined && (await types.has(call, repo, type));
      const parameters = {
        ...rest,
        labels: [...labels],
        ...(assignees.length > 0 && { assignees: [...assignees] }),
        ...(isKnown && { type }),
      };
      return (await call("open an issue", "POST /repos/{owner}/{repo}/issues", parameters, issueSchema)).issue;
    },

    async updateIssue(number, change) {
      const { reason, ...rest } = change;
      const parameters = { issue_number: number, ...rest, ...(reason && { state_reason: reason }) };
      return (await call("edit an issue", `PATCH ${one}`, parameters, issueSchema)).issue.state;
    },

    async addLabels(number, labels) {
      const parameters = { issue_number: number, labels: [...labels] };
      await call("label an issue", `POST ${one}/labels`, parameters, z.unknown());
    },

    async ensureLabels(labels) {
      const route = "/repos/{owner}/{repo}/labels";
      for (const label of labels.filter((each) => !ensured.has(each.name))) {
        const missing = await call("read a label", `GET ${route}/{name}`, { name: label.name }, z.unknown()).then(
          () => false,
          absent,
        );
        if (missing) await call("create a label", `POST ${route}`, label, z.unknown()).catch(createdMeanwhile);
        ensured.add(label.name);
      }
    },

    async findComment(number, marker) {
      const found = pages(call, "list comments", `GET ${one}/comments`, { issue_number: number }, comment);
      for await (const { body } of found) if (body?.includes(marker)) return true;
      return false;
    },

    async createComment(number, body) {
      await call(
        "write a comment",
        `POST ${one}/comments`,
        { issue_number: number, body },
        z.object({ id: z.number() }),
      );
    },
  };
}

function absent(problem: unknown): boolean {
  if (problem instanceof GitHubProblem && problem.kind === "not-found") return true;
  throw problem;
}

/** Two of us may create the same label at once. */
function createdMeanwhile(problem: unknown): void {
  if (!(problem instanceof GitHubProblem) || problem.kind !== "invalid" || !/already/i.test(problem.message))
    throw problem;
}
