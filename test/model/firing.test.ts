import { expect, test } from "vitest";
import { mergeFirings } from "../../src/model/firing.ts";
import { evidence, firing } from "../recheck/samples.ts";

test("events that several checks add to are one firing, with all its evidence, and contrary if one of them made it so", () => {
  const first = firing("tensor", "loom 2.13.0");
  const other = firing("vector", "loom 2.13.0");
  const blog = evidence("loom-blog");
  const again = firing("tensor", "loom 2.13.0", { weight: "contrary", evidence: [blog] });
  expect(mergeFirings([first, other, again])).toEqual([
    { ...first, weight: "contrary", evidence: [...first.evidence, blog] },
    other,
  ]);
  expect(mergeFirings([again, first])[0]?.weight).toBe("contrary");
});
