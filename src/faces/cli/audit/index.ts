import { thenAndNow } from "../../../adapters/files/checkout.ts";
import { type Audit, auditReport, citedInReport } from "../../../audit/audit.ts";
import { citationName, placeOf } from "../../../audit/cited.ts";
import type { Finding } from "../../../audit/findings.ts";
import { linesNamedIn, ownLinesNow } from "../../../audit/own-lines.ts";
import { type FindingKind, findingHeadings, findingKinds, isOutdated } from "../../../model/finding.ts";
import { code, words } from "../../../model/markdown.ts";
import type { ReportFile } from "../../../report/index.ts";
import { withoutTags } from "../../../report/parse/formats.ts";
import type { Settings } from "../../../wire/settings.ts";
import { wireWeb } from "../../../wire/web.ts";
import { answer } from "../answers/index.ts";
import { minutesFrom, withProgress } from "../progress.ts";
import { filesOf, findReport, orSay } from "../report.ts";
import { sideFile } from "../side-file.ts";
import { exits, meant, type Terminal, WrongUsage } from "../terminal.ts";
import { auditPage } from "./page.ts";
import { printFindings } from "./print.ts";

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
    const found = await findReport(written, web, { at: settings.clock.now() });
    const faults = [...(found.unread?.says ?? []), ...found.faults];
    const report = { ...found, files: withoutTags(filesOf(found)), faults };
    const all = await orSay(report.name, () => citedInReport(report));
    if (all.cited.length === 0 && all.works.length === 0)
      throw new WrongUsage([`${report.name} cites no public address`, ...report.faults].join("\n"));
    const isHere = report.published === undefined && report.repository === undefined;
    const beside = isHere ? await ownLinesIn(report.files) : [];
    const audit = await withProgress(out, options, (tell) =>
      auditReport({ ...report, beside }, all, web, { minutes, stop: web.stop, tell }),
    );
    if (options.json) answer("audit", { command: "audit", ...auditFields(audit) }, out);
    else if (audit.outage?.isTotal) out.line(audit.left[0] ?? "");
    else print(audit, out);
    await page?.replace(await auditPage(audit));
    await summary?.add(markdown(audit));
    if (audit.outage) return exits.outage;
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

function print({ says, counts, findings, left }: Audit, out: Terminal): void {
  if (findings.some(isOutdated)) out.line(says);
  printFindings(findings, out);
  out.line();
  for (const sentence of left) out.line(out.paint("yellow", sentence));
  out.line(counts);
}

/** The fields of `--json`. */
export function auditFields({
  findings,
  outage: _,
  ...audit
}: Audit): Omit<Parameters<typeof answer<"audit">>[1], "command"> {
  return {
    ...audit,
    findings: findings.map(({ cited: { sentences: _, ...cited }, also, contradiction: __, ...finding }) => ({
      ...finding,
      also: also.map(({ address, file, line }) => ({ address, file, line })),
      ...cited,
      says: finding.says,
    })),
  };
}

function markdown({ report, says, counts, findings, left }: Audit): string {
  const parts = [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, all]) => {
    const lines = all
      .slice(0, 100)
      .map(
        ({ cited, says, evidence, todo }) =>
          `- ${code(placeOf(cited))} ${code(citationName(cited))} (${code(cited.address)}) ${words(says)}: ${code(evidence)} → ${words(todo)}`,
      );
    return [
      `### ${findingHeadings[kind]}`,
      "",
      ...lines,
      ...(all.length > 100 ? ["", `And ${all.length - 100} more.`] : []),
    ].join("\n");
  });
  return [
    `## Audit of ${words(report)}`,
    [`${says}.`, `${counts}.`, ...left].map((one) => words(one, 400)).join(" "),
    ...parts,
    "",
  ].join("\n\n");
}
