import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../model/failure.ts";
import { StoreProblem, type StoreProblemKind } from "../../model/problem.ts";

/** https://www.sqlite.org/rescode.html */
export const SQLITE_BUSY = 5;

type ProblemText = readonly [StoreProblemKind, (path: string) => string];

const damaged: ProblemText = [
  "damaged",
  (path) => `${path} is damaged: put a copy in its place, or move it away to start again`,
];
const full: ProblemText = ["full", (path) => `there is no space left on the disk of ${path}`];
const readOnly: ProblemText = [
  "read-only",
  (path) => `${path} cannot be written: the file, its folder or its disk is read-only`,
];
const unusable: ProblemText = [
  "unusable",
  (path) => `${path} cannot be opened: a folder that it needs is missing, or is a file`,
];
const unreadable: ProblemText = ["refused", (path) => `${path} cannot be read: this user has no permission`];
const failing: ProblemText = ["unusable", (path) => `the disk of ${path} fails to read or write it`];

/** By SQLite's primary result code. */
const ofSqlite: ReadonlyMap<number, ProblemText> = new Map([
  [3, readOnly], // SQLITE_PERM
  [SQLITE_BUSY, ["locked", (path) => `another program keeps ${path} locked`]],
  [8, readOnly], // SQLITE_READONLY
  [10, failing], // SQLITE_IOERR
  [11, damaged], // SQLITE_CORRUPT
  [13, full], // SQLITE_FULL
  [14, unusable], // SQLITE_CANTOPEN
  [26, ["foreign", (path) => `${path} is not a database of Recheck`]], // SQLITE_NOTADB
]);

/** SQLite's code if the disk has no room for the extra files of an open database: SQLITE_IOERR_SHMSIZE. */
const noRoomBeside = 10 | (19 << 8);

/** By the code of Node's file system. */
const ofFiles: ReadonlyMap<string, ProblemText> = new Map([
  ["EACCES", readOnly],
  ["EPERM", readOnly],
  ["EROFS", readOnly],
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EEXIST", unusable],
  ["ENOTDIR", unusable],
  ["EISDIR", unusable],
  ["ENOENT", unusable],
  ["ELOOP", unusable],
  ["EIO", failing],
]);

/** An error of a database or of its folder as a StoreProblem; any other one unchanged. `path`: the database's file. */
export function storeProblemOf(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreProblem) return error;
  const [kind, says] = problemTextOf(error, path) ?? [];
  return kind && says ? new StoreProblem(kind, says(path), error) : error;
}

/** Runs work on a database. @throws StoreProblem if its file or disk cannot be used */
export function explainErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeProblemOf(error, path);
  }
}

function problemTextOf(error: Error, path: string): ProblemText | undefined {
  const sqlite = resultCode(error);
  if (sqlite === undefined) return ofFiles.get(codeOf(error));
  const text = "errcode" in error && error.errcode === noRoomBeside ? full : ofSqlite.get(sqlite);
  // SQLite does not say why it could not open a file.
  if (text === unusable && isForbidden(path, constants.R_OK)) return unreadable;
  return text === unusable && isForbidden(dirname(path), constants.W_OK) ? readOnly : text;
}

export function isForbidden(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return false;
  } catch (error) {
    return ofFiles.get(codeOf(error)) === readOnly;
  }
}

/** Problems of databases of both kinds, by the name of the database. */
export const emptyStore = (name: string) => new StoreProblem("missing", `nothing is recorded in ${name} yet`);
export const olderStore = (name: string) =>
  new StoreProblem("older", `${name} was written by an older Recheck: the next scan brings it up to date`);
export const foreignFile = (name: string) => new StoreProblem("foreign", `${name} is not a database of Recheck`);

/** @throws StoreProblem if this path has no store, or this user may not see whether it has one */
export function expectStore(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })) return;
  } catch (error) {
    const [kind, says] = ofFiles.get(codeOf(error)) === readOnly ? unreadable : unusable;
    throw new StoreProblem(kind, says(path), error);
  }
  throw emptyStore(path);
}

export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** Whether a store's location is the address of a PostgreSQL database rather than a file path. */
export function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:/.test(place);
}

/** The name of a store for people: a file by its path, a database by its host, port and name, without user and password. */
export function placeName(place: string): string {
  if (!isAddress(place)) return place;
  const url = URL.parse(place);
  if (!url) return "the address of DATABASE_URL";
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  return `${host || "localhost"}${url.port && `:${url.port}`}${url.pathname}`;
}
