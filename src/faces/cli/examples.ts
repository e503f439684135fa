import type { Command } from "commander";
import { table, usualColumns } from "./columns.ts";
import { screenOf } from "./print.ts";

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
  completion: [
    ["source <(recheck completion bash)", "in ~/.bashrc"],
    ["recheck completion zsh > ~/.zfunc/_recheck", "in a folder of fpath"],
    ["recheck completion fish > ~/.config/fish/completions/recheck.fish", "for fish"],
  ],
};

export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const own = examples[command.name()] ?? [];
    if (own.length > 0)
      command.addHelpText("after", () =>
        ["", "Examples:", ...table(own, "  ", screenOf("out")?.columns ?? usualColumns)].join("\n"),
      );
  }
}
