import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type Kysely, sql } from "kysely";
import { closing } from "../../model/closing.ts";
import { StoreProblem } from "../../model/problem.ts";
import { openStore } from "./open.ts";
import { isAddress, placeName } from "./problem.ts";
import { keyOf, type Tables, tableNames } from "./schema.ts";
import type { Database } from "./store.ts";

/** A table that was moved: its number of rows, and a digest of them all, in hexadecimal, independent of their order. */
export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** Rows that are read and written at a time. A single answer of a source may be large. */
const rowsAtOnce = 500;
const answersAtOnce = 50;

/**
 * Copies a whole store to an empty one in one transaction, and compares counts and digests of both. @throws StoreProblem if
 * there is nothing to move, the target is not empty, or another process works on either
 */
export async function moveStore(from: string, to: string): Promise<MovedTable[]> {
  if (isAddress(to) ? from === to : resolve(from) === resolve(to))
    throw new StoreProblem("exists", `${placeName(to)} is the store itself: name another place`);
  await mustHoldSomething(from);
  await using source = closing(await openStore(from));
  await using target = closing(await openStore(to));
  return await target.alone(tableNames, (there) =>
    source.alone(tableNames, async (here) => {
      const moved = await copyRows(here, there, placeName(to));
      await target.numberOn(there, await source.numbers(here));
      return moved;
    }),
  );
}

/** A copy of a store in memory, to work on without changing anything; empty if there is none. @throws StoreProblem */
export async function copyInMemory(from: string): Promise<Database> {
  const copy = await openStore(":memory:");
  try {
    await using source = closing(await openStore(from, { readonly: true }));
    await copy.alone(tableNames, (there) =>
      source.rows.transaction().execute(async (here) => {
        await copyRows(here, there, "memory");
        await copy.numberOn(there, await source.numbers(here));
      }),
    );
  } catch (error) {
    if (error instanceof StoreProblem && error.kind === "missing") return copy;
    await copy.close();
    throw error;
  }
  return copy;
}

async function mustHoldSomething(place: string): Promise<void> {
  try {
    await (await openStore(place, { readonly: true })).close();
  } catch (error) {
    if (!(error instanceof StoreProblem && error.kind === "older")) throw error;
  }
}

async function copyRows(here: Kysely<Tables>, there: Kysely<Tables>, name: string): Promise<MovedTable[]> {
  for (const table of tableNames) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(there);
    if (rows.length > 0) throw new StoreProblem("exists", `${name} is not empty: name an empty one`);
  }
  const tables: MovedTable[] = [];
  for (const table of tableNames) {
    const sum = await eachOf(table, here, (rows) =>
      there
        .insertInto(table)
        .values(rows as never)
        .execute(),
    );
    const written = await eachOf(table, there);
    if (sum.rows !== written.rows || sum.digest !== written.digest) {
      throw new Error(`${table} differs from its copy in ${name}: nothing was moved`);
    }
    tables.push(sum);
  }
  return tables;
}

type Row = Readonly<Record<string, unknown>>;

/** Reads a table in the order of its keys, some rows at a time. */
async function eachOf(
  table: keyof Tables,
  db: Kysely<Tables>,
  work: (rows: readonly Row[]) => Promise<unknown> = async () => {},
): Promise<MovedTable> {
  const by = keyOf(table);
  const atOnce = table === "snapshot" ? answersAtOnce : rowsAtOnce;
  const columns = sql.join(by.map((one) => sql.ref(one)));
  let count = 0;
  let sum = 0n;
  for (let last: Row | undefined; ; ) {
    const after: Row | undefined = last;
    const behind = after ? sql`where (${columns}) > (${sql.join(by.map((one) => sql.val(after[one])))})` : sql``;
    const query = sql<Row>`select * from ${sql.table(table)} ${behind} order by ${columns} limit ${sql.lit(atOnce)}`;
    const { rows } = await query.execute(db);
    if (rows.length === 0) break;
    await work(rows);
    for (const row of rows) sum = BigInt.asUintN(256, sum + digestOf(row));
    count += rows.length;
    last = rows.at(-1);
  }
  return { table, rows: count, digest: sum.toString(16).padStart(64, "0") };
}

/** The digest of one row: of the names and values of its columns, each with its kind and length. */
function digestOf(row: Row): bigint {
  const hash = createHash("sha256");
  for (const name of Object.keys(row).toSorted()) {
    const value = row[name];
    const bytes = value instanceof Uint8Array ? value : Buffer.from(value === null ? "" : String(value));
    const kind = value === null ? "null" : value instanceof Uint8Array ? "bytes" : typeof value;
    hash.update(`${name} ${kind} ${bytes.length}\n`).update(bytes);
  }
  return BigInt(`0x${hash.digest("hex")}`);
}
