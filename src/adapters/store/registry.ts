import { type Kysely, type Selectable, sql } from "kysely";
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
    erase: async (id) => together((db) => eraseWhole(db, id)),
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
  await displace(db, state);
  const row = toRow(state);
  await db
    .insertInto("repository")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/**
 * Another repository that is known by this name does not have it any more. Nothing is asked of it by that name, and all
 * that is remembered of it is kept, until news of it come by its number.
 */
async function displace(
  db: Kysely<Tables>,
  { id, name, standing, since, described = since }: RepositoryState,
): Promise<void> {
  if (standing === "removed") return;
  const rows = await rowsNamed(db, name);
  for (const other of rows.map(toState).filter((one) => one.id !== id && one.standing !== "removed")) {
    const removed = toRow({ ...other, standing: "removed", since: Math.max(since, described) });
    await db.updateTable("repository").set(removed).where("id", "=", other.id).execute();
  }
}

/** GitHub's names are the same in capital letters. */
function rowsNamed(db: Kysely<Tables>, name: string): Promise<Selectable<Tables["repository"]>[]> {
  return db.selectFrom("repository").selectAll().where(sql`name collate nocase`, "=", name).execute();
}

async function eraseWhole(db: Kysely<Tables>, id: number): Promise<void> {
  await erase(db, String(id));
  await db.deleteFrom("delivery").where("repository", "=", id).execute();
  await db.deleteFrom("repository").where("id", "=", id).execute();
}

/** Changes what is known of the repository of this scope; of one that no App serves nothing is. */
export async function updateRepository({ db, repository }: Scope, change: RepositoryChange): Promise<void> {
  const row = await db.selectFrom("repository").selectAll().where("id", "=", Number(repository)).executeTakeFirst();
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
  "message",
  "attempt",
] as const satisfies readonly (keyof Tables)[];

/** The repositories that something is remembered of, as they are called now. */
export async function repositories(db: Kysely<Tables>): Promise<string[]> {
  const keys = await db.selectFrom("watch").select("repository").distinct().execute();
  const states = await db.selectFrom("repository").select(["id", "name"]).execute();
  const names = new Map(states.map(({ id, name }) => [String(id), name]));
  return [...new Set(keys.map(({ repository }) => names.get(repository) ?? repository))];
}

/** The key that the rows of a repository carry: the number of one that an App serves, the name of any other. */
export async function rowKeyOf(db: Kysely<Tables>, name: string): Promise<string> {
  const states = (await rowsNamed(db, name)).map(toState);
  const found = states.find(({ standing }) => standing !== "removed") ?? states[0];
  return found ? String(found.id) : name;
}

/** Gives all rows of one repository to another that does not have any. */
export async function adopt(db: Kysely<Tables>, from: string, to: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom("watch").select("repository").distinct().execute();
    const has = (key: string) => known.some(({ repository }) => repository === key);
    if (!has(from) || has(to)) return;
    // Rows that had the new key before belonged to nobody.
    await erase(tx, to);
    for (const table of owned)
      await tx.updateTable(table).set({ repository: to }).where("repository", "=", from).execute();
  });
}

/** Deletes all rows of one repository. */
async function erase(db: Kysely<Tables>, key: string): Promise<void> {
  await db.updateTable("recheck").set({ previous: null }).where("repository", "=", key).execute();
  for (const table of owned.toReversed()) await db.deleteFrom(table).where("repository", "=", key).execute();
}
