import { type Logger, pino } from "pino";
import { createLog, startServer, startWorker } from "../app/server.ts";
import { sweepHeapSooner } from "../heap.ts";
import { WrongSetting } from "../wrong-setting.ts";
import { print } from "./print.ts";
import { exits } from "./terminal.ts";

/** `recheck start`: serves until a signal ends it. @throws WrongSetting | NoConfig | ConfigProblems | StoreProblem */
export async function startCommand(): Promise<number> {
  sweepHeapSooner();
  const log = logAt(process.env.LOG_LEVEL?.trim() || "info");
  const running = await startServer(process.env, log);
  const stop = async (signal: string) => {
    log.info({ signal }, "stopping: looks under way are ended first");
    await running.stop();
    process.exit(exits.done);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
  return exits.done;
}

/** `recheck worker`: does what the queue of the database asks for until a signal ends it. @throws WrongSetting | StoreProblem */
export async function workerCommand(): Promise<number> {
  sweepHeapSooner();
  const log = logAt(process.env.LOG_LEVEL?.trim() || "info");
  const working = await startWorker(process.env, log);
  log.info("working");
  const stop = async (signal: string) => {
    log.info({ signal }, "stopping: what is under way is ended first, the rest is left to others");
    await working.stop();
    process.exit(exits.done);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
  return exits.done;
}

/** @throws WrongSetting */
function logAt(level: string): Logger {
  const levels = [...Object.keys(pino.levels.values), "silent"];
  if (!levels.includes(level)) throw new WrongSetting(`LOG_LEVEL is one of ${levels.join(", ")}`);
  return createLog(level, (line) => print("out", line));
}
