import { expect, test } from "vitest";
import { firedLines } from "../../../src/faces/cli/placed.ts";
import type { Terminal } from "../../../src/faces/cli/terminal.ts";
import { claimAltered, config, released } from "../../recheck/samples.ts";

const out: Terminal = { live: false, paint: (_, text) => text, line() {}, note() {} };

test("two proofs of one sentence that were altered fill one line, those against the report first", () => {
  const twin = { ...claimAltered, event: { ...claimAltered.event, key: "tensor-docs/cluster-size altered 1f" } };
  const lines = firedLines([released, claimAltered, twin], config, out);
  expect(lines.map((line) => line.slice(0, 22))).toEqual(["● against the report  ", "● for your information"]);
});

test("hundreds of firings at once fill 30 lines, and one that counts the others", () => {
  const many = Array.from({ length: 400 }, (_, i) => ({
    ...claimAltered,
    trigger: `t${i}`,
    event: { ...claimAltered.event, key: `docs/claim-${i} altered 1f` },
  }));
  const lines = firedLines(many, config, out);
  expect([lines.length, lines.at(-1)]).toEqual([31, "and 370 more"]);
});
