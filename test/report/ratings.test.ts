import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { ratedBy } from "./rated.ts";

describe("a table rates by the block of its cells that are levels", () => {
  test("with any other rows and columns", () => {
    const text = `| | Kite | Sail |
|---|:-:|:-:|
| Licence | MIT | Apache |
| First flown | 1999 | 2004 |
| Night flights | ✅ | 🛑 over water |
| Two lines | ✅ | 🔶 |
| Colour | red | blue |
| Kept dry | 🛑 | N/A |`;
    expect(ratedBy(text)).toEqual({
      levels: ["🛑", "🔶", "✅"],
      ratings: {
        "Night flights | Kite": "✅",
        "Night flights | Sail": "🛑",
        "Two lines | Kite": "✅",
        "Two lines | Sail": "🔶",
        "Kept dry | Kite": "🛑",
      },
    });
  });

  test("and not by text that is struck out in them", () => {
    const text = `| Engine | Maturity | Speed |
| --- | --- | --- |
| Kite | ~~High~~ Medium | Low |
| Sail | Low | ~~Low~~ High |
| ~~Reel~~ | ~~Low~~ | ~~High~~ |`;
    expect(ratedBy(text)).toEqual({
      levels: ["Low", "Medium", "High"],
      ratings: { "Kite | Maturity": "Medium", "Kite | Speed": "Low", "Sail | Maturity": "Low", "Sail | Speed": "High" },
    });
  });

  test("with spans, several rows of headings, groups of rows and names of two columns", () => {
    const text = `<table>
<tr><th rowspan="2">Feature</th><th colspan="2">Sea</th><th colspan="2">Land</th></tr>
<tr><th>day</th><th>night</th><th>day</th><th>night</th></tr>
<tr><th colspan="5">Wind</th></tr>
<tr><td>Gusts</td><td>✔</td><td>✘</td><td colspan="2">✔</td></tr>
<tr><th colspan="5">Rain</th></tr>
<tr><td>Gusts</td><td>✘</td><td rowspan="2">✘</td><td>–</td><td>✔</td></tr>
<tr><td>Drizzle</td><td>✔</td><td>✔</td><td>✔</td></tr>
</table>`;
    expect(ratedBy(text, "a.html").ratings).toEqual({
      "Wind: Gusts | Sea day": "✔",
      "Wind: Gusts | Sea night": "✘",
      "Wind: Gusts | Land day": "✔",
      "Wind: Gusts | Land night": "✔",
      "Rain: Gusts | Sea day": "✘",
      "Rain: Gusts | Sea night": "✘",
      "Rain: Gusts | Land night": "✔",
      "Drizzle | Sea day": "✔",
      "Drizzle | Sea night": "✘",
      "Drizzle | Land day": "✔",
      "Drizzle | Land night": "✔",
    });
  });

  test("rows with one name in one column are distinguished by the next; blanks belong to the row above", () => {
    const text = `| | | Kite | Sail |
|-|-|-|-|
| **Build** | Wood | ✔️ | ❌ |
| | Steel | ✔️<sup>1</sup> | Soon |
| **Repair** | Wood | ❌ | ✔️ |
| | Steel | ✔️ | [Requested](https://kites.example.org/7) |`;
    const { levels, ratings } = ratedBy(text);
    expect(levels).toEqual(["❌", "Soon", "Requested", "✔"]);
    expect(Object.entries(ratings).map((one) => one.join(" "))).toEqual([
      "Kite | Build Wood ✔",
      "Kite | Build Steel ✔",
      "Kite | Repair Wood ❌",
      "Kite | Repair Steel ✔",
      "Sail | Build Wood ❌",
      "Sail | Build Steel Soon",
      "Sail | Repair Wood ✔",
      "Sail | Repair Steel Requested",
    ]);
  });

  test("links and marks of notes leave the columns of reStructuredText where they are", () => {
    const text = `Kites compared
==============

==============  ===========  =====
Feature         Day          Night
==============  ===========  =====
Box [#windy]_   unsupported  yes
\`Delta <d_>\`__  supported    yes
Sled            unsupported  yes
Arch            supported    no
==============  ===========  =====

.. _d: https://delta.example/
.. [#windy] https://box.example/rain
`;
    expect(ratedBy(text, "a.rst").ratings).toMatchObject({
      "Box | Day": "unsupported",
      "Box | Night": "yes",
      "Delta | Day": "supported",
      "Delta | Night": "yes",
      "Arch | Night": "no",
    });
  });

  test("rows that shorten to one name are two", () => {
    const text = "| Kite | Day | Night |\n|-|-|-|\n| Box (small) | low | high |\n| Box (large) | high | low |";
    expect(Object.keys(ratedBy(text).ratings)).toEqual([
      "Box (small) | Day",
      "Box (small) | Night",
      "Box (large) | Day",
      "Box (large) | Night",
    ]);
  });

  test("rows of one name are distinguished by their brackets first, and no other row by more than its name", () => {
    const text = `| Kite | Sold in | Day | Night |
| --- | --- | --- | --- |
| Box (small) | Nord | low | high |
| Box (large) | Nord | high | low |
| Delta | Nord | high | high |
| Sled | Nord | high | low |
| Sled | Süd | high | low |
| Reel | Nord | low | low |`;
    const names = new Set(Object.keys(ratedBy(text).ratings).map((name) => name.split(" | ")[0]));
    expect([...names]).toEqual(["Box (small)", "Box (large)", "Delta", "Sled Nord", "Sled Süd", "Reel"]);
  });

  test("names of two columns keep the brackets that distinguish them", () => {
    const text = `| Maker | Kite | Version | Status |
| --- | --- | --- | --- |
| Nord | Box (small) | All | Fixed |
| Nord | Box (large) | All | Vulnerable |
| Nord | Delta (old) | All | Fixed |
| Nord | Delta reel | All | Fixed |
| Süd | Sled (new) | All | Fixed |`;
    expect(Object.keys(ratedBy(text).ratings)).toEqual([
      "Nord Box (small)",
      "Nord Box (large)",
      "Nord Delta (old)",
      "Nord Delta reel",
      "Süd Sled",
    ]);
  });

  test("a row whose name is struck out rates nothing, and not the thing above it", () => {
    const text = "| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ | ❌ |\n| ~~Sled~~ | ❌ | ❌ |\n| Delta | ❌ | ✅ |";
    expect(ratedBy(text).ratings).toEqual({
      "Box | Day": "✅",
      "Box | Night": "❌",
      "Delta | Day": "❌",
      "Delta | Night": "✅",
    });
  });

  test.each([
    ["pictures by their files", "![](img/tick.png)", "![](img/cross.png)"],
    ["badges", "![](https://b.example.org/badge/lift-yes-green)", "![](https://b.example.org/badge/lift-no-red.svg)"],
    ["icons", '<i class="fa fa-check"></i>', '<i class="fa fa-times"></i>'],
    ["commands of TeX", "$\\checkmark$", "$\\times$"],
    ["names of emoji", ":white_check_mark:", ":x:"],
  ])("marks may be %s", (_, yes, no) => {
    const text = `| Kite | Day | Night | Rain |\n|-|-|-|-|\n| Box | ${yes} | ${no} | ${yes} |\n| Delta | ${no} | ${no} | ${yes} |`;
    const { levels, ratings } = ratedBy(text, "a.mdx");
    expect(levels).toHaveLength(2);
    expect(Object.values(ratings).map((level) => levels.indexOf(level))).toEqual([1, 0, 1, 0, 0, 1]);
  });

  test("a mark and the words that are always beside it are one level; else the mark is", () => {
    const text = (last: string) =>
      `| Kite | Day | Night |\n|-|-|-|\n| Box | 🟢 Yes | 🔴 No |\n| Delta | 🟢 Yes | 🔴 ${last} |`;
    expect(ratedBy(text("No")).levels).toEqual(["🔴 No", "🟢 Yes"]);
    expect(ratedBy(text("never")).levels).toEqual(["🔴", "🟢 Yes"]);
  });

  test("one column of levels is one rating a row", () => {
    const text = "| Id | Kite | Status | Notes |\n|-|-|-|-|\n| K-1 | Box | COVERED | yes |\n| K-2 | Delta | GAP | |";
    expect(ratedBy(text)).toEqual({
      levels: ["GAP", "COVERED"],
      ratings: { "K-1 Box": "COVERED", "K-2 Delta": "GAP" },
    });
  });

  test("grades need no letter in common, and small letters are names", () => {
    const text = "| Kite | Lift | Grade |\n|-|-|-|\n| a | B | A- |\n| b | F | C+ |\n| c | B | D |";
    expect(ratedBy(text).levels).toEqual(["F", "D", "C+", "B", "A-"]);
  });

  test("text behind the word of a decision does not change it", () => {
    const text =
      "| No | Decision | Status |\n|-|-|-|\n| 1 | Fly | Superseded by [2](#2) |\n| 2 | Land | Accepted (2026) |";
    expect(ratedBy(text).ratings).toEqual({ "1 Fly": "Superseded", "2 Land": "Accepted" });
  });

  test("a mark may be in the thing's own column of levels", () => {
    const text =
      "| Kite | Adopt | Trial | Hold |\n|-|-|-|-|\n| Box | x | | |\n| Delta | | x | |\n| Sled | | | x |\n| Rokkaku | x | | |";
    expect(ratedBy(text).ratings).toEqual({ Box: "Adopt", Rokkaku: "Adopt", Delta: "Trial", Sled: "Hold" });
  });

  test("a row that is only marked, or left blank, is above none", () => {
    const text =
      "| Kite | Day | Night | Rain |\n|-|-|-|-|\n| Box | ✓ | | ✓ |\n| Delta | ✓ | | |\n| Sled | | ✓ | |\n| Arch | ✓ | ✓ | |";
    expect(ratedBy(text).levels).toEqual(["none", "✓"]);
  });

  test("a cell may have several levels, each behind its label", () => {
    const text = `| Rule | Level of conformance | Remarks |
|---|---|---|
| 1 Take-off | Land: Supports<br>Sea: Partially Supports<br>Ice: Not Applicable | Sea: waves |
| 2 Landing | Land: Supports<br>Sea: Does Not Support | Land: runway |
| 3 Turning | Land: Partially Supports<br>Sea: Supports | |
| 4 Storing | Not Evaluated | Later: a shed |`;
    expect(ratedBy(text)).toEqual({
      levels: ["Does Not Support", "Partially Supports", "Supports"],
      ratings: {
        "1 Take-off | Level of conformance: Land": "Supports",
        "1 Take-off | Level of conformance: Sea": "Partially Supports",
        "2 Landing | Level of conformance: Land": "Supports",
        "2 Landing | Level of conformance: Sea": "Does Not Support",
        "3 Turning | Level of conformance: Land": "Partially Supports",
        "3 Turning | Level of conformance: Sea": "Supports",
      },
    });
    const list = (land: string, sea: string) =>
      `<td><ul><li><span><b>Land</b>: </span><p>${land}</p></li><li><span><b>Sea</b>: </span><p>${sea}</p></li></ul></td>`;
    const html = `<table><tr><th>Rule</th><th>Level</th></tr><tr><td>Up</td>${list("Supports", "Supports")}</tr><tr><td>Down</td>${list("Supports", "Does Not Support")}</tr></table>`;
    expect(ratedBy(html, "a.html").ratings).toEqual({
      "Up | Level: Land": "Supports",
      "Up | Level: Sea": "Supports",
      "Down | Level: Land": "Supports",
      "Down | Level: Sea": "Does Not Support",
    });
  });

  test("tables of one scale are one matrix", () => {
    const one = (a: string, b: string, yes: string, no: string) =>
      `| | Kite | Sail | Wing |\n|-|-|-|-|\n| ${a} | ${yes} | ${no} | ${yes} |\n| ${b} | ${no} | ${no} | ${yes} |\n\n`;
    const { levels, ratings } = ratedBy(one("Day", "Night", "✅", "❌") + one("Rain", "Snow", "Yes", "No"));
    expect(levels).toEqual(["❌", "✅"]);
    expect(Object.keys(ratings)).toHaveLength(12);
  });
});

describe("words and marks of many kinds", () => {
  test("a minus counts beside a plus, and so does what is free beside what is sold", () => {
    const bias =
      "| Study | Draw | Blind | Loss |\n|-|-|-|-|\n| Reed 2019 | + | ? | - |\n| Sail 2020 | + | + | + |\n| Tide 2021 | - | - | ? |";
    expect(Object.keys(ratedBy(bias).ratings)).toHaveLength(7);
    const plans = "| Part | Free | Pro | Enterprise |\n|-|-|-|-|\n| Tail | ❌ | ❌ | ✅ |\n| Reel | ❌ | ✅ | ✅ |";
    expect(Object.keys(ratedBy(plans).ratings)).toHaveLength(6);
  });

  test("any mark gives the ring of a row", () => {
    const text =
      "| Kite | adopt | trial | hold |\n|-|-|-|-|\n| Box | 🟢 | | |\n| Delta | | 🟢 | |\n| Sled | | | 🔴 |\n| Arch | | 🟢 | |";
    expect(ratedBy(text).ratings).toEqual({ Box: "adopt", Delta: "trial", Sled: "hold", Arch: "trial" });
  });

  test.each([
    [
      "stars",
      "| 风筝 | 优点 | 推荐度 |\n|-|-|-|\n| 甲 | 快 | ⭐⭐⭐⭐ |\n| 乙 | 轻 | ⭐⭐ |\n| 丙 | 小 | ⭐⭐⭐ |",
      ["⭐⭐", "⭐⭐⭐", "⭐⭐⭐⭐"],
    ],
    [
      "Chinese",
      "| 风险 | 等级 |\n|-|-|\n| 断线 | 高 |\n| 下雨 | 低 |\n| 无风 | 中 |\n| 天黑 | 低 |",
      ["低", "中", "高"],
    ],
    [
      "German",
      "| Drachen | Risiko |\n|-|-|\n| Kasten | hoch |\n| Delta | mittel |\n| Sled | niedrig |\n| Bogen | hoch |",
      ["niedrig", "mittel", "hoch"],
    ],
    [
      "Russian",
      "| Змей | Оценка |\n|-|-|\n| А | хорошо |\n| Б | плохо |\n| В | хорошо |",
      ["плохо", "удовлетворительно", "хорошо"],
    ],
    [
      "colours by the name of their scale",
      "| Kite | RAG |\n|-|-|\n| Box | Red |\n| Delta | Amber |\n| Sled | Green |\n| Arch | Green |",
      ["Red", "Amber", "Green"],
    ],
    [
      "maturity levels",
      "| Work | Maturity Level |\n|-|-|\n| Build | 1 - Initial |\n| Test | 3 - Defined |\n| Fly | 2 - Managed |\n| Fold | 3 - Defined |",
      ["1 - Initial", "2 - Managed", "3 - Defined"],
    ],
    [
      "support, of things with one letter",
      "| Kite | Since | Support |\n|-|-|-|\n| A | 80 | Full |\n| B | 75 | Partial |\n| C | - | None |",
      ["None", "Partial", "Full"],
    ],
    [
      "how sure it is, where nothing else is rated",
      "| Outcome | Trials | Certainty |\n|-|-|-|\n| Height | 4 | ⊕⊕⊕⊝ Moderate |\n| Speed | 2 | ⊕⊕⊝⊝ Low |\n| Range | 1 | ⊕⊝⊝⊝ Very low |",
      ["⊕⊝⊝⊝", "⊕⊕⊝⊝", "⊕⊕⊕⊝"],
    ],
  ])("a column of %s", (_, text, levels) => {
    expect(ratedBy(text).levels).toEqual(levels);
  });

  test("the letter x is a tick beside words, and remarks are no ratings", () => {
    const text = `| Shop | Stability | Repairs | Lends | Notes |
|-|-|-|-|-|
| Box | stable | x | x | Enabled at noon |
| Delta | alpha | | x | Deprecated by Box |
| Sled | beta | x | | Enabled at night |
`;
    expect(ratedBy(text)).toEqual({
      levels: ["alpha", "beta", "stable", "x"],
      ratings: {
        "Box | Stability": "stable",
        "Box | Repairs": "x",
        "Box | Lends": "x",
        "Delta | Stability": "alpha",
        "Delta | Lends": "x",
        "Sled | Stability": "beta",
        "Sled | Repairs": "x",
      },
    });
  });

  test("a triangle is between a tick and a cross, with any tick", () => {
    const text =
      "| 凧 | 対応状況 | 備考 |\n|-|-|-|\n| 箱 | ✅ | 新 |\n| 翼 | △ 一部 | 旧 |\n| 橇 | ❌（未定） | - |\n| 弓 | ✅ | - |";
    expect(ratedBy(text)).toEqual({
      levels: ["❌", "△", "✅"],
      ratings: { "箱 | 対応状況": "✅", "翼 | 対応状況": "△", "橇 | 対応状況": "❌", "弓 | 対応状況": "✅" },
    });
  });

  test("a word before wide brackets is a level as one before narrow ones is", () => {
    const text = "| 凧 | 評価 |\n|-|-|\n| 箱 | 低（遅い） |\n| 翼 | 中 |\n| 橇 | 高（速い） |\n| 弓 | 低 |";
    expect(ratedBy(text)).toEqual({
      levels: ["低", "中", "高"],
      ratings: { "箱 | 評価": "低", "翼 | 評価": "中", "橇 | 評価": "高", "弓 | 評価": "低" },
    });
  });

  test("the way from one level to another is none, and the lowest is below low", () => {
    const text =
      "| | Box | Delta | Sled |\n|-|-|-|-|\n| Drag | Low | Lowest | Low |\n| Lift | High | Medium | High |\n| Weight | Medium | Low → Medium | High |";
    expect(ratedBy(text)).toEqual({
      levels: ["Lowest", "Low", "Medium", "High"],
      ratings: {
        "Drag | Box": "Low",
        "Drag | Delta": "Lowest",
        "Drag | Sled": "Low",
        "Lift | Box": "High",
        "Lift | Delta": "Medium",
        "Lift | Sled": "High",
        "Weight | Box": "Medium",
        "Weight | Sled": "High",
      },
    });
  });

  test("a word that nobody knows is a level beside levels, and not in a row of other answers", () => {
    const rows = [
      "Turns | yes | yes | close | yes",
      "Glides | yes | close | wip | yes",
      "Dives | no | yes | yes | no",
      "Sails | no | no | wip | yes",
      "Lands | yes | yes | yes | yes",
    ];
    const other = "What is hard | knots | knots | no | no";
    const text = `| Trait | Box | Delta | Sled | Arch |\n|-|-|-|-|-|\n${[...rows, other].map((row) => `| ${row} |`).join("\n")}`;
    const { ratings } = ratedBy(`# Kites compared\n\n${text}`);
    expect(Object.values(ratings)).toContain("close");
    expect(Object.values(ratings)).not.toContain("knots");
  });

  const rows = (a: string, b: string, c: string) =>
    `| Feature | Kite | Sail |\n|-|-|-|\n| x | ${a} | ${b} |\n| y | ${b} | ${c} |\n| z | ${c} | ${a} |`;

  test.each([
    ["German", "Nein", "Teilweise", "Ja"],
    ["French", "Non", "Partiel", "Oui"],
    ["Spanish", "No", "Parcial", "Sí"],
    ["Japanese", "非対応", "一部対応", "対応"],
    ["Chinese", "不支持", "部分支持", "支持"],
    ["circles", "×", "△", "○"],
    ["faces", "☹", "😐", "🙂"],
    ["balls", "○", "◐", "●"],
    ["marks in roles of MyST", "{bdg-danger}`no`", "{bdg-warning}`partial`", "{bdg-success}`yes`"],
    ["icons of Quarto", "{{< fa xmark >}}", "{{< fa triangle-warning >}}", "{{< fa check >}}"],
  ])("%s", (_, low, middle, high) => {
    const { levels, ratings } = ratedBy(rows(low, middle, high));
    expect(Object.values(ratings)).toEqual([0, 1, 1, 2, 2, 0].map((place) => levels[place]));
    expect(levels).toHaveLength(3);
  });

  test("severities as audits write them", () => {
    const levels = ["med", "info", "crit", "undetermined", "low", "high"];
    const rows = levels.map((level, i) => `| Finding ${i} | ${level} |`).join("\n");
    expect(ratedBy(`| Finding | Severity |\n|-|-|\n${rows}`).levels).toEqual(["info", "low", "med", "high", "crit"]);
  });

  test("a value that varies is no level, and an hourglass is a plan", () => {
    const text =
      "| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ | ⌛ |\n| Delta | Varies | ❌ |\n| Sled | ✅ | 🟡 |\n| Disc | depends on wind | ✅ |";
    expect(ratedBy(text)).toEqual({
      levels: ["❌", "⌛", "🟡", "✅"],
      ratings: {
        "Box | Day": "✅",
        "Box | Night": "⌛",
        "Delta | Night": "❌",
        "Sled | Day": "✅",
        "Sled | Night": "🟡",
        "Disc | Night": "✅",
      },
    });
    const lift = "| Kite | Lift | Drag |\n|-|-|-|\n| Box | Extremely High | Low |\n| Delta | Medium | High |";
    expect(ratedBy(lift).levels).toEqual(["Low", "Medium", "High", "Extremely High"]);
  });

  test("a minus is below a plus, and no blank", () => {
    const { levels, ratings } = ratedBy(
      "| Feature | Go | C |\n|-|-|-|\n| a | + | - |\n| b | - | + |\n| c | + | |\n| d | + | + |",
    );
    expect(levels).toEqual(["-", "+"]);
    expect(Object.values(ratings)).toEqual(["+", "-", "-", "+", "+", "+", "+"]);
  });

  test("numbers below a heading that names their scale", () => {
    const { levels, ratings } = ratedBy(
      "| Kind | TRL | Cost |\n|-|-|-|\n| Flow | 7 | 30 |\n| Salt | 9 | 12 |\n| Air | 4 | 80 |",
    );
    expect(levels).toEqual(["4", "7", "9"]);
    expect(ratings).toEqual({ Flow: "7", Salt: "9", Air: "4" });
  });

  test("yes and no judge offers and features", () => {
    const offered =
      "| Operator | Supported | Types |\n|-|-|-|\n| Abs | Y | FP32 |\n| Bern | N | |\n| Cast | Y | FP16 |";
    expect(ratedBy(offered).ratings).toEqual({ Abs: "Y", Bern: "N", Cast: "Y" });
    const listed = "| Name | Day | Night | Rain |\n|-|-|-|-|\n| Kite | Yes | No | Yes |\n| Sail | No | Yes | Yes |";
    expect(ratedBy(`# Members\n\n${listed}`).ratings).toEqual({});
    expect(Object.keys(ratedBy(`# Comparison\n\n${listed}`).ratings)).toHaveLength(6);
  });

  test("of two scales in a table, the one that judges", () => {
    const radar =
      "name,ring,isNew,active\nTide,adopt,false,true\nEbb,trial,true,true\nFlow,hold,false,false\nSurge,assess,true,true";
    expect(ratedBy(radar, "radar.csv").ratings).toEqual({ Tide: "adopt", Ebb: "trial", Flow: "hold", Surge: "assess" });
  });

  test("tables of one form rate alike", () => {
    const head = (more: string) => `| Feature | Kite | Sail |${more}\n|-|-|-|${more && "-|"}`;
    const text = `${head("")}\n| \`up\` | ✅ | ❌ |\n| \`down\` | ✅ | ✅ |\n\n${head(" Note |")}\n| Left | 🚧 | ❌ | a |\n| Right | ✅ | ❌ | b |`;
    expect(Object.keys(ratedBy(text).ratings)).toHaveLength(8);
  });

  test("numbers name no row if there are words", () => {
    const text =
      "| No | Status | Title |\n|-|-|-|\n| 1 | Accepted | Fly |\n| 2 | Withdrawn | Dive |\n| 3 | Accepted | Land |";
    expect(ratedBy(text).ratings).toEqual({ "1 Fly": "Accepted", "2 Dive": "Withdrawn", "3 Land": "Accepted" });
  });

  test("a link without a label is called as what it leads to", () => {
    const text = "| App | Offline | Fast |\n|-|-|-|\n| [](Box) | 🟢 | 🔴 |\n| [](kites.md#delta) | 🟢 | 🟢 |";
    expect(Object.keys(ratedBy(text).ratings)).toContain("delta | Fast");
  });

  test("a line below each heading, in words that a legend sets beside known ones", () => {
    const text = `- **Best in class**: better than any
- **Mature**: good for most
- **Immature**: for the first to try
- **Raw**: for nobody

## Box

**Rating:** Best in class

## Delta

**Rating:** Immature

## Sled

**Rating:** Raw

## Arch

**Rating:** Mature
`;
    expect(ratedBy(text)).toEqual({
      levels: ["Raw", "Immature", "Mature", "Best in class"],
      ratings: { Box: "Best in class", Delta: "Immature", Sled: "Raw", Arch: "Mature" },
    });
  });

  test("items of lists within lists", () => {
    const text = "- Build\n  - Frame: stable\n  - Cover: experimental\n- Fly\n  - Line: beta\n  - Reel: stable";
    expect(ratedBy(text).ratings).toEqual({ Frame: "stable", Cover: "experimental", Line: "beta", Reel: "stable" });
  });
});

describe("legends explain words that no scale knows, and their order", () => {
  test("a list of marks is one where a mark of it is known, and goes down from it", () => {
    const text =
      "| API | Day | Night |\n|-|-|-|\n| Kite | ✅ | 🌋 |\n| Sail | 🆗 (calm) | ✅ |\n\n✅ = First class  \n🆗 = Best effort  \n🌋 = Needs a pilot";
    expect(ratedBy(text)).toEqual({
      levels: ["🌋", "🆗", "✅"],
      ratings: { "Kite | Day": "✅", "Kite | Night": "🌋", "Sail | Day": "🆗", "Sail | Night": "✅" },
    });
  });

  test("a letter without an explanation rates nothing", () => {
    const text =
      "# Chips\n\nF = full, P = partial, U = unknown\n\n| Chip | A | B |\n|-|-|-|\n| x | F | P |\n| y | P | U |\n| z | F | F |";
    expect(Object.values(ratedBy(text).ratings)).toEqual(["F", "P", "P", "F", "F"]);
  });

  const table = "| Kite | Day | Night |\n|-|-|-|\n| Box | 🦊 | 🐢 |\n| Delta | 🐌 | 🦊 |\n| Sled | 🐌 | 🐢 |\n";
  test.each([
    ["a list", "Legend:\n\n- 🦊 quick\n- 🐢 slow\n- 🐌 does not move"],
    ["a line", "Key: 🦊 quick, 🐢 slow, 🐌 does not move"],
    [
      "a table",
      "| Symbol | Meaning |\n|-|-|\n| 🦊 | quick as can be |\n| 🐢 | slow, but it comes |\n| 🐌 | does not move |",
    ],
  ])("%s", (_, legend) => {
    expect(ratedBy(`# T\n\n${legend}\n\n${table}`).levels).toEqual(["🐌", "🐢", "🦊"]);
    expect(ratedBy(table).ratings).toEqual({});
  });

  test("marks that a legend explains in part are of one scale in every table", () => {
    const text = `- ❌ not built
- ⚒️ partly built
- ✔️ built

| Frame | Box | Delta | Sled |
|-|-|-|-|
| Wood | ✔️ | ❌ | ✔️ |
| Steel | ✔️ | ✔️ | ⚒️ |

| Sail | Box | Delta | Sled |
|-|-|-|-|
| Paper | ⚒️ | ⚒️ | ✔️ |
| Silk | ⚒️ | ⚒️ | ❌ |
`;
    const { levels, ratings } = ratedBy(text);
    expect(levels).toEqual(["❌", "⚒", "✔"]);
    expect(Object.keys(ratings)).toHaveLength(12);
  });

  test("a legend of own words goes to the place of the known one", () => {
    const text = `| Kite | Status | Since |
|-|-|-|
| Box | Second Sketch | 2020 |
| Delta | Release Candidate | 2021 |
| Sled | First Sketch | 2022 |
| Arch | Second Sketch | 2023 |

| Status | What it means |
|-|-|
| Proposal | Somebody would like to have it |
| First Sketch | A few people may check it |
| Second Sketch | All people should check it |
| Release Candidate | The last day to check it |
| Sealed | It is so, whoever checks it |
`;
    expect(ratedBy(text).levels).toEqual(["First Sketch", "Second Sketch", "Release Candidate"]);
  });

  test("letters by the word that each begins, beside answers that are none of them", () => {
    const text = `- Approved (A) kites may fly.
- Tolerated kites (T) may fly alone.
- Forbidden (F) kites stay on the ground.

| Kite | Tail | Status |
|-|-|-|
| Box | Yes | A |
| Delta | No | T |
| Sled | No | F |
| Arch | Yes | A |
`;
    expect(ratedBy(text)).toEqual({ levels: ["F", "T", "A"], ratings: { Box: "A", Delta: "T", Sled: "F", Arch: "A" } });
  });

  test("a paragraph that begins with a mark of the legend above it is no part of that", () => {
    const text = `| Kite | Box | Delta | Sled |
|-|-|-|-|
| Frame | ✅ | ⚬ | 📚 |
| Sail | 📚 | ⚬ | ⚬ |
| Reel | ⚬ | ✅ | ❌ |

Legend:
⚬ - not applicable
✅ - built
📚 - from the shop
❌ - not built

❌ behind a name means that nobody flies it.
`;
    expect(ratedBy(text)).toMatchObject({ levels: ["❌", "📚", "✅"], ratings: { "Sail | Box": "📚" } });
    expect(Object.keys(ratedBy(text).ratings)).toHaveLength(5);
  });

  test("a word that is there once among answers is a remark", () => {
    const text = `| Feature | Kite | Sail | Reel |
|-|-|-|-|
| Flies | Yes | Yes | No |
| Turns | Yes | By a second line | No |
| Folds | Yes | No | Canvas |
| Floats | Yes | No | Yes |
`;
    expect(ratedBy(text)).toMatchObject({ levels: ["No", "Yes"] });
  });

  test("a word that one of several columns alone says among answers is a remark", () => {
    const text = `| Feature | Kite | Sail | Reel |
|-|-|-|-|
| Flies | Yes | Yes | No |
| Turns | Yes | Canvas | No |
| Folds | Yes | No | No |
| Floats | Yes | Canvas | Yes |
| Sings | No | No | Yes |
`;
    expect(ratedBy(text)).toMatchObject({ levels: ["No", "Yes"] });
    expect(ratedBy(text.replace("Flies | Yes", "Flies | Canvas")).levels).toContain("Canvas");
  });

  test("hearts are marks by their names, too", () => {
    const text = `| Lock | Keyway | Strength |
|-|-|-|
| Alpha | 12 | :green_heart: |
| Beta | 14 | :broken_heart: |
| Gamma | 15 | :yellow_heart: |
| Delta | 16 | :green_heart: |
`;
    expect(ratedBy(text)).toEqual({
      levels: ["💔", "💛", "💚"],
      ratings: {
        "Alpha | Strength": "💚",
        "Beta | Strength": "💔",
        "Gamma | Strength": "💛",
        "Delta | Strength": "💚",
      },
    });
  });

  test("answers below a heading that speaks of support are a comparison in Chinese, too", () => {
    const table =
      "| 风筝 | 长度 | 日 | 夜 | 雨 |\n|-|-|-|-|-|\n| 箱 | 2 | Yes | Yes | No |\n| 角 | 3 | Yes | No | No |\n";
    expect(ratedBy(`# 支持的风筝\n\n${table}`).ratings).toMatchObject({ "箱 | 日": "Yes", "角 | 夜": "No" });
    expect(ratedBy(`# 风筝\n\n${table}`).ratings).toEqual({});
  });

  test("words that differ by their gender are one level", () => {
    const text =
      "| Riesgo | Alcance | Calidad |\n|-|-|-|\n| Viento | Alto | Media |\n| Lluvia | Medio | Alta |\n| Nieve | Bajo | Baja |\n| Sol | Alta | Alta |\n";
    expect(ratedBy(text).levels).toEqual(["Bajo", "Media", "Alto"]);
    expect(ratedBy(`${text}| Rayo | Crítico | Crítica |\n`).levels).toEqual(["Bajo", "Media", "Alto", "Crítico"]);
    const french =
      "| Risque | Jour | Nuit |\n|-|-|-|\n| Vent | Élevé | Moyenne |\n| Pluie | Élevée | Moyen |\n| Neige | Bas | Basse |\n";
    expect(ratedBy(french).levels).toEqual(["Bas", "Moyenne", "Élevé"]);
  });

  test("that nobody knows is no level in other languages, either", () => {
    const text =
      "# Vergleich\n\n| Drachen | Tag | Nacht | Regen |\n|-|-|-|-|\n| Kasten | Ja | Nein | unbekannt |\n| Delta | Ja | unbekannt | Nein |\n| Schlitten | Nein | Ja | Ja |\n";
    expect(ratedBy(text).levels).toEqual(["Nein", "Ja"]);
    const english =
      "| Kite | Day | Night |\n|-|-|-|\n| Box | ✓ | ✗ |\n| Delta | ✓ | Not documented |\n| Sled | ✗ | Not documented |\n| Arch | ✗ | Not documented |\n| Wing | ✓ | ✓ |\n";
    expect(ratedBy(english).ratings).toMatchObject({ "Box | Night": "✗", "Wing | Night": "✓" });
  });

  test("raised figures behind a level are notes", () => {
    const text =
      "# Comparison\n\n| Kite | Day | Night | Rain |\n|-|-|-|-|\n| Box | Yes¹ | No | Yes¹ ² |\n| Delta | No¹² | Yes | ✓³ |\n| Sled | Partial⁴ | No | Partial⁴ |\n";
    expect(ratedBy(text)).toEqual({
      levels: ["No", "Partial", "Yes"],
      ratings: {
        "Box | Day": "Yes",
        "Box | Night": "No",
        "Box | Rain": "Yes",
        "Delta | Day": "No",
        "Delta | Night": "Yes",
        "Delta | Rain": "Yes",
        "Sled | Day": "Partial",
        "Sled | Night": "No",
        "Sled | Rain": "Partial",
      },
    });
  });

  test("the letters o and x are a circle and a cross in tables of East Asia, and names elsewhere", () => {
    const rows = "| wing | O | △ | X |\n| reel | X | O | O |\n| line | O | O | X |\n";
    expect(ratedBy(`| 이름 | 낮 | 밤 | 비 |\n|-|-|-|-|\n${rows}`).levels).toEqual(["X", "△", "O"]);
    expect(ratedBy(`| 이름 | 낮 | 밤 | 비 |\n|-|-|-|-|\n${rows.replace("△", "X")}`).levels).toEqual(["X", "O"]);
    expect(ratedBy(`| Game | a | b | c |\n|-|-|-|-|\n${rows.replace("△", "X")}`).ratings).toEqual({});
  });

  test("words of a report are joined by the other levels in its own language", () => {
    const levels = (table: string) => ratedBy(table).levels;
    const french = "| Voile | Vitesse |\n|-|-|\n| Box | Excellente |\n| Delta | Très bonne |\n| Sled | Bonne |\n";
    expect(levels(french)).toEqual(["Mauvais", "Moyen", "Bonne", "Très bonne", "Excellente"]);
    const german = "| Drachen | Risiko |\n|-|-|\n| Kasten | hoch |\n| Delta | mittel |\n| Bogen | mittel |\n";
    expect(levels(german)).toEqual(["niedrig", "mittel", "hoch"]);
    const english = "| Kite | Risk |\n|-|-|\n| Box | Critical |\n| Delta | High |\n| Sled | High |\n";
    expect(levels(english)).toEqual(["Low", "Medium", "High", "Critical"]);
  });

  test("text beside a mark is a remark if other marks have none", () => {
    const text =
      "| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ with a tail | ❌ only by day |\n| Delta | ✅ without one | ❌ only by day |\n| Sled | ✅ Flies | ✅ Glows |\n";
    expect(ratedBy(text).levels).toEqual(["❌", "✅"]);
    const further = "| Arch | ❌ only by day | ❌ only by day |\n| Reel | ❌ only by day | ✅ Glows |\n";
    expect(ratedBy(text + further).levels).toEqual(["❌ only by day", "✅"]);
  });

  test("an empty box is a no, beside a tick", () => {
    const text =
      "| Kite | Status |\n|-|-|\n| Box | ✅ Flies |\n| Delta | ⬜ Stays |\n| Sled | ⬜ Stays |\n| Arch | ✅ Flies |\n";
    expect(ratedBy(text)).toEqual({
      levels: ["⬜ Stays", "✅ Flies"],
      ratings: { Box: "✅ Flies", Delta: "⬜ Stays", Sled: "⬜ Stays", Arch: "✅ Flies" },
    });
  });

  test("answers in a table of how far things are implemented are a comparison, at any depth", () => {
    const table =
      "| Operation | Kite | Sail | Reel |\n|-|-|-|-|\n| turn | Y | N | Y |\n| rise | Y | Y | N |\n| fall | N | Y | Y |\n";
    const below = (title: string) => `# ${title}\n\n## Wind\n\n### Version 1\n\n${table}`;
    expect(ratedBy(below("Implementation status")).ratings).toMatchObject({ "turn | Sail": "N", "rise | Sail": "Y" });
    expect(ratedBy(below("Kites")).ratings).toEqual({});
  });

  test("letters that a sentence explains", () => {
    const said =
      "In the table `Y` stands for yes, `N` stands for no, `P` stands for partial (in some wind), and `D` stands for as the wind is.";
    const rows = "| rise() | Y |\n| fall() | P |\n| turn() | D |\n| sing() | N |\n| stay() | Y |\n";
    expect(ratedBy(`${said}\n\n| Call | Implemented? (Y/N/P/D) |\n|-|-|\n${rows}`)).toMatchObject({
      levels: ["N", "P", "D", "Y"],
      ratings: { "fall | Implemented?": "P", "turn | Implemented?": "D", "sing | Implemented?": "N" },
    });
  });

  test("letters that a legend explains stay so beside a sentence on what something means", () => {
    const rows = "| Box | H |\n| Delta | M |\n| Sled | L |\n| Arch | H |\n";
    const said = "H = high, M = medium, L = low. It means nothing else.";
    expect(ratedBy(`${said}\n\n| Kite | Wind risk |\n|-|-|\n${rows}`).levels).toEqual(["L", "M", "H"]);
  });

  test.each([
    ["boxes to tick off", "Task | Done", ["Rope | ⬜", "Sail | ✅", "Tail | ⬜", "Bag | ⬜"]],
    ["boxes of several people", "Item | Ann | Bob", ["Rope | ⬜ | ☑", "Sail | ⬜ | ⬜", "Tail | ☑ | ⬜"]],
    ["a rota", "Day | Ann | Bob | Eve", ["Monday | ✅ | ⬜ | ✅", "Tuesday | ⬜ | ✅ | ⬜", "Friday | ✅ | ✅ | ⬜"]],
    ["a board", " | a | b | c", ["1 | ⬜ | 🟩 | ⬜", "2 | 🟩 | ⬜ | 🟩", "3 | ⬜ | 🟩 | ⬜"]],
    ["hearts for colours", "Team | Colour", ["Kites | 💚", "Sails | 💛", "Reels | 🧡", "Bows | 💚"]],
    [
      "words for what something is",
      "Class | Implementation",
      ["A | native", "B | external", "C | native", "D | plugin"],
    ],
  ])("%s are no ratings", (_, head, rows) => {
    const table = [head, head.replace(/[^|]+/g, "-"), ...rows].map((line) => `| ${line} |`).join("\n");
    expect(ratedBy(`# Kites\n\n${table}\n`).ratings).toEqual({});
  });

  test("a report called a comparison compares not by every table below", () => {
    const rota =
      "| Who | Mon | Tue | Wed |\n|-|-|-|-|\n| Ann | Y | N | Y |\n| Bob | N | N | Y |\n| Eve | Y | Y | N |\n";
    expect(ratedBy(`# Comparison of kites\n\n## Rooms\n\n### Rota\n\n${rota}`).ratings).toEqual({});
    const staff = rota.replace("Who", "员工");
    expect(ratedBy(`# 技术支持\n\n${staff}`).ratings).toEqual({});
  });

  test("empty boxes below a heading that compares are a no", () => {
    const table =
      "| Kite | Day | Night | Rain |\n|-|-|-|-|\n| Box | ✅ | ⬜ | ✅ |\n| Delta | ⬜ | ⬜ | ✅ |\n| Sled | ✅ | ✅ | ⬜ |\n";
    expect(ratedBy(`# Supported kites\n\n${table}`)).toMatchObject({
      levels: ["⬜", "✅"],
      ratings: { "Delta | Day": "⬜", "Sled | Rain": "⬜" },
    });
  });

  test("marks in front of consequences are no ratings", () => {
    const head = "| Wind | Rope | Tail | Kite |\n|-|-|-|-|\n";
    const rows =
      "| ✗ | ✗ | ✗ | It stays |\n| ✗ | ✗ | ✓ | It turns |\n| ✗ | ✓ | ✗ | It rises |\n| ✓ | ✓ | ✓ | It flies |\n";
    expect(ratedBy(head + rows).ratings).toEqual({});
    expect(ratedBy(`${head}${rows}| ✓ | ✓ | ✓ | It sings |\n`).ratings).toMatchObject({ "It sings | Tail": "✓" });
  });

  test("a heading with an explanation is its first line", () => {
    const explained =
      "Lift<br>How much of a basket it carries in a wind that people like, for a day or more, and never less";
    const text = `| Kite | ${explained} | Wind |\n|-|-|-|\n| Box | High | Low |\n| Delta | Low | High |\n| Sled | Low | Low |\n`;
    expect(Object.keys(ratedBy(text).ratings)).toEqual(expect.arrayContaining(["Box | Lift", "Box | Wind"]));
  });

  test("letters in place of words", () => {
    const text =
      "Ratings (H = high, M = medium, L = low).\n\n| Kite | Day | Night |\n|-|-|-|\n| Box | H | L |\n| Delta | M | H |\n";
    expect(ratedBy(text)).toMatchObject({ levels: ["L", "M", "H"], ratings: { "Box | Day": "H", "Delta | Day": "M" } });
  });
});

describe("ratings outside tables", () => {
  const items = { Box: "Adopt", Delta: "Trial", Sled: "Hold", Arch: "Hold" };
  test.each([
    ["headings above items", "## Adopt\n\n- Box\n\n## Trial\n\n- Delta: new\n\n## Hold\n\n- **Sled** - old\n- Arch"],
    ["headings above headings", "## Adopt\n\n### Box\n\nx\n\n## Trial\n\n### Delta\n\n## Hold\n\n### Sled\n\n### Arch"],
    [
      "headings above tables",
      "## Adopt\n\n| Kite | By |\n|-|-|\n| Box | A |\n\n## Trial\n\n| Kite | By |\n|-|-|\n| Delta | B |\n\n## Hold\n\n| Kite | By |\n|-|-|\n| Sled | A |\n| Arch | A |",
    ],
    ["items", "- Box: Adopt\n- **Delta** — Trial. Not yet.\n- Sled (Hold)\n- [Arch](https://a.example.org) - Hold"],
    ["headings themselves", "## Box (Adopt)\n\n## Delta (Trial)\n\n## Sled (Hold)\n\n## Arch (Hold)"],
    [
      "a line below each heading",
      "## Box\n\nRing: Adopt\n\n## Delta\n\n**Ring:** Trial\n\n## Sled\n\n- Ring: Hold\n\n## Arch\n\nRing: Hold",
    ],
    [
      "an item below each item",
      "- Box\n  - Ring: Adopt\n- Delta\n  - Ring: Trial\n- Sled\n  - Ring: Hold\n- Arch\n  - Ring: Hold",
    ],
  ])("%s", (_, text) => {
    expect(ratedBy(`# Kites\n\n${text}`)).toEqual({ levels: ["Hold", "Assess", "Trial", "Adopt"], ratings: items });
  });

  test("the same words about several things are about the things below a level", () => {
    const told = (name: string, seat: string) =>
      `### ${name}\n\n- **Seat:** ${seat}\n- **Price:** 3 a day\n- **Size:** 40 litres\n\n`;
    const text = `# Lockers\n\n## Tier 1\n\n${told("Box", "Oslo")}${told("Crate", "Rome")}## Tier 2\n\n${told("Bin", "Kiel")}`;
    expect(ratedBy(`${text}[k](https://k.example.org/)`)).toEqual({
      levels: ["Tier 2", "Tier 1"],
      ratings: { Box: "Tier 1", Crate: "Tier 1", Bin: "Tier 2" },
    });
  });

  test("requirements of a level are none of the things that a table lists below it", () => {
    const list = (tier: string, ...names: string[]) =>
      `## Tier ${tier}\n\n- STATUS\n- Falls are mended.\n\n| Kite | By |\n|-|-|\n${names.map((name) => `| ${name} | A |\n`).join("")}\n`;
    expect(ratedBy(`# Kites\n\n${list("1", "Box", "Delta")}${list("2", "Sled")}`).ratings).toEqual({
      Box: "Tier 1",
      Delta: "Tier 1",
      Sled: "Tier 2",
    });
  });

  test("requirements of each level in the same words are no thing, in lists and by headings", () => {
    const list = (tier: string, asked: string) =>
      `## Tier ${tier}\n\n### Falls\n\nAll are mended.\n\n### Ropes\n\n- ${asked} rope\n- Well kept - by all\n- Sold with the kite\n\n`;
    const kites = "## Kites now\n\n### Tier 1\n\n- Box\n- Delta\n\n### Tier 2\n\n- Sled\n";
    expect(
      ratedBy(`# Kites\n\n${list("1", "Long")}${list("2", "Short")}${kites}[k](https://k.example.org/)`).ratings,
    ).toEqual({
      Box: "Tier 1",
      Delta: "Tier 1",
      Sled: "Tier 2",
    });
  });

  test("rows are called by their first column of words, and by the whole row if that distinguishes them", () => {
    const text =
      "# Kites\n\n## Tier 1\n\n| # | Kite | By |\n|-|-|-|\n| 1 | Box (paper) | A |\n| 2 | Delta (paper) | A |\n\n" +
      "## Tier 2\n\n| # | Kite | By |\n|-|-|-|\n| 3 | Box (silk) | A |\n| 4 | Sled | B |\n\n[k](https://k.example.org/)";
    expect(ratedBy(text).ratings).toEqual({
      "Box (paper)": "Tier 1",
      Delta: "Tier 1",
      "Box (silk)": "Tier 2",
      Sled: "Tier 2",
    });
  });

  test("stages with numbers, of things that are linked to", () => {
    const list = (stage: string, name: string) =>
      `## Stage ${stage}\n\n| Kite | By |\n|-|-|\n| [${name}](https://${name}.example.org) | A |\n| [${name} two](https://two.${name}.example.org) | A |\n\n`;
    expect(ratedBy(`# Kites\n\n${list("3", "box")}${list("2.7", "delta")}`)).toEqual({
      levels: ["Stage 2.7", "Stage 3"],
      ratings: { box: "Stage 3", "box two": "Stage 3", delta: "Stage 2.7", "delta two": "Stage 2.7" },
    });
  });

  test.each([
    ["under a heading", "# 7. Fly at night\n\n## Status\n\nAccepted\n\n## Context\n\nDark."],
    [
      "in a summary",
      "# Fly at night\n\n## Summary\n\n### Issue\n\nDark.\n\n### Status\n\nAccepted. We may think again.\n\n## Details",
    ],
    ["in its head", "# ADR 0007: Fly at night\n\n- Status: ✅ Accepted\n- Date: 2026-02-03\n\n## Context\n\nDark."],
    ["in its front matter", "---\nstatus: Accepted\ntitle: Fly at night\n---\n\nDark."],
  ])("the status of one decision, %s", (_, text) => {
    expect(ratedBy(text).ratings).toEqual({ "Fly at night": "Accepted" });
  });

  test("an adopted thing is a decision, or in a ring", () => {
    const text = "Kites\n=====\n\n:Status: Adopted\n\nDark.\n";
    expect(ratedBy(text, "a.rst").levels).toEqual(["Superseded", "Adopted"]);
    const radar = "---\ntitle: Kites\nring: Adopted\n---\n\nDark.";
    expect(ratedBy(radar).levels).toEqual(["Hold", "Assess", "Trial", "Adopted"]);
  });

  test.each([
    ["CSV", "a.csv", 'name,ring,note\nBox,Adopt,"good, and cheap"\nDelta,Trial,\nSled,Hold,\nArch,Hold,\n'],
    [
      "JSON with rings by number",
      "a.json",
      JSON.stringify({
        rings: [{ name: "Adopt" }, { name: "Trial" }, { name: "Hold" }],
        entries: Object.keys(items).map((label, i) => ({ label, ring: Math.min(i, 2) })),
      }),
    ],
  ])("data: %s", (_, path, text) => {
    expect(ratedBy(text, path).ratings).toEqual(items);
  });
});

test("things called by letters are in the place where they work", () => {
  const text =
    "| Call | Sea | Land | Air |\n|-|-|-|-|\n| `fold()` | X | X | X |\n| `show()` | X | | X |\n| `wind()` | | | X |\n| `bow()` | | X | |\n\n[k](https://k.example.org/)";
  expect(ratedBy(text).ratings).toMatchObject({ "fold | Sea": "X", "bow | Land": "X" });
});

test("which thing supports which other one is a rating where a heading says that it does", () => {
  const table =
    "| From | v1 | v2 | v3 |\n|-|-|-|-|\n| v1 | ✅ | | |\n| v2 | ✅ | ✅ | |\n| v3 | ✅ | ✅ | ✅ |\n| v4 | ✅ | ✅ | |\n";
  expect(Object.keys(ratedBy(`## Supported versions\n\n${table}`).ratings)).toHaveLength(8);
  expect(ratedBy(`## Versions\n\n${table}`).ratings).toEqual({});
});

describe("text without a judgement is no rating", () => {
  test.each([
    [
      "parameters",
      "| Name | Type | Required | Default | Meaning |\n|-|-|-|-|-|\n| a | int | Yes | no | one |\n| b | int | No | yes | two |\n| c | int | Yes | no | three |",
    ],
    [
      "properties by ticks",
      "| Name | Required | Nullable |\n|-|:-:|:-:|\n| a | ✅ | ❌ |\n| b | ❌ | ✅ |\n| c | ✅ | ✅ |",
    ],
    [
      "facts of a list",
      "| API | Description | Auth | HTTPS | CORS |\n|-|-|-|-|-|\n| A | all about kites and the wind that carries them | No | Yes | No |\n| B | all about sails and the wind that carries them | apiKey | Yes | Unknown |\n| C | all about wings and the wind that carries them | No | No | Yes |",
    ],
    [
      "flags, each of its own column",
      "Key:\n\n- ✅ in the recommended set\n- 🔧 mends itself\n- 💡 gives a hint\n\n| Rule | ✅ | 🔧 | 💡 |\n|-|-|-|-|\n| knots | ✅ | 🔧 | |\n| lines | | 🔧 | 💡 |\n| tails | ✅ | | 💡 |\n| bows | ✅ | 🔧 | |",
    ],
    [
      "sections that are no radar",
      "## Watch\n\n- [A](https://a.example.org)\n- B\n\n## Use\n\n- C\n- D\n\n## Explore\n\n- E",
    ],
    ["one word", "| Kite | Day | Night |\n|-|-|-|\n| Box | Yes | Yes |\n| Delta | Yes | Yes |"],
    [
      "options of a program",
      "| Option | Sync | Async | Cached |\n|-|-|-|-|\n| `foo` | yes | no | no |\n| `bar` | no | no | yes |",
    ],
    ["sizes", "| Kite | S | M | L |\n|-|-|-|-|\n| Box | M | L | S |\n| Delta | S | M | L |"],
    ["letters", "| Name | Licence | Written in |\n|-|-|-|\n| a | MIT | C |\n| b | BSD | D |\n| c | MIT | C |"],
    ["counts", "| Level | COVERED | PARTIAL | GAP |\n|-|-|-|-|\n| 1 | 6 | 8 | 9 |\n| 2 | 2 | 5 | 9 |"],
    ["advice", "- ✅ Fly high\n- ✅ Fly far\n- ❌ Fly low\n- ❌ Fly near wires"],
    ["tasks", "- [x] Fly\n- [ ] Land\n- [x] Pack"],
    [
      "what settings do, by letters",
      "| Setting | Sail | Tail | Line |\n|-|-|-|-|\n| `fold: no` | X | X | X |\n| `show: no` | X | | X |\n| `wind: no` | | | X |\n| `bow: no` | | X | |",
    ],
    [
      "marks for the origin of something",
      "| Kite | What | Source |\n|-|-|-|\n| Box | x | ★ |\n| Delta | y | ★★ |\n| Sled | z | ★ |\n| Arch | u | ★★ |",
    ],
    [
      "examples in code, by yes, no and none",
      "| Id | Known | Valid? |\n|-|-|-|\n| `a.example` | none | **Yes**, exact |\n| `b.example` | none | **Yes**, same |\n| `c.example` | none | **No**, other |\n| `d.example` | Yes: x | **Yes**, listed |",
    ],
    ["a plan", "## Phase 1: Set up\n\n- Buy wood\n- Cut it\n\n## Phase 2: Fly\n\n- Go out\n- Let go"],
    [
      "a log of changes",
      "## 1.1\n\n### Added\n\n- Tail\n\n### Deprecated\n\n- Line\n\n### Removed\n\n- Paint\n\n### Fixed\n\n- Knot",
    ],
    ["who pays", "## Sponsors\n\n### Tier 1\n\n- Acme\n- Bolt\n\n### Tier 2\n\n- Cork\n- Dent"],
    [
      "a schedule",
      "| Task | Q1 2025 | Q2 2025 | Q3 2025 |\n|-|-|-|-|\n| a | x | | |\n| b | | x | x |\n| c | | | x |\n| d | x | | |",
    ],
    [
      "two words",
      "| Channel | Mode |\n|-|-|\n| experimental | full |\n| experimental | full |\n| experimental | full |",
    ],
    [
      "a legend beside words of its own",
      "| Severity | Icon | Meaning |\n|-|-|-|\n| TORN | 🔴 | It cannot fly, and must be mended first |\n| WORN | 🟠 | It may fly, and should be mended soon |\n| USED | 🟡 | It flies, and nothing must be done about it |",
    ],
    [
      "properties by marks that a legend explains",
      "| Name | Kind | Moves |\n|-|-|-|\n| Box | fixed | 🛑 |\n| Delta | free | 💵 |\n| Sled | free | 🛑 |\n| Arch | free | 🛑 |\n\n| Symbol | Meaning |\n|-|-|\n| 🛑 | It can move the line |\n| 💵 | It takes money with it |",
    ],
    [
      "what follows from levels",
      "| Wind | Gain | Verdict |\n|-|-|-|\n| High | High | High |\n| High | Low | Medium |\n| Low | High | Medium |\n| Low | Low | Low |",
    ],
    [
      "what is there when",
      "| Line | reel.held() | reel.full() | Calls |\n|-|-|-|-|\n| absent | n/a | n/a | `start()` |\n| present | true | true | `hold()` |\n| present | true | false | `wind()` |\n| present | false | true | `stop()` |",
    ],
    [
      "output of a program, with an example",
      "| Name | Tells | Example |\n|-|-|-|\n| `kite.kind` | Value of `--kind` | stable |\n| `kite.tail` | `true` if `--tail` is there | true |\n| `kite.reel` | `true` if `--reel` is there | true |\n| `kite.sail` | `true` if `--sail` is there | false |\n| `kite.line` | `true` if `--line` is there | true |\n| `kite.bow` | `true` if `--bow` is there | true |",
    ],
    [
      "parts of a version",
      "Levels:\n\n- Patch: mends what is torn\n- Minor: adds a part\n- Major: is another kite\n\n| Kind | How often | Before it |\n|-|-|-|\n| Patch | Weekly | None |\n| Minor | Monthly | A test |\n| Major | Yearly | A year of tests |",
    ],
    [
      "two rows of many that hold words of a scale",
      "| Rank | Called | Number | Told as |\n|-|-|-|-|\n| 1 | CRITICAL | 21 | CRITICAL |\n| 2 | ERROR | 17 | ERROR |\n| 3 | WARNING | 13 | WARNING |\n| 4 | INFO | 9 | INFO |\n| 5 | VERBOSE | 5 | DEBUG |",
    ],
    [
      "when it is to come",
      "| Part | Phase 1 | Phase 2 | Future |\n|-|-|-|-|\n| Frame | x | | |\n| Sail | x | x | |\n| Reel | | x | |\n| Lamp | | | x |\n| Line | x | x | |",
    ],
    [
      "headings that are a legend",
      "## Legend\n\n- ✅ allowed\n- ❌ banned\n- ⚠️ rarely\n- 🔨 fined\n\n## ✅ Allowed\n\nFly.\n\n## ❌ Banned\n\nDive.\n\n## ⚠️ With care\n\nLoop.\n\n## 🔨 Fined\n\nCut lines.\n\n## 🔨 And lies\n\nTell none.",
    ],
    [
      "which level of another scale each is",
      "| Told as | Here |\n|-|-|\n| Low | Low |\n| Moderate | Medium |\n| Important | High |\n| Critical | Critical |",
    ],
    [
      "which figures each is",
      "| Score | Severity |\n|-|-|\n| 0.1–3.9 | Low |\n| 4.0–6.9 | Medium |\n| 7.0–10 | High |",
    ],
    ["who made it", "- Box (Official)\n- Delta (Official)\n- Sled (Community)\n- Arch (Community)"],
    ["functions", "## sign(x)\n\n## abs(x)\n\n## sum(x)\n\n## gc(full)"],
    [
      "where each command writes",
      "| Command | Out | Error |\n|-|-|-|\n| `fly` | Pipe | Screen |\n| `land` | Screen | Screen |\n| `fold` | Pipe | Pipe |\n| `dive` | Screen | Pipe |",
    ],
    [
      "what holds by default",
      "| Stage | Default state | How to change |\n|-|-|-|\n| Alpha | Disabled | Turn it on |\n| Beta | Enabled (from 1.9) | Turn it off |\n| GA | Always enabled | Cannot be turned off |",
    ],
    [
      "nothing of anything",
      "| Kites | Phase 1 | Later |\n|-|-|-|\n| Tails | None | 4 of silk |\n| Reels | None | 1 of wood |\n| Lines | Disabled | 3 of hemp |\n| Bows | None | 2 of paper |",
    ],
    [
      "what is asked of each stage",
      "## Alpha\n\n- The kite has a name\n- The kite may fall down\n\n## Stable\n\n- The kite flies in any wind\n- The kite has been tried by others",
    ],
    ["boxes of a list of tasks", "- [x] Fly — done\n- [ ] Land — planned\n- [x] Fold — done\n- [ ] Dive — planned"],
    ["somebody's work", "- Fly: done\n- Land: planned\n- Fold: done\n- Dive: in progress"],
    [
      "settings to choose",
      "- Lamp at the door: **Disabled**\n- Bell: **Enabled**\n- Lock at night: **Enabled**\n- Alarm by day: **Disabled**",
    ],
    [
      "letters by which a program calls its choices",
      "| Kite | Line | Knot | Tail |\n|-|-|-|-|\n| box | None | x | silk |\n| delta | None | q | hemp |\n| sled | x | None | silk |\n| arch | None | x | silk |\n| bow | y | t | hemp |",
    ],
    [
      "unknowns of an equation",
      "| | X (calm) | Y (windy) | Z (storm) |\n|-|-|-|-|\n| box | X; 200 m | X; 200 m, 4 knots | X; 200 m |\n| delta | Y; 5 m | Y; 200 m | Y; 15 knots |\n| sled | Z; 5 m | Z; 20 m | Z; 200 m |",
    ],
    [
      "what is asked of a kite before it is stable",
      "## Graduation criteria\n\n### Alpha\n\n- Name\n\n### Stable\n\n- Tail of silk\n- Two lines\n- No falls",
    ],
    ["settings of a kite", "- hostLine: true\n- hostTail: true\n- hostBow: true\n- restart: Never"],
    [
      "since when there is something, in Chinese",
      "| 选项 | 要求 | 是否可以被转发<br>从 1.15 开始支持 | 类型 |\n|-|-|-|-|\n| 线 | 必选 | 否 | 长 |\n| 尾 | 可选 | 是 | 短 |\n| 弓 | 可选 | 是 | 短 |",
    ],
    ["as many marks as things", "- 🟥 Cut\n- 🟧 Fold\n- 🟨 Glue\n- 🟩 Paint"],
    [
      "what each offers",
      "| Shop | Kites | Lines | Repairs |\n|-|-|-|-|\n| a | Yes | No | Yes |\n| b | No | Yes | Yes |\n| c | Yes | Yes | No |",
    ],
    [
      "who is who",
      "| Name | Pilot | Owner | Guest |\n|-|-|-|-|\n| Mona | Yes | No | No |\n| Lisa | No | Yes | No |\n| Hugo | Yes | Yes | No |",
    ],
    ["changes below a version", "# Changelog\n\n## 2.0\n\n### Deprecated\n\n- a\n- b\n\n### Experimental\n\n- c\n- d"],
    ["advice in headings", "## Recommended: scripts\n\n### First\n\n### Then\n\n## Legacy: by hand\n\n### Build"],
    [
      "how a level follows from two others",
      "| Severity | Impact: High | Impact: Medium | Impact: Low |\n|-|-|-|-|\n| **Likelihood: High** | Critical | High | Medium |\n| **Likelihood: Medium** | High | Medium | Low |\n| **Likelihood: Low** | Medium | Low | Low |",
    ],
    [
      "how a level follows from two others, in words of its own",
      "<table><tr><th colspan=2 rowspan=2>Matrix</th><th colspan=3>Impact</th></tr><tr><th>Minor</th><th>Moderate</th><th>Severe</th></tr><tr><th rowspan=3>Likelihood</th><th>Rare</th><td>Low</td><td>Low</td><td>Medium</td></tr><tr><th>Possible</th><td>Low</td><td>Medium</td><td>High</td></tr><tr><th>Almost certain</th><td>Medium</td><td>High</td><td>Critical</td></tr></table>",
    ],
    [
      "which thing has to do with which other one",
      "| | Box | Delta | Sled | Arch |\n|-|-|-|-|-|\n| Box | | X | | X |\n| Delta | X | | | X |\n| Sled | | | | X |\n| Arch | X | X | | |",
    ],
    ["how far a text is", "---\nstatus: draft\ntitle: Kites\n---\n\n# Kites\n\nSoon."],
    ["that a text is read again", "---\nstatus: review\ntitle: Kites\n---\n\n# Kites\n\nSoon."],
  ])("%s", (_, text) => {
    expect(ratedBy(`# T\n\n${text}\n\n[k](https://k.example.org/)`.replace(/^# T\n\n---/, "---")).ratings).toEqual({});
  });
});

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

describe("tables as others write them", () => {
  const count = (text: string, path?: string) => Object.keys(ratedBy(text, path).ratings).length;

  test("yes and no of two compared columns", () => {
    const head = "| Feature | Kite | Owl |\n|---|---|---|\n";
    expect(count(`${head}| Dashboard | Yes | No |\n| Groups | Yes | Yes |\n| Changelog | No | Yes |`)).toBe(6);
    expect(count(`${head}| Dashboard | Yes, with a plugin | No |\n| Groups | Yes | Yes |\n| Log | No | Yes |`)).toBe(6);
    expect(count(`${head.replace("Feature", "Parameter")}| a | Yes | No |\n| b | Yes | Yes |\n| c | No | Yes |`)).toBe(
      0,
    );
  });

  test("a table at the best level beside one with the same columns that rates", () => {
    const rated = "| Format | Parse | Generate |\n|-|-|-|\n| Kite | ✅ | ✅ |\n| Owl | ✅ | ❌ |\n| Fox | ✅ | ✅ |";
    const green = "| Name | Parse | Generate |\n|-|-|-|\n| Aa | ✅ | ✅ |\n| Bb | ✅ | ✅ |";
    expect(count(`${rated}\n\n### Names\n\n${green}`)).toBe(10);
    expect(count(green)).toBe(0);
  });

  test("a table about one of the compared things", () => {
    const rated = "| Feature | Kite | Owl |\n|-|-|-|\n| Parse | ✅ | ✅ |\n| Generate | ✅ | ❌ |";
    const one =
      "| Feature | Owl | Notes |\n|-|-|-|\n| Publish | ✅ | It can publish to all of the indexes |\n| Lock | ✅ | It writes locks |";
    expect(count(`${rated}\n\n${one}`)).toBe(6);
  });

  test("a comparison of properties with few levels is no rating", () => {
    const rows = [
      "Cost | Free | $6",
      "Privacy | Complete | In the cloud",
      "Quality | Excellent (as there) | Excellent",
    ];
    const others = [
      "Set-up | Moderate effort | A key",
      "Offline | Yes | No",
      "Languages | 99+ | 99+",
      "Speed | It depends | Usually faster",
    ];
    expect(
      ratedBy(`# T\n\n| Aspect | Here | There |\n|-|-|-|\n| ${[...rows, ...others].join(" |\n| ")} |`).ratings,
    ).toEqual({});
  });

  test("a column with one row for each level, in order, defines the levels", () => {
    const rows = ["Critical | Outage", "Major | Slow", "Significant | Slow at times", "Minor | Harmless"];
    const table = (cells: readonly string[]) =>
      `| Class | Type | Example |\n|-|-|-|\n${cells.map((cell, i) => `| P${i} | ${cell} |`).join("\n")}`;
    expect(ratedBy(`# Incidents\n\n${table(rows)}`).ratings).toEqual({});
    expect(Object.keys(ratedBy(`# Incidents\n\n${table([...rows, "Major | Slow again"])}`).ratings)).toHaveLength(4);
  });

  test("a legend of two marks that cells use, with any heading", () => {
    const table = "| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ | 📋 |\n| Delta | 📋 | ✅ |\n| Sled | ✅ | 📋 |";
    for (const legend of ["✅ Available · 📋 Planned", "✅ = Available, 📋 = Planned", "- ✅ Available\n- 📋 Planned"])
      expect(ratedBy(`${legend}\n\n${table}`)).toMatchObject({ levels: ["📋", "✅"] });
  });

  test("marks behind the items of a list, by names of emoji that a legend explains", () => {
    const text =
      ":kite: - Active development\n:rock: - Unmaintained\n\n- Box :kite:\n- Delta :rock:\n- Sled :kite:\n- Arch :rock:\n- Fox :kite:\n- Owl :rock:";
    expect(ratedBy(text)).toMatchObject({ levels: [":rock:", ":kite:"], ratings: { Box: ":kite:", Owl: ":rock:" } });
    expect(count("- Box :kite:\n- Delta :rock:\n- Sled :kite:\n- Arch :rock:\n- Fox :kite:\n- Owl :rock:")).toBe(0);
  });

  test("one mark in most cells, and N/A in the others, but not below names of code", () => {
    const rows =
      "| Linux | ✅ Fast | ✅ | N/A | ✅ |\n| Mac | ✅ | N/A | ✅ | ✅ |\n| Web | ✅ | ✅ | ✅ | ✅ |\n| Phone | ✅ | ✅ | ✅ | ✅ |";
    expect(count(`| | Kite | Owl | Fox | Elm |\n|-|-|-|-|-|\n${rows}`)).toBe(14);
    expect(count(`| | \`kite\` | \`owl\` | \`fox\` | \`elm\` |\n|-|-|-|-|-|\n${rows}`)).toBe(0);
  });

  test("a csv-table with its own delimiter, and links in its cells", () => {
    const text =
      '```{csv-table}\n:header: Feature|Kite|Owl\n:delim: "|"\n\nParse| ✅ |✖\n[Lock](https://kite.example.org/lock)|✖|✅\n```';
    expect(ratedBy(text).ratings).toMatchObject({ "Parse | Kite": "✅", "Lock | Owl": "✅" });
  });

  test("a tooltip is no part of its cell", () => {
    const cell = (text: string, tip: string) =>
      `<td class="tooltip">${text}<span class="tooltiptext">${tip}</span></td>`;
    const row = (name: string, text: string) => `<tr>${cell(name, "long name")}${cell(text, "but")}<td>No</td></tr>`;
    const text = `<table><tr><th>Feature</th><th>Kite</th><th>Owl</th></tr>${row("E2E", "Yes")}${row("TLS", "No")}</table>`;
    expect(ratedBy(text, "a.html").ratings).toEqual({
      "E2E | Kite": "Yes",
      "E2E | Owl": "No",
      "TLS | Kite": "No",
      "TLS | Owl": "No",
    });
  });

  test("a legend explains signs that are blank elsewhere", () => {
    const text = `| Key | Meaning |
| --- | --- |
| ✓ | implemented |
| / | partial support |
| ✘ | not implemented |
| ? | unknown |

| Feature | Kite | Owl |
| --- | --- | --- |
| TLS | ✓ | / |
| LDAP | ✘ | ? |
| Chat | ✓ | ✘ |`;
    expect(ratedBy(text)).toEqual({
      levels: ["✘", "/", "✓"],
      ratings: { "TLS | Kite": "✓", "TLS | Owl": "/", "LDAP | Kite": "✘", "Chat | Kite": "✓", "Chat | Owl": "✘" },
    });
  });

  test("two tables of the same things below different headings rate both", () => {
    const table = "| Element | Support |\n|-|-|\n| Links | ✔ |\n| Images | ❌ |\n| Tables | ✔ |";
    const twice = ratedBy(`# Markup\n\n## Kite\n\n${table}\n\n## Owl\n\n${table}\n\n## Owl\n\n${table}`);
    expect(Object.keys(twice.ratings)).toEqual([
      "Links",
      "Images",
      "Tables",
      "Owl: Links",
      "Owl: Images",
      "Owl: Tables",
    ]);
  });

  test("of two scales, a table rates by the one that is announced as a judgement", () => {
    const text = `| Kite | Komplexität | Empfehlung |
| --- | --- | --- |
| Box | Niedrig | ⭐⭐⭐ |
| Sled | Hoch | ⭐⭐⭐⭐ |
| Delta | Mittel | ⭐⭐⭐⭐⭐ |`;
    expect(Object.keys(ratedBy(text).ratings)).toEqual(["Box", "Sled", "Delta"].map((kite) => `${kite} | Empfehlung`));
  });

  test.each([
    ["Portuguese", "Funcionalidade", "Sim", "Não"],
    ["Russian", "Возможность", "Да", "Нет"],
    ["Italian", "Caratteristica", "Sì", "No"],
    ["Dutch", "Functie", "Ja", "Nee"],
    ["Polish", "Funkcja", "Tak", "Nie"],
  ])("yes and no judge below a criterion in %s", (_, criterion, yes, no) => {
    const text = `| ${criterion} | Kite | Owl |\n|-|-|-|\n| A | ${yes} | ${no} |\n| B | ${no} | ${no} |\n| C | ${yes} | ${yes} |`;
    expect(Object.values(ratedBy(text).ratings)).toEqual([yes, no, no, no, yes, yes]);
  });

  test("the colour of an icon, and the word next to a mark, may say partial", () => {
    const text =
      "| F | Kite | Owl |\n|-|-|-|\n| a | :material-check-all:{.green} Yes | :material-check:{.yellow} Bundled |\n| b | :material-check:{.yellow} Some | :material-close:{.red} No |";
    expect(Object.values(ratedBy(text).ratings)).toEqual(["✓", "🟡", "🟡", "✗"]);
    const circles =
      "| F | Kite | Owl |\n|-|-|-|\n| a | :fontawesome-solid-check:{: .green } | :fontawesome-solid-circle:{: .yellow }[^1] |\n| b | :fontawesome-solid-circle:{: .red } | :fontawesome-solid-circle:{: .green } |\n\n[^1]: Later.";
    expect(Object.values(ratedBy(circles).ratings)).toEqual(["✓", "🟡", "🔴", "🟢"]);
    const words = "| F | Kite | Owl |\n|-|-|-|\n| a | ✓ | ✓ Partial |\n| b | ✓ | ✗ |";
    expect(ratedBy(words).levels).toEqual(["✗", "Partial", "✓"]);
  });

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

  test("scores of 0 and 1 with a reason, but no other columns of 0 and 1", () => {
    const reasons = ["The documentation says so in its guide", "Nothing at all is written about it"];
    const rows = [1, 0, 1, 0].map((score, i) => `| Kite ${i} | ${score} | ${reasons[score]} |`).join("\n");
    expect(ratedBy(`| Question | Score | Reason |\n|-|-|-|\n${rows}`).levels).toEqual(["0", "1"]);
    expect(count(`| Question | Tails | Reason |\n|-|-|-|\n${rows}`)).toBe(0);
  });

  test("a table of 70 columns", () => {
    const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    const columns = Array.from({ length: 70 }, (_, i) => `B${i}`);
    const row = (name: string) => line([name, ...columns.map((_, i) => (i % 3 ? "✅" : "❌"))]);
    const text = [line(["Engine", ...columns]), line(["-", ...columns.map(() => "-")]), row("Kite"), row("Owl")].join(
      "\n",
    );
    expect(count(text)).toBe(140);
  });

  test("a row that is short of cells is not rated", () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    const head = "<tr><th>Engine</th><th>Kite 1</th><th>Kite 2</th><th>Owl</th></tr>";
    const text = `<table>${head}${row("a", "✅", "❌", "✅")}${row("b", "❌", "✅")}${row("c", "❌", "✅", "✅")}</table>`;
    expect(Object.keys(ratedBy(text, "a.html").ratings).filter((name) => name.startsWith("b"))).toEqual([]);
    expect(count(text, "a.html")).toBe(6);
  });

  test("a report in two languages has one level for yes, and one for no", () => {
    const table = (feature: string, yes: string, no: string) =>
      `| ${feature} | Kite | Owl | Fox |\n|-|-|-|-|\n| A ${feature} | ${yes} | ${no} | ${yes} |\n| B ${feature} | ${no} | ${yes} | ${no} |\n`;
    expect(ratedBy(`${table("Feature", "Yes", "No")}\n${table("Merkmal", "Ja", "Nein")}`)).toMatchObject({
      levels: ["No", "Yes"],
      ratings: { "A Feature | Kite": "Yes", "A Merkmal | Kite": "Yes", "B Merkmal | Kite": "No" },
    });
  });

  test("a legend that lists a partial mark among others, and a table with more columns than its rows have cells", () => {
    const row = (name: string, ...marks: readonly string[]) =>
      `<tr><td>${name}</td>${marks.map((mark) => `<td>${mark}</td>`).join("")}</tr>`;
    const rows = [row("Box", "✔", "●"), row("Delta", "✖", "✔"), row("Sled", "✖", "✔", ""), row("Arch", "●", "✖")];
    const table = `<table><tr><th></th><th>Day</th><th>Night</th></tr>${rows.join("")}</table>`;
    const { levels, ratings } = ratedBy(`# T\n\n- ✔ Supported\n- ● Partially supported\n- ✖ Not supported\n\n${table}`);
    expect(levels).toEqual(["✖", "●", "✔"]);
    expect(Object.keys(ratings)).toHaveLength(8);
  });

  test("a legend that contradicts its table leaves the order open", () => {
    const table = "| Kite | Day | Night |\n|-|-|-|\n| Box | ✅ | ❌ |\n| Delta | ❌ | ✅ |";
    const unplaced = (text: string) =>
      draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.found.unplaced;
    expect(unplaced(`# Kites\n\nLegend: ✅ not supported, ❌ supported\n\n${table}`)).toEqual(["✅", "❌"]);
    expect(unplaced(`# Kites\n\nLegend: ✅ supported, ❌ not supported\n\n${table}`)).toEqual([]);
  });

  test("a table of 400 rows and 200 columns is drafted in part, and the draft says so", () => {
    const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    const columns = Array.from({ length: 200 }, (_, i) => `B${i}`);
    const rows = Array.from({ length: 400 }, (_, r) =>
      line([`Row ${r}`, ...columns.map((_, i) => ((i + r) % 3 ? "✅" : "❌"))]),
    );
    const text = [line(["Engine", ...columns]), line(["-", ...columns.map(() => "-")]), ...rows].join("\n");
    const found = draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.found;
    expect(found).toMatchObject({ ratings: 3_000, cut: true });
  });
});
