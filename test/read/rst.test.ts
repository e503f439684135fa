import { describe, expect, test } from "vitest";
import { blocksOfRst } from "../../src/read/text/rst.ts";

const texts = (rst: string) => blocksOfRst(rst).map(({ kind, text }) => `${kind}: ${text}`);

describe("reStructuredText", () => {
  test("takes the order in which underlines come for the depth of sections", () => {
    const blocks = blocksOfRst("Top\n***\n\nA\n---\n\na\n\nB\n~~~\n\nb\n\nC\n---\n\nc\n");
    expect(blocks.map(({ path, text }) => [...path, text].join(" > "))).toEqual([
      "Top",
      "Top > A",
      "Top > A > a",
      "Top > A > B",
      "Top > A > B > b",
      "Top > C",
      "Top > C > c",
    ]);
  });

  test("reads inline marks as their text", () => {
    const line =
      "``a`b`` **c** *d* :py:class:`~torch.nn.Linear` `e <https://x.example>`_ `f`__ g_ |h| i\\ s [#]_ 2*3 <t> _x `";
    expect(texts(line)).toEqual(["paragraph: a`b c d Linear e f g h is 2*3 <t> _x `"]);
  });

  test("knows which pieces of a text are code", () => {
    expect(blocksOfRst("Set ``gap[1]`` first.").map(({ code }) => code)).toEqual(["gap[1]"]);
  });

  test("directives show the functions and modules that they describe", () => {
    const rst =
      ".. currentmodule:: kite\n\n.. autosummary::\n   :toctree: made/\n   :nosignatures:\n\n   fly\n\n   land_now\n\n.. autoclass:: kite.Tail\n   :members:\n";
    expect(texts(rst)).toEqual(["item: fly", "item: land_now", "paragraph: kite.Tail"]);
  });

  test("an address is no markup", () => {
    const odd = "https://a.example/wiki/Kite_(toy)/_build_/x*y*z";
    expect(texts(`see ${odd}, *see* ${odd}`)).toEqual([`paragraph: see ${odd}, see ${odd}`]);
  });

  test("reads lists in lists, and all parts of an item", () => {
    expect(texts("1. one\n\n   more\n\n   - two\n\n     - three\n\n#. four\n")).toEqual([
      "item: one",
      "item: more",
      "item: two",
      "item: three",
      "item: four",
    ]);
  });

  test("reads fields, definitions, quotes, lines and literal blocks", () => {
    expect(
      texts(
        ":Date: today\n:orphan:\n\nterm\n   its meaning\n\n   quoted\n\n| a\n| b\n\ncode::\n\n  x = 1\n\n::\n\n  y\n",
      ),
    ).toEqual([
      "term: Date",
      "term: today",
      "term: term",
      "term: its meaning",
      "term: quoted",
      "paragraph: a",
      "paragraph: b",
      "paragraph: code:",
      "code: x = 1",
      "code: y",
    ]);
  });

  test("reads the tables of a compatibility matrix", () => {
    const matrix = [
      ...[
        ".. container:: wide",
        "",
        "  .. csv-table::",
        '      :header: "Stack", "6.3", "6.2"',
        "      :stub-columns: 1",
        "",
      ],
      ...['      :ref:`Systems <os>`,"A 24, B 9",B 9', '      :doc:`Torch <../torch>`,"2.4, 2.3",2.3', ""],
      ...[".. list-table::", "    :header-rows: 1", "", "    * - Tag", "      - Torch"],
      ...[
        "    * - .. raw:: html",
        "",
        '           <a href="https://x.example/?a=1"><i></i> stack/torch</a>',
        "      - 2.4",
      ],
    ].join("\n");
    expect(texts(matrix)).toEqual([
      "row: Stack | 6.3 | 6.2",
      "row: Systems | A 24, B 9 | B 9",
      "row: Torch | 2.4, 2.3 | 2.3",
      "row: Tag | Torch",
      "row: stack/torch | 2.4",
    ]);
  });

  test("reads grid and csv tables", () => {
    const grid = "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+\n";
    expect(texts(grid)).toEqual(["row: a | b", "row: 1 | 2 3"]);
    const spanning = [
      ...["+------+-------------+-----+", "| Kite | Sails       | Fee |", "|      +------+------+     |"],
      ...["|      | |a|  | two  |     |", "+======+======+======+=====+", "| Owl  | no   | yes  | 家  |"],
      ...["|      +------+------+-----+", "|      | a || b      | 4   |", "+------+-------------+-----+"],
    ].join("\n");
    expect(texts(spanning)).toEqual([
      "row: Kite | Sails | Fee",
      "row: a | two",
      "row: Owl | no | yes | 家",
      "row: a || b | 4",
    ]);
    expect(texts(".. list-table::\n\n   *\n     - a\n     - b\n   *\n     - 1\n     - 2\n")).toEqual([
      "row: a | b",
      "row: 1 | 2",
    ]);
    expect(texts('.. csv-table:: T\n   :header: "n", m\n\n   "x, ""y""", 3\n')).toEqual([
      "paragraph: T",
      "row: n | m",
      'row: x, "y" | 3',
    ]);
  });

  test("shows what directives hold, and nothing of those that steer", () => {
    const rst = [
      ".. toctree::\n   :maxdepth: 1\n   :caption: Start\n\n   a/b\n   C <d>\n",
      ".. warning::\n   :class: x\n\n   hot\n",
      ".. code-block:: bash\n   :caption: c\n\n   run it\n",
      ".. raw:: html\n\n   <p>raw <b>html</b></p>\n",
      ".. dropdown:: Title\n\n   inside\n",
      ".. figure:: chart.png\n   :alt: A chart\n\n   Up to 3.2x on eight devices.\n\n   Measured in May.\n",
      ".. _target:\n",
      ".. a comment\n   of two lines\n",
      ".. [1] A note\n   of two lines\n",
    ].join("\n");
    expect(texts(rst)).toEqual([
      "paragraph: Start",
      "item: a/b",
      "item: C",
      "quote: hot",
      "code: run it",
      "paragraph: raw html",
      "paragraph: Title",
      "paragraph: inside",
      "paragraph: Up to 3.2x on eight devices.",
      "paragraph: Measured in May.",
      "paragraph: A note of two lines",
    ]);
  });

  test("nesting has an end", () => {
    const deep = Array.from({ length: 40 }, (_, i) => `${"  ".repeat(i)}- a${i}`).join("\n\n");
    const blocks = blocksOfRst(deep);
    expect(blocks.length).toBeGreaterThan(15);
    expect(blocks.at(-1)?.text).toContain("a39");
  });
});
