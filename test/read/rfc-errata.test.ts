import { describe, expect, test } from "vitest";
import { kindOf } from "../../src/config/draft/watched.ts";
import { readers } from "../../src/read/index.ts";
import { rfcErrata } from "../../src/read/rfc-errata.ts";
import { failure, fixture, reading, source } from "./given.ts";

describe("rfc-errata", () => {
  test("reads those of its RFC that were verified or are held, newest first", async () => {
    const { items = [] } = await reading(rfcErrata, fixture("rfc-errata.json"));
    expect(items.map(({ blocks, ...item }) => [item, blocks?.map(({ text }) => text)])).toEqual([
      [
        {
          id: "12",
          title: "RFC 9110 erratum 12",
          url: "https://www.rfc-editor.org/errata/eid12",
          at: Date.UTC(2026, 5, 1),
        },
        ["Editorial, Held for Document Update"],
      ],
      [
        {
          id: "11",
          title: "RFC 9110 erratum 11",
          url: "https://www.rfc-editor.org/errata/eid11",
          at: Date.UTC(2026, 4, 1),
        },
        ["Technical, Verified, section 3.1", "It says: A kite MUST fall.", "It should say: A kite MUST NOT fall."],
      ],
    ]);
    const other = await rfcErrata.read(fixture("rfc-errata.json"), source(rfcErrata, {}, "rfc911"));
    expect(other.items?.map(({ id }) => id)).toEqual(["15"]);
  });

  test.each([
    ["https://www.rfc-editor.org/errata/rfc9110", "rfc-errata", "rfc9110"],
    ["https://www.rfc-editor.org/errata_search.php?rfc=9110", "rfc-errata", "rfc9110"],
    ["https://www.rfc-editor.org/rfc/rfc9110.html", "rfc", "rfc9110"],
    ["https://www.rfc-editor.org/errata/eid11", "page", "https://www.rfc-editor.org/errata/eid11"],
  ])("%s is of its kind", (url, kind, address) => {
    expect(kindOf(url, readers)).toEqual({ kind, address });
  });

  test("refuses another answer", async () => {
    expect(await failure(rfcErrata, "{}")).toBe("not well-formed errata of the RFC editor");
  });
});
