import { isOutdated, outOfDateWords, worstFirst } from "../model/finding.ts";
import { hasMatch } from "../model/options.ts";
import { isSilence, type Outage, outageWords } from "../model/outage.ts";
import type { Clock } from "../model/ports/index.ts";
import { aDay, type Duration, type Instant } from "../model/time.ts";
import { firstOf, groupDigits, pluralize } from "../model/words.ts";
import type { ReportFile } from "../report/index.ts";
import { mostCharacters } from "../report/parse/report-text.ts";
import { rememberAnswers } from "../watch/one-request.ts";
import { blameOwnNetwork, checkAll, outageIn } from "./check-citations.ts";
import type { Citations, Cited } from "./cited.ts";
import { type CitedPage, type Finding, findingsOf, findingsOnce } from "./findings.ts";
import type { CheckingTime } from "./parallel-checks.ts";
import { runInWorker } from "./tasks.ts";
import { recordOf, type Web } from "./visit.ts";
import { checkWorks, identifiedPages, type WorkInReport, type WorksCheck, withWorks, worksLeft } from "./works.ts";

export interface Audit {
  readonly report: string;
  readonly at: Instant;
  /** Distinct addresses in the report that were checked, and how many of them were read. */
  readonly citations: number;
  readonly read: number;
  /** Figures and quotes of the report that were compared with the pages cited for them. */
  readonly figures: number;
  readonly quotes: number;
  /** For example, `8 things in this report are out of date`. */
  readonly says: string;
  /** For example, `16 citations, 14 read, 10 figures and 3 quotes compared: 8 findings`. */
  readonly counts: string;
  /** What was left out, and why: one sentence each. */
  readonly left: readonly string[];
  /** Worst first; findings of the same kind in the order of the report. */
  readonly findings: readonly Finding[];
  /** The outcome for each citation, in the order of the report. Citations for which there was no time are missing. */
  readonly citedPages: readonly CitedPage[];
  /** The works that registries were asked about. `isOver`: the time ran out before all were. */
  readonly works: Pick<WorksCheck, "checked" | "isOver">;
  /** Set if most hosts gave no response: our own network fails. `isTotal`: nothing at all could be seen. */
  readonly outage?: Outage & { readonly isTotal: boolean };
}

export interface ReportToAudit {
  /** The report's name in messages. */
  readonly name: string;
  /** How many reports these files are (default: 1). */
  readonly reports?: number;
  readonly files: readonly ReportFile[];
  /** Entries that could not be read, a sentence each. */
  readonly faults: readonly string[];
  /** Findings that are not about citations. */
  readonly beside?: readonly Finding[];
}

export interface CitedInReport extends Citations {
  readonly works: readonly WorkInReport[];
  readonly excluded?: number;
}

export interface AuditTime extends Omit<CheckingTime, "onChecked"> {
  readonly say: (progress: string) => void;
}

/** @throws Failure if reading the files takes too much */
export async function citedInReport(files: readonly ReportFile[], web: Pick<Web, "workers">): Promise<CitedInReport> {
  const citations = await runInWorker("cited", files, web);
  return { ...citations, works: await runInWorker("works", files, web) };
}

export interface AuditWeb extends Web {
  readonly clock: Clock;
}

/** Checks once everything that a report cites, and compares it with the report. Stores only answers of registries. */
export async function auditReport(
  report: ReportToAudit,
  { cited, works, left, cut, closed, excluded = 0 }: CitedInReport,
  web: AuditWeb,
  { minutes, stop, stopped, say }: AuditTime,
): Promise<Audit> {
  const fetch = rememberAnswers(web.fetch, recordOf);
  const begun = performance.now();
  let isOver = false;
  const end = async () => {
    isOver = true;
    await stop();
  };
  const progress = (count: number) => say(`Checking: ${count} of ${pluralize(cited.length, "citation")}`);
  const citedPages = await checkAll(cited, { ...web, fetch }, { minutes, stop: end, stopped, onChecked: progress });
  const outage = outageIn(citedPages, { alone: true });
  const time = {
    minutes: Math.max(0, minutes - (performance.now() - begun) / 60_000),
    stop: end,
    stopped,
    onChecked: (count: number) => say(`Asking registries: ${count} of ${pluralize(works.length, "work")}`),
  };
  const at = web.clock.now();
  const ofWorks = await checkWorks(outage === undefined ? works : [], { ...web, fetch }, at, time);
  const judgedPages = outage === undefined ? citedPages : citedPages.map(blameOwnNetwork);
  const findings = await findingsIn(judgedPages, ofWorks, cited, { report, at, web });
  return {
    report: report.name,
    at,
    ...countsOf(citedPages, ofWorks, findings, { report, at }),
    findings,
    citedPages,
    works: { checked: ofWorks.checked, isOver: ofWorks.isOver || isOver },
    left: [
      ...(outage === undefined
        ? []
        : [`${outageWords(outage)}. Check the network and the proxy of this machine, then try again.`]),
      ...report.faults,
      ...cut.map(tooLongText),
      ...leftOut(cited, citedPages, left, web.fetch.githubAllowance()),
      ...worksLeft(ofWorks, isOver),
      ...closedNotice(closed),
      ...(excluded > 0 ? [`Not checked: ${pluralize(excluded, "excluded citation")}.`] : []),
    ],
    ...(outage && { outage: { ...outage, isTotal: citedPages.every(({ failure }) => isSilence(failure)) } }),
  };
}

/** Names the addresses of a report that nobody else can open, if it has any. */
export function closedNotice(closed: readonly string[]): string[] {
  const many = pluralize(closed.length, "address that is", "addresses that are");
  return closed.length > 0 ? [`Not checked: ${many} private, numeric or with a login: ${firstOf(closed, 3)}.`] : [];
}

export function tooLongText(file: string): string {
  return `${file} is longer than ${groupDigits(mostCharacters)} characters, or nests too deep: the rest was not read. Split it, or give its parts.`;
}

async function findingsIn(
  citedPages: readonly CitedPage[],
  { checked }: WorksCheck,
  cited: readonly Cited[],
  { report, at, web }: { readonly report: ReportToAudit; readonly at: Instant; readonly web: AuditWeb },
): Promise<Finding[]> {
  const checkedCitations = citedPages.filter(isChecked);
  const ofAddresses = checkedCitations.flatMap((one) => findingsOf(one, at, web.readers));
  const placed = await runInWorker("lines", { files: report.files, findings: ofAddresses }, web);
  return worstFirst(findingsOnce([...withWorks(placed, checked, cited, report.files), ...(report.beside ?? [])]));
}

function isChecked({ failure }: CitedPage): boolean {
  return failure?.kind !== "deferred";
}

function countsOf(
  citedPages: readonly CitedPage[],
  { checked, oldest }: WorksCheck,
  findings: readonly Finding[],
  { report: { reports = 1 }, at }: { readonly report: ReportToAudit; readonly at: Instant },
): Pick<Audit, "citations" | "read" | "figures" | "quotes" | "says" | "counts"> {
  const checkedCitations = citedPages.filter(isChecked);
  const readable = checkedCitations.filter(({ failure, whole }) => !failure && whole?.facts.public !== "no").length;
  const sum = (of: "figures" | "quotes") =>
    checkedCitations.reduce((all, { compared }) => all + (compared?.[of] ?? 0), 0);
  const [figures, quotes] = [sum("figures"), sum("quotes")];
  const works = checked.filter(({ verdict }) => verdict.finding !== "unknown").length;
  const outdated = findings.filter(isOutdated).length;
  const unseen = findings.length - outdated;
  const parts = [
    pluralize(checkedCitations.length, "citation"),
    `${readable} read`,
    ...(works === 0
      ? []
      : [`${pluralize(works, "work")} checked in registries${oldest === undefined ? "" : ageOf(at - oldest)}`]),
    `${pluralize(figures, "figure")} and ${pluralize(quotes, "quote")} compared`,
  ];
  const cannot = unseen === 0 ? "" : ` (${pluralize(unseen, "citation")} cannot be checked)`;
  return {
    citations: checkedCitations.length,
    read: readable,
    figures,
    quotes,
    says: outOfDateWords(outdated, reports === 1 ? undefined : `these ${reports} reports`),
    counts: `${parts.join(", ")}: ${outdated === 0 ? "no findings" : pluralize(outdated, "finding")}${cannot}`,
  };
}

/** An answer of an earlier run counts as at least a day old. */
function ageOf(age: Duration): string {
  return ` (answers up to ${pluralize(Math.max(1, Math.ceil(age / aDay)), "day")} old)`;
}

/** Reasons why citations were not checked; each is printed once. */
function leftOut(
  cited: readonly Cited[],
  citedPages: readonly CitedPage[],
  beyond: number,
  allowance: number | undefined,
): string[] {
  const deferred = citedPages.filter(({ failure, partly }) => partly || failure?.kind === "deferred");
  const onGitHub = allowance === 0 ? deferred.filter(({ partly, kind }) => partly || kind.startsWith("github-")) : [];
  const late = cited.length - citedPages.length + deferred.length - onGitHub.length;
  return [
    ...(onGitHub.length > 0
      ? [
          `GitHub allows 60 requests an hour without a token, and they are used up. For ${pluralize(onGitHub.length, "citation")} there it is unknown whether the repository is archived, renamed or silent. Set GITHUB_TOKEN to find out.`,
        ]
      : []),
    ...(late > 0
      ? [`Time ran out before ${pluralize(late, "citation")} could be checked; use --minutes 10 for more.`]
      : []),
    ...(beyond > 0
      ? [`${pluralize(beyond, "citation")} beyond the first ${groupDigits(cited.length)} were not checked.`]
      : []),
  ];
}

/** Addresses that a person does not want to be checked. */
export interface Exclusion {
  readonly prefix: string;
  readonly pattern?: string;
}

/** Leaves out the citations that a person excluded. Pure. */
export function withoutExcluded(all: CitedInReport, exclusions: readonly Exclusion[]): CitedInReport {
  if (exclusions.length === 0) return all;
  const isIncluded = (address: string) =>
    !exclusions.some(({ prefix, pattern }) => address.startsWith(prefix) || (pattern && hasMatch(pattern, address)));
  const cited = all.cited.filter(({ address }) => isIncluded(address));
  return {
    ...all,
    cited,
    works: all.works.filter((work) => [...work.links, ...identifiedPages(work)].every(isIncluded)),
    closed: all.closed.filter(isIncluded),
    excluded: all.cited.length - cited.length,
  };
}
