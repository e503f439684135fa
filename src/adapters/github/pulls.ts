import * as z from "zod";
import type { AppGitHub, Pull } from "../../model/ports/index.ts";
import { type Call, maybeText } from "./call.ts";

/** A pull request from GitHub: https://docs.github.com/en/rest/pulls/pulls */
const pullSchema = z
  .object({
    number: z.number(),
    state: z.enum(["open", "closed"]),
    merged_at: z.string().nullish(),
    head: z.object({ ref: z.string(), sha: z.string() }),
    base: z.object({ ref: z.string() }),
    body: maybeText,
  })
  .transform(
    ({ merged_at, head, base, ...rest }): Pull => ({
      ...rest,
      merged: typeof merged_at === "string",
      branch: head.ref,
      base: base.ref,
      head: head.sha,
    }),
  );

const permission = "pull_requests: read";
const write = "pull_requests: write";

export function pullsOf(call: Call, owner: string) {
  const pullsRoute = "/repos/{owner}/{repo}/pulls";
  const pullPath = `${pullsRoute}/{pull_number}`;
  return {
    pull: (number) => call("read a pull request", `GET ${pullPath}`, { pull_number: number }, pullSchema, permission),
    async pullOf(branch) {
      const query = { head: `${owner}:${branch}`, state: "all", sort: "created", direction: "desc", per_page: 1 };
      const [newest] = await call("list pull requests", `GET ${pullsRoute}`, query, z.array(pullSchema), permission);
      return newest;
    },
    openPulls(most) {
      const query = { state: "open", sort: "updated", direction: "desc", per_page: most };
      return call("list pull requests", `GET ${pullsRoute}`, query, z.array(pullSchema), permission);
    },
    createPull: ({ branch, ...pull }, sending) =>
      call("open a pull request", `POST ${pullsRoute}`, { ...pull, head: branch }, pullSchema, write, sending),
    async updatePull(number, change) {
      await call("edit a pull request", `PATCH ${pullPath}`, { pull_number: number, ...change }, z.unknown(), write);
    },
  } satisfies Partial<AppGitHub>;
}

/** Names of the check runs that `check` writes. */
const names = { config: "Recheck config", report: "Recheck report" } as const;
const ownName = "Recheck";
/** The beginning of the `external_id` of our check runs, as others may have runs with these names. */
const ownId = "recheck";
/** The `external_id` of the notice that `announce` writes: nothing is checked again for it. */
const noticeId = "recheck-itself";
/** Check runs that are written to one commit: GitHub lists a hundred on one page. */
const maxRuns = 30;
const needs = "checks: write";
const checkRunsRoute = "/repos/{owner}/{repo}/check-runs";
const run = z.object({
  id: z.number(),
  status: z.string(),
  external_id: z.string().nullish(),
  output: z.object({ annotations_count: z.number().nullish() }).nullish(),
});
const runs = z.object({ check_runs: z.array(run) });

/** Check runs: https://docs.github.com/en/rest/checks/runs */
export function checksOf(call: Call) {
  /** All check runs of ours, completed or not. */
  async function ownCheckRuns(commit: string, name: string): Promise<z.infer<typeof run>[]> {
    const list = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
    const query = { ref: commit, check_name: name, filter: "all", per_page: 100 };
    const { check_runs } = await call("list check runs", list, query, runs, needs);
    return check_runs.filter(({ external_id: id }) => id === noticeId || id === ownId || id?.startsWith(`${ownId} `));
  }

  return {
    isChecked: async (commit, about = "config") => (await ownCheckRuns(commit, names[about])).length > 0,

    async check({ about = "config", commit, conclusion, title, summary, annotations, again }) {
      const external_id = again === undefined ? ownId : `${ownId} ${again}`;
      const name = names[about];
      const ours = await ownCheckRuns(commit, name);
      const begun = ours.find((one) => one.external_id === external_id);
      if (begun?.status === "completed" || (!begun && ours.length >= maxRuns)) return;
      // GitHub adds annotations to the existing ones.
      const writePart = async (part: readonly object[], last: boolean, id?: number): Promise<number> => {
        const state = last ? { status: "completed", conclusion } : { status: "in_progress" };
        const parameters = { ...state, output: { title, summary, annotations: part } };
        const which = id === undefined ? { name, head_sha: commit, external_id } : { check_run_id: id };
        const made = { ...parameters, ...which };
        const route = id === undefined ? `POST ${checkRunsRoute}` : `PATCH ${checkRunsRoute}/{check_run_id}`;
        return (await call("write a check run", route, made, run, needs)).id;
      };
      let { id } = begun ?? {};
      let there = begun?.output?.annotations_count ?? 0;
      for (const [index, part] of annotations.entries()) {
        const lacking = part.slice(there);
        const last = index === annotations.length - 1;
        there = Math.max(0, there - part.length);
        if (last || lacking.length > 0) id = await writePart(lacking, last, id);
      }
    },

    async announce({ commit, conclusion, title, summary }) {
      const [begun] = await ownCheckRuns(commit, ownName);
      const route = begun ? `PATCH ${checkRunsRoute}/{check_run_id}` : `POST ${checkRunsRoute}`;
      const which = begun ? { check_run_id: begun.id } : { name: ownName, head_sha: commit };
      const fields = { ...which, external_id: noticeId, status: "completed", conclusion, output: { title, summary } };
      await call("write a check run", route, fields, run, needs);
    },
  } satisfies Partial<AppGitHub>;
}
