import type { Selectable } from "kysely";
import type { Instant } from "../../model.ts";
import type { RecheckChange, StoredRecheck } from "../../ports.ts";
import { chunks, columns, type Scope, type Tables } from "./tables.ts";

type Opening = Omit<StoredRecheck, "id">;

/** Oldest first. */
export async function rechecks({ db, repository }: Scope, state?: StoredRecheck["state"]): Promise<StoredRecheck[]> {
  const all = db.selectFrom("recheck").selectAll().where("repository", "=", repository).orderBy("id");
  return (await (state ? all.where("state", "=", state) : all).execute()).map(toRecheck);
}

/** Its number. A trigger has one open recheck at most. */
export async function openRecheck(scope: Scope, recheck: Opening, firings: readonly number[]): Promise<number> {
  if (recheck.state === "open" && (await rechecks(scope, "open")).some((other) => other.trigger === recheck.trigger)) {
    throw new Error(`trigger ${recheck.trigger} has an open recheck already`);
  }
  const { trigger, marker, ...rest } = recheck;
  const row = await scope.db
    .insertInto("recheck")
    .values({
      repository: scope.repository,
      trigger,
      marker,
      ...asColumns(rest),
      state: rest.state,
      opened: rest.opened,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await joinRecheck(scope, row.id, firings, recheck.opened);
  return row.id;
}

export async function joinRecheck(
  scope: Scope,
  recheck: number,
  firings: readonly number[],
  joined: Instant,
): Promise<void> {
  await mustExist(scope, recheck);
  const { db, repository } = scope;
  for (const chunk of chunks([...new Set(firings)])) {
    const { numUpdatedRows } = await db
      .updateTable("firing")
      .set(({ ref }) => ({ recheck, told: ref("weight"), joined }))
      .where("repository", "=", repository)
      .where("id", "in", chunk)
      .executeTakeFirst();
    if (Number(numUpdatedRows) !== chunk.length)
      throw new Error(`${repository} has not all of these firings: ${chunk}`);
  }
}

export async function updateRecheck({ db, repository }: Scope, id: number, change: RecheckChange): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("recheck")
    // The number itself stands first, so that a change of nothing is no mistake.
    .set({ id, ...asColumns(change) })
    .where("repository", "=", repository)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`${repository} has no recheck ${id}`);
}

export async function mustExist({ db, repository }: Scope, id: number): Promise<void> {
  const row = await db
    .selectFrom("recheck")
    .select("id")
    .where("repository", "=", repository)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new Error(`${repository} has no recheck ${id}`);
}

function toRecheck(row: Selectable<Tables["recheck"]>): StoredRecheck {
  return {
    id: row.id,
    trigger: row.trigger,
    state: row.state as StoredRecheck["state"],
    marker: row.marker,
    opened: row.opened,
    ...(row.issue !== null && { issue: row.issue }),
    ...(row.attempted !== null && { attempted: row.attempted }),
    ...(row.titled !== null && { titled: row.titled }),
    ...(row.closed !== null && { closed: row.closed }),
    ...(row.written !== null && { written: row.written }),
    ...(row.tells !== null && { tells: row.tells }),
    ...(row.refused !== null && { refused: JSON.parse(row.refused) }),
    ...(row.previous !== null && { previous: row.previous }),
    ...(row.snoozed !== null && { snoozed: row.snoozed === "next-event" ? row.snoozed : Number(row.snoozed) }),
    ...(row.dismissed !== null && { dismissed: row.dismissed }),
    ...(row.by !== null && { by: row.by }),
    ...(row.because !== null && { because: row.because }),
    ...(row.said !== null && { said: row.said }),
    ...(row.closing === 1 && { closing: true }),
    ...(row.gone === 1 && { gone: true }),
    ...(row.pull !== null && { pull: JSON.parse(row.pull) }),
  };
}

function asColumns(change: RecheckChange): Record<string, string | number | null> {
  const { snoozed, pull, refused, ...plain } = change;
  return {
    ...columns(plain),
    ...("snoozed" in change && columns({ snoozed: snoozed === undefined ? undefined : String(snoozed) })),
    ...("refused" in change && columns({ refused: refused && JSON.stringify(refused) })),
    ...("pull" in change && columns({ pull: pull && JSON.stringify(pull) })),
  };
}
