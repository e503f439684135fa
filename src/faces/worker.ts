import { serveTasks } from "../adapters/threads/pool.ts";
import { citationTasks } from "../audit/tasks.ts";
import { draftTasksBy } from "../onboard/first-check-steps.ts";
import { readers } from "../read/index.ts";
import { tasksBy } from "../watch/tasks.ts";

/** Runs in a thread of the pool, and processes content from strangers. */
serveTasks({ ...tasksBy(readers), ...draftTasksBy(readers), ...citationTasks });
