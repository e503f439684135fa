import { Argument, Command, Option } from "commander";
import { day } from "../../model/time.ts";
import type { Settings } from "../../wire/settings.ts";
import { completionScript, type IdsOf, idsIn, idsOf, type Shell, shells } from "./completion.ts";
import type { EraseOptions } from "./erase.ts";
import { addExamples } from "./examples.ts";
import { colourTimes } from "./print.ts";
import { called, type Terminal } from "./terminal.ts";

/** Takes the exit code of a command. */
type Ended = (code: number) => void;

/** The headings of the help, in the order in which they are needed, with the commands below each. */
const groups: Readonly<Record<string, readonly ((program: Command, out: Terminal, ended: Ended) => Command)[]>> = {
  "Start here:": [addAudit, addInit, addScan, addStatus],
  "Understand:": [addExplain, addClaims, addCheck, addBacktest],
  "Write config:": [addAdd, addValidate],
  "Publish:": [addPublish, addNotify],
  "Server:": [addRegister, addStart, addWorker],
  "Store:": [addBackup, addRestore, addMove, addErase, addDoctor],
  "Other:": [addCompletion],
};

/**
 * Adds every command, with its options. Each loads its modules once it is called, so that help and errors of usage are
 * printed at once.
 */
export function addCommands(program: Command, out: Terminal, ended: Ended): void {
  program
    .option("-q, --quiet", "print only findings and problems: no counts, hints or progress")
    .option("-v, --verbose", "also print requests, causes, and what was compared")
    .addOption(new Option("--color <when>", "when to use colors").choices(colourTimes).default("auto"))
    .option("--no-progress", "print no progress line")
    .configureHelp({ showGlobalOptions: true });
  for (const [heading, adders] of Object.entries(groups))
    for (const add of adders) add(program, out, ended).helpGroup(heading);
  const help = new Command("help").argument("[command]").description("Print the help of a command");
  program.addHelpCommand(help.helpGroup("Other:"));
  addExamples(program);
}

/** Short help: only the commands to begin with, and no options. */
export function shortHelp(program: Command): string {
  const help = program.createHelp();
  help.visibleCommands = () => program.commands.filter((command) => command.helpGroup() === "Start here:");
  help.visibleOptions = () => [];
  return `${help.formatHelp(program, help)}\n${called("--help")} lists all commands\n`;
}

const folder = new Option(
  "--config <dir>",
  "folder of sources.yaml and triggers/ (default: this one, .github/recheck or one above)",
);
const repo = new Option(
  "--repo <owner/name>",
  "the report's repository (default: RECHECK_REPO; for scan and restore, also the git remote)",
);
const minutes = new Option("--minutes <number>", "time limit in minutes (default: 1)");
const json = new Option("--json", "print one JSON document");

async function settings(
  given: { readonly config?: string; readonly repo?: string },
  out: Pick<Terminal, "note">,
): Promise<Settings> {
  const { settingsFrom } = await import("../environment.ts");
  const { storePlace } = await import("./store-folder.ts");
  const config = given.config ?? (await foundConfig());
  const { folder, newer } = storePlace(config);
  const all = settingsFrom(process.env, { ...given, config, data: folder });
  if (newer && all.data === folder) {
    const used = day(newer.used);
    out.note(
      `Using the store in ${folder}. The one in ${newer.folder} was used later (${used}): set RECHECK_DATA=${newer.folder} to use it.`,
    );
  }
  return all;
}

async function foundConfig(): Promise<string> {
  return await (await import("./config-folder.ts")).configFolder();
}

/** The settings with the repository of the git remote, if none is given and the store is not that of another one. */
async function withRemote(all: Settings, out: Pick<Terminal, "note">): Promise<Settings> {
  if (all.repo !== undefined) return all;
  const { originOf } = await import("../../adapters/files/checkout.ts");
  const { pageOfGitHub } = await import("../../wire/addresses.ts");
  const repo = await originOf(all.config, pageOfGitHub(all.githubApi).host);
  const { repositoriesIn } = await import("../../wire/stores.ts");
  if (repo === undefined || (await repositoriesIn(all)).some((name) => name !== repo)) return all;
  out.note(`Using the repository ${repo}, from the git remote; --repo names another one.`);
  return { ...all, repo };
}

function addAudit(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("audit")
    .description(
      "Check every citation in a report once: dead links, retractions, wrong figures, works that do not exist",
    )
    .argument("<reports...>", "files, folders, patterns such as docs/*.md, owner/name, URLs; - is standard input")
    .option(
      "--exclude <pattern...>",
      "do not check addresses that begin with this or match it; also from .recheckignore",
    )
    .option("--suggest", "look for archived copies of dead links")
    .addOption(
      new Option("--format <format>", "what is printed")
        .choices(["text", "json", "markdown", "junit"])
        .default("text")
        .conflicts("json"),
    )
    .option("--html <file>", "also write the result as one HTML page")
    .option("--patch <file>", "write the corrections of entries to this file, for git apply")
    .option("--summary <file>", "append the result to this file as Markdown, for $GITHUB_STEP_SUMMARY")
    .option("--fail-on <kinds>", "exit 2 if there is a finding of one of these kinds, e.g. gone,other-work")
    .addOption(minutes)
    .addOption(json)
    .action(async (reports: string[], options) => {
      const { auditCommand } = await import("./audit/index.ts");
      ended(await auditCommand(reports, await settings(options, out), options, out));
    });
}

function addInit(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("init")
    .description("Create sources.yaml, triggers/ and a GitHub workflow from a report")
    .argument("<report>", "file, folder, owner/name or URL; .bib, .ris and CSL-JSON too")
    .option("--dry-run", "show the draft and write no files")
    .option("--table <name...>", "draft the ratings of these tables, and of no others")
    .addOption(minutes)
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (report: string, options) => {
      const { initCommand } = await import("./init/index.ts");
      ended(
        await initCommand(report, await settings({ ...options, config: options.config ?? "." }, out), options, out),
      );
    });
}

function addScan(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("scan")
    .description("Check the sources that are due, and open or update issues")
    .option("--all", "check all sources, due or not")
    .option("--source <id...>", "check only these sources")
    .option("--trigger <id...>", "check only the sources of these triggers")
    .addOption(repo)
    .option("--dry-run", "write nothing: no issue, no record, no message")
    .option("--state-branch <name>", "keep the store on this branch of the repository, e.g. recheck-state")
    .option("--summary <file>", "append the result to this file as Markdown, for $GITHUB_STEP_SUMMARY")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { scanCommand } = await import("./scan.ts");
      ended(await scanCommand(await withRemote(await settings(options, out), out), options, out));
    });
}

function addStatus(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("status")
    .description("Show the status of all ratings (offline)")
    .option("--rating <id>", "only this rating")
    .option("--all", "list every source with its latest result, not only the newest ones")
    .option("--fail-on <levels>", "exit 2 if a rating is in one of these states, e.g. outdated,not-checkable")
    .addOption(repo)
    .option("--served", "list the repositories of the server, and problems of each")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { servedCommand, statusCommand } = await import("./status.ts");
      ended(await (options.served ? servedCommand : statusCommand)(await settings(options, out), options, out));
    });
}

function addExplain(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("explain")
    .description("Explain why something did or did not raise an alert (offline)")
    .argument("<name>", "a rating, a source, a trigger, or an issue such as #12")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (name: string, options) => {
      const { explainCommand } = await import("./explain/index.ts");
      ended(await explainCommand(name, await settings(options, out), options, out));
    });
}

function addBacktest(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("backtest")
    .description("Replay stored responses: which issues would have been opened since a date (offline)")
    .requiredOption("--since <date>", "first day, e.g. 2026-07-08")
    .option(
      "--trigger <file>",
      "also use this trigger file, or use it instead of the one of that name, and show the difference",
    )
    .option("--corpus <dir>", "replay this folder of dated documents instead of the store")
    .option("--git <dir>", "replay the history of this checkout (text sources only) instead of the store")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { backtestCommand } = await import("./backtest/index.ts");
      ended(await backtestCommand(await settings(options, out), options, out));
    });
}

function addPublish(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("publish")
    .description("Write web pages, feeds and badges for readers (offline)")
    .requiredOption("--out <dir>", "output folder; other files in it are kept")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { publishCommand } = await import("./publish.ts");
      ended(await publishCommand(await settings(options, out), options, out));
    });
}

function addNotify(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("notify")
    .description("Send a test message to each channel of notify")
    .option("--test", "send it")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { notifyCommand } = await import("./notify.ts");
      ended(await notifyCommand(await settings(options, out), options, out));
    });
}

function addAdd(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("add")
    .description("Add a source to sources.yaml: finds its kind, and shows what it reads")
    .argument("<url>", "URL, or a file of references: .bib, .ris, CSL-JSON")
    .option("--id <id>", "id of the new source")
    .option("--kind <kind>", "kind of the source, if the guess is wrong")
    .option("--cites <n...>", "numbers of the references that cite this URL")
    .option("--stands-for <n...>", "numbers of fixed pages (posts, PDFs) that this source is watched instead of")
    .option("--dry-run", "show the entry and write no files")
    .addOption(minutes)
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (url: string, options) => {
      const { addCommand } = await import("./add/index.ts");
      ended(await addCommand(url, await settings(options, out), options, out));
    });
}

function addCheck(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("check")
    .description("Compare the changed sentences of a report with the pages they cite")
    .argument("[report]", "file or folder of a checkout (default: report.text of the config)")
    .option("--since <commit>", "commit to compare with", "HEAD")
    .option("--annotate", "print findings as GitHub workflow commands, so that GitHub shows them beside their lines")
    .option("--summary <file>", "append the result to this file as Markdown, for $GITHUB_STEP_SUMMARY")
    .addOption(minutes)
    .addOption(folder)
    .addOption(json)
    .action(async (report: string | undefined, options) => {
      const { checkCommand } = await import("./check.ts");
      ended(await checkCommand(report, await settings(options, out), options, out));
    });
}

function addClaims(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("claims")
    .description("Compare the report's statements with the sources it cites, and propose claims")
    .argument("[report]", "file, folder, owner/name or URL (default: report.text of the config)")
    .option("--write", "write the missing claims into sources.yaml")
    .addOption(minutes)
    .addOption(folder)
    .addOption(json)
    .action(async (report: string | undefined, options) => {
      const { claimsCommand } = await import("./claims.ts");
      ended(await claimsCommand(report, await settings(options, out), options, out));
    });
}

function addValidate(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("validate")
    .description("Check sources.yaml and triggers/ for mistakes (offline)")
    .argument("[dir]", "folder of sources.yaml and triggers/ (default: that of --config)")
    .addOption(folder)
    .addOption(json)
    .action(async (dir: string | undefined, options) => {
      const { validateCommand } = await import("./validate.ts");
      ended(await validateCommand(dir ?? options.config ?? (await foundConfig()), options, out));
    });
}

function addRegister(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("register")
    .description("Register the GitHub App of your server, and write its key to recheck.env")
    .argument("<url>", "public URL of the server")
    .option("--organization <name>", "owner of the App (default: your account)")
    .action(async (url: string, options) => {
      const { registerCommand } = await import("./register.ts");
      ended(await registerCommand(url, options, await settings({}, out), out));
    });
}

function addStart(program: Command, _: Terminal, ended: Ended): Command {
  return program
    .command("start")
    .description("Run the server: scheduled scans, webhooks, status pages")
    .action(async () => {
      const { startCommand } = await import("./start.ts");
      ended(await startCommand());
    });
}

function addWorker(program: Command, _: Terminal, ended: Ended): Command {
  return program
    .command("worker")
    .description("Run a worker process (needs DATABASE_URL)")
    .action(async () => {
      const { workerCommand } = await import("./start.ts");
      ended(await workerCommand());
    });
}

function addBackup(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("backup")
    .description("Copy the store to a file; a server or scan may be running")
    .argument("<file>", "output file; must not exist")
    .addOption(folder)
    .addOption(json)
    .action(async (file: string, options) => {
      const { backupCommand } = await import("./backup.ts");
      ended(await backupCommand(file, await settings(options, out), options, out));
    });
}

function addRestore(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("restore")
    .description("Replace the store by a backup; the old store is kept beside it")
    .argument("[file]", "file written by the command backup")
    .option("--state-branch <name>", "restore from this branch of the repository instead, e.g. recheck-state")
    .addOption(repo)
    .addOption(folder)
    .addOption(json)
    .action(async (file: string | undefined, options) => {
      const { restoreCommand } = await import("./backup.ts");
      ended(await restoreCommand(file, await withRemote(await settings(options, out), out), options, out));
    });
}

function addMove(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("move")
    .description("Copy all data to an empty database or folder")
    .requiredOption("--to <place>", "postgres://user@host/name (password in PGPASSWORD), or a folder")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { moveCommand } = await import("./move.ts");
      ended(await moveCommand(options, await settings(options, out), out));
    });
}

function addErase(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("erase")
    .description("Erase a repository's data, or a person's name, from the store at once")
    .option("--repo <owner/name>", "all data of this repository")
    .option("--person <login>", "the name and the reasons of this person in all answers")
    .option("--yes", "really erase")
    .addOption(json)
    .action(async (options: EraseOptions) => {
      const { eraseCommand } = await import("./erase.ts");
      ended(await eraseCommand(await settings({}, out), options, out));
    });
}

function addDoctor(program: Command, out: Terminal, ended: Ended): Command {
  return program
    .command("doctor")
    .description("Examine the store, the clock, permissions and the config (offline)")
    .option("--mend", "repair what can safely be repaired (stop other Recheck processes first)")
    .addOption(folder)
    .addOption(json)
    .action(async (options) => {
      const { doctorCommand } = await import("./doctor.ts");
      ended(await doctorCommand(await settings(options, out), options, out));
    });
}

function addCompletion(program: Command, out: Terminal): Command {
  return program
    .command("completion")
    .description("Print the completion script of a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addOption(new Option("--ids <of>", "print ids of the config; used by the script").choices(idsOf))
    .action(async (shell: Shell, { ids }: { ids?: IdsOf }) => {
      if (ids === undefined) return out.line(completionScript(program, shell).trimEnd());
      const { loadConfig } = await import("../../wire/config.ts");
      for (const id of idsIn(await loadConfig(await foundConfig()), ids)) out.line(id);
    });
}
