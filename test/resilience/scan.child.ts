import { flushCompileCache } from "node:module";
import { scanCommand } from "../../src/faces/cli/scan.ts";
import { processTerminal } from "../../src/faces/cli/terminal.ts";
import { hasty } from "./hasty.ts";

/** A `scan --all` of a folder that is to be killed: the command itself, which pauses nowhere. */

// Most are killed, and would leave nothing for the next one, which then takes twice as long to start.
setTimeout(flushCompileCache, 300).unref();
const [folder = ""] = process.argv.slice(2);
process.exitCode = await scanCommand(hasty(process.env, folder), { all: true }, processTerminal());
