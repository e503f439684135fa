import { describe, expect, it } from "vitest";
import { pageOf } from "../../src/read/html/html.ts";

/** What is never a page's text, however much it says, and text that has the names of such parts. */

const paragraph = (number: number) =>
  `<p>Sentence number ${number} of the article tells something about the measured behaviour of compilers on several kinds of hardware, and it goes on for a while.</p>`;

const paragraphs = (count: number, from = 0) => Array.from({ length: count }, (_, i) => paragraph(from + i)).join("");

const article = `<h1>A title</h1>${paragraphs(8)}`;

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>A title</title></head><body>${body}</body></html>`;

const texts = (html: string) => pageOf(html).blocks.map(({ text }) => text);

const ofArticle = texts(page(`<main>${article}</main>`));

const entries = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `<li><a href="/t${i}">Topic ${i} about things that people look for here</a></li>`,
  ).join("");

const services = Array.from(
  { length: 40 },
  (_, i) =>
    `<div><p>Service ${i}: Anonymous evaluation for the correction of errors and further development.</p></div>`,
).join("");

const comments = (count: number, names = "comment") =>
  Array.from(
    { length: count },
    (_, i) => `<li class="${names}"><p>Reader ${i} agrees with most of it, as ever.</p></li>`,
  ).join("");

describe("in place of the article nothing is read of", () => {
  it.each([
    [
      "a menu in the page's header that is named like content",
      `<header><nav><div id="navi-main"><ul>${entries(80)}</ul></div></nav></header>`,
    ],
    ["a menu in a header without a nav", `<header><div class="header-content"><ul>${entries(80)}</ul></div></header>`],
    ["the panel of a menu", `<nav><div class="dropdown-content"><ul>${entries(80)}</ul></div></nav>`],
    ["a menu beside the page", `<aside><div class="offcanvas-body"><ul>${entries(80)}</ul></div></aside>`],
    [
      "a footer with a part that is named like content",
      `<footer><div class="footer-content">${services}</div></footer>`,
    ],
    ["a dialog", `<dialog><div class="dlg-body">${services}</div></dialog>`],
    [
      "a modal dialog of another element",
      `<div role="dialog" aria-modal="true"><div class="modal-body">${services}</div></div>`,
    ],
    ["a consent tool", `<div id="onetrust-consent-sdk"><div id="ot-pc-content">${services}</div></div>`],
    [
      "a consent tool that nobody knows, hidden",
      `<div style="display:none"><div class="details-content">${services}</div></div>`,
    ],
    ["what is hidden", `<div hidden><section class="settings-body">${services}</section></div>`],
  ])("%s", (_, around) => {
    const main = `<section id="main"><div class="article">${article}</div></section>`;
    expect(texts(page(around + main))).toEqual(ofArticle);
    expect(texts(page(main + around))).toEqual(ofArticle);
    expect(texts(page(`<main><article>${article}</article></main>${around}`))).toEqual(ofArticle);
  });
});

describe("a page that says less than what is around it", () => {
  const notes = `<h1>A title</h1>${paragraphs(3)}`;

  it.each([
    ["the weather in its header", `<header><div><h3>Weather</h3><p>Mild.</p></div>${services}</header>`, ""],
    ["its header, without a heading", `<header><p>Mild.</p>${services}</header>`, ""],
    ["the agenda beside it", "", `<div id="sidebar"><h2>Agenda</h2>${services.slice(0, services.length / 10)}</div>`],
  ])("is read without %s", (_, above, below) => {
    expect(texts(page(`${above}${notes}${below}`))).toEqual(texts(page(notes)));
  });

  it("is read with a text that only a script can unfold", () => {
    const folded = `<div onclick="show('life')">Life</div><div id="life" style="display:none">${paragraphs(5, 3)}</div>`;
    expect(texts(page(notes + folded))).toHaveLength(10);
  });

  it("is read with a header that holds its title", () => {
    const header = `<header><h1>A title</h1>${paragraphs(8)}</header>`;
    expect(texts(page(`${header}${paragraphs(3, 8)}`))).toHaveLength(12);
  });
});

describe("a page whose end of the head is left out", () => {
  it.each([
    ["with its body", `<!doctype html><html lang="en"><head><title>A title</title>${article}`],
    [
      "and holds a part of the text",
      `<!doctype html><html lang="en"><head><title>A title</title><div>${article}</div></head><body></body></html>`,
    ],
    ["before its body", `<!doctype html><html lang="en"><head><title>A title</title><body>${article}</body></html>`],
  ])("%s, is read", (_, html) => {
    expect(texts(html)).toEqual(ofArticle);
    expect(pageOf(html).title).toBe("A title");
  });
});

describe("sections of a text are read, though all of them are named", () => {
  it.each(
    "toc-1 TOC_TITLE_1 toc-section Report__Section--Ads feedback-section announcement-section menu-section modal-1 sidebar-1 pagination popup-text newsletter-section"
      .split(" ")
      .flatMap((name) => [
        [name, "id"],
        [name, "class"],
      ]),
  )("%s, by their %s", (name, attribute) => {
    const section = (i: number) =>
      `<div class="css-0"><section ${attribute}="${name}"><h2>Part ${i}</h2>${paragraphs(4, 4 * i)}</section></div>`;
    const all = Array.from({ length: 5 }, (_, i) => section(i)).join("");
    for (const body of [`<article><h1>A title</h1>${all}</article>`, `<main><h1>A title</h1>${all}</main>`]) {
      expect(texts(page(body))).toHaveLength(1 + 5 * 5);
    }
  });
});

describe("the talk of a page's readers is none of its text:", () => {
  it.each([
    [
      "a list in the main part",
      `<div id="comments" class="comments-area"><ol class="comment-list">${comments(3)}</ol></div>`,
    ],
    ["one that says more than the text", `<div id="comments"><ol class="commentlist">${comments(90)}</ol></div>`],
    [
      "one in which each is an article",
      `<section class="post-comments"><h2>90 comments</h2>${`<article>${paragraph(1)}</article>`.repeat(90)}</section>`,
    ],
    [
      "one without a name, in which each can be answered",
      `<ul class="members">${`<li><a href="/u">Ada</a><time>1. 2.</time>${paragraph(1)}<span class="reply"><a href="/r">Reply</a></span></li>`.repeat(5)}</ul>`,
    ],
    ["one in German", `<section id="kommentare"><h3>12 Kommentare</h3><ol>${comments(5, "k")}</ol></section>`],
    [
      "the form to write in",
      `<div id="respond" class="comment-respond"><h3>Leave a comment</h3><p>Your address is not shown. Required fields are marked *</p><form><textarea></textarea></form></div>`,
    ],
  ])("%s", (_, talk) => {
    expect(texts(page(`<main><article>${article}</article>${talk}</main>`))).toEqual(ofArticle);
    expect(texts(page(`<main><article>${article}${talk}</article></main>`))).toEqual(ofArticle);
    expect(texts(page(`<div id="content">${article}${talk}</div>`))).toEqual(ofArticle);
  });

  it("a thread with a main part of its own", () => {
    const talk = `<div role="main"><ol class="commentlist">${comments(400)}</ol></div>`;
    expect(texts(page(`<div role="main"><article>${article}</article></div>${talk}`))).toEqual(ofArticle);
  });

  it.each([
    ["where there is nothing else", `<main><h1>A question</h1><ol class="comment-list">${comments(30)}</ol></main>`],
    [
      "where a heading gives the name",
      `<main>${article}<section id="comments"><h2>Comments</h2>${paragraphs(2, 9)}</section></main>`,
    ],
    [
      "where it comments on what happens",
      `<main>${article}<div class="live-match-comments">${paragraphs(2)}</div></main>`,
    ],
    ["where it describes code", `<main>${article}<div class="tsd-comment">${paragraphs(2)}</div></main>`],
  ])("but %s", (_, body) => {
    expect(texts(page(body)).length).toBeGreaterThan(ofArticle.length);
  });
});
