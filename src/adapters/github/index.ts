import { Octokit } from "octokit";
import { z } from "zod";
import { type Clock, type GitHub, GitHubProblem, type Issue } from "../../ports.ts";
import { type Auth, credentials } from "./auth.ts";
import { isAt, issueSchema } from "./issue.ts";
import { problemOf } from "./problem.ts";

export type { Auth } from "./auth.ts";

/** Where Octokit says what it does; never given a secret. */
interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface GitHubOptions {
  /** `owner/name`. */
  readonly repo: string;
  readonly auth: Auth;
  /** Of the API: `https://github.example.com/api/v3` for GitHub Enterprise. */
  readonly baseUrl?: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** Goes through a proxy, or is watched in a test; else the global one. */
  readonly fetch?: typeof fetch;
  /** Off: no pause between writes and no second try of reads. For a GitHub on this machine. */
  readonly patience?: boolean;
}

/** The GitHub of one repository. */
export interface RepositoryGitHub extends GitHub {
  /** The token for reading sources on GitHub: the given one, or the installation's for this hour. */
  installationToken(): Promise<string>;
}

const comments = z.array(z.object({ body: z.string().nullish() }));

interface Parameters {
  readonly issue_number?: number;
  readonly [name: string]: unknown;
}

/** Pages of 100 that are searched for a marker. */
const mostPages = 50;
const timeout = 30_000;

export function createGitHub(options: GitHubOptions): RepositoryGitHub {
  const { repo, clock } = options;
  const [owner = "", name = ""] = repo.split("/");
  const Client = client(options);
  const auth = credentials(options.auth, repo, Client, clock);
  const octokit = new Client();
  octokit.hook.before("request", async (request) => {
    request.headers.authorization = `token ${await auth.token()}`;
  });

  /** One call. Writes are never repeated: only the caller knows how to look whether the first one arrived. */
  async function call<T>(doing: string, route: string, parameters: Parameters, schema: z.ZodType<T>): Promise<T> {
    const write = !route.startsWith("GET ");
    try {
      const response = await octokit.request(route, {
        owner,
        repo: name,
        ...parameters,
        ...(write ? { request: { retries: 0 } } : {}),
      });
      const parsed = schema.safeParse(response.data);
      if (!parsed.success) throw new GitHubProblem("lost", `GitHub's answer broke off when asked to ${doing}`);
      return parsed.data;
    } catch (error) {
      const problem = problemOf(error, { doing, repo, issue: parameters.issue_number }, clock.now());
      if (problem.kind === "unauthorized") auth.forget();
      throw problem;
    }
  }

  /** Newest first. */
  async function* issues(filter: object, pages = mostPages): AsyncGenerator<Issue> {
    for (let page = 1; page <= pages; page++) {
      const query = { sort: "created", direction: "desc", per_page: 100, page, ...filter };
      const found = await call("list issues", "GET /repos/{owner}/{repo}/issues", query, z.array(issueSchema));
      for (const { issue, isPull } of found) if (!isPull) yield issue;
      if (found.length < 100) return;
    }
  }

  async function withMarker(marker: string, found: AsyncIterable<Issue>): Promise<Issue | undefined> {
    for await (const issue of found) if (issue.body.includes(marker)) return issue;
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
    repo,
    installationToken: () =>
      auth.token().catch((error: unknown) => {
        throw problemOf(error, { doing: "hand out a token", repo }, clock.now());
      }),

    // GitHub's search lags behind and matches too much; its lists do neither. A token without the right to set
    // labels creates issues without them, so the newest are looked at regardless of labels.
    async findIssue(marker) {
      const labelled = await withMarker(marker, issues({ state: "all", labels: "recheck" }));
      return labelled ?? (await withMarker(marker, issues({ state: "all" }, 1)));
    },

    openIssues: () => Array.fromAsync(issues({ state: "open", labels: "recheck" })),

    async issue(number) {
      const { issue, home } = await call("read an issue", `GET ${one}`, { issue_number: number }, issueSchema);
      if (home === undefined || (await isOurs(home))) return issue;
      throw new GitHubProblem("deleted", `issue #${number} was moved to another repository`);
    },

    async createIssue(issue) {
      const parameters = { ...issue, labels: [...issue.labels] };
      return (await call("open an issue", "POST /repos/{owner}/{repo}/issues", parameters, issueSchema)).issue;
    },

    async updateIssue(number, change) {
      await call("edit an issue", `PATCH ${one}`, { issue_number: number, ...change }, z.unknown());
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
      for (let page = 1; page <= mostPages; page++) {
        const query = { issue_number: number, per_page: 100, page };
        const found = await call("list comments", `GET ${one}/comments`, query, comments);
        if (found.some(({ body }) => body?.includes(marker))) return true;
        if (found.length < 100) return false;
      }
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

function client({ baseUrl, log, fetch: given, patience = true }: GitHubOptions): typeof Octokit {
  const send = given ?? fetch;
  const timed: typeof fetch = (input, init) => send(input, { ...init, signal: AbortSignal.timeout(timeout) });
  // A limit is not waited for: what is left stays in the outbox.
  const giveUp = () => false;
  const quiet = () => {};
  return Octokit.defaults((defaults: object) => ({
    ...defaults,
    userAgent: "recheck",
    ...(baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
    log: log ?? { debug: quiet, info: quiet, warn: quiet, error: quiet },
    request: { fetch: timed },
    throttle: { enabled: patience, onRateLimit: giveUp, onSecondaryRateLimit: giveUp },
    retry: { enabled: patience },
  })) as typeof Octokit;
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
