import { Worker } from "node:worker_threads";
import type { Duration } from "../../model/model.ts";

/** A worker thread that does one job after the other, and is ended where a job takes too much. */
export interface Thread {
  /**
   * The last answer to a job. Of a job that does not end in time, or wants too much memory: the last answer until then.
   * @throws Error where the job fails, cannot be sent, or is not answered before the thread ends
   */
  ask(job: object): Promise<unknown>;
  /** Refuses what is not answered yet, and all that is asked later. */
  close(): Promise<void>;
}

/** A message from the thread about its job. */
export type ThreadMessage =
  | { readonly kind: "so-far" | "done"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly why: string };

export interface ThreadSettings {
  /** The module that it runs. */
  readonly entry: URL;
  /** Its `workerData`. */
  readonly data?: unknown;
  /** A job may take so long, from its beginning. */
  readonly maxJobTime: Duration;
  readonly maxMegabytes: number;
  /** Without a job it ends after so long. */
  readonly maxIdleTime: Duration;
}

export function createThread({ entry, data, maxJobTime, maxMegabytes, maxIdleTime }: ThreadSettings): Thread {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function running(): Worker {
    clearTimeout(idle);
    if (worker) return worker;
    const made = new Worker(entry, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: maxMegabytes } });
    worker = made;
    const gone = () => void (worker === made && end());
    made.on("error", gone).on("exit", gone);
    made.unref();
    return made;
  }

  async function end(): Promise<void> {
    const gone = worker;
    worker = undefined;
    await gone?.terminate();
  }

  async function answered(job: object): Promise<unknown> {
    if (closed) throw wasClosed();
    try {
      const why = () => (closed ? wasClosed() : new Error("the thread ended without an answer"));
      return await answerOf(job, running(), { maxJobTime, giveUp: () => void end(), why });
    } finally {
      idle = setTimeout(() => void end(), maxIdleTime).unref();
    }
  }

  return {
    ask(job) {
      const mine = last.then(() => answered(job));
      last = mine.catch(() => {});
      return mine;
    },
    async close() {
      closed = true;
      await end();
      clearTimeout(idle);
    },
  };
}

function wasClosed(): Error {
  return new Error("the thread was closed");
}

interface Exchange {
  readonly maxJobTime: Duration;
  readonly giveUp: () => void;
  /** Why the thread ended by itself. */
  readonly why: () => Error;
}

/** Sends a job to a thread, and waits for its last answer. */
function answerOf(job: object, thread: Worker, { maxJobTime, giveUp, why }: Exchange): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let answer: unknown;
    const settle = (done: () => void): void => {
      clearTimeout(timer);
      thread.off("message", hear).off("error", fail).off("exit", leave);
      done();
    };
    const hear = (message: ThreadMessage): void => {
      if (message.kind === "failed") settle(() => reject(new Error(message.why)));
      else answer = message.answer;
      if (message.kind === "done") settle(() => resolve(answer));
    };
    const fail = (error: unknown): void => settle(() => (isOutOfMemory(error) ? resolve(answer) : reject(error)));
    const leave = (): void => fail(why());
    const timer = setTimeout(() => {
      giveUp();
      settle(() => resolve(answer));
    }, maxJobTime);
    thread.on("message", hear).on("error", fail).on("exit", leave);
    try {
      thread.postMessage(job);
    } catch (error) {
      fail(error);
    }
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
