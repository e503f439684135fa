import { lstat, readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { checkoutOf, git } from "../../adapters/files/checkout.ts";
import { NoConfig } from "../../adapters/files/config.ts";
import { type CheckedChange, checkReportChange } from "../../audit/check/changed-citations.ts";
import { numberedAddresses, type ReportFinding } from "../../audit/check/findings.ts";
import { listsNear } from "../../audit/check/lists.ts";
import { changeCounts, changeSummary } from "../../audit/check/summary.ts";
import { closing } from "../../model/closing.ts";
import type { Config } from "../../model/config.ts";
import { clean, percentEncode } from "../../model/markdown.ts";
import { placeText, pluralize } from "../../model/words.ts";
import type { ReportFile } from "../../report/index.ts";
import { wireAudit } from "../../wire/audit.ts";
import { loadConfig } from "../../wire/config.ts";
import type { Settings } from "../../wire/settings.ts";
import { answer } from "./answers/index.ts";
import type { Answers } from "./answers/types.ts";
import { baseFolderOf } from "./init/files.ts";
import { minutesFrom, withProgress } from "./progress.ts";
import { explainFailure, filesOf, findReport, reportPath } from "./report.ts";
import { sideFile } from "./side-file.ts";
import { colourWithin, exits, type Terminal, WrongUsage } from "./terminal.ts";

export interface CheckOptions {
  readonly since: string;
  readonly annotate?: boolean;
  readonly json?: boolean;
  readonly minutes?: string;
  readonly summary?: string;
}

/**
 * `recheck check [REPORT]`: finds the sentences that changed in a report since a commit, checks the pages that they cite once,
 * and reports statements that these do not contain. Stores nothing. @throws WrongUsage | Unreachable | ConfigProblems
 */
export async function checkCommand(
  written: string | undefined,
  settings: Settings,
  options: CheckOptions,
  out: Terminal,
): Promise<number> {
  const minutes = minutesFrom(options.minutes);
  const summary = await sideFile("--summary", options.summary);
  const config = await configFor(settings, written);
  await using web = closing(await wireAudit(settings, config ?? { report: {} }));
  const root = await baseFolderOf(settings.config);
  const report = await reportPath(written, config, root);
  const now = filesOf(await findReport(report, web, { at: settings.clock.now(), root, whole: written === undefined }));
  const was = await filesAt(options.since, now, root);
  const after = now.filter(({ path, text }) => was.get(path) !== text);
  const before = after.flatMap(({ path }): ReportFile[] => {
    const text = was.get(path);
    return text === undefined ? [] : [{ path, text }];
  });
  const numbered = config ? numberedAddresses(config, web.readers) : new Map<number, string>();
  const files = { before, after, numbered, lists: [] };
  const lists = () => listsBeside(after, root, config?.report.text);
  const checked = await withProgress(out, options, (tell) => {
    const turns = { minutes, stop: web.stop, onChecked: (n: number) => tell(`Checking: ${pluralize(n, "citation")}`) };
    return explainFailure(report, () => checkReportChange(files, lists, web, settings.clock.now(), turns));
  });
  const { findings } = checked;
  // A pull request must not disable the check that it has to pass.
  const required = config?.report.check === "required" || (await wasRequired(options.since, root, settings.config));
  const done = { ...checked, since: options.since, required };
  if (options.json) answer("check", fieldsOf(done), out);
  else if (options.annotate) for (const one of findings) out.line(workflowCommand(one, required), "command");
  else print(done, out);
  await summary?.add(`## Changed sentences of the report\n\n${changeSummary(done)}\n\n`);
  return required && findings.length > 0 ? exits.standing : exits.done;
}

/** The config; optional if the report is named. @throws ConfigProblems | NoConfig */
async function configFor({ config }: Settings, written: string | undefined): Promise<Config | undefined> {
  try {
    return await loadConfig(config);
  } catch (error) {
    if (written !== undefined && error instanceof NoConfig) return undefined;
    throw error;
  }
}

async function listsBeside(after: readonly ReportFile[], root: string, report?: string): Promise<ReportFile[]> {
  const listed = await git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").catch(() => "");
  const paths = [...new Set(listed.split("\0"))].filter((path) => path !== "");
  const changed = after.map(({ path }) => path);
  const earlierFiles = await Promise.all(
    listsNear(
      paths.map((path) => ({ path, size: 1 })),
      changed,
      report,
    ).map(async (path) => {
      const there = await lstat(join(root, path)).catch(() => undefined);
      return there?.isFile() ? { path, size: there.size } : undefined;
    }),
  );
  const lists = listsNear(
    earlierFiles.flatMap((one) => one ?? []),
    changed,
    report,
  );
  return await Promise.all(lists.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })));
}

/** Files at a commit, by their present paths; files that did not exist are left out. @throws WrongUsage */
async function filesAt(ref: string, now: readonly ReportFile[], root: string): Promise<Map<string, string>> {
  const where = root === "." ? "this folder" : root;
  if ((await checkoutOf(root)) === undefined)
    throw new WrongUsage(`${where} is not in a git checkout: there is no commit to compare the report with`);
  const verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const commit = await git(root, ...verify).catch(() => {
    const deeper = "; in a workflow, `fetch-depth: 2` of actions/checkout fetches the previous commit";
    throw new WrongUsage(`--since ${ref}: there is no such commit in the checkout of ${where}${deeper}`);
  });
  const texts = new Map<string, string>();
  for (const { path } of now) {
    const within = relative(root, resolve(root, path)).split(sep).join("/");
    if (within.startsWith("..")) throw new WrongUsage(`${path} is not a file of the checkout of ${where}`);
    const text = await git(root, "show", `${commit.trim()}:./${within}`).catch(() => undefined);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

const requirement = z.object({ report: z.object({ check: z.literal("required") }) });

async function wasRequired(ref: string, root: string, folder: string): Promise<boolean> {
  const path = relative(root, join(folder, "sources.yaml")).split(sep).join("/");
  const text = await git(root, "show", "--end-of-options", `${ref}:./${path}`).catch(() => "");
  try {
    return requirement.safeParse(parse(text)).success;
  } catch {
    return false;
  }
}

interface Done extends CheckedChange {
  readonly since: string;
  readonly required: boolean;
}

function print(checked: Done, out: Terminal): void {
  const { change, findings, seen } = checked;
  for (const { file, line, title, message, said, there } of findings) {
    out.line(`${placeText({ file, line })}  ${out.paint("yellow", title)}`);
    out.line(`  ${colourWithin(message, { report: said, page: there }, out)}`);
  }
  if (findings.length > 0 && !out.quiet) out.line();
  for (const { address, because } of seen.unread) out.line(out.paint("gray", `not read: ${address}: ${because}`));
  for (const file of change.cut) out.line(out.paint("yellow", `${file} is longer than the limit for reports.`));
  if (!out.quiet) out.line(`${changeCounts(checked)} Since ${checked.since}.`);
}

/** Spec: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-a-warning-message */
export function workflowCommand({ file, line, title, message }: ReportFinding, required: boolean): string {
  const properties = { file, ...(line !== undefined && { line: `${line}` }), title };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${percentEncode(value, /[%\r\n:,]/g)}`);
  return `::${required ? "error" : "warning"} ${written.join(",")}::${percentEncode(clean(message), /[%\r\n]/g)}`;
}

function fieldsOf({ since, change, findings, seen, required }: Done): Answers["check"] {
  const counts = { sentences: change.sentences.length, pages: seen.read };
  return { command: "check", since, required, ...counts, findings, unread: seen.unread, cut: change.cut };
}
