import { Argument, Command, Option } from "commander";
import { day } from "../../model/time.ts";
import type { Settings } from "../../wire/settings.ts";
import { table, usualColumns } from "./columns.ts";
import { colourTimes, screenOf } from "./print.ts";
import { commandToType, type Terminal } from "./terminal.ts";

/** A command: its words for people, and its work. Modules are loaded there, so that help and errors of usage come at once. */
interface Described {
  readonly says: string;
  readonly takes?: Argument;
  readonly options?: readonly Option[];
  /** Returns the exit code. Commander has checked the argument and the options. */
  run(given: Given): Promise<number>;
}

interface Given {
  readonly argument: never;
  readonly options: never;
  readonly out: Terminal;
}

/** Adds every command, with its options. `ended` takes the exit code of the one that is called. */
export function addCommands(program: Command, out: Terminal, ended: (code: number) => void): void {
  program
    .option("-q, --quiet", "print only findings and problems: no counts, hints or progress")
    .option("-v, --verbose", "also print requests, causes, and what was compared")
    .addOption(new Option("--color <when>", "when to use colors").choices(colourTimes).default("auto"))
    .option("--no-progress", "print no progress line")
    .configureHelp({ showGlobalOptions: true });
  for (const [heading, commands] of Object.entries(groups)) {
    for (const [name, { says, takes, options = [], run }] of Object.entries(commands)) {
      const command = program.command(name).description(says).helpGroup(heading);
      if (takes) command.addArgument(takes);
      for (const option of options) command.addOption(option);
      command.action(async (...words) => {
        const [argument, given] = (takes ? words : [undefined, ...words]) as [never, never];
        ended(await run({ argument, options: given, out }));
      });
    }
  }
  const help = new Command("help").argument("[command]").description("Print the help of a command");
  program.addHelpCommand(help.helpGroup("Other:"));
  addExamples(program);
}

/** Short help: the first commands to use, without options. */
export function shortHelp(program: Command): string {
  const help = program.createHelp();
  help.visibleCommands = () => program.commands.filter((command) => command.helpGroup() === "Start here:");
  help.visibleOptions = () => [];
  return `${help.formatHelp(program, help)}\n${commandToType("--help")} lists all commands\n`;
}

const folder = new Option(
  "--config <dir>",
  "folder of sources.yaml and triggers/ (default: this one, .github/recheck or one above)",
);
const repo = new Option("--repo <owner/name>", "the report's repository (default: RECHECK_REPO)");
const repoOrRemote = new Option(
  "--repo <owner/name>",
  "the report's repository (default: RECHECK_REPO or the git remote)",
);
const minutes = new Option("--minutes <number>", "time limit in minutes (default: 1)");
const json = new Option("--json", "print one JSON document");
const summary = new Option("--summary <file>", "append the result to this file as Markdown, for $GITHUB_STEP_SUMMARY");
const stateBranch = (says: string) => new Option("--state-branch <name>", `${says}, e.g. recheck-state`);
const dryRun = (says: string) => new Option("--dry-run", says);

async function settings(
  options: { readonly config?: string; readonly repo?: string },
  out: Pick<Terminal, "note">,
): Promise<Settings> {
  const { settingsFrom } = await import("../environment.ts");
  const { configFolder, storePlace } = await import("./folders.ts");
  const config = options.config ?? (await configFolder());
  const { folder, newer } = storePlace(config);
  const all = settingsFrom(process.env, { ...options, config, data: folder });
  if (newer && all.data === folder) {
    const used = day(newer.used);
    out.note(
      `Using the store in ${folder}. The one in ${newer.folder} was used later (${used}): set RECHECK_DATA=${newer.folder} to use it.`,
    );
  }
  return all;
}

/** The settings with the repository of the git remote, if none is given and the store is not that of another one. */
async function withRemote(base: Settings, out: Pick<Terminal, "note">): Promise<Settings> {
  if (base.repo !== undefined) return base;
  const { originOf } = await import("../../adapters/files/checkout.ts");
  const { pageOfGitHub } = await import("../../wire/addresses.ts");
  const repo = await originOf(base.config, pageOfGitHub(base.githubApi).host);
  const { repositoriesIn } = await import("../../wire/stores.ts");
  if (repo === undefined || (await repositoriesIn(base)).some((name) => name !== repo)) return base;
  out.note(`Using the repository ${repo}, from the git remote; --repo names another one.`);
  return { ...base, repo };
}

/** The commands below the headings of the help, in the order in which they are needed. */
const groups: Readonly<Record<string, Readonly<Record<string, Described>>>> = {
  "Start here:": {
    audit: {
      says: "Check every citation in a report once: dead links, retractions, wrong figures, works that do not exist",
      takes: new Argument(
        "<reports...>",
        "files, folders, patterns such as docs/*.md, owner/name, URLs; - is standard input",
      ),
      options: [
        new Option(
          "--exclude <pattern...>",
          "do not check addresses that begin with this or match it; also from .recheckignore",
        ),
        new Option("--suggest", "look for archived copies of dead links"),
        new Option("--format <format>", "what is printed")
          .choices(["text", "json", "markdown", "junit"])
          .default("text")
          .conflicts("json"),
        new Option("--html <file>", "also write the result as one HTML page"),
        new Option("--patch <file>", "write the corrections of entries to this file, for git apply"),
        summary,
        new Option("--fail-on <kinds>", "exit 2 if there is a finding of one of these kinds, e.g. gone,other-work"),
        minutes,
        json,
      ],
      run: async ({ argument, options, out }) =>
        (await import("./audit/index.ts")).auditCommand(argument, await settings(options, out), options, out),
    },
    init: {
      says: "Create sources.yaml, triggers/ and a GitHub workflow from a report",
      takes: new Argument("<report>", "file, folder, owner/name or URL; .bib, .ris and CSL-JSON too"),
      options: [
        dryRun("show the draft and write no files"),
        new Option("--table <name...>", "draft the ratings of these tables, and of no others"),
        minutes,
        repoOrRemote,
        folder,
        json,
      ],
      run: async ({ argument, options, out }) => {
        const here = await settings({ config: ".", ...(options as object) }, out);
        return (await import("./init/index.ts")).initCommand(argument, here, options, out);
      },
    },
    scan: {
      says: "Check the sources that are due, and open or update issues",
      options: [
        new Option("--all", "check all sources, due or not"),
        new Option("--source <id...>", "check only these sources"),
        new Option("--trigger <id...>", "check only the sources of these triggers"),
        repoOrRemote,
        dryRun("write nothing: no issue, no record, no message"),
        stateBranch("keep the store on this branch of the repository"),
        summary,
        folder,
        json,
      ],
      run: async ({ options, out }) =>
        (await import("./scan.ts")).scanCommand(await withRemote(await settings(options, out), out), options, out),
    },
    status: {
      says: "Show the status of all ratings (offline)",
      options: [
        new Option("--rating <id>", "only this rating"),
        new Option("--all", "list every source with its latest result, not only the newest ones"),
        new Option("--fail-on <levels>", "exit 2 if a rating is in one of these states, e.g. outdated,not-checkable"),
        repo,
        new Option("--served", "list the repositories of the server, and problems of each"),
        folder,
        json,
      ],
      run: async ({ options, out }) => {
        const { servedCommand, statusCommand } = await import("./status.ts");
        const { served }: { readonly served?: true } = options;
        return await (served ? servedCommand : statusCommand)(await settings(options, out), options, out);
      },
    },
  },
  "Understand:": {
    explain: {
      says: "Explain why something did or did not raise an alert (offline)",
      takes: new Argument("<name>", "a rating, a source, a trigger, or an issue such as #12"),
      options: [repo, folder, json],
      run: async ({ argument, options, out }) =>
        (await import("./explain/index.ts")).explainCommand(argument, await settings(options, out), options, out),
    },
    claims: {
      says: "Compare the report's statements with the sources it cites, and propose claims",
      takes: new Argument("[report]", "file, folder, owner/name or URL (default: report.text of the config)"),
      options: [new Option("--write", "write the missing claims into sources.yaml"), minutes, folder, json],
      run: async ({ argument, options, out }) =>
        (await import("./claims.ts")).claimsCommand(argument, await settings(options, out), options, out),
    },
    check: {
      says: "Compare the changed sentences of a report with the pages they cite",
      takes: new Argument("[report]", "file or folder of a checkout (default: report.text of the config)"),
      options: [
        new Option("--since <commit>", "commit to compare with").default("HEAD"),
        new Option(
          "--annotate",
          "print findings as GitHub workflow commands, so that GitHub shows them beside their lines",
        ),
        summary,
        minutes,
        folder,
        json,
      ],
      run: async ({ argument, options, out }) =>
        (await import("./check.ts")).checkCommand(argument, await settings(options, out), options, out),
    },
    backtest: {
      says: "Replay stored responses: which issues would have been opened since a date (offline)",
      options: [
        new Option("--since <date>", "first day, e.g. 2026-07-08").makeOptionMandatory(),
        new Option(
          "--trigger <file>",
          "also use this trigger file, or use it instead of the one of that name, and show the difference",
        ),
        new Option("--corpus <dir>", "replay this folder of dated documents instead of the store"),
        new Option("--git <dir>", "replay the history of this checkout (text sources only) instead of the store"),
        repo,
        folder,
        json,
      ],
      run: async ({ options, out }) =>
        (await import("./backtest/index.ts")).backtestCommand(await settings(options, out), options, out),
    },
  },
  "Write config:": {
    add: {
      says: "Add a source to sources.yaml: finds its kind, and shows what it reads",
      takes: new Argument("<url>", "URL, or a file of references: .bib, .ris, CSL-JSON"),
      options: [
        new Option("--id <id>", "id of the new source"),
        new Option("--kind <kind>", "kind of the source, if the guess is wrong"),
        new Option("--cites <n...>", "numbers of the references that cite this URL"),
        new Option(
          "--stands-for <n...>",
          "numbers of fixed pages (posts, PDFs) that this source is watched instead of",
        ),
        dryRun("show the entry and write no files"),
        minutes,
        repo,
        folder,
        json,
      ],
      run: async ({ argument, options, out }) =>
        (await import("./add/index.ts")).addCommand(argument, await settings(options, out), options, out),
    },
    validate: {
      says: "Check sources.yaml and triggers/ for mistakes (offline)",
      takes: new Argument("[dir]", "folder of sources.yaml and triggers/ (default: that of --config)"),
      options: [folder, json],
      run: async ({ argument, options, out }) => {
        const { config }: { readonly config?: string } = options;
        const { configFolder } = await import("./folders.ts");
        const { validateCommand } = await import("./validate.ts");
        return await validateCommand(argument ?? config ?? (await configFolder()), options, out);
      },
    },
  },
  "Publish:": {
    publish: {
      says: "Write web pages, feeds and badges for readers (offline)",
      options: [
        new Option("--out <dir>", "output folder; other files in it are kept").makeOptionMandatory(),
        repo,
        folder,
        json,
      ],
      run: async ({ options, out }) =>
        (await import("./publish.ts")).publishCommand(await settings(options, out), options, out),
    },
    notify: {
      says: "Send a test message to each channel of notify",
      options: [new Option("--test", "send it"), folder, json],
      run: async ({ options, out }) =>
        (await import("./publish.ts")).notifyCommand(await settings(options, out), options, out),
    },
  },
  "Server:": {
    register: {
      says: "Register the GitHub App of your server, and write its key to recheck.env",
      takes: new Argument("<url>", "public URL of the server"),
      options: [new Option("--organization <name>", "owner of the App (default: your account)")],
      run: async ({ argument, options, out }) =>
        (await import("./register.ts")).registerCommand(argument, options, await settings({}, out), out),
    },
    start: {
      says: "Run the server: scheduled scans, webhooks, status pages",
      run: async () => (await import("./start.ts")).startCommand(),
    },
    worker: {
      says: "Run a worker process (needs DATABASE_URL)",
      run: async () => (await import("./start.ts")).workerCommand(),
    },
  },
  "Store:": {
    backup: {
      says: "Copy the store to a file; a server or scan may be running",
      takes: new Argument("<file>", "output file; must not exist"),
      options: [folder, json],
      run: async ({ argument, options, out }) =>
        (await import("./store.ts")).backupCommand(argument, await settings(options, out), options, out),
    },
    restore: {
      says: "Replace the store by a backup; the old store is kept beside it",
      takes: new Argument("[file]", "file written by the command backup"),
      options: [stateBranch("restore from this branch of the repository instead"), repoOrRemote, folder, json],
      run: async ({ argument, options, out }) => {
        const all = await withRemote(await settings(options, out), out);
        return (await import("./store.ts")).restoreCommand(argument, all, options, out);
      },
    },
    move: {
      says: "Copy all data to an empty database or folder",
      options: [
        new Option(
          "--to <place>",
          "postgres://user@host/name (password in PGPASSWORD), or a folder",
        ).makeOptionMandatory(),
        folder,
        json,
      ],
      run: async ({ options, out }) =>
        (await import("./store.ts")).moveCommand(options, await settings(options, out), out),
    },
    erase: {
      says: "Erase a repository's data, or a person's name, from the store at once",
      options: [
        new Option("--repo <owner/name>", "all data of this repository"),
        new Option("--person <login>", "the name and the reasons of this person in all answers"),
        new Option("--yes", "really erase"),
        json,
      ],
      run: async ({ options, out }) => (await import("./store.ts")).eraseCommand(await settings({}, out), options, out),
    },
    doctor: {
      says: "Examine the store, the clock, permissions and the config (offline)",
      options: [
        new Option("--mend", "repair what can safely be repaired (stop other Recheck processes first)"),
        folder,
        json,
      ],
      run: async ({ options, out }) =>
        (await import("./store.ts")).doctorCommand(await settings(options, out), options, out),
    },
  },
};

export const examples: Readonly<Record<string, readonly (readonly [typed: string, does: string])[]>> = {
  audit: [
    ["recheck audit report.md", "check every citation in this file"],
    ["recheck audit owner/name --html audit.html", "check a repository's report, and write a page to share"],
    ["recheck audit refs.bib --fail-on gone", "exit 2 if a reference is gone"],
    ["recheck audit 'docs/**/*.md' --exclude https://wiki.example.org/", "check many files, but not this site"],
    ["recheck audit - --format junit < report.md", "check standard input, and print a JUnit report"],
  ],
  init: [
    ["recheck init report.md --dry-run", "show what would be written"],
    ["recheck init https://example.org/report --config watch", "write it into the folder watch"],
  ],
  scan: [
    ["recheck scan --dry-run", "check what is due, and write nothing"],
    ["recheck scan --source pytorch-blog", "check this source now, due or not"],
    ["GITHUB_TOKEN=… recheck scan --repo owner/name", "also open issues"],
  ],
  status: [
    ["recheck status --rating tpu/maturity", "this rating only"],
    ["recheck status --fail-on outdated,not-checkable", "exit 2 if a rating is in one of these states"],
  ],
  explain: [
    ["recheck explain tpu/maturity", "why this rating is up to date, or not"],
    ["recheck explain pytorch-blog", "why this source did or did not raise an alert"],
    ["recheck explain '#12'", "every event of this issue"],
  ],
  backtest: [
    ["recheck backtest --since 2026-07-08", "issues that would have been opened since that day"],
    ["recheck backtest --since 2026-07-08 --trigger new.yaml", "the difference that this trigger makes"],
  ],
  notify: [["recheck notify --test", "see whether the chat, the mailbox and the webhook are set up"]],
  publish: [["recheck publish --out public", "write the pages, the feed and status.json"]],
  add: [
    ["recheck add https://pytorch.org/feed/ --cites 4", "watch the address of reference 4"],
    ["recheck add refs.bib --dry-run", "show which of these references can be watched"],
  ],
  check: [["recheck check report.md --since main", "check the sentences that this branch changes"]],
  claims: [["recheck claims report.md --write", "write the confirmed claims into sources.yaml"]],
  backup: [["recheck backup recheck-2026-11-22.sqlite", "copy the store, also while a server runs"]],
  worker: [["DATABASE_URL=postgres://… recheck worker", "run one more worker of this database"]],
  erase: [
    ["recheck erase --person octocat --yes", "erase a person's name and reasons"],
    ["recheck erase --repo owner/name --yes", "erase all data of a repository"],
  ],
  move: [["recheck move --to postgres://recheck@db.internal/recheck", "copy the store to a database"]],
  restore: [["recheck restore recheck-2026-11-22.sqlite", "put that copy in place of the store"]],
  doctor: [["recheck doctor --mend", "examine everything, and repair what can safely be repaired"]],
  validate: [
    ["recheck validate", "check the config in this folder"],
    ["recheck validate watch --json", "check the config in watch, and print JSON"],
  ],
  register: [["recheck register https://recheck.example.org", "register the App of the server at this address"]],
};

function addExamples(program: Command): void {
  for (const command of program.commands) {
    const own = examples[command.name()] ?? [];
    if (own.length > 0)
      command.addHelpText("after", () =>
        ["", "Examples:", ...table(own, "  ", screenOf("out")?.columns ?? usualColumns)].join("\n"),
      );
  }
}
