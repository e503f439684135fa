import { describe, expect, test } from "vitest";
import { random } from "../../bench/fuzz/mutate.ts";
import { targets } from "../../bench/fuzz/targets.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";

/** A share of what `npm run fuzz` tries; `FUZZ_SEED` begins elsewhere. */
const inputs = 8_000;
const first = Number(process.env.FUZZ_SEED ?? 1);

describe("any text of strangers", () => {
  test.each(targets.map((target) => [target.name, target] as const))("%s", (_, target) => {
    const begun = processorTime();
    const count = Math.ceil((inputs * target.share) / 1_000);
    for (let seed = first; seed < first + count; seed++) {
      try {
        target.try(random(seed));
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      }
    }
    expectTime((processorTime() - begun) / count, 200);
  });

  test("the shares are of a thousand", () => {
    expect(targets.reduce((sum, { share }) => sum + share, 0)).toBe(1_000);
  });
});
