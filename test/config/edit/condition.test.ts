import { describe, expect, test } from "vitest";
import { removeCondition, setInCondition } from "../../../src/config/edit/condition.ts";

const on = (index: number) => ({ part: "on", index }) as const;
const major = { value: ["major"], spelling: "[major]" };

describe("a key of a condition", () => {
  test("is added as the condition is written, and replaced if it is there", () => {
    expect(setInCondition("\ufeffon:\r\n  - release: a # why\r\n    pre: yes\r\n", on(0), "bump", major)).toBe(
      "\ufeffon:\r\n  - release: a # why\r\n    bump: [major]\r\n    pre: yes\r\n",
    );
    expect(setInCondition("on: [{ release: a, bump: [minor, patch] }, { issue: b }]\n", on(0), "bump", major)).toBe(
      "on: [{ release: a, bump: [major] }, { issue: b }]\n",
    );
    expect(setInCondition("on:\n- { release: a }\n", on(0), "bump", major)).toBe(
      "on:\n- { release: a, bump: [major] }\n",
    );
  });

  test.each([
    ["stands where nothing is", "on: []\n"],
    ["would change what an alias repeats", "on:\n  - &a { release: a }\nalso:\n  - *a\n"],
    ["stands behind an alias", "x: &a { release: a }\non:\n  - *a\n"],
    ["stands in no map", "on:\n  - release\n"],
    ["stands in a file that is no YAML", "on: ["],
  ])("is left if it %s", (_, text) => {
    expect(setInCondition(text, on(0), "bump", major)).toBeUndefined();
  });
});

describe("a condition", () => {
  test("goes with its lines, the last of a list with its key", () => {
    const text = "name: n\non:\n  # first\n  - release: a\n    pre: yes\n  - issue: b\nask: |\n  x\n";
    expect(removeCondition(text, on(0))).toBe("name: n\non:\n  # first\n  - issue: b\nask: |\n  x\n");
    expect(removeCondition("name: n\non:\n  - issue: b", on(0))).toBe("name: n\n");
  });

  test("stays if it cannot be taken out alone", () => {
    expect(removeCondition("on: [{ issue: a }, { issue: b }]\n", on(0))).toBeUndefined();
    expect(removeCondition("on:\n  - &a { issue: a }\nalso:\n  - *a\n", on(0))).toBeUndefined();
    expect(removeCondition("on:\n  - issue: a\n", on(1))).toBeUndefined();
  });
});
