import { expect, test } from "vitest";
import { pageOf } from "../../src/read/html/html.ts";

/** What is between the title and the part that holds the content belongs to the page. */

const told =
  "<p>The mill grinds what the cart brings. It stands still when the wind does, and on the days of rest.</p>".repeat(5);
const page = (head: string, part = "div") =>
  `<body><nav><a href="/">Home</a></nav>${head}<${part} class="contents">${told}</${part}><footer>Made of oak</footer></body>`;
const textsOf = (html: string) =>
  pageOf(html)
    .blocks.map(({ text }) => text)
    .slice(0, 3);
const title = '<div class="header"><h1>Millstone</h1></div>';

test.each(["div", "main", "article"])("a notice between the title and the content, in a %s, is read", (part) => {
  expect(textsOf(page(title, part))[0]).toBe("Millstone");
  const texts = textsOf(page(`${title}<p>This stone is no longer cut.</p>`, part));
  expect(texts.slice(0, 2)).toEqual(["Millstone", "This stone is no longer cut."]);
});

test("a long part with the title is read if it is the document's title: it has its state and its versions", () => {
  const versions = `<dl><dt>Latest version:<dd>${"<a href='/3'>https://stones.example.org/3.0</a> ".repeat(30)}</dl>`;
  const head = `<div class="head"><h1>Millstone</h1><h2>Draft 3.0, 3 May 2026</h2>${versions}</div>`;
  const parts = page(`${head}<div><h2>Status</h2><p>A later draft may replace this one.</p></div>`);
  const titled = (name: string) => pageOf(`<title>${name}</title>${parts}`).blocks.map(({ text }) => text);
  expect(titled("Millstone")).toContain("Draft 3.0, 3 May 2026");
  expect(titled("Millstone")).not.toContain("Status");
  expect(titled("Stones and mills")).not.toContain("Draft 3.0, 3 May 2026");
});

test("a menu with the site's name above the content is not the title", () => {
  const menu = '<div id="bar"><a href="https://stones.example.org"><h1>Stones</h1></a><a href="/a">Sails</a></div>';
  expect(textsOf(page(menu, "article"))).not.toContain("Stones");
});

test("a menu between them, or a text without a title above it, is not", () => {
  const menu = '<ul class="menu"><li><a href="/a">Stones</a></li><li><a href="/b">Sails</a></li></ul>';
  expect(textsOf(page(`${title}${menu}`))).not.toContain("Stones");
  expect(textsOf(page("<p>This stone is no longer cut.</p>"))).not.toContain("This stone is no longer cut.");
});

test("text below the main part belongs to the document if a heading is in no box, as of references", () => {
  const references = "<h2>References</h2><dl><dt>[OAK]<dd>Oak for mills, 3 May 2026.</dl>";
  const textsBelow = (below: string) => pageOf(`<body><main>${told}</main>${below}`).blocks.map(({ text }) => text);
  const site = '<div id="site-footer"><a href="/">Home</a> <a href="/mills">All mills</a> © Stones</div>';
  const box = "<aside>Oak is used in: <ul><li><a href='#1'>1. Stones</a></ul></aside>";
  const texts = textsBelow(`<div><h2>Terms</h2><p>A stone is round.</p></div>${references}${box}${site}`);
  expect(texts.slice(5)).toEqual(["Terms", "A stone is round.", "References", "[OAK]", "Oak for mills, 3 May 2026."]);
  expect(textsBelow(`<div>${references}</div>`)).toHaveLength(5);
  expect(textsBelow(`<h2 hidden>More</h2><div>Made of oak</div>`)).toHaveLength(5);
});

test("the last reading does not decide which of several boxes around the title is read", () => {
  const sized = (letters: number) => "The mill grinds. ".repeat(letters / 14);
  const html = `<body><div><p>${sized(280)}</p><div><h1>Mills</h1><p>${sized(700)}</p></div></div><p>${sized(14)}</p>`;
  const first = pageOf(html);
  expect(first.region).toBe("titled");
  expect(pageOf(html, { region: "titled" }).blocks).toEqual(first.blocks);
});

test("a footer that is too much to read does not keep the content from being read", () => {
  const footer = `<footer>${Array.from({ length: 6 }, (_, i) => `<h${i + 1}>${"Oak ".repeat(60)}</h${i + 1}>`).join("")}${"<p>o</p>".repeat(20_000)}</footer>`;
  const { around, blocks } = pageOf(page(title).replace(/<footer>.*<\/footer>/, footer));
  expect(around).toBeUndefined();
  expect(blocks[0]?.text).toBe("Millstone");
});

test("a header of links, buttons and labels is the site's, also above a page that says little", () => {
  const brand = '<a href="/"><div class="brand">The mill book 3.2</div></a>';
  const header = (more: string) =>
    `<header><label for="menu"><div>Show the menu</div></label>${brand}<button>Dark</button>${more}</header>`;
  const little = "<div><h1>Millstone</h1><p>To be written.</p></div>";
  expect(textsOf(`<body>${header("")}${little}</body>`)).toEqual(["Millstone", "To be written."]);
  expect(textsOf(`<body>${header("<p>No longer cut.</p>")}${little}</body>`)).toContain("No longer cut.");
});
