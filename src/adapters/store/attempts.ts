import type { BegunCheck } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { deleteIn, type Engine, prepareOnce, rowsIn, type Scope } from "./tables.ts";

/**
 * The state of a check, noted before it began. If a check kills the program, the next run finds its note. SQLite uses
 * only the first two: with many processes, one may have died for another reason.
 */
export const attemptState = {
  underWay: 0,
  /** The process that ran it has died, and the check is to blame. */
  died: 1,
  /** It was running when a process died, for any reason. */
  suspected: -1,
  /** It is running again after that. */
  underWayAgain: -2,
} as const;

/** Stores the sources whose checks begin. They replace the ended ones or, without these, all notes. */
export interface AttemptNote {
  readonly sources: readonly string[];
  readonly began: Instant;
  readonly ended?: readonly string[];
}

/** Notes checks before they begin, unsynced: the notes need to survive only the program, not the machine. */
export async function noteAttempts({ db, repository }: Scope, engine: Engine, begun: AttemptNote): Promise<void> {
  if (engine.note) return await engine.note(repository, begun);
  const { sources, began, ended } = begun;
  await engine.unsynced(db, async (within) => {
    const scope = { db: within, repository };
    if (ended) await endAttempt(scope, ...ended.map((source) => ({ source })));
    else await deleteIn(scope, "attempt").where("source", "not in", sources).execute();
    await beginAttempt(scope, ...sources.map((source) => ({ source, began })));
  });
}

const beginAttempt = prepareOnce(({ db, repository }, { source, began }: BegunCheck) =>
  db
    .insertInto("attempt")
    .values({ repository, source, began, died: attemptState.underWay })
    .onConflict((conflict) => conflict.doNothing()),
);

export async function diedAttempts(scope: Scope, engine: Engine): Promise<BegunCheck[]> {
  if (engine.died) return await engine.died(scope.repository);
  const died = rowsIn(scope, "attempt").where("died", "=", attemptState.died);
  return await died.select(["source", "began"]).orderBy("source").execute();
}

/** Removes the note of a check that has ended, with any outcome. */
export const endAttempt = prepareOnce((scope, { source }: { readonly source: string }) =>
  deleteIn(scope, "attempt").where("source", "=", source),
);
