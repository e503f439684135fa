import { dirname, join, relative, resolve } from "node:path";
import { checkoutOf, isThere } from "../../adapters/files/checkout.ts";
import { configFolders } from "../../config/files.ts";

/**
 * The folder of the config if --config does not name one: the working directory, its `.github/recheck`, or the nearest of
 * these above it in the same checkout.
 */
export async function configFolder(): Promise<string> {
  const start = resolve(".");
  const root = (await checkoutOf(start)) ?? start;
  for (let above = start; ; above = dirname(above)) {
    for (const folder of configFolders.map((name) => join(above, name)))
      if (await isThere(join(folder, "sources.yaml"))) return relative(start, folder) || ".";
    if (above === root) return ".";
  }
}
