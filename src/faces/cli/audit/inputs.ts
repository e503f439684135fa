import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "../../../adapters/files/checkout.ts";
import { isPublished } from "../../../adapters/files/folder.ts";
import { refusedBecause } from "../../../adapters/files/refused.ts";
import type { Exclusion, ReportToAudit } from "../../../audit/audit.ts";
import { codeOf } from "../../../model/failure.ts";
import { pattern } from "../../../model/options.ts";
import type { Instant } from "../../../model/time.ts";
import { listed } from "../../../model/words.ts";
import type { ReportFile } from "../../../report/index.ts";
import type { WiredWeb } from "../../../wire/web.ts";
import { filesOf, findReport, fromInput, hasReportName, standardInput } from "../report.ts";
import { commandToType, WrongUsage } from "../terminal.ts";

const maxFiles = 1_000;

interface AllReports extends ReportToAudit {
  readonly here: readonly ReportFile[];
}

/** Reads all reports of an audit. `-` is standard input. @throws WrongUsage | Unreachable */
export async function findReports(written: readonly string[], web: WiredWeb, at: Instant): Promise<AllReports> {
  const names = [...new Set((await Promise.all(written.map(expanded))).flat())];
  const reports = [];
  for (const name of names) {
    if (await isPublished(name)) continue;
    reports.push(await (name === "-" ? fromInput() : findReport(name, web, { at })));
  }
  if (reports.length === 0)
    throw new WrongUsage(`${listed(names, 3)}: written by ${commandToType("publish")}, and no report`);
  const files = reports.flatMap((report) => {
    const folder = reports.length > 1 && report.repository !== undefined ? `${report.repository}/` : "";
    return filesOf(report).map(({ path, text }) => ({ path: folder + path, text }));
  });
  const here = reports.filter(
    ({ name, published, repository }) => name !== standardInput && published === undefined && repository === undefined,
  );
  return {
    name: listed(
      reports.map(({ name }) => name),
      3,
    ),
    reports: reports.length,
    files: [...new Map(files.map((file) => [file.path, file])).values()],
    here: here.flatMap(filesOf),
    faults: reports.flatMap(({ unread, faults }) => [...(unread?.says ?? []), ...faults]),
  };
}

/** The reports that a pattern such as `docs/*.md` matches. Shells without such patterns leave them to the command. */
async function expanded(written: string): Promise<string[]> {
  if (!/[*?[\]{}]/.test(written) || /^https?:/i.test(written) || (await isThere(written))) return [written];
  const files: string[] = [];
  for await (const path of glob(written, {
    exclude: (path) => /(?:^|[\\/])(?:node_modules|\.git)[\\/]?$/.test(String(path)),
  })) {
    if (!hasReportName.test(path)) continue;
    if (files.length >= maxFiles) throw new WrongUsage(`${written} matches more than ${maxFiles} files: give a folder`);
    files.push(path);
  }
  if (files.length === 0)
    throw new WrongUsage(`no report matches ${written}: give a file, a folder, owner/name or a URL`);
  return files.sort();
}

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
