import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CellEdit, editCell } from "../../../src/report/edit/edit-cell.ts";
import { config } from "../../recheck/samples.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize, runs } from "../../support/runs.ts";

const change: CellEdit = { rating: "tensor/maturity", old: "Medium", level: "High" };

const markdown = `# Boards

| Board | Maturity | Compiler | Cost |
|:------|:--------:|----------|-----:|
| Vector | High | Low | 3 |
| **Tensor Board** | Medium | Medium | 5 |

Medium is what most are.
`;

describe("Markdown", () => {
  test("the one cell changes, and no other byte", () => {
    expect(editCell("report.md", markdown, change, config)).toEqual({
      text: markdown.replace("Board** | Medium |", "Board** | High |"),
      byHand: [],
      found: true,
    });
    const crlf = markdown.replaceAll("\n", "\r\n");
    expect(editCell("report.md", crlf, change, config).text).toBe(
      crlf.replace("Board** | Medium |", "Board** | High |"),
    );
  });

  test("rows and columns may be the other way round, without outer bars", () => {
    const text = "Area | Vector | Tensor\n---|---|---\nMaturity | High | Medium\nCompiler | Low | Medium";
    expect(editCell("report.md", text, change, config).text).toBe(text.replace("High | Medium", "High | High"));
  });

  test.each([
    ["**Medium**", "**High**"],
    ["🟡 Medium", undefined],
    ["medium", "high"],
    ["MEDIUM ⟳", "HIGH ⟳"],
    ["Medium[^3]", "High[^3]"],
    ["[Medium](#tensor-medium-rare)", undefined],
    ["<span class='pill pill-medium'>Medium</span>", "<span class='pill pill-high'>High</span>"],
    ["Medium (was Medium)", undefined],
    ["![Medium](yellow.svg)", undefined],
    ["![](dot.svg) Medium", undefined],
    ["Mediumish", undefined],
    ["Medium to High", undefined],
    ["Low", undefined],
    ["", undefined],
    ["High", "High"],
  ])("a cell that holds %j becomes %j", (before, after) => {
    const text = markdown.replace("Board** | Medium |", `Board** | ${before} |`);
    const { text: result, byHand, found } = editCell("report.md", text, change, config);
    expect(result).toBe(after === undefined ? text : markdown.replace("Board** | Medium |", `Board** | ${after} |`));
    expect(found).toBe(after !== undefined);
    expect(byHand.map(({ line }) => line)).toEqual(after === undefined ? [6] : []);
  });

  test.each([
    ["| # | Board | Maturity |\n|-|-|-|\n| 1 | Tensor | Medium |", "Medium", "High", "| High |"],
    ["| Board | Maturity |\n|-|-|\n| Tensor | ⭐⭐⭐ since 2.0 |", "⭐⭐⭐", "⭐", "| ⭐ since 2.0 |"],
    ["| Board | Maturity |\n|-|-|\n| Tensor | ✅ with a plan |", "✅", "❌", "| ❌ with a plan |"],
    ["| Board | Maturity |\n|-|-|\n| Tensor | ✅ Yes |", "✅", "❌", "| ✅ Yes |"],
  ])("%j is edited from %j to %j", (text, old, level, after) => {
    const row = text.split("\n").at(-1) ?? "";
    for (const rating of ["tensor/maturity", "tensor"])
      expect(editCell("report.md", text, { rating, old, level }, config).text).toBe(
        text.replace(row, row.slice(0, row.lastIndexOf("| ", row.length - 2)) + after),
      );
  });

  test("the same edit again changes nothing", () => {
    const once = editCell("report.md", markdown, change, config).text;
    expect(editCell("report.md", once, change, config)).toEqual({ text: once, byHand: [], found: true });
  });

  test("two tables with the rating are left to people, with both lines", () => {
    const text = `${markdown}\n| | Tensor |\n|-|-|\n| Maturity | Medium |\n`;
    expect(editCell("report.md", text, change, config)).toEqual({
      text,
      found: false,
      byHand: [
        { path: "report.md", line: 6, text: "| **Tensor Board** | Medium | Medium | 5 |" },
        { path: "report.md", line: 12, text: "| Maturity | Medium |" },
      ],
    });
  });

  test("a label that fits exactly goes before one that nearly does", () => {
    const text = markdown.replace("| Vector |", "| Tensor Board 2 |");
    expect(editCell("report.md", text, change, config).found).toBe(true);
    const near = text.replace("**Tensor Board**", "New Tensor Board");
    expect(editCell("report.md", near, change, config)).toMatchObject({ found: false, text: near });
    expect(editCell("report.md", near, change, config).byHand.map(({ line }) => line)).toEqual([5, 6]);
  });

  test.each(["```", "10. An item:\n\n    ```"])("a fenced text is an example: %j", (fence) => {
    const example = `${fence}\n${markdown}${fence.split("\n").at(-1)}\n\n`;
    const { text: result } = editCell("report.md", `${example}${markdown}`, change, config);
    expect(result).toBe(`${example}${markdown.replace("Board** | Medium |", "Board** | High |")}`);
  });

  test("a bar behind a backslash parts no cells", () => {
    const text = "| a \\| b | Board | Maturity |\n|-|-|-|\n| Tensor | x \\| y | Medium |\n";
    expect(editCell("report.md", text, change, config).text).toBe(text.replace("Medium", "High"));
  });

  test("without a table the lines with the rating are listed, those with both names first", () => {
    const text = "Tensor boards are Medium.\n\nThe maturity of Tensor Board: Medium.\nOthers are Medium.\n";
    expect(editCell("report.md", text, change, config)).toEqual({
      text,
      found: false,
      byHand: [{ path: "report.md", line: 3, text: "The maturity of Tensor Board: Medium." }],
    });
    expect(editCell("report.md", "Nothing here.\n", change, config).byHand).toEqual([]);
  });
});

describe("one axis", () => {
  const one = { ...config, axes: ["board"] };
  const edit: CellEdit = { rating: "tensor", old: "Medium", level: "High" };

  test("the level is in the row, in any column", () => {
    const text = "| Board | Since | Ring |\n|-|-|-|\n| Vector | 2024 | Medium |\n| Tensor | 2025 | Medium |\n";
    expect(editCell("radar.md", text, edit, one).text).toBe(text.replace("2025 | Medium", "2025 | High"));
    const twice = text.replace("2025", "Medium");
    expect(editCell("radar.md", twice, edit, one)).toMatchObject({ text: twice, found: false });
  });
});

const html = `<!doctype html>
<table class="matrix">
<thead><tr><th>Board</th><th scope=col>Maturity</th><th>Compiler</th></tr></thead>
<tbody>
<tr><th scope="row">Vector</th><td>High</td><td>Low</td></tr>
<tr><th scope="row"><a href="#tensor">Tensor&nbsp;Board</a></th><td class="cell medium" data-level="Medium" id="tensor-medium"><b>Medium</b><!-- Medium? --></td><td>Medium</td></tr>
</tbody>
</table>
`;

describe("HTML", () => {
  test("the one cell changes, with the class that gives it its colour", () => {
    expect(editCell("docs/index.html", html, change, config)).toEqual({
      text: html
        .replace('class="cell medium" data-level="Medium"', 'class="cell high" data-level="High"')
        .replace("<b>Medium</b>", "<b>High</b>"),
      byHand: [],
      found: true,
    });
  });

  test("spans are counted", () => {
    const text =
      "<table><tr><th colspan=2>Board</th><th>Maturity</th></tr><tr><td rowspan=2>Tensor</td><td>7</td><td>Medium</td></tr><tr><td>8</td><td>Low</td></tr></table>";
    expect(editCell("a.html", text, change, config)).toMatchObject({ text, found: false });
    const once = text.replace(" rowspan=2", "").replace("<tr><td>8</td><td>Low</td></tr>", "");
    expect(editCell("a.html", once, change, config).text).toBe(once.replace("Medium", "High"));
  });

  test("a table in Markdown may be HTML", () => {
    const text = `Hello.\n\n${html.slice(html.indexOf("<table"))}`;
    expect(editCell("README.md", text, change, config).found).toBe(true);
  });

  test("bars are no table in HTML", () => {
    const text = `<pre>\n${markdown}</pre>`;
    expect(editCell("a.html", text, change, config)).toMatchObject({ text, found: false });
  });
});

test("for any file, either one cell changes or nothing does", () => {
  const piece = fc.constantFrom(
    ..."| Tensor|Maturity|Medium|High|-|\n|---|---|\n|<table>|<tr>|<td>|<th colspan=9999>|<td rowspan=9999>|</table>|<!--|-->|```|\\|`|>|<|\r|class='Medium'|[^1]|](|".split(
      /(?<=\|)/,
    ),
    "\n",
    "\n|-|-|\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom("a.md", "a.html"), (pieces, path) => {
      const text = pieces.join("");
      const { text: result, found } = editCell(path, text, change, config);
      if (!found) expect(result).toBe(text);
      expect(result.replaceAll(/high|medium/gi, "")).toBe(text.replaceAll(/high|medium/gi, ""));
    }),
    { numRuns: runs(500) },
  );
});

describe("other formats and tables are read again after each change, until only the rating has changed", () => {
  const ratedIn = (names: readonly string[]) => ({ ...config, names: new Map(names.map((name) => [name, name])) });
  const level: CellEdit = { rating: "Kite/Wind", old: "✅", level: "❌" };
  const both = ratedIn(["Kite", "Wind"]);

  test("reStructuredText", () => {
    const row = (...cells: string[]) => `   * - ${cells.join("\n     - ")}\n`;
    const head = `Kites\n=====\n\n.. list-table::\n   :header-rows: 1\n\n${row("Name", "Wind", "Rain", "Snow")}`;
    const others = row("Owl", "❌", "✅", "❌") + row("Fox", "✅", "❌", "✅");
    const text = (mark: string) => `${head}${row("Kite", mark, "✅", "✅")}${others}\nA tick is ✅.\n`;
    expect(editCell("a.rst", text("✅"), level, both)).toEqual({ text: text("❌"), byHand: [], found: true });
  });

  test("AsciiDoc", () => {
    const text = (mark: string) =>
      `= Kites\n\n|===\n|Name |Wind |Rain |Snow\n\n|Kite |${mark} |✅ |✅\n|Owl |❌ |✅ |❌\n|Fox |✅ |❌ |✅\n|===\n`;
    expect(editCell("a.adoc", text("✅"), level, both)).toEqual({ text: text("❌"), byHand: [], found: true });
  });

  test("a mark before the names", () => {
    const text = (mark: string) =>
      `| Status | Feature |\n|---|---|\n| ${mark} | Kite |\n| ❌ | Owl |\n| 🚧 | Fox |\n| ✅ | Elm |\n`;
    const edit = { ...level, rating: "Kite" };
    expect(editCell("a.md", text("✅"), edit, ratedIn(["Kite"])).text).toBe(text("❌"));
  });

  test("a change that would alter another rating is left to people", () => {
    const text = `= Kites\n\n|===\n|Name |Wind |Rain |Snow\n\n|Kite .2+|✅ |✅ |✅\n|Owl |✅ |❌\n|Fox |✅ |❌ |✅\n|===\n`;
    expect(editCell("a.adoc", text, level, both)).toMatchObject({ text, found: false });
  });
});

test("a mark that is written by its name stays so", () => {
  const text = "| | Wind | Rain |\n|-|-|-|\n| Kite | :white_check_mark: (new) | :x: |\n";
  const names = new Map([
    ["kite", "Kite"],
    ["wind", "Wind"],
  ]);
  const edit = { rating: "kite/wind", old: "✅", level: "❌" };
  const after = text.replace(":white_check_mark: (new)", ":x: (new)");
  expect(editCell("a.md", text, edit, { ...config, names })).toEqual({ text: after, byHand: [], found: true });
});

test("a hostile file takes no long time", () => {
  const depth = inputSize(100_000, 20_000);
  const start = processorTime();
  for (const text of [
    "<table><tr><td>".repeat(depth),
    "<b>".repeat(depth),
    `|${"-|".repeat(depth)}\n`.repeat(3),
    "[^".repeat(depth),
    "](".repeat(depth),
    "<".repeat(depth),
    "| Tensor | Medium\n|-|-|\n".repeat(depth / 10),
    `<table><tr><td ${"class=".repeat(depth)}>Medium</td></tr></table>`,
    `<table>${"<div>".repeat(480)}${"<tr><td>x</td></tr>".repeat(depth / 2)}`,
  ]) {
    for (const path of ["a.md", "a.html"]) editCell(path, text, change, config);
  }
  expectTime(processorTime() - start, depth * 0.1);
});
