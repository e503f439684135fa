import { describe, expect, test } from "vitest";
import { compareItems } from "../../src/compare/items.ts";
import { readers } from "../../src/read/index.ts";
import { rfcErrata } from "../../src/read/kinds/rfc-errata.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("rfc-errata", () => {
  test("reads those of its RFC that were verified or are held, newest first", async () => {
    const { items = [] } = await reading(rfcErrata, fixture("rfc-errata.json"));
    expect(items.map(({ blocks, ...item }) => [item, blocks?.map(({ text }) => text)])).toEqual([
      [
        {
          id: "12",
          title: "RFC 9110 erratum 12",
          url: "https://www.rfc-editor.org/errata/eid12",
          notBefore: Date.UTC(2026, 5, 1),
        },
        ["Editorial, Held for Document Update, submitted on 2026-06-01"],
      ],
      [
        {
          id: "11",
          title: "RFC 9110 erratum 11",
          url: "https://www.rfc-editor.org/errata/eid11",
          notBefore: Date.UTC(2026, 4, 1),
        },
        [
          "Technical, Verified, section 3.1, submitted on 2026-05-01",
          "It says: A kite MUST fall.",
          "It should say: A kite MUST NOT fall.",
        ],
      ],
    ]);
    const other = await rfcErrata.read(fixture("rfc-errata.json"), source(rfcErrata, {}, "rfc911"));
    expect(other.items?.map(({ id }) => id)).toEqual(["15"]);
  });

  const audited = Date.UTC(2026, 4, 16);
  const day = 86_400_000;
  const erratum = (id: string, submitted: string, status: string) => {
    return { errata_id: id, "doc-id": "RFC9110", errata_status_code: status, submit_date: submitted };
  };
  const check = (days: number) => {
    const at = audited + days * day;
    return { at, last: at - day, confirmAfter: day / 4, structured: true, audited };
  };
  const listed = async (...errata: unknown[]) =>
    (await reading(rfcErrata, response(JSON.stringify(errata)))).items ?? [];
  const said = ({ changes }: ReturnType<typeof compareItems>) =>
    changes.map(({ change }) => `${change.kind} ${change.item.id}`);

  test("one that is verified years after it was submitted is new, even if others were submitted since", async () => {
    const recent = erratum("30", "2022-08-31", "Verified");
    const first = compareItems(undefined, await listed(recent, erratum("20", "2019-02-03", "Reported")), check(1));
    const both = await listed(recent, erratum("20", "2019-02-03", "Verified"));
    const second = compareItems(first.memory, both, check(2));
    expect([said(first), said(second)]).toEqual([[], ["item-added 20"]]);
    expect(second.changes[0]).toMatchObject({ since: check(2).at, absent: check(2).last });
    expect(second.changes[0]?.change.item.at).toBeUndefined();
    expect(said(compareItems(second.memory, both, check(3)))).toEqual([]);
  });

  test("at the first check, only those that were submitted after the audit are sure to have come since", async () => {
    const errata = [erratum("40", "2026-05-20", "Verified"), erratum("39", "2026-05-10", "Verified")];
    const first = compareItems(undefined, await listed(...errata), check(30));
    expect(said(first)).toEqual(["item-added 40"]);
    expect(first.baseline.map(({ id }) => id)).toEqual(["39"]);
  });

  test("one that is rejected after all was withdrawn", async () => {
    const older = erratum("20", "2019-02-03", "Verified");
    const first = compareItems(undefined, await listed(erratum("30", "2022-08-31", "Verified"), older), check(1));
    const left = await listed(erratum("30", "2022-08-31", "Rejected"), older);
    const second = compareItems(first.memory, left, check(2));
    expect(said(compareItems(second.memory, left, check(3)))).toEqual(["item-withdrawn 30"]);
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
