import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Every table whose rows carry their repository; parents before what refers to them. */
const owned = [
  "watch",
  "memory",
  "snapshot",
  "look",
  "claim",
  "event_sighting",
  "recheck",
  "firing",
  "evidence",
  "answer",
  "comment",
  "creation",
] as const satisfies readonly (keyof Tables)[];

/** The repositories that something is remembered of. */
export async function repositories(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom("watch").select("repository").distinct().execute();
  return rows.map(({ repository }) => repository);
}

/** Gives all rows of one repository to another that has none. */
export async function adopt(db: Kysely<Tables>, from: string, to: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await repositories(tx);
    if (known.includes(from) && !known.includes(to)) await rename(tx, from, to);
  });
}

/** Gives all rows of one name to another. What was kept under that before belonged to nobody, and goes. */
export async function rename(db: Kysely<Tables>, from: string, to: string): Promise<void> {
  await erase(db, to);
  for (const table of owned)
    await db.updateTable(table).set({ repository: to }).where("repository", "=", from).execute();
}

/** Deletes all rows of one name. */
export async function erase(db: Kysely<Tables>, name: string): Promise<void> {
  await db.updateTable("recheck").set({ previous: null }).where("repository", "=", name).execute();
  for (const table of owned.toReversed()) await db.deleteFrom(table).where("repository", "=", name).execute();
}
