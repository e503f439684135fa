import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Backtest, batches, type CheckOutput, checkConfig } from "../../../../src/faces/app/config/effect.ts";
import type { Firing } from "../../../../src/model/firing.ts";
import type { Problem } from "../../../../src/model/problem.ts";
import { parse, config as parsedConfig, sources, trigger } from "../../../config/valid.ts";
import { hostile } from "../../../recheck/issue/hostile.ts";
import { living, rendered } from "../../../recheck/issue/markdown.ts";
import { config as board, claimAltered, released } from "../../../recheck/samples.ts";

const before = parsedConfig();
const check = (root: string, other = trigger, backtest?: Backtest, folder = "") =>
  checkConfig({ parsed: parse(root, other), before, folder }, backtest);
const problem = (more: Partial<Problem> = {}): Problem => ({
  file: "sources.yaml",
  line: 3,
  column: 5,
  message: "is wrong",
  ...more,
});
const failed = (problems: readonly Problem[], folder = "") => checkConfig({ parsed: { problems }, before, folder });

const many = (total: number) => failed(Array.from({ length: total }, (_, i) => problem({ line: i + 1 })));
const folder = ".github/recheck";
/** The same firing, of a source that this config has. */
const ofSpar = (firing: Firing): Firing => ({
  ...firing,
  evidence: firing.evidence.map((one) => ({ ...one, source: "spar-releases" })),
});
const asked = {
  came: [ofSpar(released), ofSpar({ ...released, seen: released.seen + 1 })],
  went: [ofSpar(claimAltered)],
  rechecks: { came: 2, went: 1 },
  days: 90,
  unplayed: [],
};
/** A small change, of which a replay says this. */
const replayed = (says: Awaited<ReturnType<Backtest>>) =>
  check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async () => says);
const withRating = (root: string, id: string) =>
  check(root.replaceAll("delta/lift", id), trigger.replaceAll("delta/lift", id));

/** Whole check runs as people read them, in golden/. `npx vitest run test/faces/app/config/output.test.ts -u` writes them again. */
const cases: Readonly<Record<string, () => Promise<CheckOutput>>> = {
  "holds and is hardly meant": () => check(sources.replace("every: 2h", "every: 6m")),
  "problems in two files": () => check(sources.replace("cites: [3]", "cite: [3]"), trigger.replace("name:", "nam:")),
  "a problem, and nothing is in use yet": () => checkConfig({ parsed: { problems: [problem()] }, folder: "" }),
  "problems in a folder of the repository": () =>
    failed([problem(), problem({ file: `${folder}/triggers/a.yaml` })], folder),
  "more problems than are listed": () => many(52),
  "many changes": () =>
    check(
      sources
        .replace("delta/lift: Low", "delta/lift: High")
        .replace("spar-releases:", "spar-news:")
        .replace("says: The wind model is early", "says: The wind model is a sketch")
        .replace("2026-05-16", "2026-11-20"),
      trigger.replace("Does it lift?", "Does it fly?"),
    ),
  "a rating with another id": () => withRating(sources, "delta/rise"),
  "a rating with another id and the same name": () =>
    withRating(sources.replace("names: { ", "names: { kite: Delta, "), "kite/lift"),
  "a rating with other owners": () =>
    check(sources.replace("delta/lift: Low", "delta/lift: { level: Low, volatility: High, owners: [kites] }")),
  "a replay in which rechecks came and went": () => replayed(asked),
  "a replay with events that join one recheck": () =>
    replayed({
      ...asked,
      rechecks: { came: 0, went: 1 },
      came: [],
      went: [claimAltered, released, released].map(ofSpar),
    }),
  "a replay without what is new": () => replayed({ ...asked, unplayed: ["spar-news", "wind"] }),
  "a replay without 5,000 sources": () =>
    replayed({ ...asked, unplayed: Array.from({ length: 5_000 }, (_, i) => `source-${i}`) }),
  "a replay that did not end": () => replayed("given up"),
  "a change of conclusions": () => check(sources.replace("Start with a sled", "Start with a delta")),
  "a change of notify": () => check(`${sources}notify: { team: { slack: contrary } }\n`),
  "a change of nothing": () =>
    check(`# a remark\n${sources.replace("{ name: Spar, aliases: [spar-cad],", "{ aliases: [spar-cad], name: Spar,")}`),
  "the first config": () => checkConfig({ parsed: { config: before }, folder: "" }),
};

test.each(Object.entries(cases))("%s", async (name, made) => {
  const { title, conclusion, summary, annotations } = await made();
  const places = annotations.map(
    (one) =>
      `- ${one.annotation_level} ${one.path}:${one.start_line}:${one.start_column}-${one.end_line}:${one.end_column} ${one.title}: ${one.message}\n`,
  );
  const shown = `# ${title}\n\n${conclusion}\n\n${summary}\n\n${places.join("")}`;
  await expect(shown).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.md`);
});

describe("a config with problems", () => {
  test("is reported in batches of 50, and no more than anybody reads", async () => {
    const sizes = async (total: number) => batches((await many(total)).annotations).map(({ length }) => length);
    expect(await sizes(50)).toEqual([50]);
    expect(await sizes(51)).toEqual([50, 1]);
    expect(await sizes(10_000)).toEqual(Array.from({ length: 10 }, () => 50));
    expect(batches([])).toEqual([[]]);
  });

  test("keeps to GitHub's limits", async () => {
    const long = problem({ message: "🦀".repeat(100_000), line: 0, column: 0 });
    const { annotations, summary } = await failed(Array.from({ length: 60 }, () => long));
    const [first] = annotations;
    expect(Buffer.byteLength(first?.message ?? "")).toBeLessThanOrEqual(64_000);
    expect(first).toMatchObject({ start_line: 1, end_line: 1, start_column: 1 });
    expect(summary.length).toBeLessThan(65_535);
  });

  test("brings nothing alive", async () => {
    await fc.assert(
      fc.asyncProperty(hostile(), hostile(), async (message, file) => {
        const { summary } = await failed([problem({ message, file, suggestion: message })]);
        const { text, html, links } = rendered(summary);
        expect({ living: living(text), html, links }).toEqual({ living: [], html: [], links: [] });
      }),
    );
  });
});

describe("a valid change", () => {
  test("is replayed only if that can show something", async () => {
    let replays = 0;
    const backtest: Backtest = async () => {
      replays++;
      return undefined;
    };
    await check(sources.replace("Start with a sled", "Start with a delta"), trigger, backtest);
    await check(sources.replace("delta/lift: Low", "delta/lift: High"), trigger, backtest);
    expect(replays).toBe(0);
    const output = await check(sources, trigger.replace("  - issue: wind-tracker\n", ""), backtest);
    expect({ replays, title: output.title }).toEqual({ replays: 1, title: "Valid: 1 trigger changed" });
  });

  test("is replayed against the config in use", async () => {
    const given: unknown[] = [];
    await check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async (...configs) => {
      given.push(...configs);
      return asked;
    });
    expect(given).toEqual([before, expect.objectContaining({ ratings: before.ratings })]);
  });

  test("of any size stays within what GitHub takes", async () => {
    const many = (prefix: string) => {
      const entries = Array.from({ length: 5_000 }, (_, i) => [`${prefix}${i}`, `${prefix}${i}`] as const);
      const all = [...board.sources.values()][0];
      return {
        ...board,
        sources: new Map(
          entries.flatMap(([id]) => (all ? [[id, { ...all, id, title: "x".repeat(300) }] as const] : [])),
        ),
        ratings: new Map(entries.map(([id]) => [id, { id, level: "y".repeat(300), owners: [] }] as const)),
      };
    };
    const firings = Array.from({ length: 500 }, () => released);
    const output = await checkConfig({ parsed: { config: many("a") }, before: many("b"), folder: "" }, async () => ({
      came: firings,
      went: firings,
      rechecks: { came: 500, went: 500 },
      days: 90,
      unplayed: [],
    }));
    expect(output.summary.length).toBeLessThan(65_535);
    expect(output.title).toBe(
      "Valid: +500, −500 rechecks in 90 days; 5,000 sources added, 5,000 dropped; 5,000 ratings added, 5,000 dropped",
    );
  });
});
