import { describe, expect, it } from "vitest";
import { blocksOf, pageOf } from "../../src/read/html/html.ts";
import { validSelector } from "../../src/read/html/select.ts";
import { treeOf } from "../../src/read/html/tree.ts";
import { Size } from "../../src/read/shared/size.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize } from "../support/runs.ts";

const texts = (html: string) => pageOf(html).blocks.map((block) => block.text);

/** A page with everything around its content that a page can have. */
const furnished = (content: string) => `<!doctype html><html lang="en-GB"><head><title> Install  guide </title>
  <style>p{color:red}</style><script>var build="3f2a"</script></head><body>
  <a class="skip-link" href="#main">Skip to content</a>
  <header><div class="logo">Example</div><nav><ul><li><a href="/">Home</a></li><li><a href="/docs">Docs</a></li></ul></nav></header>
  <div id="onetrust-banner-sdk">We use cookies <button>Accept all</button></div>
  ${content}
  <footer><p>© 2026 Example Inc.</p><a href="/terms">Terms</a></footer></body></html>`;

const prose =
  "The installer needs Python 3.12 or later and about 4 GB of free disk space on every supported system. ".repeat(5);

describe("entities", () => {
  it("are decoded in texts and titles, also without a semicolon", () => {
    const html = "<title>Q&amp;A</title><p>a &lt;b&gt; &copy 2026 &#x41;&#66 &notit; &unknown; R&D</p>";
    expect(pageOf(html)).toMatchObject({ title: "Q&A", blocks: [{ text: "a <b> © 2026 AB ¬it; &unknown; R&D" }] });
  });

  it("are decoded in values, but not within the name of a parameter", () => {
    const [link] = treeOf("<a class='a&amp;b' href='?x=1&copy=2'>").children;
    expect(link).toMatchObject({ attribs: { class: "a&b", href: "?x=1&copy=2" } });
  });

  it("are none in elements of plain text", () => {
    const [example] = treeOf("<xmp>&lt;b>&amp;</xmp>").children;
    expect(example).toMatchObject({ children: [{ data: "&lt;b>&amp;" }] });
  });
});

describe("blocks", () => {
  it("gives every block the headings above it", () => {
    const blocks = blocksOf("<h1>A</h1><p>a</p><h2>B</h2><p>b</p><h3>C</h3><p>c</p><h2>D</h2><p>d</p>");
    expect(blocks.filter((block) => block.kind === "paragraph").map((block) => [block.path, block.text])).toEqual([
      [["A"], "a"],
      [["A", "B"], "b"],
      [["A", "B", "C"], "c"],
      [["A", "D"], "d"],
    ]);
  });

  it("joins code that a highlighter divided by elements of its own", () => {
    const code = "<c- b>interface</c-> <a href='#mill'><c- g>Mill</c-></a> { }";
    expect(texts(`<pre>${code}</pre><p>The <code>${code}</code> is new.</p>`)).toEqual([
      "interface Mill { }",
      "The interface Mill { } is new.",
    ]);
    expect(texts("<x-card>One</x-card><x-card>Two</x-card>")).toEqual(["One", "Two"]);
  });

  it("joins cells to rows and keeps the header", () => {
    const [header, row] = blocksOf(
      "<table><thead><tr><th>Name<th>GPU</tr></thead><tbody><tr><th>v5e<td><p>no</p></tr></tbody></table>",
    );
    expect(header).toEqual({ path: [], kind: "row", text: "Name | GPU" });
    expect(row).toEqual({ path: [], kind: "row", text: "v5e | no", header: "Name | GPU" });
  });

  it("keeps a cell together around a part that readers do not see", () => {
    const login = "<div hidden>kite-anna</div>";
    const table = `<table><tr><td>Anna<br>${login}Pilot</td><td>Bo${login}</td></tr></table>`;
    expect(texts(furnished(`<h1>Who flies</h1>${table}<p>${"The crew flies at dawn. ".repeat(9)}</p>`))).toContain(
      "Anna Pilot | Bo",
    );
  });

  it("reads the mark in a cell that is a picture", () => {
    expect(blocksOf('<table><tr><td>Linux<td><img alt="Yes" src="y.png"></table>')[0]?.text).toBe("Linux | Yes");
  });

  it("reads marks in cells that are drawn, and boxes that nobody can tick", () => {
    const marks = (yes: boolean) => {
      const [word, box] = yes ? ["Yes", "checked"] : ["No", ""];
      const cells = [
        `<svg role="img" aria-label="${word}"><path d="M0 0"/></svg>`,
        `<i class="icon" aria-label="${word}"></i>`,
        `<input type="checkbox" ${box} disabled>`,
        `<input type="checkbox" ${box}>`,
      ];
      return texts(`<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}<td>here</td></tr></table>
        <ul><li><input type="checkbox" ${box} disabled> done</li></ul><p><svg aria-label="${word}"></svg>A text.</p>`);
    };
    expect(marks(true)).toEqual(["Yes | Yes | [x] |  | here", "[x] done", "A text."]);
    expect(marks(false)).toEqual(["No | No | [ ] |  | here", "[ ] done", "A text."]);
  });

  it("reads the words of a drawing, each label on its own, and those in a line within that line", () => {
    const chart =
      '<svg class="chart"><title>Sales</title><style>text { fill: red }</style><g><text x="1">Revenue</text><text><tspan>12</tspan> M€</text></g></svg>';
    expect(texts(`<main><h1>Sales</h1><figure>${chart}</figure><p>${prose}</p></main>`)).toEqual([
      ...["Sales", "Revenue", "12 M€"],
      prose.trim(),
    ]);
    const label = "<svg><foreignObject><div>Step <b>one</b></div></foreignObject></svg>";
    expect(texts(`<main><p>It begins with ${label}, as ever.</p></main>`)).toEqual([
      "It begins with Step one , as ever.",
    ]);
    expect(texts("<table><tr><td>Linux<td><svg><text>yes</text></svg></table>")).toEqual(["Linux | yes"]);
  });

  it("reads no words of a drawing that nobody sees", () => {
    const unseen = [
      "<svg><defs><text>secret</text></defs><symbol><text>secret</text></symbol></svg>",
      '<svg aria-hidden="true"><text>secret</text></svg><svg style="display: none"><text>secret</text></svg>',
      '<svg><text>kept</text><text aria-hidden="true">secret</text></svg>',
      '<svg aria-label="kept"><text>secret</text></svg>',
      "<template><svg><text>secret</text></svg></template>",
    ];
    expect(texts(`<main><p>${prose}</p>${unseen.join("")}</main>`)).toEqual([prose.trim(), "kept"]);
  });

  it("reads what a component holds, in its shadow root", () => {
    const inner = (text: string) =>
      `<template shadowrootmode="open"><style>p{}</style><p>${text}</p><slot></slot></template>`;
    expect(
      texts(`<body><x-page>${inner(`${prose}<x-b>${inner("Within it")}</x-b>`)}<p>Beside it</p></x-page></body>`),
    ).toEqual([prose.trim(), ...["Within it", "Beside it"]]);
    expect(
      texts(
        `<main><p>${prose}</p><template><template shadowrootmode="open"><p>secret</p></template></template></main>`,
      ),
    ).toEqual([prose.trim()]);
  });

  it("leaves out a badge that something is new, and nothing else of a badge", () => {
    const line = (html: string) => texts(`<main><h1>Plans</h1><p>${prose}</p><p>${html}</p></main>`).slice(2);
    expect(line('Export <span class="badge badge-info">New!</span>')).toEqual(["Export"]);
    expect(line('<span class="tag">Neu</span> Export')).toEqual(["Export"]);
    expect(line("Export <sup>NEW</sup>")).toEqual(["Export"]);
    expect(line('Export <span class="badge">Beta</span>')).toEqual(["Export Beta"]);
    expect(line('Condition: <span class="label">New</span>')).toEqual(["Condition: New"]);
    expect(line('<span class="badge">New</span>')).toEqual(["New"]);
    expect(line("A <b>new</b> kite")).toEqual(["A new kite"]);
  });

  it("reads characters without how they are read aloud", () => {
    const ruby = "<ruby>新<rp>(</rp><rt>しん</rt><rp>)</rp>機<rt>き</rt></ruby>";
    expect(texts(`<main><p>${prose}</p><p>${ruby}は三月に出ます。</p></main>`).at(-1)).toBe("新機は三月に出ます。");
  });

  it("reads a list to choose from if it names prices", () => {
    const list = "<select><option>Basic: $99</option><option selected>Pro: 199 €</option></select>";
    expect(texts(`<main><h1>Plans</h1><p>${prose}</p><label>Plan ${list}</label></main>`)).toEqual([
      ...["Plans", prose.trim(), "Plan", "Basic: $99", "Pro: 199 €"],
    ]);
    expect(texts(`<main><p>${prose}</p><select><option>2.1 (latest)<option>2.0</select></main>`)).toEqual([
      prose.trim(),
    ]);
  });

  it("reads what an icon in a cell means, by its name, its title or the words for those who do not see it", () => {
    const cell = (holds: string) =>
      texts(
        `<main><h1>Plans</h1><p>${prose}</p><table><tr><th>Night flights</th><td>${holds}</td></tr></table></main>`,
      ).at(-1);
    const pairs: [string, string, string][] = [
      ['<i class="fa fa-check"></i>', '<i class="fa fa-times"></i>', "✓ ✗"],
      ['<svg class="icon icon-yes"><path d="M0"/></svg>', '<svg class="icon icon-no"><path d="M0"/></svg>', "✓ ✗"],
      ['<svg class="i"><use href="/s.svg#icon-check"/></svg>', '<svg><use xlink:href="#icon-x"/></svg>', "✓ ✗"],
      ["<svg><title>Yes</title></svg>", "<svg><title>No</title></svg>", "Yes No"],
      ['<span class="dot" title="Yes"></span>', '<img src="n.png" alt="" title="No">', "Yes No"],
      [
        '<i></i><span class="sr-only">Included</span>',
        '<i></i><span class="visually-hidden">Extra</span>',
        "Included Extra",
      ],
    ];
    for (const [yes, no, says] of pairs) {
      expect([cell(yes), cell(no)]).toEqual(says.split(" ").map((one) => `Night flights | ${one}`));
    }
    expect(cell('<i class="fa fa-check"></i> from 2026')).toBe("Night flights | from 2026");
    expect(cell('<svg aria-label="Yes"><title>Yes</title></svg>')).toBe("Night flights | Yes");
    expect(cell('<i class="fa fa-sun"></i><td class="no-wrap">')).toBe("Night flights |  | ");
    expect(cell('<i title="Sort"></i> from 2026')).toBe("Night flights | from 2026");
    expect(cell('</td><td class="supported"></td><td class="unsupported">')).toBe("Night flights |  | ✓ | ✗");
    expect(cell('</td><td title="Planned">')).toBe("Night flights |  | Planned");
    expect(cell('</td><td title="3 flights on 2 June">')).toBe("Night flights |  | ");
  });

  it("reads whether an entry is so, if that is written for those who do not see its icon", () => {
    const entry = (says: string) =>
      texts(`<main><p>${prose}</p><ul><li><i></i><span class="sr-only">${says}</span> 5 projects</li></ul></main>`).at(
        -1,
      );
    expect(entry("Not included:")).toBe("Not included: 5 projects");
    expect(entry("opens in a new tab")).toBe("5 projects");
    const icon = (drawn: string) => texts(`<main><p>${prose}</p><ul><li>${drawn} 5 projects</li></ul></main>`).at(-1);
    expect(icon('<img alt="Not included" src="n.png">')).toBe("Not included 5 projects");
    expect(icon('<svg aria-label="Included"></svg>')).toBe("Included 5 projects");
    expect(icon('<img alt="A rope" src="r.png">')).toBe("5 projects");
    expect(icon('<i class="fa fa-times"></i>')).toBe("✗ 5 projects");
    expect(icon('<i class="fa fa-check"></i>')).toBe("5 projects");
    expect(icon('<img alt="check" src="n.png">')).toBe("5 projects");
    expect(icon('<i class="icon-close"></i>')).toBe("5 projects");
    expect(icon('<i class="fa fa-x-kite"></i>')).toBe("5 projects");
    expect(icon('Sails <i class="fa fa-times"></i>')).toBe("Sails 5 projects");
  });

  it("leaves out text that is struck out in a line, and blocks that are struck out as a whole", () => {
    expect(
      texts("<main><p>Memory: <del>16 GB</del> 24 GB</p><p>It <s>runs <b>on</b></s> needs Linux.</p></main>"),
    ).toEqual(["Memory: 24 GB", "It needs Linux."]);
    expect(texts("<ul><li><strike>Free plan</strike></li><li>Team plan</li></ul>")).toEqual(["Team plan"]);
    expect(blocksOf("<table><tr><td>Price<td><s>$20</s> $15</table>")[0]?.text).toBe("Price | $15");
    const drawn = (how: string) =>
      texts(`<main><p>${prose}</p><p>It flies. <span ${how}>At night, too.</span></p></main>`).at(-1);
    expect(drawn('style="color:red; text-decoration: line-through"')).toBe("It flies.");
    expect(drawn('class="text-lg line-through"')).toBe("It flies.");
    expect(drawn('class="no-line-through" style="text-decoration: underline"')).toBe("It flies. At night, too.");
    expect(texts("<main><p>Price:<s>$20</s> $15</p><p>Holds:<s>4</s>8 GB</p></main>")).toEqual([
      "Price: $15",
      "Holds:8 GB",
    ]);
  });

  it("reads a name that is struck out because it is deprecated", () => {
    expect(
      texts(
        "<main><h2><s>blend</s></h2><p>Sails.<strike>blend</strike>(a, b) turns.</p><ul><li><a href='/b'><s>blend</s></a></li></ul></main>",
      ),
    ).toEqual(["blend", "Sails.blend(a, b) turns.", "blend"]);
  });

  it("reads on if an element that strikes out was not closed, or shows a whole edit", () => {
    expect(texts("<div><s><p>It needs 4 GB.</p><p>It runs on Linux.</p></div>")).toEqual([
      "It needs 4 GB.",
      "It runs on Linux.",
    ]);
    expect(texts(`<p><s>${"<i>word</i> ".repeat(600)}</p>`)[0]).toContain("word word");
  });

  it("takes a table that holds headings or tables for layout", () => {
    const html = "<table><tr><td><h2>Left</h2><p>one</p></td><td><table><tr><td>x<td>y</table></td></tr></table>";
    expect(blocksOf(html).map((block) => `${block.kind} ${block.text}`)).toEqual([
      "heading Left",
      "paragraph one",
      "row x | y",
    ]);
  });

  it("knows items, terms, quotes and code", () => {
    const html =
      "<ul><li>one<ul><li><p>two</p></li></ul></li></ul><dl><dt>term<dd>meaning</dl><blockquote><p>said</p></blockquote><pre>a  =\n 1</pre>";
    expect(blocksOf(html).map((block) => `${block.kind} ${block.text}`)).toEqual([
      "item one",
      "item two",
      "term term",
      "term meaning",
      "quote said",
      "code a = 1",
    ]);
  });

  it("reads a term that is called as the list of a page's headings is", () => {
    const parcel = "<p>A lamp.</p><dl><dt>Contents</dt><dd>500 ml of oil</dd></dl><p>Contents</p><p>More.</p>";
    expect(blocksOf(parcel).map(({ path, text }) => [...path, text])).toEqual([
      ["A lamp."],
      ["Contents"],
      ["Contents", "500 ml of oil"],
      ["More."],
    ]);
  });

  it("parts text at two line breaks, not at one", () => {
    expect(blocksOf("one<br>two<br> <br>three").map((block) => block.text)).toEqual(["one two", "three"]);
    expect(blocksOf("<pre>one<br><br>two\n\nthree</pre>").map((block) => block.text)).toEqual(["one two three"]);
  });

  it("reads a box that its class calls a listing as one text, however its lines are boxes", () => {
    const listing =
      '<div class="fragment"><div class="line">x = 2;</div><div class="line">y = x;</div></div><p>So.</p>';
    expect(blocksOf(listing).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      ...["code: x = 2; y = x;", "paragraph: So."],
    ]);
  });

  it("keeps a raised figure apart from the one before it, and no raised letters", () => {
    const line =
      "<p>10<sup>6</sup> or 10<sup>-3</sup> blows on the 1<sup>st</sup> day, on 4 m<sup>2</sup>, for $20<sup>1</sup></p>";
    expect(blocksOf(line).map((block) => block.text)).toEqual([
      "10^6 or 10^-3 blows on the 1st day, on 4 m2, for $20^1",
    ]);
  });

  it("raises the number of a note behind a word or a unit, and leaves powers of lengths", () => {
    const line =
      "<p>16 GB<sup>1</sup>, 2 TB/s<sup>12</sup>, ropes<sup>3</sup>, 5 mm<sup>2</sup>, n<sup>2</sup>, 4<sup>th</sup></p>";
    expect(blocksOf(line).map((block) => block.text)).toEqual(["16 GB¹, 2 TB/s¹², ropes³, 5 mm2, n2, 4th"]);
  });

  it("does not take a whole paragraph for a heading", () => {
    expect(blocksOf(`<h2>${"words ".repeat(80)}</h2><p>x</p>`).map((block) => block.kind)).toEqual([
      "paragraph",
      "paragraph",
    ]);
  });

  it("leaves invisible characters, NULs and heading marks out", () => {
    expect(blocksOf("<h2>In\u00adstall \u200b<a>¶</a></h2><p>a\0b</p><h3>#</h3>").map((block) => block.text)).toEqual([
      "Install",
      "ab",
    ]);
  });

  it("ends entries, terms, cells and rows if their end tags are left out, also below an open paragraph", () => {
    const list = "<ul><li><p><b>Flour</b><p>Sifted.<ul><li>rye<li>oats</ul><li><p><b>Water</b><p>Cold.</ul>";
    const closed =
      "<ul><li><p><b>Flour</b></p><p>Sifted.</p><ul><li>rye</li><li>oats</li></ul></li><li><p><b>Water</b></p><p>Cold.</p></li></ul>";
    expect(blocksOf(`${list}<p>Bake.`)).toEqual(blocksOf(`${closed}<p>Bake.</p>`));
    const table =
      "<table><tr><td><p>rye<td><p>1 kg<tr><td><p>oats<td>2 kg</table><dl><dt><p>mill<dd><p>grinds<dt>oven</dl>";
    expect(blocksOf(`${table}<p>Bake.`).map(({ kind, path, text }) => [kind, path.join(), text])).toEqual([
      ["row", "", "rye | 1 kg"],
      ["row", "", "oats | 2 kg"],
      ["term", "", "mill"],
      ["term", "mill", "grinds"],
      ["term", "", "oven"],
      ["paragraph", "", "Bake."],
    ]);
  });

  it("ends no more with a form than browsers do", () => {
    const form = '<form><div class="filter"><input type="hidden"></form></div>';
    const page = `<div class="page"><article><h1>Valve</h1><p>${prose}</p>${form}<h2>Closes</h2></article></div>`;
    expect(texts(page)).toEqual(["Valve", prose.trim(), "Closes"]);
  });

  it("survives unclosed and misnested tags", () => {
    expect(blocksOf("<p>one<p>two<b><i>three</b></i><ul><li>x<li>y").map((block) => block.text)).toEqual([
      "one",
      "twothree",
      "x",
      "y",
    ]);
  });

  it("takes an obfuscated address as it is shown, with any key", () => {
    const hidden = (key: number) => {
      const bytes = [key, ...new TextEncoder().encode("help@example.org").map((byte) => byte ^ key)];
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return `<p>Write to <a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${hex}">[email&#160;protected]</a>.</p>`;
    };
    expect(blocksOf(hidden(0x42))).toEqual(blocksOf(hidden(0xa7)));
    expect(blocksOf(hidden(0x42))[0]?.text).toBe("Write to [email protected].");
  });
});

describe("main content", () => {
  it("is the content of main", () => {
    const page = pageOf(furnished(`<main><h1>Install</h1><p>${prose}</p></main>`));
    expect(page.title).toBe("Install guide");
    expect(page.language).toBe("en-GB");
    expect(page.blocks.map((block) => block.text)).toEqual(["Install", prose.trim()]);
  });

  it("is found if nothing is called main", () => {
    expect(texts(furnished(`<div><h1>Install</h1><p>${prose}</p></div>`))).toEqual(["Install", prose.trim()]);
  });

  it("is the only article", () => {
    expect(texts(furnished(`<div>Promo of the week</div><article><h1>Install</h1><p>${prose}</p></article>`))).toEqual([
      "Install",
      prose.trim(),
    ]);
  });

  it("is each of several articles below one another", () => {
    const post = (title: string, times: number) => `<article><h2>${title}</h2><p>${prose.repeat(times)}</p></article>`;
    const posts = `<div class="posts">${post("Engine 2.1", 1)}${post("Engine 2.0", 5)}</div>`;
    expect(texts(furnished(posts))).toEqual(["Engine 2.1", prose.trim(), "Engine 2.0", prose.repeat(5).trim()]);
  });

  it("stays the same part while that is still possible", () => {
    const page = (beside: number) =>
      `<body><main><h1>Install</h1><p>${prose}</p></main><div>${"<p>Another thing, told beside it.</p>".repeat(beside)}</div></body>`;
    const region = (beside: number, last?: string) => pageOf(page(beside), last ? { region: last } : {}).region;
    expect([region(10), region(60)]).toEqual(["main", "page"]);
    expect([region(60, "main"), region(42, "page"), region(10, "page")]).toEqual(["main", "page", "main"]);
    expect(region(200, "main")).toBe("page");
    const nested = `<body><div class="content"><p>${prose}</p><div class="body"><p>${prose}</p></div></div><p>x</p></body>`;
    expect(pageOf(nested, { region: "named" })).toEqual(pageOf(nested));
  });

  it.each([
    ["hidden", "<div hidden>secret</div>"],
    ["display none", '<div style="display: none">secret</div>'],
    ["aria-hidden", '<span aria-hidden="true">secret</span>'],
    [
      "what a script lays over the page",
      `<div style="display: none; position: fixed; top: 0"><p>${"secret words to those who come. ".repeat(20)}</p></div>`,
    ],
    ["screen readers", '<span class="sr-only">secret</span>'],
    ["controls", "<select><option>secret</select><textarea>secret</textarea><button>secret</button>"],
    ["labels of a form", '<form><label for="a">secret</label><input id="a"></form>'],
    ["template", "<template><p>secret</p></template><noscript>secret</noscript><iframe>secret</iframe>"],
    ["dialog", '<div role="dialog"><p>secret</p></div>'],
    ["cookie banner", '<div class="cookieBanner">secret words about cookies</div>'],
    ["consent tool", '<div id="CybotCookiebotDialog"><p>secret</p></div>'],
    ["share buttons", '<div class="share-buttons"><a>secret</a></div>'],
    ["breadcrumb", '<div class="breadcrumbs"><a>secret</a> / <a>b</a></div>'],
    ["cards", '<div><a href="/a"><h3>secret</h3></a><a href="/b"><h3>Heaps</h3></a></div>'],
    ["a pager", '<div class="prev-next"><a href="/a">secret previous</a><a href="/b">secret next</a></div>'],
    ["contents", "<h2>On this page</h2><nav><a>secret</a></nav>"],
  ])("leaves out: %s", (_, html) => {
    const blocks = texts(furnished(`<main><h1>Install</h1><p>${prose}</p>${html}<p>End.</p></main>`));
    expect(blocks).toEqual(["Install", prose.trim(), "End."]);
  });

  it.each([
    [
      "a long label of a list, with a price",
      `<div><label for="b">kept: 20 EUR each month and seat, for two years or more, and all of it is paid in advance</label><select id="b"></select></div>`,
    ],
    ["a section named cookies", '<section id="cookies"><h2>Cookies</h2><p>kept</p></section>'],
    ["a heading named share", '<h2 id="share">Share</h2><p>kept</p>'],
    ["a folded answer", '<div class="faq-answer" hidden>kept</div>'],
    ["the other tab", '<div role="tabpanel" style="display:none">kept</div>'],
    ["an accordion's question", "<h3><button>kept question</button></h3><p>kept</p>"],
    ["a list of links", '<ul><li><a href="/a">kept a</a></li><li><a href="/b">kept b</a></li></ul>'],
    ["a paragraph of links", '<p><a href="/a">kept a</a> / <a href="/b">kept b</a></p>'],
    ["a paragraph whose name is a topic", '<p class="cookies">kept: <a href="/c">cookies</a> are set for a year.</p>'],
    ["a task", '<ul><li><label><input type="checkbox"> kept task</label></li></ul>'],
    ["a note aside", "<aside><p>Note: kept since version 2.</p></aside>"],
    ["a date in the article's footer", "<footer>Last updated 2026-05-01, kept</footer>"],
  ])("keeps: %s", (_, html) => {
    expect(texts(furnished(`<main><h1>Install</h1><p>${prose}</p>${html}</main>`)).join("\n")).toContain("kept");
  });

  it("keeps a page that is nothing but links", () => {
    const links = Array.from({ length: 30 }, (_, i) => `<a href="/t-${i}.whl">torch-2.${i}.whl</a><br>`).join("");
    expect(texts(`<html><body>${links}</body></html>`).join(" ")).toContain("torch-2.29.whl");
  });

  it("reads a text within an anchor that is left open as a text, and not as a link", () => {
    const sizes =
      '<div><a name="small"><p>The small anvil needs 4 GB.</p><a name="large"><p>The large one needs 8 GB.</p></div>';
    expect(texts(`<h1>Anvils</h1><p>${prose}</p>${sizes}`)).toContain("The large one needs 8 GB.");
  });

  it("reads a short section below a heading that leads to itself", () => {
    const section = '<section><h2><a href="#5">5.</a> <a href="#risks">Risks of anvils</a></h2><p>To do.</p></section>';
    expect(texts(`<h1>Anvils</h1><p>${prose}</p>${section}`)).toContain("To do.");
  });

  it("leaves menus and colophons without names out if nothing is called main", () => {
    const html = `<div><a href="/x">License</a> <a href="/x">FAQ</a> <a href="/x">Pricing</a></div><h1>Terms</h1><p>${prose}</p>
      <div><span>Resources</span><div><a href="/x">Help</a></div><div><a href="/x">Status</a></div><div><a href="/x">Careers</a></div>
      <p>Example Ltd, 1 Example Street. © 2026. All rights reserved.</p><a href="/x">Terms</a></div>`;
    expect(texts(html)).toEqual(["Terms", prose.trim()]);
  });

  it("reads the one article of a main part, and not the offer of help below it", () => {
    const help =
      "<div><h2>Do you need more help?</h2><h3>Try this:</h3><a><h4>Ask others</h4><span>They answer.</span></a></div>";
    const pageWith = (below: string) => `<main><article><h1>Terms</h1><p>${prose}</p></article>${below}</main>`;
    expect(texts(pageWith(help))).toEqual(["Terms", prose.trim()]);
    const annex = `<p>The annex: ${prose}</p>`;
    expect(texts(pageWith(annex))).toHaveLength(3);
    const titled = `<main><h1>Terms</h1><article><h1>Scope</h1><p>${prose}</p></article>${help}</main>`;
    expect(texts(titled)).toContain("Terms");
  });

  it("leaves out a menu whose links say what their pages are about", () => {
    const about =
      "How we write them, whom we ask before we change them, where we keep them, and for how long they hold.";
    const cards = ["Rules", "Reports", "Appeals"].map(
      (name) => `<a href="/${name}"><h6>${name}</h6><p>${about}</p></a>`,
    );
    const menu = `<div><a href="/"><h4>Centre</h4></a><div>${cards.join("")}</div></div>`;
    const html = `<div>${menu}<section><h1>Terms</h1></section><section><p>${prose}</p></section></div>`;
    expect(texts(html)).toEqual(["Terms", prose.trim()]);
  });

  const entries = Array.from({ length: 24 }, (_, i) => `<li><a href="/part-${i}">Part${i}</a></li>`).join("");

  it("keeps a short text beside a long menu, in a box around both", () => {
    const html = `<header><h1>Valve</h1></header><div class="columns">
      <div class="col-content"><h2>Opens</h2><p>It opens at nine bar.</p></div>
      <div class="side-menu"><ul>${entries}</ul></div></div><div>${prose}</div>`;
    expect(texts(html)).toEqual(["Valve", "Opens", "It opens at nine bar.", prose.trim()]);
  });

  it("leaves out the footer of a page of links, if hardly anything else is said", () => {
    const footer =
      "<footer><div><p>Valve and the valve's own picture are marks of the Engine Company.</p></div></footer>";
    const html = `<div><h1>Parts</h1><ul>${entries}${entries}</ul></div>${footer}`;
    expect(texts(html)).toHaveLength(1 + 48);
  });

  it("leaves out a menu under the name of the site, if the text has a title of its own", () => {
    const menu = `<div id="navigation"><h1>Engine</h1><h2>Parts</h2><ul>${entries}</ul></div>`;
    const html = (title: string) =>
      `<div id="main">${menu}<div>${title}<p>It opens at nine bar, and closes at six.</p></div></div>`;
    expect(texts(html("<h1>Valve</h1>"))).toEqual(["Valve", "It opens at nine bar, and closes at six."]);
    expect(texts(html(""))).toContain("Part9");
  });
});

describe("parts of content", () => {
  const guide = (part: string) =>
    texts(furnished(`<main><h1>Guide</h1><p>${prose}${prose}</p>${part}<p>${prose} At the end.</p></main>`));

  it.each([
    "scroll-mt-[calc(var(--nav-height)+1rem)] py-8",
    "scroll-mt-(--navbar-height)",
    "group-has-[.sidebar]:pl-4",
    "lg:group-data-[sidebar=open]:pl-4",
    "max-w-[calc(100%-var(--sidebar-width))]",
    "section no-toc",
    "content has-sidebar",
    "page-section--without-nav",
    "row with-sidebar",
  ])("are no furniture by a class that names another part: %s", (classes) => {
    expect(guide(`<section class="${classes}"><p>The free tier has 10 requests a day.</p></section>`)).toContain(
      "The free tier has 10 requests a day.",
    );
  });

  it.each(["sidebar", "page-nav", "md:toc", "hidden lg:sidebar", "has-shadow footer"])(
    "are so by one that names their own: %s",
    (classes) => {
      expect(guide(`<div class="${classes}"><p>Not of the text.</p></div>`)).not.toContain("Not of the text.");
    },
  );

  it.each([
    ["until a search finds it", `<h3>The limit?</h3><div hidden="until-found"><p>It is 50 MB.</p></div>`, true],
    [
      "until its button is pressed",
      `<h3><button aria-expanded="false" aria-controls="a">The limit?</button></h3><div id="a" hidden><p>It is 50 MB.</p></div>`,
      true,
    ],
    ["by nothing that unfolds it", `<h3>The limit?</h3><div hidden><p>It is 50 MB.</p></div>`, false],
    [
      "as a menu",
      `<button aria-expanded="false" aria-controls="m">Menu</button><div id="m" hidden><a href="/a">It is 50 MB.</a></div>`,
      false,
    ],
  ])("that are hidden %s", (_, part, isRead) => {
    expect(guide(part).some((text) => text.includes("50 MB"))).toBe(isRead);
  });
});

describe("select and ignore", () => {
  const html = furnished(
    `<main><h1>A</h1><div class="x"><p>one</p><div class="x">two</div></div><p class="y">three</p></main>`,
  );

  it("takes selected elements once, and leaves out ignored ones", () => {
    expect(pageOf(html, { select: [".x", ".y"] }).blocks.map((block) => block.text)).toEqual(["one", "two", "three"]);
    expect(pageOf(html, { select: [".x"], ignore: ["p"] }).blocks.map((block) => block.text)).toEqual(["two"]);
    expect(pageOf(html, { select: ["footer"] }).blocks.map((block) => block.text)).toContain("© 2026 Example Inc.");
  });

  it("says when nothing matches", () => {
    expect(() => pageOf(html, { select: [".gone"] })).toThrow(expect.objectContaining({ kind: "no-match" }));
  });

  it("distinguishes selectors from other text", () => {
    expect(validSelector("main > .content:not(.ad)")).toBe(true);
    expect(validSelector("main >> [")).toBe(false);
  });
});

describe("nasty markup", () => {
  const many = inputSize(200_000, 20_000);

  it.each([
    ["more than 5 MB in one line", () => `<p>${"word ".repeat(1_000_001)}</p>`, "too-large"],
    ["half a million deep", () => "<div>".repeat(500_000), "malformed"],
    ["deep in a template", () => `<template>${"<b>".repeat(500_000)}`, "malformed"],
  ])("refuses %s, at once", (_, html, kind) => {
    const start = processorTime();
    expect(() => pageOf(html())).toThrow(expect.objectContaining({ kind }));
    expectTime(processorTime() - start, 10_000);
  });

  it("keeps code within code once", () => {
    const [block] = blocksOf(`<p>${"<code>".repeat(100)}mill${"</code>".repeat(100)} <code>-v</code></p>`);
    expect(block).toMatchObject({ text: "mill -v", code: "mill\n-v" });
  });

  it("refuses more blocks, letters or elements than the limit, and no fewer", () => {
    const paragraphs = "<p>word</p>".repeat(10);
    expect(blocksOf(paragraphs, new Size({ blocks: 10, characters: 40 }))).toHaveLength(10);
    expect(pageOf(paragraphs, {}, new Size({ blocks: 10, characters: 40 })).blocks).toHaveLength(10);
    for (const [limits, kind] of [
      [{ blocks: 9 }, "too-many"],
      [{ characters: 39 }, "too-large"],
    ] as const) {
      const refused = expect.objectContaining({ kind });
      expect(() => blocksOf(paragraphs, new Size(limits))).toThrow(refused);
      expect(() => pageOf(paragraphs, {}, new Size(limits))).toThrow(refused);
    }
    expect(treeOf(paragraphs, undefined, 10).children).toHaveLength(10);
    expect(() => treeOf(paragraphs, undefined, 9)).toThrow(expect.objectContaining({ kind: "too-many" }));
  });

  it("refuses the 200,001st block", () => {
    const size = new Size();
    for (let i = 0; i < 200_000; i++) size.count();
    expect(() => size.count()).toThrow("more than 200000 entries");
  });

  it.each([
    ["very many blocks", () => "<p>x</p>".repeat(many), many],
    ["3,000 deep", () => `${"<div>".repeat(3_000)}x`, 1],
    ["a script without an end", () => "<p>x</p><script>".padEnd(100_000, "<p>y"), 1],
    ["two million brackets", () => `<p>x</p>${"<".repeat(2_000_000)}`, 2],
  ])("reads %s", (_, html, blocks) => {
    expect(blocksOf(html())).toHaveLength(blocks);
  });
});
