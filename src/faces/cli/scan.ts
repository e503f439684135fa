import { type AuditedScan, scanAndAudit } from "../../audit/first-scan.ts";
import type { Check } from "../../model/check.ts";
import { conditionsOf, sourcesOfCondition } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { nothingSynced, type Outbox, type SyncResult } from "../../recheck/run.ts";
import type { SendReport } from "../../status/messages/send.ts";
import { status } from "../../status/status.ts";
import type { ScanOptions } from "../../watch/scan.ts";
import { editionIn, type Program, wire } from "../../wire/program.ts";
import type { Settings } from "../../wire/settings.ts";
import { wireHeartbeat } from "../../wire/web.ts";
import { settleBeforeSignal, withProgress } from "./progress.ts";
import { type SideFile, sideFile } from "./side-file.ts";
import { type StateBranchRun, stateLines, workOnBranch, workOnCopy } from "./state-branch.ts";
import { colouredSection, hasSeenNothing, messageLines, printScan, printSync } from "./summary.ts";
import { exits, knownNames, stackOf, type Terminal, WrongUsage } from "./terminal.ts";

export interface ScanCommandOptions {
  readonly all?: boolean;
  readonly source?: readonly string[];
  readonly trigger?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly stateBranch?: string;
  readonly summary?: string;
}

/** `recheck scan`: checks the sources that are due, stores the results, and updates GitHub. */
export async function scanCommand(settings: Settings, options: ScanCommandOptions, out: Terminal): Promise<number> {
  const { stateBranch: branch, dryRun = false } = options;
  const summary = await sideFile("--summary", options.summary);
  const scanOnce = (own: Settings, run?: StateBranchRun) => runScan(own, options, out, { summary, run });
  try {
    const code =
      branch === undefined
        ? await scanOnce({ ...settings, dryRun })
        : await (dryRun ? workOnCopy : workOnBranch)(settings, branch, out, scanOnce);
    if (code === exits.done && !dryRun) await sendHeartbeat(settings, out);
    return code;
  } catch (error) {
    if (summary) {
      const { failureMarkdown } = await import("./job-summary.ts");
      await summary.add(failureMarkdown(error));
    }
    throw error;
  }
}

/** Sends the heartbeat of a successful scan. If that fails, a message is printed, and the scan still counts as successful. */
async function sendHeartbeat(settings: Settings, out: Terminal): Promise<void> {
  const heartbeat = await wireHeartbeat(settings);
  const why = await heartbeat?.beat();
  if (why !== undefined) out.note(`the heartbeat to RECHECK_HEARTBEAT failed: ${why}`);
  await heartbeat?.close();
}

async function runScan(
  settings: Settings,
  options: ScanCommandOptions,
  out: Terminal,
  { summary, run }: { readonly summary?: SideFile; readonly run?: StateBranchRun },
): Promise<number> {
  const program = await wire(settings);
  const { config, store, clock } = program.world;
  let isEnded = false;
  // Checks that were running when a person ended the scan are not at fault, and are repeated next time.
  const settled = settleBeforeSignal(async () => {
    isEnded = true;
    await store.attempt([], clock.now());
  });
  try {
    const choice = { ...chosenSources(options, config), stopped: () => isEnded || run?.isLate() === true };
    const scanned = await scanWithProgress(program, choice, options, out);
    const outbox = run ? await run.outbox(program) : program.outbox;
    const github = options.dryRun ? undefined : program.github;
    const update = () => syncNews({ ...outbox, github });
    const synced = github ? await withProgress(out, options, update, "Updating GitHub") : await update();
    const sentMessages = options.dryRun ? undefined : await send(program, () => run?.isLate() ?? false);
    const edition = options.json ? await editionIn(store, config, settings) : undefined;
    const now = edition?.status ?? (await status(config, store, clock.now()));
    const state = run && { branch: run.branch, from: run.from };
    if (edition) {
      const { answer, standingAnswer } = await import("./answers/index.ts");
      const stands = standingAnswer(edition);
      answer(
        "scan",
        { command: "scan", scan: scanned, sync: synced, messages: sentMessages, status: stands, state },
        out,
      );
    } else {
      await printScan(scanned, now, program.outbox, out);
      colouredSection(out, "Store", stateLines(state, synced));
      if (sentMessages) colouredSection(out, "Messages", messageLines(sentMessages));
      printSync(synced, { dryRun: options.dryRun === true, repo: settings.repo }, config, out);
    }
    if (summary) {
      const { summaryMarkdown } = await import("./job-summary.ts");
      await summary.add(summaryMarkdown({ scan: scanned, synced, status: now, config, state }));
    }
    if (scanned.outage) return exits.outage;
    // If only few sources are due, all of them may fail. That is reported, but is not a failure of the whole scan.
    const isWhole =
      options.source !== undefined || options.trigger !== undefined || scanned.checks.length * 2 >= config.sources.size;
    if (synced.problems.length === 0 && isWhole && hasSeenNothing(scanned)) return exits.unseen;
    return synced.problems.length > 0 ? exits.github : exits.done;
  } finally {
    settled();
    await program.close();
  }
}

/** Without GitHub and firings there is nothing to plan or write, so that the modules for it are not loaded. */
async function syncNews(outbox: Outbox): Promise<SyncResult> {
  if (!outbox.github && (await outbox.store.firings()).length === 0) return nothingSynced();
  const { sync } = await import("../../recheck/sync.ts");
  return await sync(outbox);
}

async function send({ messages }: Program, stopped: () => boolean): Promise<SendReport> {
  if (!messages) return { sent: [], problems: [] };
  const { sendMessages } = await import("../../status/messages/send.ts");
  return await sendMessages({ ...messages, stopped });
}

/** The given source ids, and those of the given triggers. @throws WrongUsage */
function chosenSources(
  { all, source, trigger }: ScanCommandOptions,
  config: Config,
): { all?: boolean; sources?: string[] } {
  const unknown = source?.find((id) => !config.sources.has(id));
  if (unknown !== undefined)
    throw new WrongUsage(`no source named "${unknown}" in sources.yaml${knownNames(unknown, config.sources.keys())}`);
  const missing = trigger?.find((id) => !config.triggers.has(id));
  if (missing !== undefined)
    throw new WrongUsage(`no trigger named "${missing}" in triggers/${knownNames(missing, config.triggers.keys())}`);
  if (!source && !trigger) return { all };
  const conditions = (trigger ?? []).flatMap((id) => config.triggers.get(id) ?? []).flatMap(conditionsOf);
  const listened = conditions.flatMap(({ condition }) => sourcesOfCondition(condition, config));
  return { sources: [...new Set([...(source ?? []), ...listened.map(({ id }) => id)])] };
}

async function scanWithProgress(
  program: Program,
  choice: Pick<ScanOptions, "all" | "sources" | "stopped">,
  options: ScanCommandOptions,
  out: Terminal,
): Promise<AuditedScan> {
  const title = (done: number, all: number, { source }: Check) => `Checking: ${done} of ${all}  ${source}`;
  const defects: string[] = [];
  const onDefect = (source: string, thrown: unknown) =>
    defects.push(`internal error during the check of ${source}: ${stackOf(thrown)}`);
  try {
    return await withProgress(out, options, (say) =>
      scanAndAudit(program.world, {
        ...choice,
        report: program.report,
        onDefect,
        onCheck: (check, done, all) => say(title(done, all, check)),
        onPast: (source) => say(`Asking the web archive for its copy: ${source}`),
      }),
    );
  } finally {
    for (const defect of defects) out.note(defect);
  }
}
