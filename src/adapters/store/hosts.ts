import { type Kysely, sql } from "kysely";
import type { Instant } from "../../model/model.ts";
import type { HostMemory } from "../../model/ports/index.ts";
import { aDay } from "../../model/time.ts";
import type { Engine, Tables } from "./tables.ts";

/** Rules of robots.txt that were confirmed longer ago are of no use to anybody. */
const robotsKeptFor = 31 * aDay;
/** Bytes of such rules that are kept of all hosts together; those that were read last stay. */
const maxRobotsBytes = 64 * 2 ** 20;

/** Of one row of such rules, in SQL that every store understands. */
export const bytesOfRobots = "octet_length(rules) + octet_length(origin) + coalesce(octet_length(etag), 0)";

/** Everything that is remembered of hosts, by all repositories alike. */
export function hostMemoryOf(scope: () => Kysely<Tables>, engine: Engine): HostMemory {
  return {
    rests: async () => scope().selectFrom("host_rest").selectAll().execute(),

    async saveRest(rest) {
      const { until, status } = rest;
      await scope()
        .insertInto("host_rest")
        .values(rest)
        .onConflict((conflict) => conflict.column("host").doUpdateSet({ until, status }))
        .execute();
    },

    turns: async () => scope().selectFrom("host_turn").selectAll().execute(),

    async saveTurns(turns) {
      await scope()
        .transaction()
        .execute(async (db) => {
          await db.deleteFrom("host_turn").execute();
          for (const turn of turns) await db.insertInto("host_turn").values(turn).execute();
        });
    },

    async forget(now) {
      await scope().deleteFrom("host_rest").where("until", "<=", now).execute();
      await forgetRobots(scope(), now);
    },

    async robots(product, origin) {
      const row = await scope()
        .selectFrom("robots")
        .selectAll()
        .where("product", "=", product)
        .where("origin", "=", origin)
        .executeTakeFirst();
      if (!row) return undefined;
      const { rules, read, etag, modified } = row;
      const validators = { etag: etag ?? undefined, lastModified: modified ?? undefined };
      return { product, origin, rules, read, validators };
    },

    async saveRobots({ product, origin, rules, read, validators }) {
      const found = { rules, read, etag: validators.etag ?? null, modified: validators.lastModified ?? null };
      // It can be asked for again.
      await engine.unsynced(scope(), async (db) => {
        await db
          .insertInto("robots")
          .values({ product, origin, ...found })
          .onConflict((conflict) => conflict.columns(["product", "origin"]).doUpdateSet(found))
          .execute();
      });
    },
  };
}

/** Forgets what nobody has read for a month, and the oldest beyond what is kept of all together. */
export async function forgetRobots(database: Kysely<Tables>, now: Instant): Promise<void> {
  const total = sql<number>`sum(${sql.raw(bytesOfRobots)}) over (order by read desc)`.as("total");
  const summed = database.selectFrom("robots").select(["read", total]).as("summed");
  const tooMany = await database
    .selectFrom(summed)
    .select(({ fn }) => fn.max("read").as("read"))
    .where("total", ">", maxRobotsBytes)
    .executeTakeFirst();
  const until = Math.max(now - robotsKeptFor, tooMany?.read ?? -Infinity);
  await database.deleteFrom("robots").where("read", "<=", until).execute();
}
