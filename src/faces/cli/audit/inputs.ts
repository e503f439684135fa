import { glob } from "node:fs/promises";
import { isThere } from "../../../adapters/files/checkout.ts";
import { isPublished } from "../../../adapters/files/folder.ts";
import type { ReportToAudit } from "../../../audit/audit.ts";
import type { Instant } from "../../../model/time.ts";
import { listed } from "../../../model/words.ts";
import type { ReportFile } from "../../../report/index.ts";
import type { WiredWeb } from "../../../wire/web.ts";
import { filesOf, findReport, fromInput, hasReportName, standardInput } from "../report.ts";
import { commandToType, WrongUsage } from "../terminal.ts";

/** Files that a pattern may match. */
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
