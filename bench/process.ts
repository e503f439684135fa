import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** The cost of one program, as a whole process. */
export interface Taken {
  readonly seconds: number;
  /** Processor time, including child processes, in seconds. */
  readonly cpu: number;
  /** The peak memory of the process itself, in MB; undefined if the system does not report it. */
  readonly megabytes: number | undefined;
  readonly code: number | null;
  readonly output: string;
}

/**
 * How often a process is asked for its memory: the system keeps the highest, so that only its last moments are missed.
 */
const everyMs = 10;

/** Runs a program to its end, in a shell that reports the processor time of its children. */
export async function run(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = process.cwd(),
): Promise<Taken> {
  const script = '"$@"; code=$?; times >&3; exit $code';
  const begun = performance.now();
  const child = spawn("sh", ["-c", script, "sh", ...command], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const pieces: string[] = [];
  let times = "";
  child.stdout?.on("data", (piece) => pieces.push(String(piece)));
  child.stderr?.on("data", (piece) => pieces.push(String(piece)));
  child.stdio[3]?.on("data", (piece) => (times += String(piece)));
  let megabytes: number | undefined;
  const timer = setInterval(() => {
    const found = peakBelow(child.pid);
    if (found !== undefined) megabytes = Math.max(found, megabytes ?? 0);
  }, everyMs);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  const seconds = (performance.now() - begun) / 1_000;
  return { seconds, cpu: secondsOf(times), megabytes, code, output: pieces.join("") };
}

/**
 * The children's time is in the second line that `times` of a shell prints, `1m2.345s 0m0.678s`:
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#times
 */
function secondsOf(times: string): number {
  const [, children = ""] = times.trim().split("\n");
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/**
 * The largest of a shell's children, which is the program: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
function peakBelow(shell: number | undefined): number | undefined {
  try {
    const children = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(/\s+/).filter(Boolean);
    const peaks = children.map((id) => {
      const [, kilobytes = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
      return Number(kilobytes) / 1_024;
    });
    return peaks.length === 0 ? undefined : Math.max(...peaks);
  } catch {
    return undefined;
  }
}

/**
 * Bytes that this process has written to files so far, including those that still wait for the disk; 0 if the system
 * does not report it.
 */
export function bytesWritten(): number {
  // In blocks of 512 bytes: https://man7.org/linux/man-pages/man2/getrusage.2.html
  return process.resourceUsage().fsWrite * 512;
}
