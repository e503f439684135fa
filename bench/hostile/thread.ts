import { serveTasks, type Task } from "../../src/adapters/threads/pool.ts";
import { citationTasks } from "../../src/audit/tasks.ts";
import { parseConfig } from "../../src/config/index.ts";
import type { TaskGiver, Workers } from "../../src/model/ports/index.ts";
import { draftTasksBy } from "../../src/onboard/first-check.ts";
import { readers } from "../../src/read/index.ts";
import { tasksBy } from "../../src/watch/tasks.ts";
import { checkAt } from "./check.ts";
import { inputsOf } from "./inputs.ts";
import type { Asked } from "./program.ts";
import { readReport } from "./read-report.ts";

/** The program's own tasks, and those of the measure. */
const tasks: Readonly<Record<string, Task>> = {
  ...tasksBy(readers),
  ...draftTasksBy(readers),
  ...citationTasks,
  parse: (files: Parameters<typeof parseConfig>[0]) => parseConfig(files, readers),
  /** Holds its thread until all have one. */
  async held({ seed }: Asked, { answer }: Required<TaskGiver>): Promise<void> {
    inputsOf(seed);
    await answer("held", []);
  },
  /** Checks a hostile answer several times, or does all that is done with a hostile report. */
  async again({ seed, index, size }: Asked): Promise<string> {
    const input = inputsOf(seed)[index];
    if (!input) throw new Error(`no input ${index}`);
    return input.kind === "report" ? await readReport(input, size, here) : await checkAt(input, size);
  },
};

const here: Workers = {
  async run(task, input, asker) {
    return await tasks[task]?.(input as never, asker as never);
  },
};

serveTasks(tasks);
