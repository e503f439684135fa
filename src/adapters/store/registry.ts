import type { Kysely, Selectable } from "kysely";
import type { Instant } from "../../model/model.ts";
import type {
  Delivery,
  Registry,
  RepositoryChange,
  RepositoryState,
  WaitingDelivery,
} from "../../model/ports/index.ts";
import type { Scope, Tables } from "./tables.ts";

/** The rows beside each repository's own. `together` runs work as one transaction. */
export function registryOf(
  scope: () => Kysely<Tables>,
  together: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>,
): Registry {
  return {
    repositories: async () => {
      const rows = await scope().selectFrom("repository").selectAll().orderBy("name").execute();
      return rows.map(toState);
    },
    repository: async (id) => stateOf(scope(), id),
    revise: async (id, work) =>
      together(async (db) => {
        const state = work(await stateOf(db, id));
        if (state) await save(db, state);
      }),
    erase: async (id) =>
      together(async (db) => {
        const known = await db.selectFrom("repository").select("name").where("id", "=", id).executeTakeFirst();
        if (known) await eraseWhole(db, id, known.name);
      }),
    receive: async (delivery) => receive(scope(), delivery),
    deliveries: async (of) => waiting(scope(), of),
    news: async (delivery) => newsOfDelivery(scope(), delivery),
    finish: async (delivery) => finish(scope(), delivery),
    forgetDeliveries: async (before) => forgetDeliveries(scope(), before),
  };
}

async function stateOf(db: Kysely<Tables>, id: number): Promise<RepositoryState | undefined> {
  const row = await db.selectFrom("repository").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toState(row);
}

async function save(db: Kysely<Tables>, state: RepositoryState): Promise<void> {
  const { id, name } = state;
  const known = await db.selectFrom("repository").select("name").where("id", "=", id).executeTakeFirst();
  if (known?.name !== name) {
    // Another repository of this name does not have it any more; news of that one come by its number.
    const other = await db.selectFrom("repository").select("id").where("name", "=", name).executeTakeFirst();
    if (other) await eraseWhole(db, other.id, name);
    if (known) await rename(db, known.name, name);
  }
  const row = toRow(state);
  await db
    .insertInto("repository")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

async function eraseWhole(db: Kysely<Tables>, id: number, name: string): Promise<void> {
  await erase(db, name);
  await db.deleteFrom("delivery").where("repository", "=", id).execute();
  await db.deleteFrom("repository").where("id", "=", id).execute();
}

/** Changes what is known of the repository of this scope; of an unknown one nothing is changed. */
export async function updateRepository({ db, repository }: Scope, change: RepositoryChange): Promise<void> {
  const row = await db.selectFrom("repository").selectAll().where("name", "=", repository).executeTakeFirst();
  if (!row) return;
  const { id, ...values } = toRow({ ...toState(row), ...change });
  await db.updateTable("repository").set(values).where("id", "=", id).execute();
}

function toRow({ id, name, config, ...rest }: RepositoryState): Selectable<Tables["repository"]> {
  return { id, name, config: config ? JSON.stringify(config) : null, rest: JSON.stringify(rest) };
}

function toState({ id, name, config, rest }: Selectable<Tables["repository"]>): RepositoryState {
  return { id, name, ...JSON.parse(rest), ...(config !== null && { config: JSON.parse(config) }) };
}

/** Puts a delivery into the queue, and returns whether it is new. */
async function receive(
  db: Kysely<Tables>,
  { id, repository, installation, news, received }: Delivery,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("delivery")
    .values({ id, repository, installation, news, received, done: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** In the order in which they came, without their texts. `of`: those of a repository, or of an installation as a whole. */
async function waiting(
  db: Kysely<Tables>,
  of?: Pick<WaitingDelivery, "repository" | "installation">,
): Promise<WaitingDelivery[]> {
  const all = db
    .selectFrom("delivery")
    .select(["id", "repository", "installation", "received"])
    .where("done", "=", 0)
    .orderBy("number");
  const chosen = () => {
    if (!of) return all;
    if (of.repository !== undefined) return all.where("repository", "=", of.repository);
    return all.where("repository", "is", null).where("installation", "=", of.installation);
  };
  const rows = await chosen().execute();
  return rows.map(({ repository, ...rest }) => ({ ...rest, ...(repository !== null && { repository }) }));
}

/** The text of a delivery that waits. */
async function newsOfDelivery(db: Kysely<Tables>, id: string): Promise<string | undefined> {
  const one = db.selectFrom("delivery").select("news").where("id", "=", id).where("done", "=", 0);
  return (await one.executeTakeFirst())?.news;
}

/** Marks a delivery as done; its text is not kept. */
export async function finish(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable("delivery").set({ done: 1, news: "" }).where("id", "=", id).execute();
}

async function forgetDeliveries(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom("delivery").where("done", "=", 1).where("received", "<", before).execute();
}

/** Every table whose rows carry their repository; parents before what refers to them. */
const owned = [
  "watch",
  "memory",
  "snapshot",
  "look",
  "claim",
  "event_sighting",
  "archived_change",
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

/** Gives all rows of one repository to another that does not have any. */
export async function adopt(db: Kysely<Tables>, from: string, to: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await repositories(tx);
    if (known.includes(from) && !known.includes(to)) await rename(tx, from, to);
  });
}

/** Gives all rows of one name to another. Rows that had the new name before belonged to nobody, and go. */
async function rename(db: Kysely<Tables>, from: string, to: string): Promise<void> {
  await erase(db, to);
  for (const table of owned)
    await db.updateTable(table).set({ repository: to }).where("repository", "=", from).execute();
}

/** Deletes all rows of one name. */
async function erase(db: Kysely<Tables>, name: string): Promise<void> {
  await db.updateTable("recheck").set({ previous: null }).where("repository", "=", name).execute();
  for (const table of owned.toReversed()) await db.deleteFrom(table).where("repository", "=", name).execute();
}
