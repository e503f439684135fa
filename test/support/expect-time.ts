import { expect } from "vitest";
import { processorTime } from "./processor-time.ts";

/**
 * Fails if a computation took more than `most` milliseconds of processor time, on a machine of usual speed. On a slow one it
 * may take as many times more as a computation that is always the same.
 */
export function expectTime(spent: number, most: number, about?: string): void {
  expect(spent < most ? spent : spent / slowness(), about).toBeLessThan(most);
}

/** How many times slower this machine is now than the one for which the bounds were set; 1 if it is faster. */
function slowness(): number {
  // The first tables are slow on every machine: the engine compiles this meanwhile.
  countWords(100);
  const begun = processorTime();
  countWords(100);
  return Math.max(1, (processorTime() - begun) / usual);
}

/** Milliseconds of 100 tables on a shared server, when nothing else runs there. */
const usual = 100;

/** Writes tables, reads them again, and counts their words: with text, objects and patterns, as most of the program does. */
function countWords(tables: number): void {
  for (let i = 0; i < tables; i++) {
    const written = Array.from({ length: 1_500 }, (_, i) => ({ id: i, says: `word ${i} of a long table` }));
    const rows: typeof written = JSON.parse(JSON.stringify(written));
    expect(new Set(rows.flatMap(({ says }) => says.match(/\w+/g))).size).toBe(1_505);
  }
}
