import { type Expression, type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Backlog, Waiting } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import type { Tables } from "./schema.ts";
import type { Engine } from "./tables.ts";

/** The recheck of a comment, if it is snoozed until later. The column has digits of an instant, or *next-event*. */
function snoozedRecheck(query: ExpressionBuilder<Tables, "comment">, at: Instant) {
  return query
    .selectFrom("recheck")
    .select("recheck.id")
    .whereRef("recheck.id", "=", "comment.recheck")
    .where("recheck.state", "=", "open")
    .where("recheck.snoozed", ">", String(at))
    .where("recheck.snoozed", "<", "a");
}

export async function backlogOf(db: Kysely<Tables>, engine: Pick<Engine, "field">, at: Instant): Promise<Backlog> {
  const standing = engine.field<string>("repository.rest", "standing");
  const planned = sql<number>`cast(${engine.field("message.rest", "planned")} as bigint)`;
  const states = db.selectFrom("repository").select(sql<string>`cast(repository.id as text)`.as("key"));
  const inactive = states.where(standing, "<>", "active");
  // Those without watched sources only get replies.
  const resting = inactive.union(states.where(engine.field("repository.rest", "unwatched"), "is not", null));
  /** Rows of all other repositories, also of those without the App, whose key is a name. */
  const outside =
    (keys: typeof inactive) =>
    <T extends "recheck" | "comment" | "message">(one: ExpressionBuilder<Tables, T>) =>
      one(sql.ref<string>("repository"), "not in", keys);
  const isWatched = outside(resting);
  const count = sql<number>`count(*)`.as("n");
  const since = (of: ReturnType<typeof sql>) => sql<number | null>`min(${of})`.as("since");
  const issues = db.selectFrom("recheck").where("state", "=", "planned").where(isWatched);
  const comments = db
    .selectFrom("comment")
    .where("done", "=", 0)
    .where((one) => one.or([isWatched(one), one.and([one("recheck", "is", null), outside(inactive)(one)])]))
    .where((one) => one.not(one.exists(snoozedRecheck(one, at))));
  const messages = db.selectFrom("message").where("state", "=", "waiting").where(isWatched);
  const deliveries = db.selectFrom("delivery").where("done", "=", 0);
  const standings = await db
    .selectFrom("repository")
    .select([standing.as("standing"), count])
    .groupBy(standing)
    .execute();
  const { last, ...due } = await checksDue(db, resting, at);
  return {
    checks: { ...toWaiting(due), ...(last !== null && { last: Number(last) }) },
    outbox: {
      issue: await countWaiting(issues.select([count, since(sql`opened`)])),
      comment: await countWaiting(comments.select([count, since(sql`coalesce(planned, attempted)`)])),
      message: await countWaiting(messages.select([count, since(planned)])),
    },
    deliveries: await countWaiting(deliveries.select([count, since(sql`received`)])),
    repositories: Object.fromEntries(standings.map(({ standing, n }) => [standing, Number(n)])),
  };
}

interface Counted {
  readonly n: number;
  readonly since: number | null;
}

async function countWaiting(query: { executeTakeFirstOrThrow(): Promise<Counted> }): Promise<Waiting> {
  return toWaiting(await query.executeTakeFirstOrThrow());
}

function toWaiting({ n, since }: Counted): Waiting {
  return { count: Number(n), ...(since !== null && { since: Number(since) }) };
}

/** The due checks, and when the last one began. Finds each repository and its due rows by index, and reads no others. */
async function checksDue(db: Kysely<Tables>, resting: Expression<unknown>, at: Instant) {
  const watch = sql.table("watch");
  const rowsOfEach = sql`from ${watch} where repository = each.repository and forgotten = 0`;
  const { rows } = await sql<Counted & { readonly last: number | null }>`
    with recursive each(repository) as (
      select min(repository) from ${watch} union all
      select (select min(repository) from ${watch} where repository > each.repository) from each where repository is not null
    )
    select coalesce(sum(n), 0) as n, min(since) as since, max(last) as last from (
      select (select count(*) ${rowsOfEach} and next <= ${at}) as n,
        (select min(next) ${rowsOfEach} and next <= ${at}) as since,
        (select max(looked) ${rowsOfEach} and looked between 1 and ${at}) as last
      from each where repository not in (${resting})
    ) as counted`.execute(db);
  return rows[0] ?? { n: 0, since: null, last: null };
}
