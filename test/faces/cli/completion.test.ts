import { execFileSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addCommands, examples } from "../../../src/faces/cli/commands.ts";
import { completionScripts, completions, shells } from "../../../src/faces/cli/completion.ts";
import { configOf } from "../../support/config-of.ts";

const program = new Command("recheck");
addCommands(program, { live: false, paint: (_, text) => text, line() {}, note() {} }, () => {});

const config = configOf(
  "report: { title: R, audited: 2026-05-16 }\nratings: { a/b: High }\nsources:\n  s: { page: https://s.example/ }\n",
  { t: "name: T\nratings: [a/b]\non: [{ change: s }]\n" },
);

describe("completion", () => {
  const complete = async (...typed: string[]) => {
    const lines = await completions(program, ["recheck", ...typed].join(" "), async () => config);
    return lines.map((line) => line.split(" ")[0]);
  };

  test.each([
    [["sc"], ["scan"]],
    [["--he"], ["--help"]],
    [["scan", "--d"], ["--dry-run"]],
    [["completion", ""], [...shells]],
    [["nothing", "--d"], []],
    [
      ["scan", "--color", "a"],
      ["auto", "always"],
    ],
    [["audit", "rep"], []],
    [["publish", "--out", ""], []],
  ])("%s: commands, the options of the one that was typed, and words that these take", async (typed, offered) => {
    expect(await complete(...typed)).toEqual(offered);
  });

  test.each([
    [["scan", "--source", ""], ["s"]],
    [["scan", "--dry-run", "--source", "s", ""], ["s"]],
    [["scan", "--trigger", "t"], ["t"]],
    [["status", "--rating", "a"], ["a/b"]],
    [
      ["explain", ""],
      ["s", "t", "a/b"],
    ],
    [["explain", "--j"], ["--json"]],
    [["scan", "--source", "s", "--a"], ["--all"]],
    [["backtest", "--trigger", "t"], []],
  ])("%s: an id of the config only where a word is one", async (typed, offered) => {
    expect(await complete(...typed)).toEqual(offered);
  });

  test("if a command takes no words, its options are offered, and those of every command", async () => {
    const offered = await complete("publish", "");
    expect(offered).toEqual(expect.arrayContaining(["--out", "--json", "--quiet", "--help"]));
    expect(offered).not.toContain("--rating");
  });

  test("a word is followed by what it means", async () => {
    expect(await completions(program, "recheck scan --dry", async () => config)).toEqual([
      "--dry-run write nothing: no issue, no record, no message",
    ]);
  });

  test("the script of bash offers what the program says about the words up to the cursor", () => {
    const script = `recheck() { printf '%s\\n' "<$4>" '--all means all' scan; }
${completionScripts.bash}
COMP_WORDS=(recheck scan --s later); COMP_CWORD=2; _recheck; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const offered = execFileSync("bash", ["-c", script], { encoding: "utf8" });
    expect(offered).toBe("<recheck\n--all\nscan\n");
  });

  test.each(shells)("the script of %s asks the program", (shell) => {
    expect(completionScripts[shell]).toContain(`recheck completion ${shell} --typed "`);
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
