import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { git, pathWithin } from "../adapters/files/checkout.ts";
import { filesListed, manifestName } from "../adapters/files/folder.ts";
import { refusedBecause } from "../adapters/files/refused.ts";
import { UnreadReport } from "../audit/first-scan.ts";
import { instantOf } from "../language/dates.ts";
import type { RepositoryTree, TreeFile } from "../model/ports/index.ts";
import type { Instant } from "../model/time.ts";
import { isTable } from "../onboard/contents.ts";
import { chaptersAround, isReadable } from "../onboard/report-files.ts";
import type { ReportFile } from "../report/index.ts";

export const maxReportBytes = 50_000_000;

export function tooLarge(name: string): string {
  return `${name} is larger than ${maxReportBytes / 1e6} MB: give a part of it`;
}

/** All files of the report that config names, itself first. `root`: the folder from which files are named. @throws UnreadReport */
export async function reportOnDisk(path: string, root: string): Promise<ReportFile[]> {
  try {
    const text = await textIn(await pathWithin(root, path));
    const { files } = await filesOnDisk(root, root);
    return [{ path, text }, ...(await chaptersAround(path, files, ""))];
  } catch (error) {
    const why =
      error instanceof NoText ? "it is not a text, or too large" : refusedBecause(error, "there is no such file");
    if (why === undefined) throw error;
    throw new UnreadReport(`${path} could not be read: ${why}`, { cause: error });
  }
}

/** Explains why a file or folder cannot be read, or is not a text. */
export function unreadBecause(error: unknown): string | undefined {
  if (error instanceof NoText) return error.message;
  const why = refusedBecause(error, "it no longer exists");
  const path = error instanceof Error && "path" in error ? error.path : "a file";
  return why === undefined ? undefined : `${path} could not be read: ${why}`;
}

const maxSites = 5;

/** Removes the pages that `publish` wrote from a tree: they show a report but are not one. */
export async function withoutPublished(
  tree: RepositoryTree,
  text: (path: string) => Promise<string | undefined>,
): Promise<RepositoryTree> {
  const lists = tree.files.filter(({ path }) => basename(path) === manifestName).slice(0, maxSites);
  const published = new Set<string>();
  for (const { path } of lists)
    for (const file of filesListed(await text(path))) published.add(join(dirname(path), file));
  return { ...tree, files: tree.files.filter(({ path }) => !published.has(path)) };
}

/** Folders without reports. */
const ignoredFolders = /^(?:\..*|node_modules|__pycache__)$/;
const maxListed = 50_000;
const maxDepth = 30;
/** The files of a folder in the form of a commit's tree; `faults` gets a sentence for each unreadable one. */
export async function filesOnDisk(folder: string, root: string) {
  const faults: string[] = [];
  const addFault = (error: unknown) => {
    const fault = unreadBecause(error);
    if (fault === undefined) throw error;
    faults.push(fault);
  };
  const paths = await pathsIn(folder, addFault);
  const listed: TreeFile[] = [];
  for (const path of paths.slice(0, maxListed)) {
    const isRead = isReadable(path) || isTable(path);
    const size = isRead ? ((await stat(path).catch(addFault)) ?? { size: 0 }).size : 0;
    listed.push({ path: shortPath(path, root), sha: "", size });
  }
  const text = async (path: string) => (await textIn(resolve(root, path)).catch(addFault)) ?? undefined;
  const tree = await withoutPublished({ files: listed, whole: paths.length <= maxListed }, text);
  const files = {
    tree: async () => tree,
    text,
    changed: (path: string) => lastCommitTime(resolve(root, path)),
  };
  return { files, faults };
}

/** The nearest files first. Links are not followed. `addFault` receives the folders that cannot be read. */
async function pathsIn(folder: string, addFault: (error: unknown) => void, depth = 0): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const paths = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  const below = entries.filter((entry) => entry.isDirectory() && !ignoredFolders.test(entry.name));
  for (const { name } of depth < maxDepth ? below : [])
    if (paths.length <= maxListed)
      paths.push(...((await pathsIn(join(folder, name), addFault, depth + 1).catch(addFault)) ?? []));
  return paths;
}

/** The path from the root, if the file is below it; otherwise the given path. */
export function shortPath(file: string, root: string): string {
  const path = relative(root, file);
  return path.startsWith("..") ? file : path;
}

/** A binary file, or one that is too large. */
class NoText extends Error {}

/** @throws NoText */
export async function textIn(file: string): Promise<string> {
  // Only plain files: a device has no size, and reading it may never end.
  return await readText(createReadStream(file, { end: maxReportBytes }), file);
}

/** @throws NoText */
export async function readText(stream: AsyncIterable<Buffer>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    if (parts.length === 0 && part.subarray(0, 8_000).includes(0)) throw new NoText(`${name} is not a text in UTF-8`);
    parts.push(part);
    length += part.length;
    if (length > maxReportBytes) throw new NoText(tooLarge(name));
  }
  const bytes = Buffer.concat(parts);
  return new TextDecoder().decode(bytes);
}

/** Time of the last commit, if the file is in a checkout. Spec: https://git-scm.com/docs/git-log */
export async function lastCommitTime(file: string): Promise<Instant | undefined> {
  const output = await git(dirname(file), "log", "-1", "--format=%cI", "--", basename(file)).catch(() => undefined);
  return instantOf(output?.trim());
}
