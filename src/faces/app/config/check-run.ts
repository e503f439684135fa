import { isSameConfig, readConfig } from "../../../config/files.ts";
import { type CheckSubject, problemIn } from "../../../model/ports/index.ts";
import { noteGranted, noteRefusal } from "../../../recheck/refusals.ts";
import type { AppRepository } from "../sandbox.ts";
import { batches, type CheckOutput, checkConfig, withoutConfig } from "./effect.ts";
import { noParseProblem, type Trial } from "./trial.ts";

/**
 * Checks the config of a commit and writes its check run. Does nothing if the config equals both the one at the start
 * of the branch and the one in use. The effect of a change is computed from stored responses, without requests.
 * `onto`: the branch that it is to be merged into; undefined for a commit of the default branch.
 * `isOwed`: write a check run even for an equal config, because the commit changes its files, or the head before it had
 * a check run. @throws GitHubProblem
 */
export async function checkCommit(
  repository: AppRepository,
  commit: string,
  isOwed: boolean,
  { onto, again }: { readonly onto?: string; readonly again?: string } = {},
): Promise<void> {
  const output = await outputOf(repository, commit, isOwed, onto);
  if (!output) return;
  await writeCheck(repository, { commit, again }, output);
}

/** Writes a check run. Without the permission nothing is written, and the overview says so. @throws GitHubProblem */
export async function writeCheck(
  repository: AppRepository,
  of: { readonly commit: string; readonly about?: CheckSubject; readonly again?: string | undefined },
  { conclusion, title, summary, annotations }: Omit<CheckOutput, "effect">,
): Promise<void> {
  try {
    await repository.github.check({ ...of, conclusion, title, summary, annotations: batches(annotations) });
    await noteGranted(repository, "checks: write");
  } catch (error) {
    await noteRefusal(repository, problemIn(error, "forbidden"));
  }
}

/** Checks the head of a pull request once: its webhook may be missing. `before`: the head before it. */
export async function checkHead(
  repository: AppRepository,
  { commit, before, base: onto = repository.state.defaultBranch }: { commit: string; before?: string; base?: string },
): Promise<void> {
  if (await isChecked(repository, commit)) return;
  await checkCommit(repository, commit, await wasChecked(repository, onto, before), { onto });
}

export async function wasChecked(
  repository: AppRepository,
  onto: string | undefined,
  head: string | undefined,
): Promise<boolean> {
  if (head === undefined || head === repository.state.config?.commit) return false;
  return (await isChecked(repository, head)) && !(await isOn(repository, onto, head));
}

/** Whether a commit belongs to a branch or its history. @throws GitHubProblem */
export async function isOn({ github }: AppRepository, branch: string | undefined, commit: string): Promise<boolean> {
  return branch !== undefined && (await github.mergeBase(branch, commit)) === commit;
}

/** Whether a commit has its check run about this; not requested if GitHub does not grant it. @throws GitHubProblem */
export async function isChecked(
  repository: AppRepository,
  commit: string,
  about: CheckSubject = "config",
): Promise<boolean> {
  const { github, state } = repository;
  if (state.refused?.["checks: write"] !== undefined) return false;
  try {
    return await github.isChecked(commit, about);
  } catch (error) {
    await noteRefusal(repository, problemIn(error, "forbidden", "not-found", "invalid"));
    return false;
  }
}

async function outputOf(
  repository: AppRepository,
  commit: string,
  isOwed: boolean,
  onto?: string,
): Promise<CheckOutput | undefined> {
  const { github, sandbox, clock, config: before, state } = repository;
  const { config: inUse } = state;
  if (!(await github.commit(commit))) return undefined;
  const proposedConfig = await readConfig(github, commit, inUse);
  const base = onto === undefined ? undefined : await github.mergeBase(onto, commit);
  const began =
    base === undefined || base === inUse?.commit ? inUse : await readConfig(github, base, proposedConfig ?? inUse);
  const touches = !isSameConfig(proposedConfig, began);
  if (!proposedConfig) return isOwed || (touches && base !== undefined) ? withoutConfig : undefined;
  if (!isOwed && !touches && (base !== undefined || state.broken === undefined)) return undefined;
  const trial: Trial = {
    repository: state.id,
    config: proposedConfig,
    at: clock.now(),
    inUse,
    ...(!isSameConfig(began, inUse) && { began: began ?? "none" }),
  };
  const given = { folder: proposedConfig.folder, before };
  return (await sandbox.check(trial)) ?? (await checkConfig({ parsed: { problems: [noParseProblem] }, ...given }));
}
