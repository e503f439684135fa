import type { Kysely, Selectable } from "kysely";
import type { Registry, RepositoryChange, RepositoryState } from "../../ports.ts";
import { erase, rename } from "./adopt.ts";
import { finish, forgetDeliveries, receive, waiting } from "./deliveries.ts";
import type { Scope, Tables } from "./tables.ts";

/** What is remembered beside each repository's own. `together`: runs as one transaction. */
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
    deliveries: async (repository) => waiting(scope(), repository),
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
    // Who had the name before has it no more, and news of it would have come by its number.
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

/** Changes what is known of the repository of this scope; a change of an unknown one is none. */
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
