import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, inject, test } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether `-u` was given: results are written again, in place of being compared. */
    readonly rewrites: boolean;
  }
}

/** An input, the word behind `<<<`, and the result. */
interface Step {
  readonly input: string;
  readonly note: string;
  readonly result: string;
}

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

const closing = "<<<";

/** The cases of a file. */
function parse(text: string): Case[] {
  const cases: { name: string; steps: Step[] }[] = [];
  for (const part of text.split(/^>>>/m).slice(1)) {
    const lines = part.trimEnd().split("\n");
    const end = lines.findIndex((line) => line.startsWith(closing));
    if (end < 0) throw new Error(`the case "${lines[0]?.trim()}" has no line ${closing}`);
    const name = lines[0]?.trim() ?? "";
    if (name) cases.push({ name, steps: [] });
    cases.at(-1)?.steps.push({
      input: lines.slice(1, end).join("\n"),
      note: lines[end]?.slice(closing.length).trim() ?? "",
      result: lines.slice(end + 1).join("\n"),
    });
  }
  return cases;
}

function write({ name, steps }: Case): string {
  const blocks = steps.map(({ input, note, result }, i) =>
    [`>>> ${i === 0 ? name : ""}`.trimEnd(), input, `${closing} ${note}`.trimEnd(), ...(result ? [result] : [])].join(
      "\n",
    ),
  );
  return `${blocks.join("\n")}\n`;
}

/**
 * Tests that are data. Each case of the file has its name behind `>>>`, its input, a line `<<<` that may say how the input is
 * read, and the result. A `>>>` without a name is a further input of the same case. `npx vitest run FILE -u` writes the results.
 */
export function testCases(path: string, resultOf: (input: string, note: string) => string | Promise<string>): void {
  const written: string[] = [];
  test.each(parse(readFileSync(path, "utf8")))("$name", async ({ name, steps }) => {
    const played: Step[] = [];
    for (const step of steps) played.push({ ...step, result: await resultOf(step.input, step.note) });
    const text = write({ name, steps: played });
    written.push(text);
    if (!inject("rewrites")) expect(text).toBe(write({ name, steps }));
  });
  afterAll(() => {
    if (inject("rewrites")) writeFileSync(path, written.join("\n"));
  });
}
