import type { DatabaseSync } from "node:sqlite";
import { StoreProblem } from "../../model/store-problem.ts";
import { unlessRolledBack } from "./dialect.ts";
import { creation, sqlite } from "./schema.ts";

/**
 * The steps for existing databases, from version 1 on. A step that a database may have had is never edited; corrections are
 * another step. A new database is made only from `schema.ts`, which describes the result of the last step, and the columns.
 */
export const migrations: readonly Migration[] = [
  (database) => database.exec(archivedChanges),
  (database) => database.exec(messages),
  (database) => database.exec(hosts),
  (database) => database.exec(deliveryLanes),
  (database) => database.exec(rowsByNumber),
  (database) => database.exec(attempts),
  (database) => database.exec(nameInAnyCase),
  (database) => database.exec(repositoryDue),
  (database) => database.exec(foundByIndex),
  (database) => database.exec(referringByIndex),
  (database) => database.exec(commentPlanned),
  (database) => database.exec(registryAnswers),
  (database) => database.exec(repositoryAttend),
  (database) => database.exec(checksInJson("")),
  (database) => database.exec(firstAudit),
];

/** Copies of pages in a web archive that show a change: by the source, and when the change was first seen there. */
const archivedChanges = `
create table archived_change (
  repository text not null,
  source text not null,
  seen integer not null,
  rest text not null,
  primary key (repository, source, seen)
) strict;
`;

/** Messages to people, through each channel that config names. state: waiting, sent, dead or unheard. */
const messages = `
create table message (
  id integer primary key autoincrement,
  repository text not null,
  channel text not null,
  key text not null,
  state text not null,
  next integer not null,
  attempted integer,
  rest text not null,
  unique (repository, channel, key)
) strict;
create index message_waiting on message (repository, next) where state = 'waiting';
`;

/**
 * The manners towards hosts that outlive a run: whose turn it is, and the rules of robots.txt with their validators.
 */
const hosts = `
create table host_turn (
  host text primary key,
  at integer not null
) strict;

create table robots (
  product text not null,
  origin text not null,
  rules text not null,
  read integer not null,
  etag text,
  modified text,
  primary key (product, origin)
) strict;
`;

/** Tells whose a delivery is without reading its text. Those that are done have no text to read it from. */
const deliveryLanes = `
alter table delivery add column installation integer not null default 0;
update delivery set installation = coalesce(json_extract(news, '$.installation'), 0) where done = 0;
create index delivery_of_repository on delivery (repository, installation, number) where done = 0;
`;

/**
 * Rows of a repository that an App serves have its number, as text, instead of its name, since names pass from one repository
 * to another. Two may share a name until GitHub's list shows which still has it.
 */
const rowsByNumber = `
${[
  "watch",
  "memory",
  "snapshot",
  "look",
  "claim",
  "event_sighting",
  "archived_change",
  "recheck",
  "firing",
  "evidence",
  "answer",
  "comment",
  "creation",
  "message",
]
  .map(
    (table) =>
      `update ${table} set repository = (select cast(id as text) from repository where name = ${table}.repository)
where repository in (select name from repository);`,
  )
  .join("\n")}
create table named_repository (
  id integer primary key,
  name text not null,
  config text,
  rest text not null
) strict;
insert into named_repository select id, name, config, rest from repository;
drop table repository;
alter table named_repository rename to repository;
create index repository_of_name on repository (name collate nocase);
`;

/** Checks under way. died: the program that began them has ended since. */
const attempts = `
create table attempt (
  repository text not null,
  source text not null,
  began integer not null,
  died integer not null,
  primary key (repository, source)
) strict;
`;

/** Finds a name in any case by `lower`, which every database knows. */
const nameInAnyCase = `
drop index repository_of_name;
create index repository_of_name on repository (lower(name));
`;

/** next: when a repository is due, an index for databases with many repositories. */
const repositoryDue = `
alter table repository add column next integer not null default 0;
create index repository_due on repository (next);
`;

/**
 * Indexes for everything that a scan searches for. past: when an archive is to be asked for a watch's past, or null. roster: a
 * digest of the sources of a config that all have a watch.
 */
const foundByIndex = `
alter table watch add column past integer;
update watch set past = coalesce(
  min(json_extract(rest, '$.past.next'), json_extract(rest, '$.claimsPast.next')),
  json_extract(rest, '$.past.next'),
  json_extract(rest, '$.claimsPast.next')
);
drop index watch_due;
create index watch_due on watch (repository, forgotten, next);
create index watch_looked on watch (repository, forgotten, looked);
create index watch_past on watch (repository, past) where past is not null;
create index claim_status on claim (repository, status);
create table roster (
  repository text primary key,
  digest text not null
) strict;
`;

/** Indexes for rows that refer to a recheck, as each deletion searches for references, and for the answers of a repository. */
const referringByIndex = `
create index recheck_previous on recheck (previous) where previous is not null;
create index firing_of_recheck on firing (recheck) where recheck is not null;
create index answer_in on answer (repository);
create index comment_of_recheck on comment (recheck) where recheck is not null;
`;

/** planned: since when a comment is to be written; null for those of before. */
const commentPlanned = `
alter table comment add column planned integer;
`;

/** Answers of registries of works, for all reports. question: a digest of it. */
const registryAnswers = `
create table registry_answer (
  question text primary key,
  read integer not null,
  answer text not null
) strict;
`;

/** attend: when a repository is to be compared with GitHub. */
const repositoryAttend = `
alter table repository add column attend integer not null default 0;
`;

/** Renames what rows say of checks as JSON. `schema`: before each table, with its dot. */
export function checksInJson(schema: string): string {
  return `
update ${schema}watch set rest = replace(replace(rest, '"lastLook":', '"lastCheck":'), '"looks":', '"checks":');
update ${schema}look set rest = replace(rest, '"moves at every look"', '"moves at every check"')
where rest like '%every look%';
`;
}

/** audit: when the first audit of a source is due; null once it is done, as it is for all sources of before. */
const firstAudit = `
alter table watch add column audit integer;
create index watch_audit on watch (repository, audit) where audit is not null;
`;

/** The version of a new database. */
export const currentVersion = migrations.length + 1;

/** Brings a database from the version before it to its own. Runs inside a transaction. */
export type Migration = (database: DatabaseSync) => void;

/** 0 for an empty database. SQLite keeps the number in the file's header, inside the transaction. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.user_version);
}

/**
 * Forward only, one transaction for each step: if it is killed half-way, the file is unchanged by that step. A new file is made
 * in one transaction, so that one interrupted by a full disk is empty, and not taken for an older store. Foreign keys are not
 * enforced meanwhile (a table may be rebuilt), but must be valid at the end of each step.
 *
 * @throws StoreProblem `newer` or `foreign`
 */
export function migrate(database: DatabaseSync, name: string, steps: readonly Migration[] = migrations): void {
  const from = versionOf(database);
  refuseNewer(from, steps.length + 1, name);
  if (from === 0 && hasTables(database)) throw new StoreProblem("foreign", `${name} is not a database of Recheck`);
  database.exec("pragma foreign_keys = off");
  if (from === 0) step(database, [create, ...steps.slice(migrations.length)], steps.length + 1);
  else for (const [index, migration] of steps.entries()) if (index + 1 >= from) step(database, [migration], index + 2);
  database.exec("pragma foreign_keys = on");
}

const create: Migration = (database) => database.exec(creation(sqlite));

/** @throws StoreProblem `missing` if the file was only begun, as on a full disk; `foreign` */
export function refuseEmpty(database: DatabaseSync, name: string): void {
  if (versionOf(database) > 0) return;
  if (hasTables(database)) throw new StoreProblem("foreign", `${name} is not a database of Recheck`);
  throw new StoreProblem("missing", `nothing is recorded in ${name} yet`);
}

export function refuseNewer(found: number, known: number, name: string): void {
  if (found <= known) return;
  const versions = `its format is version ${found}, this program knows up to ${known}`;
  throw new StoreProblem("newer", `${name} was written by a newer Recheck (${versions}): update Recheck`);
}

function step(database: DatabaseSync, migrations: readonly Migration[], version: number): void {
  database.exec("begin immediate");
  try {
    for (const migration of migrations) migration(database);
    const broken = database.prepare("pragma foreign_key_check").all();
    if (broken.length > 0)
      throw new Error(`migration ${version} leaves ${broken.length} rows without what they refer to`);
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
