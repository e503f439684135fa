import type { Selectable } from "kysely";
import type { MessageChange, MessageState, NewMessage, StoredMessage } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";
import { columns, type Scope } from "./tables.ts";

/** Fields that are only read back. */
type Rest = Pick<StoredMessage, "planned" | "tries" | "says" | "firings" | "message">;

/** Oldest first. */
export async function storedMessages({ db, repository }: Scope): Promise<StoredMessage[]> {
  const all = db.selectFrom("message").selectAll().where("repository", "=", repository).orderBy("id");
  return (await all.execute()).map(toMessage);
}

export async function addMessages({ db, repository }: Scope, messages: readonly NewMessage[]): Promise<void> {
  for (const { channel, key, planned, firings, message } of messages) {
    const rest: Rest = { planned, tries: 0, firings, message };
    await db
      .insertInto("message")
      .values({ repository, channel, key, state: "waiting", next: planned, rest: JSON.stringify(rest) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function updateMessage({ db, repository }: Scope, id: number, change: MessageChange): Promise<void> {
  const row = await db
    .selectFrom("message")
    .select("rest")
    .where("repository", "=", repository)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new Error(`${repository} has no message ${id}`);
  const { state, next, attempted, ...rest } = change;
  const known: Rest = { ...JSON.parse(row.rest), ...rest };
  await db
    .updateTable("message")
    .set({
      rest: JSON.stringify(known),
      ...(state !== undefined && { state }),
      ...(next !== undefined && { next }),
      ...("attempted" in change && columns({ attempted })),
    })
    .where("id", "=", id)
    .execute();
}

function toMessage({ id, channel, key, state, next, attempted, rest }: Selectable<Tables["message"]>): StoredMessage {
  const known: Rest = JSON.parse(rest);
  return {
    id,
    channel,
    key,
    next,
    state: state as MessageState,
    ...(attempted !== null && { attempted }),
    ...known,
  };
}
