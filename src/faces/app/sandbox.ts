import { createThread, JobGivenUp, type Thread } from "../../adapters/threads/thread.ts";
import type { Web } from "../../audit/visit.ts";
import type { ParsedConfig } from "../../config/index.ts";
import type { Config } from "../../model/config.ts";
import { ignoreFailure } from "../../model/failure.ts";
import { type RepositoryConfig, reportLimits, type Workers } from "../../model/ports/index.ts";
import { type AroundReport, draftIn } from "../../onboard/first-check.ts";
import type { ServedRepository } from "../../recheck/answer/repository.ts";
import type { Draft, DraftedReport } from "../../report/index.ts";
import type { CheckOutput } from "./config/effect.ts";
import type { Trial } from "./config/trial.ts";
import type { CheckedDraft, ClaimedDraft } from "./set-up/claims.ts";

/** Processes files that anybody may have written, in threads with limits. Work that exceeds them is stopped. */
export interface Sandbox {
  /** Parses a config that is in use, or was merged. Undefined if that was stopped. */
  parse(config: RepositoryConfig): Promise<ParsedConfig | undefined>;
  /** Parses a config that is not merged, without delaying those in use. Undefined if that was stopped. */
  parseProposed(config: RepositoryConfig): Promise<ParsedConfig | undefined>;
  /** Checks a commit's config. If that was stopped, returns the results up to then. */
  check(trial: Trial): Promise<CheckOutput | undefined>;
  /** Drafts a config from a report. Undefined if that was stopped, or the file is no report. `chosen`: tables that rate */
  draft(report: DraftedReport, around: AroundReport, chosen?: readonly string[]): Promise<Draft | undefined>;
  /** Finds the claims of a report in the stored responses of its sources. Undefined if that was stopped. */
  claims(drafted: CheckedDraft): Promise<ClaimedDraft | undefined>;
}

/** One served repository, with the sandbox for files that anybody may have written in it. */
export interface AppRepository extends ServedRepository {
  readonly sandbox: Sandbox;
  /** Web access before there is a config; without it no registry is asked. */
  readonly web?: () => Web;
}

export type ConfiguredRepository = AppRepository & { readonly config: Config };

/** A job of a thread: a method of the sandbox, which the thread has itself. */
export interface Job {
  readonly task: Exclude<keyof Sandbox, "parseProposed" | "draft">;
  readonly args: readonly unknown[];
  readonly storeFile: string;
}

const entry = new URL(import.meta.url.endsWith(".ts") ? "./sandbox-thread.ts" : "./sandbox-thread.js", import.meta.url);

/** Limit of a job, far above the needs of a config of 10,000 sources. */
const limits = { ...reportLimits, megabytes: 512, maxIdleTime: 60_000 };

/** Threads of closed servers in this process, for the next server: a start costs more than most jobs. */
const idleThreads: Thread[] = [];

/** Two threads, so that nothing a stranger proposes delays reading the config in use. */
export function createSandbox(storeFile: string, workers: Workers): Sandbox & { close(): Promise<void> } {
  const merged = idleThreads.pop() ?? createThread({ entry, ...limits });
  const proposed = idleThreads.pop() ?? createThread({ entry, ...limits });
  let closed = false;
  let underWay = 0;

  const answer = async (_: string, [task, input]: readonly unknown[]) => await workers.run(task as string, input);

  const taskOf =
    (thread: Thread, task: Job["task"]) =>
    async (...args: readonly unknown[]): Promise<never> => {
      if (closed) throw new Error("the sandbox was closed");
      underWay += 1;
      const job: Job = { task, args, storeFile };
      try {
        return (await thread.ask(job, answer)) as never;
      } catch (error) {
        if (error instanceof JobGivenUp) return error.soFar as never;
        throw error;
      } finally {
        underWay -= 1;
      }
    };

  return {
    parse: taskOf(merged, "parse"),
    parseProposed: taskOf(proposed, "parse"),
    check: taskOf(proposed, "check"),
    claims: taskOf(proposed, "claims"),
    draft: (report, around, chosen) => draftIn(workers, { report, around, chosen }).catch(ignoreFailure),
    async close() {
      closed = true;
      // Nobody waits for the running work any more, and it may take long.
      if (underWay > 0) await Promise.all([merged.close(), proposed.close()]);
      else idleThreads.push(proposed, merged);
    },
  };
}
