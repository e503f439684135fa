import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { Backlog, Waiting } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import type { Tables } from "./schema.ts";
import type { Engine } from "./tables.ts";

/**
 * Finds the recheck of a comment, if it is snoozed until later: such a comment waits on purpose. The column holds text:
 * the thirteen digits of an instant, or *next-event*.
 */
function asleep(query: ExpressionBuilder<Tables, "comment">, at: Instant) {
  return query
    .selectFrom("recheck")
    .select("recheck.id")
    .whereRef("recheck.id", "=", "comment.recheck")
    .where("recheck.state", "=", "open")
    .where("recheck.snoozed", ">", String(at))
    .where("recheck.snoozed", "<", "a");
}

/** Counts the waiting work at a time, for all repositories. */
export async function backlogOf(db: Kysely<Tables>, engine: Engine, at: Instant): Promise<Backlog> {
  const standing = engine.field<string>("repository.rest", "standing");
  const planned = sql<number>`cast(${engine.field("message.rest", "planned")} as bigint)`;
  const unwatched = engine.field<unknown>("repository.rest", "unwatched");
  /** Tables that also contain rows of repositories without the App: those rows have a name instead of a number. */
  type Rows = "watch" | "recheck" | "comment" | "message";
  const servedWhere =
    (isAsked: (states: SelectQueryBuilder<Tables, "repository", { key: string }>) => typeof states) =>
    <T extends Rows>(query: ExpressionBuilder<Tables, T>) => {
      const key = sql<string>`cast(repository.id as text)`;
      const states = (query as unknown as ExpressionBuilder<Tables, never>)
        .selectFrom("repository")
        .select(key.as("key"));
      const mine = sql.ref<string>("repository");
      return query.or([query(mine, "not in", states as never), query(mine, "in", isAsked(states) as never)]);
    };
  /** Only rows of active repositories. */
  const isServed = servedWhere((states) => states.where(standing, "=", "active"));
  /** Only rows of repositories with watched sources: others only get replies. */
  const isWatched = servedWhere((states) => states.where(standing, "=", "active").where(unwatched, "is", null));
  const count = sql<number>`count(*)`.as("n");
  const waiting = async (query: { executeTakeFirstOrThrow(): Promise<{ n: number; since: number | null }> }) => {
    const { n, since } = await query.executeTakeFirstOrThrow();
    const found: Waiting = { count: Number(n), ...(since !== null && { since: Number(since) }) };
    return found;
  };
  const since = (of: ReturnType<typeof sql>) => sql<number | null>`min(${of})`.as("since");
  const looks = db.selectFrom("watch").where("forgotten", "=", 0).where("next", "<=", at).where(isWatched);
  const issues = db.selectFrom("recheck").where("state", "=", "planned").where(isWatched);
  const comments = db
    .selectFrom("comment")
    .where("done", "=", 0)
    .where((one) => one.or([isWatched(one), one.and([one("recheck", "is", null), isServed(one)])]))
    .where((one) => one.not(one.exists(asleep(one, at))));
  const messages = db.selectFrom("message").where("state", "=", "waiting").where(isWatched);
  const deliveries = db.selectFrom("delivery").where("done", "=", 0);
  const standings = await db
    .selectFrom("repository")
    .select([standing.as("standing"), count])
    .groupBy(standing)
    .execute();
  const all = db.selectFrom("watch").where("forgotten", "=", 0).where("looked", "<=", at).where(isWatched);
  const { last } = await all.select(sql<number | null>`max(looked)`.as("last")).executeTakeFirstOrThrow();
  return {
    checks: {
      ...(await waiting(looks.select([count, since(sql`next`)]))),
      ...(last && { last: Number(last) }),
    },
    outbox: {
      issue: await waiting(issues.select([count, since(sql`opened`)])),
      comment: await waiting(comments.select([count, since(sql`coalesce(planned, attempted)`)])),
      message: await waiting(messages.select([count, since(planned)])),
    },
    deliveries: await waiting(deliveries.select([count, since(sql`received`)])),
    repositories: Object.fromEntries(standings.map(({ standing, n }) => [standing, Number(n)])),
  };
}
