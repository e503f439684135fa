import type { Pool, PoolFigures, WorkerShare } from "../adapters/threads/pool.ts";
import type { WorkLimits } from "../model/ports/index.ts";
import { isBundled } from "./config.ts";

/** Limits of one task on content from strangers; far beyond the needs of any honest page. */
const workLimits: WorkLimits = { processor: 5_000, megabytes: 256 };

/** The threads of this process; undefined until they are needed. */
let threads: Pool | undefined;

/** A share of this process's threads, which start on first use. */
export async function shareOfThreads(): Promise<WorkerShare> {
  const { createPool, shareOf } = await import("../adapters/threads/pool.ts");
  const entry = new URL(isBundled ? "./worker.js" : "../faces/worker.ts", import.meta.url);
  threads ??= createPool({ entry, ...workLimits });
  return shareOf(threads);
}

/** The load of this process's threads; undefined before their first use. */
export function threadFigures(): PoolFigures | undefined {
  return threads?.figures();
}
