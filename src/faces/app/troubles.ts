import type { Logger } from "pino";
import type { Instant } from "../../model/model.ts";
import type { Clock, GitHubProblem, RepositoryState } from "../../model/ports/index.ts";
import type { ServedRepository } from "../../recheck/answer/repository.ts";
import { noteRefusal } from "../../recheck/permissions.ts";
import { standingSays } from "../standing.ts";
import { createBackoff } from "./backoff.ts";

/** Keeps account of what GitHub refuses: how long it is left alone for it, who is told, and what becomes of the repository. */
export interface Troubles {
  /** Nothing is to be asked on behalf of an installation before then; 0 where it may be. */
  pausedUntil(installation: number): Instant;
  /** Nothing is to be tried anew with a repository before then; 0 where all was well. */
  retryAt(repository: number): Instant;
  wentWell(state: RepositoryState): void;
  /** Notes a problem that is told elsewhere. True where nothing more is to be done for the repository. */
  note(home: ServedRepository, problem: Problem): Promise<boolean>;
  /** Tells people and the log of a problem. */
  tell(home: ServedRepository, problem: GitHubProblem): Promise<void>;
  /** Notes a problem, and tells of it. */
  report(home: ServedRepository, problem: GitHubProblem): Promise<void>;
  /** Says in the log where a repository stands from now on. */
  logStanding(state: RepositoryState): void;
}

/** A refusal by GitHub, as far as it is told. */
interface Problem {
  readonly kind: string;
  readonly resumeAt?: Instant;
}

/** Whether a problem is not of what was asked for: whatever else is asked for that repository meets it, too. */
export function isOfAll({ kind }: Pick<GitHubProblem, "kind">): boolean {
  return ["slow-down", "unauthorized", "blocked", "suspended", "archived"].includes(kind);
}

/** `missed`: a repository was not found under its name. */
export function createTroubles(clock: Clock, log: Logger, missed: () => void): Troubles {
  const repositories = createBackoff<number>(clock, 1);
  const installations = createBackoff<number>(clock);
  /** The sentence that the log has of a repository, until all was well with it. */
  const said = new Map<number, string>();

  function logStanding(state: RepositoryState): void {
    log.info({ repository: state.name, standing: state.standing }, `${state.name} ${standingSays(state)}`);
  }

  async function note({ state, store }: ServedRepository, { kind, resumeAt }: Problem): Promise<boolean> {
    if (resumeAt !== undefined || kind === "unauthorized" || kind === "blocked")
      installations.failed(state.installation, resumeAt);
    repositories.failed(state.id, resumeAt);
    if (kind === "not-found") missed();
    if (kind !== "suspended" && kind !== "archived") return false;
    // The webhook that should have told of it did not come.
    const change = { standing: kind, since: clock.now() } as const;
    await store.commit((tx) => tx.updateRepository(change));
    logStanding({ ...state, ...change });
    return true;
  }

  async function tell(home: ServedRepository, problem: GitHubProblem): Promise<void> {
    const { state, store } = home;
    const { kind, message, resumeAt, uncertain } = problem;
    await noteRefusal(home, problem);
    if (said.get(state.id) === message) return;
    said.set(state.id, message);
    log.warn({ repository: state.name, kind }, message);
    // That GitHub did not answer is over by itself: there is nothing for people to mend.
    const isTheirs = resumeAt === undefined && !uncertain;
    if (isTheirs && state.says !== message) await store.commit((tx) => tx.updateRepository({ says: message }));
  }

  return {
    pausedUntil: installations.until,
    retryAt: repositories.until,
    wentWell({ id, installation }) {
      repositories.succeeded(id);
      installations.succeeded(installation);
      said.delete(id);
    },
    note,
    tell,
    async report(home, problem) {
      if (!(await note(home, problem))) await tell(home, problem);
    },
    logStanding,
  };
}
