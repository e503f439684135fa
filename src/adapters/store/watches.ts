import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { type Selectable, sql } from "kysely";
import type { CheckStatus } from "../../model/check.ts";
import type { ClaimState, ClaimStatus } from "../../model/claim.ts";
import type { ArchivedChange, CheckRecord, Snapshot, Watch } from "../../model/ports/index.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { endAttempt, endAttempts } from "./attempts.ts";
import { fixed } from "./fixed.ts";
import type { Tables } from "./schema.ts";
import { chunks, type Engine, type Scope } from "./tables.ts";

/** Soonest due first, without the forgotten. `of`: those of these sources alone. */
export async function watches(scope: Scope, of?: readonly string[]): Promise<Watch[]> {
  if (!of) return (await remembered(scope).execute()).map(toWatch);
  const found: WatchRow[] = [];
  for (const chunk of chunks(of)) found.push(...(await remembered(scope).where("source", "in", chunk).execute()));
  return found.map(toWatch).sort((a, b) => a.next - b.next || (a.source < b.source ? -1 : 1));
}

/** Those whose next check is due by then, or whose last one began after `checkedAfter`. */
export async function dueWatches(scope: Scope, by: Instant, checkedAfter: Instant): Promise<Watch[]> {
  const lost = present(scope).where("looked", ">", checkedAfter).where("next", ">", by);
  const rows = await present(scope).where("next", "<=", by).unionAll(lost).orderBy("next").orderBy("source").execute();
  return rows.map(toWatch);
}

export async function pastWatches(scope: Scope, by: Instant): Promise<Watch[]> {
  return (await remembered(scope).where("past", "<=", by).execute()).map(toWatch);
}

/** The sources whose first audit is due by then. */
export async function auditsDue(scope: Scope, by: Instant): Promise<string[]> {
  return (await remembered(scope).where("audit", "<=", by).execute()).map(({ source }) => source);
}

/** Notes when the first audit of these sources is due; undefined if it is done. */
export async function noteAudit(
  { db, repository }: Scope,
  sources: readonly string[],
  due: Instant | undefined,
): Promise<void> {
  for (const chunk of chunks(sources)) {
    await db
      .updateTable("watch")
      .set({ audit: due ?? null })
      .where("repository", "=", repository)
      .where("source", "in", chunk)
      .execute();
  }
}

/** When the last check before `until` began, if any has. */
export async function lastCheck({ db, repository }: Scope, until: Instant): Promise<Instant | undefined> {
  const row = await db
    .selectFrom("watch")
    .select("looked")
    .where("repository", "=", repository)
    .where("forgotten", "=", 0)
    .where("looked", "<=", until)
    .orderBy("looked", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.looked || undefined;
}

function remembered(scope: Scope) {
  return present(scope).orderBy("next").orderBy("source");
}

function present({ db, repository }: Scope) {
  return db
    .selectFrom("watch")
    .select(["source", "subject", "next", "audit", "rest"])
    .where("repository", "=", repository)
    .where("forgotten", "=", 0);
}

type WatchRow = Pick<Selectable<Tables["watch"]>, "source" | "subject" | "next" | "audit" | "rest">;

function toWatch({ rest, audit, ...columns }: WatchRow): Watch {
  return { ...JSON.parse(rest), ...columns, ...(audit !== null && { audit }) };
}

/** When an archive is to be asked for the past of a source, if it is. */
function pastOf({ past, claimsPast }: Pick<Watch, "past" | "claimsPast">): Instant | null {
  const times = [past?.next, claimsPast?.next].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : null;
}

export async function roster({ db, repository }: Scope): Promise<string | undefined> {
  const row = await db.selectFrom("roster").select("digest").where("repository", "=", repository).executeTakeFirst();
  return row?.digest;
}

export async function saveRoster({ db, repository }: Scope, digest: string): Promise<void> {
  await db
    .insertInto("roster")
    .values({ repository, digest })
    .onConflict((conflict) => conflict.column("repository").doUpdateSet({ digest }))
    .execute();
}

/** The rows of watches. If a source is named twice, the last counts, as PostgreSQL writes a row only once in a statement. */
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

/**
 * Saving a forgotten watch restores it. If a check was requested after the saved one had begun, the next one is due at once.
 */
export const savedWatch = sql`on conflict (repository, source) do update set forgotten = 0, hurried = 0,
  next = case when known.hurried > excluded.looked then known.hurried else excluded.next end,
  ${sql.raw(["subject", "looked", "past", "audit", "rest"].map((name) => `${name} = excluded.${name}`).join(", "))}`;

function insertWatches({ repository }: Scope, rows: readonly WatchColumns[]) {
  const values = rows.map(
    ({ source, subject, next, looked, past, audit, rest }) =>
      sql`(${repository}, ${source}, ${subject}, ${next}, 0, ${looked}, ${past}, ${audit}, ${rest})`,
  );
  const names = "repository, source, subject, next, forgotten, looked, past, audit, rest";
  return sql`insert into ${sql.table("watch")} as known (${sql.raw(names)})
    values ${sql.join(values)} ${savedWatch}`;
}

const insertWatch = fixed((scope, row: WatchColumns) => insertWatches(scope, [row]));

export async function saveWatch(scope: Scope, watch: Watch): Promise<void> {
  for (const row of rowsOf([watch])) {
    await insertWatch(scope, row);
    await endAttempt(scope, row);
  }
}

async function saveWatches(scope: Scope, watches: readonly Watch[]): Promise<void> {
  for (const rows of chunks(rowsOf(watches))) {
    await insertWatches(scope, rows).execute(scope.db);
    await endAttempts(
      scope,
      rows.map(({ source }) => source),
    );
  }
}

/** Saves the watches of unchanged checks, in a write that is not synced to the disk. */
export async function touchWatches(
  { db, repository }: Scope,
  engine: Engine,
  watches: readonly Watch[],
): Promise<void> {
  if (engine.touch) await engine.touch(repository, rowsOf(watches));
  else await engine.unsynced(db, (within) => saveWatches({ db: within, repository }, watches));
}

export async function forget({ db, repository }: Scope, sources: readonly string[]): Promise<void> {
  for (const chunk of chunks(sources)) {
    await db
      .updateTable("watch")
      .set({ forgotten: 1 })
      .where("repository", "=", repository)
      .where("source", "in", chunk)
      .execute();
  }
}

/** How long a source that left config is remembered after its last check. */
const forgottenKeptFor = 180 * aDay;

const selectForgotten = fixed(({ db, repository }, { before }: { readonly before: Instant }) =>
  db
    .selectFrom("watch")
    .select("source")
    .where("repository", "=", repository)
    .where("forgotten", "=", 1)
    .where("looked", "<", before),
);

/**
 * Deletes the memory of sources that were forgotten long ago, so that one that returns starts again. Reported data is kept:
 * firings, sightings of events and the responses with evidence.
 */
export async function pruneForgotten(scope: Scope, now: Instant): Promise<void> {
  const { db, repository } = scope;
  const gone = await selectForgotten(scope, { before: now - forgottenKeptFor });
  for (const chunk of chunks(gone.map(({ source }) => source))) {
    await db
      .deleteFrom("snapshot")
      .where("repository", "=", repository)
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
      await db.deleteFrom(table).where("repository", "=", repository).where("source", "in", chunk).execute();
  }
}

/** Deletes what may have been stored under the new id. */
export async function renameWatch({ db, repository }: Scope, from: string, to: string): Promise<void> {
  for (const table of ["watch", "memory", "snapshot", "look", "event_sighting", "archived_change"] as const) {
    await db.deleteFrom(table).where("repository", "=", repository).where("source", "=", to).execute();
    await db
      .updateTable(table)
      .set({ source: to })
      .where("repository", "=", repository)
      .where("source", "=", from)
      .execute();
  }
  for (const state of await claims({ db, repository }, [from])) {
    await saveClaims({ db, repository }, [{ ...state, claim: `${to}${state.claim.slice(from.length)}` }]);
    await db.deleteFrom("claim").where("repository", "=", repository).where("claim", "=", state.claim).execute();
  }
}

/** Makes these sources due at once, except those whose check has begun since. */
export async function hurry({ db, repository }: Scope, sources: readonly string[], at: Instant): Promise<void> {
  for (const chunk of chunks(sources)) {
    await db
      .updateTable("watch")
      .set(({ ref, case: either }) => ({
        next: either().when("next", ">", at).then(at).else(ref("next")).end(),
        hurried: at,
      }))
      .where("repository", "=", repository)
      .where("source", "in", chunk)
      .where("looked", "<=", at)
      .execute();
  }
}

/** Only the memory of the present subject, as a source whose address changed starts again. */
const selectMemory = fixed(({ db, repository }, { source }: { readonly source: string }) =>
  db
    .selectFrom("memory")
    .innerJoin("watch", (join) =>
      join
        .onRef("watch.repository", "=", "memory.repository")
        .onRef("watch.source", "=", "memory.source")
        .onRef("watch.subject", "=", "memory.subject"),
    )
    .select("memory.memory")
    .where("memory.repository", "=", repository)
    .where("memory.source", "=", source),
);

export async function memory(scope: Scope, source: string): Promise<string | undefined> {
  const [row] = await selectMemory(scope, { source });
  return row && unpacked(row.memory);
}

/** The fastest Brotli: 0.1 ms for a page of 40 KB, a quarter of its size. Node has Zstandard only from 22.15 on. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** JSON as a third of its bytes. */
function packed(json: string): string {
  return brotliCompressSync(json, quickly).toString("base64");
}

/** Older versions stored the JSON itself. */
function unpacked(memory: string): string {
  return memory.startsWith("{") ? memory : brotliDecompressSync(Buffer.from(memory, "base64")).toString();
}

const insertMemory = fixed(({ db, repository }, row: Omit<Tables["memory"], "repository">) =>
  db
    .insertInto("memory")
    .values({ repository, source: row.source, subject: row.subject, memory: row.memory })
    .onConflict((conflict) =>
      conflict.columns(["repository", "source"]).doUpdateSet({ subject: row.subject, memory: row.memory }),
    ),
);

export async function saveMemory(scope: Scope, { source, subject }: Watch, memory: string): Promise<void> {
  await insertMemory(scope, { source, subject, memory: packed(memory) });
}

/** Newest snapshots kept of each source, besides those that contain a firing's evidence. */
const keptSnapshots = 20;
const keptChecks = 500;

/** More rows than a source has: an offset needs a limit. */
const anyNumber = 1_000_000;

export async function snapshots({ db, repository }: Scope, source: string, limit: number): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom("snapshot")
    .selectAll()
    .where("repository", "=", repository)
    .where("source", "=", source)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    source: row.source,
    at: row.at,
    hash: row.hash,
    readerVersion: row.reader,
    response: {
      url: row.url,
      status: row.status,
      headers: JSON.parse(row.headers),
      body: new Uint8Array(brotliDecompressSync(row.body)),
    },
  }));
}

const selectReader = fixed(({ db, repository }, { source }: { readonly source: string }) =>
  db
    .selectFrom("snapshot")
    .select("reader")
    .where("repository", "=", repository)
    .where("source", "=", source)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

export async function readBy(scope: Scope, source: string): Promise<number | undefined> {
  const [row] = await selectReader(scope, { source });
  return row?.reader;
}

const insertSnapshot = fixed(({ db, repository }, row: Omit<Tables["snapshot"], "repository" | "id">) =>
  db.insertInto("snapshot").values({
    ...{ repository, source: row.source, at: row.at, hash: row.hash, reader: row.reader },
    ...{ url: row.url, status: row.status, headers: row.headers, body: row.body },
  }),
);

/**
 * Compresses on this thread (0.1 ms a page): a transaction must not wait for the thread pool, where slow name look-ups queue.
 */
export async function addSnapshot(scope: Scope, snapshot: Snapshot): Promise<void> {
  const { source, at, hash, readerVersion: reader, response } = snapshot;
  const { url, status } = response;
  const headers = JSON.stringify(response.headers);
  await insertSnapshot(scope, {
    ...{ source, at, hash, reader, url, status, headers },
    body: brotliCompressSync(response.body, quickly),
  });
}

export async function checks(
  { db, repository }: Scope,
  source: string,
  limit: number,
  which?: "seen",
): Promise<CheckRecord[]> {
  const rows = await db
    .selectFrom("look")
    .select(["source", "at", "outcome", "rest"])
    .where("repository", "=", repository)
    .where("source", "=", source)
    .$if(which === "seen", (query) => query.where("outcome", "<>", "unknown"))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ rest, outcome, ...row }) => ({ ...JSON.parse(rest), ...row, outcome: outcome as CheckStatus }));
}

const insertLook = fixed(({ db, repository }, row: Omit<Tables["look"], "repository" | "id">) =>
  db.insertInto("look").values({ repository, source: row.source, at: row.at, outcome: row.outcome, rest: row.rest }),
);

export async function addCheckRecord(scope: Scope, check: CheckRecord): Promise<void> {
  const { source, at, outcome, ...rest } = check;
  await insertLook(scope, { source, at, outcome, rest: JSON.stringify(rest) });
}

/** Deletes all but the newest snapshots of a source, and those with evidence. */
export const pruneSnapshots = fixed((scope, { source }: { readonly source: string }) =>
  scope.db
    .deleteFrom("snapshot")
    .where("id", "in", beyond(scope, "snapshot", source, keptSnapshots))
    .where("at", "not in", (query) =>
      query
        .selectFrom("evidence")
        .select("seen")
        .where("repository", "=", scope.repository)
        .where("source", "=", source),
    ),
);

/** Deletes all but the newest checks of a source. */
export const pruneCheckRecords = fixed((scope, { source }: { readonly source: string }) =>
  scope.db.deleteFrom("look").where("id", "in", beyond(scope, "look", source, keptChecks)),
);

/** The ids of all rows of a source but the newest. */
function beyond({ db, repository }: Scope, table: "snapshot" | "look", source: string, kept: number) {
  return db
    .selectFrom(table)
    .select("id")
    .where("repository", "=", repository)
    .where("source", "=", source)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(anyNumber)
    .offset(kept);
}

/** `of`: those of these sources alone. */
export async function claims(scope: Scope, of?: readonly string[]): Promise<ClaimState[]> {
  if (!of) return (await stated(scope).execute()).map(toState);
  const found: ClaimState[] = [];
  // All that begins with the source and a slash: "0" is the character after it.
  for (const source of new Set(of)) {
    const rows = await selectClaims(scope, { after: `${source}/`, before: `${source}0` });
    found.push(...rows.map(toState));
  }
  return found;
}

const selectClaims = fixed((scope, { after, before }: { readonly after: string; readonly before: string }) =>
  stated(scope).where("claim", ">", after).where("claim", "<", before),
);

export async function claimsThatAre(scope: Scope, status: ClaimStatus): Promise<ClaimState[]> {
  return (await stated(scope).where("status", "=", status).execute()).map(toState);
}

function stated({ db, repository }: Scope) {
  return db
    .selectFrom("claim")
    .select(["claim", "status", "rest"])
    .where("repository", "=", repository)
    .orderBy("claim");
}

function toState({ claim, status, rest }: Pick<Selectable<Tables["claim"]>, "claim" | "status" | "rest">): ClaimState {
  return { ...JSON.parse(rest), claim, status: status as ClaimStatus };
}

export async function saveClaims({ db, repository }: Scope, states: readonly ClaimState[]): Promise<void> {
  for (const { claim, status, ...others } of states) {
    const rest = JSON.stringify(others);
    await db
      .insertInto("claim")
      .values({ repository, claim, status, rest })
      .onConflict((conflict) => conflict.columns(["repository", "claim"]).doUpdateSet({ status, rest }))
      .execute();
  }
}

export async function archivedChanges({ db, repository }: Scope): Promise<ArchivedChange[]> {
  const rows = await db
    .selectFrom("archived_change")
    .select(["source", "seen", "rest"])
    .where("repository", "=", repository)
    .orderBy("seen")
    .orderBy("source")
    .execute();
  return rows.map(({ rest, ...columns }) => ({ ...JSON.parse(rest), ...columns }));
}

export async function saveArchivedChange({ db, repository }: Scope, change: ArchivedChange): Promise<void> {
  const { source, seen, ...others } = change;
  const rest = JSON.stringify(others);
  await db
    .insertInto("archived_change")
    .values({ repository, source, seen, rest })
    .onConflict((conflict) => conflict.columns(["repository", "source", "seen"]).doUpdateSet({ rest }))
    .execute();
}
