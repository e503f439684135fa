import type { WorkPutAside } from "../../model/ports/index.ts";
import { createPool } from "../store/postgres/pool.ts";
import { deadQueue, schema } from "./boss.ts";

/** Lanes that are listed, at most. */
const most = 1_000;

/** Lists jobs that failed repeatedly and were not done since, newest first. @throws StoreProblem */
export async function workPutAside(address: string): Promise<WorkPutAside[]> {
  const pool = createPool(address, { most: 1 });
  try {
    const session = await pool.session();
    try {
      const [table] = await session.ask("select to_regclass($1) as name", [`${schema}.job`]);
      if (!table?.name) return [];
      const rows = await session.ask(
        `select distinct on (singleton_key) singleton_key as lane, created_on as at, source_retry_count as retries,
           coalesce(source_output->>'message', source_output->'value'->>'message', '') as says
         from ${schema}.job where name = $1 and singleton_key is not null order by singleton_key, created_on desc limit ${most}`,
        [deadQueue],
      );
      return rows
        .map(({ lane, at, retries, says }) => ({
          lane: String(lane) as WorkPutAside["lane"],
          at: (at as Date).getTime(),
          tries: Number(retries) + 1,
          says: reason(String(says)),
        }))
        .toSorted((a, b) => b.at - a.at);
    } finally {
      session.release();
    }
  } finally {
    await pool.end();
  }
}

/** Rewords the queue's message about a worker that stopped responding. */
function reason(says: string): string {
  return says === "job heartbeat timeout" ? "the worker that did it died, or hung, each time" : says;
}
