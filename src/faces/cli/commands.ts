import { Argument, type Command, Option } from "commander";
import { day } from "../../model/time.ts";
import type { Settings } from "../../wire/settings.ts";
import { completionScript, type IdsOf, idsIn, idsOf, type Shell, shells } from "./completion.ts";
import { addExamples } from "./examples.ts";
import type { Terminal } from "./terminal.ts";

/** Is told the exit code of a command. */
type Ended = (code: number) => void;

/**
 * Adds every command, with its options. Each loads what it needs once it is called: help, and a wrong word, answer at
 * once.
 */
export function addCommands(program: Command, out: Terminal, ended: Ended): void {
  for (const add of [
    addAudit,
    addInit,
    addScan,
    addStatus,
    addExplain,
    addBacktest,
    addPublish,
    addAdd,
    addClaims,
    addCheck,
    addValidate,
    addRegister,
    addStart,
    addWorker,
    addBackup,
    addRestore,
    addMove,
    addDoctor,
    addCompletion,
  ]) {
    add(program, out, ended);
  }
  addExamples(program);
}

const folder = new Option("--config <dir>", "the folder of sources.yaml and triggers/").default(".");
const repo = new Option("--repo <owner/name>", "the report's repository; else RECHECK_REPO");
const minutes = new Option("--minutes <number>", "look for at most so long; 1 unless told");
const json = new Option("--json", "one JSON document instead of lines");

async function settings(
  given: { readonly config?: string; readonly repo?: string },
  out: Pick<Terminal, "note">,
): Promise<Settings> {
  const { settingsFrom } = await import("../environment.ts");
  const { storePlace } = await import("./store-folder.ts");
  const { folder, newer } = storePlace(given.config ?? ".");
  const all = settingsFrom(process.env, { ...given, data: folder });
  if (newer && all.data === folder) {
    const used = day(newer.used);
    out.note(
      `The store in ${folder} is used; that in ${newer.folder} was used last, ${used}: RECHECK_DATA=${newer.folder} takes it.`,
    );
  }
  return all;
}

function addAudit(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("audit")
    .description("look once at all that a report cites, and say what a careful reader would want to know")
    .argument("<report>", "a file, a folder, owner/name or the address of a page; a .bib, .ris or CSL-JSON too")
    .option("--html <file>", "write it as one page, too")
    .option("--summary <file>", "add it to this file as Markdown: $GITHUB_STEP_SUMMARY")
    .option("--fail-on <kinds>", "exit 2 where something is found of one of these, e.g. gone,unsupported")
    .addOption(minutes)
    .addOption(json)
    .action(async (report: string, options) => {
      const { auditCommand } = await import("./audit/index.ts");
      ended(await auditCommand(report, await settings(options, out), options, out));
    });
}

function addInit(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("init")
    .description(
      "draft sources.yaml, triggers/ and the workflow from a report, look at its sources once, and write them",
    )
    .argument("<report>", "a file, a folder, owner/name or the address of a page; a .bib, .ris or CSL-JSON too")
    .option("--dry-run", "draft, look and show, but write nothing")
    .addOption(minutes)
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (report: string, options) => {
      const { initCommand } = await import("./init/index.ts");
      ended(await initCommand(report, await settings(options, out), options, out));
    });
}

function addScan(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("scan")
    .description("look at every source that is due, and open rechecks")
    .option("--all", "look at every source, due or not")
    .option("--source <id...>", "look at these sources only")
    .option("--trigger <id...>", "look at the sources of these triggers only")
    .addOption(repo)
    .option("--dry-run", "look and record as usual, but write nothing to GitHub")
    .option("--state-branch <name>", "keep what is remembered on this branch of the repository: recheck-state")
    .option("--summary <file>", "add the scan to this file as Markdown: $GITHUB_STEP_SUMMARY")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { scanCommand } = await import("./scan.ts");
      ended(await scanCommand(await settings(options, out), options, out));
    });
}

function addStatus(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("status")
    .description("how every rating stands, from what is stored; makes no request")
    .option("--rating <id>", "this rating only")
    .option("--all", "every source with what it gave last, not the newest alone")
    .option("--fail-on <levels>", "exit 2 when a rating is at one of these, e.g. in-doubt,blind")
    .addOption(repo)
    .option("--served", "every repository that the server serves, and what keeps it from asking")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { servedCommand, statusCommand } = await import("./status.ts");
      ended(await (options.served ? servedCommand : statusCommand)(await settings(options, out), options, out));
    });
}

function addExplain(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("explain")
    .description(
      "why a rating stands as it does, why a source, trigger or recheck spoke or kept silent, from what is stored; makes no request",
    )
    .argument("<name>", "a rating, a source, a trigger, or a recheck as #12")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (name: string, options) => {
      const { explainCommand } = await import("./explain/index.ts");
      ended(await explainCommand(name, await settings(options, out), options, out));
    });
}

function addBacktest(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("backtest")
    .description("what would have been asked since a day, replayed from stored answers; makes no request")
    .requiredOption("--since <date>", "from this day on: 2026-07-08")
    .option("--trigger <file>", "with this trigger file too, or in place of its namesake: what comes, what goes")
    .option("--corpus <dir>", "a folder of dated documents, instead of what is stored")
    .option("--git <dir>", "the history of a checkout, for its text sources, instead of what is stored")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { backtestCommand } = await import("./backtest/index.ts");
      ended(await backtestCommand(await settings(options, out), options, out));
    });
}

function addPublish(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("publish")
    .description("write files for readers, from what is stored; makes no request")
    .requiredOption("--out <dir>", "the folder to write into; what others put there stays")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { publishCommand } = await import("./publish.ts");
      ended(await publishCommand(await settings(options, out), options, out));
    });
}

function addAdd(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("add")
    .description("watch one more address: guesses how, shows what it gives, writes it into sources.yaml")
    .argument("<url>", "the address; or a file of references: .bib, .ris, CSL-JSON")
    .option("--id <id>", "what the source is to be called")
    .option("--kind <kind>", "the kind, where the guess is wrong")
    .option("--cites <n...>", "references of the report that name this address")
    .option("--stands-for <n...>", "references to frozen pages that it is watched in place of")
    .option("--dry-run", "look and show, but write nothing")
    .addOption(minutes)
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (url: string, options) => {
      const { addCommand } = await import("./add/index.ts");
      ended(await addCommand(url, await settings(options, out), options, out));
    });
}

function addCheck(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("check")
    .description("check what a report says anew since a commit against the pages that it cites")
    .argument("[report]", "a file or folder of a checkout; `report.text` of the config unless told")
    .option("--since <commit>", "what it is compared with", "HEAD")
    .option("--annotate", "write findings as commands of a GitHub workflow, which shows them beside their lines")
    .option("--summary <file>", "add the outcome to this file as Markdown: $GITHUB_STEP_SUMMARY")
    .addOption(minutes)
    .addOption(folder)
    .addOption(json)
    .action(async (report: string | undefined, options) => {
      const { checkCommand } = await import("./check.ts");
      ended(await checkCommand(report, await settings(options, out), options, out));
    });
}

function addClaims(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("claims")
    .description(
      "find what a report's sentences say on the authority of the config's sources, and which of it those prove",
    )
    .argument(
      "[report]",
      "a file, a folder, owner/name or the address of a page; `report.text` of the config unless told",
    )
    .option("--write", "write the claims that config lacks into sources.yaml")
    .addOption(minutes)
    .addOption(folder)
    .addOption(json)
    .action(async (report: string | undefined, options) => {
      const { claimsCommand } = await import("./claims.ts");
      ended(await claimsCommand(report, await settings(options, out), options, out));
    });
}

function addValidate(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("validate")
    .description("read sources.yaml and triggers/, and say what is wrong with them; fetches nothing")
    .argument("[dir]", "the folder of sources.yaml and triggers/; that of --config unless told")
    .addOption(folder)
    .addOption(json)
    .action(async (dir: string | undefined, options) => {
      const { validateCommand } = await import("./validate.ts");
      ended(await validateCommand(dir ?? options.config, options, out));
    });
}

function addRegister(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("register")
    .description("register the GitHub App of a server of your own, and keep its key in recheck.env")
    .argument("<url>", "the server's address as GitHub reaches it")
    .option("--organization <name>", "whose App it is; else whoever presses the button")
    .action(async (url: string, options) => {
      const { registerCommand } = await import("./register.ts");
      ended(await registerCommand(url, options, await settings({}, out), out));
    });
}

function addStart(program: Command, _: Terminal, ended: Ended): void {
  program
    .command("start")
    .description("serve: scan on schedule, hear webhooks, show what readers get")
    .action(async () => {
      const { startCommand } = await import("./start.ts");
      ended(await startCommand());
    });
}

function addWorker(program: Command, _: Terminal, ended: Ended): void {
  program
    .command("worker")
    .description("one of many that look and write for a server, by the database of DATABASE_URL")
    .action(async () => {
      const { workerCommand } = await import("./start.ts");
      ended(await workerCommand());
    });
}

function addBackup(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("backup")
    .description("copy the store to one file, also while a server or a scan is running")
    .argument("<file>", "where it is written; a file that is there stays")
    .addOption(folder)
    .addOption(json)
    .action(async (file: string, options) => {
      const { backupCommand } = await import("./backup.ts");
      ended(await backupCommand(file, await settings(options, out), options, out));
    });
}

function addRestore(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("restore")
    .description("put a copy of the store in its place; the store that was there is kept beside it")
    .argument("<file>", "what backup wrote")
    .addOption(folder)
    .addOption(json)
    .action(async (file: string, options) => {
      const { restoreCommand } = await import("./backup.ts");
      ended(await restoreCommand(file, await settings(options, out), options, out));
    });
}

function addMove(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("move")
    .description("carry the store to a database, or back to a folder, where nothing is remembered yet")
    .requiredOption("--to <place>", "postgres://user@host/name (the password in PGPASSWORD), or a folder")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { moveCommand } = await import("./move.ts");
      ended(await moveCommand(options, await settings(options, out), out));
    });
}

function addDoctor(program: Command, out: Terminal, ended: Ended): void {
  program
    .command("doctor")
    .description("examine the store, the clock, permissions and the config; makes no request")
    .option("--mend", "set right what is safe to set right; needs the store for itself")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { doctorCommand } = await import("./doctor.ts");
      ended(await doctorCommand(await settings(options, out), options, out));
    });
}

function addCompletion(program: Command, out: Terminal): void {
  program
    .command("completion")
    .description("print what makes a shell complete commands and options")
    .addArgument(new Argument("<shell>", "whose script").choices(shells))
    .addOption(
      new Option("--ids <of>", "print the ids that config has instead: the script asks for them").choices(idsOf),
    )
    .action(async (shell: Shell, { ids }: { ids?: IdsOf }) => {
      if (ids === undefined) return out.line(completionScript(program, shell).trimEnd());
      const { loadConfig } = await import("../../wire/config.ts");
      for (const id of idsIn(await loadConfig("."), ids)) out.line(id);
    });
}
