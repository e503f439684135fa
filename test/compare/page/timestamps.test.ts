import { describe, expect, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { PageMemory } from "../../../src/compare/page/memory.ts";
import type { Block } from "../../../src/model/reading.ts";

const aDay = 86_400_000;
const start = Date.UTC(2026, 2, 1, 12);

const page = (text: string): readonly Block[] => [
  { path: ["Kites"], kind: "paragraph", text: "The kite holds in wind of force six." },
  { path: ["Kites"], kind: "paragraph", text },
];

/** What is reported of two texts that follow each other, each seen twice; the checks are so many days apart. */
function reported(before: string, after: string, days: number): (string | undefined)[] {
  let memory: PageMemory | undefined;
  let last: number | undefined;
  return [0, 0.25, days, days + 0.25].flatMap((day, i) => {
    const at = start + day * aDay;
    const { changes, memory: next } = comparePage(memory, page(i < 2 ? before : after), {
      at,
      last,
      confirmAfter: aDay / 4,
    });
    memory = next;
    last = at;
    return changes.map(({ change }) => change.after?.text);
  });
}

describe("a stamp that moved with the checks is no news", () => {
  test.each([
    [
      "in English",
      "Generated on Sun Mar 1 2026 08:44:55 for Kites by 1.9.1",
      "Generated on Thu Jul 2 2026 11:33:28 for Kites by 1.9.4",
      123.5,
    ],
    [
      "in German",
      "Erzeugt am 01.03.2026 um 08:44 von Kitedoc 3",
      "Erzeugt am 02.07.2026 um 11:33 von Kitedoc 4",
      123.5,
    ],
    [
      "without the time, of a document that a program made",
      "Generated on Sun Mar 1 2026 for the drivers of large kites in strong winds by 1.9.1",
      "Generated on Thu Jul 2 2026 for the drivers of large kites in strong winds by 1.9.4",
      123.5,
    ],
    ["of the last edit", "Guide — Last updated 1 March 2026", "Guide — Last updated 2 July 2026", 123.5],
    [
      "of the last edit, in German",
      "Ratgeber · Zuletzt geändert am 1. März 2026",
      "Ratgeber · Zuletzt geändert am 2. Juli 2026",
      123.5,
    ],
    ["of the last edit, as a key of data", "last_updated: 2026-03-01", "last_updated: 2026-07-02", 123.5],
    ["in seconds since 1970", "updated: 1772354695.25", "updated: 1782992008.5", 123.5],
    ["in milliseconds since 1970", "syncToken: 1772354695250", "syncToken: 1782992008500", 123.5],
    ["of the last edit, as a generator's key", "lastmod: 2026-03-01", "lastmod: 2026-07-02", 123.5],
    ["of a draft", "W3C Editor’s Draft, 1 March 2026", "W3C Editor’s Draft, 2 July 2026", 123.5],
    [
      "of a draft of a group",
      "Draft Community Group Report, 1 March 2026",
      "Draft Community Group Report, 2 July 2026",
      123.5,
    ],
    ["of a proposal", "Unofficial Proposal Draft, 1 March 2026", "Unofficial Proposal Draft, 2 July 2026", 123.5],
    ["of a draft, in Dutch", "Handreiking Werkversie 1 maart 2026", "Handreiking Werkversie 2 juli 2026", 123.5],
    ["in the other half of the day", "March 1, 2026 at 9:44 AM", "July 2, 2026 at 5:30 PM", 123.5],
    ["later on the same day", "March 1, 2026 at 8:44 AM", "March 1, 2026 at 11:30 AM", 0.5],
    ["in another time zone", "Made Sun 1 Mar 2026 08:44:55 CET", "Made Thu 2 Jul 2026 11:33:28 CEST", 123.5],
    ["as programs write it", "Built 2026-03-01 08:44:55 (rev 17)", "Built 2026-03-09 11:33:28 (rev 18)", 8.5],
  ])("%s", (_, before, after, days) => {
    expect(reported(before, after, days)).toEqual([]);
  });
});

test("so is a date below its label", () => {
  const labelled = (label: string, date: string): Block[] => [
    ...page("The mill grinds."),
    { path: ["Kites"], kind: "term", text: label },
    { path: ["Kites", label], kind: "term", text: date },
    ...["Wind", "Rain"].map((text): Block => ({ path: ["Kites"], kind: "heading", text })),
  ];
  const reported = (label: string) => {
    const [first, second] = [start, start + 9 * aDay];
    const { memory } = comparePage(undefined, labelled(label, "2026-02-28"), { at: first, confirmAfter: 0 });
    const check = { at: second, last: first, confirmAfter: 0 };
    return comparePage(memory, labelled(label, "2026-03-10"), check).changes.length;
  };
  expect(reported("Date modified")).toBe(0);
  expect(reported("Date de modification")).toBe(0);
  expect(reported("In force from")).toBe(1);
});

test("a row that is new in a list of files is reported, and the new dates of the others are not", () => {
  const files = (names: readonly string[], date: string): Block[] => [
    ...page("Files of the kite"),
    ...names.map((name): Block => ({ path: ["Kites"], kind: "row", text: `${name} | 4 KiB | ${date}` })),
  ];
  const [first, second] = [start, start + 9 * aDay];
  const before = files(["wind-01.ics", "wind-02.ics"], "2026-03-01 11:07");
  const after = files(["wind-01.ics", "wind-02.ics", "wind-03.ics"], "2026-03-10 11:07");
  const { memory } = comparePage(undefined, before, { at: first, confirmAfter: 0 });
  const { changes } = comparePage(memory, after, { at: second, last: first, confirmAfter: 0 });
  expect(changes.map(({ change }) => change.after?.text)).toEqual(["wind-03.ics | 4 KiB | 2026-03-10 11:07"]);
});

describe("it is reported", () => {
  test.each([
    ["if the text is also binding", "Updated and valid from 1 March 2026", "Updated and valid from 2 July 2026", 123.5],
    ["in a sentence", "The fee was last changed on 1 March 2026", "The fee was last changed on 2 July 2026", 123.5],
    ["as another key of data", "release_date: 2026-03-01", "release_date: 2026-07-02", 123.5],
    ["without a time of day", "Prices of 1 March 2026", "Prices of 2 July 2026", 123.5],
    [
      "without a time of day, of a program",
      "The release 1.9.1 was built on 1 March 2026 and is signed by the miller of the old town",
      "The release 1.9.4 was built on 2 July 2026 and is signed by the miller of the old town",
      123.5,
    ],
    [
      "if its day is before the last check",
      "The wind was measured on 2026-02-20 08:44:55",
      "The wind was measured on 2026-02-26 11:33:28",
      60,
    ],
    ["if its day has not come", "The sale ends on 2 March 2026 at 18:00", "The sale ends on 9 April 2026 at 18:00", 8],
    [
      "if other words changed with it",
      "Generated on Mar 1 2026 08:44 for Kites",
      "Withdrawn on Mar 9 2026 08:44 for Kites",
      8.5,
    ],
  ])("%s", (_, before, after, days) => {
    expect(reported(before, after, days)).toEqual([after]);
  });
});
