import { tmpdir } from "node:os";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addCommands, examples } from "../../../src/faces/cli/commands.ts";
import { recheckHere } from "../../support/command.ts";

test("help has an example of every command that takes words, with options that it has", () => {
  const program = new Command("recheck");
  addCommands(program, { live: false, paint: (_, text) => text, line() {}, note() {} }, () => {});
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

test.each([
  [undefined, "recheck init README.md"],
  ["exec", "npx recheck-bot init README.md"],
  ["run", "npm run init -- README.md"],
  ["run-script", "npm run init -- README.md"],
])("a hint names a command as it was called: by npm's command %s", async (npm, hint) => {
  const { err } = await recheckHere(["status"], npm === undefined ? {} : { npm_command: npm }, tmpdir());
  expect(err).toContain(`create one with ${hint}`);
});
