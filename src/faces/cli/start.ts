import { type Logger, pino } from "pino";
import { NoConfig } from "../../adapters/files/config.ts";
import { WrongSetting } from "../../wire/settings.ts";
import { createLog, startServer, startWorker } from "../app/server.ts";
import type { Environment } from "../environment.ts";
import { print } from "./print.ts";
import { exits } from "./terminal.ts";

/** `recheck start`: serves until a signal ends it. @throws WrongSetting | ConfigProblems | StoreProblem */
export async function startCommand(): Promise<number> {
  return await untilSignal(startServer, "running checks are finished first");
}

/** `recheck worker`: processes the queue of the database until a signal ends it. @throws WrongSetting | StoreProblem */
export async function workerCommand(): Promise<number> {
  const start: typeof startWorker = async (env, log) => {
    const working = await startWorker(env, log);
    log.info("working");
    return working;
  };
  return await untilSignal(start, "running jobs are finished first, the rest is left to other workers");
}

const ofOneReport =
  "put the report's sources.yaml and triggers/ there (in a container, mount them), or unset RECHECK_REPO to serve an App";

/** Starts a service and returns; a signal ends it and the process. `ending`: the message at that time. */
async function untilSignal(
  start: (env: Environment, log: Logger) => Promise<{ stop(): Promise<void> }>,
  ending: string,
): Promise<number> {
  const log = logAt(process.env.LOG_LEVEL?.trim() || "info");
  const running = await start(process.env, log).catch((error: unknown) => {
    throw error instanceof NoConfig ? new WrongSetting(`${error.message}; ${ofOneReport}`) : error;
  });
  const stop = async (signal: string) => {
    log.info({ signal }, `stopping: ${ending}`);
    await running.stop();
    process.exit(exits.done);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
  return exits.done;
}

/** @throws WrongSetting */
function logAt(level: string): Logger {
  const levels = [...Object.keys(pino.levels.values), "silent"];
  if (!levels.includes(level)) throw new WrongSetting(`LOG_LEVEL must be one of ${levels.join(", ")}`);
  return createLog(level, (line) => print("out", line));
}
