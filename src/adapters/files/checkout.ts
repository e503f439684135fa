import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The checkout that a folder lies in; undefined outside of one. */
export async function checkoutOf(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (await isThere(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** Whether there is a file or folder of this path. */
export async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
