import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { refusedBecause } from "../../../adapters/files/refused.ts";
import type { Exclusion } from "../../../audit/exclude.ts";
import { codeOf } from "../../../model/failure.ts";
import { pattern } from "../../../model/options.ts";
import { WrongUsage } from "../terminal.ts";

/** Files of the working directory with one beginning of an address, or pattern, on each line. lychee reads the second. */
const ignoreFiles = [".recheckignore", ".lycheeignore"];
const maxIgnoreBytes = 100_000;
const maxExclusions = 1_000;

/** The exclusions of `--exclude` and of the ignore files. @throws WrongUsage */
export async function exclusionsFrom(excluded: readonly string[] = [], folder = "."): Promise<Exclusion[]> {
  const ofFiles = await Promise.all(ignoreFiles.map((name) => linesOf(folder, name)));
  const all = [...excluded.map((text) => exclusionOf(text, "--exclude")), ...ofFiles.flat()];
  if (all.length > maxExclusions) throw new WrongUsage(`more than ${maxExclusions} exclusions: combine some of them`);
  return all;
}

async function linesOf(folder: string, name: string): Promise<Exclusion[]> {
  const file = join(folder, name);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return "";
    throw new WrongUsage(
      `${file} cannot be read: ${refusedBecause(error, "it is not there any more") ?? String(error)}`,
    );
  });
  if (text.length > maxIgnoreBytes) throw new WrongUsage(`${file} is larger than ${maxIgnoreBytes / 1000} kB`);
  return text.split("\n").flatMap((line, i) => {
    const written = line.trim();
    return written === "" || written.startsWith("#") ? [] : [exclusionOf(written, `${file}:${i + 1}`)];
  });
}

/** An address may contain characters that no pattern has in this place: then only its beginning counts. */
function exclusionOf(written: string, place: string): Exclusion {
  const { data, error } = pattern.safeParse(written);
  if (data !== undefined) return { prefix: written, pattern: data };
  if (/^https?:\/\//.test(written)) return { prefix: written };
  throw new WrongUsage(`${place}: "${written}" ${error?.issues[0]?.message}`);
}
