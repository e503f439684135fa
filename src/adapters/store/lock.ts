import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreProblem } from "./problem.ts";
import { resultCode, SQLITE_BUSY } from "./result-code.ts";

/**
 * Makes this process the only writer in a folder, until `release` or its death.
 *
 * The lock is a transaction held open on a tiny database of its own: the operating system drops it with the process,
 * even after kill -9, so there is no stale lock to clean up, and readers of the real database are not held up.
 *
 * @throws StoreProblem `locked`
 */
export function lockFolder(folder: string): { release(): void } {
  const database = new DatabaseSync(join(folder, "recheck.lock"), { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (resultCode(error) !== SQLITE_BUSY) throw error;
    throw new StoreProblem("locked", `another Recheck is running on ${folder}`, error);
  }
  return { release: () => database.close() };
}
