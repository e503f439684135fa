import { expect, test } from "vitest";
import { reportLines } from "../../../src/audit/check/findings.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize } from "../../support/runs.ts";

/** The line of a file on which a sentence of a report stands, as an editor wrote it. */

const lineOf = (lines: readonly string[], text: string, said?: string, before: readonly string[] = []) =>
  reportLines(lines.join("\n"), before.join("\n")).lineOf({ text }, said);

test("of a sentence over several lines, the one that holds the words that are looked for", () => {
  const lines = [
    "The Big **Engine** [has",
    "up to *512",
    "GB* of memory](https://a.example), and",
    "draws 300 W under load.",
  ];
  const text = "The Big Engine has up to 512 GB of memory, and draws 300 W under load.";
  expect(lineOf(lines, text, "300 W")).toBe(4);
  expect(lineOf(lines, text, "https://a.example")).toBe(3);
  expect(lineOf(lines, text)).toBeGreaterThan(0);
});

test("of a row, its own", () => {
  const lines = ["| engine | memory |", "|---|---|", "| Small Wheel | 512 GB |", "| Big Engine | 512 GB |"];
  expect(reportLines(lines.join("\n"), "").lineOf({ text: "512 GB", row: "Big Engine" }, "512 GB")).toBe(4);
});

test("of two that are alike, the new one", () => {
  const old = "The Big Engine has 512 GB of memory.";
  expect(lineOf([old, "", `${old} [1]`], old, "512 GB", [old, ""])).toBe(3);
});

test("of a sentence that is not there, none", () => {
  expect(
    lineOf(["Nothing of it stands here.", "512 GB"], "The Big Engine has 512 GB of memory.", "512 GB"),
  ).toBeUndefined();
});

test("a long report with a hundred sentences takes no long time", () => {
  const lines = Array.from(
    { length: inputSize(20_000, 4_000) },
    (_, i) => `The engine number ${i} has ${i} GB of memory, as told.`,
  );
  const found = reportLines(lines.join("\n"), "");
  const began = processorTime();
  for (let i = 0; i < 100; i++)
    expect(
      found.lineOf({ text: `The engine number ${i * 7} has ${i * 7} GB of memory, as told.` }, `${i * 7} GB of`),
    ).toBe(i * 7 + 1);
  expectTime(processorTime() - began, 10_000);
});
