import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Selectable } from "kysely";
import type { CheckStatus } from "../../model/check.ts";
import type { ClaimState, ClaimStatus } from "../../model/claim.ts";
import type { ArchivedChange, CheckRecord, Snapshot, Watch } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";
import { deleteIn, prepareOnce, put, rowsIn, type Scope } from "./tables.ts";

export const checkReads = { memory, snapshots, readBy, checks, claims, claimsThatAre, archivedChanges };

/** Only the memory of the present subject counts: a source whose address changed starts again. */
const selectMemory = prepareOnce(({ db, repository }, { source }: { readonly source: string }) =>
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

async function memory(scope: Scope, source: string): Promise<string | undefined> {
  const [row] = await selectMemory(scope, { source });
  return row && decompressMemory(row.memory);
}

/** The fastest Brotli: 0.1 ms for a page of 40 KB, a quarter of its size. Node has Zstandard only from 22.15 on. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Older versions stored the JSON itself. */
function decompressMemory(memory: string): string {
  return memory.startsWith("{") ? memory : brotliDecompressSync(Buffer.from(memory, "base64")).toString();
}

const insertMemory = prepareOnce(
  ({ db, repository }, { source, subject, memory }: Omit<Tables["memory"], "repository">) =>
    put(db, "memory", { repository, source, subject, memory }),
);

export async function saveMemory(scope: Scope, { source, subject }: Watch, memory: string): Promise<void> {
  const compressed = brotliCompressSync(memory, quickly).toString("base64");
  await insertMemory(scope, { source, subject, memory: compressed });
}

const keptSnapshots = 20;
const keptChecks = 500;

/** A limit larger than any source's rows, because SQL needs one for an offset. */
const anyNumber = 1_000_000;

async function snapshots(scope: Scope, source: string, limit: number): Promise<Snapshot[]> {
  const rows = await newestRows(scope, "snapshot", source).selectAll().limit(limit).execute();
  return rows.map(({ source, at, hash, reader: readerVersion, url, status, headers, body }) => {
    const unpacked = { headers: JSON.parse(headers), body: new Uint8Array(brotliDecompressSync(body)) };
    return { source, at, hash, readerVersion, response: { url, status, ...unpacked } };
  });
}

function newestRows<T extends "snapshot" | "look">(scope: Scope, table: T, source: string) {
  const rows = rowsIn<"snapshot" | "look">(scope, table).where("source", "=", source);
  return rows.orderBy("at", "desc").orderBy("id", "desc") as unknown as ReturnType<typeof rowsIn<T>>;
}

const selectReader = prepareOnce((scope, { source }: { readonly source: string }) =>
  newestRows(scope, "snapshot", source).select("reader").limit(1),
);

async function readBy(scope: Scope, source: string): Promise<number | undefined> {
  const [row] = await selectReader(scope, { source });
  return row?.reader;
}

const insertSnapshot = prepareOnce(({ db, repository }, row: Omit<Tables["snapshot"], "repository" | "id">) =>
  db.insertInto("snapshot").values({
    ...{ repository, source: row.source, at: row.at, hash: row.hash, reader: row.reader },
    ...{ url: row.url, status: row.status, headers: row.headers, body: row.body },
  }),
);

/** Compresses on this thread (0.1 ms a page): a transaction must not wait for the thread pool. */
export async function addSnapshot(scope: Scope, snapshot: Snapshot): Promise<void> {
  const { source, at, hash, readerVersion: reader, response } = snapshot;
  const { url, status } = response;
  const headers = JSON.stringify(response.headers);
  await insertSnapshot(scope, {
    ...{ source, at, hash, reader, url, status, headers },
    body: brotliCompressSync(response.body, quickly),
  });
}

async function checks(scope: Scope, source: string, limit: number, which?: "seen"): Promise<CheckRecord[]> {
  const rows = await newestRows(scope, "look", source)
    .select(["source", "at", "outcome", "rest"])
    .$if(which === "seen", (query) => query.where("outcome", "<>", "unknown"))
    .limit(limit)
    .execute();
  return rows.map(({ rest, outcome, ...row }) => ({ ...JSON.parse(rest), ...row, outcome: outcome as CheckStatus }));
}

const insertLook = prepareOnce(({ db, repository }, row: Omit<Tables["look"], "repository" | "id">) =>
  db.insertInto("look").values({ repository, source: row.source, at: row.at, outcome: row.outcome, rest: row.rest }),
);

export async function addCheckRecord(scope: Scope, check: CheckRecord): Promise<void> {
  const { source, at, outcome, ...rest } = check;
  await insertLook(scope, { source, at, outcome, rest: JSON.stringify(rest) });
}

// By id alone: with the repository beside it, SQLite goes over all of its rows.
export const pruneSnapshots = prepareOnce((scope, { source }: { readonly source: string }) =>
  scope.db
    .deleteFrom("snapshot")
    .where("id", "in", idsBeyondNewest(scope, "snapshot", source, keptSnapshots))
    .where("at", "not in", rowsIn(scope, "evidence").select("seen").where("source", "=", source)),
);

export const pruneCheckRecords = prepareOnce((scope, { source }: { readonly source: string }) =>
  scope.db.deleteFrom("look").where("id", "in", idsBeyondNewest(scope, "look", source, keptChecks)),
);

function idsBeyondNewest(scope: Scope, table: "snapshot" | "look", source: string, kept: number) {
  return newestRows(scope, table, source).select("id").limit(anyNumber).offset(kept);
}

/** `of`: only claims of these sources. */
export async function claims(scope: Scope, of?: readonly string[]): Promise<ClaimState[]> {
  if (!of) return (await claimRows(scope).execute()).map(toState);
  const states: ClaimState[] = [];
  // All keys that begin with the source and a slash: "0" is the character after it.
  for (const source of new Set(of)) {
    const rows = await selectClaims(scope, { after: `${source}/`, before: `${source}0` });
    states.push(...rows.map(toState));
  }
  return states;
}

const selectClaims = prepareOnce((scope, { after, before }: { readonly after: string; readonly before: string }) =>
  claimRows(scope).where("claim", ">", after).where("claim", "<", before),
);

async function claimsThatAre(scope: Scope, status: ClaimStatus): Promise<ClaimState[]> {
  return (await claimRows(scope).where("status", "=", status).execute()).map(toState);
}

function claimRows(scope: Scope) {
  return rowsIn(scope, "claim").select(["claim", "status", "rest"]).orderBy("claim");
}

function toState({ claim, status, rest }: Pick<Selectable<Tables["claim"]>, "claim" | "status" | "rest">): ClaimState {
  return { ...JSON.parse(rest), claim, status: status as ClaimStatus };
}

export async function renameClaims(scope: Scope, from: string, to: string): Promise<void> {
  for (const state of await claims(scope, [from])) {
    await saveClaims(scope, [{ ...state, claim: `${to}${state.claim.slice(from.length)}` }]);
    await deleteIn(scope, "claim").where("claim", "=", state.claim).execute();
  }
}

export async function saveClaims({ db, repository }: Scope, states: readonly ClaimState[]): Promise<void> {
  for (const { claim, status, ...others } of states) {
    const rest = JSON.stringify(others);
    await put(db, "claim", { repository, claim, status, rest }).execute();
  }
}

async function archivedChanges(scope: Scope): Promise<ArchivedChange[]> {
  const all = rowsIn(scope, "archived_change").select(["source", "seen", "rest"]);
  const rows = await all.orderBy("seen").orderBy("source").execute();
  return rows.map(({ rest, ...columns }) => ({ ...JSON.parse(rest), ...columns }));
}

export async function saveArchivedChange({ db, repository }: Scope, change: ArchivedChange): Promise<void> {
  const { source, seen, ...others } = change;
  const rest = JSON.stringify(others);
  await put(db, "archived_change", { repository, source, seen, rest }).execute();
}
