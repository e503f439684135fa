import { randomBytes } from "node:crypto";
import { open, readFile, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { codeOf } from "../../model/failure.ts";
import { fileExists, pathsWithin } from "./checkout.ts";
import { makeFolder, noFolder, refusedBecause } from "./refused.ts";

/** The list of the files that were written into a folder, so that other files are never changed. */
export const manifestName = ".recheck-files.json";

const isPlain = (path: string) => path.split("/").every((name) => /^(?!\.+$)[A-Za-z0-9._-]{1,255}$/.test(name));
const manifest = z.object({ files: z.array(z.string().refine(isPlain)).max(100_000) });

export class FolderProblem extends Error {
  override readonly name = "FolderProblem";
}

/** The files of a folder, as relative paths, grouped by what was done to them. */
export interface FolderChanges {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Writes these files into a folder, each completely or not at all, and removes the files of an earlier call that are not among
 * them. Other files are kept: if one of them has the path of a new file, nothing is written. @throws FolderProblem
 */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<FolderChanges> {
  try {
    return await write(folder, files);
  } catch (error) {
    const why = refusedBecause(error, noFolder);
    if (why === undefined) throw error;
    const path = error instanceof Error && "path" in error ? String(error.path) : folder;
    throw new FolderProblem(`cannot write ${path}: ${why}`, { cause: error });
  }
}

/** A folder in which a site would mix with its owner's files: the root of a disk, a home, or the folder of a config. */
async function refuseSharedFolder(folder: string): Promise<void> {
  const whole = resolve(folder);
  const why =
    whole === dirname(whole)
      ? "is the root of a disk"
      : whole === homedir()
        ? "is your home"
        : (await fileExists(join(folder, "sources.yaml")))
          ? "holds your sources.yaml"
          : undefined;
  if (why !== undefined) throw new FolderProblem(`${folder} ${why}: name a folder for the pages, such as --out site`);
}

/** A link in the folder could make us write a file outside it. */
async function refuseLinks(folder: string, files: Iterable<string>): Promise<void> {
  const folders = new Set([...files].map((path) => dirname(path)));
  if (!(await fileExists(folder))) return;
  const resolved = await pathsWithin(folder);
  for (const within of folders) if (within !== "." && (await fileExists(join(folder, within)))) await resolved(within);
}

async function write(folder: string, files: ReadonlyMap<string, string>): Promise<FolderChanges> {
  const ours = await ownFiles(folder);
  if (ours.length === 0) await refuseSharedFolder(folder);
  await refuseLinks(folder, [...files.keys(), ...ours]);
  const existingFiles = new Map<string, string | undefined>();
  for (const path of files.keys()) existingFiles.set(path, await textOf(join(folder, path)));
  const written = [...files.keys()].filter((path) => existingFiles.get(path) !== files.get(path));
  const foreign = written.filter((path) => !ours.includes(path) && existingFiles.get(path) !== undefined);
  if (foreign.length > 0) {
    const more = foreign.length > 1 ? ` and ${foreign.length - 1} more` : "";
    throw new FolderProblem(
      `${join(folder, foreign[0] ?? "")}${more} was not written by Recheck: choose another --out`,
    );
  }
  const removed = ours.filter((path) => !files.has(path));
  // Both lists together until all is done, so that files of an interrupted run are known to be ours.
  await record(folder, [...new Set([...ours, ...files.keys()])]);
  for (const path of written) await writeWhole(join(folder, path), files.get(path) ?? "");
  for (const path of removed) await remove(folder, path);
  await record(folder, [...files.keys()]);
  return { written, unchanged: [...files.keys()].filter((path) => !written.includes(path)), removed };
}

/** Whether a file is one of those that `writeFolder` wrote. */
export async function isPublished(file: string): Promise<boolean> {
  const path = resolve(file);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await textOf(join(folder, manifestName)).catch(() => undefined);
    if (filesListed(text).includes(relative(folder, path).split(sep).join("/"))) return true;
  }
  return false;
}

/** The paths in the list of a folder; empty if the list was changed. */
export function filesListed(text: string | undefined): readonly string[] {
  try {
    return text === undefined ? [] : manifest.parse(JSON.parse(text)).files;
  } catch {
    return [];
  }
}

async function ownFiles(folder: string): Promise<string[]> {
  const text = await textOf(join(folder, manifestName));
  if (text === undefined) return [];
  try {
    return manifest.parse(JSON.parse(text)).files;
  } catch (error) {
    const says = "was changed since Recheck wrote it: delete it and the files that it lists";
    throw new FolderProblem(`${join(folder, manifestName)} ${says}`, { cause: error });
  }
}

async function record(folder: string, files: readonly string[]): Promise<void> {
  const text = `${JSON.stringify({ files: files.toSorted() }, null, 1)}\n`;
  if (text !== (await textOf(join(folder, manifestName)))) await writeWhole(join(folder, manifestName), text);
}

export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a file completely or not at all, and the folders above it. @throws the system's error */
export async function writeWhole(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  await inPlaceOf(path, (beside) => writeFile(beside, text));
}

/** Also removes the folders that it leaves empty. */
async function remove(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
  try {
    for (let above = dirname(path); above !== "."; above = dirname(above)) await rmdir(join(folder, above));
  } catch {
    // This folder is not empty.
  }
}

/** Writes a file next to it and renames that: readers get the old or the new one. @throws errors of `write` */
async function inPlaceOf(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `.recheck-${randomBytes(6).toString("hex")}.tmp`);
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file was not replaced. The message is a sentence for people. */
export class NotReplaced extends Error {
  override readonly name = "NotReplaced";
}

/**
 * Replaces a file's text completely or not at all: the new text is written next to it and renamed. The mode is kept, and a link
 * to the file remains a link. @throws NotReplaced if the file no longer has the text `before`, or cannot be written
 */
export async function replaceFile(path: string, before: Uint8Array, after: string): Promise<void> {
  try {
    const real = await realpath(path);
    const { mode } = await stat(real);
    if (!(await readFile(real)).equals(before)) throw new NotReplaced(`${path} was changed meanwhile`);
    await inPlaceOf(real, (beside) => writeThrough(beside, after, mode & 0o7777));
  } catch (error) {
    const why = refusedBecause(error, "it no longer exists");
    if (why === undefined) throw error;
    throw new NotReplaced(`${path} cannot be written: ${why}`, { cause: error });
  }
}

async function writeThrough(path: string, text: string, mode: number): Promise<void> {
  await using file = await open(path, "wx", mode);
  await file.chmod(mode);
  await file.writeFile(text);
  await file.sync();
}
