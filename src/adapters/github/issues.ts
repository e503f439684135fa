import * as z from "zod";
import { isoInstant } from "../../language/dates.ts";
import {
  type AppGitHub,
  type Clock,
  type DatedIssue,
  type GitHub,
  GitHubProblem,
  type Issue,
  type IssueComment,
  type PastIssues,
  type Permission,
  problemIn,
  tolerate,
} from "../../model/ports/index.ts";
import { aDay, isoTime } from "../../model/time.ts";
import { type Call, entriesIn, maybeText, time } from "./call.ts";

const issuesRoute = "/repos/{owner}/{repo}/issues";
const issuePath = `${issuesRoute}/{issue_number}`;
const write = "issues: write";

interface IssuesOptions {
  readonly types: IssueTypes;
  readonly login?: () => Promise<string>;
}

/** Issues, their labels and comments: https://docs.github.com/en/rest/issues */
export function issuesOf(call: Call, repo: string, { types, login }: IssuesOptions): GitHub & PastIssues {
  return {
    ...readingOf(call, repo, login),
    ...writingOf(call, repo, types),
    ...labelsOf(call),
    ...commentsOf(call, login),
  };
}

/** The author of an issue or a comment, and their relation to the repository. */
const authorship = {
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  author_association: z.string().nullish(),
};
type Written = z.infer<z.ZodObject<typeof authorship>>;

/**
 * Anyone who can read an issue can copy its hidden line, so only its author shows that it is ours. An App knows its login.
 * The owner of a token is not known: it is a bot or belongs to the repository, as a token that may write issues does.
 */
async function authorTest(login: IssuesOptions["login"]): Promise<(one: Written) => boolean> {
  if (login === undefined)
    return ({ user, author_association: by }) =>
      user?.type === "Bot" || ["OWNER", "MEMBER", "COLLABORATOR"].includes(by ?? "");
  const name = await login();
  return ({ user }) => user?.type === "Bot" && user.login === name;
}

function readingOf(call: Call, repo: string, login: IssuesOptions["login"]) {
  async function* issues(filter: object, maxPages?: number): AsyncGenerator<Issue> {
    const isOurs = await authorTest(login);
    const listed = entriesIn(call, listOf(issueSchema), { ...newestFirst, ...filter }, maxPages);
    for await (const { issue, isPull, author } of listed) {
      if (!isPull) yield isOurs(author) ? { ...issue, own: true } : issue;
    }
  }

  /** A renamed repository answers under its new name, and its issues have that name. */
  async function isHere(home: string): Promise<boolean> {
    if (isAt(home, repo)) return true;
    const known = z.object({ full_name: z.string() });
    return isAt(home, (await call("read the repository", "GET /repos/{owner}/{repo}", {}, known)).full_name);
  }

  return {
    // GitHub's search lags behind and matches too much; its lists do neither. A token without the right to set
    // labels creates issues without them, so the newest are checked regardless of labels.
    async findIssue(isIt) {
      if (login) return await findOldest(isIt, issues({ state: "all", creator: await login() }));
      const labelled = await findOldest(isIt, issues({ state: "all", labels: "recheck" }));
      return labelled ?? (await findOldest(isIt, issues({ state: "all" }, 1)));
    },

    openIssues: () => Array.fromAsync(issues({ state: "open", labels: "recheck" })),

    async ownIssues() {
      const whose = login ? { creator: await login() } : { labels: "recheck" };
      const isOurs = await authorTest(login);
      const listed = await Array.fromAsync(
        entriesIn(call, listOf(datedSchema), { ...newestFirst, state: "all", ...whose }),
      );
      return listed.flatMap(({ isPull, author, issue }) => (isPull || !isOurs(author) ? [] : [issue]));
    },

    async issue(number) {
      const { issue, author, home } = await call(
        "read an issue",
        `GET ${issuePath}`,
        { issue_number: number },
        issueSchema,
      );
      if (home === undefined || (await isHere(home)))
        return (await authorTest(login))(author) ? { ...issue, own: true } : issue;
      throw new GitHubProblem("deleted", `issue #${number} was moved to another repository`);
    },
  } satisfies Partial<GitHub & PastIssues>;
}

const newestFirst = { sort: "created", direction: "desc" };

function listOf<T>(schema: z.ZodType<T>) {
  return { doing: "list issues", route: `GET ${issuesRoute}`, schema };
}

/** A copy is newer than its original, and has a higher number. Issues of the same second are listed in any order. */
async function findOldest(isIt: (issue: Issue) => boolean, listed: AsyncIterable<Issue>): Promise<Issue | undefined> {
  let first: Issue | undefined;
  for await (const issue of listed)
    if (issue.own && isIt(issue) && (first === undefined || issue.number < first.number)) first = issue;
  return first;
}

function writingOf(call: Call, repo: string, types: IssueTypes) {
  return {
    async createIssue(issue, sending) {
      const { labels, assignees = [], type, ...rest } = issue;
      const parameters = {
        ...rest,
        labels: [...labels],
        ...(assignees.length > 0 && { assignees: [...assignees] }),
      };
      const createIssue = async (more: object) =>
        (await call("open an issue", `POST ${issuesRoute}`, { ...parameters, ...more }, issueSchema, write, sending))
          .issue;
      if (type === undefined || !(await types.has(call, repo, type))) return await createIssue({});
      try {
        return await createIssue({ type });
      } catch (error) {
        problemIn(error, "invalid");
        // The issue type may have been deleted since it was listed.
        types.forget(repo);
        if (await types.has(call, repo, type)) throw error;
        return await createIssue({});
      }
    },

    async updateIssue(number, change) {
      const { reason, ...rest } = change;
      const parameters = { issue_number: number, ...rest, ...(reason && { state_reason: reason }) };
      return (await call("edit an issue", `PATCH ${issuePath}`, parameters, issueSchema)).issue.state;
    },
  } satisfies Partial<GitHub>;
}

function labelsOf(call: Call) {
  const route = "/repos/{owner}/{repo}/labels";
  const ensured = new Set<string>();
  return {
    async addLabels(number, labels) {
      const parameters = { issue_number: number, labels: [...labels] };
      await call("label an issue", `POST ${issuePath}/labels`, parameters, z.unknown());
    },

    async ensureLabels(labels) {
      for (const label of labels.filter((each) => !ensured.has(each.name))) {
        const asked = call("read a label", `GET ${route}/{name}`, { name: label.name }, z.unknown());
        const there = await tolerate(
          asked.then(() => true),
          "not-found",
        );
        if (!there) await call("create a label", `POST ${route}`, label, z.unknown()).catch(createdMeanwhile);
        ensured.add(label.name);
      }
    },
  } satisfies Partial<GitHub>;
}

const commentCount = z.object({ comments: z.number().default(0) });
const comment = z.object({ body: maybeText, ...authorship });

function commentsOf(call: Call, login: IssuesOptions["login"]) {
  return {
    async findComment(number, isIt) {
      const list = { doing: "list comments", route: `GET ${issuePath}/comments`, schema: comment };
      const isOurs = await authorTest(login);
      let listed = 0;
      for await (const one of entriesIn(call, list, { issue_number: number })) {
        if (isOurs(one) && isIt(one.body)) return "there";
        listed++;
      }
      // Lists are late; the count comes from the issue itself.
      const counted = await call("count comments", `GET ${issuePath}`, { issue_number: number }, commentCount);
      return counted.comments > listed ? "late" : "absent";
    },

    async createComment(number, body, sending) {
      const made = z.object({ id: z.number() });
      await call("write a comment", `POST ${issuePath}/comments`, { issue_number: number, body }, made, write, sending);
    },
  } satisfies Partial<GitHub>;
}

/** Two processes may create the same label at once. */
function createdMeanwhile(problem: unknown): void {
  if (!/already/i.test(problemIn(problem, "invalid").message)) throw problem;
}

const issueShape = z.object({
  number: z.number().int().positive(),
  state: z.enum(["open", "closed"]),
  title: z.string(),
  body: maybeText,
  labels: z.array(z.union([z.string(), z.object({ name: maybeText }).transform(({ name }) => name)])),
  html_url: z.string(),
  locked: z.boolean().optional(),
  state_reason: z.string().nullish(),
  repository_url: z.string().optional(),
  pull_request: z.unknown().optional(),
  ...authorship,
});

const issueOf = ({
  html_url: url,
  repository_url,
  pull_request,
  author_association,
  user,
  state_reason,
  ...rest
}: z.infer<typeof issueShape>) => ({
  issue: {
    ...rest,
    ...(rest.state === "open" && state_reason === "reopened" && { reopened: true as const }),
    url,
  } satisfies Issue,
  author: { user, author_association } satisfies Written,
  isPull: pull_request !== undefined && pull_request !== null,
  /** The address of its repository. It differs from the requested one if the issue was moved. */
  home: repository_url,
});

/** An issue from GitHub: https://docs.github.com/en/rest/issues/issues#get-an-issue */
const issueSchema = issueShape.transform(issueOf);

const datedSchema = issueShape
  .extend({ created_at: time, closed_at: time.nullish() })
  .transform(({ created_at: opened, closed_at: closed, ...rest }) => {
    const { issue, ...about } = issueOf(rest);
    return { ...about, issue: { ...issue, opened, ...(closed && { closed }) } satisfies DatedIssue };
  });

function isAt(home: string, repo: string): boolean {
  return home.toLowerCase().endsWith(`/repos/${repo.toLowerCase()}`);
}

export type IssueTypes = ReturnType<typeof createIssueTypes>;

const needs = "metadata: read";
/** 404: an older GitHub, or a repository without types. 403: a server that does not publish them. */
const none: readonly GitHubProblem["kind"][] = ["not-found", "forbidden"];
const types = z.array(z.object({ name: z.string(), is_enabled: z.boolean().optional() }));

/** Types of issues, which owners of repositories define: https://docs.github.com/en/rest/repos/issue-types */
export function createIssueTypes(clock: Clock) {
  const typesByRepo = new Map<string, { readonly names: readonly string[]; readonly at: number }>();

  async function names(call: Call, repo: string): Promise<readonly string[]> {
    const there = typesByRepo.get(repo);
    if (there && clock.now() - there.at < aDay) return there.names;
    try {
      const all = await call("list issue types", "GET /repos/{owner}/{repo}/issue-types", {}, types, needs);
      const names = all.filter(({ is_enabled }) => is_enabled !== false).map(({ name }) => name);
      typesByRepo.set(repo, { names, at: clock.now() });
      return names;
    } catch (error) {
      const isNone = error instanceof GitHubProblem && (none.includes(error.kind) || error.uncertain);
      if (!isNone) throw error;
      if (!error.uncertain) typesByRepo.set(repo, { names: [], at: clock.now() });
      return [];
    }
  }

  return {
    /** Whether a repository (`owner/name`) has a type with this name. Cached for a day; false if GitHub has no types. */
    has: async (call: Call, repo: string, name: string) => (await names(call, repo)).includes(name),
    forget: (repo: string) => void typesByRepo.delete(repo),
  };
}

const granted = z.object({
  permission: z.string(),
  role_name: z.string().nullish(),
  user: z.object({ permissions: z.record(z.string(), z.boolean()).nullish() }).nullish(),
});

const peopleComment = z
  .object({
    id: z.number(),
    body: maybeText,
    issue_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
  })
  .transform(
    ({ issue_url, created_at, updated_at, user, ...rest }): IssueComment => ({
      ...rest,
      issue: Number(/\/issues\/(\d+)$/.exec(issue_url)?.[1] ?? 0),
      by: user?.login ?? "",
      bot: user?.type === "Bot",
      at: isoInstant(created_at),
      ...(updated_at !== created_at && { edited: true }),
    }),
  );

export function peopleOf(call: Call) {
  const comments = (of: string, query: object) =>
    Array.fromAsync(
      entriesIn(call, { doing: "list comments", route: `GET ${of}/comments`, schema: peopleComment }, { ...query }),
    );
  return {
    async react(id, content) {
      const route = "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
      await call("react to a comment", route, { comment_id: id, content }, z.unknown());
    },
    async permission(login) {
      const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
      const asked = call("read a person's permission", route, { username: login }, granted, "metadata: read");
      const found = await tolerate(asked, "not-found");
      if (found) return permissionOf(found);
      // A 404 says nothing about a person if the repository itself is missing, or hidden for a while.
      await call("read the repository", "GET /repos/{owner}/{repo}", {}, z.unknown(), "metadata: read");
      return "none";
    },
    commentsSince: (since) => comments(issuesRoute, { since: isoTime(since), sort: "created", direction: "asc" }),
    commentsIn: (issue) => comments(issuePath, { issue_number: issue }),
  } satisfies Partial<AppGitHub>;
}

/** `permission` reports triage as *read*. The details of the role say more, also for roles that an organisation defined. */
function permissionOf({ permission, user }: z.infer<typeof granted>): Permission {
  const parts = user?.permissions ?? {};
  if (parts.admin || permission === "admin") return "admin";
  if (parts.maintain) return "maintain";
  if (parts.push || permission === "write") return "write";
  if (parts.triage) return "triage";
  return parts.pull || permission === "read" ? "read" : "none";
}
