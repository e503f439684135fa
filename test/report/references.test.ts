import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { citedSentences } from "../../src/claims/mine/sentences.ts";
import { readers } from "../../src/read/index.ts";
import { type Draft, type DraftedReport, draft } from "../../src/report/index.ts";
import { reportTextOf } from "../../src/report/parse/report-text.ts";
import { testCases } from "../support/cases.ts";
import { citationsIn, citedBy } from "./rated.ts";

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
  testCases(join(import.meta.dirname, "references.txt"), (text, path) => citationsIn(text, path || undefined));

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

  test("take a cell for code only if the code is in the cell", () => {
    const { parts } = reportTextOf("a.md", "Run `make lockers`.\n\n| Locker | `open()` |\n| --- | --- |\n| Blue | 1 |");
    expect(parts[1]?.cells?.map(({ code }) => code)).toEqual([undefined, true]);
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
