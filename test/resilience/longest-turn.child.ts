import { subscribe } from "node:diagnostics_channel";
import { processorTime } from "../support/processor-time.ts";

/**
 * The command at PROGRAM, which tells in its last line of errors for how long its event loop stood still at most: in ms of this
 * thread's processor time, from its first request on.
 */
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
