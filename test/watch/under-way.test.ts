import { describe, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { turns } from "../../src/model/concurrency.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Fetch, FetchOptions } from "../../src/model/ports/index.ts";
import { readers } from "../../src/read/index.ts";
import { eachHost } from "../../src/watch/under-way.ts";
import { configOf } from "../support/config-of.ts";

/** A web whose hosts answer when they are told to, and ask for a turn first where they are said to. */
function slowWeb() {
  const asked: string[] = [];
  const free = new Map<string, () => void>();
  const waits = (name: string) => new Promise<void>((resolve) => free.set(name, resolve));
  const fetch: Fetch = {
    async get({ url }, { place }: FetchOptions) {
      const { host, pathname } = new URL(url);
      if (pathname.startsWith("/refused")) throw new Failure("robots");
      if (pathname.startsWith("/paced")) await waits(`turn ${host}`);
      await place?.take();
      asked.push(host);
      await waits(host);
      return { kind: "not-modified" };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
  return { asked, free: (name: string) => free.get(name)?.(), fetch };
}

const addresses = (...paths: string[]) => paths.map((path, i) => `  s${i}: { page: "https://${path}" }`).join("\n");
const settled = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

async function underWay(paths: readonly string[], atOnce: number, stopped?: () => boolean) {
  const { sources } = configOf(`report: { title: Pages, audited: 2026-05-16 }\nsources:\n${addresses(...paths)}\n`);
  const database = await openStore(":memory:");
  const store = database.repository("a/b");
  const noted: string[][] = [];
  const world = {
    store: { ...store, attempt: async (ids: readonly string[]) => void noted.push([...ids]) },
    clock: { now: () => 0 },
    readers,
    access: { githubToken: false },
  };
  const web = slowWeb();
  const tooLate: boolean[] = [];
  const groups = [...sources.values()].map((source) => [source]);
  const all = eachHost(groups, { world, stopped, atOnce, turn: turns(atOnce) }, async ([source], under) => {
    await under
      .fetching(web.fetch)
      .get({ url: source?.address ?? "" }, {})
      .catch(() => undefined);
    tooLate.push(under.isTooLate());
  });
  await settled();
  return { ...web, noted, tooLate, all, close: () => database.close() };
}

describe("checks under way", () => {
  test("are no more than may be, and each host's come one after the other", async () => {
    const it = await underWay(["a.example/1", "a.example/2", "b.example/1", "c.example/1"], 2);
    expect(it.asked).toEqual(["a.example", "b.example"]);
    it.free("b.example");
    await settled();
    expect(it.asked).toEqual(["a.example", "b.example", "c.example"]);
    it.free("a.example");
    await settled();
    expect(it.asked).toEqual(["a.example", "b.example", "c.example", "a.example"]);
    it.free("a.example");
    it.free("c.example");
    await it.all;
    await it.close();
  });

  test("are not those that wait for their turn at a host", async () => {
    const it = await underWay(["a.example/paced", "b.example/1"], 1);
    expect(it.asked).toEqual(["b.example"]);
    it.free("b.example");
    await settled();
    it.free("turn a.example");
    await settled();
    expect(it.asked).toEqual(["b.example", "a.example"]);
    it.free("a.example");
    await it.all;
    await it.close();
  });

  test("are noted before they are asked for, some ahead in one write", async () => {
    const paths = ["a.example/1", "a.example/2", "a.example/3", "b.example/1", "c.example/paced"];
    const it = await underWay(paths, 2);
    expect(it.noted).toEqual([["s0", "s3", "s1", "s2"]]);
    for (const host of ["a.example", "b.example", "a.example", "a.example", "turn c.example", "c.example"]) {
      it.free(host);
      await settled();
    }
    await it.all;
    expect(it.noted).toEqual([["s0", "s3", "s1", "s2"], ["s4"]]);
    await it.close();
  });

  test("are noted themselves if one before them was never asked for", async () => {
    const it = await underWay(["a.example/refused", "a.example/2"], 1);
    expect([it.asked, it.noted]).toEqual([["a.example"], [["s1"]]]);
    it.free("a.example");
    await it.all;
    await it.close();
  });

  test("are not begun once there is no time left, though they waited for their turn before", async () => {
    let isOver = false;
    const it = await underWay(["a.example/paced", "a.example/2"], 1, () => isOver);
    isOver = true;
    it.free("turn a.example");
    await it.all;
    expect([it.asked, it.noted, it.tooLate]).toEqual([[], [], [true]]);
    await it.close();
  });
});
