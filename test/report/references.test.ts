import { describe, expect, test } from "vitest";
import { citedSentences } from "../../src/claims/mine/sentences.ts";
import { readers } from "../../src/read/index.ts";
import { type Draft, type DraftedReport, draft } from "../../src/report/index.ts";
import { reportTextOf } from "../../src/report/parse/report-text.ts";
import { citedBy } from "./rated.ts";

function drafted(report: DraftedReport): Draft | undefined {
  return draft(report, { at: Date.parse("2026-06-01"), readers });
}

/** The title and the day of the audit in the draft of a report. */
function aboutIn(text: string, path = "a.md"): string[] {
  const lines = drafted({ path, text })?.files[0]?.text.split("\n") ?? [];
  return lines
    .flatMap((line) => /^ {2}(?:title|audited): (?:"(.*)"|(.*?))(?: #.*)?$/.exec(line)?.slice(1) ?? [])
    .filter(Boolean);
}

describe("references", () => {
  test("numbered ones and all other links are cited; a footnote keeps its number", () => {
    const text =
      "# T\n\nSee [the kite](https://kite.example.org/).[^a]\n\n[^a]: Wind tables, https://wind.example.org/tables";
    expect(citedBy(text)).toEqual({
      "https://wind.example.org/tables": "Wind tables 1",
      "https://kite.example.org/": "the kite",
    });
  });

  test("a sentence of HTML goes on around ruby, formulas and relative times", () => {
    const says = (inner: string) =>
      reportTextOf("a.html", `<h1>T</h1><p>The kite carries ${inner} in any wind.</p>`).parts.at(-1)?.text;
    expect(says("<ruby>95 g</ruby>")).toBe("The kite carries 95 g in any wind.");
    expect(says("<math><mn>95</mn></math> g")).toBe("The kite carries 95 g in any wind.");
    expect(says("<relative-time>today</relative-time>")).toBe("The kite carries today in any wind.");
  });

  test("links to the report in other languages are none", () => {
    const link = (name: string, code: string) => `[${name}](https://translate.example.org/${code}/kites)`;
    const all = [link("Deutsch", "de"), link("Español", "es"), link("日本語", "ja"), link("🇰🇷 한국어", "ko")];
    const cited = (links: readonly string[]) =>
      Object.keys(citedBy(`# T\n\n${links.join(" | ")}\n\n[A kite](https://kite.example.org/)`));
    expect(cited(all)).toEqual(["https://kite.example.org/"]);
    // One or two may be a source that is written in that language.
    expect(cited(all.slice(0, 2))).toHaveLength(3);
  });

  test("lists that begin at 1 again name nothing by their numbers", () => {
    const list = (name: string) =>
      `## ${name}\n\n1. One of ${name}. https://${name}.example.org/1\n2. Two of ${name}. https://${name}.example.org/2\n3. Three. https://${name}.example.org/3\n\n`;
    const cited = citedBy(`# T\n\n${list("kites")}${list("sails")}`);
    expect(Object.keys(cited)).toHaveLength(6);
    expect(Object.values(cited).some((one) => / \d$/.test(one))).toBe(false);
  });

  test("a paper is cited by its identifier where its line leads nowhere else", () => {
    const text = `# T

## References

- Reed, B. (2020). Kites at scale. *Journal of Kites*, 3, 11–20. doi:10.5555/kites.2020.1
- Sail, C. Wind, learned. arXiv preprint arXiv:2101.00003v2 (2021).
- Tide, D. Ropes. arXiv:2101.00004. [PDF](https://ropes.example.org/)`;
    expect(citedBy(text)).toEqual({
      "10.5555/kites.2020.1": "Reed, B. (2020). Kites at scale. Journal of Kites, 3, 11–20",
      "2101.00003": "Sail, C. Wind, learned. arXiv preprint (2021)",
      "https://ropes.example.org/": "Tide, D: PDF",
    });
  });

  test("a list of papers is one of references though none of them has an address", () => {
    const text = `# T

It flies [1], and lands [2].

## References

1. Reed, B. Kites at scale (2020). DOI: 10.5555/S0140-6736(20)30183-5.
2. Sail, C. Wind, learned (2021). arXiv:2101.00003`;
    expect(citedBy(text)).toEqual({
      "10.5555/S0140-6736(20)30183-5": "Reed, B. Kites at scale (2020) 1",
      "2101.00003": "Sail, C. Wind, learned (2021) 2",
    });
  });

  test("an address ends before the punctuation of Chinese and Japanese", () => {
    const text = `# 風

## 参考文献

[1] 张三. 风筝. https://kites.example.org/1。
[2] 李四. 风筝（二）. https://kites.example.org/2，2026-01-01
[3] 王五. 风. （https://kites.example.org/3）
[4] 赵六. 云. DOI：10.1000/zh4。`;
    expect(citedBy(text)).toMatchObject({
      "https://kites.example.org/1": "张三. 风筝 1",
      "https://kites.example.org/2": expect.stringMatching(/ 2$/),
      "https://kites.example.org/3": "王五. 风 3",
      "10.1000/zh4": "赵六. 云 4",
    });
  });

  test("papers are found where their resolver is written without its scheme", () => {
    const text =
      "# T\n\n- Kites. doi.org/10.1000/183.\n- Sails. arxiv.org/abs/2601.00010v2\n- Ropes, dx.doi.org/10.1000/184";
    expect(citedBy(text)).toEqual({ "10.1000/183": "Kites", "2601.00010": "Sails", "10.1000/184": "Ropes" });
  });

  test.each(["Literatur", "Quellenverzeichnis", "Referenser", "Литература", "Список литературы", "참고문헌", "Źródła"])(
    "a list of two below %s is one of references",
    (heading) => {
      const text = `# T\n\n## ${heading}\n\n1. Kites, https://kites.example.org/, 2nd edition\n2. Sails. Paper alone.`;
      expect(citedBy(text)).toEqual({ "https://kites.example.org/": "Kites, , 2nd edition 1" });
    },
  );

  test("a citation that names the cited itself is a link to it", () => {
    const text =
      "# T\n\nIt flies [@doi:10.5555/a.b; @arxiv:2101.00003], see [here](https://kite.example.org/) and [@url:https://wind.example.org/x].\n\nMail a@url:b to @pmid:12345678.";
    expect(Object.keys(citedBy(text))).toEqual([
      "10.5555/a.b",
      "2101.00003",
      "https://kite.example.org/",
      "https://wind.example.org/x",
      "https://pubmed.ncbi.nlm.nih.gov/12345678",
    ]);
  });

  test("only the innermost heading sets links aside, and never that of the whole", () => {
    const text =
      "# Licences\n\n[Kite](https://kite.example.org/)\n\n## Contents\n\n### Wind\n\n[Wind](https://wind.example.org/)\n\n## Contributing\n\n[How](https://how.example.org/)";
    expect(Object.keys(citedBy(text))).toEqual(["https://kite.example.org/", "https://wind.example.org/"]);
  });

  test("pictures, numbers and emoji lead somewhere in a table; badges above it decorate", () => {
    const text = `# T

[![build](https://ci.example.org/b.svg)](https://ci.example.org/)

| Kite | Stars | Lift | Proof |
|-|-|-|-|
| Box | [![](https://stars.example.org/b.svg)](https://box.example.org/) | [2048](https://lift.example.org/) | [:link:](https://proof.example.org/) |`;
    expect(citedBy(text)).toEqual({
      "https://box.example.org/": "Box: Stars",
      "https://lift.example.org/": "Box: Lift",
      "https://proof.example.org/": "Box: Proof",
    });
  });

  test("links that sort or edit, and addresses in code, are none", () => {
    const text =
      '<table><tr><th><a href="https://t.example.org/?sort=name">Kite</a></th><th>x</th></tr><tr><td><a href="https://box.example.org/">Box</a></td><td><code>https://code.example.org/</code></td></tr></table><p><a href="https://w.example.org/?title=Box&action=edit">edit</a> <a href="https://forge.example.org/sea/kites/edit/main/docs/box.rst">Edit</a></p>';
    expect(Object.keys(citedBy(text, "a.html"))).toEqual(["https://box.example.org/"]);
    const about = [
      "https://help.example.org/edit/photos/crop.html",
      "https://help.example.org/en/app/edit/photos/crop.html",
    ];
    expect(Object.keys(citedBy(about.map((one) => `See [how](${one}).`).join("\n\n")))).toEqual(about);
    const forges = [
      "https://forge.example.org/a/b/-/edit/main/x.md",
      "https://forge.example.org/a/b/_edit/main/x/y.md",
    ];
    expect(citedBy(forges.map((one) => `[Edit](${one})`).join("\n\n"))).toEqual({});
  });

  test("a work with two addresses is called by all of its entry, and not by its journal", () => {
    const text =
      "## References\n\n- Lee (2020). Kites in storms. J. Kites 3. https://doi.org/10.5555/a https://a.example/pdf";
    expect(citedBy(text)["10.5555/a"]).toBe("Lee (2020). Kites in storms. J. Kites 3");
  });

  test("a label that many links share says nothing: the row and its column do", () => {
    const rows = [1, 2, 3, 4].map((n) => `| Kite ${n} | [Sheet](https://k${n}.example.org/) |`).join("\n");
    expect(Object.values(citedBy(`| Kite | Data |\n|-|-|\n${rows}`))).toEqual(
      [1, 2, 3, 4].map((n) => `Kite ${n}: Data`),
    );
  });

  test("links of one line to parts of each thing have the heading above them as their name", () => {
    const menus = [1, 2, 3, 4]
      .map(
        (n) =>
          `### Kite ${n}\n\n**Sheet:** soon\n\n[Tarif](https://k${n}.example.org/t) | [Plan](https://k${n}.example.org/p)`,
      )
      .join("\n\n");
    expect(Object.values(citedBy(menus))).toEqual([1, 2, 3, 4].flatMap((n) => [`Kite ${n}: Tarif`, `Kite ${n}: Plan`]));
  });

  test("names that many links share are no titles of each other's links", () => {
    const text = [1, 2, 3, 4]
      .map(
        (n) =>
          `## Gap ${n}\n\nFound by [Ada](https://f.example.org/a${n}), also by [Bob](https://f.example.org/b${n}).`,
      )
      .join("\n\n");
    expect(Object.values(citedBy(text))).toEqual([1, 2, 3, 4].flatMap((n) => [`Gap ${n}: Ada`, `Gap ${n}: Bob`]));
  });

  test("a label in brackets that many links share leaves each its own line", () => {
    const items = [1, 2, 3, 4]
      .map((n) => `* Kites in storm ${n} (2020) [[paper]](https://p.example.org/${n})`)
      .join("\n");
    expect(Object.values(citedBy(`# T\n\n## Research\n\n${items}\n`))).toEqual(
      [1, 2, 3, 4].map((n) => `Kites in storm ${n} (2020) [paper]`),
    );
  });

  test("several works of one paragraph are each called by the text before them", () => {
    const text =
      '# T\n\nIt flies.\n\n## Sources\n\n**Wind:** Lee "Kites in\nstorms" (arXiv:2101.00001); Kim\n2020 (arXiv:2101.00002). "On\ntails" https://tails.example.org/a. Costs: none.\n';
    expect(citedBy(text)).toEqual({
      "2101.00001": 'Wind: Lee "Kites in storms"',
      "2101.00002": "Kim 2020",
      "https://tails.example.org/a": '"On tails"',
    });
  });

  test("an address that is its own label is not called as the work cited beside it", () => {
    const text = "# T\n\nIt flies high, as many have seen [@doi:10.5555/a.b; @url:https://wind.example.org/x].\n";
    expect(citedBy(text)["https://wind.example.org/x"]).toBe("wind.example.org/x");
  });

  test("a number that is a link in a paragraph is not called as another thing that the paragraph names", () => {
    const text =
      "# T\n\nThe [Box kite](https://box.example.org/) flies high [1](https://wind.example.org/tables), [[2]](https://sea.example.org/).\n\n- [Delta kite](https://delta.example.org/) [1](https://delta.example.org/test)\n";
    expect(citedBy(text)).toEqual({
      "https://box.example.org/": "Box kite",
      "https://wind.example.org/tables": "wind.example.org/tables",
      "https://sea.example.org/": "sea.example.org",
      "https://delta.example.org/": "Delta kite",
      "https://delta.example.org/test": "Delta kite",
    });
  });

  test("the target of a word that only points is no other link of its paragraph", () => {
    const text =
      "# T\n\nBox flies, as told [here](https://a.example.org/x), and so does [Delta](https://d.example.org/).\n";
    expect(citedBy(text)["https://a.example.org/x"]).toBe("Box flies, as told here, and so does Delta");
  });

  test.each([
    ["- [Ask Ann](mailto:ann@kite.example), or check [here](https://a.example.org/docs)", "Ask Ann, or check"],
    [
      "- Box kites, by [Ann Reed](mailto:ann@kite.example): [docs](https://a.example.org/docs)",
      "Box kites, by Ann Reed: docs",
    ],
    ["- Call [Ann](tel:+1234): [docs](https://a.example.org/docs)", "Call Ann: docs"],
    ["- [Ann Reed](mailto:a@kite.example), https://a.example.org/docs", "a.example.org/docs"],
  ])("nothing is called as the person whose mail is beside it: %s", (text, title) => {
    expect(citedBy(text)).toEqual({ "https://a.example.org/docs": title });
  });

  test("routes of one page are one source, which keeps the first of them", () => {
    const text =
      "[a](https://a.example.org/#/guide), [b](https://a.example.org/#/api), [c](https://c.example.org/x#part)";
    expect(Object.keys(citedBy(text))).toEqual(["https://a.example.org/#/guide", "https://c.example.org/x"]);
  });

  test("targets of reStructuredText may have no name, or be in the next line", () => {
    const text = `Kites
=====

Fly a \`box kite\`__, or a sled__; then a \`delta <https://delta.example.org/>\`__ and an \`old arch\`__.

See \`the rules of all\`_ and |Bow kites|_.

.. |Bow kites| replace:: *bow kites*
.. _Bow kites: https://bow.example.org/
.. __: https://box.example.org/
.. __: https://sled.example.org/

__ https://arch.example.org/

.. _the rules of all:
   https://rules.example.org/
`;
    expect(citedBy(text, "a.rst")).toEqual({
      "https://box.example.org/": "box kite",
      "https://sled.example.org/": "sled",
      "https://delta.example.org/": "delta",
      "https://arch.example.org/": "old arch",
      "https://rules.example.org/": "the rules of all",
      "https://bow.example.org/": "Bow kites",
    });
  });

  test("notes and citations of reStructuredText have the numbers that their readers see", () => {
    const text = `Lockers
=======

A locker holds 40 parcels [#box]_ and costs 300 euros [#]_. It opens in two
seconds [Miller20]_, weighs 80 kg [2]_ and is blue [#]_.

Notes
-----

.. [#box] Boxes, "How much
   fits", https://boxes.example/fit
.. [#] https://prices.example/lockers
.. [2] Scales.
   \`Weights <https://scales.example/kg>\`_

   With the door.
.. [Miller20] Miller, J. https://miller.example/opening
.. [#] Colours, https://colours.example/
`;
    expect(citedBy(text, "a.rst")).toEqual({
      "https://boxes.example/fit": 'Boxes, "How much fits" 1',
      "https://scales.example/kg": "Scales. Weights 2",
      "https://prices.example/lockers": "prices.example/lockers 3",
      "https://colours.example/": "Colours 4",
      "https://miller.example/opening": "Miller, J 5",
    });
    const { parts, tables } = reportTextOf("a.rst", text);
    expect(
      citedSentences({ parts, tables }).sentences.map((one) => [one.text, one.marks.map(({ number }) => number)]),
    ).toEqual([
      ["A locker holds 40 parcels and costs 300 euros.", [1, 3]],
      ["It opens in two seconds, weighs 80 kg and is blue.", [5, 2, 4]],
    ]);
  });

  test.each([
    [
      "a.html",
      '<p>It holds 40 (<a href="#ref-reel">Reel 2020</a>). See <a href="#use">use</a>.</p><h2 id="use">Use</h2><p>By <a href="https://use.example/">us</a>.</p><div id="ref-reel"><p>Reel Works. 2020. <a href="https://reel.example/40">Forty</a>.</p></div>',
    ],
    [
      "a.adoc",
      "= Lockers\n\nIt holds 40 <<reel>>. See <<Use>>.\n\n== Use\n\nBy https://use.example/[us].\n\n[bibliography]\n== References\n\n* [[[reel]]] Reel Works. 2020. https://reel.example/40[Forty].",
    ],
    [
      "a.md",
      '# Lockers\n\nIt holds 40 ([Reel 2020](#reel)). See [use](#use).\n\n## Use\n\nBy [us](https://use.example/).\n\n## Works cited\n\n<a id="reel"></a>Reel Works. 2020. [Forty](https://reel.example/40).',
    ],
  ])("a link to an entry of a list of works cites that, in %s", (path, text) => {
    const { parts, tables } = reportTextOf(path, text);
    const [first] = citedSentences({ parts, tables }).sentences;
    expect(first).toMatchObject({ marks: [{ address: "https://reel.example/40" }] });
    expect(first?.text).toMatch(/^It holds 40 .*\.$/);
  });

  test("an entry that only points is called by its address", () => {
    const text =
      "# T\n\nIt folds.[^a] It flies.[^b]\n\n[^a]: see https://a.example.org/fold\n\n[^b]: Flight, https://b.example.org/";
    expect(citedBy(text)).toEqual({
      "https://a.example.org/fold": "a.example.org/fold 1",
      "https://b.example.org/": "Flight 2",
    });
  });

  test("an entry may give its identifier in place of an address", () => {
    const text =
      "## References\n\n[1] A. https://a.example.org/1\n\n[2] B. Seas. doi:10.1000/182.\n\n[3] C. arXiv:2001.00001";
    expect(Object.values(citedBy(text))).toEqual(["A 1", "B. Seas 2", "C 3"]);
  });
});

describe("every format is read", () => {
  const address = "https://box.example.org/";
  test.each([
    ["a.md", `:::{list-table}\n:header-rows: 1\n\n* - Kite\n  - By\n* - [Box](${address})\n  - A\n:::`],
    ["a.md", `\`\`\`{table} Kites\n:name: k\nKite | By\n---|---\n[Box](${address}) | A\n\`\`\``],
    ["a.md", `\`\`\`{admonition} Note\n:class: tip\nSee [Box](${address}).\n\`\`\``],
    ["a.md", `!!! note "Kites"\n\n    | Kite | By |\n    |-|-|\n    | [Box](${address}) | A |`],
    [
      "a.qmd",
      `::: {#tbl-a}\n| Kite | By |\n|-|-|\n| [Box](${address}) | A |\n:::\n\n\`\`\`{r}\nx <- "https://no.example.org/"\n\`\`\``,
    ],
    ["a.mdx", `import X from "https://no.example.org/x.js";\n\n<X>\n\n[Box](${address})\n\n</X>`],
    ["a.adoc", `:box: ${address}\n\nSee {box}[Box].`],
    ["a.rst", `See \`Box <${address}>\`_ and Box_.\n\n.. _Box: ${address}`],
    [
      "a.ipynb",
      JSON.stringify({
        cells: [
          { cell_type: "markdown", source: [`[Box]`, `(${address})`] },
          { cell_type: "code", source: "https://no.example.org/" },
        ],
      }),
    ],
    [
      "large.ipynb",
      JSON.stringify({
        cells: [
          { cell_type: "code", source: "", outputs: [{ data: { "image/png": "A".repeat(1_200_000) } }] },
          { cell_type: "markdown", source: `[Box](${address})` },
        ],
      }),
    ],
    ["a.csv", `name,url\nBox,${address}\n`],
    [
      "a.json",
      JSON.stringify([
        { name: "Box", url: address },
        { name: "None", url: "" },
      ]),
    ],
    ["a.html", `<!doctype html><p><a href="${address}">Box</a>`],
  ])("%s: %s", (path, text) => {
    expect(Object.keys(citedBy(text, path))).toEqual([address]);
  });
});

describe("an address is no markup", () => {
  const odd = [
    "https://forge.example.org/acme/w/blob/main/w/__init__.py",
    "https://docs.example.org/_build_/html/_static_/a.html",
    "https://wiki.example.org/wiki/Kite_(toy)",
    "https://wiki.example.org/wiki/Kite_(toy)_in_wind",
    "https://a.example.org/x*y*z",
    "https://a.example.org/~~x~~/~y~z",
    "https://a.example.org/kite__sail_wind_",
    "https://a.example.org/?a=*b*&c=_d_&e=f=g",
    "https://a.example.org/__ALL__/#/x_y_z",
  ];
  const formats = ["md", "adoc", "org", "rst", "wiki", "txt", "html", "ipynb"];
  const written = (format: string, text: string): string => {
    if (format === "html") return `<p>${text.replace(/&/g, "&amp;")}</p>`;
    return format === "ipynb" ? JSON.stringify({ cells: [{ cell_type: "markdown", source: text }] }) : text;
  };
  const bare = odd.map((address) => address.replace(/_$/, ""));

  test.each(formats)("in %s", (format) => {
    for (const [i, address] of bare.entries()) {
      const text = `See ${address} for it, ${address}, (${address}) and ${address}.\n\nsee: ${address}\n`;
      expect(Object.keys(citedBy(written(format, text), `a.${format}`)), `${i}: ${address}`).toEqual([address]);
    }
  });

  test.each([
    ["md", "**A** and *A*, __A__ or _A_, ~~A~~; **see A**, *A.*"],
    ["md", "**A** (note) [x_y](A) <A> [A](A) ![A](b.png)A [_see A_](A)."],
    ["adoc", "*A* and _A_, #A# or **A**; *see A*."],
    ["org", "*A* and _A_; *see A*, [[A][x]] [[A]]."],
    ["rst", "*A* and **A**; *see A*, `x_y <A>`_, `A <A>`_, sail_ __.\n\n.. _sail: A\n.. __: A"],
    ["wiki", "''A'' and '''A'''; [A x_y] ''see A''."],
  ])("in %s marks around it are: %s", (format, text) => {
    for (const address of bare.slice(0, 3))
      expect(Object.keys(citedBy(text.replaceAll("A", address), `a.${format}`)), address).toEqual([address]);
  });

  test("in Markdown its signs may be written as HTML or escaped, and a link may follow it", () => {
    expect(Object.keys(citedBy("See https://a.example.org/?x=1&amp;y_z_=2 and https://a.example.org/b\\_c."))).toEqual([
      "https://a.example.org/?x=1&y_z_=2",
      "https://a.example.org/b_c",
    ]);
    expect(Object.keys(citedBy("见https://a.example.org/b[风筝](https://b.example.org/c)"))).toContain(
      "https://b.example.org/c",
    );
  });

  test("a name in reStructuredText that is a part of an address is no reference", () => {
    const text =
      "See https://a.example.org/kite_(toy)/sail__x and sail__.\n\n.. _kite: https://k.example.org/\n\n__ https://s.example.org/";
    expect(Object.keys(citedBy(text, "a.rst"))).toEqual([
      "https://s.example.org/",
      "https://a.example.org/kite_(toy)/sail__x",
    ]);
  });
});

describe("a DOI of a report", () => {
  const sici = "10.5555/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O";
  test.each([
    ["a.md", `See https://doi.org/${sici} for it.`],
    ["a.md", `See [it](https://doi.org/${sici}).`],
    ["a.md", `See [it](<https://doi.org/${encodeURI(sici)}>).`],
    ["a.md", `See https://doi.org/${encodeURIComponent(sici)}.`],
    ["a.md", `See https://papers.example.org/doi/abs/${sici.replace("<", "&lt;").replace(">", "&gt;")}.`],
    ["a.md", `Reed, B. Kites. doi:${sici}.`],
    ["a.md", `Reed, B. Kites (DOI: ${sici}).`],
    ["a.md", `Reed, B. Kites. doi:${encodeURIComponent(sici)}`],
    ["a.rst", `See https://doi.org/${sici} for it.`],
    ["a.rst", `Reed, B. Kites. doi:${sici}`],
    ["a.adoc", `See https://doi.org/${sici} for it.`],
    ["a.org", `See https://doi.org/${sici} for it.`],
    ["a.wiki", `It flies.<ref>{{cite journal|title=Kites|doi=${sici}}}</ref>`],
    ["a.html", `<p><a href="https://doi.org/${sici}">it</a></p>`],
    ["a.html", `<p>doi:${sici.replace("<", "&lt;")}</p>`],
    ["a.ris", `TY  - JOUR\nTI  - Kites\nDO  - ${sici}\nER  -`],
    ["a.bib", `@article{k, title={Kites}, doi={${sici}}}`],
    ["a.bib", `@article{k, title={Kites}, doi={${sici.replace("<", "$<$").replace(">", "$>$")}}}`],
    ["a.bib", `@article{k, title={Kites}, doi={${sici.replace("<", "{\\textless}").replace(">", "\\textgreater{}")}}}`],
    ["a.bib", `@article{k, title={Kites}, url={https://doi.org/${sici}}}`],
    ["a.json", `[{"type":"article-journal","title":"Kites","DOI":"https://doi.org/${sici}"}]`],
  ])("with a part between angle brackets, in %s: %s", (path, text) => {
    expect(Object.keys(citedBy(text, path))).toEqual([sici]);
  });

  test.each([
    ["doi:10.5555/a#b", "10.5555/a#b"],
    ["doi:10.5555/a?b", "10.5555/a?b"],
    ["doi:https://doi.org/10.5555/a", "10.5555/a"],
    ["doi: doi:10.5555/a", "10.5555/a"],
    ["https://doi.org/doi:10.5555/a", "10.5555/a"],
    ["https://doi.org/10.5555/a%23b", "10.5555/a#b"],
    ["https://link.example.org/article/10.5555/s00521-021/fulltext.html", "10.5555/s00521-021"],
    ["https://journals.example.org/article?id=10.5555/journal.kite.0000308", "10.5555/journal.kite.0000308"],
  ])("written as %s", (written, doi) => {
    expect(Object.keys(citedBy(`Kites fly: ${written}.`))).toEqual([doi]);
  });
});

describe("documents by their number and tag", () => {
  test("roles of reStructuredText", () => {
    expect(citedBy("Kites\n=====\n\nAs :rfc:`2119`, :pep:`8` and :cve:`2021-44228` say.", "a.rst")).toEqual({
      rfc2119: "RFC 2119",
      "CVE-2021-44228": "CVE-2021-44228",
      "https://peps.python.org/pep-0008/": "PEP 8",
    });
  });

  test("an entry with an identifier is one source", () => {
    const entry = "- Date and Time on the Internet, RFC 3339, DOI 10.17487/RFC3339, July 2002.";
    expect(Object.keys(citedBy(`# Kites\n\n## References\n\n${entry}`))).toEqual(["10.17487/RFC3339"]);
  });

  test("entries of a list of references, but no names in prose", () => {
    const list = "- RFC 2119, Key words\n- BCP 14\n- BIP 32: Wallets\n- EIP-1559\n- CVE-2021-44228\n- ISO 8601";
    expect(Object.keys(citedBy(`# Kites\n\nRFC 9110 says so.\n\n## References\n\n${list}`))).toEqual([
      "rfc2119",
      "https://www.rfc-editor.org/info/bcp14",
      "https://bips.dev/32/",
      "https://eips.ethereum.org/EIPS/eip-1559",
      "CVE-2021-44228",
    ]);
  });

  test("standards that nobody can check are named, and drafts of the IETF have their page", () => {
    const list =
      "- ISO 8601:2004, Dates\n- ISO/IEC 27001:2022, Security\n- IEEE Std 802.11-2020\n- DIN EN 301 549\n- Notes on 12 kites\n- I-D.ietf-kite-tail";
    const text = `# Kites\n\nISO 4217 says so.\n\n## References\n\n${list}`;
    expect(Object.keys(citedBy(text))).toEqual(["https://datatracker.ietf.org/doc/draft-ietf-kite-tail/"]);
    expect(drafted({ path: "a.md", text })?.found).toMatchObject({ references: 5, unwatchable: 4 });
  });

  test("the head of a draft for the IETF", () => {
    const head =
      '---\ntitle: "Kites: How They Fly"\n # - draft-kite-old\nnormative:\n  RFC2119:\n  KITE:\n    title: Kite Papers\n    target: https://kite.example.org/papers\n\n--- abstract\n\nKites fly.';
    expect(citedBy(head)).toEqual({ rfc2119: "RFC2119", "https://kite.example.org/papers": "Kite Papers" });
    expect(aboutIn(head)[0]).toBe("Kites: How They Fly");
  });

  test("citation tags that another chapter defines", () => {
    const chapters = [{ path: "b.md", text: "# Tags\n\n[@tag:Owl2017]: doi:10.1234/owl.7" }];
    const report = { path: "a.md", text: "# Kites\n\nKites fly [@tag:Owl2017].", chapters };
    expect(drafted(report)?.files[0]?.text).toContain('doi: "10.1234/owl.7"');
  });
});

test("links with icons are called by their words, or by the title of their icon", () => {
  const link = (label: string, page: string, attributes = "") =>
    `[${label}](https://kite.example.org/${page})${attributes}`;
  const thing = (name: string) =>
    `## ${name}\n\n${link(":octicons-home-16: Homepage", name, "{ .button }")}\n${link(":octicons-eye-16:", `${name}/policy`, '{ .card title="Privacy Policy" }')}\n${link(":simple-linux: Linux", `${name}/linux`)}`;
  const titles = citedBy(`# Kites\n\n${["Box", "Delta", "Sled", "Arch"].map(thing).join("\n\n")}`);
  expect(Object.values(titles).slice(0, 3)).toEqual(["kite.example.org/Box", "Box: Privacy Policy", "Box: Linux"]);
});

test("footnotes that explain are no references, even beside one that cites", () => {
  const text =
    "Kites fly high[^1] and fast[^2], as the study says[^3].\n\n[^1]: However, the length was raised from 512 to 1282.\n[^2]: ○: can be used at once. △: must be unpacked first.\n[^3]: Owl, A. (2020). On kites. https://doi.org/10.1234/kite.5";
  expect(drafted({ path: "a.md", text })?.found).toMatchObject({ references: 1, unwatchable: 0 });
});

test.each([
  ["a letter behind an autolink", "see <https://kite.example.org/a/>y <https://owl.example.org/b/>を"],
  [
    "templates",
    "[x](https://kite.example.org/a/) <https://owl.example.org/b/> https://kite.example.org/{id} [z](<https://kite.example.org/<id>/x>) [y](https://elm.example.org/$%7Bid%7D)",
  ],
  [
    "pages of persons",
    "https://kite.example.org/a/ https://owl.example.org/b/ https://orcid.org/0000-0002-1825-0097 by [@kim](https://people.example.org/@kim)",
  ],
  [
    "the Japanese words behind an address",
    "詳しくはhttps://kite.example.org/a/を見る。https://owl.example.org/b/を参照",
  ],
  ["reserved domains", "https://kite.example.org/a/ https://owl.example.org/b/ https://example.com/foo"],
])("no source of %s", (_, text) => {
  expect(Object.keys(citedBy(`# T\n\n${text}`))).toEqual(["https://kite.example.org/a/", "https://owl.example.org/b/"]);
});

describe("titles and days, from the place that each format has for them", () => {
  test.each([
    [
      "a wiki's page has the name of its file",
      "Silent kites.mediawiki",
      "Please see the list first.\n\n* [https://kite.example.org/a A]",
      "Silent kites",
    ],
    [
      "the head of a proposal",
      "bip-1.mediawiki",
      "<pre>\n  BIP: 1\n  Title: Silent Kites\n  Author: A. Person <a@person.example>\n</pre>\n\n[https://kite.example.org/a A]",
      "Silent Kites",
    ],
    [
      "a wiki's page with code below",
      "Silent kites.mediawiki",
      "Please see the list first.\n<pre>code</pre>\nTitle: Loud Kites\n\n[https://kite.example.org/a A]",
      "Silent kites",
    ],
    ["JSON", "a.json", '{"title": "Kites", "stats": {"see": "https://kite.example.org/a"}}', "Kites"],
  ])("title: %s", (_, path, text, title) => {
    expect(aboutIn(text, path)[0]).toBe(title);
  });

  test.each([
    ["no label of a link", "See [standards published January 18, 2017](https://kite.example.org/a).", "2026-06-01"],
    [
      "no entry of a list of references",
      "## References\n\n- Date and Time, https://kite.example.org/a, July 2002",
      "2026-06-01",
    ],
    ["an update above the text", "**UPDATE 2026-02-10:** cleaned up.\n\n[a](https://kite.example.org/a)", "2026-02-10"],
    ["the last review", "- **Last review:** 19.08.2025\n\n[a](https://kite.example.org/a)", "2025-08-19"],
    [
      "an update after the last access",
      "Last updated on March 10, 2026\n\n[a](https://kite.example.org/a), accessed 2025-08-07.",
      "2026-03-10",
    ],
    ["the last access in German", "[a](https://kite.example.org/a), abgerufen am 7. August 2025.", "2025-08-07"],
  ])("day: %s", (_, text, day) => {
    expect(aboutIn(`# Kites\n\n${text}`)[1]).toBe(day);
  });
});
