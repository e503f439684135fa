import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { evidence, firing } from "../adapters/store/samples.ts";
import { runs } from "../support/runs.ts";
import { begin, configOf, day, hour, page } from "../support/story.ts";
import { type Answer, openWorld, type World } from "../support/world-of.ts";

/** A scan reads what is due, and nothing else, and checks what it would check by reading all. */

const url = (name: string) => `https://${name}.example/manual`;
const config = (...names: readonly string[]) =>
  configOf({
    sources: `sources:\n${names.map((name) => `  ${name}: { page: "${url(name.at(-1) ?? "")}" }`).join("\n")}\n`,
    triggers: {},
  });

let web: Map<string, Answer>;
let world: World;
beforeEach(async () => {
  web = new Map(["a", "b", "c", "d"].map((name) => [url(name), page(`<p>The manual of ${name}.</p>`)]));
  world = await openWorld(config("a", "b", "c"), web);
});
afterEach(() => world.close());

const checked = async (at: number, of = world) => (await of.scanAt(at)).checks.map(({ source }) => source).sort();

test("once each source has its watch, no scan reads all of them", async () => {
  const all = vi.spyOn(world.store, "watches");
  const whole = () => all.mock.calls.filter(([of]) => of === undefined).length;
  expect(await checked(begin)).toEqual(["a", "b", "c"]);
  expect(await checked(begin + hour)).toEqual([]);
  expect(whole()).toBe(2);
  expect(await checked(begin + 2 * hour)).toEqual([]);
  expect(await checked(begin + 2 * day)).toEqual(["a", "b", "c"]);
  expect(await checked(begin + 2 * day + hour)).toEqual([]);
  expect(whole()).toBe(2);
});

test("a config that comes back finds the sources that it had, after another one had its way", async () => {
  for (const at of [0, 1, 2]) await world.scanAt(begin + at * hour);
  world.reconfigure(config("a", "b", "d"));
  expect(await checked(begin + 3 * hour)).toEqual(["d"]);
  world.reconfigure(config("a", "b", "c"));
  expect(await checked(begin + 3 * day)).toEqual(["a", "b", "c"]);
});

test("a source with another name keeps its memory", async () => {
  for (const at of [0, 1, 2]) await world.scanAt(begin + at * hour);
  world.reconfigure(config("a", "b", "the-c"));
  expect(await checked(begin + 3 * hour)).toEqual([]);
  const scan = await world.scanAt(begin + 2 * day);
  expect(scan.checks.map(({ source, outcome }) => [source, outcome])).toContainEqual(["the-c", "unchanged"]);
});

test("a source takes the id of one that said the same and is gone, and scans go on", async () => {
  await world.scanAt(begin);
  const same = ["a", "b"].map((source) => evidence(source, begin));
  await world.store.commit((tx) => tx.fire([firing("t", "e", { evidence: same })]));
  world.reconfigure(config("b", "c"));
  await world.scanAt(begin + hour);
  const renamed = configOf({
    sources: `sources:\n  a: { page: "${url("b")}" }\n  c: { page: "${url("c")}" }\n`,
    triggers: {},
  });
  world.reconfigure(renamed);
  expect(await checked(begin + 2 * day)).toEqual(["a", "c"]);
  expect(await checked(begin + 4 * day)).toEqual(["a", "c"]);
  expect((await world.store.firings()).map((one) => one.evidence)).toEqual([[evidence("a", begin)]]);
});

test("a check during which the program ended is reported, and is none of those that the progress counts", async () => {
  await world.scanAt(begin);
  vi.spyOn(world.store, "died").mockResolvedValueOnce([{ source: "c", began: begin }]);
  world.reconfigure(config("a", "b", "c", "d"));
  const progress: string[] = [];
  const scan = await world.scanAt(begin + hour, {
    onCheck: ({ source }, done, all) => progress.push(`${source} ${done}/${all}`),
  });
  expect(scan.checks.map(({ source, failure }) => [source, failure?.kind])).toEqual([
    ["c", "died"],
    ["d", undefined],
  ]);
  expect(progress).toEqual(["d 1/1"]);
});

const steps = fc.array(
  fc.record({
    pass: fc.constantFrom(hour / 60, hour, 5 * hour, day, 3 * day, -2 * day),
    names: fc.constantFrom(["a", "b", "c"], ["a", "b"], ["a", "b", "the-c"], ["a", "b", "c", "d"]),
    lost: fc.constantFrom(undefined, "a", "b"),
  }),
  { minLength: 5, maxLength: 12 },
);

test("after any events, the same is checked as if all watches are read", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const [one, other] = await Promise.all([openWorld(config("a"), web), openWorld(config("a"), web)]);
      let now = begin;
      for (const { pass, names, lost } of taken) {
        now += pass;
        for (const name of ["a", "b"]) web.set(url(name), page(`<p>The manual of ${name}.</p>`));
        if (lost) web.set(url(lost), new Failure("status", { status: 500 }));
        await other.store.saveRoster("");
        for (const each of [one, other]) each.reconfigure(config(...names));
        expect(await checked(now, one)).toEqual(await checked(now, other));
      }
      await Promise.all([one.close(), other.close()]);
    }),
    { numRuns: runs(6) },
  );
});
