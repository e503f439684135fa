import type { Selectable } from "kysely";
import type { Instant } from "../../model.ts";
import type { StoredComment } from "../../ports.ts";
import { mustExist } from "./rechecks.ts";
import { columns, type Scope, type Tables } from "./tables.ts";

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
