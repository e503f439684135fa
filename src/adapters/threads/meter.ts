import { performance } from "node:perf_hooks";
import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";
import type { Excess, WorkLimits } from "../../model/ports/index.ts";
import type { Duration } from "../../model/time.ts";

/** The interval of measurements: a buffer that doubles repeatedly takes a gigabyte in a second. */
const interval: Duration = 50;

/**
 * The share of a worker's busy time that counts as processor time, if Node does not report processor time (from 24.6
 * on, and never during one call of the engine). In the rest of the time, other programs may have had the processors.
 */
const unknownShare = 1 / 8;

/** Totals of a worker since it started. Amounts from before its job do not count. */
export interface WorkerUse {
  /** Processor time in ms, if Node reports it. */
  readonly processor?: number;
  /** Bytes in use, including uncollected garbage of earlier jobs. */
  readonly bytes: number;
}

/** The memory that a thread uses, without memory that the engine only reserves. */
export function bytesIn(heap: Pick<HeapInfo, "used_heap_size" | "external_memory" | "malloced_memory">): number {
  return heap.used_heap_size + heap.external_memory + heap.malloced_memory;
}

/** Measures a job by processor time, so that a busy or sleeping machine makes no job fail. */
export function startMeter(worker: Worker, before: WorkerUse, limits: WorkLimits) {
  const { promise: beyond, resolve } = Promise.withResolvers<Excess>();
  let [reported, estimated, isAsked] = [0, 0, false];
  let busy = busyTime(worker);
  let measuredAt = performance.now();

  async function ask(): Promise<void> {
    isAsked = true;
    const now = await usage(worker);
    isAsked = false;
    if (!now) return;
    if (now.bytes - before.bytes > limits.megabytes * 1e6) resolve("memory");
    if (before.processor === undefined || now.processor === undefined) return;
    [reported, estimated] = [now.processor - before.processor, 0];
    if (reported >= limits.processor) resolve("processor");
  }

  const timer = setInterval(() => {
    const [busyNow, now] = [busyTime(worker), performance.now()];
    // While this program was suspended, nothing was measured.
    estimated += Math.min(busyNow - busy, now - measuredAt, 2 * interval);
    [busy, measuredAt] = [busyNow, now];
    if (reported + estimated * unknownShare >= limits.processor) resolve("processor");
    if (!isAsked) void ask();
  }, interval);
  /** `beyond` resolves when it first exceeds a limit. */
  return { beyond, stop: () => clearInterval(timer) };
}

/** Milliseconds in which the worker was not waiting. */
function busyTime(worker: Worker): Duration {
  return worker.performance.eventLoopUtilization().active;
}

/** Undefined if Node does not report it (the first from 24.6, the second from 24.0 and 22.16 on), or the worker has ended. */
async function usage(worker: Worker): Promise<WorkerUse | undefined> {
  const { cpuUsage, getHeapStatistics } = worker as Partial<Worker>;
  try {
    const [cpu, heap] = await Promise.all([cpuUsage?.call(worker), getHeapStatistics?.call(worker)]);
    return { processor: cpu && (cpu.user + cpu.system) / 1_000, bytes: heap ? bytesIn(heap) : 0 };
  } catch {
    return undefined;
  }
}
