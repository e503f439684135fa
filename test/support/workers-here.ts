import { citationTasks } from "../../src/audit/tasks.ts";
import type { Workers } from "../../src/model/ports/index.ts";
import { draftTasksBy } from "../../src/onboard/first-check.ts";
import { readers } from "../../src/read/index.ts";

const tasks: Readonly<Record<string, (input: never, asker: never) => unknown>> = {
  ...draftTasksBy(readers),
  ...citationTasks,
};

/** Does the tasks on pages that are checked once in this very thread; `fails`: the failure of a task that takes too much. */
export function workersHere(fails: (task: string, input: unknown) => Error | undefined = () => undefined): Workers {
  return {
    async run(task, input, asker) {
      const failure = fails(task, input);
      if (failure) throw failure;
      const work = tasks[task];
      if (!work) throw new Error(`no task ${task}`);
      return await work(structuredClone(input) as never, asker as never);
    },
  };
}
