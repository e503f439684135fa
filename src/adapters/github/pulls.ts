import { z } from "zod";
import type { AppGitHub, Pull } from "../../ports.ts";
import type { Call } from "./call.ts";

/** A pull request as GitHub tells it: https://docs.github.com/en/rest/pulls/pulls */
const pullSchema = z
  .object({
    number: z.number(),
    state: z.enum(["open", "closed"]),
    merged_at: z.string().nullish(),
    head: z.object({ ref: z.string(), sha: z.string() }),
    base: z.object({ ref: z.string() }),
    body: z.string().nullish(),
    html_url: z.string(),
  })
  .transform(
    ({ number, state, merged_at, head, base, body, html_url }): Pull => ({
      number,
      state,
      merged: typeof merged_at === "string",
      branch: head.ref,
      base: base.ref,
      head: head.sha,
      body: body ?? "",
      url: html_url,
    }),
  );

const read = "pull_requests: read";
const write = "pull_requests: write";

export function pullsOf(
  call: Call,
  owner: string,
): Pick<AppGitHub, "pull" | "pullOf" | "openPulls" | "createPull" | "updatePull"> {
  const all = "/repos/{owner}/{repo}/pulls";
  const one = `${all}/{pull_number}`;
  return {
    pull: (number) => call("read a pull request", `GET ${one}`, { pull_number: number }, pullSchema, read),
    async pullOf(branch) {
      const query = { head: `${owner}:${branch}`, state: "all", sort: "created", direction: "desc", per_page: 1 };
      const [newest] = await call("list pull requests", `GET ${all}`, query, z.array(pullSchema), read);
      return newest;
    },
    openPulls(most) {
      const query = { state: "open", sort: "updated", direction: "desc", per_page: most };
      return call("list pull requests", `GET ${all}`, query, z.array(pullSchema), read);
    },
    createPull: ({ branch, ...pull }) =>
      call("open a pull request", `POST ${all}`, { ...pull, head: branch }, pullSchema, write),
    async updatePull(number, change) {
      await call("edit a pull request", `PATCH ${one}`, { pull_number: number, ...change }, z.unknown(), write);
    },
  };
}
