import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { openPostgres } from "../../../src/adapters/store/postgres/open.ts";
import { asking, noOwnServer, type PostgresServer, startOwnPostgres, startWay } from "../../support/postgres.ts";
import { kept, watch } from "./samples.ts";

const place = (address: string) => new URL(address).host + new URL(address).pathname;
const kindOf = (error: { kind?: string }) => error.kind;
const as = (address: string, user: string, password = "") => {
  const url = new URL(address);
  Object.assign(url, { username: user, password });
  return url.href;
};

describe.skipIf(noOwnServer)(`a PostgreSQL server in trouble${noOwnServer}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startOwnPostgres();
  });
  afterAll(() => server.stop());

  test("down at the start: said in a sentence, without user or password", async () => {
    const address = as(await server.database(), "somebody", "secret");
    await server.end();
    try {
      const message = `the database at ${place(address)} does not answer`;
      const opening = openPostgres(address, { patience: 0 });
      await expect(opening).rejects.toMatchObject({ kind: "unreachable", message });
      await expect(openPostgres(address, { patience: 0, readonly: true })).rejects.toMatchObject({ message });
    } finally {
      await server.begin();
    }
  });

  test("up again within the time that it is waited for: nobody notices", async () => {
    const address = await server.database();
    await server.end();
    const opening = openPostgres(address);
    await server.begin();
    await (await opening).close();
  });

  test("a connection that is ended in a transaction loses that one as a whole, and the next one goes on", async () => {
    const address = await server.database();
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    await store.touch([watch("a")]);
    const broken = store.commit(async (tx) => {
      await tx.keep(kept("b"));
      const others = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'recheck'";
      await asking(address, (client) => client.query(others));
      await tx.keep(kept("c"));
    });
    const message = `the database at ${place(address)} ended the connection`;
    await expect(broken).rejects.toMatchObject({ kind: "unreachable", message });
    await store.commit((tx) => tx.keep(kept("d")));
    expect((await store.watches()).map(({ source }) => source)).toEqual(["a", "d"]);
    await database.close();
  });

  test("a connection on which nothing comes any more is given up, and the next one goes on", async () => {
    const address = await server.database();
    const way = await startWay(address);
    const database = await openPostgres(way.to(address), { longest: 2_000 });
    const store = database.repository("lab/report");
    await store.touch([watch("a")]);
    way.silence();
    const message = expect.stringContaining("does not answer");
    await expect(store.commit((tx) => tx.keep(kept("b")))).rejects.toMatchObject({ kind: "unreachable", message });
    await store.commit((tx) => tx.keep(kept("c")));
    expect((await store.watches()).map(({ source }) => source)).toEqual(["a", "c"]);
    await database.close();
    await way.close();
  });

  test("a connection on which nothing comes from its beginning is given up, and another one asked", async () => {
    const address = await server.database();
    const way = await startWay(address);
    way.silenceNext();
    await (await openPostgres(way.to(address), { longest: 2_000 })).close();
    await way.close();
  });

  test("a process that never heard that it got a repository can end, and another can have it", async () => {
    const address = await server.database();
    const way = await startWay(address);
    const database = await openPostgres(way.to(address), { longest: 2_000 });
    way.silence();
    await expect(database.own("lab/report")).rejects.toMatchObject({ kind: "unreachable" });
    await database.own("lab/report");
    await database.close();
    const other = await openPostgres(address);
    await other.own("lab/report");
    await other.close();
    await way.close();
  });

  test("reads of whole tables may take longer than other statements", async () => {
    const address = await server.database();
    const database = await openPostgres(address, { longest: 2_000 });
    const long = sql`select pg_sleep(3)`;
    const [alone] = await Promise.allSettled([database.alone(["watch"], async (tx) => void (await long.execute(tx)))]);
    expect(alone.status).toBe("fulfilled");
    await expect(long.execute(database.rows)).rejects.toMatchObject({ kind: "unreachable" });
    await database.close();
  });

  test("a server that crashes and comes back has what was committed, and takes what comes", async () => {
    const address = await server.database();
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    for (let n = 0; n < 20; n++) await store.commit((tx) => tx.keep(kept(`s${n}`)));
    await server.restart("fast");
    await store.touch([watch("after")]);
    expect(await store.watches()).toHaveLength(21);
    await database.close();
  });

  test("read-only, as a standby is: said, and reading goes on", async () => {
    const address = await server.database();
    const first = await openPostgres(address);
    await first.repository("lab/report").touch([watch("a")]);
    await first.registry.mayWrite();
    await first.close();
    const name = new URL(address).pathname.slice(1);
    await asking(address, (client) => client.query(`alter database ${name} set default_transaction_read_only = on`));
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    const message = `the database at ${place(address)} is read-only: it may be a standby`;
    await expect(store.touch([watch("b")])).rejects.toMatchObject({ kind: "read-only", message });
    await expect(database.registry.mayWrite()).rejects.toMatchObject({ kind: "read-only", message });
    expect(await store.watches()).toHaveLength(1);
    await database.close();
  });

  /** Has each row of a table that is written met by an error of this code, as a server raises it; counts them. */
  const meeting = async (address: string, code: string, only = ""): Promise<() => Promise<number>> => {
    const text = `create sequence recheck.met;
      create function recheck.meet() returns trigger language plpgsql as $$ begin
        if nextval('recheck.met') > 0 ${only} then raise exception 'met' using errcode = '${code}'; end if; return new;
      end $$;
      create trigger meet before insert on recheck.watch for each row execute function recheck.meet()`;
    await asking(address, (client) => client.query(text));
    const met = "select last_value from recheck.met";
    return async () => Number((await asking(address, (client) => client.query(met))).rows[0]?.last_value);
  };

  test.each([
    ["53100", "full", "there is no space left for the database at HERE"],
    ["25006", "read-only", "the database at HERE is read-only: it may be a standby"],
    [
      "57014",
      "busy",
      "the database at HERE cancelled a statement, by request or because it took longer than statement_timeout",
    ],
    ["55P03", "busy", "a lock in the database at HERE was held for longer than lock_timeout"],
    ["53200", "busy", "the database at HERE is out of memory"],
    ["58030", "unusable", "the disk of the database at HERE fails to read or write it"],
    ["XX001", "damaged", "the database at HERE is damaged"],
    ["40P01", "conflict", "a transaction in the database at HERE was undone because of another one"],
    ["40001", "conflict", "a transaction in the database at HERE was undone because of another one"],
  ])("error %s is reported, with nothing kept of the statement that met it", async (code, kind, says) => {
    const address = await server.database();
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    const met = await meeting(address, code);
    const message = says.replace("HERE", place(address));
    await expect(store.commit((tx) => tx.keep(kept("a")))).rejects.toMatchObject({ kind, message });
    expect([await met(), await store.watches()]).toEqual([kind === "conflict" ? 3 : 1, []]);
    await asking(address, (client) => client.query("drop trigger meet on recheck.watch"));
    await store.commit((tx) => tx.keep(kept("a")));
    expect(await store.watches()).toHaveLength(1);
    await database.close();
  });

  test("a transaction that another one was in the way of is done again as a whole", async () => {
    const address = await server.database();
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    const met = await meeting(address, "40P01", "and new.source = 'b' and currval('recheck.met') < 6");
    const done = await store.commit(async (tx) => {
      for (const source of ["a", "b"]) await tx.keep(kept(source));
      return (await tx.sightings([])).length;
    });
    expect([done, await met()]).toEqual([0, 6]);
    expect((await store.watches()).map(({ source }) => source)).toEqual(["a", "b"]);
    expect(await store.checks("a", 9)).toHaveLength(1);
    await database.close();
  });

  test("two that wait for each other: the one that the server undoes goes on once the other has ended", async () => {
    const address = await server.database();
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    await store.touch([watch("a"), watch("b")]);
    await asking(address, async (client) => {
      await client.query("begin; update recheck.watch set next = 1 where source = 'a'");
      const both = store.commit(async (tx) => {
        for (const source of ["b", "a"]) await tx.keep(kept(source));
      });
      const waits = "select 1 from pg_stat_activity where application_name = 'recheck' and wait_event_type = 'Lock'";
      await expect.poll(async () => (await client.query(waits)).rows.length).toBe(1);
      // On a busy machine the server may undo this one in place of the other.
      await client.query("update recheck.watch set next = 1 where source = 'b'").catch(() => {});
      await client.query("commit");
      await both;
    });
    expect(await store.checks("a", 9)).toHaveLength(1);
    await database.close();
  });

  test("a statement that takes longer than an administrator lets it is broken off, and goes through later", async () => {
    const address = await server.database();
    const name = new URL(address).pathname.slice(1);
    await (await openPostgres(address)).close();
    await asking(address, (client) => client.query(`alter database ${name} set statement_timeout = '200ms'`));
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    await asking(address, async (client) => {
      await client.query("begin; lock table recheck.watch in exclusive mode");
      await expect(store.touch([watch("a")])).rejects.toMatchObject({ kind: "busy" });
      await client.query("commit");
    });
    await store.touch([watch("a")]);
    expect(await store.watches()).toHaveLength(1);
    await database.close();
  });

  test("with any default isolation of the database, a process that waited for a lock sees the writes before it", async () => {
    const address = await server.database();
    const name = new URL(address).pathname.slice(1);
    await asking(address, (client) =>
      client.query(`alter database ${name} set default_transaction_isolation = serializable`),
    );
    const database = await openPostgres(address);
    const store = database.repository("lab/report");
    await Promise.all(Array.from({ length: 12 }, (_, n) => store.commit((tx) => tx.keep(kept(`s${n}`)))));
    expect(await store.watches()).toHaveLength(12);
    const { rows } = await sql`show transaction_isolation`.execute(database.rows);
    expect(rows).toEqual([{ transaction_isolation: "read committed" }]);
    await database.close();
  });

  test("handed over while its name led to the standby: connections from then are given up, and it is written to again", async () => {
    const address = await server.database();
    const name = new URL(address).pathname.slice(1);
    const beside = await server.database();
    const ask = (text: string) => asking(beside, (client) => client.query(text));
    const others = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'recheck'";
    const database = await openPostgres(address);
    const stores = ["one", "two", "three"].map((key) => database.repository(key));
    await ask(`alter database ${name} set default_transaction_read_only = on`);
    await ask(others);
    const touched = () => Promise.all(stores.map((store) => store.touch([watch("a")]).then(() => "kept", kindOf)));
    await expect.poll(touched).toEqual(["read-only", "read-only", "read-only"]);
    await ask(`alter database ${name} reset default_transaction_read_only`);
    expect(await touched()).toEqual(["kept", "kept", "kept"]);
    await database.close();
  });

  test("a process that hangs in the middle of a transaction loses it, and another goes on within half a minute", async () => {
    const address = await server.database();
    const [one, another] = [await openPostgres(address), await openPostgres(address)];
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const still = one.repository("lab/report").commit(async (tx) => {
      await tx.keep(kept("a"));
      begun.resolve();
      await goOn.promise;
      await tx.keep(kept("b"));
    });
    await begun.promise;
    const store = another.repository("lab/report");
    const late = sleep(30_000, "still waits");
    const keeping = store.commit((tx) => tx.keep(kept("c"))).then(() => "went on");
    expect(await Promise.race([keeping, late])).toBe("went on");
    goOn.resolve();
    expect(await still.catch(kindOf)).toBe("unreachable");
    expect((await store.watches()).map(({ source }) => source)).toEqual(["c"]);
    await one.repository("lab/report").touch([watch("d")]);
    await Promise.all([one.close(), another.close()]);
  });

  test("a machine that is gone without a word is missed within half a minute", async () => {
    const address = await server.database();
    const database = await openPostgres(address);
    const asked = sql<Record<string, string>>`select current_setting('tcp_keepalives_idle')::int
      + current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int as seconds`;
    const { rows } = await asked.execute(database.rows);
    expect(rows).toEqual([{ seconds: 30 }]);
    await database.close();
  });

  test("no rights, no such database, and a user that is not let in", async () => {
    const address = await server.database();
    await asking(address, (client) => client.query("create role guest login"));
    await expect(openPostgres(as(address, "guest"))).rejects.toMatchObject({
      kind: "refused",
      message: `this user lacks a permission in the database at ${place(address)}`,
    });
    await expect(openPostgres(as(address, "nobody"))).rejects.toMatchObject({
      kind: "refused",
      message: `the database at ${place(address)} refuses this user's login`,
    });
    const elsewhere = Object.assign(new URL(address), { pathname: "/nowhere" }).href;
    await expect(openPostgres(elsewhere)).rejects.toMatchObject({ kind: "unusable" });
  });

  test("a certificate that is not there is said at once, and is no server that does not answer", async () => {
    const address = `${await server.database()}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
    const message = `the database at ${place(address)} does not offer TLS in the way that DATABASE_URL requires`;
    await expect(openPostgres(address)).rejects.toMatchObject({ kind: "unusable", message });
  });

  test("a schema that an administrator made is used; one that holds something else is left alone", async () => {
    const address = await server.database();
    await asking(address, (client) => client.query("create schema recheck"));
    await (await openPostgres(address)).close();
    const other = await server.database();
    await asking(other, (client) => client.query("create schema recheck; create table recheck.theirs (a int)"));
    await expect(openPostgres(other)).rejects.toMatchObject({ kind: "foreign" });
  });

  test("no free connection: a request that waited long enough fails, and the others are not disturbed", async () => {
    const address = await server.database();
    const database = await openPostgres(address, { most: 1, patience: 200 });
    const [one, another] = [database.repository("one"), database.repository("another")];
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const long = one.commit(async (tx) => {
      await tx.keep(kept("a"));
      begun.resolve();
      await go.promise;
    });
    await begun.promise;
    const message = `the database at ${place(address)} has no free connection`;
    await expect(another.watches()).rejects.toMatchObject({ kind: "busy", message });
    go.resolve();
    await long;
    expect(await one.watches()).toHaveLength(1);
    await database.close();
  });

  test("a schema beyond what this program knows is refused; one that only added to it is worked on", async () => {
    const address = await server.database();
    await (await openPostgres(address)).close();
    const become = (version: number, least: number) =>
      asking(address, (client) => client.query(`update recheck.version set version = ${version}, least = ${least}`));
    await become(99, 1);
    const beside = await openPostgres(address);
    await beside.repository("lab/report").touch([watch("a")]);
    await beside.close();
    await become(99, 99);
    const opening = openPostgres(address);
    await expect(opening).rejects.toMatchObject({ kind: "newer" });
    await expect(openPostgres(address, { readonly: true })).rejects.toMatchObject({ kind: "newer" });
  });

  test("many that open a database at once make its tables once", async () => {
    const address = await server.database();
    const all = await Promise.all(Array.from({ length: 8 }, () => openPostgres(address)));
    await Promise.all(all.map((one, n) => one.repository(`lab/${n}`).touch([watch("a")])));
    expect(await all[0]?.repositories()).toHaveLength(8);
    await Promise.all(all.map((one) => one.close()));
  });

  test("a repository is one program's at a time, and the next knows which work died under way", async () => {
    const address = await server.database();
    const [first, second] = [await openPostgres(address), await openPostgres(address)];
    await first.own("lab/report");
    await first.repository("lab/report").attempt(["a"], 5);
    const message = `another Recheck is working for lab/report in ${place(address)}`;
    await expect(second.own("lab/report")).rejects.toMatchObject({ kind: "locked", message });
    await second.own("lab/other");
    await first.close();
    await expect.poll(() => second.own("lab/report").then(() => "ours")).toBe("ours");
    expect(await second.repository("lab/report").died()).toEqual([{ source: "a", began: 5 }]);
    await second.close();
  });

  const ask = async () => {};

  test("if two workers end one after the other, the repository that was under way both times is to blame", async () => {
    const address = await server.database();
    const [first, second, third] = [
      await openPostgres(address, { ask }),
      await openPostgres(address, { ask }),
      await openPostgres(address, { ask }),
    ];
    await first.repository("lab/report").attempt(["innocent", "ended", "deadly"], 5);
    const store = second.repository("lab/report");
    expect(await store.died()).toEqual([]);
    await store.attempt(["ended"], 6);
    await store.attempt(["deadly", "later"], 7, ["ended"]);
    expect(await third.repository("lab/report").died()).toEqual([{ source: "deadly", began: 7 }]);
    await third.repository("lab/report").attempt(["innocent", "later"], 8);
    await third.repository("lab/report").attempt([], 9);
    expect(await first.repository("lab/report").died()).toEqual([]);
    await Promise.all([first.close(), second.close(), third.close()]);
  });

  test("a process that lost its repository writes nothing any more", async () => {
    const address = await server.database();
    const database = await openPostgres(address);
    await database.own("lab/report");
    const others = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'recheck'";
    await asking(address, (client) => client.query(others));
    const store = database.repository("lab/report");
    await expect.poll(() => store.touch([watch("a")]).catch((error) => error.kind)).toBe("unreachable");
    await expect(store.touch([watch("a")])).rejects.toMatchObject({ kind: "unreachable" });
    await database.close();
  });

  test("only read: nothing is made if nothing was recorded", async () => {
    const address = await server.database();
    const message = `nothing is recorded in ${place(address)} yet`;
    await expect(openStore(address, { readonly: true })).rejects.toMatchObject({ kind: "missing", message });
    const made = await asking(address, (client) =>
      client.query("select 1 from pg_namespace where nspname = 'recheck'"),
    );
    expect(made.rows).toEqual([]);
  });
});
