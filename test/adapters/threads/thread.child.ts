import { getHeapSpaceStatistics } from "node:v8";
import { threadId, workerData } from "node:worker_threads";
import { serve } from "../../../src/adapters/threads/serve.ts";
import { Failure } from "../../../src/model/failure.ts";

/** A thread that does as it is told: answers, asks, says who it is, fails, leaves, never ends, or takes all memory there is. */
serve(async (job, { ask, soFar }) => {
  const { does, with: more } = job as { does: string; with?: unknown };
  if (does === "answer") return [workerData, more];
  if (does === "who") return threadId;
  if (does === "environment") return Object.keys(process.env);
  if (does === "ask") return await ask("how", [more]);
  if (does === "fail") throw new Error("it is broken");
  if (does === "fail as a check does") throw new Failure("no-match", { selector: "main" });
  if (does === "go deep") return depth(1e7);
  if (does === "leave") process.exit();
  if (does === "take for a while") return whileBusy(new Uint8Array(more as number).fill(1)).length;
  if (does === "make objects") return Array.from({ length: more as number }, (_, i) => ({ i })).length;
  if (does === "count young")
    return getHeapSpaceStatistics().find((one) => one.space_name === "new_space")?.space_used_size;
  if (does === "keep") return kept.push(new Uint8Array(more as number).fill(1));
  if (more !== undefined) soFar(more);
  const all: string[][] = [];
  const bytes: Uint8Array[] = [];
  for (let i = 0; ; i++) {
    if (does === "eat") all.push(Array.from({ length: 10_000 }, (_, j) => `${i} ${j}`));
    if (does === "eat bytes") bytes.push(new Uint8Array(1_000_000).fill(1));
    if (does === "stay in one call") "\u0041\u0300\u0316".repeat(2_000_000).normalize("NFKC");
  }
});

const kept: Uint8Array[] = [];

/** Long enough to be measured meanwhile. */
function whileBusy<T>(held: T): T {
  for (const begun = performance.now(); performance.now() - begun < 500; );
  return held;
}

/** As a reader that follows one element into the next. */
function depth(levels: number): number {
  return levels === 0 ? 0 : 1 + depth(levels - 1);
}
