import { Worker } from "node:worker_threads";
import type { Draft, ReportFile } from "../../config/draft/index.ts";
import type { Parsed } from "../../config/index.ts";
import type { Duration } from "../../model/model.ts";
import type { RepositoryConfig } from "../../model/ports/index.ts";
import type { CheckOutput } from "./config/check-text.ts";
import type { AroundReport, Aside, Trial } from "./config/trial.ts";

/** What is asked of the thread. */
export type Job =
  | { readonly kind: "parse"; readonly config: RepositoryConfig }
  | { readonly kind: "check"; readonly trial: Trial }
  | { readonly kind: "draft"; readonly report: ReportFile; readonly around: AroundReport };

/** What the thread is given. */
export interface Given {
  /** The store's. */
  readonly file: string;
}

const entry = new URL(import.meta.url.endsWith(".ts") ? "./sandbox-thread.ts" : "./sandbox-thread.js", import.meta.url);

/** What 10,000 sources take, many times over. */
const limits = { patience: 20_000, megabytes: 512, rest: 60_000 };

/** Two threads: no trial of a stranger's holds up reading the config that is in use. */
export function createAside(file: string): Aside & { close(): Promise<void> } {
  const given: Given = { file };
  const reads = createThread({ entry, given, ...limits });
  const tries = createThread({ entry, given, ...limits });
  const parseJob = (config: RepositoryConfig): Job => ({ kind: "parse", config });
  const checkJob = (trial: Trial): Job => ({ kind: "check", trial });
  const draftJob = (report: ReportFile, around: AroundReport): Job => ({ kind: "draft", report, around });
  return {
    parse: async (config) => (await reads.ask(parseJob(config))) as Parsed | undefined,
    parseProposed: async (config) => (await tries.ask(parseJob(config))) as Parsed | undefined,
    check: async (trial) => (await tries.ask(checkJob(trial))) as CheckOutput | undefined,
    draft: async (report, around) => (await tries.ask(draftJob(report, around))) as Draft | undefined,
    async close() {
      await reads.close();
      await tries.close();
    },
  };
}

/** A thread that does one job after the other, whatever they take. */
export interface Thread {
  /**
   * The last answer to a job: of one that does not end in time, or wants too much memory, the last until then.
   * @throws Error where it fails, cannot be sent, or is not answered before the thread ends
   */
  ask(job: object): Promise<unknown>;
  /** Refuses what is not answered yet, and all that is asked later. */
  close(): Promise<void>;
}

/** What a thread says of its job. */
export type Said =
  | { readonly kind: "so-far" | "done"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly why: string };

export interface ThreadSettings {
  /** The module that it runs, and what that is given. */
  readonly entry: URL;
  readonly given?: unknown;
  /** How long a job may take, from its beginning. */
  readonly patience: Duration;
  /** Of memory. */
  readonly megabytes: number;
  /** Without a job it ends after so long. */
  readonly rest: Duration;
}

export function createThread({ entry, given, patience, megabytes, rest }: ThreadSettings): Thread {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let resting: NodeJS.Timeout | undefined;
  let closed = false;

  function hired(): Worker {
    clearTimeout(resting);
    if (worker) return worker;
    const made = new Worker(entry, { workerData: given, resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    worker = made;
    const gone = () => void (worker === made && dismiss());
    made.on("error", gone).on("exit", gone);
    made.unref();
    return made;
  }

  async function dismiss(): Promise<void> {
    const gone = worker;
    worker = undefined;
    await gone?.terminate();
  }

  function once(job: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (closed) throw wasClosed();
      const one = hired();
      let answer: unknown;
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        one.off("message", hear).off("error", fail).off("exit", leave);
        resting = setTimeout(() => void dismiss(), rest).unref();
        settle();
      };
      const hear = (said: Said): void => {
        if (said.kind === "failed") end(() => reject(new Error(said.why)));
        else answer = said.answer;
        if (said.kind === "done") end(() => resolve(answer));
      };
      const fail = (error: unknown): void => end(() => (isOutOfMemory(error) ? resolve(answer) : reject(error)));
      const leave = (): void => fail(closed ? wasClosed() : new Error("the thread ended without an answer"));
      const timer = setTimeout(() => {
        void dismiss();
        end(() => resolve(answer));
      }, patience);
      one.on("message", hear).on("error", fail).on("exit", leave);
      try {
        one.postMessage(job);
      } catch (error) {
        fail(error);
      }
    });
  }

  return {
    ask(job) {
      const mine = last.then(() => once(job));
      last = mine.catch(() => {});
      return mine;
    },
    async close() {
      closed = true;
      await dismiss();
      clearTimeout(resting);
    },
  };
}

function wasClosed(): Error {
  return new Error("the thread was closed");
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
