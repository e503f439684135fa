import { expect, test } from "vitest";
import type { ClaimChange } from "../../src/claims/prove.ts";
import { isCovered } from "../../src/watch/covered.ts";
import { configOf } from "../support/config-of.ts";

const config = configOf(`
report: { title: Kites, audited: 2026-05-01 }
sources:
  kite:
    npm: kite
    claims:
      named: { says: It is under MIT., fact: license, is: MIT }
      held: { says: It keeps its licence., fact: license }
`);
const change = { kind: "fact", name: "license", before: "MIT", after: "ISC" } as const;

function claim(id: string, before: string, after: string): ClaimChange {
  return { kind: "claim", claim: `kite/${id}`, from: "supported", to: "altered", before, after };
}

test("a fact that a claim rests on is reported with the claim alone, whether or not the claim names a value", () => {
  expect(isCovered(change, [claim("named", "license: MIT", "license: ISC")], config)).toBe(true);
  expect(isCovered(change, [claim("held", "MIT", "ISC")], config)).toBe(true);
  expect(isCovered(change, [claim("named", "license: MIT", "license: BSD")], config)).toBe(false);
  expect(isCovered({ ...change, name: "deprecated" }, [claim("held", "MIT", "ISC")], config)).toBe(false);
});
