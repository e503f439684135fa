import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Instant } from "../../model/model.ts";
import type { Backlog, Waiting } from "../../model/ports/index.ts";
import type { Engine, Tables } from "./tables.ts";

/** Counts what waits at a time, of all repositories. */
export async function backlogOf(db: Kysely<Tables>, engine: Engine, at: Instant): Promise<Backlog> {
  const standing = engine.field<string>("repository.rest", "standing");
  const planned = sql<number>`cast(${engine.field("message.rest", "planned")} as bigint)`;
  /** Repositories that rest are asked nothing. Rows under a name are of one that no App serves. */
  const isServed = <T extends "watch" | "recheck" | "comment" | "message">(query: ExpressionBuilder<Tables, T>) => {
    const key = sql<string>`cast(repository.id as text)`;
    const states = (query as unknown as ExpressionBuilder<Tables, never>)
      .selectFrom("repository")
      .select(key.as("key"));
    const mine = sql.ref<string>("repository");
    return query.or([
      query(mine, "not in", states as never),
      query(mine, "in", states.where(standing, "=", "active") as never),
    ]);
  };
  const count = sql<number>`count(*)`.as("n");
  const waiting = async (query: { executeTakeFirstOrThrow(): Promise<{ n: number; since: number | null }> }) => {
    const { n, since } = await query.executeTakeFirstOrThrow();
    const found: Waiting = { count: Number(n), ...(since !== null && { since: Number(since) }) };
    return found;
  };
  const since = (of: ReturnType<typeof sql>) => sql<number | null>`min(${of})`.as("since");
  const looks = db.selectFrom("watch").where("forgotten", "=", 0).where("next", "<=", at).where(isServed);
  const issues = db.selectFrom("recheck").where("state", "=", "planned").where(isServed);
  const comments = db.selectFrom("comment").where("done", "=", 0).where(isServed);
  const messages = db.selectFrom("message").where("state", "=", "waiting").where(isServed);
  const deliveries = db.selectFrom("delivery").where("done", "=", 0);
  const standings = await db
    .selectFrom("repository")
    .select([standing.as("standing"), count])
    .groupBy(standing)
    .execute();
  return {
    looks: await waiting(looks.select([count, since(sql`next`)])),
    outbox: {
      issue: await waiting(issues.select([count, since(sql`opened`)])),
      comment: await waiting(comments.select([count, since(sql`attempted`)])),
      message: await waiting(messages.select([count, since(planned)])),
    },
    deliveries: await waiting(deliveries.select([count, since(sql`received`)])),
    repositories: Object.fromEntries(standings.map(({ standing, n }) => [standing, Number(n)])),
  };
}
