import type { Selectable } from "kysely";
import {
  isAsking,
  isOver,
  type NewRecheck,
  type RecheckChange,
  type RecheckState,
  type StoredAnswer,
  type StoredComment,
  type StoredRecheck,
  type WholeVerdict,
} from "../../model/ports/index.ts";
import { aDay, type Instant } from "../../model/time.ts";
import type { Tables } from "./schema.ts";
import { chunks, columns, type Scope } from "./tables.ts";

/** Oldest first. */
export async function storedRechecks({ db, repository }: Scope): Promise<StoredRecheck[]> {
  const all = db.selectFrom("recheck").selectAll().where("repository", "=", repository).orderBy("id");
  return (await all.execute()).map(toRecheck);
}

/** Stores a new recheck and returns its number. @throws Error if another one of its trigger is still open */
export async function openRecheck(scope: Scope, recheck: NewRecheck, firings: readonly number[]): Promise<number> {
  const others = isAsking(recheck) ? (await storedRechecks(scope)).filter(isAsking) : [];
  if (others.some(({ trigger }) => trigger === recheck.trigger)) {
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
    // The number comes first, so that an empty change is valid.
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
    marker: row.marker,
    opened: row.opened,
    ...(row.attempted !== null && { attempted: row.attempted }),
    ...(row.titled !== null && { titled: row.titled }),
    ...(row.written !== null && { written: row.written }),
    ...(row.tells !== null && { tells: row.tells }),
    ...(row.refused !== null && { refused: JSON.parse(row.refused) }),
    ...(row.previous !== null && { previous: row.previous }),
    ...(row.said !== null && { said: row.said }),
    ...(row.pull !== null && { pull: JSON.parse(row.pull) }),
    ...stateOf(row),
  };
}

function stateOf(row: Selectable<Tables["recheck"]>): RecheckState {
  const state = row.state as RecheckState["state"];
  const { snoozed, closed } = row;
  const issue = row.issue ?? undefined;
  const numbered = issue !== undefined && { issue };
  if (state === "queued") return { state };
  if (state === "planned") return { state };
  if (state === "open" && issue !== undefined) {
    if (snoozed === null) return { state, issue };
    return { state, issue, snoozed: snoozed === "next-event" ? snoozed : Number(snoozed) };
  }
  if (state === "open" || closed === null)
    throw new Error(`recheck ${row.id} is ${state} without what belongs to that`);
  const verdict = row.verdict !== null && { verdict: JSON.parse(row.verdict) as WholeVerdict };
  if (state === "closing") return { state, ...numbered, closed, ...verdict };
  return { state, ...numbered, closed, ...verdict, ...(row.gone === 1 && { gone: true }) };
}

function asColumns(change: RecheckChange): Record<string, string | number | null> {
  const { attempted, titled, written, tells, previous, said, opened } = change;
  const named = { attempted, titled, written, tells, previous, said, opened };
  return {
    ...columns(Object.fromEntries(Object.entries(named).filter(([name]) => name in change))),
    ...("refused" in change && columns({ refused: change.refused && JSON.stringify(change.refused) })),
    ...("pull" in change && columns({ pull: change.pull && JSON.stringify(change.pull) })),
    ...(change.state !== undefined && stateColumns(change)),
  };
}

/** Empties the columns that belong to another state. */
function stateColumns(change: RecheckState): Record<string, string | number | null> {
  const snoozed = change.state === "open" ? change.snoozed : undefined;
  const verdict = isOver(change) ? change.verdict : undefined;
  return columns({
    state: change.state,
    issue: change.issue,
    snoozed: snoozed === undefined ? undefined : String(snoozed),
    closed: isOver(change) ? change.closed : undefined,
    verdict: verdict && JSON.stringify(verdict),
    gone: change.state === "closed" ? change.gone : undefined,
  });
}

/** Those that count, oldest first; or those that a pull request suspended. */
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

export async function suspend(
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
    ...(row.pull !== null && { suspendedBy: row.pull }),
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
  const { recheck, issue, marker, body, planned, attempted, done } = comment;
  if (recheck !== undefined) await mustExist(scope, recheck);
  const row = await scope.db
    .insertInto("comment")
    .values({ repository: scope.repository, recheck, issue, marker, body, planned, attempted, done: Number(done) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function isSaid({ db, repository }: Scope, marker: string): Promise<boolean> {
  const row = await db
    .selectFrom("comment")
    .select("id")
    .where("repository", "=", repository)
    .where("marker", "=", marker)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a comment, unless its marker exists. */
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

/** The number of creations at `since` or later, and not after `until`. */
export async function creations(
  { db, repository }: Scope,
  since: Instant,
  until = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const row = await db
    .selectFrom("creation")
    .select((count) => count.fn.countAll<number>().as("count"))
    .where("repository", "=", repository)
    .where("at", ">=", since)
    .where("at", "<=", until)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** They are counted by the hour. */
const creationsKeptFor = aDay;

export async function countCreation({ db, repository }: Scope, at: Instant): Promise<void> {
  await db.insertInto("creation").values({ repository, at }).execute();
  const old = at - creationsKeptFor;
  await db.deleteFrom("creation").where("repository", "=", repository).where("at", "<", old).execute();
}

function toComment(row: Selectable<Tables["comment"]>): StoredComment {
  const { id, recheck, issue, marker, body, planned, attempted, done } = row;
  return {
    id,
    marker,
    body,
    done: done === 1,
    ...(recheck !== null && { recheck }),
    ...(issue !== null && { issue }),
    ...(planned !== null && { planned }),
    ...(attempted !== null && { attempted }),
  };
}
