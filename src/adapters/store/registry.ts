import { type Kysely, type NotNull, type RawBuilder, type Selectable, sql } from "kysely";
import {
  type Delivery,
  type JobLane,
  laneOf,
  type Registry,
  type RepositoryChange,
  type RepositoryState,
  type WaitingDelivery,
} from "../../model/ports/index.ts";
import { aMinute, anHour, type Duration, type Instant } from "../../model/time.ts";
import { backlogOf } from "./backlog.ts";
import { queryTogether } from "./gather.ts";
import { forgetPeople } from "./people.ts";
import { ownedTables, type Tables } from "./schema.ts";
import { type Engine, prepareOnce, put, type Scope } from "./tables.ts";

const wholeRegistry = "the registry";

/** The rows that do not belong to one repository. */
export function registryOf(scope: () => Kysely<Tables>, engine: Engine): Registry {
  const together = <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => engine.together(scope(), work);
  return {
    repositories: () => states(scope),
    repository: async (id) => stateOf(scope(), id),
    async visit(id) {
      const [row] = await selectVisit({ db: scope(), repository: String(id) }, engine);
      return row && { state: toState(row), attend: row.attend, hasNews: Boolean(row.hasNews) };
    },
    async attend(id) {
      const underWay = scope().updateTable("repository").set({ attend: attendNow.underWay }).where("id", "=", id);
      const row = await underWay.returning(stateColumns).executeTakeFirst();
      return row && toState(row);
    },
    named: async (name) => (await statesNamed(scope(), name)).find(({ standing }) => standing !== "removed"),
    revise: async (id, work) =>
      together(async (db) => {
        await engine.hold(db, wholeRegistry, String(id));
        const state = work(await stateOf(db, id));
        if (state) await save(db, state, engine);
      }),
    mayWrite: async () =>
      void (await scope().updateTable("repository").set({ next: 0 }).where("id", "=", -1).execute()),
    erase: async (id, isOver) =>
      together(async (db) => {
        await engine.hold(db, String(id));
        const known = await stateOf(db, id);
        if (known && isOver(known)) await eraseWhole(db, id);
      }),
    receive: async (delivery) =>
      together(async (db) => {
        const isNew = await receive(db, delivery);
        if (isNew) await engine.ask?.(db, laneOf(delivery));
        return isNew;
      }),
    plan: async (now, most) => together((db) => plan(db, engine, now, most)),
    rest: async (id, now, by) =>
      engine.rest
        ? engine.rest(String(id), { now, by })
        : together(async (db) => {
            const update = restUpdate({ now: sql`${now}`, by: sql`${by ?? null}` }, engine.field);
            await sql`${update} where id = ${id}`.execute(db);
          }),
    deliveries: async (...of) => waitingDeliveries(scope(), of),
    async news(delivery) {
      const one = scope().selectFrom("delivery").select("news").where("id", "=", delivery).where("done", "=", 0);
      return (await one.executeTakeFirst())?.news;
    },
    finish: async (delivery) => finish(scope(), delivery),
    forgetDeliveries: async (before) =>
      void (await scope().deleteFrom("delivery").where("done", "=", 1).where("received", "<", before).execute()),
    forgetPeople: async (people) => together((db) => forgetPeople(db, people)),
    backlog: async (at) => backlogOf(scope(), engine, at),
  };
}

const statesAtOnce = 50;

async function* states(scope: () => Kysely<Tables>): AsyncGenerator<RepositoryState> {
  for (let last = Number.NEGATIVE_INFINITY; ; ) {
    const some = scope().selectFrom("repository").select(stateColumns).orderBy("id").limit(statesAtOnce);
    const rows = await (Number.isFinite(last) ? some.where("id", ">", last) : some).execute();
    yield* rows.map(toState);
    const { id } = rows.at(-1) ?? {};
    if (id === undefined || rows.length < statesAtOnce) return;
    last = id;
  }
}

async function stateOf(db: Kysely<Tables>, id: number): Promise<RepositoryState | undefined> {
  const row = await db.selectFrom("repository").select(stateColumns).where("id", "=", id).executeTakeFirst();
  return row && toState(row);
}

const selectVisit = queryTogether((db, repositories, [engine]: readonly Engine[]) => {
  const installation = sql<number>`cast(${engine?.field("repository.rest", "installation")} as bigint)`;
  const waiting = db.selectFrom("delivery").select("delivery.id").where("done", "=", 0);
  return db
    .selectFrom("repository")
    .select([...stateColumns, "attend", sql<string>`cast(id as text)`.as("repository")])
    .select(({ exists }) =>
      exists(
        waiting.where(({ eb, or, ref }) =>
          or([
            eb("delivery.repository", "=", ref("repository.id" as "delivery.repository")),
            eb("delivery.repository", "is", null).and("delivery.installation", "=", installation),
          ]),
        ),
      ).as("hasNews"),
    )
    .where("id", "in", repositories.map(Number));
});

/** When a repository must be compared with GitHub: immediately at first, and while that is running. */
const attendNow = { asked: 0, underWay: 1 } as const;

const markToAttend = prepareOnce(({ db }, { id }: { readonly id: number }) =>
  db.updateTable("repository").set({ attend: attendNow.asked }).where("id", "=", id),
);

/** Requests that the repository of this scope is compared with GitHub, even if this process dies. */
export async function askToAttend(scope: Scope): Promise<void> {
  const id = Number(scope.repository);
  if (Number.isSafeInteger(id)) await markToAttend(scope, { id });
}

async function save(db: Kysely<Tables>, state: RepositoryState, engine: Engine): Promise<void> {
  await releaseName(db, state, engine);
  const row = { ...toRow(state), next: atOnce, attend: attendNow.asked };
  await put(db, "repository", row).execute();
}

/** Takes a name from the repository that had it. Its data stays, but it has no name until news arrives under its number. */
async function releaseName(
  db: Kysely<Tables>,
  { id, name, standing, since, described = since }: RepositoryState,
  engine: Engine,
): Promise<void> {
  if (standing === "removed") return;
  const others = (await rowsNamed(db, name)).filter((one) => one.id !== id).map((one) => one.id);
  if (others.length === 0) return;
  await engine.hold(db, ...others.map(String));
  for (const other of await statesNamed(db, name)) {
    if (!others.includes(other.id) || other.standing === "removed") continue;
    const removed = toRow({ ...other, standing: "removed", since: Math.max(since, described) });
    await db.updateTable("repository").set(removed).where("id", "=", other.id).execute();
  }
}

/** GitHub ignores case in names. */
function rowsNamed(db: Kysely<Tables>, name: string): Promise<Selectable<Tables["repository"]>[]> {
  return db.selectFrom("repository").selectAll().where(sql`lower(name)`, "=", name.toLowerCase()).execute();
}

async function statesNamed(db: Kysely<Tables>, name: string): Promise<RepositoryState[]> {
  return (await rowsNamed(db, name)).map(toState);
}

async function eraseWhole(db: Kysely<Tables>, id: number): Promise<void> {
  await erase(db, String(id));
  await db.deleteFrom("delivery").where("repository", "=", id).execute();
  await db.deleteFrom("repository").where("id", "=", id).execute();
}

/** Changes the stored state of the repository of this scope, if an App serves it. */
export async function updateRepository({ db, repository }: Scope, change: RepositoryChange): Promise<void> {
  const number = Number(repository);
  const state = Number.isSafeInteger(number) ? await stateOf(db, number) : undefined;
  if (!state) return;
  const { id, ...values } = toRow({ ...state, ...change });
  await db.updateTable("repository").set(values).where("id", "=", id).execute();
}

const stateColumns = ["id", "name", "config", "rest"] as const;
type StateRow = Pick<Selectable<Tables["repository"]>, (typeof stateColumns)[number]>;

function toRow({ id, name, config, ...rest }: RepositoryState): StateRow {
  return { id, name, config: config ? JSON.stringify(config) : null, rest: JSON.stringify(rest) };
}

function toState({ id, name, config, rest }: StateRow): RepositoryState {
  return { id, name, ...JSON.parse(rest), ...(config !== null && { config: JSON.parse(config) }) };
}

async function receive(
  db: Kysely<Tables>,
  { id, repository, installation, news, received }: Delivery,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("delivery")
    .values({ id, repository, installation, news, received, done: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Requested work that showed no progress for this long is requested again. */
const lostAfter: Duration = anHour / 2;
/** The shortest and the longest pause between two visits of a repository. */
const longestRest: Duration = anHour;
const shortestRest: Duration = aMinute;
/** When a repository with processed news is due next: the consequences of the news are still missing. */
const atOnce: Instant = 0;

async function plan(db: Kysely<Tables>, engine: Engine, now: Instant, most: number): Promise<readonly number[]> {
  const due = db
    .selectFrom("repository")
    .select("id")
    // A time later than any allowed pause was stored while the clock was wrong.
    .where((one) => one.or([one("next", "<=", now), one("next", ">", now + longestRest)]))
    .orderBy("next")
    .limit(most);
  const ids = (await due.execute()).map(({ id }) => id);
  if (engine.ask) await askFor(db, engine.ask, ids, now);
  return ids;
}

async function askFor(db: Kysely<Tables>, ask: NonNullable<Engine["ask"]>, ids: readonly number[], now: Instant) {
  if (ids.length > 0) {
    await db
      .updateTable("repository")
      .set({ next: now + lostAfter })
      .where("id", "in", ids)
      .execute();
  }
  const waiting = db.selectFrom("delivery").select(["repository", "installation"]).distinct().where("done", "=", 0);
  const lanes = (await waiting.execute()).map((one) => laneOf({ ...one, repository: one.repository ?? undefined }));
  await ask(db, ...new Set([...ids.map((id): JobLane => `repository ${id}`), ...lanes]));
}

export interface Rest {
  readonly now: Instant;
  /** When it is to be compared with GitHub, if that is known. */
  readonly by?: Instant | undefined;
}

/** The update of when a repository is due: for its first check, or at `by`. News request their work themselves. */
export function restUpdate(
  { now, by }: { readonly now: RawBuilder<unknown>; readonly by: RawBuilder<unknown> },
  field: Engine["field"],
): RawBuilder<unknown> {
  const [earliest, latest] = [sql`${now} + ${sql.lit(shortestRest)}`, sql`${now} + ${sql.lit(longestRest)}`];
  const [standing, unwatched] = ["standing", "unwatched"].map((name) => field("repository.rest", name));
  const attend = sql`case when ${by} is null or attend = ${sql.lit(attendNow.asked)} then attend else ${by} end`;
  const firstCheck = sql`select min(watch.next) from ${sql.table("watch")} as watch
    where watch.repository = cast(id as text) and watch.forgotten = 0 and ${unwatched} is null`;
  return sql`update ${sql.table("repository")} set attend = ${attend}, next = (
      select case when ${standing} <> 'active' or due is null or due > ${latest} then ${latest}
        when due < ${earliest} then ${earliest} else due end
      from (select min(due) as due from (
        select (${firstCheck}) as due union all select case when ${by} is not null then ${attend} end
      ) as each) as first
    )`;
}

/** In the order of arrival, without their texts. `of`: only those of repositories, or of whole installations. */
async function waitingDeliveries(
  db: Kysely<Tables>,
  of: readonly Pick<WaitingDelivery, "repository" | "installation">[],
): Promise<WaitingDelivery[]> {
  const waitingRows = db
    .selectFrom("delivery")
    .select(["id", "repository", "installation", "received"])
    .where("done", "=", 0)
    .orderBy("number");
  const chosen = waitingRows.where((row) =>
    row.or(
      of.map(({ repository, installation }) =>
        repository === undefined
          ? row("repository", "is", null).and("installation", "=", installation)
          : row("repository", "=", repository),
      ),
    ),
  );
  const rows = await (of.length > 0 ? chosen : waitingRows).execute();
  return rows.map(({ repository, ...rest }) => ({ ...rest, ...(repository !== null && { repository }) }));
}

/** Marks a delivery as done, and deletes its text. Its consequences are due, in case this process dies first. */
export async function finish(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable("delivery").set({ done: 1, news: "" }).where("id", "=", id).execute();
  const its = db.selectFrom("delivery").select("repository").where("id", "=", id).where("repository", "is not", null);
  const one = its.$narrowType<{ repository: NotNull }>();
  await db.updateTable("repository").set({ next: atOnce, attend: attendNow.asked }).where("id", "in", one).execute();
}

export async function repositories(db: Kysely<Tables>): Promise<string[]> {
  const keys = await db.selectFrom("watch").select("repository").distinct().execute();
  const states = await db.selectFrom("repository").select(["id", "name"]).execute();
  const names = new Map(states.map(({ id, name }) => [String(id), name]));
  return [...new Set(keys.map(({ repository }) => names.get(repository) ?? repository))];
}

/** The key of a repository's rows: its number if the App serves it, else its name. */
export async function rowKeyOf(db: Kysely<Tables>, name: string): Promise<string> {
  const states = await statesNamed(db, name);
  const found = states.find(({ standing }) => standing !== "removed") ?? states[0];
  return found ? String(found.id) : name;
}

export async function adopt(db: Kysely<Tables>, from: string, to: string, engine: Engine): Promise<void> {
  await engine.together(db, async (tx) => {
    await engine.hold(tx, ...[from, to].toSorted());
    const known = await tx.selectFrom("watch").select("repository").distinct().execute();
    const has = (key: string) => known.some(({ repository }) => repository === key);
    if (!has(from) || has(to)) return;
    // Earlier rows under the new key belonged to nobody.
    await erase(tx, to);
    for (const table of ownedTables)
      await tx.updateTable(table).set({ repository: to }).where("repository", "=", from).execute();
  });
}

/** Erases a repository by its name, served or not. Returns whether anything was stored of it. */
export async function eraseNamed(db: Kysely<Tables>, name: string): Promise<boolean> {
  const ids = (await rowsNamed(db, name)).map(({ id }) => id);
  for (const id of ids) await eraseWhole(db, id);
  const isStored = await db.selectFrom("watch").select("repository").where("repository", "=", name).executeTakeFirst();
  await erase(db, name);
  return ids.length > 0 || isStored !== undefined;
}

async function erase(db: Kysely<Tables>, key: string): Promise<void> {
  await db.updateTable("recheck").set({ previous: null }).where("repository", "=", key).execute();
  for (const table of ownedTables.toReversed()) await db.deleteFrom(table).where("repository", "=", key).execute();
}
