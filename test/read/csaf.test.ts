import { describe, expect, test } from "vitest";
import { csaf } from "../../src/read/kinds/csaf.ts";
import { failure, fixture, reading } from "./given.ts";

describe("csaf", () => {
  test("reads its revisions, newest first, its notes, and that it was withdrawn", async () => {
    const item = (number: string, at: number, text: string) => ({
      id: number,
      title: `KITE-2026-0001 ${number}`,
      url: csaf.example,
      at,
      blocks: [{ path: [], kind: "paragraph", text }],
    });
    expect(await reading(csaf, fixture("csaf.json"))).toEqual({
      title: "KITE-2026-0001: Kites fall",
      items: [
        item("2.0.0", Date.UTC(2026, 6, 1, 10), "Withdrawn."),
        item("1.0.0", Date.UTC(2026, 4, 1, 10), "First version."),
      ],
      blocks: [{ path: [], kind: "paragraph", text: "Kites do not fall." }],
      facts: { status: "final", severity: "Important", withdrawn: "yes" },
    });
  });

  test.each([
    ["https://www.example.org/.well-known/csaf/white/2026/ex-2026-0001.json", true],
    ["https://example.org/security/data/csaf/v2/advisories/2026/ex-2026_0001.json", true],
    ["https://csaf.example.org/2026/ex-2026-0001.json", true],
    ["https://example.org/.well-known/csaf/provider-metadata.json", false],
    ["https://example.org/csaf/white/2026/", false],
    ["https://example.org/advisories/ex-2026-0001.json", false],
  ])("knows %s by its folder: %s", (address, known) => {
    expect(csaf.recognises?.(new URL(address))).toEqual(known ? { address } : undefined);
  });

  test("refuses another answer", async () => {
    expect(await failure(csaf, '{"document":{}}')).toBe("not well-formed advisory of CSAF");
    expect(await failure(csaf, "<!doctype html><title>Moved</title>")).toContain("HTML");
  });
});
