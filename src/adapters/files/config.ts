import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../model/failure.ts";
import { pathsWithin, pathWithin } from "./checkout.ts";
import { refusedBecause } from "./refused.ts";

export interface ConfigFile {
  /** `sources.yaml`, `triggers/mps.yaml`. */
  readonly path: string;
  readonly text: Uint8Array;
}

/** Bytes read of a larger file: one more than the limit shows the parser that it is too large. */
const maxFileBytes = 1_000_001;

/** Reads `sources.yaml` and `triggers/*.yaml` of a folder. @throws NoConfig if sources.yaml is missing; UnreadableConfig */
export async function readConfigFiles(folder: string): Promise<ConfigFile[]> {
  const sources = await pathWithin(folder, "sources.yaml")
    .then((file) => readWithinLimit(file, "sources.yaml"))
    .catch((error: unknown) => {
      const code = codeOf(error);
      throw absent.has(code) ? new NoConfig(folder, code) : new UnreadableConfig(join(folder, "sources.yaml"), error);
    });
  return [sources, ...(await readTriggers(folder))];
}

/** Names of the subfolders that `accept` allows and that contain YAML files. */
export async function yamlFolders(folder: string, accept: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && accept(entry.name)).map(({ name }) => name);
  const held = await Promise.all(names.map(async (name) => (await yamlNames(join(folder, name))).length > 0));
  return names.filter((_, i) => held[i]);
}

export class NoConfig extends Error {
  /** `code`: that of the system's error. */
  constructor(folder: string, code: string) {
    super(code === "ENOTDIR" ? `${folder} is no folder` : `no sources.yaml in ${folder}`);
    this.name = "NoConfig";
  }
}

/** A file exists but cannot be read. That is an error: it must not count as missing. */
export class UnreadableConfig extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be read: ${refusedBecause(cause, "it leads to nothing") ?? String(cause)}`, { cause });
    this.name = "UnreadableConfig";
  }
}

const absent: ReadonlySet<string> = new Set(["ENOENT", "EISDIR", "ENOTDIR"]);

/** The files in `triggers/`, sorted by name; empty if there is no such folder. */
async function readTriggers(folder: string): Promise<ConfigFile[]> {
  const path = join(folder, "triggers");
  const listed = await yamlNames(path);
  if (listed.length === 0) return [];
  const resolved = await pathsWithin(folder);
  return await Promise.all(
    listed.map((name) =>
      resolved(`triggers/${name}`)
        .then((file) => readWithinLimit(file, `triggers/${name}`))
        .catch((error: unknown) => {
          throw new UnreadableConfig(join(path, name), error);
        }),
    ),
  );
}

async function yamlNames(path: string): Promise<string[]> {
  const names = await readdir(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw new UnreadableConfig(path, error);
  });
  return names.filter((name) => /\.ya?ml$/.test(name)).sort();
}

async function readWithinLimit(full: string, path: string): Promise<ConfigFile> {
  if ((await stat(full)).size <= maxFileBytes) return { path, text: await readFile(full) };
  await using file = await open(full);
  const { buffer } = await file.read(new Uint8Array(maxFileBytes), 0, maxFileBytes, 0);
  return { path, text: buffer };
}
