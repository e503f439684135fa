import { expect, test } from "vitest";
import type { RepositoryState, Store } from "../../../src/model/ports/index.ts";
import type { Bench } from "./contract.ts";
import { comment, day, firing, kept, recheck, start, watch } from "./samples.ts";

function repository(change: Partial<RepositoryState> = {}): RepositoryState {
  return { id: 7, name: "lab/report", installation: 1, standing: "active", since: start, stale: true, ...change };
}

const config = { commit: "abc", folder: "", files: [{ path: "sources.yaml", text: "report: {}\n" }] } as const;

const save = ({ registry }: Bench["database"], state: RepositoryState) => registry.revise(state.id, () => state);

/** Answers, repositories and deliveries. */
export function registryContract(it: () => Bench): void {
  restContract(it);
  const askedIn = async (store: Store) => {
    await store.commit((tx) => tx.keep(kept("a", { firings: [firing("t", "one")] })));
    const [{ id } = { id: 0 }] = await store.firings();
    return store.openRecheck(recheck("t"), [id]);
  };
  const asked = () => askedIn(it().store);
  const answer = (recheck: number, rating: string) =>
    ({ recheck, rating, verdict: "change", level: "High", because: "it runs", by: "author", at: start }) as const;

  const textsOf = async (database: Bench["database"]) => {
    const tables = ["answer", "recheck", "comment", "message", "delivery"] as const;
    return JSON.stringify(
      await Promise.all(tables.map((table) => database.rows.selectFrom(table).selectAll().execute())),
    );
  };
  const answered = async () => {
    const { store, database } = it();
    const id = await asked();
    await store.commit(async (tx) => {
      await tx.addAnswers([
        { ...answer(id, "a"), by: "Wren-7", because: "a wren sang" },
        { ...answer(id, "b"), by: "wren", at: start + 2 * day },
      ]);
      const verdict = { kind: "dismiss", because: "a wren sang", by: "wren-7" } as const;
      await tx.updateRecheck(id, { state: "closed", closed: start, issue: 1, verdict });
      await tx.say({ ...comment(id, "done"), body: "Kept by `wren-7`: a wren sang", done: true, planned: start });
      await tx.say({ ...comment(id, "waits"), body: "`wren-7` and `wren`", done: false, planned: start + 2 * day });
    });
    await database.registry.receive({
      id: "guid",
      repository: 7,
      installation: 1,
      news: JSON.stringify({ by: "wren-7" }),
      received: start,
    });
    return { store, database };
  };

  test("a person is erased by their login: name and reasons, and of nobody else", async () => {
    const { store, database } = await answered();
    expect(await database.registry.forgetPeople({ login: "wren-7" })).toBe(5);
    const texts = await textsOf(database);
    expect(texts).not.toMatch(/wren-7|a wren sang/i);
    const [a, b] = await store.answers();
    expect(a).toMatchObject({ by: "ghost", rating: "a", verdict: "change", level: "High" });
    expect(a).not.toHaveProperty("because");
    expect(b).toMatchObject({ by: "wren", because: "it runs" });
    expect(await store.rechecks()).toMatchObject([{ verdict: { kind: "dismiss", by: "ghost", because: "(erased)" } }]);
    expect(await store.comments(false)).toMatchObject([{ body: "`ghost` and `wren`" }]);
    expect(await database.registry.forgetPeople({ login: "wren-7" })).toBe(0);
  });

  test("names and reasons that are older than a time are erased, and later ones are kept", async () => {
    const { store, database } = await answered();
    await database.registry.forgetPeople({ before: start + day });
    expect((await store.answers()).map(({ by }) => by)).toEqual(["ghost", "wren"]);
    expect(await store.comments(false)).toMatchObject([{ body: "`wren-7` and `wren`" }]);
    expect(JSON.stringify([await store.comments(true), await store.rechecks()])).not.toContain("wren");
  });

  test("a repository is erased by its name at once, and its neighbour stays", async () => {
    const { store, database } = await answered();
    const { other } = it();
    await other.commit((tx) => tx.keep(kept("a")));
    expect(await database.erase("lab/report")).toBe(true);
    expect([await store.watches(), await store.answers(), await store.rechecks()]).toEqual([[], [], []]);
    expect(await other.watches()).toHaveLength(1);
    expect(await database.erase("lab/report")).toBe(false);
    await save(database, repository());
    await database.repository("7").commit((tx) => tx.keep(kept("a")));
    expect(await database.erase("LAB/report")).toBe(true);
    expect([await database.registry.repository(7), await database.repository("7").watches()]).toEqual([undefined, []]);
  });

  test("answers are kept, settled and withdrawn, together with what else a delivery brings about", async () => {
    const { store, database, other } = it();
    const id = await asked();
    await database.registry.receive({ id: "guid", repository: 7, installation: 1, news: "{}", received: start });
    const failing = store.commit(async (tx) => {
      await tx.addAnswers([answer(id, "a")]);
      await tx.finish("guid");
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect([await store.answers(), (await database.registry.deliveries()).length]).toEqual([[], 1]);
    await store.commit(async (tx) => {
      await tx.addAnswers([answer(id, "a"), { ...answer(id, "b"), at: start - 1 }]);
      await tx.updateRecheck(id, { state: "open", issue: 1, snoozed: "next-event" });
      await tx.say(comment(id, "m"));
      await tx.say(comment(id, "m"));
      await tx.finish("guid");
    });
    expect(await database.registry.deliveries()).toEqual([]);
    const [b, a] = await store.answers();
    expect([b, a]).toMatchObject([{ ...answer(id, "b"), at: start - 1 }, answer(id, "a")]);
    expect(await store.rechecks()).toMatchObject([{ snoozed: "next-event" }]);
    expect(await store.comments(false)).toHaveLength(1);
    await other.commit((tx) => tx.withdrawAnswers([a?.id ?? 0]));
    await store.commit(async (tx) => {
      await tx.settleAnswers([b?.id ?? 0], start + 5);
      await tx.withdrawAnswers([a?.id ?? 0]);
    });
    expect(await store.answers()).toMatchObject([{ rating: "b", settled: start + 5 }]);
    await other.commit((tx) => tx.suspend([b?.id ?? 0], 9));
    expect(await store.suspendedAnswers()).toEqual([]);
    await store.commit((tx) => tx.suspend([b?.id ?? 0], 9));
    expect(await store.answers()).toEqual([]);
    expect(await store.suspendedAnswers()).toMatchObject([{ rating: "b", suspendedBy: 9, settled: start + 5 }]);
    await store.commit((tx) => tx.suspend([b?.id ?? 0], undefined));
    expect([await store.answers(), await store.suspendedAnswers()]).toMatchObject([[{ rating: "b" }], []]);
    await expect(other.commit((tx) => tx.addAnswers([answer(id, "c")]))).rejects.toThrow("no recheck");
  });

  test("sources are made due at once, and others left", async () => {
    const { store } = it();
    await store.touch([watch("a"), watch("b"), watch("c", { next: start - 1 })]);
    await store.commit((tx) => tx.hurry(["a", "c"], start));
    const next = (await store.watches()).map((one) => [one.source, one.next]);
    expect(next).toEqual([
      ["c", start - 1],
      ["a", start],
      ["b", watch("b").next],
    ]);
  });

  test("a host's rest is kept for all repositories, the last one of each, until it is over", async () => {
    const { hosts } = it().database;
    expect(await hosts.rests(start)).toEqual([]);
    await hosts.saveRest({ host: "a.example", until: start, status: 429 }, start);
    await hosts.saveRest({ host: "b.example", until: start + 1, status: 503 }, start);
    await hosts.saveRest({ host: "a.example", until: start + 2, status: 503 }, start);
    const rests = async () => (await hosts.rests(start)).toSorted((a, b) => a.until - b.until);
    expect(await rests()).toEqual([
      { host: "b.example", until: start + 1, status: 503 },
      { host: "a.example", until: start + 2, status: 503 },
    ]);
    await hosts.forget(start + 1);
    expect(await rests()).toEqual([{ host: "a.example", until: start + 2, status: 503 }]);
  });

  test("turns are those of the last run, and rules of robots.txt are kept by program and origin for a month", async () => {
    const { hosts } = it().database;
    await hosts.saveTurns([{ host: "a.example", at: start }]);
    await hosts.saveTurns([{ host: "b.example", at: start + 1 }]);
    expect(await hosts.turns()).toEqual([{ host: "b.example", at: start + 1 }]);
    const rules = {
      product: "Recheck",
      origin: "https://a.example",
      rules: "[1]",
      read: start,
      validators: { etag: "e" },
    };
    await hosts.saveRobots(rules);
    await hosts.saveRobots({ ...rules, product: "Other", validators: { lastModified: "l" } });
    await hosts.saveRobots({ ...rules, rules: "[2]", read: start + 1 });
    expect(await hosts.robots("Recheck", "https://a.example")).toEqual({ ...rules, rules: "[2]", read: start + 1 });
    expect((await hosts.robots("Other", "https://a.example"))?.validators).toEqual({ lastModified: "l" });
    expect(await hosts.robots("Recheck", "https://b.example")).toBeUndefined();
    await hosts.forget(start + 31 * 86_400_000);
    expect(await hosts.robots("Other", "https://a.example")).toBeUndefined();
    expect(await hosts.robots("Recheck", "https://a.example")).toBeDefined();
  });

  test("answers of registries are kept for all repositories, the last one of each, for a month", async () => {
    const { answers, hosts } = it().database;
    const one = { question: "a", read: start, answer: '"x"' };
    await answers.saveAnswers([one, { ...one, question: "b" }, { ...one, question: "b", answer: '"y"' }]);
    await answers.saveAnswers([{ ...one, read: start + 1, answer: '"z"' }]);
    await answers.saveAnswers([]);
    const all = async () =>
      (await answers.answers(["b", "a", "c", "a"])).toSorted((x, y) => x.question.localeCompare(y.question));
    expect(await all()).toEqual([
      { question: "a", read: start + 1, answer: '"z"' },
      { question: "b", read: start, answer: '"y"' },
    ]);
    expect(await answers.answers([])).toEqual([]);
    await hosts.forget(start + 31 * 86_400_000);
    expect((await all()).map(({ question }) => question)).toEqual(["a"]);
  });

  test("a repository is kept as a whole, changed in parts, and found by its number under another name", async () => {
    const { database } = it();
    const store = database.repository(7);
    const { registry } = database;
    await save(database, repository({ config, setUp: { marker: "m", branch: "recheck/set-up", searched: "abc" } }));
    await save(database, repository({ id: 8, name: "lab/another" }));
    await registry.revise(8, (known) => (known?.name === "lab/another" ? undefined : repository({ id: 8 })));
    await askedIn(store);
    await store.commit((tx) => tx.updateRepository({ stale: false, setUp: undefined, says: "issues are disabled" }));
    await it().other.commit((tx) => tx.updateRepository({ stale: false }));
    const changed = repository({ config, stale: false, says: "issues are disabled" });
    expect(await Array.fromAsync(registry.repositories())).toEqual([
      changed,
      repository({ id: 8, name: "lab/another" }),
    ]);
    expect([await registry.repository(7), await registry.repository(9)]).toEqual([changed, undefined]);
    await save(database, { ...changed, name: "lab/renamed" });
    expect([await database.keyOf("lab/renamed"), await database.keyOf("lab/report")]).toEqual(["7", "lab/report"]);
    expect(await store.rechecks()).toHaveLength(1);
  });

  test("a name that passes to another repository takes nothing along: the first one's rows are kept, by its number", async () => {
    const { database } = it();
    const { registry } = database;
    await save(database, repository());
    await askedIn(database.repository(7));
    await save(database, repository({ id: 8, name: "Lab/Report", since: start + 5 }));
    const standings = Array.fromAsync(registry.repositories(), ({ id, standing, since }) => [id, standing, since]);
    expect(await standings).toEqual([
      [7, "removed", start + 5],
      [8, "active", start + 5],
    ]);
    expect(await database.repository(7).rechecks()).toHaveLength(1);
    expect(await database.repository(8).rechecks()).toEqual([]);
    expect([await database.keyOf("lab/report"), await database.repositories()]).toEqual(["8", ["lab/report"]]);
    expect(await registry.named("lab/REPORT")).toMatchObject({ id: 8, name: "Lab/Report" });
    expect(await registry.named("lab/renamed")).toBeUndefined();
    await save(database, repository({ name: "lab/renamed", since: start + 9 }));
    expect(await registry.repository(7)).toMatchObject({ standing: "active", name: "lab/renamed" });
    expect(await registry.repository(8)).toMatchObject({ standing: "active" });
    expect(await database.repository(7).rechecks()).toHaveLength(1);
  });

  test("each of many is listed once, whatever the numbers, and what is not listed yet is not read", async () => {
    const { database } = it();
    const { registry } = database;
    const numbers = Array.from({ length: 120 }, (_, index) => 1 + ((index * 7_919) % 1_000_003));
    for (const id of numbers) await save(database, repository({ id, name: `lab/report-${id}` }));
    const read: number[] = [];
    for await (const { id } of registry.repositories()) {
      read.push(id);
      // Those of the pages to come are as they stand by then.
      if (read.length === 1) await save(database, repository({ id: 999_999, name: "lab/last", standing: "fork" }));
    }
    expect(read).toEqual([...numbers.toSorted((a, b) => a - b), 999_999]);
  });

  test("one that is erased leaves nothing, and others alone", async () => {
    const { database, other } = it();
    await save(database, repository());
    await database.registry.receive({ id: "guid", repository: 7, installation: 1, news: "{}", received: start });
    const store = database.repository(7);
    const id = await askedIn(store);
    const message = { channel: "team", key: "k", planned: start, firings: [], message: { title: "t", lines: [] } };
    await store.addMessages([message as never]);
    await store.updateRecheck(id, { state: "closed", closed: start });
    await store.openRecheck(recheck("t", { marker: "m2", previous: id }), []);
    await store.commit((tx) => tx.addAnswers([answer(id, "a")]));
    await store.addComment(comment(id, "m"));
    await other.commit((tx) => tx.keep(kept("a")));
    await database.registry.erase(7, () => true);
    const left = [store.watches(), store.firings(), store.rechecks(), store.answers(), store.messages()];
    expect(await Promise.all(left as Promise<unknown>[])).toEqual([[], [], [], [], []]);
    expect([await Array.fromAsync(database.registry.repositories()), await database.registry.deliveries()]).toEqual([
      [],
      [],
    ]);
    expect(await other.watches()).toHaveLength(1);
  });

  test("one that has come back by the time that it would be erased is kept, with all that is remembered", async () => {
    const { database } = it();
    const { registry } = database;
    await save(database, repository({ standing: "removed" }));
    await askedIn(database.repository(7));
    const [listed] = await Array.fromAsync(registry.repositories());
    await save(database, repository({ since: start + 5 }));
    expect(listed?.standing).toBe("removed");
    await registry.erase(7, ({ standing }) => standing === "removed");
    expect(await registry.repository(7)).toMatchObject({ standing: "active" });
    expect(await database.repository(7).rechecks()).toHaveLength(1);
  });

  test("a delivery is taken once, in order, and known again after it was done", async () => {
    const { registry } = it().database;
    const delivery = { id: "one", repository: 7, installation: 1, received: start };
    const ofInstallation = { id: "two", installation: 1, received: start + 1 };
    const news = '{"a":1}';
    expect(await registry.receive({ ...delivery, news })).toBe(true);
    expect(await registry.receive({ ...ofInstallation, news: "{}" })).toBe(true);
    expect(await registry.receive({ ...delivery, news, received: start + 9 })).toBe(false);
    expect(await registry.deliveries()).toEqual([delivery, ofInstallation]);
    expect(await registry.deliveries(delivery)).toEqual([delivery]);
    expect(await registry.deliveries({ installation: 1 })).toEqual([ofInstallation]);
    expect(await registry.deliveries({ installation: 2 })).toEqual([]);
    expect(await registry.deliveries({ repository: 999, installation: 1 })).toEqual([]);
    expect(await registry.news("one")).toBe(news);
    await registry.finish("one");
    expect(await registry.news("one")).toBeUndefined();
    expect(await registry.receive({ ...delivery, news })).toBe(false);
    await registry.forgetDeliveries(start + 5);
    expect(await registry.deliveries()).toEqual([ofInstallation]);
    expect(await registry.receive({ ...delivery, news })).toBe(true);
  });

  test("what waits is counted, and since when, but for repositories that rest", async () => {
    const { database, other } = it();
    const { registry } = database;
    expect(await registry.backlog(start)).toMatchObject({ checks: { count: 0 }, deliveries: { count: 0 } });
    await save(database, repository());
    await save(database, repository({ id: 8, name: "lab/resting", standing: "suspended" }));
    for (const store of [database.repository(7), database.repository(8), other]) {
      await store.touch([watch("a", { next: start - 5, lastCheck: start - 6 }), watch("b", { next: start + 5 })]);
      await store.openRecheck(recheck("t", { opened: start - 1 }), []);
    }
    await save(database, repository({ id: 9, name: "lab/unwatched", unwatched: true }));
    await database.repository(9).touch([watch("a", { next: start - 7 })]);
    await database.repository(9).openRecheck(recheck("t", { opened: start - 8 }), []);
    const message = { channel: "team", key: "k", planned: start - 3, firings: [], message: { title: "t", lines: [] } };
    await other.addMessages([message as never]);
    const asked = await other.openRecheck(recheck("u", { state: "open", issue: 3 } as never), []);
    const asleep = { state: "open", issue: 4, snoozed: start + 1 };
    const snoozed = await other.openRecheck(recheck("v", asleep as never), []);
    await other.addComment({ ...comment(asked, "m1"), planned: start - 4 });
    await other.addComment({ ...comment(snoozed, "m2"), planned: start - 9 });
    await registry.receive({ id: "one", repository: 7, installation: 1, news: "{}", received: start - 2 });
    expect(await registry.backlog(start)).toEqual({
      checks: { count: 2, since: start - 5, last: start - 6 },
      outbox: {
        issue: { count: 2, since: start - 1 },
        comment: { count: 1, since: start - 4 },
        message: { count: 1, since: start - 3 },
      },
      deliveries: { count: 1, since: start - 2 },
      repositories: { active: 2, suspended: 1 },
    });
  });
}

function restContract(it: () => Bench): void {
  const minute = day / 1440;
  const hour = 60 * minute;
  const planned = async (at: number, most = 10) => await it().database.registry.plan(at, most);

  test("a repository is seen to when the first of its sources is due, within a minute and an hour", async () => {
    const { database } = it();
    const { registry } = database;
    await save(database, repository({ id: 7 }));
    await save(database, repository({ id: 8, name: "lab/other" }));
    expect(await planned(start)).toEqual([7, 8]);
    expect(await planned(start, 1)).toHaveLength(1);
    await database.repository(7).touch([watch("a", { next: start + 20 * minute }), watch("b", { next: start + day })]);
    await registry.rest(7, start);
    await registry.rest(8, start);
    expect(await planned(start + 20 * minute - 1)).toEqual([]);
    expect(await planned(start + 20 * minute)).toEqual([7]);
    expect(await planned(start + hour)).toEqual([7, 8]);
    await registry.rest(7, start + hour);
    expect(await planned(start + hour + minute)).toEqual([8, 7]);
    await database.repository(7).forget(["a"]);
    await registry.rest(7, start + hour, start + hour + 5 * minute);
    await registry.rest(8, start + hour, 0);
    // 7 was never compared with GitHub.
    expect(await planned(start + hour + minute)).toEqual([7, 8]);
    await registry.attend(7);
    await registry.rest(7, start + hour, start + hour + 5 * minute);
    expect(await planned(start + hour + minute)).toEqual([8]);
    expect(await planned(start + hour + 5 * minute)).toEqual([8, 7]);
  });

  test("a repository that is not active rests for an hour, whatever is due there", async () => {
    const { database } = it();
    await save(database, repository({ standing: "suspended" }));
    await database.repository(7).touch([watch("a", { next: start - day })]);
    await database.registry.rest(7, start, start);
    expect(await planned(start + hour - 1)).toEqual([]);
    expect(await planned(start + hour)).toEqual([7]);
  });

  test("a repository in which nothing is watched any more rests as one without sources", async () => {
    const { registry } = it().database;
    await save(it().database, repository({ unwatched: true }));
    await it()
      .database.repository(7)
      .touch([watch("a", { next: start - day })]);
    await registry.rest(7, start);
    expect(await planned(start + hour - 1)).toEqual([]);
    await registry.attend(7);
    await registry.rest(7, start, start + 5 * minute);
    expect(await planned(start + 5 * minute - 1)).toEqual([]);
    expect(await planned(start + 5 * minute)).toEqual([7]);
  });

  test.each<[string, (database: Bench["database"]) => Promise<unknown>]>([
    ["a check brought", ({ repository: of }) => of(7).commit((tx) => tx.keep(kept("a")))],
    ["time brought", ({ repository: of }) => of(7).commit((tx) => tx.fire([]))],
    [
      "an archive brought",
      ({ repository: of }) => of(7).commit((tx) => tx.keepArchived({ source: "a", seen: 1, tries: 1 })),
    ],
    [
      "a webhook brought",
      async ({ registry, repository: of }) => {
        await registry.receive({ id: "guid", repository: 7, installation: 1, news: "{}", received: start });
        await of(7).commit((tx) => tx.finish("guid"));
      },
    ],
    ["GitHub's list brought", (database) => save(database, repository())],
  ])("news that %s are due at GitHub, until a comparison that began after them has ended", async (_, bring) => {
    const { database } = it();
    const { registry } = database;
    const due = async () => (await registry.visit(7))?.attend ?? Number.NaN;
    await save(database, repository());
    expect(await due()).toBeLessThan(start);
    expect(await registry.attend(7)).toMatchObject({ id: 7 });
    // It may be interrupted.
    expect(await due()).toBeLessThan(start);
    await registry.rest(7, start, start + hour);
    expect(await due()).toBe(start + hour);
    await database.repository(7).touch([watch("a")]);
    expect(await due()).toBe(start + hour);
    await bring(database);
    await registry.rest(7, start, start + hour);
    expect(await due()).toBeLessThan(start);
    await registry.attend(7);
    await bring(database);
    await registry.rest(7, start, start + hour);
    expect(await due()).toBeLessThan(start);
    expect(await planned(start + minute)).toEqual([7]);
    expect(await registry.visit(8)).toBeUndefined();
    expect(await registry.attend(8)).toBeUndefined();
  });

  test("a repository is seen to at once if news changed it, whoever worked them off and ended then", async () => {
    const { database } = it();
    const { registry } = database;
    await save(database, repository({ id: 7, standing: "suspended" }));
    await save(database, repository({ id: 8, name: "lab/other" }));
    for (const id of [7, 8]) await registry.rest(id, start);
    expect(await planned(start)).toEqual([]);
    await save(database, repository({ id: 7 }));
    expect(await planned(start)).toEqual([7]);
    await registry.rest(7, start);
    await registry.receive({ id: "guid", repository: 8, installation: 1, news: "{}", received: start });
    await database.repository(8).commit((tx) => tx.finish("guid"));
    expect(await planned(start)).toEqual([8]);
  });

  test("a repository that rested by a clock that was wrong is seen to by the one that is right", async () => {
    const { database } = it();
    await save(database, repository());
    await database.registry.rest(7, start + 365 * day);
    expect(await planned(start)).toEqual([7]);
  });
}
