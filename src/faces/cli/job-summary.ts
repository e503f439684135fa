import type { AuditedScan } from "../../audit/first-scan.ts";
import { ConfigProblems, formatProblem } from "../../config/problems.ts";
import type { Config } from "../../model/config.ts";
import { code, link, words } from "../../model/markdown.ts";
import { minute } from "../../model/time.ts";
import { triggerName, upTo, weightWords } from "../../model/words.ts";
import { groupReleases } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { SyncResult } from "../../recheck/run.ts";
import { matrixPart } from "../../status/matrix.ts";
import type { Status } from "../../status/status.ts";
import { type StateReport, stateLines } from "./state-branch.ts";
import { outageCause, scanCounts, unseenRows, waitingRows, waitingWrites } from "./summary.ts";

/** Lines of one section, at most; the others are counted. */
const maxListedLines = 100;

export interface SummaryParts {
  readonly scan: AuditedScan;
  readonly synced: SyncResult;
  readonly status: Status;
  readonly config: Config;
  readonly state?: StateReport;
}

/** A scan as Markdown for the summary of a workflow's job. Words of sources are in code spans only. */
export function summaryMarkdown({ scan, synced, status, config, state }: SummaryParts): string {
  const { report } = config;
  const cause = outageCause(scan);
  const down = `our own connection is down${cause ? ` (${cause})` : ""}`;
  const outage = `**No response from most hosts: ${down}.** No source is blamed.`;
  const matrix = matrixPart(config, status);
  const next = status.nextCheck === undefined ? "" : `The next source is due at ${minute(status.nextCheck)}. `;
  const parts = [
    `## Recheck: ${words(report.title)}`,
    `As of **${minute(status.at)}**: ${scan.outage ? outage : `${words(scanCounts(scan, ": "))}.`}${scan.unaudited === undefined ? "" : ` ${words(scan.unaudited, 300)}.`}`,
    [...matrix.head, ...matrix.entries, ...(matrix.tail ?? [])].join("\n"),
    list("Rechecks", rechecks(synced, config)),
    list(
      "Fired",
      groupReleases(scan.firings).map((firing) => {
        const { trigger, weight } = firing;
        return `**${weightWords[weight]}** · ${words(triggerName(trigger, config))} · ${headline(firing, config).markdown}`;
      }),
    ),
    list(
      "Not done by GitHub",
      synced.problems.map(({ says }) => codeLine(says)),
    ),
    list("Could not be checked", unseenRows(scan.checks, status, { source: String }).map(codedRow)),
    list("Waiting for confirmation", waitingRows(status, { source: String }).map(codedRow)),
    list(
      "Store",
      stateLines(state, synced).map((line) => words(line)),
    ),
    `<sub>${next}GitHub starts scheduled runs late under load, and stops them after 60 days without activity in the repository.</sub>`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

export function failureMarkdown(error: unknown): string {
  const heading = "## Recheck: the scan failed, or was not saved completely";
  if (error instanceof ConfigProblems)
    return `${heading}\n\n${bullets(error.problems.map(formatProblem).map(codeLine))}\n`;
  return `${heading}\n\n${code(error instanceof Error ? error.message : String(error), 2_000)}\n`;
}

function rechecks(synced: SyncResult, config: Config): string[] {
  const { opened, updated, commented, closed, reopened } = synced;
  const numbers = (issues: readonly number[]) => issues.map((issue) => `#${issue}`).join(", ");
  const numbered = (what: string, issues: readonly number[]) =>
    issues.length > 0 ? [`${what} ${numbers(issues)}`] : [];
  return [
    ...opened.map(({ issue, title, url }) => `opened ${link(`#${issue}`, url)} ${words(title)}`),
    ...numbered("updated", updated),
    ...numbered("commented on", commented),
    ...numbered("closed by hand:", closed),
    ...numbered("opened again by a person:", reopened),
    ...waitingWrites(synced, config).map(({ names, because }) => `waits: ${words(names)}, ${words(because)}`),
  ];
}

function codeLine(line: string): string {
  return code(line, 500);
}

function codedRow(cells: readonly string[]): string {
  return codeLine(cells.join(" "));
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `### ${title}\n\n${bullets(lines)}`;
}

function bullets(lines: readonly string[]): string {
  return upTo(maxListedLines, lines, (more) => `… and ${more} more`)
    .map((line) => `- ${line}`)
    .join("\n");
}
