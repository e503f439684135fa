import { serveTasks } from "../../src/adapters/threads/pool.ts";
import { readers } from "../../src/read/index.ts";
import { tasksBy } from "../../src/watch/tasks.ts";
import { inputsOf } from "./inputs.ts";
import { lookAt } from "./look.ts";
import type { Asked } from "./program.ts";

/** The program's own tasks, and one that looks at a hostile answer several times. */
serveTasks({
  ...tasksBy(readers),
  async again({ seed, index, size }: Asked): Promise<string> {
    const input = inputsOf(seed)[index];
    if (!input) throw new Error(`no input ${index}`);
    return await lookAt(input, size);
  },
});
