import { describe, expect, test } from "vitest";
import { endoflife } from "../../src/read/kinds/endoflife.ts";
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

  test.each([
    ["is maintained after its end, by extended support", { maintained: "yes", end: "2026-05-31" }, []],
    ["is maintained to this day", { maintained: "yes", end: "2026-06-15" }, []],
    ["is no longer maintained", { maintained: "no", end: "2026-05-31" }, ["says that 20.04 is no longer maintained"]],
    [
      "was given up before its end",
      { maintained: "no", end: "2026-07-01" },
      ["says that 20.04 is no longer maintained"],
    ],
    ["has only its end given", { end: "2026-05-31" }, ["says that 20.04 is no longer maintained"]],
    ["ends soon", { maintained: "yes", end: "2026-07-01" }, ["says that 20.04 ends in 16 days"]],
    ["has only a coming end given", { end: "2026-07-01" }, ["says that 20.04 ends in 16 days"]],
    ["ends one day", { maintained: "yes", end: "2030-07-01" }, []],
    ["is maintained, and has no end given", { maintained: "yes" }, []],
    [
      "is no longer maintained, and has no end given",
      { maintained: "no" },
      ["says that 20.04 is no longer maintained"],
    ],
  ])("gives the state of a cycle that a report names: one that %s", (_, told, says) => {
    const facts = Object.fromEntries(Object.entries(told).map(([name, value]) => [`20.04 ${name}`, value]));
    const cited = { words: "Tested on Ubuntu 20.04 with care.", at: Date.UTC(2026, 5, 15) };
    expect(endoflife.statesNow?.({ title: "Ubuntu", facts }, cited).map((one) => one.says)).toEqual(says);
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
