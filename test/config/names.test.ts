import { expect, test } from "vitest";
import { schemasFor } from "../../src/config/schema.ts";
import { readers } from "../../src/read/index.ts";
import { told } from "./valid.ts";

const report = "report: { title: Kites, audited: 2026-05-16 }\n";
const asking = (rating: string) => `name: T\nratings: [${rating}]\non: [{ unreviewed: 90d }]\n`;

test("the schemas are built once for all configs, with levels and without", () => {
  expect(schemasFor(readers, true)).toBe(schemasFor(readers, true));
  expect(schemasFor(readers, false)).toBe(schemasFor(readers, false));
});

test("the names of one config are not those of the next, and its levels neither", () => {
  const kites = `${report}levels: [Low, High]\naxes: [kite, area]\nratings: { delta/lift: High }\n`;
  const boats = `${report}ratings: { hull: 12 knots }\n`;
  for (let round = 0; round < 2; round++) {
    expect(told(kites, asking("delta/lift"))).toEqual([]);
    expect(told(boats, asking("hull"))).toEqual([]);
    expect(told(kites, asking("hull"))).toEqual([expect.stringContaining('no rating named "hull"')]);
    expect(told(boats, asking("delta/lift"))).toEqual([expect.stringContaining('no rating named "delta/lift"')]);
    expect(told(kites.replace("High }", "12 knots }"), asking("delta/lift"))).toEqual([
      expect.stringContaining('no level named "12 knots"'),
    ]);
  }
});

test("any name holds if sources.yaml cannot be read", () => {
  expect(told("report: [", asking("hull")).join("\n")).not.toContain("hull");
});
