import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAddress } from "../../adapters/store/problem.ts";
import { aMinute } from "../../model/time.ts";
import { hasUnattempted, markAttempted } from "../../recheck/create-once.ts";
import type { Outbox, RestoredIssues } from "../../recheck/run.ts";
import { copy, type StateOrigin, type TakenState, take } from "../../watch/state-branch/index.ts";
import type { Program } from "../../wire/program.ts";
import type { Settings } from "../../wire/settings.ts";
import { wireState } from "../../wire/stores.ts";
import { type Terminal, WrongUsage } from "./terminal.ts";

/** Time before the end of the lease in which no check or write begins, so that the store can be given back. */
const reserve = { checks: 10 * aMinute, writes: 3 * aMinute };

export interface StateReport {
  readonly branch: string;
  readonly from: StateOrigin;
}

export interface StateBranchRun extends StateReport {
  isLate(): boolean;
  outbox(program: Program): Promise<Outbox>;
}

type Work<T> = (settings: Settings, run: StateBranchRun) => Promise<T>;

/** Works with the store on a branch, and writes it back. @throws WrongUsage | StateProblem | StoreProblem */
export async function workOnBranch<T>(settings: Settings, branch: string, out: Terminal, work: Work<T>): Promise<T> {
  const state = await wireState(checkSettings(settings, branch), branch, (sentence) => out.note(sentence));
  const lease = await take(state);
  try {
    const done = await work({ ...settings, carried: isOfBranch(lease.from) }, runOf(branch, lease));
    await lease.giveBack();
    return done;
  } finally {
    // If GitHub does not answer now, the lock expires by itself.
    await lease.letGo().catch(() => undefined);
  }
}

function isOfBranch(from: StateOrigin): boolean {
  return from === "branch" || from === "journal";
}

/** Works with a copy of the store on a branch. @throws WrongUsage | StateProblem | StoreProblem | GitHubProblem */
export async function workOnCopy<T>(settings: Settings, branch: string, out: Terminal, work: Work<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "recheck-"));
  try {
    const state = await wireState({ ...checkSettings(settings, branch), data: folder }, branch, (sentence) =>
      out.note(sentence),
    );
    const from = await copy(state);
    // Without a branch, a scan would begin with the store of this machine.
    const data = isOfBranch(from) ? folder : settings.data;
    const run: StateBranchRun = { branch, from, isLate: () => false, outbox: async ({ outbox }) => outbox };
    return await work({ ...settings, data, carried: isOfBranch(from), dryRun: true }, run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runOf(branch: string, lease: TakenState): StateBranchRun {
  return {
    branch,
    from: lease.from,
    isLate: () => lease.timeLeft() < reserve.checks,
    async outbox(program) {
      const { outbox } = program;
      if (lease.endedBefore !== undefined) await markAttempted(outbox.store, lease.endedBefore);
      return {
        ...outbox,
        stopped: () => lease.timeLeft() < reserve.writes,
        planned: async () => {
          if (await hasUnattempted(outbox.store)) await lease.journal();
        },
      };
    },
  };
}

/** @throws WrongUsage */
function checkSettings(settings: Settings, branch: string): Settings & Required<Pick<Settings, "repo" | "auth">> {
  const { repo, auth, data, run } = settings;
  if (!/^(?!.*(?:\.\.|\.lock$|\/\.|\/$))[\w][\w./-]{0,100}$/.test(branch)) {
    throw new WrongUsage("--state-branch needs the name of a branch, such as recheck-state");
  }
  if (run?.event?.startsWith("pull_request")) {
    const says = "the store is never given to a pull request, because anybody can open one";
    throw new WrongUsage(`--state-branch: this is a run of ${run.event}; ${says}. Run it on a schedule`);
  }
  if (run?.ref !== undefined && run.defaultBranch !== undefined && run.ref !== `refs/heads/${run.defaultBranch}`) {
    const says = `this is a run on ${run.ref.replace(/^refs\/\w+\//, "")}; issues and the store belong to the config of ${run.defaultBranch}`;
    throw new WrongUsage(`--state-branch: ${says}. Run it there, or try this config with --dry-run on your machine`);
  }
  if (data === ":memory:") throw new WrongUsage("--state-branch needs a folder for the store: set RECHECK_DATA");
  if (isAddress(data))
    throw new WrongUsage("--state-branch needs a store in SQLite, but DATABASE_URL names a database");
  if (!repo || !auth)
    throw new WrongUsage("--state-branch needs a repository and a token: set RECHECK_REPO and GITHUB_TOKEN");
  return { ...settings, repo, auth };
}

/** A sentence for each unusual event. `state`: undefined if no branch is used. */
export function stateLines(state: StateReport | undefined, recovered: RestoredIssues): string[] {
  return [...(state ? origin(state) : []), ...recoveredLines(recovered)];
}

function origin({ branch, from }: StateReport): string[] {
  switch (from) {
    case "nothing":
      return [`there was no branch ${branch} yet: it starts with the store of this machine`];
    case "elsewhere":
      return [`the branch ${branch} came from another repository: it is replaced by the store of this machine`];
    case "journal":
      return ["an earlier run was interrupted: this run continued its plan"];
    case "branch":
      return [];
  }
}

function recoveredLines({ adopted, answered }: RestoredIssues): string[] {
  if (adopted.length + answered.length === 0) return [];
  const list = (issues: readonly number[]) => issues.map((issue) => `#${issue}`).join(", ");
  const parts = [
    ...(adopted.length > 0 ? [`${list(adopted)} ${adopted.length === 1 ? "goes" : "go"} on asking`] : []),
    ...(answered.length > 0 ? [`the events in ${list(answered)} are not asked about again`] : []),
  ];
  return [`recovered from issues that the store did not have: ${parts.join(", and ")}`];
}
