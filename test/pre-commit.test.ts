import { readFileSync } from "node:fs";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { addCommands } from "../src/faces/cli/commands.ts";

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** Spec: https://pre-commit.com/#new-hooks */
const hooks = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    entry: z.string(),
    args: z.array(z.string()).optional(),
    language: z.literal("node"),
    types: z.array(z.literal("text")),
    pass_filenames: z.literal(false),
    verbose: z.boolean().optional(),
    stages: z.array(z.enum(["pre-commit", "pre-push", "manual"])).optional(),
  }),
);
const defined = hooks.parse(parse(text(".pre-commit-hooks.yaml")));

const config = /```yaml\n# \.pre-commit-config\.yaml\n([^`]+)```/.exec(text("docs/commands.md"))?.[1] ?? "";
const { repos } = z
  .object({ repos: z.array(z.object({ hooks: z.array(z.object({ id: z.string(), args: z.array(z.string()) })) })) })
  .parse(parse(config));
const documented = repos.flatMap((repo) => repo.hooks);

test("the documentation has each hook of pre-commit", () => {
  expect(documented.map(({ id }) => id)).toEqual(defined.map(({ id }) => id));
});

test.each([...defined.map(({ id, args = [] }) => ({ id, args })), ...documented])(
  "the hook $id calls a command with options that it has: $args",
  async ({ id, args }) => {
    const entry = defined.find((hook) => hook.id === id)?.entry ?? "";
    const program = new Command("recheck").exitOverride();
    addCommands(program, { live: false, paint: (_, word) => word, line() {}, note() {} }, () => {});
    const called: string[] = [];
    for (const command of program.commands) command.action(() => void called.push(command.name()));
    const [name, ...words] = entry.split(" ");
    await program.parseAsync([...words, ...args], { from: "user" });
    expect([name, called]).toEqual(["recheck", words]);
  },
);
