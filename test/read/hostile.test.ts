import { describe, expect, test } from "vitest";
import { documents } from "../../bench/hostile/documents.ts";
import { wordsOf } from "../../src/compare/page/text.ts";
import { foldText } from "../../src/language/fold.ts";
import { Failure } from "../../src/model/failure.ts";
import { matchesOf } from "../../src/model/options.ts";
import { pageOf } from "../../src/read/html/html.ts";
import { readers } from "../../src/read/index.ts";
import { csvRows } from "../../src/read/shared/csv.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize } from "../support/runs.ts";
import { response, source } from "./given.ts";

/** Characters of each. What takes the square of them takes many seconds. */
const size = inputSize(60_000, 15_000);
/** Milliseconds of processor time; nearly all take a fiftieth of it. */
const bound = inputSize(4_000, 2_000);
/** Bytes that may be kept of one byte: all that a reading may hold. */
const most = 12_000_000;

function spent(work: () => void): number {
  const begun = processorTime();
  work();
  return processorTime() - begun;
}

describe("answers that are made to be slow or large", () => {
  test.each(documents.map((input) => [input.about, input.name, input] as const))("%s: %s", async (_, __, input) => {
    const reader = readers.get(input.kind);
    if (!reader) throw new Error(input.kind);
    const body = input.make(size);
    const begun = processorTime();
    try {
      const reading = await reader.read(response(body), source(reader, input.options, input.address ?? reader.example));
      expect(JSON.stringify(reading).length).toBeLessThan(most);
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect((error as Failure).kind).not.toBe("internal");
    }
    expectTime(processorTime() - begun, bound);
  });
});

describe("texts that are made to be slow to compare", () => {
  const long = inputSize(300_000, 60_000);
  test.each([
    ["signs of copyright", "©".repeat(long)],
    ["digits before a date", `${"1".repeat(long)} ago`],
    ["marks on one letter", `a${"\u0301\u0316".repeat(long / 2)}`],
    ["marks in falling order", `a${"\u0301\u0327\u031b\u0316".repeat(long / 4)} b`],
  ])("%s", (_, text) => {
    for (const work of [() => void wordsOf(text), () => void foldText(text)]) expectTime(spent(work), bound);
  });

  test("thirty marks on a letter still distinguish it from another", () => {
    expect(wordsOf(`a${"\u0301".repeat(12)}`)).not.toBe(wordsOf("a"));
    expect(wordsOf("e\u0301")).toBe(wordsOf("é"));
  });
});

test("headings by role go no deeper than those by name", () => {
  const headings = Array.from(
    { length: 40 },
    (_, i) => `<p role="heading" aria-level="${i + 1}.5">Part ${i}</p><p>t</p>`,
  );
  const { blocks } = pageOf(`<main>${headings.join("")}</main>`);
  expect(Math.max(...blocks.map(({ path }) => path.length))).toBe(6);
  expect(blocks.at(-1)?.path).toEqual(["Part 0", "Part 1", "Part 2", "Part 3", "Part 4", "Part 39"]);
});

test("a name that each of 20,000 entries repeats is too large", async () => {
  const reader = readers.get("pypi");
  const releases = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`1.${i}`, [{}]]));
  const body = JSON.stringify({ info: { name: "a".repeat(50_000) }, releases });
  await expect(async () => reader && (await reader.read(response(body), source(reader)))).rejects.toThrow(
    "larger than 5 MB",
  );
});

test("a name that is over each value of a document is too large", async () => {
  const reader = readers.get("json");
  const body = JSON.stringify({ ["a".repeat(50_000)]: Array.from({ length: 200 }, (_, i) => i) });
  await expect(async () => reader && (await reader.read(response(body), source(reader)))).rejects.toThrow(
    "larger than 5 MB",
  );
});

describe("rows with commas", () => {
  test.each<[string, string[]]>([
    ["a", ["a"]],
    ["a,", ["a", ""]],
    ["a, b ,c", ["a", "b", "c"]],
    ['"a,b", "c ""d"""', ["a,b", 'c "d"']],
    ['"a"b,c', ['"a"b', "c"]],
    ['"a,b', ['"a', "b"]],
    ['"a" ,"b"', ["a", "b"]],
    ['"a\nb",c', ["a\nb", "c"]],
    ['"",x', ["", "x"]],
  ])("%s", (text, cells) => expect(csvRows(text, ",")).toEqual([cells]));

  test("a row without text is none, and a quote that never ends keeps the rows below it", () => {
    expect(csvRows('a,"b\n\n,\nc', ",")).toEqual([["a", '"b'], ["c"]]);
  });
});

describe("all that a pattern finds", () => {
  const found = (pattern: string, text: string) => [...matchesOf(pattern, text)].map((match) => match.text);

  test("each is found if it lies over the end of a part", () => {
    const words = Array.from({ length: 900 }, (_, i) => `v1.${i}`);
    expect(found("v1\\.\\d+", words.join(" "))).toEqual(words);
    expect(found("(?m)^(v1\\S+)$", words.join("\n"))).toEqual(words);
  });

  test("a long one is found whole", () => {
    const long = `v${"1".repeat(2_000)}`;
    expect(found("v1+", `${"a ".repeat(400)}${long} b${"c ".repeat(5_000)}`)).toEqual([long]);
    expect(found("^v1", `${"a ".repeat(1_000)}v1`)).toEqual([]);
  });

  test("each may read to the end, and match one letter", () => {
    const work = () => expect(() => found("a(?:.*b)?", "a".repeat(200_000))).toThrow("more than 10000 entries");
    expectTime(spent(work), 8_000);
  });
});

test("ReDoS: a pattern as large as config may have searches fewer characters", () => {
  const work = () =>
    expect(() => [...matchesOf("(?:[ab]{400}c)?a", "a".repeat(200_000))]).toThrow("more than 10000 entries");
  expectTime(spent(work), bound);
});

describe("selectors on pages that are made to be slow", () => {
  const deep = `${"<div>".repeat(3_500)}${"<p>t</p>".repeat(2_000)}`;
  test.each([
    ["what no page has, deep in it", ":contains(zz), p", deep],
    ["counts among 20,000 siblings", "p:nth-last-child(2n+1)", "<p>t</p>".repeat(20_000)],
    ["siblings of siblings", "p ~ p ~ p ~ b", "<p>t</p>".repeat(5_000)],
    ["what has what", "div:has(div div div b)", deep],
  ])("%s", (_, selector, html) => {
    const work = () => {
      try {
        pageOf(html, { select: [selector] });
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    };
    expectTime(spent(work), 6_000);
  });
});
