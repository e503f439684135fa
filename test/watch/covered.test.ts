import { expect, test } from "vitest";
import type { ClaimChange } from "../../src/model/change.ts";
import { isCovered } from "../../src/watch/rules.ts";
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
  const others = [claim("named", "license: MIT", "license: BSD"), claim("held", "MIT", "ISC")];
  expect(isCovered(change, others, config)).toBe(true);
  expect(isCovered({ ...change, name: "deprecated" }, [claim("held", "MIT", "ISC")], config)).toBe(false);
});

test("a block is reported with the claims in it, whichever of two that overlap comes first", () => {
  const block = (text: string) => ({ path: [], kind: "paragraph" as const, text });
  const [before, after] = ["Kite costs $5 and holds 3 GB.", "Kite costs $6 and holds 4 GB."];
  const edit = { kind: "block", before: block(before), after: block(after) } as const;
  const claims = [
    claim("held", "holds 3 GB", "holds 4 GB"),
    claim("named", "costs $5 and holds 3 GB", "costs $6 and holds 4 GB"),
  ];
  expect(isCovered(edit, claims, config)).toBe(true);
  expect(isCovered(edit, claims.toReversed(), config)).toBe(true);
  const more = { ...edit, after: block("Kite costs $6 and holds 4 GB in Oslo.") };
  expect(isCovered(more, claims, config)).toBe(false);
});
