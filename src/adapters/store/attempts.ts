import type { BegunLook } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import type { Engine, Scope } from "./tables.ts";

/** Looks that are under way, noted before they begin: what ends the program is known when it is there again. */

/**
 * How a look stands that was noted: 0 and 1 everywhere; where many processes work, one may have ended for another
 * reason.
 */
export const standing = {
  underWay: 0,
  /** The process that began it has ended, and it is to blame. */
  died: 1,
  /** It was under way when a process ended that may have been killed by anything. */
  suspected: -1,
  /** It is under way again after that. */
  underWayAgain: -2,
} as const;

/** Sources whose looks begin, in place of those that ended, or, without these, of all that was noted. */
export interface Begun {
  readonly sources: readonly string[];
  readonly began: Instant;
  readonly ended?: readonly string[];
}

/**
 * Not synced to the disk: the notes are for a program that ends, which leaves them with the system, and not for a
 * machine that does.
 */
export async function noteAttempts({ db, repository }: Scope, engine: Engine, begun: Begun): Promise<void> {
  if (engine.note) return await engine.note(repository, begun);
  const { sources, began, ended } = begun;
  await engine.unsynced(db, async (within) => {
    const all = within.deleteFrom("attempt").where("repository", "=", repository);
    if (ended === undefined) await (sources.length === 0 ? all : all.where("source", "not in", sources)).execute();
    else if (ended.length > 0) await all.where("source", "in", ended).execute();
    if (sources.length === 0) return;
    const rows = sources.map((source) => ({ repository, source, began, died: standing.underWay }));
    await within
      .insertInto("attempt")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Those that a program began and did not live to end. */
export async function diedAttempts({ db, repository }: Scope): Promise<BegunLook[]> {
  return await db
    .selectFrom("attempt")
    .select(["source", "began"])
    .where("repository", "=", repository)
    .where("died", "=", standing.died)
    .orderBy("source")
    .execute();
}

/** Whatever a look comes to ends its attempt. */
export async function endAttempts({ db, repository }: Scope, sources: readonly string[]): Promise<void> {
  await db.deleteFrom("attempt").where("repository", "=", repository).where("source", "in", sources).execute();
}
