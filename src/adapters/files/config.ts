import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface ConfigFile {
  /** As it is named in messages: `sources.yaml`, `triggers/mps.yaml`. */
  readonly path: string;
  readonly text: Uint8Array;
}

/** More bytes than a file may have are not read; one more than the limit tells the parser that it is too large. */
const maxFileBytes = 1_000_001;

/** Reads `sources.yaml` and `triggers/*.yaml` of a folder. @throws NoConfig where sources.yaml is missing */
export async function readConfigFiles(folder: string): Promise<ConfigFile[]> {
  const sources = await readCapped(folder, "sources.yaml");
  if (!sources) throw new NoConfig(folder);
  const names = (await list(join(folder, "triggers"))).filter((name) => /\.ya?ml$/.test(name)).sort();
  const triggers = await Promise.all(names.map((name) => readCapped(folder, `triggers/${name}`)));
  return [sources, ...triggers.filter((file) => file !== undefined)];
}

/** Reads `scenarios/*.yaml` of a folder, if there are any. */
export async function readScenarioFiles(folder: string): Promise<ConfigFile[]> {
  const names = (await list(join(folder, "scenarios"))).filter((name) => /\.ya?ml$/.test(name)).sort();
  const files = await Promise.all(names.map((name) => readCapped(folder, `scenarios/${name}`)));
  return files.filter((file) => file !== undefined);
}

export class NoConfig extends Error {
  constructor(folder: string) {
    super(`no sources.yaml in ${folder}`);
    this.name = "NoConfig";
  }
}

/** No file is there: nothing is, a folder is, or its own folder is a file. */
const absent: ReadonlySet<unknown> = new Set(["ENOENT", "EISDIR", "ENOTDIR"]);

async function readCapped(folder: string, path: string): Promise<ConfigFile | undefined> {
  const full = join(folder, path);
  try {
    if ((await stat(full)).size > maxFileBytes) return { path, text: new Uint8Array(maxFileBytes) };
    return { path, text: await readFile(full) };
  } catch (error) {
    if (error instanceof Error && "code" in error && absent.has(error.code)) return undefined;
    throw error;
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
