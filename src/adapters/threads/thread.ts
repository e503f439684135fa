import { AsyncResource } from "node:async_hooks";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { codeOf, Failure, type FailureFacts, type FailureKind } from "../../model/failure.ts";
import type { Excess, TaskGiver, WorkLimits } from "../../model/ports/index.ts";
import type { Duration } from "../../model/time.ts";
import { startMeter, type WorkerUse } from "./meter.ts";

/** A worker thread that does one job at a time, and is replaced if a job takes too much. */
export type Thread = ReturnType<typeof createThread>;

export class JobGivenUp extends Error {
  readonly excess: Excess;
  /** The last intermediate answer. */
  readonly soFar: unknown;

  constructor(excess: Excess, soFar: unknown) {
    super(`a job was given up: too much ${excess}`);
    this.name = "JobGivenUp";
    this.excess = excess;
    this.soFar = soFar;
  }
}

export type ThreadMessage =
  | ({ readonly kind: "begun" } & WorkerUse)
  /** The thread holds too much memory that garbage collection cannot free, so another one takes the job. */
  | { readonly kind: "worn" }
  | { readonly kind: "so-far" | "done"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly why: string; readonly failure?: { kind: FailureKind; facts: FailureFacts } }
  | {
      readonly kind: "question";
      readonly number: number;
      readonly question: string;
      readonly args: readonly unknown[];
    };

export type ThreadOrder =
  | { readonly kind: "job"; readonly job: unknown }
  | ({ readonly kind: "reply"; readonly number: number } & ({ readonly value: unknown } | { readonly failed: string }));

export interface ThreadSettings extends WorkLimits {
  /** The module that it runs, which calls `serve`. */
  readonly entry: URL;
  readonly data?: unknown;
  /** Time without a job after which it ends. */
  readonly maxIdleTime: Duration;
}

/** Memory for a thread's young objects: a third of it holds all that most pages take while they are read. */
const youngMegabytes = 36;

/** After this many jobs the thread is replaced, as its memory grows. A start costs as much as a few pages. */
const maxJobs = 1_000;

export function createThread(settings: ThreadSettings) {
  const { entry, data, maxIdleTime, megabytes } = settings;
  let worker: Worker | undefined;
  let lastJob: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let closed = false;
  let jobs = 0;

  function workerForJob(): Worker {
    clearTimeout(idle);
    if (worker) return worker;
    prepareForPages();
    const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes };
    const made = new Worker(entry, { workerData: data, env: environment(), resourceLimits });
    worker = made;
    jobs = 0;
    const gone = () => void (worker === made && end());
    made.on("error", gone).on("exit", gone);
    return made;
  }

  async function end(): Promise<void> {
    const gone = worker;
    worker = undefined;
    await gone?.terminate();
  }

  async function outcomeOf(job: unknown, asker: Pick<Exchange, "answer" | "processor" | "begun">): Promise<unknown> {
    if (closed) throw closedError();
    if (jobs >= maxJobs) await end();
    const thread = workerForJob();
    jobs += 1;
    thread.ref();
    try {
      const why = () => (closed ? closedError() : new Error("the thread ended without an answer"));
      // A thread in a long call of the engine ends only after that call, so we do not wait for it.
      const outcome = await answerOf(job, thread, { megabytes, ...asker, giveUp: () => void end(), why });
      if (outcome !== worn) return outcome;
    } finally {
      thread.unref();
      idle = setTimeout(() => void end(), maxIdleTime).unref();
    }
    await end();
    return await outcomeOf(job, asker);
  }

  return {
    /**
     * Runs a job. `answer`: for the job's questions; if it throws and so the job fails, that error is thrown. @throws JobGivenUp if
     * the job takes too much; Failure as the job throws it; Error if it fails otherwise, cannot be sent, or the thread ends first.
     * `processor`: milliseconds, if it has a limit of its own; `begun` is called once the thread runs and the job begins
     */
    ask(job: unknown, answer?: TaskGiver["answer"], processor = settings.processor, begun = () => {}) {
      const mine = lastJob.then(() => outcomeOf(job, { answer, processor, begun }));
      lastJob = mine.catch(() => {});
      return mine;
    },
    /** Whether the thread is running: it ends when it has no work. */
    isRunning: () => worker !== undefined,
    /** Rejects unanswered and later jobs. */
    async close() {
      closed = true;
      await end();
      clearTimeout(idle);
    },
  };
}

/**
 * Flags for a process that reads many pages. With the first, a full collection comes once the heap has grown by half:
 * only then are read pages freed. With the second, V8 optimises functions later: it repeats that for each new kind of input.
 * Each flag makes Node compile its own modules again, so they are set only when a thread is needed. They must be set before
 * the first collection, or the heap grows to four times its size. Figures: `docs/speed.md`.
 */
export function prepareForPages(): void {
  const [version = 0, minor = 0] = process.versions.v8.split(".").map(Number);
  // V8 prints an error for a flag that it does not have.
  if (version < 12 || version > 14) return;
  setFlagsFromString("--invocation-count-for-turbofan=30000");
  setFlagsFromString("--heap-growing-percent=50");
  // Node 26: expressions with the words of all languages are compiled faster without bytecode before.
  if (version === 14 && minor >= 6) setFlagsFromString("--no-regexp-assemble-from-bytecode");
}

/** Parsing needs no environment, which has tokens, but the compile cache: without it a start takes twice as long. */
function environment(): Readonly<Record<string, string>> {
  // That folder is one of this version of Node, in the one that is set.
  const kept = getCompileCacheDir();
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: dirname(kept) };
}

function closedError(): Error {
  return new Error("the thread was closed");
}

/** Instead of a result, if the thread holds too much memory that it cannot free; a new thread never does. */
const worn = Symbol("worn");

interface Exchange extends WorkLimits {
  readonly answer: TaskGiver["answer"];
  readonly begun: () => void;
  readonly giveUp: () => void;
  /** Why the thread ended by itself. */
  readonly why: () => Error;
}

function answerOf(job: unknown, thread: Worker, { answer, begun, giveUp, why, ...limits }: Exchange): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let soFar: unknown;
    let unanswered: unknown;
    let stop = (): void => {};
    const keep = (error: unknown): void => {
      unanswered = error;
    };
    const settle = (done: () => void): void => {
      stop();
      thread.off("message", receive).off("error", fail).off("exit", leave);
      done();
    };
    const tooMuch = (excess: Excess): void => {
      giveUp();
      settle(() => reject(new JobGivenUp(excess, soFar)));
    };
    const begin = (before: WorkerUse): void => {
      const meter = startMeter(thread, before, limits);
      stop = meter.stop;
      void meter.beyond.then(tooMuch);
      begun();
    };
    // Messages arrive in the context in which the thread was started, perhaps for another job. This binds them to this job.
    const receive = AsyncResource.bind((message: ThreadMessage): void => {
      if (message.kind === "begun") begin(message);
      else if (message.kind === "worn") settle(() => resolve(worn));
      else if (message.kind === "question") void reply(thread, message, answer).catch(keep);
      else if (message.kind === "failed") settle(() => reject(unanswered ?? failureOf(message)));
      else soFar = message.answer;
      if (message.kind === "done") settle(() => resolve(soFar));
    });
    const fail = (error: unknown): void => {
      if (codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY") tooMuch("memory");
      else settle(() => reject(error));
    };
    const leave = (): void => fail(why());
    thread.on("message", receive).on("error", fail).on("exit", leave);
    try {
      thread.postMessage({ kind: "job", job } satisfies ThreadOrder);
    } catch (error) {
      fail(error);
    }
  });
}

/** @throws the error of `answer`, once the thread knows of it */
async function reply(
  thread: Worker,
  { number, question, args }: Extract<ThreadMessage, { kind: "question" }>,
  answer: TaskGiver["answer"],
): Promise<void> {
  const send = (order: ThreadOrder) => thread.postMessage(order);
  try {
    if (!answer) throw new Error(`nobody answers ${question}`);
    send({ kind: "reply", number, value: await answer(question, args) });
  } catch (error) {
    send({ kind: "reply", number, failed: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

function failureOf({ why, failure }: Extract<ThreadMessage, { kind: "failed" }>): Error {
  return failure ? new Failure(failure.kind, failure.facts, new Error(why)) : new Error(why);
}
