import { pino } from "pino";
import { parseRanges } from "../src/adapters/fetch/address.ts";
import { startServer } from "../src/faces/app/server.ts";

/**
 * The server in a process of its own, configured by its environment, on hosts of this machine. It does not pause
 * between writes to GitHub, because hundreds of repositories share one installation here. Prints a line once it
 * listens.
 */
const log = pino({ level: process.env.LOG_LEVEL ?? "warn" });
await startServer(process.env, log, {
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
  github: { patience: false },
});
process.stdout.write("Listening\n");
