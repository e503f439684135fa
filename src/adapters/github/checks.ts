import { z } from "zod";
import type { AppGitHub } from "../../ports.ts";
import type { Call } from "./call.ts";

const name = "Recheck config";
const needs = "checks: write";
const all = "/repos/{owner}/{repo}/check-runs";
const run = z.object({ id: z.number() });
const runs = z.object({ check_runs: z.array(run) });

/** Check runs: https://docs.github.com/en/rest/checks/runs */
export function checksOf(call: Call): Pick<AppGitHub, "check"> {
  return {
    async check({ commit, conclusion, title, summary, annotations }) {
      const list = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
      const query = { ref: commit, check_name: name, status: "completed", per_page: 1 };
      const known = await call("list check runs", list, query, runs, needs);
      if (known.check_runs.length > 0) return;
      // GitHub adds annotations to those that are there already.
      const written = async (part: readonly object[], last: boolean, id?: number): Promise<number> => {
        const state = last ? { status: "completed", conclusion } : { status: "in_progress" };
        const parameters = { ...state, output: { title, summary, annotations: part } };
        const made = id === undefined ? { ...parameters, name, head_sha: commit } : { ...parameters, check_run_id: id };
        const route = id === undefined ? `POST ${all}` : `PATCH ${all}/{check_run_id}`;
        return (await call("write a check run", route, made, run, needs)).id;
      };
      let id: number | undefined;
      for (const [index, part] of annotations.entries()) {
        id = await written(part, index === annotations.length - 1, id);
      }
    },
  };
}
