import { expect, test } from "vitest";
import type { ClaimState } from "../../../src/model/claim.ts";
import type { Records } from "../../../src/status/explain/records.ts";
import { claimStory } from "../../../src/status/explain/source.ts";
import { configOf } from "../../support/config-of.ts";

const config = configOf(
  "report: { title: A, audited: 2026-05-16 }\nratings: { a: Low }\nsources: { s: { page: https://example.org/, claims: { c: { says: It flies, quote: it flies } } } }\n",
);
const proved: ClaimState = { claim: "s/c", status: "supported", since: 1, found: "it flies" };
const trouble = { kind: "status", says: "503", since: 5, count: 9 };

test.each([
  [{}, [], { state: "supported", since: 1, unseen: false }],
  [{ trouble }, [], { state: "supported", since: 1, unseen: true }],
  [{ trouble }, ["s"], { state: "source not readable", since: 5, unseen: false }],
  [{ lastSeen: 4 }, ["s"], { state: "source not checked", since: 4, unseen: false }],
  [{ trouble, gone: true, goneAt: [6, 7, 8] }, [], { state: "source gone", since: 6, unseen: false }],
])("a supported claim of a source with %o, blind: %o, is %o", (watch, blind, expected) => {
  const [claim] = config.sources.get("s")?.claims ?? [];
  const records = {
    config,
    claims: new Map([["s/c", proved]]),
    watches: new Map([["s", watch]]),
    blind: new Map(blind.map((source) => [source, 6])),
    firingsFrom: new Map(),
  };
  const story = claim && claimStory(claim, records as unknown as Records);
  expect(story && { state: story.state, since: story.since, unseen: story.unseen }).toEqual(expected);
});
