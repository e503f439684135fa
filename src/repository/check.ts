import { replayBoth } from "../backtest/replay-both.ts";
import { parseConfig } from "../config/index.ts";
import { batches, type CheckOutput, checkConfig, withoutConfig } from "../config-check/index.ts";
import { GitHubProblem } from "../ports.ts";
import { isSameConfig, readConfig } from "./config-files.ts";
import type { Workshop } from "./home.ts";
import { noteGranted, noteRefusal } from "./refusal.ts";

/**
 * Checks the config of a commit where it is another one than is in use, and writes its check run; what a change would
 * have asked is told from what is stored, and nothing is fetched. Without the permission nothing is written. `touched`:
 * files of config are known to have changed. @throws GitHubProblem
 */
export async function check(home: Workshop, commit: string, touched = false): Promise<void> {
  const { github } = home;
  const output = await outputOf(home, commit, touched);
  if (!output) return;
  const { conclusion, title, summary, annotations } = output;
  try {
    await github.check({ commit, conclusion, title, summary, annotations: batches(annotations) });
    await noteGranted(home, "checks: write");
  } catch (error) {
    if (!(error instanceof GitHubProblem) || error.kind !== "forbidden") throw error;
    await noteRefusal(home, error);
  }
}

/** Undefined where there is nothing to tell. */
async function outputOf(home: Workshop, commit: string, touched: boolean): Promise<CheckOutput | undefined> {
  const { github, readers, config: before, state } = home;
  if (!(await github.commit(commit))) return undefined;
  const found = await readConfig(github, commit);
  if (!found) return touched && before ? withoutConfig : undefined;
  if (isSameConfig(found, state.config) && state.broken === undefined) return undefined;
  const parsed = parseConfig(found.files, readers);
  return await checkConfig({ parsed, folder: found.folder, ...(before && { before }) }, (one, other) =>
    replayBoth(one, other, home),
  );
}
