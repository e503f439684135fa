import { type Kysely, sql } from "kysely";
import type { AnswerMemory, HostMemory, StoredRobots } from "../../model/ports/index.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { createBatches } from "./gather.ts";
import type { Tables } from "./schema.ts";
import { chunks, type Engine, put } from "./tables.ts";

/** Answers of hosts are useless after this time. */
const keptFor = 31 * aDay;
/** Bytes of each such table, for all hosts together; the most recently read rows are kept. */
const maxBytes = 64 * 2 ** 20;

/** The tables with answers of hosts, which can be fetched again, and the size of a row in SQL for all databases. */
export const bytesOfSaid = {
  robots: "octet_length(rules) + octet_length(origin) + coalesce(octet_length(etag), 0)",
  registry_answer: "octet_length(answer) + octet_length(question)",
} as const;

/** Everything stored about hosts, for all repositories. A scan reads and writes hundreds of rows together. */
export function hostMemoryOf(scope: () => Kysely<Tables>, engine: Engine): HostMemory {
  const robots = createBatches<RobotsName, StoredRobots>(async (all) => {
    const found: StoredRobots[] = [];
    for (const some of chunks([...all.values()])) found.push(...(await storedRobots(scope(), some)));
    return new Map(found.map((one) => [keyOf(one), one]));
  });
  const saveRobots = createBatches<StoredRobots, void>(async (all) => {
    // Sorted by name, so that two processes that store the same rows cannot deadlock.
    const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
    // Not synced to the disk, because a host can be asked again.
    await engine.unsynced(scope(), async (db) => {
      for (const some of chunks(sorted)) await insertRobots(db, some);
    });
    return new Map();
  });
  return {
    rests: async () => scope().selectFrom("host_rest").selectAll().execute(),

    saveRest: async (rest) => void (await put(scope(), "host_rest", rest).execute()),

    turns: async () => scope().selectFrom("host_turn").selectAll().execute(),

    async saveTurns(turns) {
      await scope()
        .transaction()
        .execute(async (db) => {
          await db.deleteFrom("host_turn").execute();
          for (const some of chunks(turns)) await db.insertInto("host_turn").values(some).execute();
        });
    },

    async forget(now) {
      await scope().deleteFrom("host_rest").where("until", "<=", now).execute();
      await forgetHostAnswers(scope(), now);
    },

    robots: (product, origin) => robots(keyOf({ product, origin }), { product, origin }),
    saveRobots: (one) => saveRobots(keyOf(one), one),
  };
}

type RobotsName = Pick<StoredRobots, "product" | "origin">;

function keyOf({ product, origin }: RobotsName): string {
  return `${product} ${origin}`;
}

/** The rules of these names, and of others that share a product with one of them and an origin with another. */
async function storedRobots(database: Kysely<Tables>, names: readonly RobotsName[]): Promise<StoredRobots[]> {
  const products = [...new Set(names.map(({ product }) => product))];
  const origins = [...new Set(names.map(({ origin }) => origin))];
  const rows = await database
    .selectFrom("robots")
    .selectAll()
    .where("product", "in", products)
    .where("origin", "in", origins)
    .execute();
  return rows.map(({ etag, modified, ...row }) => ({
    ...row,
    validators: { etag: etag ?? undefined, lastModified: modified ?? undefined },
  }));
}

async function insertRobots(database: Kysely<Tables>, all: readonly StoredRobots[]): Promise<void> {
  const rows = all.map(({ validators, ...one }) => ({
    ...one,
    etag: validators.etag ?? null,
    modified: validators.lastModified ?? null,
  }));
  await put(database, "robots", rows).execute();
}

/** Deletes answers of hosts older than a month, and the oldest beyond the limit of each table. */
export async function forgetHostAnswers(database: Kysely<Tables>, now: Instant): Promise<void> {
  for (const table of ["robots", "registry_answer"] as const) {
    const total = sql<number>`sum(${sql.raw(bytesOfSaid[table])}) over (order by read desc)`.as("total");
    const summed = database.selectFrom(table).select(["read", total]).as("summed");
    const tooMany = await database
      .selectFrom(summed)
      .select(({ fn }) => fn.max("read").as("read"))
      .where("total", ">", maxBytes)
      .executeTakeFirst();
    const until = Math.max(now - keptFor, tooMany?.read ?? -Infinity);
    await database.deleteFrom(table).where("read", "<=", until).execute();
  }
}

/** The stored answers of registries of works. `HostMemory.forget` deletes them. */
export function answerMemoryOf(scope: () => Kysely<Tables>, engine: Engine): AnswerMemory {
  return {
    async answers(questions) {
      const rows = chunks([...new Set(questions)]).map((some) =>
        scope().selectFrom("registry_answer").selectAll().where("question", "in", some).execute(),
      );
      return (await Promise.all(rows)).flat();
    },

    async saveAnswers(answers) {
      // Sorted by name, so that two processes that store the same rows cannot deadlock.
      const sorted = [...new Map(answers.map((one) => [one.question, one])).values()].sort((a, b) =>
        a.question < b.question ? -1 : 1,
      );
      // Not synced to the disk, because a registry can be asked again.
      await engine.unsynced(scope(), async (db) => {
        for (const some of chunks(sorted)) await put(db, "registry_answer", some).execute();
      });
    },
  };
}
