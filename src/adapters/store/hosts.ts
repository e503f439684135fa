import type { Kysely } from "kysely";
import type { HostMemory } from "../../model/ports/index.ts";
import { aDay } from "../../model/time.ts";
import type { Engine, Tables } from "./tables.ts";

/** Rules of robots.txt that were confirmed longer ago are of no use to anybody. */
export const robotsKeptFor = 31 * aDay;

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
      await scope()
        .deleteFrom("robots")
        .where("read", "<=", now - robotsKeptFor)
        .execute();
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
