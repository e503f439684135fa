import type { Instant } from "../../model.ts";
import type { Watch } from "../../ports.ts";
import { chunks, type Scope } from "./tables.ts";

/** Soonest due first, without the forgotten. */
export async function watches({ db, repository }: Scope): Promise<Watch[]> {
  const rows = await db
    .selectFrom("watch")
    .select(["source", "subject", "next", "rest"])
    .where("repository", "=", repository)
    .where("forgotten", "=", 0)
    .orderBy("next")
    .orderBy("source")
    .execute();
  return rows.map(({ rest, ...columns }) => ({ ...JSON.parse(rest), ...columns }));
}

/**
 * A watch that was forgotten is back when it is saved again. Where a look was asked for after the one that is saved had
 * begun, the next one is due at once.
 */
export async function saveWatches({ db, repository }: Scope, watches: readonly Watch[]): Promise<void> {
  for (const chunk of chunks(watches)) {
    const rows = chunk.map(({ source, subject, next, ...rest }) => ({
      repository,
      source,
      subject,
      next,
      forgotten: 0,
      looked: rest.lastLook ?? 0,
      rest: JSON.stringify(rest),
    }));
    await db
      .insertInto("watch")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["repository", "source"]).doUpdateSet((row) => ({
          subject: row.ref("excluded.subject"),
          next: row
            .case()
            .when("watch.hurried", ">", row.ref("excluded.looked"))
            .then(row.ref("watch.hurried"))
            .else(row.ref("excluded.next"))
            .end(),
          forgotten: row.ref("excluded.forgotten"),
          looked: row.ref("excluded.looked"),
          hurried: 0,
          rest: row.ref("excluded.rest"),
        })),
      )
      .execute();
  }
}

export async function forget({ db, repository }: Scope, sources: readonly string[]): Promise<void> {
  for (const chunk of chunks(sources)) {
    await db
      .updateTable("watch")
      .set({ forgotten: 1 })
      .where("repository", "=", repository)
      .where("source", "in", chunk)
      .execute();
  }
}

/** Makes these sources due at once, except those that a look was begun at since. */
export async function hurry({ db, repository }: Scope, sources: readonly string[], at: Instant): Promise<void> {
  for (const chunk of chunks(sources)) {
    await db
      .updateTable("watch")
      .set(({ ref, case: either }) => ({
        next: either().when("next", ">", at).then(at).else(ref("next")).end(),
        hurried: at,
      }))
      .where("repository", "=", repository)
      .where("source", "in", chunk)
      .where("looked", "<=", at)
      .execute();
  }
}

/** Only what was remembered of the subject that is watched now: a source whose address changed starts anew. */
export async function memory({ db, repository }: Scope, source: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("memory")
    .innerJoin("watch", (join) =>
      join
        .onRef("watch.repository", "=", "memory.repository")
        .onRef("watch.source", "=", "memory.source")
        .onRef("watch.subject", "=", "memory.subject"),
    )
    .select("memory.memory")
    .where("memory.repository", "=", repository)
    .where("memory.source", "=", source)
    .executeTakeFirst();
  return row?.memory;
}

export async function saveMemory({ db, repository }: Scope, watch: Watch, memory: string): Promise<void> {
  const { source, subject } = watch;
  await db
    .insertInto("memory")
    .values({ repository, source, subject, memory })
    .onConflict((conflict) => conflict.columns(["repository", "source"]).doUpdateSet({ subject, memory }))
    .execute();
}
