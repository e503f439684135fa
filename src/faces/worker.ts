import { serveTasks } from "../adapters/threads/pool.ts";
import { readers } from "../read/index.ts";
import { tasksBy } from "../watch/tasks.ts";

/** Runs in a thread of the pool, and processes content from strangers. The code for reports is loaded only for a report. */
serveTasks(tasksBy(readers), async () => {
  const { citationTasks } = await import("../audit/tasks.ts");
  const { draftTasksBy } = await import("../onboard/first-check.ts");
  return { ...draftTasksBy(readers), ...citationTasks };
});
