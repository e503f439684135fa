import { describe, expect, test } from "vitest";
import { endoflife } from "../../src/read/endoflife.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("endoflife", () => {
  test("reads the newest version of each cycle, and how long it is maintained", async () => {
    expect(await reading(endoflife, fixture("endoflife.json"))).toEqual({
      title: "Kite",
      items: [
        {
          id: "3.1.4",
          title: "Kite 3.1.4",
          url: "https://kite.example/3.1.4",
          at: Date.UTC(2026, 6, 8),
          version: "3.1.4",
        },
        { id: "3.0.9", title: "Kite 3.0.9", at: Date.UTC(2026, 5, 12), version: "3.0.9" },
      ],
      facts: {
        "3.1 maintained": "yes",
        "3.1 end": "2027-05-01",
        "3.0 maintained": "no",
        "3.0 end": "2026-06-30",
        "next maintained": "yes",
      },
    });
  });

  test("names the facts that a condition may listen to", () => {
    const { values } = endoflife.gives({});
    expect([values?.("3.1 maintained"), values?.("3.1 end"), values?.("3.1")]).toEqual([["yes", "no"], [], undefined]);
  });

  test("asks the first version of the interface", () => {
    expect(endoflife.request(source(endoflife), { githubToken: false }).url).toBe(
      "https://endoflife.date/api/v1/products/python/",
    );
  });

  test.each([
    ["https://endoflife.date/python", { address: "python" }],
    ["https://endoflife.date/amazon-eks/", { address: "amazon-eks" }],
    ["https://endoflife.date/api/python.json", undefined],
    ["https://endoflife.date/tags", undefined],
    ["https://endoflife.date/", undefined],
  ])("knows %s", (address, recognised) => {
    expect(endoflife.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(endoflife, response("[]"))).toBe("not well-formed product of endoflife.date");
    expect(endoflife.address.safeParse("../api").success).toBe(false);
  });
});
