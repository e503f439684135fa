import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { campaign } from "./clock.ts";
import type { Beginning, How, Names, Order } from "./inside.ts";
import { heardOfOthers, stillness } from "./stillness.ts";

/** The program as a process of its own, whose time, names and disk are the campaign's. */
export interface Program {
  readonly pid: number;
  readonly isOver: boolean;
  readonly ended: Promise<Ended>;
  /** All its output so far. */
  said(): string;
  /** Undefined once it has ended. */
  ask(order: Order): Promise<How | undefined>;
  kill(signal: NodeJS.Signals): void;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** The built program, with a folder for Node's compile cache. */
export interface Built {
  readonly folder: string;
  readonly cache: string;
  /** The module that is loaded ahead of it. */
  readonly inside: string;
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly names: Names;
  /** How far its clock is beside the campaign's. */
  readonly skew?: number;
}

export function launch({ folder, cache, inside }: Built, { args, env, cwd, names, skew = 0 }: Launch): Program {
  const begins: Beginning = { at: campaign.now() + skew, names };
  const own = {
    PATH: process.env.PATH ?? "",
    NODE_COMPILE_CACHE: cache,
    UV_THREADPOOL_SIZE: "1",
    CHAOS_BEGINS: JSON.stringify(begins),
  };
  const child = spawn(process.execPath, ["--import", inside, join(folder, "main.js"), ...args], {
    cwd,
    env: { ...own, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const texts = { out: "", err: "" };
  for (const name of ["out", "err"] as const)
    child[name === "out" ? "stdout" : "stderr"]?.on("data", (chunk) => (texts[name] += chunk));
  const answers = listen(child);
  let over: Ended | undefined;
  const ended = new Promise<Ended>((resolve) => {
    child.on("error", () => {});
    child.on("close", (code, signal) => {
      over = { code, signal, ...texts };
      for (const answer of answers.values()) answer(undefined);
      answers.clear();
      resolve(over);
    });
  });
  let last = 0;
  return {
    pid: child.pid ?? 0,
    get isOver() {
      return over !== undefined || child.exitCode !== null || child.signalCode !== null;
    },
    ended,
    said: () => texts.out + texts.err,
    ask: (order) =>
      new Promise((resolve) => {
        if (over || !child.connected) return resolve(undefined);
        const id = ++last;
        answers.set(id, resolve);
        child.send({ ...order, id }, (error) => {
          if (error && answers.delete(id)) resolve(undefined);
        });
      }),
    kill: (signal) => void child.kill(signal),
  };
}

function listen(child: ChildProcess): Map<number, (how: How | undefined) => void> {
  const answers = new Map<number, (how: How | undefined) => void>();
  child.on("message", (message) => {
    const { id, answer } = message as { id: number; answer?: How };
    answers.get(id)?.(answer);
    answers.delete(id);
  });
  child.on("disconnect", () => {
    for (const answer of answers.values()) answer(undefined);
    answers.clear();
  });
  return answers;
}

const turn = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Lets it finish its work: whenever nothing runs and no request is open, its next timer fires, for at most `most` ms. Ends if
 * no timer is due within that time, or if it has ended.
 */
export async function settle(program: Program, isBusy: () => boolean, most: number): Promise<void> {
  let left = most;
  let heard = heardOfOthers();
  let how = await program.ask({ do: "how" });
  while (how) {
    const { next = Infinity, passed } = how;
    campaign.pass(passed);
    left -= passed;
    // By then, everything that it sent before its answer has arrived.
    await stillness();
    while (isBusy() && !program.isOver) await turn(1);
    const isAlone = heardOfOthers() === heard;
    heard = heardOfOthers();
    if (isAlone && next > left) return;
    const ms = next + 1;
    if (isAlone) {
      campaign.pass(ms);
      left -= ms;
    }
    how = await program.ask(isAlone ? { do: "pass", ms } : { do: "how" });
  }
  await program.ended;
}

/** Limits the size of its files, if this system can; undefined: no limit. */
export function limitFiles(pid: number, bytes: number | undefined): boolean {
  try {
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes ?? "unlimited"}:unlimited`], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}
