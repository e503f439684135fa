import { statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkoutOf, fileExists } from "../../adapters/files/checkout.ts";
import { configFolders } from "../../config/files.ts";

export interface StorePlace {
  readonly folder: string;
  readonly newer?: { readonly folder: string; readonly used: number };
}

const name = ".recheck";

/**
 * The folder of the store if RECHECK_DATA is not set: `.recheck` beside the config. If there is none, the one in the
 * working directory is used, where earlier versions kept it.
 */
export function storePlace(config: string): StorePlace {
  const beside = join(config, name);
  if (resolve(beside) === resolve(name)) return { folder: name };
  const [own, here] = [lastUsed(beside), lastUsed(name)];
  if (here === undefined) return { folder: beside };
  if (own === undefined) return { folder: name };
  return { folder: beside, ...(here > own && { newer: { folder: name, used: here } }) };
}

/** When a store was last written, in milliseconds; undefined if it is missing or not readable. */
function lastUsed(folder: string): number | undefined {
  const times = ["recheck.sqlite", "recheck.sqlite-wal"].flatMap((file) => modifiedTimes(join(folder, file)));
  return times.length > 0 ? Math.max(...times) : undefined;
}

function modifiedTimes(file: string): number[] {
  try {
    return [statSync(file).mtimeMs];
  } catch {
    // Opening the store reports the problem.
    return [];
  }
}

/** The default of --config: this folder, its `.github/recheck`, or the nearest of these above it in the checkout. */
export async function configFolder(): Promise<string> {
  const start = resolve(".");
  const root = (await checkoutOf(start)) ?? start;
  for (let above = start; ; above = dirname(above)) {
    for (const folder of configFolders.map((name) => join(above, name)))
      if (await fileExists(join(folder, "sources.yaml"))) return relative(start, folder) || ".";
    if (above === root) return ".";
  }
}
