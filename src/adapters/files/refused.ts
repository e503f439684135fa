import { accessSync, constants, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../model/failure.ts";

/** By the code of the system's error. Spec: https://man7.org/linux/man-pages/man3/errno.3.html */
const reasons: ReadonlyMap<string, string> = new Map([
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a file is where a folder should be"],
  ["EEXIST", "a file is there already"],
  ["EACCES", "this user has no permission"],
  ["EPERM", "this user has no permission"],
  ["EROFS", "its disk is read-only"],
  ["ENOSPC", "its disk is full"],
  ["EDQUOT", "its disk is full"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ELOOP", "it leads to itself"],
  ["ELEADSOUT", "it is a link that leads out of its folder and its checkout; put a copy of the file in its place"],
  ["EIO", "the disk fails"],
]);

/** The reason for an error of the file system, in words. `absent`: the meaning of a missing file. */
export function refusedBecause(error: unknown, absent: string): string | undefined {
  const code = codeOf(error);
  if (code === "ENOENT") return isGarbled(error) ? "its name is not in UTF-8" : absent;
  return reasons.get(code) ?? (/^E[A-Z\d]+$/.test(code) ? code : undefined);
}

/** Whether the name of a file contains bytes that are not valid text, so that it cannot be opened. */
function isGarbled(error: unknown): boolean {
  return error instanceof Error && "path" in error && String(error.path).includes("\ufffd");
}

/** Why a file cannot be written, if that is known in advance; undefined if it can. */
export function unwritableBecause(path: string): string | undefined {
  try {
    const there = statIfThere(path);
    if (there?.isDirectory()) return reasons.get("EISDIR");
    accessSync(there ? path : dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    const why = refusedBecause(error, noFolder);
    if (why === undefined) throw error;
    return why;
  }
}

/** Node's own `throwIfNoEntry` also takes a file in place of a folder for a missing entry. */
function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export const noFolder = "there is no such folder";

/**
 * Creates a folder, if it is missing, and those above it, one after the other. Node's recursive way loops forever if the system
 * refuses a new folder in an existing one, as in /proc. @throws the system's error
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
