import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { backUp, restore } from "../../../src/adapters/store/backup.ts";
import { migrate, migrations, oldestVersion } from "../../../src/adapters/store/migrations.ts";

/**
 * A process that ends by SIGKILL at its nth step: `migrate PATH N` within the nth migration, once that is done and not yet
 * committed; `back-up PATH N TO` and `restore PATH N FROM` before the nth time that a file is changed.
 */

const [what, path, number, other] = process.argv.slice(2) as [string, string, string, string];
const last = Number(number);

function killBefore(step: number): void {
  let count = 0;
  for (const name of ["chmodSync", "copyFileSync", "fsyncSync", "linkSync", "renameSync", "rmSync"] as const) {
    const real = fs[name] as (...given: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...given: unknown[]) => {
        count += 1;
        if (count === step) process.kill(process.pid, "SIGKILL");
        return real(...given);
      },
    });
  }
  syncBuiltinESMExports();
}

if (what === "migrate") {
  const database = new DatabaseSync(path);
  // The step to this version is the one that is killed.
  const before = last - oldestVersion - 1;
  migrate(database, path, [
    ...migrations.slice(0, before),
    (half) => {
      migrations[before]?.(half);
      process.kill(process.pid, "SIGKILL");
    },
  ]);
} else {
  killBefore(last);
  if (what === "back-up") await backUp(path, other);
  if (what === "restore") await restore(other, path, Date.UTC(2026, 5, 1));
}
