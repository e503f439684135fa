import type { Kysely } from "kysely";
import type { Instant } from "../../model.ts";
import type { Delivery } from "../../ports.ts";
import type { Tables } from "./tables.ts";

/** Whether it is new. */
export async function receive(db: Kysely<Tables>, { id, repository, news, received }: Delivery): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("delivery")
    .values({ id, repository, news, received, done: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** In the order in which they came. */
export async function waiting(db: Kysely<Tables>, repository?: number): Promise<Delivery[]> {
  const all = db.selectFrom("delivery").selectAll().where("done", "=", 0).orderBy("number");
  const rows = await (repository === undefined ? all : all.where("repository", "=", repository)).execute();
  return rows.map(({ id, repository, news, received }) => ({
    id,
    news,
    received,
    ...(repository !== null && { repository }),
  }));
}

/** What it told is not kept. */
export async function finish(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable("delivery").set({ done: 1, news: "" }).where("id", "=", id).execute();
}

export async function forgetDeliveries(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom("delivery").where("done", "=", 1).where("received", "<", before).execute();
}
