import { expect, test } from "vitest";
import { isCorrectedSince, movedFigure } from "../../../src/claims/find/figures.ts";
import type { Proof } from "../../../src/model/claim.ts";

const moved = (proof: Proof, before: string | undefined, after: string, otherwise = before === undefined) =>
  movedFigure(
    { proof },
    {
      ...{ kind: "claim", claim: "a/b", from: "supported", to: otherwise ? "not found" : "altered", after },
      ...(before !== undefined && { before }),
      ...(otherwise && { otherwise: true }),
    },
  );
const value: Proof = { value: "$29", of: "Team plan" };

test.each<[string, Proof, string | undefined, string, string, string]>([
  ["a price", value, "The Team plan costs $29 per month.", "The Team plan costs $39 per month.", "$29", "$39"],
  ["a passage", { quote: "up to 16GB of memory" }, "up to 16GB of memory", "up to 32GB of memory", "16GB", "32GB"],
  ["a row", value, "Team plan | $29 | 5 seats", "Team plan | $39 | 5 seats", "$29", "$39"],
  ["a fact", { fact: "version", is: "2.3" }, "version: 2.3", "version: 2.4", "2.3", "2.4"],
  ["a figure that was never there", value, undefined, "Team plan | $39", "$29", "$39"],
  ["a limit", { quote: "10 million events" }, "10 million events", "5 million events", "10 million", "5 million"],
])("the new figure of %s is certain", (_, proof, before, after, old, now) => {
  expect(moved(proof, before, after)).toEqual({ old, now });
});

test("the figure of the proof is the old one, however often the passage has changed", () => {
  const change = { kind: "claim", claim: "a/b", from: "altered", to: "altered" } as const;
  const texts = { before: "The Team plan costs $39.", after: "The Team plan costs $45." };
  expect(movedFigure({ proof: value }, { ...change, ...texts })).toEqual({ old: "$29", now: "$45" });
  expect(movedFigure({ proof: value }, { ...change, ...texts, from: "supported" })).toBeUndefined();
});

test.each<[string, Proof, string | undefined, string]>([
  ["other words", value, "The Team plan costs $29.", "The Business plan costs $39."],
  ["two new figures", value, "$29 for 5 seats", "$39 for 6 seats"],
  ["no figure", { fact: "archived", is: "no" }, "archived: no", "archived: yes"],
  ["two prices", value, undefined, "Team $39, Pro $59"],
  ["another figure than that of the proof", { quote: "16 GB" }, "16 GB for $29", "16 GB for $39"],
  ["a value of nothing in particular", { value: "$29" }, undefined, "$39"],
  ["a passage that was never there", { quote: "costs $29" }, undefined, "costs $39"],
  ["another unit", { quote: "costs $29" }, "costs $29", "costs 39 GB"],
])("nothing is certain with %s", (_, proof, before, after) => {
  expect(moved(proof, before, after)).toBeUndefined();
});

test("a claim with the words of the new passage alone was corrected, and has no figure that moved", () => {
  const change = { kind: "claim", claim: "a/b", from: "altered", to: "altered" } as const;
  const texts = { before: "The Team plan costs $39.", after: "The Team plan costs $45." };
  const corrected: Proof = { value: "$45", of: "Team plan" };
  expect(movedFigure({ proof: corrected }, { ...change, ...texts })).toBeUndefined();
  expect(isCorrectedSince({ proof: corrected }, { ...change, ...texts })).toBe(true);
  expect(isCorrectedSince({ proof: value }, { ...change, ...texts })).toBe(false);
  expect(isCorrectedSince({ proof: { quote: "Team plan costs" } }, { ...change, ...texts })).toBe(false);
  const first = { ...change, from: "supported", to: "not found", after: texts.after, otherwise: true } as const;
  expect([corrected, value].map((proof) => isCorrectedSince({ proof }, first))).toEqual([true, false]);
});
