import type { Logger } from "pino";
import { type GitHubProblem, type RepositoryState, tolerate } from "../../model/ports/index.ts";
import { standingSays } from "../../model/states.ts";
import type { Instant } from "../../model/time.ts";
import type { ServedRepository } from "../../recheck/answer/repository.ts";
import { noteRefusal, repositorySettings, settingsLink } from "../../recheck/refusals.ts";
import type { Instance } from "../../wire/instance.ts";
import { createBackoff } from "./turns.ts";

interface Problem {
  readonly kind: string;
  readonly resumeAt?: Instant;
}

/** Whether a problem affects everything for the repository rather than this request. */
export function isOfAll({ kind }: Pick<GitHubProblem, "kind">): boolean {
  return ["slow-down", "unauthorized", "blocked", "suspended", "archived"].includes(kind);
}

/**
 * Handles GitHub's refusals: how long to wait, whom to inform, and the new state of the repository. `missed`: called when a
 * repository was not found under its name.
 */
export function createTroubles(
  { clock, keep: { removed: keptFor } }: Pick<Instance, "clock" | "keep">,
  log: Logger,
  missed: () => void,
) {
  const repositories = createBackoff<number>(clock, 1);
  const installations = createBackoff<number>(clock);
  const lastSentences = new Map<number, string>();

  function logStanding(state: RepositoryState): void {
    log.info({ repository: state.name, standing: state.standing }, `${state.name} ${standingSays(state, keptFor)}`);
  }

  /** Notes a problem that is reported elsewhere. Returns true if nothing more can be done for the repository. */
  async function note({ state, store }: ServedRepository, { kind, resumeAt }: Problem): Promise<boolean> {
    if (resumeAt !== undefined || kind === "unauthorized" || kind === "blocked")
      installations.failed(state.installation, resumeAt);
    repositories.failed(state.id, resumeAt);
    if (kind === "not-found") missed();
    if (kind !== "suspended" && kind !== "archived") return false;
    // Its webhook was lost.
    const change = { standing: kind, since: clock.now() } as const;
    await store.commit((tx) => tx.updateRepository(change));
    logStanding({ ...state, ...change });
    return true;
  }

  async function tell(home: ServedRepository, problem: GitHubProblem): Promise<void> {
    const { state, store } = home;
    const { kind, message, resumeAt, uncertain } = problem;
    await noteRefusal(home, problem);
    if (lastSentences.get(state.id) !== message) log.warn({ repository: state.name, kind }, message);
    lastSentences.set(state.id, message);
    // An unavailable GitHub needs no action by people.
    const isTheirs = resumeAt === undefined && !uncertain;
    if (isTheirs && state.says !== message) await store.commit((tx) => tx.updateRepository({ says: message }));
  }

  return {
    /** The earliest time of the next request for an installation; 0 if it is allowed now. */
    pausedUntil: installations.until,
    /** The earliest time of the next try for a repository; 0 without a failure. */
    retryAt: repositories.until,
    wentWell({ id, installation }: RepositoryState) {
      repositories.succeeded(id);
      installations.succeeded(installation);
      lastSentences.delete(id);
    },
    note,
    tell,
    async report(home: ServedRepository, problem: GitHubProblem) {
      if (!(await note(home, problem))) await tell(home, problem);
    },
    logStanding,
  };
}

/** Says in a check run that no issue can be written. `problems`: GitHub's refusals. @throws GitHubProblem */
export async function announceSilence(
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

function silenceOf(problems: readonly { readonly kind: string }[], state: RepositoryState) {
  const reassurance = "Its sources are still checked. Nothing is lost, and waiting issues are opened later.";
  for (const { kind } of problems) {
    if (kind === "disabled") {
      return {
        because: "issues are switched off",
        title: "Issues are switched off: no issues can be opened",
        summary: `Recheck asks its questions in issues, and they are switched off here. Switch them on in ${repositorySettings(state)}, under *Features*. ${reassurance}`,
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
