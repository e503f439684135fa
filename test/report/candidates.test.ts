import { expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { type DraftedReport, draft, tableCandidates } from "../../src/report/index.ts";

const around = { at: Date.parse("2026-06-01"), readers };
const link = "[a](https://kite.example.org/a)";

const sure = "## Wings\n\n| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ | ❌ |\n| Delta | ✅ | 🟡 |\n| Sled | ❌ | ✅ |";
const doubtful = "## Shops\n\n| Kite | Sold |\n|-|-|\n| Box | Yes |\n| Delta | No |\n| Sled | Yes |\n| Arch | Yes |";
const report: DraftedReport = { path: "a.md", text: `# Kites\n\n${link}\n\n${doubtful}\n\n${sure}` };

function drafted(chosen?: readonly string[]): number | undefined {
  return draft(report, around, chosen)?.found.ratings;
}

test("the tables that may rate, the surest first, each with its place, a sample and a reason", () => {
  const [first, second, ...others] = tableCandidates(report);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    id: "wings-kite-day-night",
    file: "a.md",
    path: ["Kites", "Wings"],
    columns: ["Kite", "Day", "Night"],
    lines: ["Box | ✅ | ❌", "Delta | ✅ | 🟡", "Sled | ❌ | ✅"],
    ratings: 6,
    levels: ["✅", "❌", "🟡"],
    isSure: true,
  });
  expect(second).toMatchObject({ id: "shops-kite-sold", ratings: 4, isSure: false });
  expect(second?.reason).toBe("its yes and no may be facts");
  expect(second?.score).toBeLessThan(first?.score ?? 0);
});

test("a list of kinds in two columns, each after its mark, is not sure to rate", () => {
  const kinds =
    "| 🔵 note | 🟠 caution |\n|-|-|\n| 🔵 hint | 🟠 warning |\n| 🟢 tip | 🔴 error |\n| 🟢 more | 🔴 danger |";
  expect(tableCandidates({ path: "a.md", text: `# Boxes\n\n${kinds}` })).toMatchObject([{ isSure: false }]);
});

test.each([
  ["actions", "# Kites\n\n| Resource | Read | Write | Execute |"],
  ["roles", "# Kites\n\n## Permissions\n\n| Action | Guest | Flyer | Owner |"],
  ["roles in German", "# Drachen\n\n## Berechtigungen\n\n| Aktion | Gast | Pilot | Besitzer |"],
])("a table that says who may do what is not sure to rate: %s", (_, head) => {
  const text = `${head}\n|-|-|-|-|\n| Wings | ✅ | ✅ | ❌ |\n| Lines | ✅ | ❌ | ❌ |\n| Tails | ✅ | ✅ | ✅ |`;
  expect(tableCandidates({ path: "a.md", text })).toMatchObject([
    { ratings: 9, isSure: false, reason: "it may say who is allowed to do what" },
  ]);
});

test.each([
  ["Status", "flown", "torn"],
  ["狀態", "已驗證", "待補證據"],
])("words of its own below %s are asked about, and rated in their order if people say so", (heading, one, other) => {
  const rows = ["Sled", "Delta", "Box", "Arch"].map((name, i) => `| ${name} | ${i === 2 ? other : one} |`);
  const text = `# Kites\n\n| Kite | ${heading} |\n|-|-|\n${rows.join("\n")}\n| Wing | ${other} |`;
  const [table] = tableCandidates({ path: "a.md", text });
  expect(table).toMatchObject({ ratings: 5, isSure: false, reason: "its words are on no scale that is known" });
  expect(draft({ path: "a.md", text }, around, [table?.id ?? ""])?.found).toMatchObject({
    ratings: 5,
    unplaced: [one, other],
  });
});

test("a draft has the same candidates", () => {
  expect(draft(report, around)?.candidates).toEqual(tableCandidates(report));
});

test("without an answer, only the tables that surely rate are drafted", () => {
  expect(drafted()).toBe(6);
});

test("an answer decides alone", () => {
  expect(drafted(["shops-kite-sold"])).toBe(4);
  expect(drafted(["wings-kite-day-night"])).toBe(6);
  expect(drafted([])).toBe(0);
  expect(drafted(["no-such-table"])).toBe(0);
});

test("tables with the same columns are one question, in all files of the report", () => {
  const chapter = { path: "b.md", text: `${doubtful.replace("Arch", "Rokkaku")}` };
  const candidates = tableCandidates({ ...report, chapters: [chapter] });
  expect(candidates.map(({ id, ratings }) => [id, ratings])).toEqual([
    ["wings-kite-day-night", 6],
    ["shops-kite-sold", 8],
  ]);
  expect(tableCandidates({ path: "a.md", text: link, chapters: [chapter] }).map(({ file }) => file)).toEqual(["b.md"]);
});

test("tables of one level each rate if they do so together", () => {
  const part = (heading: string, ...rows: string[]) => `## ${heading}\n\n| Kite | Ring |\n|-|-|\n${rows.join("\n")}`;
  const adopt = part("Day", "| Box | Adopt |", "| Delta | Adopt |");
  const hold = part("Night", "| Sled | Hold |", "| Arch | Hold |");
  expect(draft({ path: "a.md", text: `${link}\n\n${adopt}` }, around)?.found.ratings).toBe(0);
  expect(draft({ path: "a.md", text: `${link}\n\n${adopt}\n\n${hold}` }, around)?.found.ratings).toBe(4);
});

test("a report of a hundred tables asks twenty questions at most", () => {
  const tables = Array.from({ length: 100 }, (_, i) => doubtful.replace("| Sold |", `| Sold ${i} |`));
  expect(tableCandidates({ path: "a.md", text: tables.join("\n\n") })).toHaveLength(20);
});
