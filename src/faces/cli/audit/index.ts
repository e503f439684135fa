import { thenAndNow } from "../../../adapters/files/checkout.ts";
import { type Cited, placeOf } from "../../../audit/cited.ts";
import {
  type Audit,
  type Finding,
  type FindingKind,
  findingKinds,
  findingsOf,
  headings,
  type Sighted,
  toldOnce,
} from "../../../audit/findings.ts";
import { lookAtAll } from "../../../audit/look.ts";
import { asUnseen, isSilent, outageIn } from "../../../audit/outage.ts";
import { linesNamedIn, ownLinesNow } from "../../../audit/own-lines.ts";
import { citationsApart, worksApart } from "../../../audit/tasks.ts";
import { askingOnce, type CheckedWork, checkWorks, uncheckedWorks, withWorks } from "../../../audit/works.ts";
import { code, words } from "../../../model/markdown.ts";
import { outageWords } from "../../../model/outage.ts";
import type { Instant } from "../../../model/time.ts";
import { counted, firstOf, grouped, oneLine } from "../../../model/words.ts";
import type { Reader } from "../../../read/reader.ts";
import type { ReportFile } from "../../../report/index.ts";
import { withoutTags } from "../../../report/parse/formats.ts";
import type { Settings } from "../../../wire/settings.ts";
import { wireWeb } from "../../../wire/web.ts";
import { answer } from "../answers/index.ts";
import { minutesFrom, withProgress } from "../progress.ts";
import { filesOf, findReport, orSay } from "../report.ts";
import { sideFile } from "../side-file.ts";
import { exits, meant, sidesColoured, type Terminal, WrongUsage } from "../terminal.ts";
import { auditPage } from "./page.ts";

export interface AuditOptions {
  readonly json?: boolean;
  /** A file for one page that can be sent around. */
  readonly html?: string;
  /** Kinds of findings that make the exit code 2. */
  readonly failOn?: string;
  /** Time limit in minutes. */
  readonly minutes?: string;
  /** A file that the audit is added to as Markdown. */
  readonly summary?: string;
}

/** `recheck audit REPORT`: checks every citation of a report once. Stores nothing. */
export async function auditCommand(
  written: string,
  settings: Settings,
  options: AuditOptions,
  out: Terminal,
): Promise<number> {
  const failOn = kindsFrom(options.failOn);
  const minutes = minutesFrom(options.minutes);
  const page = await sideFile("--html", options.html);
  const summary = await sideFile("--summary", options.summary);
  const web = await wireWeb(settings, { report: {} });
  try {
    const report = await findReport(written, web, { at: settings.clock.now() });
    const files = withoutTags(filesOf(report));
    const { cited, left, cut } = await orSay(report.name, () => citationsApart(files, report));
    const works = await worksApart(files, report);
    const leftOut = report.unread?.says ?? [];
    if (cited.length === 0 && works.length === 0)
      throw new WrongUsage([`${report.name} cites no public address`, ...leftOut, ...report.faults].join("\n"));
    const fetch = askingOnce(web.fetch);
    const begun = performance.now();
    let isOver = false;
    const stop = async () => {
      isOver = true;
      await web.stop();
    };
    const { sighted, outage, checked } = await withProgress(out, options, async (tell) => {
      const seen = (count: number) => tell(`Checking: ${count} of ${counted(cited.length, "citation")}`);
      const looked = await lookAtAll(cited, { ...web, fetch }, { minutes, stop, seen });
      const down = outageIn(looked, { alone: true });
      const time = {
        minutes: Math.max(0, minutes - (performance.now() - begun) / 60_000),
        stop,
        seen: (count: number) => tell(`Asking registries: ${count} of ${counted(works.length, "work")}`),
      };
      const verdicts = down === undefined ? await checkWorks(works, fetch, settings.clock.now(), time) : [];
      return { sighted: looked, outage: down, checked: verdicts };
    });
    const silence = outage && `${outageWords(outage)}. Their content is unknown.`;
    const at = settings.clock.now();
    const isHere = report.published === undefined && report.repository === undefined;
    const ownLines = isHere ? await ownLinesIn(files) : [];
    const audit = auditOf(
      { report: report.name, cited, at, readers: web.readers, ownLines },
      outage === undefined ? sighted : sighted.map(asUnseen),
      checked,
    );
    const told = {
      ...audit,
      left: [
        ...(silence === undefined ? [] : [silence]),
        ...report.faults,
        ...leftOut,
        ...cut.map(asCut),
        ...uncheckedCitations(cited, sighted, left, web.fetch.githubAllowance()),
        ...uncheckedWorks(checked, isOver),
      ],
    };
    if (options.json) answer("audit", fieldsOf(told), out);
    else if (silence !== undefined && sighted.every(isSilent)) out.line(silence);
    else print(told, out);
    await page?.replace(await auditPage(told));
    await summary?.add(markdown(told));
    if (outage !== undefined) return exits.outage;
    return audit.findings.some(({ kind }) => failOn.has(kind)) ? exits.standing : exits.done;
  } finally {
    await web.close();
  }
}

/** @throws WrongUsage */
function kindsFrom(failOn: string | undefined): ReadonlySet<FindingKind> {
  const all: readonly string[] = findingKinds;
  const named = failOn?.split(",").map((word) => word.trim()) ?? [];
  for (const word of named)
    if (!all.includes(word))
      throw new WrongUsage(`--fail-on: ${word} is not one of ${all.join(", ")}${meant(word, all)}`);
  return new Set(findingKinds.filter((kind) => named.includes(kind)));
}

interface Audited {
  readonly report: string;
  readonly cited: readonly Cited[];
  readonly at: Instant;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly ownLines: readonly Finding[];
}

/** Lines of code that documents of a checkout name, at most. */
const maxOwnLines = 500;

/** What became of the lines of its own code that a report on this machine names. */
async function ownLinesIn(files: readonly ReportFile[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const lines of linesNamedIn(files).slice(0, maxOwnLines)) {
    const versions = await thenAndNow(lines.file, lines.line, lines.path);
    if (versions) findings.push(...ownLinesNow(lines, versions));
  }
  return findings;
}

function auditOf(
  { report, cited, at, readers, ownLines }: Audited,
  sighted: readonly Sighted[],
  checked: readonly CheckedWork[],
): Omit<Audit, "left"> {
  const looked = sighted.filter(({ failure }) => failure?.kind !== "deferred");
  const ofAddresses = looked.flatMap((one) => findingsOf(one, at, readers));
  const found = toldOnce([...withWorks(ofAddresses, checked, cited), ...ownLines]);
  const findings = findingKinds.flatMap((kind) => found.filter((one) => one.kind === kind));
  const named = new Set(findings.flatMap(({ cited, also }) => [cited, ...also])).size;
  const hosts = new Set(looked.map((one) => new URL(one.cited.address).host)).size;
  const works = checked.filter(({ verdict }) => verdict.finding !== "unknown").length;
  const inRegistries = works === 0 ? "" : `, ${counted(works, "work")} checked in registries`;
  const told =
    findings.length === 0
      ? "no findings"
      : `${counted(findings.length, "finding")} about ${counted(named, "citation")}`;
  return {
    report,
    at,
    citations: looked.length,
    counts: `${counted(looked.length, "citation")} on ${counted(hosts, "host")}${inRegistries}: ${told}.`,
    findings,
  };
}

function asCut(file: string): string {
  return `${file} is longer than the limit for reports; citations beyond it were not checked.`;
}

/** Reasons why citations were not checked; each is printed once. */
function uncheckedCitations(
  cited: readonly Cited[],
  sighted: readonly Sighted[],
  beyond: number,
  allowance: number | undefined,
): string[] {
  const deferred = sighted.filter(({ failure, partly }) => partly || failure?.kind === "deferred");
  const onGitHub = allowance === 0 ? deferred.filter(({ partly, kind }) => partly || kind.startsWith("github-")) : [];
  const late = cited.length - sighted.length + deferred.length - onGitHub.length;
  return [
    ...(onGitHub.length > 0
      ? [
          `GitHub allows 60 requests an hour without a token, and they are used up. For ${counted(onGitHub.length, "citation")} there it is unknown whether the repository is archived, renamed or silent. Set GITHUB_TOKEN to find out.`,
        ]
      : []),
    ...(late > 0
      ? [`Time ran out before ${counted(late, "citation")} could be checked; use --minutes 10 for more.`]
      : []),
    ...(beyond > 0
      ? [`${counted(beyond, "citation")} beyond the first ${grouped(cited.length)} were not checked.`]
      : []),
  ];
}

function print({ counts, findings, left }: Audit, out: Terminal): void {
  for (const [kind, all] of Map.groupBy(findings, (one) => one.kind)) {
    out.line();
    out.line(out.paint(grave.includes(kind) ? "red" : "yellow", headings[kind]));
    for (const { cited, also, says, evidence, todo } of all) {
      const figures = /^(gives )(.*)(, and (?:nowhere|not) )(.*)$/.exec(oneLine(says, maxEvidenceCharacters));
      const [ours, theirs] = sidesColoured(figures?.[4] ?? "", figures?.[2] ?? "", out);
      const told = figures ? figures[1] + theirs + figures[3] + ours : oneLine(says, maxEvidenceCharacters);
      out.line(`  ${placeOf(cited)}  ${oneLine(cited.title, maxTitleCharacters)} ${told}`);
      const facts = oneLine(evidence, maxEvidenceCharacters);
      const [was, now] = kind === "moved" ? sidesColoured(cited.address, facts, out) : [cited.address, facts];
      out.line(`    ${was}${evidence === "" ? "" : `  (${now})`}`);
      if (also.length > 0) out.line(`    also at ${firstOf([...new Set(also.map(placeOf))], 4)}`);
      out.line(out.paint("gray", `    → ${todo}`));
    }
  }
  out.line();
  for (const sentence of left) out.line(out.paint("yellow", sentence));
  out.line(counts);
}

const grave: readonly FindingKind[] = ["gone", "retracted", "other-work", "not-found", "unsupported", "ended"];

const maxEvidenceCharacters = 2_000;

/** Longest title that is shown: bibliographies have long ones. */
const maxTitleCharacters = 90;

function fieldsOf({ findings, ...audit }: Audit): Parameters<typeof answer<"audit">>[1] {
  return {
    ...audit,
    command: "audit",
    findings: findings.map(({ cited: { sentences: _, ...cited }, also, ...finding }) => ({
      ...finding,
      also: also.map(({ address, file, line }) => ({ address, file, line })),
      ...cited,
      says: finding.says,
    })),
  };
}

function markdown({ report, counts, findings, left }: Audit): string {
  const parts = [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, all]) => {
    const lines = all
      .slice(0, 100)
      .map(
        ({ cited, says, evidence, todo }) =>
          `- ${code(placeOf(cited))} ${code(cited.title)} (${code(cited.address)}) ${words(says)}: ${code(evidence)} → ${words(todo)}`,
      );
    return [
      `### ${headings[kind]}`,
      "",
      ...lines,
      ...(all.length > 100 ? ["", `And ${all.length - 100} more.`] : []),
    ].join("\n");
  });
  return [`## Audit of ${words(report)}`, [counts, ...left].map((one) => words(one, 400)).join(" "), ...parts, ""].join(
    "\n\n",
  );
}
