import { expect, test } from "vitest";
import {
  claimReason,
  claimSigns,
  claimStates,
  countsSentence,
  readerState,
  readerStates,
  stateSigns,
} from "../../src/model/states.ts";

test("every state for readers and every state of a claim has a sign", () => {
  expect(Object.keys(stateSigns)).toEqual([...readerStates]);
  expect(Object.keys(claimSigns)).toEqual([...claimStates]);
  for (const sign of Object.values({ ...stateSigns, ...claimSigns })) expect(sign).toHaveLength(1);
});

test("a claim with a cross is outdated, and no other", () => {
  expect(claimStates.filter((state) => claimSigns[state] === "✗")).toEqual(
    claimStates.filter((state) => readerState(state) === "outdated"),
  );
});

test("counts the states in a sentence, the most pressing first", () => {
  expect(countsSentence(["up to date", "changed", "outdated", "changed"], "rating")).toBe(
    "1 of 4 ratings is outdated, 2 changed and 1 up to date.",
  );
  expect(countsSentence(["changed", "changed"], "reference")).toBe("All 2 references are changed.");
  expect(countsSentence(["changed"], "reference")).toBe("Its one reference is changed.");
});

test.each([
  [undefined, false, "not compared yet"],
  ["supported", false, "supported"],
  ["supported", true, "contradicted"],
  ["not found", true, "contradicted"],
  [undefined, true, "contradicted"],
  ["contradicted", true, "contradicted"],
  ["altered", true, "altered"],
  ["gone", true, "gone"],
] as const)("a claim that is %s, ended: %s, counts as %s", (proved, isEnded, stands) => {
  expect(claimReason(proved, isEnded)).toBe(stands);
});
