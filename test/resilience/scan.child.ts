import { scanCommand } from "../../src/faces/cli/scan.ts";
import { processTerminal } from "../../src/faces/cli/terminal.ts";
import { hasty } from "./hasty.ts";

/** A `scan --all` of a folder that is to be killed: the command itself, which pauses nowhere. */

const [folder = ""] = process.argv.slice(2);
process.exitCode = await scanCommand(hasty(process.env, folder), { all: true }, processTerminal());
