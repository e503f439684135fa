import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { startServer } from "../../src/faces/app/server.ts";
import { threadFigures } from "../../src/wire/web.ts";

/** All that a process holds at one time. */
export interface Held {
  readonly megabytes: number;
  readonly heap: number;
  /** Open files, sockets among them. */
  readonly files: number;
  /** Handles and timers by kind, from Node. */
  readonly resources: Readonly<Record<string, number>>;
  readonly listeners: number;
}

/** The engine frees memory in steps, one with each collection, and pooled pages 8 s later: `node --v8-options`. */
const steps = 5;
const aStep = 10_000;

/**
 * The server in a process of its own, whose clock its parent drives. A message is a time, answered at the end of its round,
 * or *rest*, answered once the threads that read answers have ended and the engine has freed their memory.
 */
let now = Number(process.argv[2]);
const running = await startServer(process.env, pino({ level: process.env.LOG_LEVEL ?? "silent" }), {
  config: process.argv[3] ?? ".",
  clock: { now: () => now },
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
  github: { patience: false },
});
await running.service.run();
process.on("message", async (at: number | "rest" | "end") => {
  if (at === "end") {
    await running.stop();
    process.exit(0);
  }
  if (at === "rest") {
    while (threadFigures()?.running) await sleep(1_000);
    for (let step = 0; step < steps; step++) {
      global.gc?.();
      await sleep(aStep);
    }
    process.send?.(held());
    return;
  }
  now = at;
  // One may be under way by the schedule of the server itself, which began before.
  const [{ service }, wanted] = [running, new Date(at).toISOString()];
  do await service.run();
  while (service.health().lastRun !== wanted);
  global.gc?.();
  process.send?.(held());
});
process.send?.(held());

function held(): Held {
  const { rss, heapUsed } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return {
    megabytes: rss / 2 ** 20,
    heap: heapUsed / 2 ** 20,
    files: readdirSync("/proc/self/fd").length,
    resources,
    listeners,
  };
}
