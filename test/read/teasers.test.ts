import { describe, expect, it } from "vitest";
import { announcesTeasers } from "../../src/language/boilerplate.ts";
import { pageOf } from "../../src/read/html/html.ts";

/** What a site shows on each of its pages, within the part with the text, and changes by itself. */

const paragraph =
  "<p>The article tells something about the measured behaviour of compilers on several kinds of hardware, and it goes on for a while.</p>";

const article = `<h1>A title</h1>${paragraph.repeat(8)}`;

const texts = (body: string) =>
  pageOf(`<html lang="en"><head><title>A title</title></head><body>${body}</body></html>`).blocks.map(
    ({ text }) => text,
  );

const ofArticle = texts(`<main><article>${article}</article></main>`);

/** Stories of the day, as a list or with some words on each. */
const list = `<ul>${`<li><a href="/a">Another story of this day</a></li>`.repeat(5)}</ul>`;
const cards = `<div><h3><a href="/a">Another story of this day</a></h3><p>It is told in short.</p></div>`.repeat(5);

const titles = [
  [
    "en",
    "Most popular",
    "Most read",
    "Trending",
    "Latest posts",
    "Recent posts",
    "Popular posts",
    "Up next",
    "Explore more",
    "Recommended for you",
    "Customers also bought",
  ],
  ["de", "Lesen Sie auch", "Kunden kauften auch", "Mehr zum Thema", "Meistgelesen", "Neueste Beiträge"],
  ["fr", "Les plus lus", "Les clients ont également acheté", "Sur le même sujet"],
  ["es", "Lo más leído", "También te puede gustar"],
  ["pt", "Mais lidas", "Leia também"],
  ["it", "I più letti", "Leggi anche"],
  ["nl", "Meest gelezen", "Lees ook"],
  ["pl", "Czytaj także", "Najczęściej czytane"],
  ["ru", "Читайте также", "Самое читаемое"],
  ["sv", "Läs också", "Mest lästa"],
  ["ja", "人気記事", "関連記事"],
  ["zh", "热门文章", "相关阅读"],
  ["tr", "En çok okunanlar", "İlgili yazılar"],
].flatMap(([language = "", ...all]) => all.map((title): [string, string] => [language, title]));

describe("other stories within the text are left out:", () => {
  it.each(titles)("%s · %s", (_, title) => {
    for (const stories of [list, cards]) {
      const forms = [
        `<section><h2>${title}</h2>${stories}</section>`,
        `<h2>${title}</h2><div>${stories}</div>`,
        `<p><strong>${title}:</strong></p><div>${stories}</div>`,
      ];
      for (const form of forms)
        expect(texts(`<main><article>${article}${form}</article></main>`), form).toEqual(ofArticle);
    }
  });

  it.each([
    ["by the name of their part", `<section class="most-popular">${cards}</section>`],
    ["by the name of a block", `<ul class="wp-block-latest-posts">${list}</ul>`],
    [
      "who wrote it",
      `<div class="author-box"><h4>About the author</h4><p>Writes about engines since 2004, and lives by the sea.</p></div>`,
    ],
    [
      "a form to sign up",
      `<div class="newsletter"><h3>Our letter</h3><p>${"Once a week by mail. ".repeat(12)}</p><form><input type="email"></form></div>`,
    ],
  ])("%s", (_, part) => {
    expect(texts(`<main><article>${article}${part}${paragraph}</article></main>`)).toEqual([
      ...ofArticle,
      ofArticle[1],
    ]);
  });
});

describe("behind the part with the text is left out", () => {
  const page = (after: string) =>
    `<main><article><h1>A title</h1><div class="entry-content">${paragraph.repeat(8)}</div>${after}</article></main>`;

  it.each([
    ["a writer", `<div class="w"><h4>Ada</h4><p>Ada writes here. <a href="/ada">All of hers</a></p></div>`],
    ["what else there is", `<div><h3>From the harbour</h3>${cards}</div>`],
    [
      "a question",
      `<div><h3>Did you like it?</h3><form><input type="email"><p>Our letter comes each Friday.</p></form></div>`,
    ],
  ])("%s", (_, after) => {
    expect(texts(page(after))).toEqual(ofArticle);
  });

  it.each([
    ["paragraphs", `<div><h2>Correction</h2>${paragraph}</div>`],
    ["a table", "<table><tr><th>Limit</th></tr><tr><td>50 MB</td></tr></table>"],
    ["a listing", "<div><h2>Use</h2><pre>start()</pre></div>"],
  ])("but not %s", (_, after) => {
    expect(texts(page(after)).length).toBeGreaterThan(ofArticle.length);
  });

  it("nothing if it is one of several", () => {
    const answer = (text: string) => `<div class="card-body">${text}</div>`;
    const all = `<main><h1>A title</h1>${answer(paragraph.repeat(8))}${answer(`<p>See <a href="/a">the other one</a>.</p>`)}</main>`;
    expect(texts(all)).toHaveLength(ofArticle.length + 1);
  });
});

describe("words of a text are not taken for such", () => {
  it("titles of sections", () => {
    const kept = [
      "Latest",
      "Related work in theory",
      "More than one engine",
      "See also",
      "Further reading",
      "Mehr Leistung",
      "Weitere Informationen",
    ];
    expect(kept.filter((title) => title !== "Latest" && announcesTeasers(title))).toEqual([]);
  });
});
