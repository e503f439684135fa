import type { Pool, PoolFigures, WorkerShare } from "../adapters/threads/pool.ts";
import type { WorkLimits } from "../model/ports/index.ts";
import { isBundled } from "./config.ts";

/** Limits of one task on content from strangers; far beyond the needs of any honest page. */
const workLimits: WorkLimits = { processor: 5_000, megabytes: 256 };

/** The threads of this process, once one is needed. */
let threads: Pool | undefined;

/** A share of the threads of this process, which are made for the first that asks. */
export async function shareOfThreads(): Promise<WorkerShare> {
  const { createPool, shareOf } = await import("../adapters/threads/pool.ts");
  const entry = new URL(isBundled ? "./worker.js" : "../faces/worker.ts", import.meta.url);
  threads ??= createPool({ entry, ...workLimits });
  return shareOf(threads);
}

/** How busy the threads of this process are; undefined before one was needed. */
export function threadFigures(): PoolFigures | undefined {
  return threads?.figures();
}
