import { readFileSync, writeFileSync } from "node:fs";
import { documents } from "./documents.ts";
import { generated } from "./generated.ts";
import type { Hostile } from "./input.ts";
import { lookAt } from "./look.ts";

/** More than any run takes. */
export const mostGenerated = 5_000;

/** What is measured of one look. */
export interface Measured {
  /** Milliseconds of processor time of the thread, by stage. */
  readonly stages: Readonly<Record<string, number>>;
  /** Bytes that are kept of it. */
  readonly kept: number;
  /** Megabytes that were taken beyond those before. */
  readonly memory: number;
  readonly said: string;
}

async function measure(input: Hostile, size: number): Promise<Measured> {
  globalThis.gc?.();
  const before = resetPeak();
  let since = process.threadCpuUsage();
  const stages: Record<string, number> = {};
  let kept = 0;
  let said = "";
  try {
    said = await lookAt(input, size, (stage, bytes) => {
      const { user, system } = process.threadCpuUsage(since);
      since = process.threadCpuUsage();
      stages[stage] = (user + system) / 1000;
      if (stage !== "made") kept = Math.max(kept, bytes);
    });
  } catch (error) {
    said = `THROWN ${error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "not an error"}`;
  }
  delete stages.made;
  return { stages, kept, memory: Math.max(0, peak() - before), said };
}

/** Linux: 5 written there sets the peak to what is held now. */
function resetPeak(): number {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Elsewhere the peak of the whole process is all there is.
  }
  return peak();
}

/** The most that was resident, in megabytes. */
function peak(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

/** What one process is asked for, and what it answers. */
export interface Asked {
  readonly seed: number;
  readonly index: number;
  readonly size: number;
}

const inputs = new Map<number, readonly Hostile[]>();

/** The hand-made ones first, then those of the seed. */
export function inputsOf(seed: number, count: number): readonly Hostile[] {
  return [...documents, ...generated(seed, count)];
}

process.on("message", async ({ seed, index, size }: Asked) => {
  const all = inputs.get(seed) ?? inputsOf(seed, mostGenerated);
  inputs.set(seed, all);
  const input = all[index];
  if (input) process.send?.(await measure(input, size));
});
