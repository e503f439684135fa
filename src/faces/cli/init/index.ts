import { originOf } from "../../../adapters/files/checkout.ts";
import { type Audit, auditReport, type CitedInReport, citedInReport } from "../../../audit/audit.ts";
import { identifiedReport } from "../../../audit/entry-edits.ts";
import { recordOf } from "../../../audit/visit.ts";
import { checkWorks } from "../../../audit/works.ts";
import type { Proposals } from "../../../claims/mine/index.ts";
import { closing } from "../../../model/closing.ts";
import type { Config } from "../../../model/config.ts";
import { ignoreFailure } from "../../../model/failure.ts";
import { isOutdated } from "../../../model/finding.ts";
import type { OfferedTable, RepositoryFile, UnreadPages } from "../../../model/ports/index.ts";
import { day, type Instant } from "../../../model/time.ts";
import { oneLine, placeText, pluralize, upTo } from "../../../model/words.ts";
import {
  type AroundReport,
  adoptReadKinds,
  afterFirstCheck,
  citingFiles,
  draftIn,
  type FirstAnswers,
  firstCheckIn,
  tableCandidatesIn,
} from "../../../onboard/first-check.ts";
import { askedPeriod, frequencyAdvice } from "../../../onboard/question-counts.ts";
import { convertTypeset, isTypeset } from "../../../onboard/report-files.ts";
import { draftSummary, offeredTables, pointsToReview, tablesLeft } from "../../../onboard/summary.ts";
import { readers } from "../../../read/index.ts";
import type { Draft } from "../../../report/index.ts";
import { type AnswerKey, rememberAnswers } from "../../../watch/one-request.ts";
import { wireAudit } from "../../../wire/audit.ts";
import { loadConfig, parsedConfig } from "../../../wire/config.ts";
import type { Settings } from "../../../wire/settings.ts";
import type { WiredWeb } from "../../../wire/web.ts";
import { answer } from "../answers/index.ts";
import type { Answers } from "../answers/types.ts";
import { findingSays } from "../audit/formats.ts";
import { auditFields } from "../audit/index.ts";
import { claimLines } from "../claims.ts";
import { restLine, table } from "../columns.ts";
import { type ProbeOptions, probe, readPast } from "../probe.ts";
import { minutesFrom, withProgress } from "../progress.ts";
import { explainFailure, type FoundReport, filesOf as filesOfReport, findReport } from "../report.ts";
import { commandToType, didYouMean, exits, section, type Terminal, WrongUsage } from "../terminal.ts";
import { baseFolderOf, refuseExistingConfig, unknownOwner, withSchema, workflowFor, writeNew } from "./files.ts";

export interface InitOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** Ids of the tables to draft ratings from (default: those that certainly rate). */
  readonly table?: readonly string[];
  readonly minutes?: string;
}

/** The outcome of `init`. */
interface Initialised extends Omit<Answers["init"], "command" | "claims" | "audit" | "found" | "goOver" | "files"> {
  readonly drafted: Draft;
  readonly config: Config;
  readonly claims: Proposals;
  readonly unread?: UnreadPages;
  readonly chosen?: readonly string[] | undefined;
  readonly audit?: Audit;
  readonly workflow?: RepositoryFile;
}

/** `recheck init REPORT`: drafts a config, checks each address once, and writes it. @throws WrongUsage | Unreachable */
export async function initCommand(
  written: string,
  settings: Settings,
  options: InitOptions,
  out: Terminal,
): Promise<number> {
  if (isTypeset(written)) throw new WrongUsage(`${written} cannot be read as a report: ${convertTypeset}`);
  const asking = { minutes: minutesFrom(options.minutes), options, out };
  await refuseExistingConfig(settings.config);
  const wired = await wireAudit({ ...settings, dryRun: options.dryRun }, { report: {} });
  // The draft and the audit need the same pages.
  const keyOf: AnswerKey = (...request) => recordOf(...request) ?? JSON.stringify(request);
  await using web = closing({ ...wired, fetch: rememberAnswers(wired.fetch, keyOf) });
  const at = settings.clock.now();
  const repository = settings.repo ?? (await originOf(settings.config));
  const around = { at, ...(repository && { repository }) };
  const report = await withCommitTime(
    await findReport(written, web, { ...around, root: await baseFolderOf(settings.config) }),
  );
  const cited = await citedInReport(filesOfReport(report), web).catch(ignoreFailure);
  const draftedFrom = await correctIdentifiers(report, cited, web, at, asking);
  const { unread } = report;
  const toDraft = { ...report, ...(draftedFrom && { report: draftedFrom }) };
  const sure =
    (draftedFrom === report.report ? report.best : undefined) ??
    (await explainFailure(report.name, () => draftOf(toDraft, around, web)));
  const candidates = sure?.candidates ?? (await tablesOf(report, web));
  const chosen = await chosenTables(candidates, options, out);
  const best = chosen ? await explainFailure(report.name, () => draftOf(toDraft, around, web, chosen)) : sure;
  if (!best) {
    const first = `${report.name} cites no public address, and has no ratings: there is nothing to watch`;
    const why = [...withTableOption(offeredTables(candidates)), ...(unread?.says ?? []), ...report.faults];
    const advice = "Add a link, or a table whose cells judge something, such as High, 4/5 or ✅";
    throw new WrongUsage([first, ...(why.length > 0 ? why : [advice])].join("\n"));
  }
  // A draft is always valid. Anything else is a defect, which is reported before a file is written.
  const { config: drafted } = await parsedConfig(best.files);
  const workflow = await workflowFor(settings.config);
  const all = [...drafted.sources.values()];
  const checked = await probe(all, web, asking);
  const text = draftedFrom ? citingFiles(draftedFrom, best.found) : [];
  const { read: newReadings, ...asCame } = adoptReadKinds(
    { files: best.files, config: drafted },
    checked.came,
    readers,
  );
  const readings = new Map([...checked.readings, ...newReadings]);
  const failures = new Map([...checked.failures].filter(([id]) => !newReadings.has(id)));
  const check = { at, readings, failures };
  const through = firstCheckIn(web.workers);
  const settle = (past?: FirstAnswers["past"]) => afterFirstCheck(asCame, text, { ...check, past }, readers, through);
  const now = await settle();
  const past = await readPast(now.claims.open, now.config, readings, web, asking);
  const { files: settledFiles, ...settled } = past.size > 0 ? await settle(past) : now;
  const files = await withSchema(settings.config, settledFiles);
  await writeNew(settings.config, [...files, ...(workflow ? [workflow] : [])], options);
  if (!options.dryRun) await loadConfig(settings.config);
  const audited = cited && (await auditOf(report, cited, web, asking));
  const { later } = checked;
  const probes = checked.probes.map(({ says, ...one }) =>
    newReadings.has(one.source) || !says ? one : { ...one, says },
  );
  const initialised = {
    report: report.name,
    faults: report.faults,
    at,
    drafted: { ...best, files },
    tables: offeredTables(best.candidates, chosen),
    chosen,
    ...settled,
    probes,
    later,
    audit: audited,
    written: !options.dryRun,
    unread,
    workflow,
  };
  if (options.json) answer("init", fieldsOf(initialised), out);
  else print(initialised, settings, out);
  return exits.done;
}

async function withCommitTime({ committed, report, ...found }: FoundReport): Promise<FoundReport> {
  return { ...found, ...(report && { report: committed ? { ...report, committed: await committed() } : report }) };
}

/** The report with corrected identifiers of works, as far as registries answer within half of the time. */
async function correctIdentifiers(
  { report }: FoundReport,
  cited: CitedInReport | undefined,
  web: WiredWeb,
  at: Instant,
  { minutes, options, out }: ProbeOptions,
): Promise<FoundReport["report"]> {
  if (!report) return undefined;
  const { works } = cited ?? { works: [] };
  let isOver = false;
  const stop = async () => {
    isOver = true;
  };
  const { checked } = await withProgress(out, options, (say) => {
    const onChecked = (count: number) => say(`Asking registries: ${count} of ${pluralize(works.length, "work")}`);
    return checkWorks(works, web, at, { minutes: minutes / 2, stop, onChecked, stopped: () => isOver });
  });
  return identifiedReport(report, checked);
}

async function auditOf(
  report: FoundReport,
  cited: CitedInReport,
  web: WiredWeb,
  { minutes, options, out }: ProbeOptions,
): Promise<Audit | undefined> {
  const whole = { ...report, files: filesOfReport(report) };
  return await withProgress(out, options, (say) =>
    auditReport(whole, cited, web, { minutes, stop: web.stop, say }),
  ).catch(ignoreFailure);
}

async function draftOf(
  { report, published, repository }: FoundReport,
  known: AroundReport,
  { workers }: WiredWeb,
  chosen?: readonly string[],
): Promise<Draft | undefined> {
  const around = { ...known, ...(repository && { repository }), ...(published && { published }) };
  return report && (await draftIn(workers, { report, around, chosen }));
}

/** The tables of a report without citations: people choose those that rate. */
async function tablesOf({ name, report }: FoundReport, { workers }: WiredWeb): Promise<Draft["candidates"]> {
  return report ? await explainFailure(name, () => tableCandidatesIn(workers, report)) : [];
}

function fieldsOf({ drafted, config, workflow, unread, chosen, audit, ...all }: Initialised): Answers["init"] {
  return {
    ...all,
    command: "init",
    found: drafted.found,
    goOver: toReview({ ...all, drafted, config, chosen, unread }),
    audit: audit && auditFields(audit),
    files: [...drafted.files, ...(workflow ? [workflow] : [])],
  };
}

function print(initialised: Initialised, settings: Settings, out: Terminal): void {
  const { drafted, config, claims, probes, later, faults } = initialised;
  const { found } = drafted;
  const clip = (text: string) => oneLine(text, 200);
  const room = out.width && out.width - 2;
  out.line(`${clip(config.report.title)}, drafted from ${clip(found.path)}`);
  out.line(`  ${clip(draftSummary(found, (level) => level))}.`);
  out.line(`  It counts as last checked on ${day(config.report.audited)} (${found.because}).`);
  section(out, initialised.written ? "Written" : "Would be written (--dry-run)", filesOf(initialised, room));
  const failed = probes.filter(({ says }) => says !== undefined);
  const seen = probes.length - failed.length;
  const rest = later.length > 0 ? [`${later.length} more not checked: no time was left, or no GitHub requests`] : [];
  const sign = seen > 0 ? out.paint("green", "✔") : out.paint("red", "✗");
  const checked = probes.length > 0 ? [`${sign} ${seen} of ${pluralize(probes.length, "source")} could be read`] : [];
  section(out, "Checked", [...checked, ...rest]);
  section(out, "Claims", claimLines(claims, config, [...claims.claims, ...claims.contradicted]));
  section(out, initialised.audit?.says ?? "", findingRows(initialised, out));
  const rows = failed.map(({ source, address, says = "" }) => [
    "○",
    source,
    oneLine(address, 70),
    `${clip(says)}${initialised.givenUp.includes(source) ? " (now `unwatchable`)" : ""}`,
  ]);
  section(out, "Could not be read properly", limitRows(table(rows, "", room)));
  const moved = probes.flatMap(({ source, moved }) => (moved === undefined ? [] : [["→", source, clip(moved)]]));
  section(out, "Moved for good, to", limitRows(table(moved, "", room)));
  section(out, "Entries that could not be read", limitRows(faults.map(clip)));
  section(
    out,
    `Would have asked since ${day(initialised.at - askedPeriod)}, by entries and releases`,
    limitRows(table(askedRows(initialised), "", room)),
  );
  section(
    out,
    "To review",
    toReview(initialised).map((line) => `- ${oneLine(line, 600)}`),
  );
  section(out, "Next", nextLines(initialised, settings.config, room));
}

function toReview({ drafted, config, unread, tables, chosen }: Omit<Initialised, "workflow">): string[] {
  return [
    ...(chosen ? [] : withTableOption(tables)),
    ...pointsToReview(drafted.found, config, readers, unread, (level) => level),
  ];
}

function withTableOption(tables: readonly OfferedTable[]): string[] {
  const left = tablesLeft(tables);
  return left === "" ? [] : [`${left} Run it again with --table and the names of those that do.`];
}

function findingRows({ audit }: Initialised, out: Terminal): string[] {
  if (!audit) return [];
  const findings = audit.findings.filter(isOutdated);
  return [
    ...limitRows(findings.map((finding) => `${placeText(finding.cited)}  ${findingSays(finding, out)}`)),
    ...audit.left,
    audit.counts,
  ];
}

function askedRows({ asked, config }: Initialised): string[][] {
  return asked.map((one) => [
    pluralize(one.times, "time"),
    `triggers/${one.trigger}.yaml`,
    oneLine(nameOf(`triggers/${one.trigger}.yaml`, config), 70),
    frequencyAdvice(one),
  ]);
}

const maxRows = 30;

function limitRows(rows: readonly string[]): readonly string[] {
  return upTo(maxRows, rows, restLine);
}

function filesOf({ config, drafted, workflow }: Initialised, room?: number): readonly string[] {
  const { sources, ratings, unwatchable } = config;
  const more = unwatchable.length > 0 ? `, ${pluralize(unwatchable.length, "reference")} that cannot be watched` : "";
  const holds = `${pluralize(sources.size, "source")}, ${pluralize(ratings.size, "rating")}${more}`;
  const triggers = drafted.files.slice(1).map(({ path }) => [path, oneLine(nameOf(path, config), 100)]);
  const last = workflow ? [[workflow.path, "scans every six hours, and opens the issues"]] : [];
  return limitRows(table([["sources.yaml", holds], ...last, ...triggers], "", room));
}

function nameOf(path: string, { triggers }: Config): string {
  return triggers.get(path.replace(/^triggers\/|\.yaml$/g, ""))?.name ?? "";
}

/** The account that the workflow names: that of the repository, if it is known. */
function ownerRow({ path, text }: RepositoryFile): [string, string] {
  const owner = /uses: ([\w-]+)\/recheck@/.exec(text)?.[1] ?? unknownOwner;
  return owner === unknownOwner
    ? [`replace OWNER in ${path}`, "with the account that hosts Recheck on GitHub"]
    : [`check ${owner}/recheck in ${path}`, "it must be the account that hosts Recheck on GitHub"];
}

function nextLines({ report, written, workflow, chosen = [] }: Initialised, config: string, room?: number): string[] {
  const where = config === "." ? [] : ["--config", config];
  // A name with characters that are special in a shell is left to people.
  const named = /^[\w./:@%+-]+$/.test(report) ? report : "REPORT";
  const tables = chosen.length > 0 ? ["--table", ...chosen] : [];
  if (!written) return [`${commandToType("init", named, ...where, ...tables)}  writes it`];
  return table(
    [
      [
        commandToType("validate", ...(config === "." ? [] : [config])),
        "after every edit: prints mistakes with their lines",
      ],
      [commandToType("scan", ...where, "--dry-run"), "checks everything, and reports what is already outdated"],
      ...(workflow ? [ownerRow(workflow)] : []),
      [workflow ? "commit and push" : "keep the workflow", "Recheck opens issues from then on"],
    ],
    "",
    room,
  );
}

const maxTries = 3;

/**
 * The ids of the tables that rate: as the options name them, or as the person at the terminal answers. Undefined without an
 * answer: then only those that certainly rate count. @throws WrongUsage
 */
export async function chosenTables(
  candidates: Draft["candidates"],
  { table, json }: InitOptions,
  out: Terminal,
): Promise<readonly string[] | undefined> {
  if (table) return named(table, candidates);
  const offered = offeredTables(candidates);
  if (offered.length === 0 || json || !out.ask) return undefined;
  section(out, "Which of these tables rate? Only those whose cells judge something do.", offered.flatMap(linesOf));
  out.line();
  const sure = offered.flatMap(({ isChosen }, i) => (isChosen ? [i + 1] : []));
  const otherwise = sure.length > 0 ? `only ${sure.join(", ")}` : "none";
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await out.ask(`Numbers, all or none (Enter: ${otherwise}):`);
    if (answer.trim() === "") return undefined;
    const chosen = chosenBy(answer, offered);
    if (chosen) return chosen;
    out.line(`Please answer with numbers from 1 to ${offered.length}, such as "1" or "1, 2"; or with "all" or "none".`);
  }
  return undefined;
}

/** Three lines: its number and place, its head, its first row. */
function linesOf({ place, counts, lines, reason, isChosen }: OfferedTable, i: number): string[] {
  return [
    `${i + 1}  ${place}: ${counts}; ${isChosen ? "rates" : "doubtful"}: ${reason}`,
    ...lines.map((line) => `     ${line}`),
  ];
}

/** `1, 3`, `all`, `none`; undefined for anything else. */
function chosenBy(answer: string, offered: readonly OfferedTable[]): string[] | undefined {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,;]+/);
  if (words.join(" ") === "none") return [];
  if (words.join(" ") === "all") return offered.map(({ id }) => id);
  const chosen = words.map((word) => (/^\d{1,3}$/.test(word) ? offered[Number(word) - 1]?.id : undefined));
  return chosen.every((id) => id !== undefined) ? chosen : undefined;
}

function named(table: readonly string[], candidates: Draft["candidates"]): readonly string[] {
  const ids = candidates.map(({ id }) => id);
  for (const id of table)
    if (!ids.includes(id))
      throw new WrongUsage(
        `--table: no table is called ${id}; those that may rate are ${ids.join(", ") || "none"}${didYouMean(id, ids)}`,
      );
  return table;
}
