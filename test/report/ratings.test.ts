import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { testCases } from "../support/cases.ts";
import { inputSize } from "../support/runs.ts";
import { ratedBy, ratingsIn } from "./rated.ts";

describe.each([
  ["cells", "a table rates by the block of its cells that are levels"],
  ["words", "words and marks of many kinds"],
  ["legends", "legends explain words that no scale knows, and their order"],
  ["outside", "ratings outside tables"],
  ["places", "things called by letters, and their places"],
  ["none", "text without a judgement is no rating"],
  ["others", "tables as others write them"],
])("%s: %s", (file) =>
  testCases(join(import.meta.dirname, `ratings/${file}.txt`), (text, path) => ratingsIn(text, path || undefined)),
);

test("ratings by another scale are counted, and left out: one config holds one", () => {
  const text = `# Boats

| Boat | Speed | Comfort |
|-|-|-|
| Sloop | High | Low |
| Ketch | Medium | High |
| Cat | High | Medium |

| Boat | Radio | Radar |
|-|-|-|
| Sloop | ✅ | ❌ |
| Ketch | ❌ | ✅ |
`;
  const found = draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.found;
  expect(found).toMatchObject({ ratings: 6, levels: ["Low", "Medium", "High"] });
  expect(found?.leftRatings).toEqual([{ ratings: 4, levels: ["✅", "❌"] }]);
});

test("words in rated columns that are no level are counted, the most frequent first", () => {
  const text = `# Kites

| Kite | Sled | Delta | Box |
|-|-|-|-|
| Wind | ✅ | ❌ | ✅ |
| Rain | ❌ | ✅ | ✅ |
| Snow | Good | ✅ | ❌ |
| Speed | Good | Basic | Good |
`;
  const found = draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.found;
  expect(found).toMatchObject({ ratings: 8, unrated: { ratings: 4, levels: ["Good", "Basic"] } });
});

describe("tables as others write them", () => {
  test("the status of proposals", () => {
    const rows = ["Draft", "Closed", "Deployed", "Complete", "Proposed", "Draft"].map(
      (status, i) => `| ${i} | ${status} |`,
    );
    expect(ratedBy(`| Proposal | Status |\n|-|-|\n${rows.join("\n")}`).levels).toEqual([
      "Closed",
      "Superseded",
      "Draft",
      "Proposed",
      "Accepted",
      "Complete",
      "Deployed",
    ]);
    // https://eips.ethereum.org/EIPS/eip-1
    const eips = ["Draft", "Final", "Review", "Stagnant", "Last Call", "Withdrawn", "Living", "Draft"].map(
      (status, i) => `| ${i} | ${status} |`,
    );
    expect(ratedBy(`| Number | Status |\n|-|-|\n${eips.join("\n")}`).levels).toEqual([
      "Withdrawn",
      "Superseded",
      "Stagnant",
      "Draft",
      "Review",
      "Last Call",
      "Final",
      "Living",
    ]);
  });

  test("a table of 70 columns", () => {
    const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    const columns = Array.from({ length: 70 }, (_, i) => `B${i}`);
    const row = (name: string) => line([name, ...columns.map((_, i) => (i % 3 ? "✅" : "❌"))]);
    const text = [line(["Engine", ...columns]), line(["-", ...columns.map(() => "-")]), row("Kite"), row("Owl")].join(
      "\n",
    );
    expect(Object.keys(ratedBy(text).ratings)).toHaveLength(140);
  });

  test("a legend that contradicts its table leaves the order open", () => {
    const table = "| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ | ❌ |\n| Delta | ❌ | ✅ |";
    const unplaced = (text: string) =>
      draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.found.unplaced;
    expect(unplaced(`# Kites\n\nLegend: ✅ not supported, ❌ supported\n\n${table}`)).toEqual(["✅", "❌"]);
    expect(unplaced(`# Kites\n\nLegend: ✅ supported, ❌ not supported\n\n${table}`)).toEqual([]);
  });

  test("a table of more ratings than a draft may have is drafted in part, and the draft says so", () => {
    const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    const columns = Array.from({ length: inputSize(200, 50) }, (_, i) => `B${i}`);
    const rows = Array.from({ length: inputSize(400, 70) }, (_, r) =>
      line([`Row ${r}`, ...columns.map((_, i) => ((i + r) % 3 ? "✅" : "❌"))]),
    );
    const text = [line(["Engine", ...columns]), line(["-", ...columns.map(() => "-")]), ...rows].join("\n");
    const found = draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.found;
    expect(found).toMatchObject({ ratings: 3_000, cut: true });
  });
});
