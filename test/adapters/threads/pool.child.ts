import { setTimeout as sleep } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { serveTasks } from "../../../src/adapters/threads/pool.ts";

/** A thread whose tasks take as long as they are told, and say who did them. */
serveTasks({
  async who(takes: number) {
    await sleep(takes);
    return threadId;
  },
});
