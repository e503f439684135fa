import { describe, expect, test } from "vitest";
import { w3c } from "../../src/read/kinds/w3c.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const item = (status: string, url: string, at: number) => ({ id: url, title: `Kites, Level 1: ${status}`, url, at });

describe("w3c", () => {
  test("reads what was published, newest first, and the status of the newest", async () => {
    expect(await reading(w3c, fixture("w3c.json"))).toEqual({
      title: "Kites, Level 1",
      items: [
        item("Superseded Recommendation", "https://www.w3.org/TR/2026/SPSD-kites-20260708/", Date.UTC(2026, 6, 8)),
        item("Recommendation", "https://www.w3.org/TR/2025/REC-kites-20250909/", Date.UTC(2025, 8, 9)),
        item("Candidate Recommendation Draft", "https://www.w3.org/TR/2025/CRD-kites-20250303/", Date.UTC(2025, 2, 3)),
      ],
      facts: { status: "Superseded Recommendation" },
    });
    const none = response('{"_embedded":{"version-history":[]}}');
    expect(await reading(w3c, none)).toEqual({ items: [], facts: {} });
  });

  test("asks for all versions at once", () => {
    expect(w3c.request(source(w3c), { githubToken: false }).url).toBe(
      "https://api.w3.org/specifications/webauthn-2/versions?embed=1&items=200",
    );
  });

  test.each([
    ["https://www.w3.org/TR/webauthn-2/#sctn-api", { address: "webauthn-2" }],
    ["https://www.w3.org/TR/2021/REC-webauthn-2-20210408/", { address: "webauthn-2", instead: true }],
    ["https://www.w3.org/TR/", undefined],
    ["https://www.w3.org/TR/2021/", undefined],
    ["https://www.w3.org/WAI/", undefined],
    ["https://w3c.github.io/webauthn/", undefined],
  ])("knows %s", (address, recognised) => {
    expect(w3c.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(w3c, "{}")).toBe("not well-formed list of versions of the W3C");
    expect(w3c.address.safeParse("../x").success).toBe(false);
  });
});
