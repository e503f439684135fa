import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, test } from "vitest";
import { createIntake } from "../../../src/adapters/fetch/intake.ts";
import { createPlace, turns } from "../../../src/model/concurrency.ts";
import type { Failure } from "../../../src/model/failure.ts";
import type { Fetch, Place } from "../../../src/model/ports/index.ts";
import { closeAll, failure, fetching, response, web } from "./local-web.ts";

const megabytes = (count: number) => count * 1_000_000;

/** Whether there is room by now. */
async function isThere(room: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([room.then(() => true), new Promise((no) => setImmediate(() => no(false)))])) === true;
}

test("a body waits until there is room for it beside the others", async () => {
  const intake = createIntake();
  const first = await intake.room(megabytes(40));
  const second = intake.room(megabytes(30));
  const third = intake.room(megabytes(1));
  expect([await isThere(second), await isThere(third)]).toEqual([false, false]);
  first.shrink(megabytes(30));
  expect([await isThere(second), await isThere(third)]).toEqual([true, true]);
});

test("a body that is larger than all the room has it once it is alone", async () => {
  const intake = createIntake();
  const first = await intake.room(1);
  const large = intake.room(megabytes(100));
  expect(await isThere(large)).toBe(false);
  first.free();
  first.free();
  expect(await isThere(large)).toBe(true);
});

test("answers that come all at once are deferred if they are too much together", () => {
  const intake = createIntake();
  const [first, second] = [intake.coming(), intake.coming()];
  first.more(megabytes(100));
  expect(() => second.more(megabytes(30))).toThrow(expect.objectContaining({ kind: "deferred" }));
  first.over();
  first.over();
  second.more(megabytes(30));
  expect(() => first.more(megabytes(99))).toThrow(expect.objectContaining({ kind: "deferred" }));
});

test("a body that needs no limit waits for no body that is held until it is judged", async () => {
  const intake = createIntake();
  await intake.room(megabytes(60));
  expect(await isThere(intake.room(megabytes(20)))).toBe(false);
  const first = await intake.passage(megabytes(20));
  const second = intake.passage(1);
  expect(await isThere(second)).toBe(false);
  first.free();
  expect(await isThere(second)).toBe(true);
});

test("no check asks for more while much came and waits for room", async () => {
  const intake = createIntake();
  const held = await intake.room(megabytes(60));
  const coming = Array.from({ length: 7 }, () => intake.coming());
  for (const one of coming) one.more(megabytes(10));
  expect(await isThere(intake.mayAsk())).toBe(true);
  const rooms = coming.map((one) => intake.room(megabytes(10)).finally(one.over));
  const asking = intake.mayAsk();
  expect(await isThere(asking)).toBe(false);
  held.free();
  expect(await isThere(asking)).toBe(true);
  expect(await Promise.all(rooms.map(isThere))).toEqual([...Array(6).fill(true), false]);
});

test("all that waits for room or to ask is deferred once Recheck stops", async () => {
  const intake = createIntake();
  const held = await intake.room(megabytes(64));
  const coming = intake.coming();
  coming.more(megabytes(100));
  const waiting = [intake.room(megabytes(1)), intake.mayAsk()];
  const ends = Promise.allSettled(waiting);
  intake.stop();
  const later = Promise.allSettled([intake.room(1), intake.mayAsk()]);
  const stopped = { status: "rejected", reason: { kind: "deferred" } };
  expect([...(await ends), ...(await later)]).toMatchObject(Array(4).fill(stopped));
  held.free();
  expect(await isThere(intake.room(megabytes(64)))).toBe(true);
});

describe("answers of 100 kB whose judges are slow", () => {
  afterEach(closeAll);

  /** Asks `count` hosts for 100 kB each, the next once the one before has come; each check has a place of its own. */
  async function checks(fetch: Fetch, count: number, headers: Record<string, string> = {}, body = large) {
    const local = await web(({ url }, answer) =>
      url === "/absent" ? answer.writeHead(404).end() : answer.writeHead(200, headers).end(body),
    );
    const result: { place: Place; came: Promise<string> }[] = [];
    for (let n = 0; n < count; n++) {
      const host = `http://h${n}.example:${local.port}`;
      const place = createPlace(turns(1));
      const came = fetch.get({ url: `${host}/` }, { place }).then(
        ({ kind }) => kind,
        ({ kind }: Failure) => kind,
      );
      result.push({ place, came });
      // A host is asked one thing at a time: the check's answer is here, and waits or is held.
      await failure(fetch, `${host}/absent`);
    }
    return { local, checks: result };
  }

  const large = Buffer.alloc(99_000, "a");
  const patient = { timeout: 60_000, maxHeldBytes: 640_000 };

  it("are held and wait within what there is room for, and no more is asked; all are had in the end", async () => {
    const fetch = fetching(patient);
    const { local, checks: asked } = await checks(fetch, 13);
    expect(await Promise.all(asked.map(({ came }) => isThere(came)))).toEqual([
      ...Array(6).fill(true),
      ...Array(7).fill(false),
    ]);
    const place = createPlace(turns(1));
    const late = response(fetch, `http://late.example:${local.port}/`, { place });
    // An answer that no check asked for waits for no judge.
    expect((await response(fetch, `http://soon.example:${local.port}/`)).response.body).toHaveLength(99_000);
    expect(local.seen.some(({ headers }) => headers.host?.startsWith("late"))).toBe(false);
    for (const one of asked) {
      expect(await one.came).toBe("response");
      one.place.leave();
    }
    expect((await late).response.body).toHaveLength(99_000);
  });

  it("do not wait for ever if they are packed", async () => {
    const fetch = fetching(patient);
    const packed = gzipSync(randomBytes(99_000), { level: 0 });
    const { checks: asked } = await checks(fetch, 12, { "content-encoding": "gzip" }, packed);
    const there = await Promise.all(asked.map(({ came }) => isThere(came)));
    expect(there.filter(Boolean).length).toBeLessThan(6);
    // They are unpacked side by side, so that a later one may be there first.
    const had = asked.map(async ({ came, place }) => {
      expect(await came).toBe("response");
      place.leave();
    });
    await Promise.all(had);
  });

  it("are counted while they wait: those that come beside them are deferred", async () => {
    const open: ServerResponse[] = [];
    const slow = await web((_, answer) => void open.push(answer.writeHead(200)));
    const fetch = fetching(patient);
    // Asked before much waits.
    const early = Array.from({ length: 7 }, (_, n) => {
      const place = createPlace(turns(1));
      return fetch.get({ url: `http://early${n}.example:${slow.port}/` }, { place }).then(
        ({ kind }) => kind,
        ({ kind }: Failure) => kind,
      );
    });
    await expect.poll(() => open.length).toBe(7);
    const { checks: asked } = await checks(fetch, 13);
    for (const answer of open) answer.end(large);
    // 1.28 MB are enough for 12 that wait, or come, beside 6 that are held.
    await expect.poll(async () => (await Promise.all(early.map(isThere))).filter(Boolean).length).toBeGreaterThan(0);
    for (const one of asked) {
      expect(await one.came).toBe("response");
      one.place.leave();
    }
    expect((await Promise.all(early)).filter((kind) => kind === "deferred").length).toBeGreaterThan(0);
  });

  it("are let go when Recheck stops, with those that would ask", async () => {
    const fetch = fetching(patient);
    const { local, checks: asked } = await checks(fetch, 13);
    const late = failure(fetch, `http://late.example:${local.port}/`, { place: createPlace(turns(1)) });
    await fetch.close();
    expect(await Promise.all(asked.map(({ came }) => came))).toEqual([
      ...Array(6).fill("response"),
      ...Array(7).fill("deferred"),
    ]);
    expect((await late).kind).toBe("deferred");
  });
});
