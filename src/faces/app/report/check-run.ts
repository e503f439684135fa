import { type CheckedChange, checkReportChange } from "../../../audit/check/changed-citations.ts";
import { numberedAddresses, type ReportFinding } from "../../../audit/check/findings.ts";
import { listsNear } from "../../../audit/check/lists.ts";
import { changeSummary } from "../../../audit/check/summary.ts";
import type { Web } from "../../../audit/visit.ts";
import type { ChangedFiles } from "../../../claims/mine/changed-sentences.ts";
import { isConfig, pathIn } from "../../../config/files.ts";
import type { Config } from "../../../model/config.ts";
import { ignoreFailure } from "../../../model/failure.ts";
import type { AppGitHub, Difference, RepositoryState } from "../../../model/ports/index.ts";
import { pluralize } from "../../../model/words.ts";
import { filesAround, isPage, likelyPages } from "../../../onboard/report-files.ts";
import type { ReportFile } from "../../../report/index.ts";
import { isChecked, writeCheck } from "../config/check-run.ts";
import { annotationAt, type CheckOutput } from "../config/effect.ts";
import type { ConfiguredRepository } from "../sandbox.ts";

export interface ReportCheck {
  readonly commit: string;
  /** The branch that it is to be merged into. */
  readonly base: string;
  readonly again?: string;
}

const minutes = 2;

/** Compares changed sentences with the pages that they cite, and writes the check run. @throws GitHubProblem */
export async function checkReport(
  repository: ConfiguredRepository,
  { commit, base, again }: ReportCheck,
  web: Web,
  stopped: () => boolean,
): Promise<void> {
  const { config, clock } = repository;
  if (repository.state.refused?.["checks: write"] !== undefined) return;
  const run = { about: "report", commit, again } as const;
  if (again === undefined && (await isChecked(repository, commit, "report"))) return;
  const files = await changedFiles(repository, { commit, base });
  const required = config.report.check === "required";
  if (!files || (files.after.length + files.cut.length + files.lost.length === 0 && !required)) return;
  const lists = () => listsBeside(repository, files, commit);
  const turns = { minutes, stop: async () => {}, onChecked: () => {}, stopped };
  const checked = await checkReportChange(files, lists, web, clock.now(), turns).catch(ignoreFailure);
  // Another process, or the daily sweep, starts it again.
  if (stopped()) return;
  if (!checked) return await writeCheck(repository, run, reportGivenUp);
  const { change, works } = checked;
  const cut = [...files.cut, ...change.cut];
  const findings = [...files.lost, ...checked.findings];
  if (change.sentences.length + works.length + cut.length + findings.length === 0 && !required) return;
  await writeCheck(repository, run, reportOutput({ ...checked, change: { ...change, cut }, findings, required }));
}

const maxCharacters = 10_000_000;

/**
 * The report's files that a head changes, before and now. `cut`: files that are too large. `lost`: config names a report
 * that is no longer there. @throws GitHubProblem
 */
async function changedFiles(
  { github, config, readers, state }: ConfiguredRepository,
  { commit, base }: ReportCheck,
): Promise<(ChangedFiles & { readonly cut: string[]; readonly lost: ReportFinding[] }) | undefined> {
  const comparison = await github.difference(base, commit);
  if (!comparison) return undefined;
  const changed = await reportFiles(comparison, config, github, commit);
  let left = maxCharacters;
  const readFiles = async (path: string, ref: string): Promise<ReportFile[]> => {
    const text = left > 0 ? await github.text(path, ref) : undefined;
    left -= text?.length ?? 0;
    return text === undefined ? [] : [{ path, text }];
  };
  const after: ReportFile[] = [];
  const before: ReportFile[] = [];
  for (const { path, removed } of changed) if (!removed) after.push(...(await readFiles(path, commit)));
  // Sentences of a deleted file may be in another one now.
  if (after.length > 0)
    for (const { from } of changed) if (from !== undefined) before.push(...(await readFiles(from, comparison.began)));
  const cut = changed.filter(({ path, removed }) => !removed && !after.some((file) => file.path === path));
  const numbered = numberedAddresses(config, readers);
  return {
    before,
    after,
    lists: [],
    cut: cut.map(({ path }) => path),
    numbered,
    lost: lostReport(comparison, config, state),
  };
}

/** A change that moves or deletes the report must name its new file in config, or no later change is checked. */
function lostReport({ files }: Difference, { report: { text } }: Config, { config }: RepositoryState): ReportFinding[] {
  const gone = files.find(({ path, from, removed }) => from === text && (removed || path !== text));
  if (text === undefined || !gone || files.some(({ path }) => isConfig(path))) return [];
  const change = gone.removed ? "this deletes" : `this moves to ${gone.path}`;
  const message = `report.text names ${text}, which ${change}. Name the report's file there in the same pull request.`;
  return [
    { file: pathIn(config?.folder ?? "", "sources.yaml"), title: "The report's file is no longer there", message },
  ];
}

/** Other files of the report, at a head, that may list its references. @throws GitHubProblem */
async function listsBeside(
  { github, config: { report } }: ConfiguredRepository,
  { after }: Pick<ChangedFiles, "after">,
  commit: string,
): Promise<ReportFile[]> {
  const { files } = await github.tree(commit);
  const changed = after.map(({ path }) => path);
  const lists: ReportFile[] = [];
  for (const path of listsNear(files, changed, report.text)) {
    const text = await github.text(path, commit);
    if (text !== undefined) lists.push({ path, text });
  }
  return lists;
}

/** The files of the report that config names, or else those that a draft could be made from. @throws GitHubProblem */
async function reportFiles(
  { files, whole }: Difference,
  { report: { text } }: Config,
  github: AppGitHub,
  commit: string,
): Promise<Difference["files"]> {
  if (text === undefined) {
    const likely = new Set(likelyPages(files.map(({ path }) => ({ path, sha: "", size: 1 }))).map(({ path }) => path));
    return files.filter(({ path }) => likely.has(path));
  }
  const others = files.some(({ path, from }) => path !== text && from !== text && isPage(path));
  const report = new Set([text, ...(others ? await filesAround(text, github, commit) : [])]);
  const listed = files.filter(({ path, from }) => report.has(path) || from === text);
  return listed.length > 0 || whole ? listed : [{ path: text, from: text }];
}

const maxAnnotations = 200;

function reportOutput(checked: CheckedChange & { readonly required: boolean }): CheckOutput {
  const { findings, change, required } = checked;
  const annotated = findings.filter(({ line }) => line !== undefined).slice(0, maxAnnotations);
  const others = findings.filter((one) => !annotated.includes(one));
  const hasSentences = change.sentences.length > 0;
  const quiet = hasSentences ? "No contradiction of a cited page" : "No sentence with a citation is changed";
  const isAdvice = findings.length > 0 && !required;
  return {
    conclusion: findings.length === 0 ? "success" : required ? "failure" : "neutral",
    title: findings.length > 0 ? `${pluralize(findings.length, "finding")} in what this changes` : quiet,
    summary: changeSummary(checked, others, isAdvice ? "This is advice only; it does not block the pull request." : ""),
    annotations: annotated.map(({ file, line = 1, title, message }) =>
      annotationAt(file, line, title, message, required ? "failure" : "warning"),
    ),
  };
}

const reportGivenUp: CheckOutput = {
  conclusion: "neutral",
  title: "Stopped: the report was not read",
  summary: "Reading the changes was stopped: it takes too long, or too much memory.",
  annotations: [],
};
