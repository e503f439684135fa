import { availableParallelism } from "node:os";
import { makeOnce, RecentlyUsed } from "../../model/cache.ts";
import { Failure, stopping } from "../../model/failure.ts";
import type { Excess, TaskGiver, Workers, WorkLimits } from "../../model/ports/index.ts";
import { type Employer, serve } from "./serve.ts";
import { createThread, JobGivenUp, type Thread, type ThreadSettings } from "./thread.ts";

interface Job {
  readonly task: string;
  readonly input: unknown;
  /** Identifies shared data, which a thread asks for if it does not have it yet. */
  readonly shared?: number;
}

const sharedQuestion = "shared";

/** Limit of threads. More do not make a scan faster, because hosts do not answer sooner. */
const maxThreads = 4;

const idleFor = 30_000;

/**
 * Waiting tasks before another thread starts, which costs as much as some pages. One processor is left to the program:
 * two threads on two processors made a first scan a tenth faster, for a tenth more processor time and 45 MB.
 */
const manyWaiting = 32;

/** Milliseconds, without its thread's start, after which a task counts as slow. Another thread then starts for the next tasks. */
const patience = 3_000;

export interface PoolFigures {
  readonly threads: number;
  readonly running: number;
  readonly busy: number;
  /** Tasks for which no thread is free. */
  readonly waiting: number;
  /** Threads that were replaced because a task took too much, by limit. */
  readonly replaced: Readonly<Record<Excess, number>>;
}

export interface Pool extends Workers {
  figures(): PoolFigures;
}

/** Workers in threads of this process, which are started when there is something to do, and end when there is not. */
export function createPool(settings: WorkLimits & Pick<ThreadSettings, "entry">): Pool {
  const { megabytes } = settings;
  const threads: readonly Thread[] = Array.from({ length: Math.min(maxThreads, availableParallelism()) }, () =>
    createThread({ ...settings, maxIdleTime: idleFor }),
  );
  const turns = createThreadTurns(threads);
  const replaced: Record<Excess, number> = { processor: 0, memory: 0 };
  const numbers = new WeakMap<object, number>();
  let known = 0;

  const numberOf = (shared: object) => makeOnce(numbers, shared, () => ++known);

  return {
    async run(task, input, asker = {}) {
      const { shared, processor = settings.processor } = asker;
      const job: Job = { task, input, ...(shared && { shared: numberOf(shared) }) };
      const answer = async (question: string, args: readonly unknown[]) =>
        question === sharedQuestion ? shared : asker.answer?.(question, args);
      try {
        return await turns.take((thread, begun) => thread.ask(job, answer, processor, begun));
      } catch (error) {
        if (!(error instanceof JobGivenUp)) throw error;
        replaced[error.excess] += 1;
        if (error.excess === "processor") throw new Failure("processor", { after: processor }, error);
        throw new Failure("memory", { limit: megabytes * 1e6 }, error);
      }
    },
    figures: () => ({
      threads: threads.length,
      running: threads.filter((thread) => thread.isRunning()).length,
      busy: turns.busy(),
      waiting: turns.waiting(),
      replaced: { ...replaced },
    }),
  };
}

/** Gives threads to tasks, first come, first served. */
function createThreadTurns(threads: readonly Thread[]) {
  const free = [...threads];
  const waiting: ((thread: Thread) => void)[] = [];
  const slow = new Set<Thread>();
  const areAllSlow = () => slow.size === threads.length - free.length;

  /** Takes a running thread, if one is free; else waits, or starts another one. */
  async function freeThread(): Promise<Thread> {
    const at = free.findLastIndex((thread) => thread.isRunning());
    const [warm] = at < 0 ? [] : free.splice(at, 1);
    const busy = threads.length - free.length;
    const isNeeded = areAllSlow() || (waiting.length >= manyWaiting && busy < availableParallelism() - 1);
    return warm ?? (isNeeded ? free.pop() : undefined) ?? (await new Promise((resolve) => waiting.push(resolve)));
  }

  return {
    /** Runs some work with a thread of its own, when one is free. */
    async take(work: (thread: Thread, begun: () => void) => Promise<unknown>) {
      const thread = await freeThread();
      let timer: NodeJS.Timeout | undefined;
      const begun = () => {
        timer = setTimeout(() => {
          slow.add(thread);
          // The first task that waits gets another thread, unless one of those that run will soon be free.
          const another = waiting.length > 0 && areAllSlow() ? free.pop() : undefined;
          if (another) waiting.shift()?.(another);
        }, patience);
      };
      try {
        return await work(thread, begun);
      } finally {
        clearTimeout(timer);
        slow.delete(thread);
        const next = waiting.shift();
        if (next) next(thread);
        else free.push(thread);
      }
    },
    busy: () => threads.length - free.length,
    waiting: () => waiting.length,
  };
}

export type WorkerShare = ReturnType<typeof shareOf>;

/** A share in the workers of a process, which outlive it. To start a thread costs more than most tasks. */
export function shareOf(workers: Workers) {
  const running = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async run(task, input, asker) {
      if (closed) throw stopping();
      const mine = workers.run(task, input, asker);
      running.add(mine);
      return await mine.finally(() => running.delete(mine));
    },
    /** Waits for running tasks, and refuses all others as deferred. */
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
  } satisfies Workers & { close(): Promise<void> };
}

export type Task = (input: never, asker: Required<TaskGiver>) => unknown;

/** Configs that the last few tasks shared: a server works for many repositories. */
const maxShared = 8;

type Tasks = Readonly<Record<string, Task>>;

/** Runs in a worker thread: does the tasks of this table, or of `others`, which are loaded for the first that it lacks. */
export function serveTasks(tasks: Tasks, others: () => Promise<Tasks> = async () => ({})): void {
  const sharedData = new RecentlyUsed<number, object>(maxShared);

  async function sharedOf(number: number | undefined, employer: Employer): Promise<object> {
    if (number === undefined) return {};
    const shared = sharedData.get(number) ?? ((await employer.ask(sharedQuestion, [])) as object);
    sharedData.set(number, shared);
    return shared;
  }

  serve(async (job, employer) => {
    const { task, input, shared } = job as Job;
    const work = tasks[task] ?? (await others())[task];
    if (!work) throw new Error(`no task ${task}`);
    const asker = { shared: await sharedOf(shared, employer), answer: employer.ask };
    return await work(input as never, asker);
  });
}
