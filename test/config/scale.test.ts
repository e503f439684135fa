import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import { parseConfig } from "../../src/config/index.ts";
import { readers } from "../../src/read/index.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize } from "../support/runs.ts";

const many = inputSize(10_000, 3_000);

function cpuOf(work: () => void): number {
  const before = processorTime();
  work();
  return processorTime() - before;
}

/** How many times the processor time of `floor` this takes: the lowest of three pairs, as a machine's speed varies meanwhile. */
function timesFloor(work: () => void, floor: () => void): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const least = cpuOf(floor);
      return cpuOf(work) / least;
    }),
  );
}

it("thousands of sources are read, in a time near that of the YAML alone", () => {
  const listed = Array.from(
    { length: many },
    (_, i) => `  s${i}:\n    page: https://example.org/pages/${i}\n    cites: [${i + 1}]\n`,
  );
  const text = `report: { title: Kites, audited: 2026-05-16 }\nsources:\n${listed.join("")}`;
  let size: number | undefined;
  const read = () => {
    size = parseConfig([{ path: "sources.yaml", text }], readers).config?.sources.size;
  };
  // Whatever grows with the square of the sources is hundreds of times the floor.
  expect(timesFloor(read, () => parseDocument(text))).toBeLessThan(40);
  expect(size).toBe(many);
});

it("200 names that are none of thousands of long ones are reported, in little more time than it takes to read these", () => {
  const name = (i: number): string => `${i}`.padStart(5, "0").replace(/./g, (digit) => "tulebadicr"[+digit] ?? "");
  const long = (i: number): string => name((i * 7_919) % 100_000).repeat(15);
  const ratings = Array.from({ length: many }, (_, i) => `  ${long(i)}: fast\n`);
  const sources = `report: { title: Kites, audited: 2026-05-16 }\nratings:\n${ratings.join("")}`;
  const wrong = Array.from({ length: 200 }, (_, i) => long(99_000 + i));
  const trigger = `name: Wind\nratings: [${wrong.join(", ")}]\non: [{ unreviewed: 9d }]\n`;
  const read = (...texts: string[]) =>
    parseConfig(
      texts.map((text, i) => ({ path: ["sources.yaml", "triggers/wind.yaml"][i] ?? "", text })),
      readers,
    ).problems.length;
  let problems = 0;
  const readBoth = () => {
    problems = read(sources, trigger);
  };
  expect(timesFloor(readBoth, () => read(sources))).toBeLessThan(8);
  expect(problems).toBeGreaterThanOrEqual(200);
});
