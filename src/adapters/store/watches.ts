import { type Selectable, sql } from "kysely";
import type { Watch } from "../../model/ports/index.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { endAttempt } from "./attempts.ts";
import { queryTogether } from "./gather.ts";
import type { Tables } from "./schema.ts";
import { changeIn, chunks, deleteIn, type Engine, prepareOnce, put, rowsIn, type Scope } from "./tables.ts";

export const watchReads = { watches, dueWatches, pastWatches, auditsDue, lastCheck, roster };

/** Soonest due first, without forgotten ones. `of`: only these sources. */
async function watches(scope: Scope, of?: readonly string[]): Promise<Watch[]> {
  if (!of) return (await watchRows(scope).execute()).map(toWatch);
  const found: WatchRow[] = [];
  for (const chunk of chunks(of)) found.push(...(await watchRows(scope).where("source", "in", chunk).execute()));
  return found.map(toWatch).sort((a, b) => a.next - b.next || (a.source < b.source ? -1 : 1));
}

interface Due {
  readonly by: Instant;
  readonly checkedAfter: Instant;
}

const selectDue = queryTogether((db, repositories, all: readonly Due[]) => {
  const by = Math.max(...all.map((due) => due.by));
  const checkedAfter = Math.min(...all.map((due) => due.checkedAfter));
  const rows = db
    .selectFrom("watch")
    .select([...watchColumns, "repository", "looked"])
    .where("repository", "in", repositories)
    .where("forgotten", "=", 0);
  const lost = rows.where("looked", ">", checkedAfter).where("next", ">", by);
  return rows.where("next", "<=", by).unionAll(lost).orderBy("next").orderBy("source");
});

/** Watches whose next check is due by then, or whose last one began after `checkedAfter`. */
async function dueWatches(scope: Scope, by: Instant, checkedAfter: Instant): Promise<Watch[]> {
  const rows = await selectDue(scope, { by, checkedAfter });
  return rows.filter(({ next, looked }) => next <= by || looked > checkedAfter).map(toWatch);
}

async function pastWatches(scope: Scope, by: Instant): Promise<Watch[]> {
  return (await watchRows(scope).where("past", "<=", by).execute()).map(toWatch);
}

async function auditsDue(scope: Scope, by: Instant): Promise<string[]> {
  return (await watchRows(scope).where("audit", "<=", by).execute()).map(({ source }) => source);
}

export async function noteAudit(scope: Scope, sources: readonly string[], due: Instant | undefined): Promise<void> {
  for (const chunk of chunks(sources))
    await watchesOf(scope, chunk)
      .set({ audit: due ?? null })
      .execute();
}

function watchesOf(scope: Scope, sources: readonly string[]) {
  return changeIn(scope, "watch").where("source", "in", sources);
}

async function lastCheck(scope: Scope, until: Instant): Promise<Instant | undefined> {
  const begun = rowsIn(scope, "watch").where("forgotten", "=", 0).where("looked", "<=", until);
  const row = await begun.select("looked").orderBy("looked", "desc").limit(1).executeTakeFirst();
  return row?.looked || undefined;
}

function watchRows(scope: Scope) {
  const present = rowsIn(scope, "watch").select(watchColumns).where("forgotten", "=", 0);
  return present.orderBy("next").orderBy("source");
}

const watchColumns = ["source", "subject", "next", "audit", "rest"] as const;
type WatchRow = Pick<Selectable<Tables["watch"]>, (typeof watchColumns)[number]>;

function toWatch({ source, subject, next, audit, rest }: WatchRow): Watch {
  return { ...JSON.parse(rest), source, subject, next, ...(audit !== null && { audit }) };
}

/** When to ask an archive for the past of a source; undefined if never. */
function pastOf({ past, claimsPast }: Pick<Watch, "past" | "claimsPast">): Instant | null {
  const times = [past?.next, claimsPast?.next].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : null;
}

const selectRoster = queryTogether((db, repositories) =>
  db.selectFrom("roster").selectAll().where("repository", "in", repositories),
);

async function roster(scope: Scope): Promise<string | undefined> {
  return (await selectRoster(scope, undefined))[0]?.digest;
}

export async function saveRoster({ db, repository }: Scope, digest: string): Promise<void> {
  await put(db, "roster", { repository, digest }).execute();
}

/** The rows of watches. The last of several for one source counts, because PostgreSQL writes a row only once in a statement. */
function rowsOf(watches: readonly Watch[]): WatchColumns[] {
  const once = new Map(watches.map((watch) => [watch.source, watch]));
  return [...once.values()].map(({ source, subject, next, audit = null, ...rest }) => ({
    ...{ source, subject, next, audit },
    looked: rest.lastCheck ?? 0,
    past: pastOf(rest),
    rest: JSON.stringify(rest),
  }));
}

export type WatchColumns = WatchRow & Pick<Selectable<Tables["watch"]>, "looked" | "past">;

/** Saving restores a forgotten watch. If a check was requested meanwhile, the next one is due at once. */
export const savedWatch = sql`on conflict (repository, source) do update set forgotten = 0, hurried = 0,
  next = case when known.hurried > excluded.looked then known.hurried else excluded.next end,
  ${sql.raw(["subject", "looked", "past", "audit", "rest"].map((name) => `${name} = excluded.${name}`).join(", "))}`;

const insertWatch = prepareOnce(
  ({ repository }, row: WatchColumns) =>
    sql`insert into ${sql.table("watch")} as known
      (repository, source, subject, next, forgotten, looked, past, audit, rest)
      values (${repository}, ${row.source}, ${row.subject}, ${row.next}, 0, ${row.looked}, ${row.past}, ${row.audit}, ${row.rest})
      ${savedWatch}`,
);

/** Only SQLite saves several. */
export async function saveWatches(scope: Scope, ...watches: readonly Watch[]): Promise<void> {
  const rows = rowsOf(watches);
  await insertWatch(scope, ...rows);
  await endAttempt(scope, ...rows);
}

/** Saves the watches of unchanged checks, in a write that is not synced to the disk. */
export async function touchWatches(
  { db, repository }: Scope,
  engine: Engine,
  watches: readonly Watch[],
): Promise<void> {
  if (engine.touch) await engine.touch(repository, rowsOf(watches));
  else await engine.unsynced(db, (within) => saveWatches({ db: within, repository }, ...watches));
}

export async function forget(scope: Scope, sources: readonly string[]): Promise<void> {
  for (const chunk of chunks(sources)) await watchesOf(scope, chunk).set({ forgotten: 1 }).execute();
}

/** How long a source that left config is remembered after its last check. */
const forgottenKeptFor = 180 * aDay;

const selectForgotten = prepareOnce((scope, { before }: { readonly before: Instant }) =>
  rowsIn(scope, "watch").select("source").where("forgotten", "=", 1).where("looked", "<", before),
);

/** Deletes the memory of sources forgotten long ago. Reported data stays: firings, sightings and evidence. */
export async function pruneForgotten(scope: Scope, now: Instant): Promise<void> {
  const gone = await selectForgotten(scope, { before: now - forgottenKeptFor });
  for (const chunk of chunks(gone.map(({ source }) => source))) {
    await deleteIn(scope, "snapshot")
      .where("source", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("evidence")
              .select("evidence.id")
              .whereRef("evidence.repository", "=", "snapshot.repository")
              .whereRef("evidence.source", "=", "snapshot.source")
              .whereRef("evidence.seen", "=", "snapshot.at"),
          ),
        ),
      )
      .execute();
    for (const table of ["memory", "look", "watch"] as const)
      await deleteIn<(typeof ofSource)[number]>(scope, table).where("source", "in", chunk).execute();
  }
}

const ofSource = ["watch", "memory", "snapshot", "look", "event_sighting", "archived_change"] as const;

/** Deletes what may have been stored under the new id. */
export async function renameRows(scope: Scope, from: string, to: string): Promise<void> {
  for (const table of ofSource) {
    await deleteIn<(typeof ofSource)[number]>(scope, table).where("source", "=", to).execute();
    await changeIn<(typeof ofSource)[number]>(scope, table).set({ source: to }).where("source", "=", from).execute();
  }
}

/** Makes these sources due at once, except those whose check has begun since. */
export async function hurry(scope: Scope, sources: readonly string[], at: Instant): Promise<void> {
  for (const chunk of chunks(sources)) {
    await watchesOf(scope, chunk)
      .set(({ ref, case: either }) => ({
        next: either().when("next", ">", at).then(at).else(ref("next")).end(),
        hurried: at,
      }))
      .where("looked", "<=", at)
      .execute();
  }
}
