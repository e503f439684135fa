import { type Kysely, sql } from "kysely";
import type { BegunCheck } from "../../../model/ports/index.ts";
import { type Begun, standing } from "../attempts.ts";
import { createBatches, queryTogether } from "../gather.ts";
import type { Tables } from "../schema.ts";
import type { Scope } from "../tables.ts";

/**
 * Takes over a repository's notes from a dead process. A check during which two processes died is to blame, and is
 * returned; the others are repeated.
 */
export async function takeOverNotes(scope: Scope): Promise<BegunCheck[]> {
  return (await takeOver(scope, undefined))
    .flatMap(({ source, began, died }) => (died === standing.died ? [{ source, began }] : []))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

const takeOver = queryTogether((db, repositories) => {
  const { underWay, suspected, died } = standing;
  return db
    .updateTable("attempt")
    .set(({ eb }) => ({ died: eb.case().when("died", "=", underWay).then(suspected).else(died).end() }))
    .where("repository", "in", repositories)
    .where("died", "<>", suspected)
    .returningAll();
});

/**
 * Notes running checks, for all repositories of this process in one statement. It is not synced to the disk: `set_config` is
 * limited to the statement's own transaction.
 */
export function notesIn(database: Kysely<Tables>): (repository: string, begun: Begun) => Promise<void> {
  return createBatches<Begun, void>(async (all) => {
    const whole = [...all].filter(([, { ended }]) => ended === undefined).map(([repository]) => repository);
    const began = pairs(all, ({ sources }) => sources);
    const ended = pairs(all, ({ ended = [] }) => ended);
    const times = [...all].flatMap(([, { sources, began }]) => sources.map(() => began));
    const attempt = sql.table("attempt");
    await sql`with begun as (
        select * from unnest(${began.repositories}::text[], ${began.sources}::text[], ${times}::bigint[]) as one(repository, source, began)
      ), gone as (
        delete from ${attempt} where (repository, source) in
            (select * from unnest(${ended.repositories}::text[], ${ended.sources}::text[]))
          or (repository = any(${whole}::text[]) and died <> ${standing.suspected}
            and (repository, source) not in (select repository, source from begun))
      )
      insert into ${attempt} as known (repository, source, began, died)
        select repository, source, began, ${standing.underWay}::bigint from set_config('synchronous_commit', 'off', true), begun
        on conflict (repository, source) do update set began = excluded.began, died = ${standing.underWayAgain}
          where known.died = ${standing.suspected}`.execute(database);
    return new Map();
  });
}

function pairs(all: ReadonlyMap<string, Begun>, of: (begun: Begun) => readonly string[]) {
  const [repositories, sources]: [string[], string[]] = [[], []];
  for (const [repository, begun] of all) {
    for (const source of of(begun)) {
      repositories.push(repository);
      sources.push(source);
    }
  }
  return { repositories, sources };
}
