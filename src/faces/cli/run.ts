import { Command, CommanderError } from "commander";
import { NoConfig, UnreadableConfig } from "../../adapters/files/config.ts";
import { ConfigProblems } from "../../config/problems.ts";
import { version } from "../../model/own-version.ts";
import { GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import { WrongSetting } from "../../wire/settings.ts";
import { addCommands, shortHelp } from "./commands.ts";
import { colourWhen, print, screenOf } from "./print.ts";
import {
  commandToType,
  exits,
  printProblems,
  processTerminal,
  sayStoreProblem,
  stackOf,
  type Terminal,
  Unreachable,
  WrongUsage,
  wrapLines,
} from "./terminal.ts";

function help(channel: "out" | "err", text: string): void {
  print(channel, wrapLines(text, screenOf(channel)?.columns ?? 0));
}

/** Runs one command and returns its exit code. Every error becomes a sentence and an exit code here, and nowhere else. */
export async function runCommand(argv: readonly string[], out: Terminal): Promise<number> {
  let code: number = exits.done;
  const program = new Command("recheck")
    .description("Renovate for citations: watches every source a report cites.")
    .version(version)
    .configureOutput({ writeOut: (text) => help("out", text), writeErr: (text) => help("err", text) })
    .exitOverride()
    .hook("preAction", async () => {
      // `progress` is true by default; if it was not given, quiet and verbose decide.
      const { color, quiet, verbose, progress } = program.opts();
      colourWhen(color);
      Object.assign(out, processTerminal({ quiet, verbose, ...(!progress && { progress }) }));
      if (!verbose) return;
      const { reportRequests } = await import("./requests.ts");
      reportRequests(out.note);
    });
  addCommands(program, out, (ended) => {
    code = ended;
  });
  for (const command of [program, ...program.commands]) {
    const see = command === program ? commandToType("--help") : commandToType(command.name(), "--help");
    command.configureOutput({
      outputError: (text, write) => write(`${text.trim().replace(/\.$/, "").replaceAll("\n", " ")}; see ${see}\n`),
    });
  }
  try {
    if (argv.length <= 2) {
      help("out", shortHelp(program));
      return code;
    }
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    for (let cause = causeOf(error); cause !== undefined; cause = causeOf(cause))
      out.detail?.(`cause: ${cause instanceof Error ? cause.message : String(cause)}`);
    return explainError(error, out);
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

export function explainError(error: unknown, out: Terminal): number {
  const end = (says: string, code: number) => {
    out.note(says);
    return code;
  };
  // The first error counts, if resources then failed to close as well.
  if (error instanceof Error && "suppressed" in error) return explainError(error.suppressed, out);
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.wrong;
  if (error instanceof ConfigProblems) {
    printProblems(error, { ...out, line: (text = "") => out.note(text) });
    return exits.wrong;
  }
  if (error instanceof NoConfig) {
    const next = `use --config DIR, or create one with ${commandToType("init", "README.md")}`;
    return end(`${error.message}; ${next}`, exits.wrong);
  }
  // A named target that has other content is a mistake of the command line.
  const isTaken = error instanceof StoreProblem && error.kind === "exists";
  if (error instanceof UnreadableConfig || error instanceof WrongSetting || error instanceof WrongUsage || isTaken)
    return end(error.message, exits.wrong);
  if (error instanceof Unreachable) return end(error.message, exits.outage);
  if (error instanceof StoreProblem || error instanceof StateProblem) return end(sayStoreProblem(error), exits.store);
  if (error instanceof GitHubProblem) return end(error.message, exits.github);
  return end(`internal error: ${stackOf(error)}`, exits.defect);
}
