import type { Selectable } from "kysely";
import type { Instant } from "../../model.ts";
import type { StoredAnswer } from "../../ports.ts";
import { mustExist } from "./rechecks.ts";
import { chunks, type Scope, type Tables } from "./tables.ts";

/** Those that count, oldest first; or those that were set aside. */
export async function answers({ db, repository }: Scope, aside = false): Promise<StoredAnswer[]> {
  const rows = await db
    .selectFrom("answer")
    .selectAll()
    .where("repository", "=", repository)
    .where("aside", aside ? "is not" : "is", null)
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
      .set({ aside: pull ?? null })
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
    ...(row.aside !== null && { aside: row.aside }),
  };
}
