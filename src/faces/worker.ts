import { serveTasks } from "../adapters/threads/pool.ts";
import { readers } from "../read/index.ts";
import { tasksBy } from "../watch/tasks.ts";
import { linksOf, type PageToLink } from "./citations/links.ts";

/** Runs in a thread of the pool: it does the tasks that touch what strangers served. */
serveTasks({ ...tasksBy(readers), links: ({ html, at }: PageToLink) => linksOf(html, at) });
