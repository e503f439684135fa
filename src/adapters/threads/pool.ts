import { availableParallelism } from "node:os";
import { Failure } from "../../model/failure.ts";
import type { TaskGiver, Workers, WorkLimits } from "../../model/ports/index.ts";
import { type Employer, serve } from "./serve.ts";
import { createThread, JobGivenUp, type Thread, type ThreadSettings } from "./thread.ts";

/** A task as it is sent to a thread. */
interface Job {
  readonly task: string;
  readonly input: unknown;
  /** Names what is shared: it is asked for where the thread does not have it yet. */
  readonly shared?: number;
}

/** The question by which a thread asks for what is shared. */
const sharedQuestion = "shared";

/** More threads than this do not make a scan faster: the hosts do not answer sooner. */
const maxThreads = 4;

const idleFor = 30_000;

/** Workers that end when they are told to. */
export interface Pool extends Workers {
  /** Ends the tasks that have begun, and refuses all others as left for later. */
  close(): Promise<void>;
}

/** Workers in threads of this process, which are started when there is something to do, and end when there is not. */
export function createPool(settings: WorkLimits & Pick<ThreadSettings, "entry">): Pool {
  const { processor, megabytes } = settings;
  const free: Thread[] = Array.from({ length: Math.min(maxThreads, availableParallelism()) }, () =>
    createThread({ ...settings, maxIdleTime: idleFor }),
  );
  const all = [...free];
  const waiting: { take(thread: Thread): void; refuse(why: Failure): void }[] = [];
  const running = new Set<Promise<unknown>>();
  const numbers = new WeakMap<object, number>();
  let [known, closed] = [0, false];

  function numberOf(shared: object): number {
    const number = numbers.get(shared) ?? ++known;
    numbers.set(shared, number);
    return number;
  }

  /** The one that was used last first: the others may end. */
  async function threadFor(): Promise<Thread> {
    if (closed) throw stopping();
    return free.pop() ?? (await new Promise((take, refuse) => waiting.push({ take, refuse })));
  }

  async function withThread(work: (thread: Thread) => Promise<unknown>): Promise<unknown> {
    const thread = await threadFor();
    const done = work(thread).finally(() => {
      running.delete(done);
      const next = waiting.shift();
      if (next) next.take(thread);
      else free.push(thread);
    });
    running.add(done);
    return await done;
  }

  return {
    async run(task, input, asker = {}) {
      const { shared } = asker;
      const job: Job = { task, input, ...(shared && { shared: numberOf(shared) }) };
      const answer = async (question: string, args: readonly unknown[]) =>
        question === sharedQuestion ? shared : asker.answer?.(question, args);
      try {
        return await withThread((thread) => thread.ask(job, answer));
      } catch (error) {
        if (!(error instanceof JobGivenUp)) throw error;
        if (error.excess === "processor") throw new Failure("processor", { after: processor }, error);
        throw new Failure("memory", { limit: megabytes * 1e6 }, error);
      }
    },
    async close() {
      closed = true;
      for (const { refuse } of waiting.splice(0)) refuse(stopping());
      await Promise.allSettled(running);
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}

function stopping(): Failure {
  return new Failure("deferred", { why: "Recheck is stopping" });
}

/** A task: its input, and the one who gave it. */
export type Task = (input: never, asker: Required<TaskGiver>) => unknown;

/** Configs that the last few tasks shared: a server works for many repositories. */
const maxShared = 8;

/** Within a worker thread: does the tasks of this table. */
export function serveTasks(tasks: Readonly<Record<string, Task>>): void {
  const known = new Map<number, object>();

  async function sharedOf(number: number | undefined, employer: Employer): Promise<object> {
    if (number === undefined) return {};
    const shared = known.get(number) ?? ((await employer.ask(sharedQuestion, [])) as object);
    known.delete(number);
    known.set(number, shared);
    for (const old of known.keys()) if (known.size > maxShared) known.delete(old);
    return shared;
  }

  serve(async (job, employer) => {
    const { task, input, shared } = job as Job;
    const work = tasks[task];
    if (!work) throw new Error(`no task ${task}`);
    const asker = { shared: await sharedOf(shared, employer), answer: employer.ask };
    return await work(input as never, asker);
  });
}
