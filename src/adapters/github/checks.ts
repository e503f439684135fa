import { z } from "zod";
import type { AppGitHub } from "../../ports.ts";
import type { Call } from "./call.ts";

/** Of what `check` and `announce` write. */
const configName = "Recheck config";
const ownName = "Recheck";
const needs = "checks: write";
const all = "/repos/{owner}/{repo}/check-runs";
const run = z.object({ id: z.number() });
const runs = z.object({ check_runs: z.array(run) });

/** Check runs: https://docs.github.com/en/rest/checks/runs */
export function checksOf(call: Call): Pick<AppGitHub, "check" | "announce"> {
  async function known(commit: string, name: string): Promise<number | undefined> {
    const list = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
    const query = { ref: commit, check_name: name, status: "completed", per_page: 1 };
    return (await call("list check runs", list, query, runs, needs)).check_runs[0]?.id;
  }

  return {
    async check({ commit, conclusion, title, summary, annotations }) {
      if ((await known(commit, configName)) !== undefined) return;
      // GitHub adds annotations to those that are there already.
      const written = async (part: readonly object[], last: boolean, id?: number): Promise<number> => {
        const state = last ? { status: "completed", conclusion } : { status: "in_progress" };
        const parameters = { ...state, output: { title, summary, annotations: part } };
        const which = id === undefined ? { name: configName, head_sha: commit } : { check_run_id: id };
        const made = { ...parameters, ...which };
        const route = id === undefined ? `POST ${all}` : `PATCH ${all}/{check_run_id}`;
        return (await call("write a check run", route, made, run, needs)).id;
      };
      let id: number | undefined;
      for (const [index, part] of annotations.entries()) {
        id = await written(part, index === annotations.length - 1, id);
      }
    },

    async announce({ commit, conclusion, title, summary }) {
      const id = await known(commit, ownName);
      const route = id === undefined ? `POST ${all}` : `PATCH ${all}/{check_run_id}`;
      const which = id === undefined ? { name: ownName, head_sha: commit } : { check_run_id: id };
      const told = { ...which, status: "completed", conclusion, output: { title, summary } };
      await call("write a check run", route, told, run, needs);
    },
  };
}
