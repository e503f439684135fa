import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { checkoutOf } from "./checkout.ts";

/**
 * Resolves paths that a config or a checkout names. Links are followed only within the checkout that `folder` lies in, or
 * within `folder` itself outside of one: whoever proposes a change could aim a link at any file of the machine. The paths are
 * relative to `folder`. @throws an error of code ELEADSOUT, or the system's
 */
export async function pathsWithin(folder: string): Promise<(path: string) => Promise<string>> {
  const limits = await Promise.all([folder, (await checkoutOf(folder)) ?? folder].map((at) => realpath(at)));
  return async (path) => {
    const full = join(folder, path);
    const real = await realpath(full);
    if (limits.some((limit) => real.startsWith(limit.endsWith(sep) ? limit : limit + sep))) return full;
    throw Object.assign(new Error(`${full} leads out of ${folder}`), { code: "ELEADSOUT", path: full });
  };
}

/** The same for one path. */
export async function pathWithin(folder: string, path: string): Promise<string> {
  return await (await pathsWithin(folder))(path);
}
