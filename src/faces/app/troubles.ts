import type { Logger } from "pino";
import type { Instant } from "../../model.ts";
import type { Clock, GitHubProblem, RepositoryState } from "../../ports.ts";
import type { Home } from "../../repository/home.ts";
import { standingSays } from "../../repository/notices.ts";
import { noteRefusal } from "../../repository/refusal.ts";
import { createBackoff } from "./backoff.ts";

/** What GitHub would not do, as far as it is told. */
interface Problem {
  readonly kind: string;
  readonly resumeAt?: Instant;
}

/** What GitHub refuses: how long it is left alone for it, who is told, and what becomes of the repository. */
export interface Troubles {
  /** Not to ask on behalf of an installation before then; 0 where it may be asked. */
  restsUntil(installation: number): Instant;
  /** Not to try anew with a repository before then; 0 where all was well. */
  triesAt(repository: number): Instant;
  wentWell(state: RepositoryState): void;
  /** Notes a problem that is told elsewhere. Whether nothing more is to be done here. */
  met(home: Home, problem: Problem): Promise<boolean>;
  /** Notes a problem, and tells it. */
  note(home: Home, problem: GitHubProblem): Promise<void>;
  /** Tells where a repository stands from now on. */
  tell(state: RepositoryState): void;
}

export function createTroubles(clock: Clock, log: Logger): Troubles {
  const repositories = createBackoff<number>(clock, 1);
  const installations = createBackoff<number>(clock);

  function tell(state: RepositoryState): void {
    log.info({ repository: state.name, standing: state.standing }, `${state.name} ${standingSays(state)}`);
  }

  async function met({ state, store }: Home, { kind, resumeAt }: Problem): Promise<boolean> {
    if (resumeAt !== undefined || kind === "unauthorized") installations.failed(state.installation, resumeAt);
    repositories.failed(state.id, resumeAt);
    if (kind !== "suspended" && kind !== "archived") return false;
    // News of it would have told.
    const change = { standing: kind, since: clock.now() } as const;
    await store.commit((tx) => tx.updateRepository(change));
    tell({ ...state, ...change });
    return true;
  }

  return {
    restsUntil: installations.until,
    triesAt: repositories.until,
    wentWell({ id, installation }) {
      repositories.succeeded(id);
      installations.succeeded(installation);
    },
    met,
    async note(home, problem) {
      if (await met(home, problem)) return;
      const { state, store } = home;
      const { kind, message, resumeAt } = problem;
      await noteRefusal(home, problem);
      if (state.says === message) return;
      log.warn({ repository: state.name, kind }, message);
      if (resumeAt === undefined) await store.commit((tx) => tx.updateRepository({ says: message }));
    },
    tell,
  };
}
