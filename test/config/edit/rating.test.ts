import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editRatings, type RatingEdit } from "../../../src/config/edit/rating.ts";
import type { Config, Rating } from "../../../src/model/config.ts";
import { configOf } from "../../support/config-of.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { runs } from "../../support/runs.ts";
import { levels, textOf, written } from "./written.ts";

const on = (text: string) => Date.parse(text);
const reviewed = on("2026-11-20");

function edited(text: string, rating: string, level?: string): string {
  const result = editRatings(text, [{ rating, level, reviewed }]);
  expect(result.left).toEqual([]);
  return result.text;
}

/** What config is to say afterwards. */
function meant(config: Config, edits: readonly RatingEdit[]): Config {
  const ratings = new Map<string, Rating>(config.ratings);
  for (const edit of edits) {
    const rating = ratings.get(edit.rating);
    if (!rating) throw new Error(edit.rating);
    const date = Math.max(rating.reviewed ?? 0, edit.reviewed);
    ratings.set(edit.rating, { ...rating, level: edit.level ?? rating.level, reviewed: date });
  }
  return { ...config, ratings };
}

describe("any way to write a rating", () => {
  const days = fc.constantFrom(on("2025-01-01"), reviewed, on("2027-02-03"));
  const edit = fc.record({
    which: fc.nat(),
    level: fc.option(fc.constantFrom(...levels), { nil: undefined }),
    day: days,
  });

  test("one edit changes that rating and no byte beside it", () => {
    fc.assert(
      fc.property(written(), edit, (file, { which, level, day }) => {
        const index = which % file.entries.length;
        const { id = "", comments = [] } = file.entries[index] ?? {};
        const text = textOf(file);
        const change = { rating: id, level, reviewed: day };
        const { text: result, left } = editRatings(text, [change]);
        expect(left).toEqual([]);
        const before = textOf({ ...file, entries: file.entries.slice(0, index), tail: "" });
        const after = textOf({ ...file, head: "", entries: file.entries.slice(index + 1) });
        expect(result.startsWith(before)).toBe(true);
        expect(result.endsWith(after)).toBe(true);
        const own = result.slice(before.length, result.length - after.length);
        for (const comment of comments) expect(own).toContain(comment);
        if (text.includes("\r\n")) expect(own.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        expect(configOf(result)).toEqual(meant(configOf(text), [change]));
      }),
      { numRuns: runs(200) },
    );
  });

  test("many edits are the sum of them, and the same edits again change nothing", () => {
    fc.assert(
      fc.property(written(), fc.array(edit, { maxLength: 6 }), (file, some) => {
        const byId = new Map(
          some.map(({ which, level, day }) => {
            const rating = file.entries[which % file.entries.length]?.id ?? "";
            return [rating, { rating, level, reviewed: day }];
          }),
        );
        const edits = [...byId.values()];
        const once = editRatings(textOf(file), edits).text;
        expect(configOf(once)).toEqual(meant(configOf(textOf(file)), edits));
        expect(editRatings(once, edits)).toEqual({ text: once, left: [] });
      }),
      { numRuns: runs(80) },
    );
  });
});

test("a level alone becomes a level with a date, as the file writes such", () => {
  expect(edited("ratings:\n  a/b: High # so\n", "a/b")).toBe(
    "ratings:\n  a/b: { level: High, reviewed: 2026-11-20 } # so\n",
  );
  expect(edited("ratings:\n  a/b: High\n  c: {level: Low}\n", "a/b", "Low")).toBe(
    "ratings:\n  a/b: {level: Low, reviewed: 2026-11-20}\n  c: {level: Low}\n",
  );
  expect(edited("ratings:\n  a/b: High\n  c:\n      level: Low\n", "a/b")).toBe(
    "ratings:\n  a/b:\n      level: High\n      reviewed: 2026-11-20\n  c:\n      level: Low\n",
  );
  expect(edited("ratings: { a/b: High, c: Low }\n", "c", "High")).toBe(
    "ratings: { a/b: High, c: { level: High, reviewed: 2026-11-20 } }\n",
  );
});

test("a date goes below the level, an older one is replaced, a later one stays", () => {
  expect(edited("ratings:\n  a:\n    level: High # so\n    owners: [x]", "a")).toBe(
    "ratings:\n  a:\n    level: High # so\n    reviewed: 2026-11-20\n    owners: [x]",
  );
  expect(edited("ratings:\n  a: { reviewed: 2026-11-19, level: High }\n", "a", "Low")).toBe(
    "ratings:\n  a: { reviewed: 2026-11-20, level: Low }\n",
  );
  const later = "ratings:\n  a: { reviewed: 2026-11-21, level: High }\n";
  expect(edited(later, "a")).toBe(later);
});

test.each([
  ["41 ms", "38.5 ms", "38.5 ms"],
  ["187", "201", "201"],
  ["92.10", "92.20", "92.20"],
  ["41 ms", "true", '"true"'],
  ["41 ms", "42", '"42"'],
  ["41 ms", "null", '"null"'],
  ["41 ms", "a: b # c", '"a: b # c"'],
  ["41 ms", "a, b]", '"a, b]"'],
  ["41 ms", "- x", '"- x"'],
  ["41 ms", "*a", '"*a"'],
  ["'41 ms'", "it's", "'it''s'"],
  ['"41 ms"', 'say "x"', '"say \\"x\\""'],
])("without levels %s becomes %s, written %s", (before, level, spelling) => {
  const head = "report: { title: T, audited: 2026-05-16 }\nratings:\n";
  const text = edited(`${head}  a: ${before}\n`, "a", level);
  expect(text).toBe(`${head}  a: { level: ${spelling}, reviewed: 2026-11-20 }\n`);
  expect(configOf(text).ratings.get("a")?.level).toBe(level);
});

test("any text is a level that reads back", () => {
  const head = "report: { title: T, audited: 2026-05-16 }\nratings:\n  a: x\n  b: { level: 'y' }\n";
  const word = fc
    .string({ minLength: 1, unit: "grapheme" })
    .filter((text) => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(text));
  fc.assert(
    fc.property(word, fc.constantFrom("a", "b"), (level, rating) => {
      expect(configOf(edited(head, rating, level)).ratings.get(rating)?.level).toBe(level);
    }),
  );
});

describe("dependent values", () => {
  const text = "ratings:\n  a: &m Medium\n  b: *m\n  c: { level: *m }\n  d: &n { level: Low }\n  e: *n\n";

  test("is left, with the reason, if it cannot be written without changing others", () => {
    const { text: same, left } = editRatings(text, [{ rating: "a", level: "High", reviewed }]);
    expect(same).toBe(text);
    expect(left).toEqual([{ rating: "a", says: "other entries, or a tag, depend on how it is written" }]);
    expect(editRatings(text, [{ rating: "e", reviewed }]).left).toHaveLength(1);
    expect(editRatings(text, [{ rating: "z", reviewed }]).left).toEqual([
      { rating: "z", says: "it is not among the ratings of this file" },
    ]);
  });

  test("is written if its own place can be, and dependent values afterwards", () => {
    expect(edited(text, "b", "High")).toContain("  b: { level: High, reviewed: 2026-11-20 }\n");
    expect(edited(text, "c", "High")).toContain("  c: { level: High, reviewed: 2026-11-20 }\n");
    const all = ["a", "b", "c"].map((rating) => ({ rating, level: "High", reviewed }));
    const { text: result, left } = editRatings(text, all);
    expect(left).toEqual([]);
    expect(result).toContain("  a: &m { level: High, reviewed: 2026-11-20 }\n");
  });
});

test("a value below its key becomes the keys there", () => {
  const text = "ratings:\n  a:\n    High\n  b:\n    level: Low\n";
  expect(edited(text, "a")).toBe("ratings:\n  a:\n    level: High\n    reviewed: 2026-11-20\n  b:\n    level: Low\n");
});

test("a level with a tag of YAML is left: a map would not fit it", () => {
  const text = "ratings:\n  a: !!str High\n";
  const why = "other entries, or a tag, depend on how it is written";
  expect(editRatings(text, [{ rating: "a", reviewed }])).toEqual({ text, left: [{ rating: "a", says: why }] });
});

test("a level of many lines keeps its shape", () => {
  const text = "ratings:\n  a:\n    level: |\n      one\n      two\n    owners: [x]\n";
  expect(edited(text, "a")).toBe(
    "ratings:\n  a:\n    reviewed: 2026-11-20\n    level: |\n      one\n      two\n    owners: [x]\n",
  );
  expect(edited(text, "a", "three")).toContain("    level: three\n    owners: [x]\n");
});

test("a byte order mark stays, and a file that is no YAML is left alone", () => {
  expect(edited("\ufeffratings:\n  a: High\n", "a")).toBe(
    "\ufeffratings:\n  a: { level: High, reviewed: 2026-11-20 }\n",
  );
  for (const text of ["", "ratings: [", "ratings: [a]", "- a", "ratings:\n  a: [x]\n"]) {
    expect(editRatings(text, [{ rating: "a", reviewed }])).toMatchObject({ text, left: [{ rating: "a" }] });
  }
});

test("every rating of this repository's own file can be edited", () => {
  const text = readFileSync("sources.yaml", "utf8");
  const ids = [...text.slice(text.indexOf("\nratings:")).matchAll(/^ {2}([a-z]+\/[a-z-]+):/gm)].map(
    ([, id = ""]) => id,
  );
  expect(ids.length).toBeGreaterThan(10);
  const { text: result, left } = editRatings(
    text,
    ids.map((rating) => ({ rating, level: "Low", reviewed })),
  );
  expect(left).toEqual([]);
  const [old, now] = [text.split("\n"), result.split("\n")];
  expect(now).toHaveLength(old.length);
  expect(now.filter((line, i) => line !== old[i])).toHaveLength(ids.length);
});

test("hundreds of ratings are edited with the file parsed twice", () => {
  const names = Array.from({ length: 300 }, (_, i) => `rating-${i}`);
  const text = `ratings:\n${names.map((name) => `  ${name}: { level: High, reviewed: 2025-01-01 }\n`).join("")}`;
  const edits = names.map((rating) => ({ rating, reviewed }));
  const before = processorTime();
  expect(editRatings(text, edits)).toEqual({ text: text.replaceAll("2025-01-01", "2026-11-20"), left: [] });
  // Parsed for each rating, it takes many times that.
  expectTime(processorTime() - before, 1_500);
});

test("the same edits of the same file are made once, for the text of every open issue", () => {
  const text = "ratings: { a: Low, b: High }\n";
  const edits = [{ rating: "a", reviewed }];
  expect(editRatings(text, [...edits])).toBe(editRatings(text, edits));
  expect(editRatings(`# other\n${text}`, edits).text).toContain("# other");
});
