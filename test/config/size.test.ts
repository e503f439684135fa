import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize } from "../support/runs.ts";

const head = "report: { title: Kites, audited: 2026-05-16 }\nratings: { a: x }\n";
const one = `${head}sources:\n  s: { feed: https://example.org/ }\n`;
const trigger = "name: Wind\nratings: [a]\non:\n  - { item: s }\n";

const told = (files: Record<string, string>) =>
  parseConfig(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    readers,
  ).problems.map(formatProblem);

/** `sources.yaml` and so many triggers. */
function withTriggers(count: number, text = trigger): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `triggers/t${String(i + 1).padStart(3, "0")}.yaml`);
  return { "sources.yaml": one, ...Object.fromEntries(names.map((name) => [name, text])) };
}

function filled(bytes: number, text = trigger): string {
  return `${text}#${"x".repeat(bytes - text.length - 1)}`;
}

describe("a config that is too much", () => {
  it("has more than 100 files", () => {
    expect(told(withTriggers(99))).toEqual([]);
    expect(told(withTriggers(100))).toEqual(["triggers/t100.yaml:1:1  config has 101 files; the limit is 100"]);
  });

  it("is larger than 1 MB in all, and the file that exceeds it is named", () => {
    const most = 1_000_000 - one.length;
    const two = (second: number) => ({
      "sources.yaml": one,
      "triggers/one.yaml": filled(most - 500),
      "triggers/two.yaml": filled(second),
    });
    expect(told(two(500))).toEqual([]);
    const says = "with this file config is larger than 1 MB, the limit of all its files together";
    expect(told(two(501))).toEqual([`triggers/two.yaml:1:1  ${says}`]);
  });

  it("is not parsed: 50 MB of patterns take no time", () => {
    let text = "name: x\nratings: [a]\non:\n";
    for (let i = 0; text.length < 990_000; i++) text += `  - { item: s, matches: '(a|b){1,9}[^x]*${i}' }\n`;
    const before = processorTime();
    expect(told(withTriggers(50, text))).toHaveLength(1);
    expectTime(processorTime() - before, 100);
  });
});

describe("mistakes in YAML", () => {
  it.each([
    ["on one line", (n: number) => `a: "${"\\q".repeat(n)}"\n`, 1],
    ["on as many lines", (n: number) => "a: @x\n".repeat(n), 20],
  ])("thousands of them %s are reported in time", (_, mistakes, most) => {
    const before = processorTime();
    expect(told({ "sources.yaml": mistakes(inputSize(40_000, 10_000)) })).toHaveLength(most);
    expectTime(processorTime() - before, inputSize(4_000, 1_000));
  });
});

describe("patterns", () => {
  const holding = (count: number, pattern: (i: number) => string) => {
    const conditions = Array.from({ length: count }, (_, i) => `  - { item: s, matches: '${pattern(i)}' }\n`);
    return { "sources.yaml": one, "triggers/t.yaml": `name: x\nratings: [a]\non:\n${conditions.join("")}` };
  };
  const says = "is one pattern too many: config may have 1,000, of 50,000 characters together, as written or compiled";

  it("are 1,000 at most", () => {
    expect(told(holding(1_000, (i) => `a${i}`))).toEqual([]);
    expect(told(holding(1_001, (i) => `a${i}`))).toEqual([`triggers/t.yaml:1004:25  "matches" ${says}`]);
  });

  it("have 50,000 characters at most", () => {
    expect(told(holding(51, (i) => `${i}`.padStart(900, "a")))).toEqual([]);
    expect(told(holding(56, (i) => `${i}`.padStart(900, "a")))).toEqual([`triggers/t.yaml:59:25  "matches" ${says}`]);
  });

  it("count as what they are compiled to", () => {
    const large = told(holding(3, () => "((a{1,31}){1,31})".repeat(40)));
    expect(large).toEqual([
      'triggers/t.yaml:4:25  "matches" is not a pattern: it repeats too much',
      `triggers/t.yaml:5:25  "matches" ${says}`,
      `triggers/t.yaml:6:25  "matches" ${says}`,
    ]);
  });

  it("take no time if they are too long", () => {
    const before = processorTime();
    expect(told(holding(1, () => "\\pL".repeat(300_000)))[0]).toContain("needs a pattern of at most 1,000 characters");
    expectTime(processorTime() - before, 500);
  });
});

it("4,000 sources with a claim each are not too much", () => {
  const sources = Array.from(
    { length: 4_000 },
    (_, i) =>
      `  s${i}:\n    page: https://example.org/pages/${i}\n    cites: [${i + 1}]\n    claims:\n      c: { says: Winds rise, quote: the wind rises at noon in most valleys, ratings: [a] }\n`,
  );
  expect(told({ "sources.yaml": `${head}sources:\n${sources.join("")}` })).toEqual([]);
});

it("150,000 mistakes are reported, not thrown", () => {
  const list = `${head}sources:\n  s: { page: https://example.org, cites: [${"x,".repeat(150_000)}] }\n`;
  expect(told({ "sources.yaml": list })).toEqual(["sources.yaml:1:1  sources.yaml has too many mistakes to list"]);
});

it("a long list of distinct words takes no longer than another", () => {
  const levels = Array.from({ length: inputSize(50_000, 20_000) }, (_, i) => `x${i}`);
  const before = processorTime();
  told({ "sources.yaml": `report: { title: Kites, audited: 2026-05-16 }\nlevels: [${levels.join(",")}]\n` });
  // It was the square of its length: some seconds.
  expectTime(processorTime() - before, inputSize(1_500, 600));
});
