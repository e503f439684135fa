import { expect, test } from "vitest";
import { Ids } from "../../src/report/cite/sources.ts";
import { processorTime } from "../support/processor-time.ts";

test("no id is given twice, and the next free number is given", () => {
  const ids = new Ids(["kite-3"]);
  expect([1, 2, 3, 4].map(() => ids.give("Kite", "source"))).toEqual(["kite", "kite-2", "kite-4", "kite-5"]);
  expect(ids.give("Kite 5", "source")).toBe("kite-5-2");
});

test("thousands with the same wished id take time that grows with their number", () => {
  const ids = new Ids();
  const started = processorTime();
  const given = Array.from({ length: 20_000 }, () => ids.give("Entry", "source"));
  expect(processorTime() - started).toBeLessThan(2_000);
  expect(new Set(given).size).toBe(given.length);
});
