import { batches, type CheckOutput, checkConfig, withoutConfig } from "../config-check/index.ts";
import { GitHubProblem } from "../ports.ts";
import { unended } from "./aside.ts";
import { isSameConfig, readConfig } from "./config-files.ts";
import type { Home } from "./home.ts";
import { noteGranted, noteRefusal } from "./refusal.ts";

/**
 * Checks the config of a commit where it is another one than is in use, and writes its check run; what a change would
 * have asked is told from what is stored, and nothing is fetched. Without the permission nothing is written. `isOwed`: a
 * check run is waited for, also where it is the config in use: files of config are known to have changed, or the head
 * before had one. `again`: the request to check it though it was. @throws GitHubProblem
 */
export async function check(home: Home, commit: string, isOwed: boolean, again?: string): Promise<void> {
  const { github } = home;
  const output = await outputOf(home, commit, isOwed);
  if (!output) return;
  const { conclusion, title, summary, annotations } = output;
  try {
    await github.check({ commit, conclusion, title, summary, annotations: batches(annotations), again });
    await noteGranted(home, "checks: write");
  } catch (error) {
    if (!(error instanceof GitHubProblem) || error.kind !== "forbidden") throw error;
    await noteRefusal(home, error);
  }
}

/**
 * Checks the head of a pull request, once: the push that brought it may not have been heard of. `before`: its head until
 * then. @throws GitHubProblem
 */
export async function checkHead(home: Home, { commit, before }: { commit: string; before?: string }): Promise<void> {
  if (await wasChecked(home, commit)) return;
  await check(home, commit, await wasChecked(home, before));
}

/** Whether this head of a branch had a check run. Of the commit that is in use, that was the default branch's. */
export async function wasChecked(home: Home, head: string | undefined): Promise<boolean> {
  return head !== undefined && head !== home.state.config?.commit && (await isChecked(home, head));
}

/** Whether a commit has its check run; not asked for where GitHub does not grant it. @throws GitHubProblem */
export async function isChecked(home: Home, commit: string): Promise<boolean> {
  const { github, state } = home;
  if (state.refused?.["checks: write"] !== undefined) return false;
  try {
    return await github.isChecked(commit);
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !["forbidden", "not-found", "invalid"].includes(error.kind)) throw error;
    await noteRefusal(home, error);
    return false;
  }
}

/** Undefined where there is nothing to tell. */
async function outputOf(home: Home, commit: string, isOwed: boolean): Promise<CheckOutput | undefined> {
  const { github, aside, clock, config: before, state } = home;
  if (!(await github.commit(commit))) return undefined;
  const found = await readConfig(github, commit, state.config);
  if (!found) return isOwed ? withoutConfig : undefined;
  if (!isOwed && isSameConfig(found, state.config) && state.broken === undefined) return undefined;
  const trial = {
    repository: state.name,
    config: found,
    at: clock.now(),
    ...(state.config && { inUse: state.config }),
  };
  const given = { folder: found.folder, ...(before && { before }) };
  return (await aside.check(trial)) ?? (await checkConfig({ parsed: { problems: [unended] }, ...given }));
}
