import { Command, CommanderError, Option } from "commander";
import { NoConfig } from "../../adapters/files/config.ts";
import { StoreProblem } from "../../adapters/store/problem.ts";
import { ConfigProblems } from "../../config/problems.ts";
import { version } from "../../model/digest.ts";
import { GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import type { Settings } from "../../wire.ts";
import { WrongSetting } from "../environment.ts";
import { exits, printProblems, processTerminal, type Terminal, WrongUsage } from "./terminal.ts";

const out = processTerminal();

process.exitCode = await run(process.argv, out);

/** Runs one command and says how it ended. Every error becomes a sentence and an exit code here, and nowhere else. */
async function run(argv: readonly string[], out: Terminal): Promise<number> {
  let code: number = exits.done;
  const program = new Command("recheck")
    .description("Renovate for citations: watches every source a report cites.")
    .version(version)
    .exitOverride()
    .showHelpAfterError();
  const folder = new Option("--config <dir>", "the folder of sources.yaml and triggers/").default(".");
  const json = new Option("--json", "one JSON document instead of lines");

  program
    .command("scan")
    .description("look at every source that is due, and open rechecks")
    .option("--all", "look at every source, due or not")
    .option("--source <id...>", "look at these sources only")
    .option("--trigger <id...>", "look at the sources of these triggers only")
    .option("--repo <owner/name>", "the report's repository; else RECHECK_REPO")
    .option("--dry-run", "look and record as usual, but write nothing to GitHub")
    .option("--state-branch <name>", "keep what is remembered on this branch of the repository: recheck-state")
    .option("--summary <file>", "add the scan to this file as Markdown: $GITHUB_STEP_SUMMARY")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { scanCommand } = await import("./scan.ts");
      code = await scanCommand(await settings(options), options, out);
    });
  program
    .command("status")
    .description("how every rating stands, from what is stored; makes no request")
    .option("--rating <id>", "this rating only")
    .option("--fail-on <levels>", "exit 2 when a rating is at one of these, e.g. in-doubt,blind")
    .option("--repo <owner/name>", "the report's repository; else RECHECK_REPO")
    .option("--served", "every repository that the server serves, and what keeps it from asking")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { statusCommand } = await import("./status.ts");
      const { servedCommand } = await import("./status.ts");
      code = await (options.served ? servedCommand : statusCommand)(await settings(options), options, out);
    });
  program
    .command("explain")
    .description("why a source, trigger or recheck spoke or kept silent, from what is stored; makes no request")
    .argument("<name>", "a source, a trigger, or a recheck as #12")
    .option("--repo <owner/name>", "the report's repository; else RECHECK_REPO")
    .addOption(folder)
    .addOption(json)
    .action(async (name: string, options) => {
      const { explainCommand } = await import("./explain.ts");
      code = await explainCommand(name, await settings(options), options, out);
    });
  program
    .command("backtest")
    .description("what would have been asked since a day, replayed from stored answers; makes no request")
    .requiredOption("--since <date>", "from this day on: 2026-07-08")
    .option("--trigger <file>", "with this trigger file too, or in place of its namesake: what comes, what goes")
    .option("--corpus <dir>", "a folder of dated documents, instead of what is stored")
    .option("--git <dir>", "the history of a checkout, for its text sources, instead of what is stored")
    .option("--repo <owner/name>", "the report's repository; else RECHECK_REPO")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { backtestCommand } = await import("./backtest.ts");
      code = await backtestCommand(await settings(options), options, out);
    });
  program
    .command("publish")
    .description("write files for readers, from what is stored; makes no request")
    .requiredOption("--out <dir>", "the folder to write into; what others put there stays")
    .option("--repo <owner/name>", "the report's repository; else RECHECK_REPO")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { publishCommand } = await import("./publish.ts");
      code = await publishCommand(await settings(options), options, out);
    });
  program
    .command("add")
    .description("watch one more address: guesses how, shows what it gives, writes it into sources.yaml")
    .argument("<url>", "the address")
    .option("--id <id>", "what the source is to be called")
    .option("--kind <kind>", "the kind, where the guess is wrong")
    .option("--cites <n...>", "references of the report that name this address")
    .option("--stands-for <n...>", "references to frozen pages that it is watched in place of")
    .option("--dry-run", "look and show, but write nothing")
    .option("--repo <owner/name>", "the report's repository; else RECHECK_REPO")
    .addOption(folder)
    .addOption(json)
    .action(async (url: string, options) => {
      const { addCommand } = await import("./add/index.ts");
      code = await addCommand(url, await settings(options), options, out);
    });
  program
    .command("validate")
    .description("read sources.yaml and triggers/, and say what is wrong with them; fetches nothing")
    .argument("[dir]", "the folder of sources.yaml and triggers/", ".")
    .addOption(json)
    .action(async (dir: string, options) => {
      const { validateCommand } = await import("./validate.ts");
      code = await validateCommand(dir, options, out);
    });

  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    return explain(error, out);
  }
}

/** Each command loads what it needs once it is called: help, and a word that is none, answer at once. */
async function settings(given: { readonly config?: string; readonly repo?: string }): Promise<Settings> {
  const { settingsFrom } = await import("../environment.ts");
  return settingsFrom(process.env, given);
}

function explain(error: unknown, out: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.wrong;
  if (error instanceof ConfigProblems) {
    printProblems(error, { line: (text = "") => out.note(text) });
    return exits.wrong;
  }
  if (error instanceof WrongSetting || error instanceof WrongUsage || error instanceof NoConfig) {
    out.note(error.message);
    return exits.wrong;
  }
  if (error instanceof StoreProblem || error instanceof StateProblem) {
    out.note(error.message);
    return exits.store;
  }
  if (error instanceof GitHubProblem) {
    out.note(error.message);
    return exits.github;
  }
  out.note(`a defect of Recheck: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return exits.defect;
}
