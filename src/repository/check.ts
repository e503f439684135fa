import { replayBoth } from "../backtest/replay-both.ts";
import { parseConfig } from "../config/index.ts";
import { batches, type CheckOutput, checkConfig, withoutConfig } from "../config-check/index.ts";
import { GitHubProblem } from "../ports.ts";
import { isSameConfig, readConfig } from "./config-files.ts";
import type { Workshop } from "./home.ts";
import { noteGranted, noteRefusal } from "./refusal.ts";

/**
 * Checks the config of a commit where it is another one than is in use, and writes its check run; what a change would
 * have asked is told from what is stored, and nothing is fetched. Without the permission nothing is written. `isOwed`: a
 * check run is waited for, also where it is the config in use: files of config are known to have changed, or the head
 * before had one. @throws GitHubProblem
 */
export async function check(home: Workshop, commit: string, isOwed: boolean): Promise<void> {
  const { github } = home;
  const output = await outputOf(home, commit, isOwed);
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

/**
 * Whether this head of a branch had a check run. Of the commit that is in use, that was the default branch's; and where
 * GitHub does not grant it, it is not asked for. @throws GitHubProblem
 */
export async function wasChecked(home: Workshop, head: string | undefined): Promise<boolean> {
  const { github, state } = home;
  if (head === undefined || head === state.config?.commit || state.refused?.["checks: write"] !== undefined)
    return false;
  try {
    return await github.isChecked(head);
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !["forbidden", "not-found", "invalid"].includes(error.kind)) throw error;
    await noteRefusal(home, error);
    return false;
  }
}

/** Undefined where there is nothing to tell. */
async function outputOf(home: Workshop, commit: string, isOwed: boolean): Promise<CheckOutput | undefined> {
  const { github, readers, config: before, state } = home;
  if (!(await github.commit(commit))) return undefined;
  const found = await readConfig(github, commit);
  if (!found) return isOwed ? withoutConfig : undefined;
  if (!isOwed && isSameConfig(found, state.config) && state.broken === undefined) return undefined;
  const parsed = parseConfig(found.files, readers);
  return await checkConfig({ parsed, folder: found.folder, ...(before && { before }) }, (one, other) =>
    replayBoth(one, other, home),
  );
}
