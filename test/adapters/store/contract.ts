import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/adapters/store/store.ts";
import type { CheckResult, Store, StoredFiring } from "../../../src/model/ports/index.ts";
import { firingContract } from "./firings.ts";
import { modelContract } from "./model.ts";
import { outboxContract } from "./outbox.ts";
import { registryContract } from "./registry.ts";
import { check, day, evidence, firing, kept, recheck, sighting, snapshot, start, watch } from "./samples.ts";

/** A database that is empty at first. */
export interface Place {
  /** Called again after closing, it opens the same one where `lasts`. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** What a test works with: two repositories of one database. */
export interface Bench {
  readonly database: Database;
  readonly store: Store;
  readonly other: Store;
  keep(kept: CheckResult): Promise<void>;
  firing(trigger: string, key: string): Promise<StoredFiring>;
}

export async function bench(place: Place): Promise<Bench> {
  const database = await place.open();
  const store = database.repository("lab/report");
  return {
    database,
    store,
    other: database.repository("lab/other"),
    keep: (kept) => store.commit((tx) => tx.keep(kept)),
    async firing(trigger, key) {
      const found = (await store.firings()).find((one) => one.trigger === trigger && one.event.key === key);
      if (!found) throw new Error(`no firing of ${trigger} by ${key}`);
      return found;
    },
  };
}

/**
 * The rules that every implementation of Store must keep. `lasts`: what was committed is there after closing and opening again.
 * `runs`: so often it is held to its model.
 */
export function storeContract(
  name: string,
  lasts: boolean,
  newPlace: () => Promise<Place>,
  runs = lasts ? 30 : 80,
): void {
  describe(`store: ${name}`, () => {
    let place: Place;
    let it: Bench;
    beforeEach(async () => {
      place = await newPlace();
      it = await bench(place);
    });
    afterEach(async () => {
      await it.database.close();
      await place.remove();
    });

    watchContract(() => it);
    historyContract(() => it);
    transactionContract(() => it);
    firingContract(() => it);
    outboxContract(() => it);
    registryContract(() => it);
    modelContract(lasts, newPlace, runs);
    if (lasts)
      lastingContract(
        () => it,
        () => place,
      );
  });
}

function watchContract(it: () => Bench): void {
  test("a watch comes back as it was saved, soonest due first", async () => {
    const full = watch("b", {
      validators: { etag: '"1"', lastModified: "Sat, 16 May 2026 00:00:00 GMT", token: "digest" },
      hash: "abc",
      firstSeen: start,
      lastCheck: start,
      lastSeen: start,
      seenDays: "a5",
      next: start + 2 * day,
      checks: 7,
      unknown: 2,
      trouble: { kind: "timeout", says: "timed out", since: start, count: 2 },
      goneAt: [start],
      gone: true,
      pending: true,
      lastChange: start,
      proved: "digest",
    });
    await it().keep(kept("b", { watch: full }));
    await it().store.touch([watch("a")]);
    expect(await it().store.watches()).toEqual([watch("a"), full]);
  });

  test("watches are found by name, by when they are due, and by when an archive is asked for their past", async () => {
    const { store, other } = it();
    const past = (next: number) => ({ tries: 0, next });
    await store.touch([
      watch("a", { next: start + 3, lastCheck: start - 2 }),
      watch("b", { next: start + 1, lastCheck: start - 1, past: past(start + 9), claimsPast: past(start + 5) }),
      watch("c", { next: start + 2, past: { tries: 1 } }),
      watch("far", { next: start + 400 * day, lastCheck: start + 300 * day }),
      watch("gone", { next: start, lastCheck: start, past: past(start) }),
    ]);
    await store.forget(["gone"]);
    await other.touch([watch("a", { next: start, lastCheck: start, past: past(start) })]);
    const names = (found: readonly { source: string }[]) => found.map(({ source }) => source);
    expect(names(await store.watches(["c", "a", "gone", "none"]))).toEqual(["c", "a"]);
    expect(await store.watches([])).toEqual([]);
    expect(names(await store.dueWatches(start + 2, start + day))).toEqual(["b", "c", "far"]);
    expect(names(await store.dueWatches(start, start + 301 * day))).toEqual([]);
    expect(names(await store.pastWatches(start + 4))).toEqual([]);
    expect(names(await store.pastWatches(start + 5))).toEqual(["b"]);
    expect(await store.lastCheck(start)).toBe(start - 1);
    expect(await store.lastCheck(start - 2)).toBe(start - 2);
    expect(await store.lastCheck(start - 3)).toBeUndefined();
    await store.touch([watch("b", { next: start + day })]);
    expect(names(await store.pastWatches(start + 5))).toEqual([]);
  });

  test("a source's first audit is due until it is noted as done, or as due later", async () => {
    const { store, other } = it();
    await store.touch([
      watch("a", { audit: start }),
      watch("b", { audit: start }),
      watch("c", { audit: start + 9 }),
      watch("old"),
      watch("gone", { audit: start }),
    ]);
    await store.forget(["gone"]);
    await other.touch([watch("a", { audit: start })]);
    expect((await store.auditsDue(start)).sort()).toEqual(["a", "b"]);
    await store.commit(async (tx) => {
      await tx.noteAudit(["a"], undefined);
      await tx.noteAudit(["b"], start + 5);
      await tx.noteAudit([], undefined);
    });
    expect(await store.auditsDue(start + 4)).toEqual([]);
    expect((await store.auditsDue(start + 9)).sort()).toEqual(["b", "c"]);
    expect((await store.watches(["a", "b"])).map(({ audit }) => audit)).toEqual([undefined, start + 5]);
    expect(await other.auditsDue(start)).toEqual(["a"]);
  });

  test("the digest of a config whose sources are all watched is each repository's own", async () => {
    const { store, other } = it();
    expect(await store.roster()).toBeUndefined();
    await store.saveRoster("one");
    await store.saveRoster("two");
    expect([await store.roster(), await other.roster()]).toEqual(["two", undefined]);
  });

  test("touch replaces what it names and leaves memory and other watches alone", async () => {
    await it().keep(kept("a", { memory: '{"a":1}' }));
    await it().keep(kept("b"));
    await it().store.touch([watch("a", { checks: 2, trouble: undefined, next: start })]);
    expect(await it().store.watches()).toEqual([watch("a", { checks: 2, next: start }), watch("b")]);
    expect(await it().store.memory("a")).toBe('{"a":1}');
  });

  test("touch takes thousands, and none", async () => {
    const many = Array.from({ length: 3_001 }, (_, index) => watch(`s${index}`, { next: start + index }));
    await it().store.touch(many);
    expect(await it().store.watches()).toEqual(many);
    await it().store.touch([]);
    expect(await it().store.watches()).toHaveLength(3_001);
  });

  test("memory is left as it was if a kept check has none", async () => {
    await it().keep(kept("a", { memory: "1" }));
    await it().keep(kept("a"));
    expect(await it().store.memory("a")).toBe("1");
    expect(await it().store.memory("b")).toBeUndefined();
  });

  test("memory is stored in less than half its bytes, and read as an older version stored it", async () => {
    const { database, store } = it();
    const memory = JSON.stringify({
      blocks: Array.from({ length: 500 }, (_, at) => ({ text: `The wren \u0000 sang ${at} songs` })),
    });
    await it().keep(kept("a", { memory }));
    expect(await store.memory("a")).toBe(memory);
    const [row] = await database.rows.selectFrom("memory").selectAll().execute();
    expect(row?.memory.length).toBeLessThan(memory.length / 2);
    await database.rows.updateTable("memory").set({ memory }).execute();
    expect(await store.memory("a")).toBe(memory);
  });

  test("a source whose subject changed has no memory of the old one", async () => {
    await it().keep(kept("a", { memory: "old" }));
    await it().store.touch([watch("a", { subject: "page https://example.org/elsewhere" })]);
    expect(await it().store.memory("a")).toBeUndefined();
  });

  describe("a check that is asked for", () => {
    const soon = start + day;
    const dueOf = async () =>
      Object.fromEntries((await it().store.watches()).map(({ source, next }) => [source, next]));
    const hurry = (sources: string[], at: number) => it().store.commit((tx) => tx.hurry(sources, at));

    test("while one is under way is due once that one is kept, by whichever way, once", async () => {
      const { store, other } = it();
      await store.touch(["a", "b", "c"].map((id) => watch(id, { lastCheck: start - day, next: start })));
      await other.touch([watch("a", { lastCheck: start, next: soon })]);
      await hurry(["a", "b"], start + 2);
      const began = { lastCheck: start + 1, next: soon };
      await store.touch([watch("a", began), watch("c", began)]);
      await it().keep(kept("b", { watch: watch("b", began) }));
      expect(await dueOf()).toEqual({ a: start + 2, b: start + 2, c: soon });
      const again = { lastCheck: start + 3, next: soon };
      await store.touch([watch("a", again), watch("b", again)]);
      expect(await dueOf()).toEqual({ a: soon, b: soon, c: soon });
      expect((await other.watches()).map(({ next }) => next)).toEqual([soon]);
    });

    test("is done by one that began since, however late it is heard of", async () => {
      const { store } = it();
      await store.touch([
        watch("a", { lastCheck: start + 1, next: soon }),
        watch("b", { lastCheck: start, next: soon }),
      ]);
      await hurry(["a", "b"], start);
      expect(await dueOf()).toEqual({ a: soon, b: start });
    });

    test("and is put off is asked for no more", async () => {
      const { store } = it();
      const before = { lastCheck: start - day };
      await store.touch([watch("a", { ...before, next: soon })]);
      await hurry(["a"], start);
      await store.touch([watch("a", { ...before, next: soon })]);
      expect(await dueOf()).toEqual({ a: start });
      await store.touch([watch("a", { ...before, next: soon })]);
      expect(await dueOf()).toEqual({ a: soon });
    });
  });

  test("forgotten sources are not watched, but their rows stay", async () => {
    await it().keep(kept("a", { snapshot: snapshot("a") }));
    await it().store.touch([watch("b")]);
    await it().store.forget(["a", "never seen"]);
    expect(await it().store.watches()).toEqual([watch("b")]);
    expect(await it().store.snapshots("a", 9)).toHaveLength(1);
    await it().store.touch([watch("a")]);
    expect(await it().store.watches()).toHaveLength(2);
  });

  test("half a year after their last check nothing is kept of the forgotten but what was told of them", async () => {
    const { store, other } = it();
    const of = (name: string, at: number, seen: number) =>
      kept(name, {
        watch: watch(name, { lastCheck: at }),
        check: check(name, at),
        memory: "{}",
        snapshot: { ...snapshot(name), at: seen },
        events: [
          { key: `event of ${name}`, source: name, seen: at, baseline: true, event: { key: `event of ${name}` } },
        ],
      });
    await it().keep(of("told", start, start));
    await it().keep({
      ...of("told", start, start + 1),
      firings: [firing("t", "e", { evidence: [evidence("told", start)] })],
    });
    await it().keep(of("late", start + 2 * day, start));
    await it().keep(of("watched", start, start));
    await other.touch([watch("told", { lastCheck: start })]);
    await other.forget(["told"]);
    await store.forget(["told", "late"]);
    const rows = async (name: string) => [
      (await store.snapshots(name, 9)).map(({ at }) => at - start),
      (await store.checks(name, 9)).length,
      (await store.events(name)).length,
    ];
    await it().keep(of("new", start + 180 * day, start));
    expect(await rows("told")).toEqual([[1, 0], 2, 1]);
    await it().keep(of("new", start + 180 * day + 1, start));
    expect(await rows("told")).toEqual([[0], 0, 1]);
    expect(await rows("late")).toEqual([[0], 1, 1]);
    expect(await rows("watched")).toEqual([[0], 1, 1]);
    expect(await store.firings()).toMatchObject([{ trigger: "t", evidence: [{ source: "told" }] }]);
    await store.touch([watch("told"), watch("late", { lastCheck: start + 2 * day })]);
    expect([await store.memory("told"), await store.memory("late")]).toEqual([undefined, "{}"]);
    await other.touch([watch("told", { lastCheck: start })]);
    expect(await other.watches()).toHaveLength(1);
  });

  test("a source that is renamed takes all along that is remembered of it", async () => {
    const { store, other } = it();
    const of = (source: string, claim: string) =>
      firing("t", "e", {
        evidence: [
          evidence(source, start, { claim, condition: { kind: "link", source, when: ["gone"] } }),
          evidence("b", start, { claim, part: "until" }),
        ],
      });
    const all = {
      memory: "{}",
      snapshot: snapshot("a"),
      claims: [{ claim: "a/c", status: "supported", since: start } as const],
      events: [sighting("e", "a")],
      firings: [of("a", "a/c")],
    };
    await it().keep(kept("z", { ...all, snapshot: snapshot("z"), firings: [] }));
    await it().keep(kept("a", all));
    await other.commit((tx) => tx.keep(kept("a", all)));
    await store.rename("a", "z");
    expect((await store.watches()).map(({ source }) => source)).toEqual(["z"]);
    expect(await store.memory("z")).toBe("{}");
    expect([(await store.checks("z", 9)).length, (await store.snapshots("z", 9)).length]).toEqual([1, 1]);
    expect(await store.claims()).toEqual([{ claim: "z/c", status: "supported", since: start }]);
    expect(await store.events("z")).toEqual([sighting("e", "z")]);
    expect((await store.firings()).map((one) => one.evidence)).toEqual([of("z", "z/c").evidence]);
    expect(await store.checks("a", 9)).toEqual([]);
    expect((await other.watches()).map(({ source }) => source)).toEqual(["a"]);
    expect((await other.claims()).map(({ claim }) => claim)).toEqual(["a/c"]);
  });

  test("a source that takes the id of another one keeps the evidence once that both gave", async () => {
    const { store, other } = it();
    const change = { kind: "fact", name: "version", after: "2.0" } as const;
    const altered = (claim: string) => ({ kind: "claim", claim, from: "supported", to: "altered" }) as const;
    const both = firing("t", "e", {
      evidence: [
        evidence("news", start),
        evidence("releases", start + 1),
        evidence("releases", start + 2, { change }),
        evidence("b", start + 3, { change: altered("news/c") }),
        evidence("b", start + 4, { change: altered("releases/c") }),
        evidence("news", start + 5, { change: altered("releases/d") }),
        evidence("releases", start + 6, { change: altered("releases/d") }),
      ],
    });
    const one = firing("t", "another", { evidence: [evidence("releases", start)] });
    for (const each of [store, other]) {
      await each.commit((tx) => tx.keep(kept("releases", { firings: [both, one] })));
    }
    await store.forget(["news"]);
    await store.rename("releases", "news");
    expect((await it().firing("t", "e")).evidence).toEqual([
      evidence("news", start),
      evidence("news", start + 2, { change }),
      evidence("b", start + 3, { change: altered("news/c") }),
      evidence("news", start + 5, { change: altered("news/d") }),
    ]);
    expect((await it().firing("t", "another")).evidence).toEqual([evidence("news", start)]);
    expect((await store.watches()).map(({ source }) => source)).toEqual(["news"]);
    expect((await other.firings()).map((found) => found.evidence)).toEqual([both.evidence, one.evidence]);
    await it().keep(kept("news", { firings: [firing("t", "e", { evidence: [evidence("news", start + 9)] })] }));
    expect((await it().firing("t", "e")).evidence).toHaveLength(4);
  });
}

function historyContract(it: () => Bench): void {
  test("a snapshot comes back byte for byte", async () => {
    const body = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251);
    const one = snapshot("a");
    const whole = { ...one, response: { ...one.response, status: 404, body } };
    await it().keep(kept("a", { snapshot: whole }));
    const [found] = await it().store.snapshots("a", 1);
    expect(found).toEqual(whole);
    expect(Object.getPrototypeOf(found?.response.body)).toBe(Uint8Array.prototype);
  });

  test("an empty body is a body", async () => {
    await it().keep(kept("a", { snapshot: snapshot("a", start, "") }));
    expect(await it().store.snapshots("a", 1)).toEqual([snapshot("a", start, "")]);
  });

  test("checks come newest first, with what they saw", async () => {
    const noisy = check("a", start + 1, {
      outcome: "unknown",
      failure: { kind: "timeout", says: "timed out", since: start, count: 1 },
      sightings: [
        { change: { kind: "link", to: "moved", address: "https://example.org/\0\u202e☃" }, since: start, asks: [] },
      ],
      noise: [{ change: { kind: "fact", name: "stars", after: "2" }, reason: "moves at every check" }],
    });
    await it().keep(kept("a"));
    await it().keep(kept("a", { check: noisy }));
    expect(await it().store.checks("a", 9)).toEqual([noisy, check("a")]);
    expect(await it().store.checks("a", 1)).toEqual([noisy]);
    expect(await it().store.checks("a", 1, "seen")).toEqual([check("a")]);
  });

  test("the newest 500 checks of each source are kept", async () => {
    await it().keep(kept("b"));
    await it().store.commit(async (tx) => {
      for (let at = 0; at < 520; at++) await tx.keep(kept("a", { check: check("a", at) }));
    });
    const checks = await it().store.checks("a", 1_000);
    expect(checks.map((one) => one.at)).toEqual(Array.from({ length: 500 }, (_, index) => 519 - index));
    expect(await it().store.checks("b", 9)).toHaveLength(1);
  });

  test("the newest 20 snapshots are kept, and every one in which a firing's evidence was seen", async () => {
    await it().keep(kept("b", { snapshot: snapshot("b", 0) }));
    for (let at = 0; at < 50; at++) {
      const fired = at === 3 ? [firing("t", "e", { evidence: [evidence("a", 3), evidence("b", 4)] })] : [];
      await it().keep(kept("a", { snapshot: snapshot("a", at), firings: fired }));
    }
    const times = (await it().store.snapshots("a", 100)).map((one) => one.at);
    expect(times).toEqual([...Array.from({ length: 20 }, (_, index) => 49 - index), 3]);
    expect(await it().store.snapshots("b", 9)).toHaveLength(1);
  });

  test("claims are found by their sources, and by how they stand", async () => {
    const { store, other } = it();
    const state = (claim: string, status: "supported" | "not found") => ({ claim, status, since: start }) as const;
    const claims = [state("a/x", "supported"), state("a/b/y", "not found"), state("ab/x", "not found")];
    await it().keep(kept("a", { claims }));
    await other.commit((tx) => tx.keep(kept("a", { claims: [state("a/other", "not found")] })));
    const names = (found: readonly { claim: string }[]) => found.map(({ claim }) => claim).sort();
    expect(names(await store.claims(["a"]))).toEqual(["a/b/y", "a/x"]);
    expect(names(await store.claims(["ab", "b"]))).toEqual(["ab/x"]);
    expect(names(await store.claims([]))).toEqual([]);
    expect(names(await store.claimsThatAre("not found"))).toEqual(["a/b/y", "ab/x"]);
    expect(await store.claimsThatAre("gone")).toEqual([]);
  });

  test("a claim's newest state stands", async () => {
    const altered = { claim: "a/x", status: "altered", since: start + 1, found: "new", before: "old" } as const;
    await it().keep(kept("a", { claims: [{ claim: "a/x", status: "supported", since: start, found: "old" }] }));
    await it().keep(kept("a", { claims: [altered, { claim: "a/y", status: "gone", since: start }] }));
    const states = [altered, { claim: "a/y", status: "gone", since: start }];
    expect(await it().store.claims()).toEqual(states);
    expect(await it().store.commit((tx) => tx.claims(["a"]))).toEqual(states);
  });
}

function transactionContract(it: () => Bench): void {
  test("an exception leaves nothing behind", async () => {
    const whole = kept("a", {
      memory: "1",
      snapshot: snapshot("a"),
      claims: [{ claim: "a/x", status: "gone", since: start }],
      events: [sighting("e", "a")],
      firings: [firing("t", "e", { evidence: [evidence("a")] })],
    });
    const failing = it().store.commit(async (tx) => {
      await tx.keep(whole);
      expect(await tx.firingsOf(["e"])).toHaveLength(1);
      throw new Error("the reading was odd");
    });
    await expect(failing).rejects.toThrow("the reading was odd");
    const { store } = it();
    expect(await Promise.all([store.watches(), store.claims(), store.firings(), store.events("a")])).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(await Promise.all([store.memory("a"), store.snapshots("a", 9), store.checks("a", 9)])).toEqual([
      undefined,
      [],
      [],
    ]);
    await it().keep(whole);
    expect(await store.firings()).toHaveLength(1);
  });

  test("commits run one after another, and readers see none of them half-way", async () => {
    const order: string[] = [];
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
    const commit = (name: string) =>
      it().store.commit(async (tx) => {
        order.push(`${name} begins`);
        await tx.keep(kept(name));
        await pause();
        await tx.keep(kept(`${name}2`));
        order.push(`${name} ends`);
        return name;
      });
    const first = commit("a");
    const second = commit("b");
    await pause();
    const between = await it().store.watches();
    expect(between.length % 2).toBe(0);
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
    // Connections of a database may get their turn in any order.
    const [begun = ""] = order;
    const [one, other] = begun.startsWith("a") ? ["a", "b"] : ["b", "a"];
    expect(order).toEqual([`${one} begins`, `${one} ends`, `${other} begins`, `${other} ends`]);
    expect(await it().store.watches()).toHaveLength(4);
  });

  test("the store within its own commit is an error, not a standstill", async () => {
    const nested = it().store.commit(async () => it().other.watches());
    await expect(nested).rejects.toThrow("only its own transaction");
    expect(await it().store.watches()).toEqual([]);
  });

  test("one repository never sees another's rows", async () => {
    const mine = kept("a", {
      memory: "mine",
      snapshot: snapshot("a"),
      claims: [{ claim: "a/x", status: "gone", since: start }],
      events: [sighting("e", "a", { event: { key: "e", product: "p" } })],
      firings: [firing("t", "e", { evidence: [evidence("a")] })],
    });
    await it().keep(mine);
    const { store, other, keep } = it();
    const theirs = (await it().firing("t", "e")).id;
    const id = await store.openRecheck(recheck("t"), [theirs]);
    await store.addComment({ recheck: id, marker: "m", body: "b", done: false });
    await store.countCreation(start);
    expect(
      await Promise.all([
        other.watches(),
        other.memory("a"),
        other.snapshots("a", 9),
        other.checks("a", 9),
        other.claims(),
        other.firings(),
        other.events("a"),
        other.rechecks(),
        other.comments(false),
        other.creations(0),
        other.commit(async (tx) => [
          ...(await tx.sightings(["e"])),
          ...(await tx.sightingsOf("p")),
          ...(await tx.firingsOf(["e"])),
          ...(await tx.claims(["a"])),
        ]),
      ]),
    ).toEqual([[], undefined, [], [], [], [], [], [], [], 0, []]);

    await expect(other.joinRecheck(id, [], start)).rejects.toThrow("no recheck");
    await expect(other.updateRecheck(id, { command: 1 })).rejects.toThrow("no recheck");
    await expect(other.updateComment(1, { done: true })).rejects.toThrow("no comment");
    await expect(other.openRecheck(recheck("t"), [theirs])).rejects.toThrow("has not all");
    expect(await other.rechecks()).toEqual([]);

    await other.commit((tx) => tx.keep(mine));
    await other.forget(["a"]);
    await keep(kept("a", { memory: "mine still" }));
    expect([await store.watches(), await other.watches()]).toEqual([[watch("a")], []]);
    expect([await store.memory("a"), await other.memory("a")]).toEqual(["mine still", "mine"]);
    expect([await store.checks("a", 9), await other.checks("a", 9)].map((checks) => checks.length)).toEqual([2, 1]);
  });
}

function lastingContract(it: () => Bench, place: () => Place): void {
  test("everything is there after closing and opening again", async () => {
    const { store, database } = it();
    await it().keep(
      kept("a", {
        memory: "1",
        snapshot: snapshot("a"),
        claims: [{ claim: "a/x", status: "gone", since: start }],
        events: [sighting("e", "a")],
        firings: [firing("t", "e", { evidence: [evidence("a")] })],
      }),
    );
    const id = await store.openRecheck(recheck("t"), [(await it().firing("t", "e")).id]);
    await store.addComment({ recheck: id, marker: "m", body: "b", done: false });
    await store.countCreation(start);
    const all = (of: Store) =>
      Promise.all([
        of.watches(),
        of.memory("a"),
        of.snapshots("a", 9),
        of.checks("a", 9),
        of.claims(),
        of.firings(),
        of.events("a"),
        of.rechecks(),
        of.comments(false),
        of.creations(0),
      ]);
    const before = await all(store);
    await database.close();
    const again = await place().open();
    try {
      expect(await all(again.repository("lab/report"))).toEqual(before);
    } finally {
      await again.close();
    }
  });

  test("a closed database refuses work", async () => {
    await it().database.close();
    await expect(it().store.watches()).rejects.toThrow();
    await expect(it().keep(kept("a"))).rejects.toThrow();
    await it().database.close();
  });

  test("closing waits for the work that has begun", async () => {
    const work = it().keep(kept("a"));
    await it().database.close();
    await work;
    const again = await place().open();
    try {
      expect(await again.repository("lab/report").watches()).toEqual([watch("a")]);
    } finally {
      await again.close();
    }
  });
}
