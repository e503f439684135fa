import { type Octokit, RequestError } from "octokit";
import * as z from "zod";
import { isoInstant } from "../../language/dates.ts";
import { Failure, isNoResponse } from "../../model/failure.ts";
import { type Clock, GitHubProblem, type GitHubProblemKind, type Sending } from "../../model/ports/index.ts";
import { aMinute, anHour, type Instant, isoTime, minute } from "../../model/time.ts";
import { withoutSecrets } from "../secrets.ts";
import { type Credentials, NotSent } from "./client.ts";
import type { Log } from "./index.ts";

interface Parameters {
  readonly issue_number?: number;
  readonly [name: string]: unknown;
}

/** One request. `doing` completes "GitHub refused to …"; `needs`: a permission. @throws GitHubProblem */
export type Call = <T>(
  doing: string,
  route: string,
  parameters: Parameters,
  schema: z.ZodType<T>,
  needs?: string,
  sending?: Sending,
) => Promise<T>;

const repository = "GET /repos/{owner}/{repo}";

/** One write to GitHub, for an audit log: once when it is sent, and once with its outcome. */
export interface GitHubWrite {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** *sent*, the status of the response, or *no answer*. */
  readonly state: "sent" | "no answer" | number;
  /** `owner/name`. */
  readonly repository: string;
  /** `open an issue`. */
  readonly action: string;
  /** As GitHub's documentation writes it: `POST /repos/{owner}/{repo}/issues`. */
  readonly route: string;
  /** The issue or pull request number, the title, or the path. */
  readonly about?: string;
  /** `App 4711`, or `token`. */
  readonly as: string;
  /** GitHub's id of the webhook, or webhooks, that caused it. */
  readonly delivery?: string;
}

/** The account that makes the calls, and the log for their outcomes: writes at the usual level, reads at the debug level. */
interface CallsOptions {
  readonly auth: Credentials;
  readonly as: string;
  readonly clock: Clock;
  readonly log?: Log;
  readonly audit?: (write: GitHubWrite) => void;
}

/** Calls on one repository. Writes are never repeated, as only the caller can check whether the first one arrived. */
export function callsOf(octokit: Octokit, repo: string, { auth, as, clock, log, audit }: CallsOptions): Call {
  const [owner = "", name = ""] = repo.split("/");
  /** The last response about the repository itself, with its ETag: an unchanged one costs nothing. */
  const lastResponses = new WeakMap<object, { readonly etag: string; readonly data: unknown }>();
  const call: Call = async (doing, route, parameters, schema, needs, sending) => {
    const write = !route.startsWith("GET ");
    const lastResponse = route === repository ? lastResponses.get(schema) : undefined;
    const begun = performance.now();
    const note = (state: GitHubWrite["state"]) => {
      if (write)
        audit?.({
          at: isoTime(clock.now()),
          state,
          repository: repo,
          action: doing,
          route,
          ...aboutOf(parameters),
          as,
        });
    };
    const say = (came: "no answer" | number) => {
      note(came);
      const about = parameters.issue_number === undefined ? "" : `#${parameters.issue_number}`;
      const ms = Math.round(performance.now() - begun);
      log?.[write ? "info" : "debug"](`GitHub: ${route}, ${repo}${about}: ${came}, ${ms} ms`);
    };
    try {
      const response = await octokit.request(route, {
        owner,
        repo: name,
        ...parameters,
        ...(write
          ? { request: { retries: 0, sending: () => (sending?.() ?? Promise.resolve()).then(() => note("sent")) } }
          : {}),
        ...(lastResponse && { headers: { "if-none-match": lastResponse.etag } }),
      });
      say(response.status);
      const parsed = schema.safeParse(response.data);
      if (!parsed.success) throw new GitHubProblem("lost", `GitHub's answer was incomplete when asked to ${doing}`);
      const { etag } = response.headers;
      if (route === repository && etag !== undefined) lastResponses.set(schema, { etag, data: parsed.data });
      return parsed.data;
    } catch (error) {
      if (lastResponse && error instanceof RequestError && error.status === 304) {
        say(304);
        return lastResponse.data as z.infer<typeof schema>;
      }
      if (error instanceof NotSent) throw error.cause;
      say(error instanceof RequestError ? error.status : "no answer");
      const problem = problemOf(error, { doing, repo, issue: parameters.issue_number, needs }, clock.now());
      if (problem.kind === "unauthorized") auth.forget();
      throw problem;
    }
  };
  return call;
}

/** Titles come from a report or a page, so long ones are cut. */
const maxAbout = 200;

function aboutOf({ issue_number, pull_number, title, path, ref }: Parameters): Pick<GitHubWrite, "about"> {
  const number = issue_number ?? pull_number;
  const about = number === undefined ? (title ?? path ?? ref) : `#${String(number)}`;
  return typeof about === "string" ? { about: about.slice(0, maxAbout) } : {};
}

const maxPages = 50;

interface Listing<T> {
  readonly doing: string;
  readonly route: string;
  readonly schema: z.ZodType<T>;
}

/** The entries of a list, read page by page as needed. @throws GitHubProblem */
export async function* entriesIn<T>(
  call: Call,
  { doing, route, schema }: Listing<T>,
  parameters: Parameters,
  most = maxPages,
): AsyncGenerator<T> {
  for (let page = 1; page <= most; page++) {
    const found = await call(doing, route, { per_page: 100, page, ...parameters }, z.array(schema));
    yield* found;
    if (found.length < 100) return;
  }
}

/** GitHub leaves empty texts out. */
export const maybeText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

export const time = z.string().transform((text): Instant => isoInstant(text));

/** The branch exists already, has moved on, or was deleted. */
export function isOutrun(error: unknown): boolean {
  if (!(error instanceof GitHubProblem)) return false;
  if (error.kind === "not-found") return true;
  return error.kind === "invalid" && /already exists|fast.?forward|does not exist/i.test(error.message);
}

/**
 * When GitHub asks to slow down and does not say for how long:
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
const pause = aMinute;

interface Asked {
  /** Completes "GitHub refused to …". */
  readonly doing: string;
  readonly repo: string;
  readonly issue?: number;
  /** The required permission (default: `issues: write`). */
  readonly needs?: string;
}

/** The problem for an answer of GitHub, or for a missing answer. */
export function problemOf(
  error: unknown,
  { doing, repo, issue, needs = "issues: write" }: Asked,
  now: Instant,
): GitHubProblem {
  if (error instanceof GitHubProblem) return error;
  const response = error instanceof RequestError ? error.response : undefined;
  if (!response) {
    const says = `no answer from GitHub when asked to ${doing}`;
    return new GitHubProblem("lost", [says, ...whyUnanswered(error)].join(": "), { cause: error });
  }
  const { status } = response;
  const message = shortError(response.data);
  const problem = (kind: GitHubProblemKind, says: string, more: { resumeAt?: Instant; needs?: string } = {}) =>
    new GitHubProblem(kind, says, { ...more, cause: error });
  if (status === 401) return problem("unauthorized", "GitHub does not accept the token or the App's key (401)");
  // The repository was taken down: no permission helps.
  if (status === 451 || (status === 403 && /\baccess blocked\b/i.test(message)))
    return problem("unavailable", `GitHub blocks all access to ${repo} (${status})`);
  const isTooQuick = status === 429 || (status === 422 && /submitted too quickly/i.test(message));
  if (status === 403 || isTooQuick) {
    const resumeAt = resumption(response.headers, message, now);
    if (isTooQuick || resumeAt !== undefined) {
      const when = resumeAt ?? now + pause;
      return problem("slow-down", `GitHub asks to slow down; Recheck continues at ${minute(when)}`, {
        resumeAt: when,
      });
    }
    if (/installation has been suspended/i.test(message)) {
      return problem("suspended", `the App is suspended in ${repo} (403)`);
    }
    if (/\barchived\b/i.test(message)) return problem("archived", `${repo} is archived, and can only be read (403)`);
    if (/\bIP allow list\b/i.test(message)) {
      return problem("blocked", `the IP allow list of the owner of ${repo} does not let this server in (403)`);
    }
    if (issue !== undefined && /\block(ed)?\b/i.test(message)) {
      return problem("locked", `GitHub refused to ${doing} (403): the conversation of #${issue} is locked`);
    }
    const says = `the token or App may not ${doing} in ${repo} (403): it needs "${needs}"`;
    return problem("forbidden", says, { needs });
  }
  if (status === 404) {
    const what = issue === undefined ? repo : `${repo}#${issue}`;
    return problem("not-found", `${what} is not there, or not open to this token or App (404)`);
  }
  if (status === 409 && /\bempty\b/i.test(message)) return problem("not-found", `${repo} has no commit yet (409)`);
  if (status === 410 && /deleted/i.test(message)) return problem("deleted", "the issue was deleted (410)");
  if (status === 410) return problem("disabled", `${repo} has issues switched off (410)`);
  if (status === 422) return problem("invalid", `GitHub refused to ${doing} (422): ${message}`);
  if (status >= 500) return problem("unavailable", `GitHub could not ${doing} (${status})`);
  return problem("invalid", `GitHub answered ${status} when asked to ${doing}`);
}

/** The cause of a failed request, if it is known: `the host name did not resolve`. */
function whyUnanswered(error: unknown): string[] {
  const befell = error instanceof RequestError ? error.cause : error;
  return befell instanceof Failure && isNoResponse(befell.kind) ? [befell.message] : [];
}

/** When a rate limit ends; undefined if this is none. */
function resumption(headers: Record<string, unknown>, message: string, now: Instant): Instant | undefined {
  const after = Number(headers["retry-after"]);
  if (Number.isFinite(after) && after > 0) return now + Math.min(after, 3_600) * 1_000;
  if (headers["x-ratelimit-remaining"] === "0") {
    const reset = Number(headers["x-ratelimit-reset"]) * 1_000;
    return Number.isFinite(reset) && reset > now ? Math.min(reset, now + anHour) : now + pause;
  }
  return /secondary rate|rate limit|abuse detection/i.test(message) ? now + pause : undefined;
}

/** GitHub's own words, shortened, as an error can echo what we sent. */
function shortError(data: unknown): string {
  if (typeof data !== "object" || data === null) return "no reason given";
  const { message, errors } = data as { message?: unknown; errors?: unknown };
  const details = (Array.isArray(errors) ? errors : []).map((each: unknown) => {
    if (typeof each !== "object" || each === null) return String(each);
    const { field, message: why, code } = each as Record<string, unknown>;
    return String(why ?? [field, code].filter(Boolean).join(" "));
  });
  return withoutSecrets([String(message ?? "no reason given"), ...details].join("; ")).slice(0, 200);
}
