import type { DatabaseSync } from "node:sqlite";
import { StoreProblem } from "../../model/problem.ts";
import { unlessRolledBack } from "./dialect.ts";
import { emptyStore, foreignFile } from "./problem.ts";
import { creation, type Dialect, sqlite } from "./schema.ts";

/** The steps for existing databases of both kinds; new ones come from `schema.ts`. A released step is never edited. */
export const steps: readonly Step[] = [
  {
    statements: ({ kinds, place }) => `
create table ${place("registry_answer")} (
  question text primary key,
  read ${kinds.integer} not null,
  answer text not null
)${kinds.integer === "integer" ? " strict" : ""};`,
  },
  // The previous version of the program cannot read what is remembered of a page, which is compressed from now on.
  {
    statements: ({ kinds, place }) =>
      `alter table ${place("repository")} add column attend ${kinds.integer} not null default 0;`,
    breaks: true,
  },
  // Renames fields in the JSON of checks.
  {
    statements: ({ place }) => `
update ${place("watch")} set rest = replace(replace(rest, '"lastLook":', '"lastCheck":'), '"looks":', '"checks":');
update ${place("look")} set rest = replace(rest, '"moves at every look"', '"moves at every check"')
where rest like '%every look%';`,
    breaks: true,
  },
  // All earlier sources have had their first audit.
  {
    statements: ({ kinds, place }) => `
alter table ${place("watch")} add column audit ${kinds.integer};
create index watch_audit on ${place("watch")} (repository, audit) where audit is not null;`,
  },
  // Renames a column, and two words in the JSON of checks.
  {
    statements: ({ place }) => `
alter table ${place("firing")} rename column told to reported;
update ${place("look")} set rest = replace(replace(rest, '"hearings":', '"results":'),
  '"reason":"told of the site"', '"reason":"reported for another page"')
where rest like '%"hearings":%' or rest like '%told of the site%';`,
    breaks: true,
  },
  {
    statements: ({ place }) => `
alter table ${place("recheck")} rename column tells to reported;
alter table ${place("recheck")} rename column said to command;`,
    breaks: true,
  },
];

/** Brings a database from the version before it to its own. */
interface Step {
  readonly statements: (dialect: Dialect) => string;
  /** The previous version of the program must stop. Without it, the step only adds something that it can ignore. */
  readonly breaks?: true;
}

export type Migration = (database: DatabaseSync) => void;

export const migrations: readonly Migration[] = steps.map(
  ({ statements }) =>
    (database) =>
      database.exec(statements(sqlite)),
);

/** The version that the first step starts from. Earlier ones were never released. */
export const oldestVersion = 12;

export const currentVersion = oldestVersion + migrations.length;

/** 0 for an empty database. SQLite keeps the number in the file's header, inside the transaction. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.user_version);
}

/**
 * Forward only, with a transaction for each step, or one for a new file: an interrupted one leaves it as before, or empty.
 * Foreign keys are not enforced meanwhile, because a table may be rebuilt, but must be valid at the end of each step. @throws
 * StoreProblem `newer` or `foreign`
 */
export function migrate(database: DatabaseSync, name: string, steps: readonly Migration[] = migrations): void {
  const from = versionOf(database);
  const last = oldestVersion + steps.length;
  if (from > 0) refuseUnknown(from, { oldest: oldestVersion, newest: last }, name);
  if (from === 0 && hasTables(database)) throw foreignFile(name);
  database.exec("pragma foreign_keys = off");
  if (from === 0) step(database, [create, ...steps.slice(migrations.length)], last);
  for (let version = from; version > 0 && version < last; version++)
    step(database, steps.slice(version - oldestVersion, version - oldestVersion + 1), version + 1);
  database.exec("pragma foreign_keys = on");
}

const create: Migration = (database) => database.exec(creation(sqlite));

/** @throws StoreProblem `missing` if the file was only begun, as on a full disk; `foreign` */
export function refuseEmpty(database: DatabaseSync, name: string): void {
  if (versionOf(database) > 0) return;
  if (hasTables(database)) throw foreignFile(name);
  throw emptyStore(name);
}

/** @throws StoreProblem `newer`; `unusable` if it is too old */
export function refuseUnknown(
  version: number,
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
  name: string,
): void {
  const format = `its format is version ${version}, this program knows`;
  if (version > newest)
    throw new StoreProblem(
      "newer",
      `${name} was written by a newer Recheck (${format} up to ${newest}): update Recheck`,
    );
  if (version < oldest) {
    const says = `${name} was written before the first release (${format} ${oldest} and later)`;
    throw new StoreProblem("unusable", `${says}: start with an empty store`);
  }
}

/** The version of a file that this program can read. @throws StoreProblem */
export function readableVersion(database: DatabaseSync, name: string): number {
  refuseEmpty(database, name);
  const version = versionOf(database);
  refuseUnknown(version, { oldest: oldestVersion, newest: currentVersion }, name);
  return version;
}

function step(database: DatabaseSync, migrations: readonly Migration[], version: number): void {
  database.exec("begin immediate");
  try {
    for (const migration of migrations) migration(database);
    const broken = database.prepare("pragma foreign_key_check").all();
    if (broken.length > 0)
      throw new Error(`migration ${version} leaves ${broken.length} rows that refer to missing rows`);
    database.exec(`pragma user_version = ${version}`);
    database.exec("commit");
  } catch (error) {
    try {
      database.exec("rollback");
    } catch (problem) {
      unlessRolledBack(problem);
    }
    throw error;
  }
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_schema limit 1").get() !== undefined;
}
