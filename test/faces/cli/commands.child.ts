import { runCommand } from "../../../src/faces/cli/run.ts";
import { processTerminal } from "../../../src/faces/cli/terminal.ts";

const [commands = "[]"] = process.argv.slice(2);
for (const args of JSON.parse(commands)) await runCommand(["node", "recheck", ...args], processTerminal());
