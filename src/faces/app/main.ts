import { type Logger, pino } from "pino";
import { NoConfig } from "../../adapters/files/config.ts";
import { StoreProblem } from "../../adapters/store/problem.ts";
import { ConfigProblems } from "../../config/problems.ts";
import { exits, printProblems } from "../cli/terminal.ts";
import { WrongSetting } from "../environment.ts";
import { startServer } from "./server.ts";

try {
  const log = logAt(process.env.LOG_LEVEL?.trim() || "info");
  const running = await startServer(process.env, log);
  const stop = async (signal: string) => {
    log.info({ signal }, "stopping: looks under way are ended first");
    await running.stop();
    process.exit(exits.done);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
} catch (error) {
  process.exitCode = explain(error);
}

/** @throws WrongSetting */
function logAt(level: string): Logger {
  const levels = [...Object.keys(pino.levels.values), "silent"];
  if (!levels.includes(level)) throw new WrongSetting(`LOG_LEVEL is one of ${levels.join(", ")}`);
  // A webhook's text is a repository's own, or, where nobody signed it, anybody's.
  const webhook = ["err.event", "err.aggregateErrors"];
  const redact = ["req.headers.authorization", "req.headers.cookie", "err.request", "err.response", ...webhook];
  return pino({ level, redact });
}

function explain(error: unknown): number {
  const line = (text = "") => void process.stderr.write(`${text}\n`);
  if (error instanceof ConfigProblems) printProblems(error, { line });
  else if (error instanceof WrongSetting || error instanceof NoConfig || error instanceof StoreProblem) {
    line(error.message);
  } else throw error;
  return error instanceof StoreProblem ? exits.store : exits.wrong;
}
