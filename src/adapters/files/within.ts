import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { checkoutOf } from "./checkout.ts";

/**
 * Resolves paths from a config or a checkout. Links are followed only within the checkout that contains `folder`, or
 * else within `folder`: a proposed change could contain a link to any file of the machine. The paths are relative to
 * `folder`. @throws an error of code ELEADSOUT, or the system's
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

/** Resolves one path; see `pathsWithin`. */
export async function pathWithin(folder: string, path: string): Promise<string> {
  return await (await pathsWithin(folder))(path);
}
