import { expect, test } from "vitest";
import type { ClaimState } from "../../../src/model/claim.ts";
import type { Records } from "../../../src/status/explain/records.ts";
import { claimMarks, claimStory } from "../../../src/status/explain/source.ts";
import { configOf } from "../../support/config-of.ts";

const config = configOf(
  "report: { title: A, audited: 2026-05-16 }\nratings: { a: Low }\nsources: { s: { page: https://example.org/, claims: { c: { says: It flies, quote: it flies } } } }\n",
);
const proved: ClaimState = { claim: "s/c", status: "supported", since: 1, found: "it flies" };

test.each([
  [{}, { sign: "✔", asOf: "" }],
  [{ trouble: { kind: "status", says: "503", since: 1, count: 1 } }, { sign: "✔", asOf: ", as last seen" }],
  [
    { trouble: { kind: "not-found", says: "404", since: 1, count: 3 }, gone: true },
    { sign: "✗", asOf: ", until its source was gone" },
  ],
])("a supported claim of a source with %o has the marks %o", (watch, marks) => {
  const [claim] = config.sources.get("s")?.claims ?? [];
  const records = {
    config,
    claims: new Map([["s/c", proved]]),
    watches: new Map([["s", watch]]),
    firingsFrom: new Map(),
  };
  expect(claim && claimMarks(claimStory(claim, records as unknown as Records))).toEqual(marks);
});
