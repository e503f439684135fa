import { describe, expect, test } from "vitest";
import type { Block } from "../../src/model/reading.ts";
import { blocksOfMarkdown, blocksOfMarkdownFile } from "../../src/read/text/markdown.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";

const said = (blocks: readonly Block[]) => blocks.map(({ kind, text }) => `${kind}: ${text}`);
const texts = (markdown: string) => said(blocksOfMarkdown(markdown));
const textsOfFile = async (markdown: string) => said(await blocksOfMarkdownFile(markdown));

describe("Markdown", () => {
  test("fences of MyST hold Markdown, code or a list of documents, or nothing to show", () => {
    expect(
      texts(
        "```{note} Mind\n:class: x\n\n- a\n```\n\n```{toctree}\n:maxdepth: 1\nb\n```\n\n```{image} c.png\n```\n\n```{code-block} bash\nrun\n```",
      ),
    ).toEqual(["quote: Mind", "item: a", "item: b", "code: run"]);
    expect(texts("```{eval-rst}\n.. tip:: *a*\n```")).toEqual(["quote: a"]);
  });

  test("directives of MyST are no text, unless they are in code", () => {
    expect(texts("(top)=\n# A\n\n% hidden\n\n::::{tab-set}\n:::{tab-item} Linux\n:sync: l\n\nb\n:::\n::::")).toEqual([
      "heading: A",
      "paragraph: Linux",
      "paragraph: b",
    ]);
    expect(texts("% hidden\n\n~~~\n% shown\n:::\n~~~")).toEqual(["code: % shown :::"]);
  });

  test("indented tags within HTML are no code, and behind it they are", () => {
    const html =
      '<div class="row">\n\n    <div>\n\n        <h2>Kites</h2>\n        <p>Fly.</p>\n\n    </div>\n\n</div>\n';
    expect(texts(`${html}\nAs in:\n\n    <p>a</p>\n`)).toEqual([
      "heading: Kites",
      "paragraph: Fly.",
      "paragraph: As in:",
      "code: <p>a</p>",
    ]);
  });

  test("attributes of pandoc behind colons are no text, but for a title", () => {
    expect(texts('::: {.task-list}\n- [x] a\n:::\n\n::: {.callout title="b"}\nc\n:::\n')).toEqual([
      "item: [x] a",
      "paragraph: b",
      "paragraph: c",
    ]);
  });

  test("a component with attributes and its text on one line shows the text", () => {
    expect(texts('<Tabs>\n<Note kind="a">b</Note>\n<Tab on={() => c} title="d">\n\ne\n\n</Tab>\n</Tabs>\n')).toEqual([
      'paragraph: <Note kind="a">b</Note>',
      "paragraph: d",
      "paragraph: e",
    ]);
  });

  test("a block that is no front matter is text", async () => {
    expect(await textsOfFile("---\na\n")).toEqual(["paragraph: a"]);
    expect(await textsOfFile("---\na: 1\n---more\n")).toEqual(["paragraph: a: 1 ---more"]);
    expect(await textsOfFile("---\na: 1\n---\nb")).toEqual(["value: a: 1", "paragraph: b"]);
  });

  test("components of MDX show their text and their titles", () => {
    const shown = ["paragraph: Install", "paragraph: See a.", "paragraph: Note b.", "item: c", "code: <Tip>"];
    expect(
      texts(
        '<Steps>\n  <Step title="Install" icon="x">\n    See [a](/a).\n    <Tip>\n      Note [b](/b).{/* min: 2 */}\n    </Tip>\n\n    * c\n\n    ```\n    <Tip>\n    ```\n  </Step>\n  <Card href="/d" />\n</Steps>',
      ),
    ).toEqual(shown);
    expect(texts("<TABLE>\n<TR><TD>a</TD><TD>b</TD></TR>\n</TABLE>\n\n<Tip>\nc\n</Tip>")).toEqual([
      "row: a | b",
      "paragraph: c",
    ]);
    expect(texts('<Tab label="Manual">\n\n```json title="mill.json" ins={4}\n{}\n```\n\n</Tab>')).toEqual([
      "paragraph: Manual",
      "paragraph: mill.json",
      "code: {}",
    ]);
    expect(texts("* a\n\n  <Tip>\n    * b\n  </Tip>\n\n  c")).toEqual(["item: a", "item: b", "item: c"]);
  });

  test("anchors in headings, links around lost pictures and comments of front matter show nothing", async () => {
    expect(
      await textsOfFile(
        "---\n# SPDX: 2024\nlicense: mit # free\n---\n## [](#a-b)A [](#c)\n\n[](https://a.example/logo) [](/shop/kites) d [](e.md#f)",
      ),
    ).toEqual(["value: license: mit", "heading: A", "paragraph: d e"]);
  });

  test("front matter is read without times of day and pictures", async () => {
    const shown = ["version: 2", "effective: 2026-03-01", "price: $3", "picture: see a.png", "license: mit"];
    const silent = ['update_time: "2026-03-01T21:33:37Z"', "date: 2026-03-01 10:00 +0800", "share-img: /a/b.png"];
    const front = (fields: readonly string[]) => textsOfFile(`---\r\n${fields.join("\r\n")}\r\n---\r\na`);
    expect(await front([...silent, ...shown, ...silent])).toEqual(await front(shown));
    expect(await front(shown)).toHaveLength(shown.length + 1);
  });

  test("HTML that is cut by empty lines is one table", () => {
    expect(texts("<table>\n<tr><th>a</th><th>b</th></tr>\n\n<tr>\n\n<td>1</td>\n\n<td>2</td></tr>\n</table>")).toEqual([
      "row: a | b",
      "row: 1 | 2",
    ]);
    expect(texts("<table>\n\t<tr><th>a</th></tr>\n\n    <tr><td>1</td></tr>\n</table>\n\n    <tr>")).toEqual([
      ...["row: a", "row: 1", "code: <tr>"],
    ]);
    expect(texts("`<table>` is a tag.\n\n    code()\n")).toEqual(["paragraph: <table> is a tag.", "code: code()"]);
  });

  test("an address is no markup, but its entities and escapes are read", () => {
    const odd = "https://a.example/w/__init__.py";
    expect(texts(`see ${odd}, **${odd}** and *see ${odd}*.`)).toEqual([
      `paragraph: see ${odd}, ${odd} and see ${odd}.`,
    ]);
    expect(texts("https://a.example/?b=_c_&amp;d=*e*, https://a.example/f\\_g [*h*](https://a.example/_i_)")).toEqual([
      "paragraph: https://a.example/?b=_c_&d=*e*, https://a.example/f_g h",
    ]);
    expect(texts("见https://a.example/b[*c*](https://a.example/d)。")).toEqual(["paragraph: 见https://a.example/bc。"]);
  });

  test("is read in time that grows with the number of its addresses alone", () => {
    for (const one of ["http://]", "http://", "http://a[", "http://(*", "[http://a](", "*http://a*"]) {
      const from = processorTime();
      blocksOfMarkdown(one.repeat(5_000));
      expectTime(processorTime() - from, 2_000, one);
    }
  });
});
