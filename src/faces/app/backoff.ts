import type { Logger } from "pino";
import type { Duration, Instant } from "../../model/model.ts";
import type { Clock, GitHubProblem, RepositoryState } from "../../model/ports/index.ts";
import { aMinute, anHour } from "../../model/time.ts";
import type { Home } from "../../recheck/answer/case.ts";
import { noteRefusal } from "../../recheck/permissions.ts";
import { standingSays } from "./own-issues/notices.ts";

/** What fails again and again is tried ever more seldom: after a minute, two, four, and at last every hour. */
export interface Backoff<K> {
  /** It failed; `until`: GitHub itself said when to go on. */
  failed(key: K, until?: Instant): void;
  succeeded(key: K): void;
  /** Not to be tried before then; 0 where it may be tried now. */
  until(key: K): Instant;
}

const shortest: Duration = aMinute;
const longest: Duration = anHour;

/** `free`: so many failures in a row that are tried again at once. */
export function createBackoff<K>(clock: Clock, free = 0): Backoff<K> {
  const failures = new Map<K, { readonly count: number; readonly until: Instant }>();
  return {
    failed(key, until) {
      const count = (failures.get(key)?.count ?? 0) + 1;
      const pause = count <= free ? 0 : Math.min(longest, shortest * 2 ** Math.min(10, count - free - 1));
      failures.set(key, { count, until: until ?? clock.now() + pause });
    },
    succeeded: (key) => void failures.delete(key),
    until: (key) => failures.get(key)?.until ?? 0,
  };
}

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
