import type { Selectable } from "kysely";
import type { Instant } from "../../model/model.ts";
import type { RecheckChange, StoredAnswer, StoredComment, StoredRecheck } from "../../model/ports/index.ts";
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

async function mustExist({ db, repository }: Scope, id: number): Promise<void> {
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

/** Those that count, oldest first; or those that a pull request took along. */
export async function answers({ db, repository }: Scope, taken = false): Promise<StoredAnswer[]> {
  const rows = await db
    .selectFrom("answer")
    .selectAll()
    .where("repository", "=", repository)
    .where("pull", taken ? "is not" : "is", null)
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(toAnswer);
}

export async function addAnswers(scope: Scope, answers: readonly Omit<StoredAnswer, "id">[]): Promise<void> {
  for (const { recheck, rating, verdict, level, because, by, at, settled, comment } of answers) {
    await mustExist(scope, recheck);
    await scope.db
      .insertInto("answer")
      .values({ repository: scope.repository, recheck, rating, verdict, level, because, by, at, settled, comment })
      .execute();
  }
}

export async function settleAnswers({ db, repository }: Scope, ids: readonly number[], at: Instant): Promise<void> {
  for (const chunk of chunks(ids)) {
    await db
      .updateTable("answer")
      .set({ settled: at })
      .where("repository", "=", repository)
      .where("id", "in", chunk)
      .execute();
  }
}

export async function withdrawAnswers({ db, repository }: Scope, ids: readonly number[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    await db.deleteFrom("answer").where("repository", "=", repository).where("id", "in", chunk).execute();
  }
}

export async function setAside(
  { db, repository }: Scope,
  ids: readonly number[],
  pull: number | undefined,
): Promise<void> {
  for (const chunk of chunks(ids)) {
    await db
      .updateTable("answer")
      .set({ pull: pull ?? null })
      .where("repository", "=", repository)
      .where("id", "in", chunk)
      .execute();
  }
}

function toAnswer(row: Selectable<Tables["answer"]>): StoredAnswer {
  const { id, recheck, rating, by, at } = row;
  return {
    id,
    recheck,
    rating,
    verdict: row.verdict as StoredAnswer["verdict"],
    by,
    at,
    ...(row.level !== null && { level: row.level }),
    ...(row.because !== null && { because: row.because }),
    ...(row.settled !== null && { settled: row.settled }),
    ...(row.comment !== null && { comment: row.comment }),
    ...(row.pull !== null && { aside: row.pull }),
  };
}

type CommentChange = Partial<Pick<StoredComment, "attempted" | "done">>;

/** Oldest first. */
export async function comments({ db, repository }: Scope, done: boolean): Promise<StoredComment[]> {
  const rows = await db
    .selectFrom("comment")
    .selectAll()
    .where("repository", "=", repository)
    .where("done", "=", Number(done))
    .orderBy("id")
    .execute();
  return rows.map(toComment);
}

export async function addComment(scope: Scope, comment: Omit<StoredComment, "id">): Promise<number> {
  const { recheck, issue, marker, body, attempted, done } = comment;
  if (recheck !== undefined) await mustExist(scope, recheck);
  const row = await scope.db
    .insertInto("comment")
    .values({ repository: scope.repository, recheck, issue, marker, body, attempted, done: Number(done) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Whether a marker is known. */
export async function isSaid({ db, repository }: Scope, marker: string): Promise<boolean> {
  const known = await db
    .selectFrom("comment")
    .select("id")
    .where("repository", "=", repository)
    .where("marker", "=", marker)
    .executeTakeFirst();
  return known !== undefined;
}

/** Adds a comment, unless its marker is known. */
export async function say(scope: Scope, comment: Omit<StoredComment, "id">): Promise<void> {
  if (!(await isSaid(scope, comment.marker))) await addComment(scope, comment);
}

export async function updateComment({ db, repository }: Scope, id: number, change: CommentChange): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("comment")
    .set({ id, ...columns(change) })
    .where("repository", "=", repository)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`${repository} has no comment ${id}`);
}

/** At `since` or later. */
export async function creations({ db, repository }: Scope, since: Instant): Promise<number> {
  const row = await db
    .selectFrom("creation")
    .select((count) => count.fn.countAll<number>().as("count"))
    .where("repository", "=", repository)
    .where("at", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function countCreation({ db, repository }: Scope, at: Instant): Promise<void> {
  await db.insertInto("creation").values({ repository, at }).execute();
}

function toComment(row: Selectable<Tables["comment"]>): StoredComment {
  const { id, recheck, issue, marker, body, attempted, done } = row;
  return {
    id,
    marker,
    body,
    done: done === 1,
    ...(recheck !== null && { recheck }),
    ...(issue !== null && { issue }),
    ...(attempted !== null && { attempted }),
  };
}
