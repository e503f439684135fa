import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareItems, type ItemCheck, type ItemMemory } from "../../src/compare/items.ts";
import type { Item } from "../../src/model/reading.ts";

const hour = 3_600_000;
const day = 24 * hour;
const audited = Date.UTC(2026, 4, 16);

function check(at: number, structured = true): ItemCheck {
  return { at, confirmAfter: 6 * hour, structured, audited };
}

function item(id: string, at?: number, more: Partial<Item> = {}): Item {
  return { id, title: id, version: id, at, ...more };
}

/** Checks each listing in turn, a day apart, and says what each check reported. */
function walk(listings: readonly (readonly Item[])[], structured = true, every = day) {
  let memory: ItemMemory | undefined;
  return listings.map((items, index) => {
    const result = compareItems(memory, items, check(audited + 30 * day + index * every, structured));
    memory = JSON.parse(JSON.stringify(result.memory));
    return result;
  });
}

const said = (results: ReturnType<typeof walk>) =>
  results.map(({ changes }) => changes.map(({ change }) => `${change.kind} ${change.item.id}`));

describe("first check", () => {
  test("entries dated after the audit are new, the others and the undated were there", () => {
    const [first] = walk([[item("2.13", audited + day), item("2.12", audited - day), item("2.11")]]);
    expect(first?.changes.map(({ change }) => change.item.id)).toEqual(["2.13"]);
    expect(first?.baseline.map(({ id }) => id)).toEqual(["2.12", "2.11"]);
  });

  test("an entry dated on the day of the audit was there", () => {
    expect(said(walk([[item("2.12", audited)]]))).toEqual([[]]);
  });

  test("entries that all have one time after the audit were there: it is when the list was made", () => {
    const made = (time: number, ...ids: string[]) => ids.map((id) => item(id, audited + time * day + 7_261_000));
    const results = walk([made(29, "c", "b", "a"), made(30, "d", "c", "b", "a")]);
    expect(said(results)).toEqual([[], ["item-added d"]]);
    const reasons = results.map(({ noise }) => noise.map(({ reason }) => reason));
    expect(reasons).toEqual([Array(3).fill("the time of the whole list"), []]);
    expect(walk([made(-1, "c", "b", "a")])[0]?.noise).toEqual([]);
    expect(said(walk([made(29, "b", "a")]))).toEqual([["item-added b", "item-added a"]]);
  });

  test.each([1, 2, 3, 30])("%i entries of one and the same date after the audit are new, in any time zone", (count) => {
    const hour = 3_600_000;
    for (const zone of [0, -2 * hour, 5.5 * hour, 12.75 * hour]) {
      const items = Array.from({ length: count }, (_, i) => item(`${i}`, audited + 20 * day + zone));
      expect(walk([items])[0]?.changes).toHaveLength(count);
    }
  });

  test("an entry dated in the future carries no date", () => {
    const [first] = walk([[item("9.0", audited + 400 * day)]]);
    expect(first?.changes).toEqual([]);
    expect(first?.baseline[0]?.at).toBeUndefined();
  });
});

test.each(["constructor", "toString", "__proto__"])("an entry called %s is an entry like any other", (id) => {
  const old = item("old", audited - day);
  const results = walk([[old], [item(id), old], [item(id), old]], false);
  expect(results[1]?.sightings.map(({ since }) => since)).toEqual([audited + 31 * day]);
  expect(said(results)).toEqual([[], [], [`item-added ${id}`]]);
});

describe("entries with serial numbers, whose dates move", () => {
  const tag = (id: string, serial: number, at: number) => item(id, audited + at * day, { serial });

  test("are new at the first check only after one that was there at the audit", () => {
    const rebuilt = [tag("3", 30, 20), tag("1", 10, 20), tag("2", 20, -1), tag("0", 5, -2)];
    expect(said(walk([rebuilt]))).toEqual([["item-added 3"]]);
    expect(said(walk([[tag("2", 20, 20), tag("1", 10, 20)]]))).toEqual([[]]);
  });

  test("are not new if they were made before one that was seen, when they come back into the list", () => {
    const results = walk([
      [tag("2", 20, 1), tag("1", 10, -1)],
      [tag("0", 5, 31), tag("2", 20, 1)],
      [tag("0", 5, 31)],
      [tag("1.5", 15, 33), tag("3", 30, 32), tag("0", 5, 31)],
    ]);
    expect(said(results)).toEqual([["item-added 2"], [], [], ["item-added 3"]]);
    expect(results[1]?.noise.map(({ reason }) => reason)).toEqual(["too old to be new"]);
  });

  test("are new after the second check, if they need one", () => {
    const listings = [[tag("1", 10, -1)], [tag("2", 20, 31), tag("1", 10, -1)], [tag("2", 20, 31), tag("1", 10, -1)]];
    expect(said(walk(listings, false))).toEqual([[], [], ["item-added 2"]]);
  });
});

describe("a list is a window", () => {
  const a = item("a", audited - 3 * day);
  const b = item("b", audited - 2 * day);
  const c = item("c", audited - day);

  test("a new entry is new with any date, if something older was listed before", () => {
    expect(
      said(
        walk([
          [c, a],
          [c, b, a],
        ]),
      ),
    ).toEqual([[], ["item-added b"]]);
  });

  test("an entry older than everything listed at the last check is not new", () => {
    const results = walk([
      [c, b],
      [c, b, a],
    ]);
    expect(said(results)).toEqual([[], []]);
    expect(results[1]?.noise.map(({ reason }) => reason)).toEqual(["too old to be new"]);
  });

  test("of a list with a few undated entries, one older than all that are dated is not new either", () => {
    const ahead = item("ahead", audited + 400 * day);
    const [, second] = walk([
      [ahead, c, b],
      [ahead, c, b, a],
    ]);
    expect(second?.changes).toEqual([]);
    expect(second?.noise.map(({ reason }) => reason)).toEqual(["too old to be new"]);
    const undated = [item("x"), item("y"), c];
    expect(said(walk([undated, [...undated, b]]))[1]).toEqual(["item-added b"]);
  });

  test("an entry that slid out at the old end was not withdrawn", () => {
    const d = item("d", audited + 31 * day);
    expect(
      said(
        walk([
          [c, b, a],
          [d, c, b],
          [d, c, b],
        ]),
      ),
    ).toEqual([[], ["item-added d"], []]);
  });

  test("an entry missing while something older is listed is withdrawn at the second check that misses it", () => {
    const results = walk([
      [c, b, a],
      [c, a],
      [c, a],
      [c, a],
    ]);
    expect(said(results)).toEqual([[], [], ["item-withdrawn b"], []]);
    expect(results[1]?.sightings).toHaveLength(1);
  });

  test("an entry that is missing once and comes back is nothing", () => {
    expect(
      said(
        walk([
          [c, b, a],
          [c, a],
          [c, b, a],
          [c, b, a],
        ]),
      ),
    ).toEqual([[], [], [], []]);
  });

  test("an entry that was withdrawn and comes back is not added again", () => {
    expect(
      said(
        walk([
          [c, b, a],
          [c, a],
          [c, a],
          [c, b, a],
        ]),
      ),
    ).toEqual([[], [], ["item-withdrawn b"], []]);
  });

  test("in a list of current things, an entry that gave way to another was not withdrawn", () => {
    const next = item("b.1", audited + day);
    let memory: ItemMemory | undefined;
    const results = [[b, a], [next, a], [next, a], [a]].map((items, index) => {
      const at = audited + 30 * day + index * day;
      const result = compareItems(memory, items, { ...check(at), current: true });
      memory = result.memory;
      return result;
    });
    expect(said(results)).toEqual([[], ["item-added b.1"], [], []]);
    expect(results.flatMap(({ sightings }) => sightings)).toEqual([]);
  });

  test("undated entries are withdrawn by their place in the list", () => {
    const [x, y, z] = [item("x"), item("y"), item("z")];
    expect(
      said(
        walk([
          [x, y, z],
          [x, z],
          [x, z],
        ]),
      ),
    ).toEqual([[], [], ["item-withdrawn y"]]);
    expect(
      said(
        walk([
          [x, y, z],
          [x, y],
          [x, y],
        ]),
      ),
    ).toEqual([[], [], []]);
  });
});

describe("entries that change", () => {
  test("a pre-release that becomes a release is an edit", () => {
    const [, second] = walk([[item("2.13", audited, { pre: true })], [item("2.13", audited, { pre: false })]]);
    expect(second?.changes.map(({ change }) => change.kind)).toEqual(["item-edited"]);
  });

  test("a pre-release that becomes a release is an edit, also after a check that did not say what it is", () => {
    const listings = [true, undefined, undefined, false].map((pre) => [item("2.13", audited, { pre })]);
    expect(said(walk(listings))).toEqual([[], [], [], ["item-edited 2.13"]]);
  });

  test("an edited text is an edit, the same text again is nothing", () => {
    const body = (text: string) => ({ blocks: [{ path: [], kind: "paragraph", text } as const] });
    const listings = [
      [item("1", audited, body("one"))],
      [item("1", audited, body("two"))],
      [item("1", audited, body("two"))],
    ];
    expect(said(walk(listings))).toEqual([[], ["item-edited 1"], []]);
  });
});

describe("sources that need a second check", () => {
  test("a new entry waits for it, and is dated at its first sighting", () => {
    const results = walk([[item("1")], [item("1"), item("2")], [item("1"), item("2")]], false, 7 * hour);
    expect(said(results)).toEqual([[], [], ["item-added 2"]]);
    expect(results[2]?.changes[0]?.since).toBe(audited + 30 * day + 7 * hour);
  });

  test("a check too soon does not confirm", () => {
    const results = walk([[item("1")], [item("1"), item("2")], [item("1"), item("2")]], false, 2 * hour);
    expect(said(results)).toEqual([[], [], []]);
  });

  test("an entry that did not last is noise", () => {
    const results = walk([[item("1")], [item("1"), item("2")], [item("1")]], false);
    expect(said(results)).toEqual([[], [], []]);
    expect(results[2]?.noise.map(({ reason }) => reason)).toEqual(["did not last"]);
  });
});

describe("for any history", () => {
  const listing = fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 12 }), dated: fc.boolean() }), {
    selector: ({ id }) => id,
    maxLength: 10,
  });
  const history = fc.array(
    listing.map((entries) =>
      entries.map(({ id, dated }) => item(String(id), dated ? audited - 20 * day + id * day : undefined)),
    ),
    { minLength: 1, maxLength: 12 },
  );

  test("no entry is added twice", () => {
    fc.assert(
      fc.property(history, fc.boolean(), (listings, structured) => {
        const added = said(walk(listings, structured))
          .flat()
          .filter((what) => what.startsWith("item-added"));
        expect(new Set(added).size).toBe(added.length);
      }),
    );
  });

  test("the same list again says nothing, once what waited is settled", () => {
    fc.assert(
      fc.property(history, fc.boolean(), (listings, structured) => {
        const last = listings.at(-1) ?? [];
        const results = walk([...listings, last, last, last], structured);
        expect(results.at(-1)?.changes).toEqual([]);
        expect(results.at(-1)?.sightings).toEqual([]);
      }),
    );
  });

  test("the order of a list of dated entries does not matter", () => {
    const dated = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(dated, dated, (first, second) => {
        const entries = (ids: readonly number[]) => ids.map((id) => item(String(id), audited - 40 * day + id * day));
        const forward = said(walk([entries(first), entries(second)]))[1]?.sort();
        const backward = said(walk([entries([...first].reverse()), entries([...second].reverse())]))[1]?.sort();
        expect(forward).toEqual(backward);
      }),
    );
  });

  test("memory stays bounded", () => {
    let memory: ItemMemory | undefined;
    for (let round = 0; round < 70; round++) {
      const items = Array.from({ length: 100 }, (_, index) =>
        item(`${round}-${index}`, audited + (round * 100 + index) * hour),
      );
      memory = compareItems(memory, items, check(audited + 400 * day + round * day)).memory;
    }
    expect(Object.keys(memory?.known ?? {}).length).toBeLessThanOrEqual(5_100);
  });
});
