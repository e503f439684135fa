import { stripVTControlCharacters, styleText } from "node:util";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { cutText, table, wrapLine } from "../../../src/faces/cli/columns.ts";
import { matrixLines, printMatrix } from "../../../src/faces/cli/matrix.ts";
import { colourDiff, colourWithin } from "../../../src/faces/cli/terminal.ts";
import type { Status } from "../../../src/status/status.ts";
import { config } from "../../config/valid.ts";
import { linesOut } from "../../support/lines-out.ts";

describe("a table", () => {
  test("is as wide as its characters are on a terminal", () => {
    const rows = [
      ["名前", "x", "one"],
      ["é", "🇩🇪", "two"],
      ["a", "b", "three"],
    ];
    const columns = table(rows, "  ").map((line) => stringWidth(line.slice(0, line.search(/one|two|three/))));
    expect(columns).toEqual([12, 12, 12]);
  });

  test("is a list if it does not fit", () => {
    const rows = [["○", "pytorch-blog", "https://pytorch.org/feed/", "timed out after 20 s"]];
    expect(table(rows, "", 80)).toEqual(["○  pytorch-blog  https://pytorch.org/feed/  timed out after 20 s"]);
    expect(table([["a", "one two three four five six seven"]], "  ", 30)).toEqual([
      "  a  one two three four five",
      "     six seven",
    ]);
    expect(table(rows, "", 40)).toEqual([
      "○ pytorch-blog",
      "    https://pytorch.org/feed/",
      "    timed out after 20 s",
    ]);
  });
});

describe("a line", () => {
  test("is broken between words, and later lines are indented", () => {
    expect(wrapLine("  one two three four", 12)).toEqual(["  one two", "      three", "      four"]);
  });

  test("keeps an address whole, however wide", () => {
    const address = "https://example.org/a/long/path/that/is/wider/than/that";
    expect(wrapLine(`see ${address} there`, 20)).toEqual(["see", `    ${address}`, "    there"]);
  });

  test("is measured without its colours", () => {
    const line = `${styleText("red", "one", { validateStream: false })} two`;
    expect(wrapLine(line, 7)).toEqual([line]);
    expect(wrapLine(line, 5).map(stripVTControlCharacters)).toEqual(["one", "  two"]);
    const indented = styleText("red", "  one two three", { validateStream: false });
    expect(wrapLine(indented, 12).map(stripVTControlCharacters)).toEqual(["  one two", "      three"]);
  });

  test("is clipped with a mark, whole characters only", () => {
    expect(cutText("名前名前", 5)).toBe("名前…");
    expect(cutText("name", 4)).toBe("name");
  });
});

test("a difference is coloured by its signs, and nothing else", () => {
  const painted = { paint: (colour: unknown, text: string) => `${colour}:${text}` };
  const lines = ["+    page: x", "-  old", "      + a new text", "      - an old one", "  · delta  +1", "a - b"];
  const within = ['says "a b" → "c d" now', "public no → yes, seen", "  − 2026-07-08  gone"];
  expect(lines.map((line) => colourDiff(line, painted))).toEqual([
    "green:+    page: x",
    "red:-  old",
    "green:      + a new text",
    "red:      - an old one",
    "  · delta  +1",
    "a - b",
  ]);
  expect(within.map((line) => colourDiff(line, painted))).toEqual([
    'says red:"a b" → green:"c d" now',
    "public red:no → green:yes, seen",
    "red:  − 2026-07-08  gone",
  ]);
});

test("two sides of a sentence are coloured in the order in which it has them", () => {
  const { paint } = { paint: (colour: string, text: string) => `<${colour} ${text}>` };
  const within = (line: string, sides: Parameters<typeof colourWithin>[1]) => colourWithin(line, sides, { paint });
  expect(within("says 25; the report says 2", { page: "25", report: "2" })).toBe(
    "says <green 25>; the report says <red 2>",
  );
  expect(within("The report says 2; the page names 25", { report: "2", page: "25" })).toBe(
    "The report says <red 2>; the page names <green 25>",
  );
  expect(within("was archived", { page: undefined, report: "2" })).toBe("was archived");
});

describe("the ratings", () => {
  const ratings = [
    { rating: "delta/lift", value: "Low", level: "in doubt" },
    { rating: "sled/lift", value: "High", level: "fresh" },
  ] as unknown as Status["ratings"];
  const lines = (width?: number) =>
    matrixLines(config(), ratings, { paint: (_, text) => text, ...(width !== undefined && { width }) });

  test("are below an empty line, which is missing if there are none", () => {
    const { out, lines } = linesOut();
    printMatrix(config(), [], out);
    expect(lines).toEqual([]);
    printMatrix(config(), ratings, out);
    expect(lines.slice(0, 2)).toEqual(["", "             lift"]);
  });

  test("are a matrix if it fits", () => {
    expect(lines(80).slice(0, 3)).toEqual(["           lift", "Delta      Low  ✗", "Flat sled  High ·"]);
    expect(lines()).toEqual(lines(80));
  });

  test("have their signs below each other, however wide the letters of their levels are", () => {
    const told = ratings.map((one, i) => ({ ...one, value: i === 0 ? "低" : "非常に高い" }));
    const signed = matrixLines(config(), told, { paint: (_, text) => text, width: 80 }).slice(1, 3);
    const [first, second] = signed.map((line) => stringWidth(line.slice(0, line.search(/[✗·]/))));
    expect(first).toBe(second);
  });

  test("are a list if it does not, and the signs' words take as many lines as they need", () => {
    expect(lines(18)).toEqual([
      "Delta",
      "  lift  Low ✗",
      "Flat sled",
      "  lift  High ·",
      "✗ outdated",
      "⟳ changed",
      "○ not checkable",
      "· up to date",
    ]);
  });
});
