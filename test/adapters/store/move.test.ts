import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { inspect } from "node:util";
import type { Insertable } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { moveStore } from "../../../src/adapters/store/move.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Tables } from "../../../src/adapters/store/schema.ts";
import { asking, noServer, type PostgresServer, startPostgres } from "../../support/postgres.ts";
import { firing, kept, recheck, start, watch } from "./samples.ts";

const odd = "\0 \u0010 \u00100 ☃ 𝄞 ' \\ -- ";
const repository = "lab/report";

/** A row of every table, with every column. */
const rows: { readonly [T in keyof Tables]: Insertable<Tables[T]> } = {
  repository: { id: 7, name: "Lab/Report", config: '{"a":"\\u0000"}', rest: '{"standing":"active"}' },
  delivery: { number: 3, id: odd, repository: 7, installation: 2, news: "{}", received: start, done: 0 },
  host_rest: { host: "a.example", until: start, status: 429 },
  host_turn: { host: "a.example", at: start },
  robots: { product: "p", origin: "o", rules: "[]", read: start, etag: odd, modified: null },
  registry_answer: { question: odd, read: start, answer: "[]" },
  watch: {
    repository,
    source: odd,
    subject: "s",
    next: start,
    forgotten: 1,
    looked: 5,
    hurried: 6,
    past: 7,
    rest: "{}",
  },
  roster: { repository, digest: "d" },
  memory: { repository, source: odd, subject: "s", memory: `{"text":${JSON.stringify(odd)}}` },
  attempt: { repository, source: odd, began: start, died: 1 },
  snapshot: {
    id: 9,
    repository,
    source: odd,
    at: start,
    hash: "h",
    reader: 2,
    url: "u",
    status: 200,
    headers: "{}",
    body: new Uint8Array([0, 255, 16, 0]),
  },
  look: { id: 4, repository, source: odd, at: start, outcome: "changed", rest: "{}" },
  claim: { repository, claim: odd, status: "altered", rest: "{}" },
  event_sighting: { repository, key: odd, source: "a", product: null, seen: start, baseline: 1, event: "{}" },
  archived_change: { repository, source: "a", seen: start, rest: "{}" },
  recheck: {
    id: 11,
    repository,
    trigger: "t",
    state: "closed",
    marker: "m",
    issue: 12,
    attempted: 1,
    titled: odd,
    opened: 2,
    closed: 3,
    written: "w",
    reported: "t",
    refused: "{}",
    previous: null,
    snoozed: null,
    verdict: "{}",
    command: 4,
    gone: 1,
    pull: "{}",
  },
  firing: {
    id: 13,
    repository,
    trigger: "t",
    key: odd,
    weight: "routine",
    seen: 1,
    fired: 2,
    event: "{}",
    recheck: 11,
    reported: "routine",
    joined: 3,
  },
  evidence: { id: 14, repository, firing: 13, source: "a", digest: "d", seen: 1, rest: "{}" },
  answer: {
    id: 15,
    repository,
    recheck: 11,
    rating: "r",
    verdict: "keep",
    level: null,
    because: odd,
    by: "a",
    at: 1,
    settled: 2,
    comment: 3,
    pull: 4,
  },
  comment: { id: 16, repository, recheck: 11, issue: null, marker: "m", body: odd, attempted: null, done: 0 },
  creation: { id: 17, repository, at: 1 },
  message: { id: 18, repository, channel: "c", key: "k", state: "waiting", next: 1, attempted: null, rest: "{}" },
};
const tables = Object.keys(rows) as (keyof Tables)[];

describe.skipIf(noServer)(`carrying a store${noServer}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "recheck-move-"));
  let server: PostgresServer;
  let files = 0;
  let from: string;
  const newFile = () => join(folder, String(++files), "recheck.sqlite");

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    from = newFile();
    const database = await openStore(from);
    // Parents before what refers to them.
    for (const table of [...tables.filter((one) => one !== "evidence"), "evidence"] as const) {
      await database.rows
        .insertInto(table)
        .values(rows[table] as never)
        .execute();
    }
    const store = database.repository("lab/many");
    await store.touch(Array.from({ length: 1_200 }, (_, n) => watch(`s${n}`)));
    for (let n = 0; n < 3; n++) await store.commit((tx) => tx.keep(kept("a", { firings: [firing("t", `e ${n}`)] })));
    await database.close();
  });

  test("there and back, every row of every table is as it was", async () => {
    const address = await server.database();
    const there = await moveStore(from, address);
    expect(there.map(({ table }) => table).toSorted()).toEqual(tables.toSorted());
    expect(there.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(there.find(({ table }) => table === "watch")?.rows).toBe(1_202);
    const back = newFile();
    expect(await moveStore(address, back)).toEqual(there);
    const [first, last] = [await openStore(from), await openStore(back)];
    for (const table of tables) {
      const all = async (database: typeof first) =>
        (await database.rows.selectFrom(table).selectAll().execute())
          .map((row) => inspect(row, { sorted: true }))
          .toSorted();
      expect(await all(last)).toEqual(await all(first));
    }
    await first.close();
    await last.close();
  });

  test("numbers go on where they were, also those of rows that are gone", async () => {
    const before = await openStore(from);
    const gone = await before.repository("lab/many").openRecheck(recheck("gone"), []);
    await before.rows.deleteFrom("recheck").where("id", "=", gone).execute();
    await before.close();
    const address = await server.database();
    await moveStore(from, address);
    const back = newFile();
    await moveStore(address, back);
    for (const place of [address, back]) {
      const database = await openStore(place);
      expect(await database.repository("lab/many").openRecheck(recheck("next"), [])).toBe(gone + 1);
      await database.repository("lab/many").commit((tx) => tx.keep(kept("b", { firings: [firing("t", "new")] })));
      await database.close();
    }
  });

  test("a target that holds anything is refused, and left as it is", async () => {
    const address = await server.database();
    const database = await openStore(address);
    await database.repository("lab/theirs").touch([watch("a")]);
    await database.close();
    const message = /is not empty: name an empty one$/;
    await expect(moveStore(from, address)).rejects.toMatchObject({ kind: "exists", message });
    await expect(moveStore(address, from)).rejects.toMatchObject({ kind: "exists", message });
    const itself = / is the store itself: name another place$/;
    for (const [one, same] of [
      [from, relative(".", from)],
      [address, address],
    ] as const)
      await expect(moveStore(one, same)).rejects.toMatchObject({ kind: "exists", message: itself });
    const after = await openStore(address);
    expect(await after.repositories()).toEqual(["lab/theirs"]);
    await after.close();
  });

  test("one that fails half-way leaves nothing there, and is done again as if for the first time", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const run = (text: string) => asking(address, (client) => client.query(text));
    await run("alter table recheck.message add constraint no check (channel <> 'c')");
    await expect(moveStore(from, address)).rejects.toThrow();
    expect((await run("select 1 from recheck.watch")).rows).toEqual([]);
    await run("alter table recheck.message drop constraint no");
    expect(await moveStore(from, address)).toHaveLength(tables.length);
  });

  test.each(["from", "to"] as const)(
    "another Recheck that comes meanwhile, %s a database: nothing is carried",
    async (end) => {
      const address = await server.database();
      const back = newFile();
      if (end === "from") await moveStore(from, address);
      else await (await openStore(address)).close();
      await asking(address, async (client) => {
        const isWaiting = async () => (await client.query("select 1 from pg_locks where not granted")).rows.length > 0;
        await client.query("begin");
        await client.query("lock table recheck.message in access exclusive mode");
        const moving = end === "from" ? moveStore(address, back) : moveStore(from, address);
        const refused = expect(moving).rejects.toMatchObject({ kind: "locked" });
        await expect.poll(isWaiting).toBe(true);
        const other = await openStore(address);
        const written = other.repository("lab/late").touch([watch("a")]);
        await client.query("commit");
        await refused;
        await written;
        const repositories = await other.repositories();
        expect(repositories).toEqual(end === "from" ? expect.arrayContaining(["lab/late", "lab/many"]) : ["lab/late"]);
        await other.close();
      });
      if (end === "to") return;
      const empty = await openStore(back);
      expect(await empty.repositories()).toEqual([]);
      await empty.close();
    },
  );

  test("nothing is carried from an empty place, or from beside another Recheck", async () => {
    const address = await server.database();
    await expect(moveStore(newFile(), address)).rejects.toMatchObject({ kind: "missing" });
    await moveStore(from, address);
    const busy = await openStore(address);
    await busy.repositories();
    await expect(moveStore(address, newFile())).rejects.toMatchObject({ kind: "locked" });
    await busy.close();
    const file = await openStore(from);
    await expect(moveStore(from, await server.database())).rejects.toMatchObject({ kind: "locked" });
    await file.close();
  });
});
