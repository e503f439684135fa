import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editLink, editSentence, linesLike, sentencePlace } from "../../../src/report/edit/edit-sentence.ts";

const price = { old: "$29", now: "$39" };
const says = "The Team plan costs $29 per month";
const edited = (text: string, path = "README.md", figure = price, sentence = says) =>
  editSentence(path, text, sentence, figure);

test("other lines with the same figure and words of the sentence are named", () => {
  const text = `# A\n\n${says}.\n\nFor $29 a team can have it.\nA kite is $29.\n\`\`\`\nTeam $29\n\`\`\`\nThe Team plan is dear.\n`;
  expect(linesLike({ path: "README.md", text }, says, price, [{ line: 3, text: says }])).toEqual([5]);
  expect(linesLike({ path: "README.md", text }, says, price, [{ line: 3, text: "The\n\nFor" }])).toEqual([]);
});

describe("the figure of a sentence", () => {
  test.each([
    ["a line", "# A\n\nThe Team plan costs $29 per month [2].\n"],
    ["marks and a link", "The [Team plan](https://a.example/$29) costs **$29** per month [2]."],
    ["a paragraph of several lines", "Also: the Team\nplan costs $29\nper month [^2]."],
    ["CR LF", "a\r\nThe Team plan costs $29 per month.\r\nb\r\n"],
    ["a row of a table", "| plan | price |\n|---|---|\n| Team | The Team plan costs $29 per month [2] |\n"],
  ])("is replaced in %s, and nothing else", (_, text) => {
    const at = text.indexOf("$29", text.includes("](") ? text.indexOf("**") : 0);
    expect(edited(text)).toMatchObject({ text: `${text.slice(0, at)}$39${text.slice(at + 3)}` });
  });

  test.each([
    ["README.md", "[^prices]"],
    ["README.md", " [@tidewell, p. 3]"],
    ["README.md", "<sup>2</sup>"],
    ["README.md", " [\\[2\\]](#ref-2)"],
    ["index.html", "<sup><a href='#r2'>2</a></sup>"],
    ["report.rst", " [#prices]_"],
    ["report.adoc", "footnote:[Prices of 2026, see https://a.example[Tidewell].]"],
    ["report.adoc", " <<prices>>"],
    ["report.adoc", " cite:[prices(3)]"],
    ["report.wiki", '<ref name="prices">[https://a.example/ Prices], 2026</ref>'],
  ])("is replaced in a sentence of %s that cites in its middle: %s", (path, mark) => {
    const sentence = (cost: string) => `The Team plan costs ${cost}${mark} per month${mark}.`;
    expect(edited(sentence("$29"), path)).toMatchObject({ text: sentence("$39") });
  });

  test.each([
    ["report.adoc", "https://a.example/team[Team plan]"],
    ["report.wiki", "[https://a.example/team Team plan]"],
    ["report.org", "[[https://a.example/team][Team plan]]"],
  ])("is replaced in a sentence of %s with the link %s", (path, link) => {
    expect(edited(`The ${link} costs $29 per month.`, path)).toMatchObject({
      text: `The ${link} costs $39 per month.`,
    });
  });

  test("is replaced in HTML, and in a notebook", () => {
    expect(edited("<p>The <b>Team plan</b> costs\n$29 per month</p>", "index.html")).toMatchObject({
      text: "<p>The <b>Team plan</b> costs\n$39 per month</p>",
      places: [{ line: 1, text: "The <b>Team plan</b> costs\n$29 per month" }],
    });
    const notebook = '{"source": ["The Team plan\\n",\n "costs $29 per month."]}';
    expect(edited(notebook, "a.ipynb")).toMatchObject({ text: notebook.replace("$29", "$39") });
  });

  test("is not replaced in code, or in what HTML does not show", () => {
    const code = `<pre>${says}</pre><script>"${says}"</script><style>/* ${says} */</style><!-- ${says} -->`;
    expect(edited(`${code}<p>${says}</p>`, "a.html")).toMatchObject({
      text: `${code}<p>${says.replace("$29", "$39")}</p>`,
      places: [{ line: 1 }],
    });
    const cell = (type: string) => `{"cell_type": "${type}", "source": ["${says}"]}`;
    expect(edited(["code", "markdown", "raw"].map(cell).join(), "a.ipynb")).toMatchObject({
      text: ["code", "markdown", "raw"]
        .map((type) => (type === "markdown" ? cell(type).replace("$29", "$39") : cell(type)))
        .join(),
    });
  });

  test("keeps the spelling of the report if only the number changed", () => {
    const memory = { old: "128GB", now: "192GB" };
    const sentence = "M5 Max has up to 128 GB of memory";
    expect(edited(`${sentence}.`, "a.md", memory, sentence)).toMatchObject({
      text: "M5 Max has up to 192 GB of memory.",
    });
    const larger = { old: "128GB", now: "1TB" };
    expect(edited(sentence, "a.md", larger, sentence)).toMatchObject({ text: "M5 Max has up to 1TB of memory" });
  });

  test("is replaced at each place of a sentence that is there twice", () => {
    expect(edited(`${says}.\n\nAgain: ${says.toLowerCase()}.\n`)).toMatchObject({ places: [{ line: 1 }, { line: 3 }] });
    expect(edited(`${says}.\n`.repeat(6))).toEqual({ says: "6 sentences have the words of the claim" });
  });

  test("is not replaced if the report has changed, or has it in code only", () => {
    const says = "no sentence of `README.md` has the words of the claim";
    expect(edited("The Team plan costs $29 per year.")).toEqual({ says });
    expect(edited("```\nThe Team plan costs $29 per month\n```\n")).toEqual({ says });
    expect(edited("The Team plan costs $39 per month.")).toMatchObject({ places: [] });
  });

  test("is not replaced if the sentence has it twice, or not at all", () => {
    const because = { says: "the sentence does not have the figure exactly once" };
    const twice = "$29 for one, $29 for two";
    expect(edited(twice, "a.md", price, twice)).toEqual(because);
    expect(edited("Cheap", "a.md", price, "Cheap")).toEqual(because);
  });

  test("leaves every other character, with any text around", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (above, below) => {
        const text = `${above}\n\n${says}\n\n${below}`;
        const edit = edited(text);
        if ("says" in edit || edit.places.length !== 1) return;
        expect(edit.text).toBe(`${above}\n\n${says.replace("$29", "$39")}\n\n${below}`);
      }),
    );
  });
});

describe("the place of a sentence", () => {
  test("is the sentence, else the line with most of its words", () => {
    expect(sentencePlace("a.md", `# A\n\n${says} [2].`, says)).toEqual({ line: 3, text: says });
    expect(sentencePlace("a.md", "# A\n\nFor a month, the Team plan costs you $29.\n", says)).toEqual({
      line: 3,
      text: "For a month, the Team plan costs you $29.",
    });
    expect(sentencePlace("a.md", "# Team\n\nThe plan is to go.\n", says)).toBeUndefined();
  });
});

describe("a link to lines of code", () => {
  const [old, now] = ["#L1", "#L3-L5"].map((lines) => `https://github.com/marsh/woods/blob/main/a.ts${lines}`) as [
    string,
    string,
  ];
  const edited = (text: string) => editLink(text, { old, now });

  test("is replaced in all places, and no link to other lines is", () => {
    const other = `${old}2 and ${old}-L9`;
    const text = `# A\r\n\r\nSee [it](${old}) and ${other}.\r\n\r\n[1]: ${old}\r\n`;
    expect(edited(text)).toEqual({
      text: text.replaceAll(`${old})`, `${now})`).replace(`]: ${old}`, `]: ${now}`),
      places: [
        { line: 3, text: `See [it](${old}) and ${other}.`, after: `See [it](${now}) and ${other}.` },
        { line: 5, text: `[1]: ${old}`, after: `[1]: ${now}` },
      ],
    });
  });

  test("and not if it is only the beginning of another address, but with any fragment", () => {
    const [page, moved] = ["https://a.example/docs", "https://b.example/docs"];
    const others = ["/old", ".html", "?page=2", "s", "-2"].map((rest) => page + rest).join(" ");
    const edit = editLink(`${others} <${page}#install> ${page}.`, { old: page, now: moved });
    expect(edit).toMatchObject({ text: `${others} <${moved}#install> ${moved}.` });
  });

  test("that is corrected already needs nothing, and one that is not there says so", () => {
    expect(edited(`See ${now}.`)).toEqual({ text: `See ${now}.`, places: [] });
    expect(edited("See it.")).toEqual({ says: "the report does not write the link in this way" });
  });
});
