import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import type { Database } from "../../src/adapters/store/store.ts";
import type { Check } from "../../src/model/check.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Response, Watch } from "../../src/model/ports/index.ts";
import type { Block, Reading } from "../../src/model/reading.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import { check, type World } from "../../src/watch/check.ts";
import { source } from "../read/given.ts";
import { configOf } from "../support/config-of.ts";
import { type Case, cases } from "./mutation/cases.ts";
import type { Mutant } from "./mutation/ways.ts";

/**
 * Sources of every kind that stop giving what they gave, in hundreds of ways. Whatever becomes of a source, within three
 * checks it is *unknown* with a reason, or what changed is told; it is never *unchanged*. What lasts and can be read is not
 * unknown for ever.
 */

const day = 86_400_000;
const start = Date.UTC(2026, 6, 10, 8);
/** Checks within which it is unknown or told. */
const checks = 3;
/** Days after which whatever can be read is believed: a week, a second checkWith, and one on which it is old. */
const daysToBelieve = 10;

type Answer = Pick<Mutant, "body" | "type">;
const all = await Promise.all(cases().map(async (one) => ({ ...one, mutants: await telling(one) })));

let database: Database;
beforeAll(async () => {
  database = await openStore(":memory:");
});
afterAll(async () => await database.close());

/** How many sources were watched: each under an id of its own, in one store. */
let watched = 0;

/** A source that was seen once, as it was; each further checkWith is a day later. */
async function seenOnce(one: Case): Promise<(answer: Answer) => Promise<Check>> {
  const its: Source = { ...sourceOf(one), id: `source-${watched++}` };
  const store = database.repository(its.id);
  let now = start;
  let answer: Answer = one;
  const world: World = {
    config,
    clock: { now: () => now },
    fetch: {
      async get({ url }) {
        const response = responseOf(one, answer, url);
        const hash = createHash("sha256").update(response.body).digest("hex");
        return { kind: "response", response, validators: {}, hash };
      },
      githubAllowance: () => undefined,
      close: async () => {},
    },
    store,
    readers,
    access: { githubToken: true },
  };
  let watch: Watch | undefined;
  const checkWith = async (next: Answer) => {
    answer = next;
    const checked = await check(its, watch, world);
    watch = checked.outcome === "kept" ? (await store.watches())[0] : checked.watch;
    now += day;
    return checked.check;
  };
  await checkWith(one);
  return checkWith;
}

const config = configOf("report: { title: Engines, audited: 2026-07-09 }\nsources: {}\n");

function sourceOf({ reader, options, address }: Case): Source {
  return source(reader, { ...options }, address);
}

function responseOf(one: Case, { body, type = one.type }: Answer, url = "https://engine.example/it"): Response {
  return { url, status: 200, headers: { "content-type": type }, body: Buffer.from(body) };
}

/** What readings of a case say, or why there is none. */
async function readingsOf(one: Case): Promise<(answer: Answer) => Promise<string | Failure>> {
  const { atFirst } = await one.reader.read(responseOf(one, one), sourceOf(one));
  return async (answer) => {
    try {
      return substanceOf(await one.reader.read(responseOf(one, answer), sourceOf(one), { atFirst }));
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  };
}

/**
 * What a reading says, by its words. An entry under another name or address is the same one; a date that is another one
 * is still a date.
 */
function substanceOf({ items, blocks, facts }: Reading): string {
  return JSON.stringify([
    items?.map(({ title, version, pre, blocks: text }) => [title, version, pre, wordsOf(text)].join("|")).sort(),
    items?.some(({ at }) => at !== undefined),
    blocks && wordsOf(blocks),
    facts && Object.entries(facts).sort(),
  ]);
}

function wordsOf(blocks: readonly Block[] = []): string[] {
  return blocks.flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The mutants that say something else than what was given: a key that nobody reads may be called as it likes. */
async function telling(one: Case): Promise<(Mutant & { readonly isRead: boolean })[]> {
  const readAs = await readingsOf(one);
  const before = await readAs(one);
  const read = one.mutants.map(async (mutant) => ({ mutant, says: await readAs(mutant) }));
  return (await Promise.all(read))
    .filter(({ says }) => says !== before)
    .map(({ mutant, says }) => ({ ...mutant, isRead: typeof says === "string" }));
}

const isTold = ({ outcome }: Check) => outcome === "unknown" || outcome === "changed";

describe.each(all)("$name", (one) => {
  test("is read well, and unchanged if it stays", async () => {
    const checkWith = await seenOnce(one);
    expect((await checkWith(one)).outcome).toBe("unchanged");
  });

  test(`is unknown or reported in each of ${one.mutants.length} ways in which it stops giving its content`, async () => {
    const silent: string[] = [];
    const unbelieved: string[] = [];
    // A checkWith that fails leaves everything as it was, so that one source can meet all those.
    const steady = await seenOnce(one);
    for (const mutant of one.mutants) {
      const checkWith = mutant.isRead ? await seenOnce(one) : steady;
      const first = await checkWith(mutant);
      const seen = [first];
      while (seen.length < checks && !seen.some(isTold)) seen.push(await checkWith(mutant));
      if (!seen.some(isTold)) silent.push(mutant.name);
      // A pattern that finds nothing is for people to mend, like a selector.
      if (!mutant.isRead || first.outcome !== "unknown" || first.failure?.kind === "no-match") continue;
      if (!(await isBelieved(() => checkWith(mutant)))) unbelieved.push(mutant.name);
    }
    expect(silent).toEqual([]);
    expect(unbelieved).toEqual([]);
  });
});

/** Whether what lasts is told, and is the source as it is from then on. Facts that went with a list are told after it. */
async function isBelieved(checkWith: () => Promise<Check>): Promise<boolean> {
  let told = 0;
  for (let left = daysToBelieve; left > 0; left--) {
    const { outcome } = await checkWith();
    if (outcome === "changed") told++;
    if (told > 0 && outcome === "unchanged") return told <= 2;
  }
  return false;
}

test("there are hundreds of ways, of every kind of mishap, for every kind of source", () => {
  const counts = (of: (one: Case, mutant: Mutant) => string) => {
    const each = all.flatMap((one) => one.mutants.map((mutant) => of(one, mutant)));
    return Object.fromEntries([...Map.groupBy(each, (name) => name)].map(([name, its]) => [name, its.length]));
  };
  const byKind = counts(({ kind }) => kind);
  expect(Object.keys(byKind).sort()).toEqual([...readers.keys()].sort());
  expect(Math.min(...Object.values(byKind))).toBeGreaterThan(15);
  const byWay = counts((_, { way }) => way);
  expect(Object.keys(byWay).length).toBeGreaterThan(20);
  expect(Object.values(byWay).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2_000);
});
