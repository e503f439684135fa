import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Backtest, batches, checkConfig } from "../../../../src/faces/app/config/check-output.ts";
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

test("a config that holds and is hardly meant: its effect, with warnings at each place", async () => {
  const output = await check(sources.replace("every: 2h", "every: 6m"));
  expect(output.conclusion).toBe("success");
  expect(output.title).toMatch(/^Valid: .*; 1 place to check$/);
  expect(output.summary).toMatch(
    /^The config is valid\. Is this what you mean\?\n\n- `sources\.yaml:32:12` "every" is 6 minutes/,
  );
  expect(output.annotations).toEqual([
    expect.objectContaining({ annotation_level: "warning", start_line: 32, title: "Is this what you mean?" }),
  ]);
});

describe("a config with problems", () => {
  test("fails, with an annotation at each place", async () => {
    const output = await check(sources.replace("cites: [3]", "cite: [3]"), trigger.replace("name:", "nam:"));
    expect(output.conclusion).toBe("failure");
    expect(output.title).toBe("2 problems in 2 files");
    expect(output.annotations).toEqual([
      {
        path: "sources.yaml",
        start_line: 26,
        end_line: 26,
        start_column: 5,
        end_column: 5,
        annotation_level: "failure",
        title: "Recheck cannot read this",
        message: 'unknown key "cite" in source "spar-releases"; did you mean "cites"?',
      },
      expect.objectContaining({ path: "triggers/delta.yaml", start_line: 1, start_column: 1 }),
    ]);
    expect(output.summary).toBe(
      [
        "The present config stays in use until these problems are fixed.",
        "",
        '- `sources.yaml:26:5` unknown key "cite" in source "spar-releases"; did you mean "cites"?',
        '- `triggers/delta.yaml:1:1` unknown key "nam" in trigger "delta"; did you mean "name"?',
      ].join("\n"),
    );
  });

  test("says so where nothing is in use yet", async () => {
    const output = await checkConfig({ parsed: { problems: [problem()] }, folder: "" });
    expect(output.title).toBe("1 problem");
    expect(output.summary).toMatch(/^Nothing is watched until these problems are fixed\./);
  });

  test("names files from the root of the repository, once", async () => {
    const folder = ".github/recheck";
    const { annotations } = await failed([problem(), problem({ file: `${folder}/triggers/a.yaml` })], folder);
    expect(annotations.map(({ path }) => path)).toEqual([`${folder}/sources.yaml`, `${folder}/triggers/a.yaml`]);
  });

  test("is told in batches of 50, and no more than anybody reads", async () => {
    const count = (total: number) => failed(Array.from({ length: total }, (_, i) => problem({ line: i + 1 })));
    const sizes = async (total: number) => batches((await count(total)).annotations).map(({ length }) => length);
    expect(await sizes(50)).toEqual([50]);
    expect(await sizes(51)).toEqual([50, 1]);
    expect(await sizes(10_000)).toEqual(Array.from({ length: 10 }, () => 50));
    expect(batches([])).toEqual([[]]);
    const { title, summary } = await count(10_000);
    expect(title).toBe("10,000 problems");
    expect(summary).toContain("And 9,950 more. `recheck validate` prints them all.");
    expect(summary.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(50);
  });

  test("keeps to what GitHub takes", async () => {
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
  const asked = {
    came: [released, { ...released, seen: released.seen + 1 }],
    went: [claimAltered],
    rechecks: { came: 2, went: 1 },
    days: 90,
    unplayed: [],
  };

  test("tells its effect", async () => {
    const changed = sources
      .replace("delta/lift: Low", "delta/lift: High")
      .replace("spar-releases:", "spar-news:")
      .replace("says: The wind model is early", "says: The wind model is a sketch")
      .replace("2026-05-16", "2026-11-20");
    const output = await check(changed, trigger.replace("Does it lift?", "Does it fly?"));
    expect(output.conclusion).toBe("success");
    expect(output.title).toBe("Valid: 1 source added, 1 dropped; 1 trigger changed; 1 claim changed …");
    expect(output.summary).toBe(
      [
        "**Audit**: 2026-05-16 → 2026-11-20. Everything seen before 2026-11-20 is answered with *keep*.",
        "",
        "**Sources**",
        "",
        "- 1 added: `spar-news`",
        "- 1 dropped: `spar-releases`",
        "",
        "**Claims**",
        "",
        "- 1 changed: `wind-tracker/early`",
        "",
        "**Triggers**",
        "",
        "- 1 changed: `triggers/delta.yaml`",
        "",
        "**Ratings**",
        "",
        "| rating | before | after |",
        "|---|---|---|",
        "| Delta · lift | Low | High |",
      ].join("\n"),
    );
    expect(output.annotations).toEqual([]);
  });

  describe("of ratings", () => {
    const rowsOf = async (root: string, id = "delta/lift") => {
      const { summary } = await check(root.replaceAll("delta/lift", id), trigger.replaceAll("delta/lift", id));
      return summary.split("\n").filter((line) => /^\| (?!rating)/.test(line));
    };

    test("tells one that has another id apart from itself", async () => {
      expect(await rowsOf(sources, "delta/rise")).toEqual([
        "| Delta · rise | *new* | Low |",
        "| Delta · lift | Low | *dropped* |",
      ]);
      expect(await rowsOf(sources.replace("names: { ", "names: { kite: Delta, "), "kite/lift")).toEqual([
        "| Delta · lift (`kite/lift`) | *new* | Low |",
        "| Delta · lift (`delta/lift`) | Low | *dropped* |",
      ]);
    });

    test("says what changed where that is neither the level nor the day", async () => {
      const owned = sources.replace("delta/lift: Low", "delta/lift: { level: Low, volatility: High, owners: [kites] }");
      expect(await rowsOf(owned)).toEqual(["| Delta · lift (`delta/lift`) | Low | other `volatility`, `owners` |"]);
    });
  });

  test("tells what it would have asked, where a replay says so", async () => {
    const given: unknown[] = [];
    const output = await check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async (...configs) => {
      given.push(...configs);
      return asked;
    });
    expect(given).toEqual([before, expect.objectContaining({ ratings: before.ratings })]);
    expect(output.title).toBe("Valid: +2, −1 rechecks in 90 days; 1 source changed");
    expect(output.summary).toContain(
      "**+2, −1 rechecks in 90 days**, if this had been in use (replayed from stored responses, nothing was fetched).",
    );
    expect(output.summary).toContain("1 event would have been left out:\n\n- 2026-06-01 `tensor`: ");
  });

  test("counts rechecks, and tells their events", async () => {
    const one = { ...asked, rechecks: { came: 0, went: 1 }, came: [], went: [claimAltered, released, released] };
    const output = await check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async () => one);
    expect(output.title).toBe("Valid: +0, −1 recheck in 90 days; 1 source changed");
    expect(output.summary).toContain(
      "Events that join the open recheck of their trigger count as one.\n\n3 events would have",
    );
  });

  test("says beside the figure that what is new or moved is not in it", async () => {
    const some = { ...asked, unplayed: ["spar-news", "wind"] };
    const output = await check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async () => some);
    expect(output.title).toBe("Valid: +2, −1 rechecks in 90 days, without what is new or moved; 1 source changed");
    expect(output.summary).toContain(
      "count as one.\n\nNot included, because they are new or moved: `spar-news`, `wind`.\n\n2 events would have",
    );
    const many = { ...asked, unplayed: Array.from({ length: 5_000 }, (_, i) => `source-${i}`) };
    const { summary } = await check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async () => many);
    expect(summary).toContain("`source-29` and 4,970 more.");
  });

  test("says so where the replay did not end, and tells the rest", async () => {
    const output = await check(sources.replace("confirm: 3h", "confirm: 4h"), trigger, async () => "given up");
    expect(output.conclusion).toBe("success");
    expect(output.title).toBe("Valid: 1 source changed");
    expect(output.summary).toMatch(
      /^Its effect on past events is unknown: the replay of the stored responses took too long or too much memory\.\n\n\*\*Sources\*\*/,
    );
  });

  test("is replayed only where that can tell something", async () => {
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

  test("of something else is named by its key", async () => {
    const { title, summary } = await check(sources.replace("Start with a sled", "Start with a delta"));
    expect(title).toBe("Valid: conclusions changed");
    expect(summary).toBe("Also changed: `conclusions`.");
  });

  test("that changes nothing is neither success nor failure", async () => {
    expect(
      await check(
        `# a remark\n${sources.replace("{ name: Spar, aliases: [spar-cad],", "{ aliases: [spar-cad], name: Spar,")}`,
      ),
    ).toEqual({
      conclusion: "neutral",
      title: "Valid, and the same as before",
      summary: "No source and no trigger changes.",
      annotations: [],
    });
  });

  test("that is the first one says what it watches", async () => {
    const output = await checkConfig({ parsed: { config: before }, folder: "" });
    expect(output.title).toBe("Valid: the first config");
    expect(output.summary).toMatch(/^\*The State of Kites: May 2026\*: 3 sources, 3 claims, 1 trigger, 2 ratings\.\n/);
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
