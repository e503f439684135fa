import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { checkoutOf } from "./checkout.ts";

/**
 * The path of a file that a config or a checkout names. Links are followed only within the checkout that `folder` lies in, or
 * within `folder` itself outside of one: whoever proposes a change could aim a link at any file of the machine.
 * @throws an error of code ELEADSOUT, or the system's
 */
export async function pathWithin(folder: string, path: string): Promise<string> {
  const full = join(folder, path);
  const [real, ...limits] = await Promise.all(
    [full, folder, (await checkoutOf(folder)) ?? folder].map((at) => realpath(at)),
  );
  if (limits.some((limit) => real?.startsWith(limit.endsWith(sep) ? limit : limit + sep))) return full;
  throw Object.assign(new Error(`${full} leads out of ${folder}`), { code: "ELEADSOUT", path: full });
}
