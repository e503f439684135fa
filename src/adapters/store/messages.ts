import type { Selectable } from "kysely";
import type { MessageChange, MessageState, NewMessage, StoredMessage } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";
import { changeIn, columns, rowsIn, type Scope, withoutNulls } from "./tables.ts";

/** Fields that are only read back. */
type Rest = Pick<StoredMessage, "planned" | "tries" | "says" | "firings" | "message">;

export const messageReads = { messages };
export const messageWrites = { addMessages, updateMessage };

/** Oldest first. */
async function messages(scope: Scope): Promise<StoredMessage[]> {
  return (await rowsIn(scope, "message").selectAll().orderBy("id").execute()).map(toMessage);
}

async function addMessages({ db, repository }: Scope, messages: readonly NewMessage[]): Promise<void> {
  for (const { channel, key, planned, firings, message } of messages) {
    const rest: Rest = { planned, tries: 0, firings, message };
    await db
      .insertInto("message")
      .values({ repository, channel, key, state: "waiting", next: planned, rest: JSON.stringify(rest) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function updateMessage(scope: Scope, id: number, change: MessageChange): Promise<void> {
  const row = await rowsIn(scope, "message").select("rest").where("id", "=", id).executeTakeFirst();
  if (!row) throw new Error(`${scope.repository} has no message ${id}`);
  const { state, next, attempted, ...rest } = change;
  const set = {
    rest: JSON.stringify({ ...JSON.parse(row.rest), ...rest }),
    ...(state !== undefined && { state }),
    ...(next !== undefined && { next }),
    ...("attempted" in change && columns({ attempted })),
  };
  await changeIn(scope, "message").set(set).where("id", "=", id).execute();
}

function toMessage({ id, channel, key, state, next, attempted, rest }: Selectable<Tables["message"]>): StoredMessage {
  const known: Rest = JSON.parse(rest);
  return { id, channel, key, next, state: state as MessageState, ...withoutNulls({ attempted }), ...known };
}
