import { execFileSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addCommands, examples } from "../../../src/faces/cli/commands.ts";
import { completionScript, idsIn, shells } from "../../../src/faces/cli/completion.ts";
import { configOf } from "../../support/config-of.ts";

const program = new Command("recheck");
addCommands(program, { live: false, paint: (_, text) => text, line() {}, note() {} }, () => {});

describe("completion", () => {
  test("in bash: commands, then the options of the one that was typed", () => {
    const complete = (...typed: string[]) => {
      const script = `recheck() { echo "$4-1 $4-2"; }
${completionScript(program, "bash")}
COMP_WORDS=(recheck ${typed.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${typed.length}; _recheck; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
    };
    expect(complete("sc")).toEqual(["scan"]);
    expect(complete("scan", "--d")).toEqual(["--dry-run"]);
    expect(complete("completion", "")).toEqual(expect.arrayContaining([...shells]));
    expect(complete("nothing", "--d")).toEqual([""]);
    expect(complete("scan", "--source", "")).toEqual(["sources-1", "sources-2"]);
    expect(complete("scan", "--dry-run", "--source", "sources-1", "s")).toEqual(["sources-1", "sources-2"]);
    expect(complete("scan", "--source", "sources-1", "--a")).toEqual(["--all"]);
    expect(complete("scan", "--trigger", "t")).toEqual(["triggers-1", "triggers-2"]);
    expect(complete("status", "--rating", "ratings-2")).toEqual(["ratings-2"]);
    expect(complete("explain", "a")).toEqual(["all-1", "all-2"]);
    expect(complete("explain", "--j")).toEqual(["--json"]);
    expect(complete("backtest", "--trigger", "t")).toEqual([""]);
  });

  test("asks for the ids of config where a word is one, in every shell", () => {
    const asked = (shell: (typeof shells)[number]) =>
      completionScript(program, shell)
        .match(/--ids \w+/g)
        ?.sort();
    for (const shell of shells)
      expect(asked(shell), shell).toEqual(["--ids all", "--ids ratings", "--ids sources", "--ids triggers"]);
    const config = configOf(
      "report: { title: R, audited: 2026-05-16 }\nratings: { a/b: High }\nsources:\n  s: { page: https://s.example/ }\n",
      {
        t: "name: T\nratings: [a/b]\non: [{ change: s }]\n",
      },
    );
    expect(idsIn(config, "sources")).toEqual(["s"]);
    expect(idsIn(config, "all")).toEqual(["s", "t", "a/b"]);
  });

  test.each(shells)("in %s: every command with every option", (shell) => {
    const script = completionScript(program, shell);
    for (const command of program.commands) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) expect(script).toContain(long?.slice(2));
    }
  });

  test("quotes what people wrote in descriptions", () => {
    const odd = new Command("recheck");
    odd.command("scan").description("check $(rm) and `that's`").option("--all", "all: [of] it's");
    expect(completionScript(odd, "zsh")).toContain("'scan:check $(rm) and `that'\\''s`'");
    expect(completionScript(odd, "zsh")).toContain("'--all[all\\: \\[of\\] it'\\''s]'");
    expect(completionScript(odd, "fish")).toContain("-d 'check $(rm) and `that\\'s`'");
  });
});

describe("examples in help", () => {
  test("are there for every command that takes words, and name options that it has", () => {
    for (const command of program.commands) {
      const own = examples[command.name()] ?? [];
      if (command.name() !== "start") expect(own.length, command.name()).toBeGreaterThan(0);
      for (const [typed] of own) {
        expect(typed).toContain(`recheck ${command.name()}`);
        const known = command.options.map(({ long }) => long);
        for (const [option] of typed.matchAll(/--[a-z-]+/g)) expect(known, typed).toContain(option);
      }
    }
  });
});
