import * as z from "zod";
import type { AppGitHub, Clock } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { callsOf, type GitHubWrite, problemOf } from "./call.ts";
import { type Auth, type Credentials, client, credentials, writerOf } from "./client.ts";
import { filesOf } from "./files.ts";
import { createIssueTypes, type IssueTypes, issuesOf, peopleOf } from "./issues.ts";
import { checksOf, pullsOf } from "./pulls.ts";

/** Octokit's log; never given a secret. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface GitHubOptions {
  /** `owner/name`. */
  readonly repo: string;
  readonly auth: Auth;
  /** The credentials of requests, if many repositories share them; else a token for this repository alone. */
  readonly credentials?: Credentials;
  /** The address of the API: `https://github.example.com/api/v3` for GitHub Enterprise. */
  readonly baseUrl?: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** A fetch that uses a proxy, or that a test observes (default: the global one). */
  readonly fetch?: typeof fetch;
  /** A cache for all repositories: each one is asked once a day. */
  readonly issueTypes?: IssueTypes;
  /** Requests of one group are paced together, and wait for each other (default: all). */
  readonly group?: string;
  /** Once it is aborted no more requests begin. Running reads are abandoned; running writes get some seconds. */
  readonly hangUp?: AbortSignal;
  /** Called for each write, when it is sent and with its outcome. */
  readonly audit?: (write: GitHubWrite) => void;
  /** Called with the remaining requests of a token and the time of their renewal, after each response. `group`: as above. */
  readonly onQuota?: (left: number, until: Instant, group: string) => void;
  /** False: no pauses between writes and no second try of reads, for a GitHub on this machine. */
  readonly patience?: boolean;
}

export interface RepositoryGitHub extends AppGitHub {
  /** The token for reading sources on GitHub: the given one, or one for this repository alone. */
  installationToken(): Promise<string>;
}

export function createGitHub(options: GitHubOptions): RepositoryGitHub {
  const { repo, clock } = options;
  const ownCredentials = credentials(options.auth, repo, options);
  const { credentials: auth = ownCredentials } = options;
  const octokit = new (client({ ...options, token: auth.token }))();
  const call = callsOf(octokit, repo, { ...options, auth, as: writerOf(options.auth) });
  const explain = (doing: string) => (error: unknown) => {
    throw problemOf(error, { doing, repo }, clock.now());
  };
  const { login } = auth;
  return {
    installationToken: () => ownCredentials.token().catch(explain("hand out a token")),
    facts: () => call("read the repository", "GET /repos/{owner}/{repo}", {}, facts, "metadata: read"),
    ...issuesOf(call, repo, {
      types: options.issueTypes ?? createIssueTypes(clock),
      ...(login && { login: () => login().catch(explain("say what the App is called")) }),
    }),
    ...filesOf(call),
    ...pullsOf(call, repo.split("/", 1)[0] ?? ""),
    ...checksOf(call),
    ...peopleOf(call),
  };
}

const facts = z
  .object({
    id: z.number(),
    full_name: z.string(),
    default_branch: z.string(),
    archived: z.boolean(),
    fork: z.boolean(),
    has_issues: z.boolean(),
    private: z.boolean().nullish(),
    html_url: z.string(),
    owner: z.object({ type: z.string().nullish() }).nullish(),
  })
  .transform(({ full_name, default_branch, has_issues, private: hidden, html_url, owner, ...rest }) => ({
    ...rest,
    name: full_name,
    defaultBranch: default_branch,
    hasIssues: has_issues,
    public: hidden === false,
    web: html_url,
    organization: owner?.type === "Organization",
  }));
