import { ConfigProblems } from "../../config/problem.ts";
import { loadConfig } from "../../wire.ts";
import { exits } from "./exits.ts";
import { printProblems } from "./problems.ts";
import type { Terminal } from "./terminal.ts";
import { trial } from "./trial.ts";

/** `npm run validate`: reads the config and says everything that is wrong with it. Fetches nothing. */
export async function validateCommand(folder: string, options: { json?: boolean }, out: Terminal): Promise<number> {
  try {
    const config = await loadConfig(folder);
    const tried = await trial(folder, config);
    if (tried.problems.length > 0) throw new ConfigProblems(tried.problems);
    const claims = [...config.sources.values()].reduce((sum, { claims }) => sum + claims.length, 0);
    if (options.json) out.line(JSON.stringify({ problems: [] }));
    else
      out.line(
        `valid: ${config.sources.size} sources, ${claims} claims, ${config.ratings.size} ratings, ${config.triggers.size} triggers${tried.played > 0 ? `, ${tried.played} scenarios` : ""}`,
      );
    return exits.done;
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    if (options.json) out.line(JSON.stringify({ problems: error.problems }, null, 2));
    else printProblems(error, out);
    return exits.wrong;
  }
}
