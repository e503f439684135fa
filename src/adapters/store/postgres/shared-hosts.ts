import { type Kysely, sql } from "kysely";
import type { HostMemory } from "../../../model/ports/index.ts";
import { anHour, type Duration } from "../../../model/time.ts";
import { createBatches } from "../gather.ts";
import { forgetHostAnswers } from "../hosts.ts";
import type { Tables } from "../schema.ts";

/** A turn expires after this time, if its process does not renew it. */
const longestTurn: Duration = 35_000;

/** Turns that are released within this time are written together. Nobody can take one before the host's pause is over. */
const leftWithin: Duration = 25;

/** The server's time in milliseconds since 1970 UTC, because the clocks of processes may differ. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The answer to a request for a turn: how long another process has it, and how long the host must be left alone. */
interface Notice {
  readonly host: string;
  readonly wait: number;
  readonly rests: number | null;
  readonly status: number | null;
}

/** Hosts of many processes. Turns that are taken or released together share a statement, sorted against deadlocks. */
export function sharedHostsOf(hosts: HostMemory, database: Kysely<Tables>) {
  const take = createBatches<undefined, Notice>(async (all) => {
    const { rows } = await sql<Notice>`with asked as (select unnest(${[...all.keys()]}::text[]) as host),
      rest as (select host, until - ${now} as rests, status from ${sql.table("host_rest")}
        where host in (select host from asked) and until > ${now}),
      taken as (insert into ${sql.table("host_turn")} as turn (host, at)
        select host, ${now} + ${longestTurn} from asked where host not in (select host from rest) order by host
        on conflict (host) do update set at = excluded.at where turn.at <= ${now} returning host)
      select asked.host, case when taken.host is null then greatest(1, coalesce(turn.at - ${now}, 1)) else 0 end as wait,
        rests, status
      from asked left join taken on taken.host = asked.host left join rest on rest.host = asked.host
        left join ${sql.table("host_turn")} as turn on turn.host = asked.host`.execute(database);
    return new Map(rows.map((row) => [row.host, row]));
  });
  const announceLeft = async (all: ReadonlyMap<string, Duration>) => {
    await sql`insert into ${sql.table("host_turn")} as turn (host, at)
      select host, ${now} + pause from unnest(${[...all.keys()]}::text[], ${[...all.values()]}::bigint[]) as left_by(host, pause)
      order by host on conflict (host) do update set at = excluded.at`.execute(database);
    return new Map<string, void>();
  };
  const leave = createBatches(announceLeft, { pause: leftWithin });
  return {
    ...hosts,
    // Turns are taken one by one, and end by themselves.
    turns: async () => [],
    saveTurns: async () => {},

    async forget(at) {
      await sql`delete from ${sql.table("host_turn")} where at <= ${now} - ${anHour}`.execute(database);
      await sql`delete from ${sql.table("host_rest")} where until <= ${now}`.execute(database);
      await forgetHostAnswers(database, at);
    },

    // They are stored in the server's time, and returned in the caller's.
    async rests(at) {
      const { rows } = await sql<{
        host: string;
        rests: number;
        status: number;
      }>`select host, until - ${now} as rests, status
        from ${sql.table("host_rest")}`.execute(database);
      return rows.map(({ host, rests, status }) => ({ host, until: at + rests, status }));
    },

    async saveRest({ host, until, status }, at) {
      await sql`insert into ${sql.table("host_rest")} (host, until, status) values (${host}, ${now} + ${until - at}, ${status})
        on conflict (host) do update set until = excluded.until, status = excluded.status`.execute(database);
    },

    async take(host, at) {
      const { wait, rests, status } = await take(host, undefined);
      if (rests === null || status === null) return { wait };
      return { wait: longestTurn, rest: { host, until: at + rests, status } };
    },

    leave: (host, pause) => leave(host, Math.ceil(pause)),
    /** Resolves once all released turns are written. */
    settled: leave.settled,
  } satisfies HostMemory & Pick<typeof leave, "settled">;
}
