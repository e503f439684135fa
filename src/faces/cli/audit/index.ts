import { glob, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { checkoutOf, fileBeforeAndAfter, fileExists } from "../../../adapters/files/checkout.ts";
import { isPublished } from "../../../adapters/files/folder.ts";
import { refusedBecause } from "../../../adapters/files/refused.ts";
import { withCopies } from "../../../audit/archived.ts";
import {
  type Audit,
  auditReport,
  citedInReport,
  closedNotice,
  type Exclusion,
  type ReportToAudit,
  tooLongText,
  withoutExcluded,
} from "../../../audit/audit.ts";
import { ownLinesNow } from "../../../audit/code-lines.ts";
import type { CitedPage, Finding } from "../../../audit/findings.ts";
import { runInWorker } from "../../../audit/tasks.ts";
import { closing } from "../../../model/closing.ts";
import { codeOf } from "../../../model/failure.ts";
import { findingKinds, isOutdated } from "../../../model/finding.ts";
import { pattern } from "../../../model/options.ts";
import type { WebArchive } from "../../../model/ports/index.ts";
import type { Instant } from "../../../model/time.ts";
import { enumerate, placeText, pluralize } from "../../../model/words.ts";
import { convertTypeset, isTypeset } from "../../../onboard/report-files.ts";
import { withLinesEdited } from "../../../report/edit/edit-entry.ts";
import { type FileChange, patchOf } from "../../../report/edit/splice.ts";
import type { ReportFile } from "../../../report/index.ts";
import { wireAudit } from "../../../wire/audit.ts";
import type { Settings } from "../../../wire/settings.ts";
import type { WiredWeb } from "../../../wire/web.ts";
import { answer } from "../answers/index.ts";
import type { AuditAnswer } from "../answers/types.ts";
import { minutesFrom, withProgress } from "../progress.ts";
import { explainFailure, filesOf, findReport, hasReportName, reportFromInput, standardInput } from "../report.ts";
import { sideFile } from "../side-file.ts";
import { commandToType, exits, type Terminal, WrongUsage, wordsFrom } from "../terminal.ts";
import { auditMarkdown, auditPage, junit, printFindings } from "./formats.ts";

export interface AuditOptions {
  readonly format?: "text" | "json" | "markdown" | "junit";
  readonly exclude?: readonly string[];
  readonly suggest?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  /** A file for the corrections of entries, for `git apply`. */
  readonly patch?: string;
  readonly failOn?: string;
  readonly minutes?: string;
  readonly summary?: string;
}

/** `recheck audit REPORT…`: checks every citation of reports once. Stores nothing but answers of registries. */
export async function auditCommand(
  written: readonly string[],
  settings: Settings,
  options: AuditOptions,
  out: Terminal,
): Promise<number> {
  const failOn = new Set(wordsFrom("--fail-on", options.failOn, findingKinds));
  const format = options.json ? "json" : (options.format ?? "text");
  const exclusions = await exclusionsFrom(options.exclude);
  const minutes = minutesFrom(options.minutes);
  const page = await sideFile("--html", options.html);
  const patch = await sideFile("--patch", options.patch);
  const summary = await sideFile("--summary", options.summary);
  await using web = closing(await wireAudit(settings, { report: {} }));
  const { archive } = web;
  if (options.suggest && !archive) throw new WrongUsage("--suggest needs a web archive, and RECHECK_ARCHIVE is none");
  const report = await findReports(written, web, settings.clock.now());
  const citations = withoutExcluded(
    await explainFailure(report.name, () => citedInReport(report.files, web)),
    exclusions,
  );
  const cites = citations.cited.length + citations.works.length + (citations.excluded ?? 0);
  if (cites === 0) {
    const advice = written.some(isTypeset) ? convertTypeset : "audit needs links, DOIs or a list of references";
    const none = `${report.name} cites no public address: ${advice}`;
    throw new WrongUsage(
      [none, ...report.faults, ...citations.cut.map(tooLongText), ...closedNotice(citations.closed)].join("\n"),
    );
  }
  const beside = await ownLinesIn(report.here, web, minutes);
  const audit = await withProgress(out, { json: format !== "text" }, async (say) => {
    const done = await auditReport({ ...report, beside }, citations, web, { minutes, stop: web.stop, say });
    return options.suggest && archive ? await addSuggestions(done, archive, web, minutes, say) : done;
  });
  if (format === "json") answer("audit", { command: "audit", ...auditFields(audit) }, out);
  else if (format === "markdown") out.line(auditMarkdown(audit).trimEnd());
  else if (format === "junit")
    out.line(
      await junit(audit, citations.cited, (kind) => (failOn.size > 0 ? failOn.has(kind) : isOutdated({ kind }))),
    );
  else if (audit.outage?.isTotal) for (const sentence of audit.left) out.line(sentence);
  else print(audit, out);
  await page?.replace(await auditPage(audit));
  await summary?.add(auditMarkdown(audit));
  await patch?.replace(await patchFor(report.here, audit));
  if (audit.outage) return exits.outage;
  return audit.findings.some(({ kind }) => failOn.has(kind)) ? exits.standing : exits.done;
}

/** Adds archived copies of dead links, with the same time limit again as the audit. */
async function addSuggestions(
  audit: Audit,
  archive: WebArchive,
  { clock, readers }: Pick<WiredWeb, "clock" | "readers">,
  minutes: number,
  say: (progress: string) => void,
): Promise<Audit> {
  const end = performance.now() + minutes * 60_000;
  const { findings, left, failed } = await withCopies(audit.findings, {
    clock,
    readers,
    archive,
    isOver: () => performance.now() > end,
    seen: (count, of) => say(`Asking ${archive.name} for copies: ${count} of ${pluralize(of, "dead link")}`),
  });
  if (left === 0) return { ...audit, findings };
  const because = failed ? `${archive.name} could not be asked: ${failed.message}` : "Time ran out";
  return {
    ...audit,
    findings,
    left: [...audit.left, `${because}. No copy was looked for of ${pluralize(left, "dead link")}.`],
  };
}

const maxOwnLines = 500;

async function ownLinesIn(files: readonly ReportFile[], web: WiredWeb, minutes: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  const end = performance.now() + minutes * 60_000;
  for (const lines of (await runInWorker("named lines", files, web)).slice(0, maxOwnLines)) {
    if (performance.now() > end) break;
    const versions = await fileBeforeAndAfter(lines.file, lines.line, lines.path);
    if (!versions) continue;
    const { before, after = "" } = versions;
    findings.push(...ownLinesNow(lines, await runInWorker("cited lines", { before, after, cited: lines }, web)));
  }
  return findings;
}

/** The corrections of entries, from the root of the checkout. A file that was not read as it is on disk gets none. */
async function patchFor(files: readonly ReportFile[], { findings }: Audit): Promise<string> {
  const edits = Map.groupBy(
    findings.flatMap((finding) => finding.edits ?? []),
    ({ file }) => file,
  );
  const changes: FileChange[] = [];
  for (const { path, text } of new Map(files.map((file) => [file.path, file])).values()) {
    const before = await readFile(path, "utf8");
    const after = withLinesEdited(text, edits.get(path) ?? []);
    const root = (await checkoutOf(dirname(path))) ?? ".";
    if (before.replace(/^\ufeff/, "") === text)
      changes.push({
        path: relative(root, path).split(sep).join("/"),
        before,
        after: before.slice(0, before.length - text.length) + after,
      });
  }
  return patchOf(changes);
}

function print({ says, counts, findings, left, citedPages }: Audit, out: Terminal): void {
  for (const page of citedPages) out.detail?.(pageLine(page));
  if (!out.quiet && findings.some(isOutdated)) {
    out.line(says);
    out.line();
  }
  printFindings(findings, out);
  if (!out.quiet && findings.length > 0) out.line();
  for (const sentence of left) out.line(out.paint("yellow", sentence));
  if (!out.quiet) out.line(counts);
}

/** `README.md:3  https://example.org/: read as page; 2 figures and 0 quotes compared`. */
function pageLine({ cited, kind, failure, compared }: CitedPage): string {
  const { figures = 0, quotes = 0 } = compared ?? {};
  const how = compared ? `; ${pluralize(figures, "figure")} and ${pluralize(quotes, "quote")} compared` : "";
  return `${placeText(cited)}  ${cited.address}: ${failure?.message ?? `read as ${kind}`}${how}`;
}

/** An audit as its answer: a finding has the fields of its citation. */
export function auditFields(audit: Audit): AuditAnswer {
  return { ...audit, findings: audit.findings.map(({ cited, ...finding }) => ({ ...cited, ...finding })) };
}

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
    reports.push(await (name === "-" ? reportFromInput() : findReport(name, web, { at })));
  }
  if (reports.length === 0)
    throw new WrongUsage(`${enumerate(names, 3)}: written by ${commandToType("publish")}, and no report`);
  const files = reports.flatMap((report) => {
    const folder = reports.length > 1 && report.repository !== undefined ? `${report.repository}/` : "";
    return filesOf(report).map(({ path, text }) => ({ path: folder + path, text }));
  });
  const here = reports.filter(
    ({ name, published, repository }) => name !== standardInput && published === undefined && repository === undefined,
  );
  const all = reports.map(({ name }) => name);
  return {
    name: enumerate(all, 3),
    reports: reports.length,
    files: [...new Map(files.map((file) => [file.path, file])).values()],
    here: here.flatMap(filesOf),
    faults: reports.flatMap(({ unread, faults }) => [...(unread?.says ?? []), ...faults]),
  };
}

/** The reports that a pattern such as `docs/*.md` matches. Shells without such patterns leave them to the command. */
async function expanded(written: string): Promise<string[]> {
  if (!/[*?[\]{}]/.test(written) || /^https?:/i.test(written) || (await fileExists(written))) return [written];
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
    throw new WrongUsage(`${file} cannot be read: ${refusedBecause(error, "it no longer exists") ?? String(error)}`);
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
