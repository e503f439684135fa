import { serveTasks } from "../adapters/threads/pool.ts";
import { readers } from "../read/index.ts";
import { tasksBy } from "../watch/tasks.ts";
import { citationTasks } from "./citations/tasks.ts";
import { draftTasksBy } from "./draft/look-through.ts";

/** Runs in a thread of the pool, and does the tasks that process what strangers served. */
serveTasks({ ...tasksBy(readers), ...draftTasksBy(readers), ...citationTasks });
