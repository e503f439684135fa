import { describe, expect, test } from "vitest";
import { datacite } from "../../src/read/kinds/datacite.ts";
import { doi } from "../../src/read/kinds/doi.ts";
import { githubAdvisory } from "../../src/read/kinds/github-advisory.ts";
import { json } from "../../src/read/kinds/json.ts";
import { osv } from "../../src/read/kinds/osv.ts";
import { rfc } from "../../src/read/kinds/rfc.ts";
import type { Reader } from "../../src/read/reader.ts";
import { reading, response } from "./given.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${10_000 + i}`);

const lists: [Reader, string, (names: string[]) => unknown, Record<string, unknown>?][] = [
  [
    osv,
    "fixed",
    (names) => ({
      id: "GO-2026-1",
      affected: names.map((name) => ({ package: { name }, ranges: [{ events: [{ fixed: "1.0" }] }] })),
    }),
  ],
  [osv, "aliases", (aliases) => ({ id: "GO-2026-1", aliases })],
  [
    githubAdvisory,
    "fixed",
    (names) => ({
      ghsa_id: "GHSA-1",
      vulnerabilities: names.map((name) => ({ package: { name }, first_patched_version: "1.0" })),
    }),
  ],
  [
    doi,
    "corrected",
    (names) => ({ message: { DOI: "10.5555/x", "updated-by": names.map((DOI) => ({ DOI, type: "correction" })) } }),
  ],
  [
    datacite,
    "new-version",
    (names) => ({
      data: {
        attributes: {
          relatedIdentifiers: names.map((relatedIdentifier) => ({
            ...{ relatedIdentifier, relatedIdentifierType: "DOI", relationType: "IsPreviousVersionOf" },
          })),
        },
      },
    }),
  ],
  [rfc, "updated-by", (updated_by) => ({ doc_id: "RFC0987", title: "Flight", updated_by })],
  [rfc, "obsoleted-by", (obsoleted_by) => ({ doc_id: "RFC0987", title: "Flight", obsoleted_by })],
  [json, "names", (names) => ({ names }), { facts: { names: "names.*" } }],
];

describe("a fact that holds a long list", () => {
  test.each(lists)("of %o, %s, is another one when more comes behind its begin", async ({ read }, fact, of, more) => {
    const told = async (count: number) => {
      const found = await reading({ ...json, read }, response(JSON.stringify(of(numbers(count)))), more);
      return found.facts?.[fact] ?? "";
    };
    expect(await told(2_000)).toMatch(/^10000.* … \(2000 in all, [\da-f]{16}\)$/);
    expect(await told(2_001)).not.toBe(await told(2_000));
    expect(await told(2_000)).toBe(await told(2_000));
    expect((await told(2_000)).length).toBeLessThan(10_100);
    expect(await told(3)).not.toContain("in all");
  });
});
