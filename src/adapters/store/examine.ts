import { chmodSync, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Waiting } from "../../model/ports/index.ts";
import { aDay, aMinute, type Duration, day, type Instant, minute } from "../../model/time.ts";
import { pluralize } from "../../model/words.ts";
import { foreignParts } from "./backup.ts";
import { currentVersion, readableVersion } from "./migrations.ts";
import { lockFolderOf, readConnection, sqliteDatabase } from "./open.ts";
import { expectStore, storeProblemOf } from "./problem.ts";
import type { Database } from "./store.ts";

export interface StoreFinding {
  readonly says: string;
  /** *mendable*: `doctor` can repair it. *mended*: it has. Undefined: a person must act, or it passes by itself. */
  readonly mend?: "mendable" | "mended";
}

export interface Examination {
  readonly of: "integrity" | "orphans" | "outbox" | "scans" | "clock" | "permissions" | "disk";
  /** Empty if all is well. */
  readonly findings: readonly StoreFinding[];
}

export interface ExamineOptions {
  readonly now: Instant;
  /** Repairs what is safe to repair; needs exclusive access to the store. */
  readonly mend: boolean;
  /** After this time without a check, monitoring has stopped. */
  readonly stoppedAfter: Duration;
}

/** Examines a store's file, and repairs it if asked to. @throws StoreProblem if it cannot be opened, or is locked */
export async function examine(path: string, { now, mend, stoppedAfter }: ExamineOptions): Promise<Examination[]> {
  expectStore(path);
  const lock = mend ? lockFolderOf(path) : undefined;
  let database: DatabaseSync | undefined;
  try {
    database = mend ? new DatabaseSync(path, { timeout: 5_000 }) : readConnection(path);
    const version = readableVersion(database, path);
    const found = integrityOf(database);
    // A damaged file is not read any further, and nothing is written to it.
    if (found.length > 0) return [{ of: "integrity", findings: found }];
    const older: StoreFinding = {
      says: "the store was written by an older Recheck: the next scan brings it up to date",
    };
    if (version < currentVersion) return [{ of: "integrity", findings: [older] }];
    return [
      { of: "integrity", findings: [] },
      { of: "orphans", findings: orphansIn(database, mend) },
      { of: "outbox", findings: await stuckIn(sqliteDatabase(database, path), now) },
      { of: "scans", findings: lastCheckIn(database, now - stoppedAfter) },
      { of: "clock", findings: timesIn(database, now, mend) },
      { of: "permissions", findings: readersOf(path, mend) },
      { of: "disk", findings: roomFor(path) },
    ];
  } catch (error) {
    throw storeProblemOf(error, path);
  } finally {
    database?.close();
    lock?.release();
  }
}

function integrityOf(database: DatabaseSync): StoreFinding[] {
  const broken = database.prepare("pragma integrity_check(5)").all();
  const says = broken.flatMap(({ integrity_check: one }) => (one === "ok" ? [] : [`damaged: ${String(one)}`]));
  const loose = database.prepare("pragma foreign_key_check").all().length;
  for (const part of foreignParts(database)) says.push(`it holds ${part}, which Recheck did not make`);
  if (loose > 0) says.push(`${pluralize(loose, "row")} that refer to missing rows`);
  return says.map((one) => ({ says: `${one}; restore a copy, or move the store away to start again` }));
}

/** Tables whose rows belong to a source with a watch, and which of them are kept without one. */
const ofSources = {
  memory: "0",
  snapshot: `exists (select 1 from evidence where evidence.repository = snapshot.repository
    and evidence.source = snapshot.source and evidence.seen = snapshot.at)`,
} as const;

function orphansIn(database: DatabaseSync, mend: boolean): StoreFinding[] {
  return Object.entries(ofSources).flatMap(([table, isKept]): StoreFinding[] => {
    const lonely = `from ${table} where not exists (select 1 from watch
      where watch.repository = ${table}.repository and watch.source = ${table}.source) and not ${isKept}`;
    const count = countOf(database, `select count(*) as n ${lonely}`);
    if (count === 0) return [];
    if (mend) database.exec(`delete ${lonely}`);
    const rows = `${pluralize(count, "row")} of ${table} ${count === 1 ? "belongs" : "belong"} to sources that are not watched`;
    return [{ says: rows, mend: mend ? "mended" : "mendable" }];
  });
}

const stuckAfter = aDay;

async function stuckIn({ registry }: Database, now: Instant): Promise<StoreFinding[]> {
  const { outbox, deliveries } = await registry.backlog(now);
  const of = (what: string, lacking: string, { count, since = now }: Waiting): StoreFinding[] =>
    now - since > stuckAfter ? [{ says: `${pluralize(count, what)} ${lacking} since ${day(since)}` }] : [];
  const unwritten = "not written to GitHub";
  return [
    ...of("issue", unwritten, outbox.issue),
    ...of("comment", unwritten, outbox.comment),
    ...of("webhook", "not processed", deliveries),
    ...of("message", "not delivered", outbox.message),
  ];
}

/** Without any check, monitoring has not begun. */
function lastCheckIn(database: DatabaseSync, earliest: Instant): StoreFinding[] {
  const lastCheck = Number(database.prepare("select coalesce(max(looked), 0) as at from watch").get()?.at);
  if (lastCheck === 0 || lastCheck >= earliest) return [];
  const says = `monitoring has stopped: the last check was at ${minute(lastCheck)}. Is the schedule still running?`;
  return [{ says }];
}

/** Tolerance for clocks: one that a time server sets is less wrong. */
const tolerated = 5 * aMinute;
/** The longest possible pause between two checks of a source. */
const longestCadence = 400 * aDay;

/** Times in the future were written, or are read, by a wrong clock. */
function timesIn(database: DatabaseSync, now: Instant, mend: boolean): StoreFinding[] {
  const latest = Number(database.prepare("select coalesce(max(at), 0) as at from look").get()?.at);
  const far = `watch where next > ${now + longestCadence} or looked > ${now + tolerated}`;
  const count = countOf(database, `select count(*) as n from ${far}`);
  if (mend && count > 0)
    database.exec(
      `update watch set next = ${now}, looked = min(looked, ${now}) where rowid in (select rowid from ${far})`,
    );
  const findings: StoreFinding[] = [];
  if (latest > now + tolerated)
    findings.push({
      says: `the last check was at ${minute(latest)}, and it is ${minute(now)} now: is the clock right?`,
    });
  const says = `${pluralize(count, "source")} due in more than a year, or checked in the future: due now`;
  if (count > 0) findings.push({ says, mend: mend ? "mended" : "mendable" });
  return findings;
}

function readersOf(path: string, mend: boolean): StoreFinding[] {
  const files = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file) && statSync(file).mode & 0o077);
  if (files.length === 0) return [];
  if (mend) for (const file of files) chmodSync(file, 0o600);
  return [{ says: `${files[0]} can be read by others`, mend: mend ? "mended" : "mendable" }];
}

const leastRoom = 200_000_000;

function roomFor(path: string): StoreFinding[] {
  const { bavail, bsize } = statfsSync(dirname(path));
  const room = bavail * bsize;
  if (room >= Math.max(leastRoom, statSync(path).size)) return [];
  return [{ says: `only ${Math.floor(room / 1_000_000)} MB are free on the disk of the store` }];
}

function countOf(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.n);
}
