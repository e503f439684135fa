import { type Logger, pino } from "pino";
import { startServer } from "../app/server.ts";
import { WrongSetting } from "../environment.ts";
import { print } from "./print.ts";
import { exits } from "./terminal.ts";

/** `recheck start`: serves until a signal ends it. @throws WrongSetting | NoConfig | ConfigProblems | StoreProblem */
export async function startCommand(): Promise<number> {
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

/** @throws WrongSetting */
function logAt(level: string): Logger {
  const levels = [...Object.keys(pino.levels.values), "silent"];
  if (!levels.includes(level)) throw new WrongSetting(`LOG_LEVEL is one of ${levels.join(", ")}`);
  // A webhook's text is a repository's own, or, where nobody signed it, anybody's.
  const webhook = ["err.event", "err.aggregateErrors"];
  const redact = ["req.headers.authorization", "req.headers.cookie", "err.request", "err.response", ...webhook];
  return pino({ level, redact }, { write: (line) => print("out", line) });
}
