import { expect, test } from "vitest";
import { claimSigns, claimStanding, claimStates, freshnessLevels, freshnessSigns } from "../../src/model/states.ts";

test("every state of a rating and of a claim has a sign", () => {
  expect(Object.keys(freshnessSigns)).toEqual([...freshnessLevels]);
  expect(Object.keys(claimSigns)).toEqual([...claimStates]);
  for (const sign of Object.values({ ...freshnessSigns, ...claimSigns })) expect(sign).toHaveLength(1);
});

test.each([
  [undefined, false, "not looked for yet"],
  ["supported", false, "supported"],
  ["supported", true, "contradicted"],
  ["not found", true, "contradicted"],
  [undefined, true, "contradicted"],
  ["contradicted", true, "contradicted"],
  ["altered", true, "altered"],
  ["gone", true, "gone"],
] as const)("a claim that is %s, ended: %s, stands as %s", (proved, isEnded, stands) => {
  expect(claimStanding(proved, isEnded)).toBe(stands);
});
