import { type RepositoryState, tolerate } from "../../../model/ports/index.ts";
import type { ServedRepository } from "../../../recheck/answer/repository.ts";
import { settingsLink } from "../../../recheck/refusals.ts";

interface Silence {
  readonly because: string;
  readonly title: string;
  readonly summary: string;
}

/** Says in a check run that no issue can be written. `problems`: GitHub's refusals. @throws GitHubProblem */
export async function tellSilence(
  repository: ServedRepository,
  problems: readonly { readonly kind: string }[],
): Promise<void> {
  const { state, github } = repository;
  const { mute } = state;
  const silence = silenceOf(problems, state);
  // Other problems do not show whether issues can be written.
  if (!silence && (!mute || problems.length > 0)) return;
  const head = state.defaultBranch === undefined ? undefined : await github.commit(state.defaultBranch);
  if (!head || (mute?.because === silence?.because && mute?.commit === head.sha)) return;
  if (silence) {
    const { because, title, summary } = silence;
    await announce(repository, { commit: head.sha, conclusion: "action_required", title, summary });
    return await keep(repository, { because, commit: head.sha });
  }
  const summary = "Issues can be written again. The waiting ones are opened now.";
  if (mute)
    await announce(repository, { commit: mute.commit, conclusion: "success", title: "Recheck can ask again", summary });
  await keep(repository, undefined);
}

function silenceOf(problems: readonly { readonly kind: string }[], state: RepositoryState): Silence | undefined {
  const reassurance = "Its sources are still checked. Nothing is lost, and waiting issues are opened later.";
  for (const { kind } of problems) {
    if (kind === "disabled") {
      const where = state.web ? `[the repository's settings](${state.web}/settings)` : "the repository's settings";
      return {
        because: "issues are switched off",
        title: "Issues are switched off: no issues can be opened",
        summary: `Recheck asks its questions in issues, and they are switched off here. Switch them on in ${where}, under *Features*. ${reassurance}`,
      };
    }
    if (kind === "forbidden") {
      return {
        because: 'GitHub does not grant "issues: write"',
        title: "Recheck may not write issues: no issues can be opened",
        summary: `GitHub does not grant \`issues: write\`. An administrator of the repository's owner can grant it in ${settingsLink(state)}. ${reassurance}`,
      };
    }
  }
  return undefined;
}

/** Writes the check run. Without the permission for it, only the operator is informed. */
async function announce(
  { github }: ServedRepository,
  run: Parameters<ServedRepository["github"]["announce"]>[0],
): Promise<void> {
  await tolerate(github.announce(run), "forbidden");
}

function keep({ store }: ServedRepository, mute: RepositoryState["mute"]): Promise<void> {
  return store.commit((tx) => tx.updateRepository({ mute }));
}
