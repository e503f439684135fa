import { pino } from "pino";
import { StoreProblem } from "../../adapters/store/problem.ts";
import { ConfigProblems } from "../../wire.ts";
import { exits } from "../cli/exits.ts";
import { printProblems } from "../cli/validate.ts";
import { WrongSetting } from "../environment.ts";
import { startServer } from "./server.ts";

const log = pino({
  level: process.env.LOG_LEVEL ?? "info",
  redact: ["*.authorization", "*.token", "*.privateKey", "err.request.headers"],
});

try {
  const running = await startServer(process.env, log);
  const stop = async (signal: string) => {
    log.info({ signal }, "stopping: looks under way are ended first");
    await running.stop();
    process.exit(exits.done);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
} catch (error) {
  if (error instanceof ConfigProblems)
    printProblems(error, { line: (text = "") => void process.stderr.write(`${text}\n`) });
  else if (error instanceof WrongSetting || error instanceof StoreProblem) process.stderr.write(`${error.message}\n`);
  else throw error;
  process.exitCode = error instanceof StoreProblem ? exits.store : exits.wrong;
}
