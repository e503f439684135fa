import { App } from "octokit";
import * as z from "zod";
import { makeOnce } from "../../model/cache.ts";
import { GitHubProblem, type Installations } from "../../model/ports/index.ts";
import { problemOf } from "./call.ts";
import { type Auth, type Credentials, client, credentials, pemOf } from "./client.ts";
import type { GitHubOptions } from "./index.ts";

const installation = z
  .object({ id: z.number(), suspended_at: z.string().nullish() })
  .transform(({ id, suspended_at }) => ({ id, suspended: typeof suspended_at === "string" }));

const repository = z
  .object({
    id: z.number(),
    full_name: z.string(),
    archived: z.boolean().nullish().transform(Boolean),
    fork: z.boolean().nullish().transform(Boolean),
    private: z.boolean().nullish(),
  })
  // Without an answer from GitHub, nothing is shown.
  .transform(({ full_name: name, private: hidden, ...rest }) => ({ ...rest, name, public: hidden === false }));

const ofPage = 100;
/** Pages of a list: more than any App has, or any account. */
const maxPages = 1_000;

type Page<T> = (number: number) => Promise<readonly T[]>;

/**
 * A whole list. One of several pages is read twice. If an entry is removed meanwhile, the first entry of each later page
 * moves to a page that was already read, and would count as gone. @throws GitHubProblem
 */
async function listAll<T extends { readonly id: number }>(page: Page<T>): Promise<T[]> {
  const once = await pagesOf(page);
  const all = once.length < ofPage ? once : [...once, ...(await pagesOf(page))];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** @throws GitHubProblem if the list does not end, as unlisted entries would count as gone */
async function pagesOf<T>(page: Page<T>): Promise<T[]> {
  const all: T[] = [];
  for (let number = 1; number <= maxPages; number++) {
    const found = await page(number);
    all.push(...found);
    if (found.length < ofPage) return all;
  }
  throw new GitHubProblem("invalid", `GitHub lists more than ${maxPages * ofPage} of what the App may reach`);
}

type AppOptions = Omit<GitHubOptions, "repo" | "auth" | "credentials"> & {
  readonly auth: Extract<Auth, { appId: number | string }>;
};

/** The requests for an installation use one token for all its repositories. */
export function installationCredentials(options: AppOptions): (installation: number) => Credentials {
  const known = new Map<number, Credentials>();
  return (installation) => {
    const auth = { ...options.auth, installationId: installation };
    const group = String(installation);
    return makeOnce(known, installation, () => credentials(auth, undefined, { ...options, group }));
  };
}

/** Requests of the App itself, and of a whole installation. */
export function createInstallations(
  options: AppOptions,
  credentialsOf: (installation: number) => Credentials,
): Installations {
  const { auth, clock } = options;
  const Client = client(options);
  const app = new App({ appId: auth.appId, privateKey: pemOf(auth.privateKey), Octokit: Client });

  async function withCause<T>(doing: string, asking: () => Promise<T>): Promise<T> {
    try {
      return await asking();
    } catch (error) {
      throw problemOf(error, { doing, repo: "the App's installations", needs: "metadata: read" }, clock.now());
    }
  }

  return {
    installations: () =>
      withCause("list installations", () =>
        listAll(async (page) => {
          const { data } = await app.octokit.request("GET /app/installations", { per_page: ofPage, page });
          return z.array(installation).parse(data);
        }),
      ),
    repositories: (id) =>
      withCause("list repositories", async () => {
        const auth = credentialsOf(id);
        const octokit = new (client({ ...options, group: String(id), token: auth.token }))();
        octokit.hook.error("request", (error) => {
          if ("status" in error && error.status === 401) auth.forget();
          throw error;
        });
        return await listAll(async (page) => {
          const { data } = await octokit.request("GET /installation/repositories", { per_page: ofPage, page });
          return z.array(repository).parse(data.repositories);
        });
      }),
  };
}
