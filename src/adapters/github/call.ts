import type { Octokit } from "octokit";
import { z } from "zod";
import { type Clock, GitHubProblem } from "../../ports.ts";
import type { Credentials } from "./auth.ts";
import { problemOf } from "./problem.ts";

interface Parameters {
  readonly issue_number?: number;
  readonly [name: string]: unknown;
}

/** One request. `doing` completes "GitHub refused to …"; `needs` is the permission it takes. @throws GitHubProblem */
export type Call = <T>(
  doing: string,
  route: string,
  parameters: Parameters,
  schema: z.ZodType<T>,
  needs?: string,
) => Promise<T>;

/** Calls on one repository. Writes are never repeated: only the caller knows how to look whether the first one arrived. */
export function callsOf(octokit: Octokit, repo: string, auth: Credentials, clock: Clock): Call {
  const [owner = "", name = ""] = repo.split("/");
  return async (doing, route, parameters, schema, needs) => {
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
      const problem = problemOf(error, { doing, repo, issue: parameters.issue_number, needs }, clock.now());
      if (problem.kind === "unauthorized") auth.forget();
      throw problem;
    }
  };
}

/** Pages of 100 that are read of one list. */
const mostPages = 50;

/** A list, page by page. */
export async function* pages<T>(
  call: Call,
  doing: string,
  route: string,
  parameters: Parameters,
  schema: z.ZodType<T>,
  most = mostPages,
): AsyncGenerator<T> {
  for (let page = 1; page <= most; page++) {
    const found = await call(doing, route, { per_page: 100, page, ...parameters }, z.array(schema));
    yield* found;
    if (found.length < 100) return;
  }
}

/** Undefined instead of an error that says it is not there. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GitHubProblem && error.kind === "not-found") return undefined;
    throw error;
  }
}
