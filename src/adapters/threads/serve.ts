import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, resourceLimits } from "node:worker_threads";
import { Failure } from "../../model/failure.ts";
import { bytesIn } from "./meter.ts";
import type { ThreadMessage, ThreadOrder } from "./thread.ts";

/** The main program, as seen by the thread. */
export interface Employer {
  /** Asks the program a question, and waits for its answer. @throws Error if it has none */
  ask(question: string, args: readonly unknown[]): Promise<unknown>;
  /** An intermediate answer, which counts if the job is stopped. */
  soFar(answer: unknown): void;
}

/**
 * The limit of one message, by its size when copied: characters, bytes, and `bytesOfValue` for each value. A text that is
 * referenced many times is copied each time, and the receiver is blocked meanwhile.
 */
const maxMessage = 32_000_000;
const bytesOfValue = 16;

/** The share of its limit of memory that a thread may hold between two jobs. */
const restShare = 1 / 2;

/** Bytes of young objects that a thread may hold between two jobs. */
const youngAtRest = 3_000_000;

/** Runs in a worker thread: does the jobs of its `Thread`, one at a time. */
export function serve(work: (job: unknown, employer: Employer) => unknown): void {
  // If it exists, the PDF library unpacks thousands of streams in parallel, in memory that the engine does not count.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
  const say = (message: ThreadMessage): void => {
    if (isBeyond(message, maxMessage)) throw tooLarge();
    parentPort?.postMessage(message);
  };
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const gc = collector();
  const maxAtRest = restShare * (resourceLimits?.maxOldGenerationSizeMb ?? Infinity) * 1e6;
  let asked = 0;
  let worn = false;

  const employer: Employer = {
    async ask(question, args) {
      const number = asked++;
      say({ kind: "question", number, question, args });
      const answer = Promise.withResolvers<unknown>();
      waiting.set(number, answer);
      return await answer.promise;
    },
    soFar: (answer) => say({ kind: "so-far", answer }),
  };

  async function doJob(job: unknown): Promise<void> {
    if (worn) return say({ kind: "worn" });
    say({ kind: "begun", ...processorTime(), bytes: bytesIn(getHeapStatistics()) });
    try {
      say({ kind: "done", answer: await work(job, employer) });
    } catch (error) {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const failure = isTooLong(error) ? tooLarge() : isTooDeep(error) ? new Failure("too-deep") : error;
      say({
        kind: "failed",
        why,
        ...(failure instanceof Failure && { failure: { kind: failure.kind, facts: failure.facts } }),
      });
    }
  }

  /** Leftovers of a job must not burden the next one: a collection amid that one would copy half of its page, too. */
  function rest(): void {
    if (bytesIn(getHeapStatistics()) > maxAtRest) gc();
    // Buffers are freed outside the heap, but only after a collection; the smallest one is enough.
    if (bytesIn(getHeapStatistics()) > maxAtRest || youngBytes() > youngAtRest) gc({ type: "minor" });
    worn = bytesIn(getHeapStatistics()) > maxAtRest;
  }

  parentPort?.on("message", (order: ThreadOrder) => {
    if (order.kind === "job") return void doJob(order.job).then(rest);
    const { number } = order;
    const one = waiting.get(number);
    waiting.delete(number);
    if ("value" in order) return one?.resolve(order.value);
    one?.reject(new Error(order.failed));
  });
}

/** The engine collects garbage only when it needs memory; a flag makes it possible to request that. */
function collector(): NodeJS.GCFunction {
  setFlagsFromString("--expose-gc");
  const gc: NodeJS.GCFunction = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return gc;
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_used_size ?? 0;
}

/** The processor time of this thread, in ms; Node reports it from 23.9 on. */
function processorTime(): { processor?: number } {
  const { threadCpuUsage } = process as Partial<NodeJS.Process>;
  const taken = threadCpuUsage?.();
  return taken ? { processor: (taken.user + taken.system) / 1_000 } : {};
}

function tooLarge(): Failure {
  return new Failure("too-large", { limit: maxMessage });
}

/** Whether a text, list or buffer exceeded the engine's maximum length. */
function isTooLong(error: unknown): boolean {
  return (
    error instanceof RangeError && /^(?:Invalid (?:string|array|typed array) length|Array buffer)/.test(error.message)
  );
}

/** Whether the stack overflowed, which only untrusted content can cause. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith("Maximum call stack");
}

/** Whether plain data is larger than the limit, counting each value as often as it occurs. */
function isBeyond(data: unknown, limit: number): boolean {
  const pending: unknown[] = [data];
  let bytes = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    bytes += bytesOfValue;
    if (typeof value === "string") bytes += value.length;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (value instanceof Map) pending.push(...value.keys(), ...value.values());
    else if (Array.isArray(value)) for (const one of value) pending.push(one);
    else if (typeof value === "object" && value !== null)
      for (const name in value) pending.push((value as never)[name]);
    if (bytes > limit) return true;
  }
  return false;
}
