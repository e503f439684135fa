import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Outcome } from "../../model.ts";
import type { LookRecord, Snapshot } from "../../ports.ts";
import type { Scope } from "./tables.ts";

/** What is kept of each source, newest first; snapshots that a firing's evidence was seen in are kept beside these. */
const keptSnapshots = 20;
const keptLooks = 500;

/** More rows than a source has: an offset needs a limit. */
const all = 1_000_000;

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
      body: new Uint8Array(zstdDecompressSync(row.body)),
    },
  }));
}

/**
 * Compresses on this thread (0.1 ms for 200 KB): a transaction must not wait for the thread pool, where slow name
 * look-ups queue.
 */
export async function addSnapshot({ db, repository }: Scope, snapshot: Snapshot): Promise<void> {
  const { source, at, hash, readerVersion, response } = snapshot;
  await db
    .insertInto("snapshot")
    .values({
      repository,
      source,
      at,
      hash,
      reader: readerVersion,
      url: response.url,
      status: response.status,
      headers: JSON.stringify(response.headers),
      body: zstdCompressSync(response.body),
    })
    .execute();
}

export async function looks({ db, repository }: Scope, source: string, limit: number): Promise<LookRecord[]> {
  const rows = await db
    .selectFrom("look")
    .select(["source", "at", "outcome", "rest"])
    .where("repository", "=", repository)
    .where("source", "=", source)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ rest, outcome, ...row }) => ({ ...JSON.parse(rest), ...row, outcome: outcome as Outcome }));
}

export async function addLook({ db, repository }: Scope, look: LookRecord): Promise<void> {
  const { source, at, outcome, ...rest } = look;
  await db
    .insertInto("look")
    .values({ repository, source, at, outcome, rest: JSON.stringify(rest) })
    .execute();
}

export async function pruneSnapshots({ db, repository }: Scope, source: string): Promise<void> {
  await db
    .deleteFrom("snapshot")
    .where("id", "in", (query) =>
      query
        .selectFrom("snapshot")
        .select("id")
        .where("repository", "=", repository)
        .where("source", "=", source)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(all)
        .offset(keptSnapshots),
    )
    .where("at", "not in", (query) =>
      query.selectFrom("evidence").select("seen").where("repository", "=", repository).where("source", "=", source),
    )
    .execute();
}

export async function pruneLooks({ db, repository }: Scope, source: string): Promise<void> {
  await db
    .deleteFrom("look")
    .where("id", "in", (query) =>
      query
        .selectFrom("look")
        .select("id")
        .where("repository", "=", repository)
        .where("source", "=", source)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(all)
        .offset(keptLooks),
    )
    .execute();
}
