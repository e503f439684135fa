import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { migrate, migrations, oldestVersion } from "../../../../src/adapters/store/migrations.ts";

/** Makes a database as programs of an earlier version did: by the statements of the oldest one, and the steps since. */
export function makeOlder(database: DatabaseSync, version: number): void {
  database.exec(readFileSync(new URL("./sqlite.sql", import.meta.url), "utf8"));
  database.exec(`pragma user_version = ${oldestVersion}`);
  migrate(database, "a test", migrations.slice(0, version - oldestVersion));
}
