import { Worker } from "node:worker_threads";
import type { Duration } from "../../model.ts";

/** A thread that does one job after the other, whatever they take. */
export interface Thread {
  /** The last answer to a job: of one that does not end in time, or wants too much memory, the last until then. */
  ask(job: object): Promise<unknown>;
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

  function hired(): Worker {
    clearTimeout(resting);
    if (worker) return worker;
    const made = new Worker(entry, { workerData: given, resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    worker = made;
    made.on("error", () => void (worker === made && dismiss()));
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
      const one = hired();
      let answer: unknown;
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        one.off("message", hear).off("error", fail);
        resting = setTimeout(() => void dismiss(), rest).unref();
        settle();
      };
      const hear = (said: Said): void => {
        if (said.kind === "failed") end(() => reject(new Error(said.why)));
        else answer = said.answer;
        if (said.kind === "done") end(() => resolve(answer));
      };
      const fail = (error: unknown): void => end(() => (isOutOfMemory(error) ? resolve(answer) : reject(error)));
      const timer = setTimeout(() => {
        void dismiss();
        end(() => resolve(answer));
      }, patience);
      one.on("message", hear).on("error", fail);
      one.postMessage(job);
    });
  }

  return {
    ask(job) {
      const mine = last.then(() => once(job));
      last = mine.catch(() => {});
      return mine;
    },
    async close() {
      clearTimeout(resting);
      await dismiss();
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
