import { createHash, hash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { type Pack, StateProblem, type StoreArchive } from "../../model/ports/index.ts";
import { bytesOfSaid } from "./hosts.ts";
import { currentVersion, versionOf } from "./migrations.ts";
import { lockFolderOf, readDatabase } from "./open.ts";
import { explainErrors } from "./problem.ts";

const mebibyte = 2 ** 20;

/** Limits of a pack. GitHub accepts blobs of about 50 MB, written in base64. */
const maxPackedBytes = 36 * mebibyte;
const maxUnpackedBytes = 256 * mebibyte;

/** Above this size, fewer responses of each source are packed, because a branch keeps every version. */
const maxBodyBytes = 4 * mebibyte;

/** Rules of robots.txt in a pack; the most recently read are kept. */
const maxSaidBytes = mebibyte;

export function storeArchive(path: string): StoreArchive {
  return {
    content: async () => (existsSync(path) ? explainErrors(path, () => contentOf(path)) : undefined),
    pack: async () => explainErrors(path, () => pack(path)),
    unpack: async (given) => explainErrors(path, () => unpack(given, path)),
  };
}

/** Independent of the file's pages. */
function contentOf(path: string): string {
  return readDatabase(path, (database) => {
    const sum = createHash("sha256");
    for (const table of tablesOf(database)) {
      const rows = database.prepare(`select * from "${table.replaceAll('"', '""')}" order by rowid`);
      sum.update(`\n${table}\n`);
      for (const row of rows.iterate()) for (const value of Object.values(row)) sum.update(valueBytes(value));
    }
    return sum.digest("hex");
  });
}

function tablesOf(database: DatabaseSync): string[] {
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  return tables.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"));
}

/** A value as bytes: its type and length first, so that no two rows are written alike. */
function valueBytes(value: SQLOutputValue): Buffer {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
  return Buffer.concat([Buffer.from(`${typeof value}${bytes.length}:`), bytes]);
}

function pack(path: string): Pack {
  const copy = `${path}.packing`;
  rmSync(copy, { force: true });
  try {
    readDatabase(path, (database) => database.prepare("vacuum into ?").run(copy));
    const packing = new DatabaseSync(copy);
    try {
      packing.exec("pragma journal_mode = delete");
      dropRefetchable(packing);
      packing.exec("vacuum");
    } finally {
      packing.close();
    }
    const whole = readFileSync(copy);
    const bytes = gzipSync(whole);
    if (whole.length > maxUnpackedBytes || bytes.length > maxPackedBytes) {
      const size = `${Math.ceil(whole.length / mebibyte)} MiB, ${Math.ceil(bytes.length / mebibyte)} MiB packed`;
      throw new StateProblem("huge", `the store (${size}) is too large for a branch: run a server instead`);
    }
    return { bytes, sha256: hash("sha256", whole) };
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Deletes data that can be fetched again, then older responses until the size fits. Conclusions from them are kept. */
function dropRefetchable(database: DatabaseSync): void {
  for (const [table, bytes] of Object.entries(bytesOfSaid)) {
    const summed = `select rowid as number, sum(${bytes}) over (order by read desc, rowid desc) as total from ${table}`;
    database
      .prepare(`delete from ${table} where rowid in (select number from (${summed}) where total > ?)`)
      .run(maxSaidBytes);
  }
  thinAnswers(database);
}

function thinAnswers(database: DatabaseSync): void {
  const ranked = `select id, length(body) as size, at, source, repository,
    row_number() over (partition by repository, source order by at desc, id desc) as place from snapshot`;
  const evident = `exists (select 1 from evidence
    where evidence.repository = s.repository and evidence.source = s.source and evidence.seen = s.at)`;
  for (const kept of [20, 10, 5, 2, 1, 0]) {
    // At least one response of each source is kept: it is parsed again when the source's options change.
    const keeps = kept === 0 ? "place <= 1" : `(place <= ${kept} or ${evident})`;
    const sum = database.prepare(`select coalesce(sum(size), 0) as size from (${ranked}) s where ${keeps}`).get();
    if (kept > 0 && Number(sum?.size) > maxBodyBytes) continue;
    database.exec(`delete from snapshot where id not in (select id from (${ranked}) s where ${keeps})`);
    return;
  }
}

function unpack({ bytes, sha256 }: Pack, path: string): void {
  const whole = gunzip(bytes);
  if (hash("sha256", whole) !== sha256) throw damagedProblem("its checksum differs");
  const lock = lockFolderOf(path);
  const fresh = `${path}.unpacking`;
  try {
    writeFileSync(fresh, whole);
    inspect(fresh);
    for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    renameSync(fresh, path);
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(fresh + end, { force: true });
    lock.release();
  }
}

function gunzip(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      const most = `${maxUnpackedBytes / mebibyte} MiB`;
      throw new StateProblem("huge", `what the branch remembers is larger than ${most} when unpacked`, error);
    }
    throw damagedProblem("it cannot be unpacked", error);
  }
}

function inspect(path: string): void {
  let version: number;
  try {
    version = readDatabase(path, (database) => {
      const [{ quick_check: found } = {}] = database.prepare("pragma quick_check(1)").all();
      if (found !== "ok") throw new Error(String(found));
      return versionOf(database);
    });
  } catch (error) {
    throw damagedProblem("its database is incomplete", error);
  }
  if (version <= currentVersion) return;
  const formats = `its database is of version ${version}, this program knows up to ${currentVersion}`;
  throw new StateProblem(
    "newer",
    `the store on the branch was written by a newer Recheck (${formats}): update Recheck`,
  );
}

function damagedProblem(how: string, cause?: unknown): StateProblem {
  return new StateProblem("damaged", `the store on the branch is damaged: ${how}`, cause);
}
