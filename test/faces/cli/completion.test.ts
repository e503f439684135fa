import { execFileSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addCommands } from "../../../src/faces/cli/commands.ts";
import { completionScript, shells } from "../../../src/faces/cli/completion.ts";
import { examples } from "../../../src/faces/cli/examples.ts";

const program = new Command("recheck");
addCommands(program, { live: false, paint: (_, text) => text, line() {}, note() {} }, () => {});

describe("completion", () => {
  test("in bash: commands, then the options of the one that was typed", () => {
    const complete = (...typed: string[]) => {
      const script = `${completionScript(program, "bash")}
COMP_WORDS=(recheck ${typed.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${typed.length}; _recheck; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
    };
    expect(complete("sc")).toEqual(["scan"]);
    expect(complete("scan", "--d")).toEqual(["--dry-run"]);
    expect(complete("completion", "")).toEqual(expect.arrayContaining([...shells]));
    expect(complete("nothing", "--d")).toEqual([""]);
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
    odd.command("scan").description("look at $(rm) and `that's`").option("--all", "all: [of] it's");
    expect(completionScript(odd, "zsh")).toContain("'scan:look at $(rm) and `that'\\''s`'");
    expect(completionScript(odd, "zsh")).toContain("'--all[all\\: \\[of\\] it'\\''s]'");
    expect(completionScript(odd, "fish")).toContain("-d 'look at $(rm) and `that\\'s`'");
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
