import { describe, expect, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { Block, BlockKind } from "../../../src/model/reading.ts";

const hour = 3_600_000;
const day = 24 * hour;
const confirmAfter = 6 * hour;

const of = (kind: BlockKind) => (text: string) => ({ path: ["Manual"], kind, text });
const text = of("paragraph");
const row = (words: string): Block => ({ ...of("row")(words), header: "Chip | Memory" });

type Content = readonly Block[];

/** What the second check tells, and what was accepted at the first and at the second. */
function edited(before: Content, after: Content): { told: string[]; first: Content; second: Content } {
  const { memory } = comparePage(undefined, before, { at: 0, confirmAfter });
  const once = comparePage(memory, after, { at: day, confirmAfter });
  const twice = comparePage(once.memory, after, { at: day + confirmAfter, confirmAfter });
  const shown = (seen: readonly { change: (typeof twice.changes)[number]["change"] }[]) =>
    seen.map(({ change }) => `${change.before?.text ?? "-"} → ${change.after?.text ?? "-"}`).sort();
  expect(shown(once.sightings as typeof twice.changes)).toEqual(shown(twice.changes));
  return { told: shown(twice.changes), first: once.accepted, second: twice.accepted };
}

const table = ["A1 | 16 GB", "B2 | 32 GB", "C3 | 64 GB", "D4 | 80 GB"].map(row);
const [a1, b2, c3, d4] = table as [Block, Block, Block, Block];

describe("which text became which", () => {
  test.each<[string, Content, Content, string[]]>([
    ["a row with another figure", table, [a1, row("B2 | 48 GB"), c3, d4], ["B2 | 32 GB → B2 | 48 GB"]],
    [
      "beside a new one",
      table,
      [a1, row("A9 | 24 GB"), row("B2 | 48 GB"), c3, d4],
      ["- → A9 | 24 GB", "B2 | 32 GB → B2 | 48 GB"],
    ],
    ["beside one that went", table, [a1, row("C3 | 96 GB"), d4], ["B2 | 32 GB → -", "C3 | 64 GB → C3 | 96 GB"]],
    ["that moved in a sorted table", table, [row("D4 | 96 GB"), a1, b2, c3], ["D4 | 80 GB → D4 | 96 GB"]],
    ["whose cell grew", table, [a1, row("B2 | 32 GB (preview)"), c3, d4], ["B2 | 32 GB → B2 | 32 GB (preview)"]],
    ["whose cell shrank", [a1, row("B2 | 32 GB (preview)")], [a1, b2], ["B2 | 32 GB (preview) → B2 | 32 GB"]],
    [
      "in the place of another",
      [a1, row("Windows | yes"), c3],
      [a1, row("Linux | yes"), c3],
      ["- → Linux | yes", "Windows | yes → -"],
    ],
    [
      "a text in the place of another",
      [text("Up."), text("One limit holds."), text("Down.")],
      [text("Up."), text("Nobody knows more."), text("Down.")],
      ["One limit holds. → Nobody knows more."],
    ],
    [
      "a text that only grew",
      [text("Linux"), text("Mac")],
      [text("Linux (beta)"), text("Mac")],
      ["Linux → Linux (beta)"],
    ],
    [
      "a box that was ticked",
      [text("[ ] Linux"), text("[ ] Mac")],
      [text("[x] Linux"), text("[ ] Mac")],
      ["[ ] Linux → [x] Linux"],
    ],
    ["a box that is open again", [text("[x] Linux")], [text("[ ] Linux")], ["[x] Linux → [ ] Linux"]],
    [
      "one of several that say the same",
      [text("No"), text("A"), text("No"), text("B")],
      [text("No"), text("A"), text("Sockets"), text("B")],
      ["No → Sockets"],
    ],
  ])("%s", (_, before, after, told) => {
    const seen = edited(before, after);
    expect(seen.told).toEqual(told);
    expect(seen.first).toEqual(
      before.length === after.length ? expect.arrayContaining([...before]) : expect.anything(),
    );
    expect(seen.second).toEqual(after);
  });

  test("while a text waits, all that it said before is still accepted", () => {
    const before = [text("Linux"), text("The engine reads 246 devices in the window."), text("End.")];
    const after = [
      text("Linux The loader writes 12 buffers in the stream."),
      text("The engine reads 246 devices in the window."),
      text("End."),
    ];
    expect(edited(before, after).first).toEqual(before);
  });
});

test("each row of a long table that lost its last columns is still itself", () => {
  const rows = (more: (i: number) => string, header: string) =>
    Array.from({ length: 150 }, (_, i): Block => ({ ...row(`kite${i} | ${i}${more(i)}`), header }));
  const { told } = edited(
    rows((i) => ` | ${i} boxes | ${i} crates`, "Kite | Price | Boxes | Crates"),
    rows(() => "", "Kite | Price"),
  );
  expect(told).toContain("kite7 | 7 | 7 boxes | 7 crates → kite7 | 7");
  expect(told).toHaveLength(150);
});
