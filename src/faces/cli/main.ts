import { goOnUnread } from "./print.ts";
import { explainError, runCommand } from "./run.ts";
import { exits, processTerminal } from "./terminal.ts";

goOnUnread(exits.wrong);
const out = processTerminal();
// An error of a promise that was not awaited. Its text may come from a stranger.
process.on("uncaughtException", (error) => process.exit(explainError(error, out)));

process.exitCode = await runCommand(process.argv, out);
