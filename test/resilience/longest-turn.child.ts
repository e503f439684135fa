import { subscribe } from "node:diagnostics_channel";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { processorTime } from "../support/processor-time.ts";

/**
 * The command at PROGRAM, which tells in its last line of errors for how long its event loop stood still at most: in ms of this
 * thread's processor time, from its first request on. Names below `example` are this machine's.
 */
const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
Object.assign(dns, {
  lookup: (name: string, ...rest: unknown[]) => lookup(name.endsWith(".example") ? "127.0.0.1" : name, ...rest),
});
syncBuiltinESMExports();

let longest = 0;
let last: number | undefined;

subscribe("undici:client:connected", () => {
  if (last !== undefined) return;
  last = processorTime();
  setInterval(() => {
    const now = processorTime();
    longest = Math.max(longest, now - (last ?? now));
    last = now;
  }, 5).unref();
});
process.on("exit", () => process.stderr.write(`longest turn ${Math.round(longest)} ms\n`));
await import(process.env.PROGRAM ?? "");
