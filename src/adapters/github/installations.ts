import { App } from "octokit";
import { z } from "zod";
import type { Installations } from "../../model/ports/index.ts";
import { problemOf } from "./call.ts";
import { type Auth, client, pemOf } from "./client.ts";
import type { GitHubOptions } from "./index.ts";

const installation = z
  .object({ id: z.number(), suspended_at: z.string().nullish() })
  .transform(({ id, suspended_at }) => ({ id, suspended: typeof suspended_at === "string" }));

const repository = z
  .object({
    id: z.number(),
    full_name: z.string(),
    archived: z.boolean().nullish(),
    fork: z.boolean().nullish(),
    private: z.boolean().nullish(),
  })
  .transform(({ id, full_name, archived, fork, private: hidden }) => ({
    id,
    name: full_name,
    archived: archived === true,
    fork: fork === true,
    // Where it is not told, nobody is shown anything.
    public: hidden === false,
  }));

const minted = z.object({ token: z.string().min(1) });

/** Pages of 100. */
const maxPages = 50;

/** Requests of the App itself, and of a whole installation. */
export function createInstallations(
  options: Omit<GitHubOptions, "repo" | "auth"> & { readonly auth: Extract<Auth, { appId: number | string }> },
): Installations {
  const { auth, clock } = options;
  const Client = client(options);
  const app = new App({ appId: auth.appId, privateKey: pemOf(auth.privateKey), Octokit: Client });

  async function told<T>(doing: string, asking: () => Promise<T>): Promise<T> {
    try {
      return await asking();
    } catch (error) {
      throw problemOf(error, { doing, repo: "the App's installations", needs: "metadata: read" }, clock.now());
    }
  }

  return {
    installations: () =>
      told("list installations", async () => {
        const found = [];
        for (let page = 1; page <= maxPages; page++) {
          const { data } = await app.octokit.request("GET /app/installations", { per_page: 100, page });
          found.push(...z.array(installation).parse(data));
          if (data.length < 100) break;
        }
        return found;
      }),
    repositories: (id) =>
      told("list repositories", async () => {
        const route = "POST /app/installations/{installation_id}/access_tokens";
        const { token } = minted.parse((await app.octokit.request(route, { installation_id: id })).data);
        const octokit = new Client({ auth: token });
        const found = [];
        for (let page = 1; page <= maxPages; page++) {
          const { data } = await octokit.request("GET /installation/repositories", { per_page: 100, page });
          found.push(...z.array(repository).parse(data.repositories));
          if (data.repositories.length < 100) break;
        }
        return found;
      }),
  };
}
