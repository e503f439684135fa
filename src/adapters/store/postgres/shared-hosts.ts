import { type Kysely, sql } from "kysely";
import type { Duration } from "../../../model/model.ts";
import type { HostMemory } from "../../../model/ports/index.ts";
import type { Tables } from "../tables.ts";

/** Whoever has a turn and gives no sign has it for so long. */
const longestTurn: Duration = 35_000;

/** The time of the server, in milliseconds since 1970 UTC: the clocks of processes may differ. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Hosts as many processes ask them: one of them at a time, and a pause between, whoever asks. */
export function sharedHostsOf(hosts: HostMemory, database: Kysely<Tables>): HostMemory {
  return {
    ...hosts,
    // Turns are taken one by one, and end by themselves.
    turns: async () => [],
    saveTurns: async () => {},

    async take(host) {
      const rest = await database.selectFrom("host_rest").selectAll().where("host", "=", host).executeTakeFirst();
      if (rest && rest.until > Date.now()) return { wait: longestTurn, rest };
      const taken =
        await sql`insert into ${sql.table("host_turn")} as turn (host, at) values (${host}, ${now} + ${longestTurn})
        on conflict (host) do update set at = excluded.at where turn.at <= ${now} returning 1`.execute(database);
      if (taken.rows.length > 0) return { wait: 0 };
      const { rows } = await sql<{ wait: number }>`select at - ${now} as wait from ${sql.table("host_turn")}
        where host = ${host}`.execute(database);
      return { wait: Math.max(1, rows[0]?.wait ?? 1) };
    },

    async leave(host, pause) {
      await sql`update ${sql.table("host_turn")} set at = ${now} + ${Math.ceil(pause)} where host = ${host}`.execute(
        database,
      );
    },
  };
}
