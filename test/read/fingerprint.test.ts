import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintOf, stripPage } from "../../src/read/html/fingerprint.ts";
import { pageOf } from "../../src/read/html/html.ts";
import { page } from "../../src/read/kinds/page.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { runs } from "../support/runs.ts";
import { response, source } from "./given.ts";

const words = "This backend runs on all of the devices that are listed below, and on some that are not.";

const visit = (token: string) => `<!doctype html><html lang="en"><head><meta name="csrf" content="${token}">
  <link rel="stylesheet" href="/main.${token}.css"><script nonce="${token}">let at = "<p>${token}"</script><title>Backends</title>
  <style>.c-${token}{color:red}</style></head><body data-build="${token}"><!-- ${token} -->
  <main><h1>Backends</h1><p>${words} <a href="/list?session=${token}" onclick="count('${token}')">More</a></p>
  <img src="/${token}.png"><script>${token}</script></main></body></html>`;

/** Of a whole page. */
const fingerprint = (type: string, html: string) => fingerprintOf(type, stripPage(html));

describe("the fingerprint of a page", () => {
  const known = fingerprint("text/html", visit("a"));

  test("is the same in other tokens, addresses, scripts, styles and comments", () => {
    expect(fingerprint("text/html", visit("b7"))).toBe(known);
  });

  test.each([
    ["another word", (html: string) => html.replace("some that", "others that")],
    ["another title", (html: string) => html.replace("<title>Backends", "<title>Devices")],
    ["another language", (html: string) => html.replace('lang="en"', 'lang="de"')],
    ["a part that is hidden now", (html: string) => html.replace(`<p>${words}`, `<p hidden>${words}`)],
    ["a part of another name", (html: string) => html.replace(`<p>${words}`, `<p class="sr-only">${words}`)],
    ["a link to a place in the page", (html: string) => html.replace("/list?", "#list?")],
    ["another element", (html: string) => html.replaceAll("h1", "h2")],
  ])("is another with %s", (_, changed) => {
    const html = changed(visit("a"));
    expect(html).not.toBe(visit("a"));
    expect(fingerprint("text/html", html)).not.toBe(known);
  });

  test("is another with another icon", () => {
    const [yes, no] = ["yes", "no"].map((icon) =>
      fingerprint("text/html", `<table><td><svg><use href="#${icon}"/></svg></table>`),
    );
    expect(yes).not.toBe(no);
  });

  test("is another if a template became a shadow root", () => {
    const [template, root] = ["", " shadowrootmode=open"].map((mode) =>
      fingerprint("text/html", `<x-a><template${mode}><p>A</p></template></x-a>`),
    );
    expect(template).not.toBe(root);
  });

  test.each([
    [
      "the file that a page is made from",
      `<main><h1>Backends</h1><small>Source: <a href="https://forge.example/m/engine/blob/1a2b3c4/R/heap.R">R/heap.R</a></small><p>${words}</p></main>`,
    ],
    [
      "files to fetch",
      `<main><h1>Files</h1><p>${words}</p><div><ul>${["a", "b", "c"].map((name) => `<li><a href="/${name}.zip?t=1">${name}</a></li>`).join("")}</ul></div></main>`,
    ],
  ])("keeps all parts of addresses that a reading needs: %s", (_, html) => {
    expect(pageOf(stripPage(html))).toEqual(pageOf(html));
  });

  test("is another if a link leads to a place in the page, and led nowhere", () => {
    const [place, nowhere] = ["#close", "#"].map((href) =>
      fingerprint("text/html", `<p><a href="${href}">Close</a></p>`),
    );
    expect(place).not.toBe(nowhere);
  });

  test("is another if the answer says that it is something else", () => {
    expect(fingerprint("application/json", visit("a"))).not.toBe(known);
  });

  test("is none if config has selectors, which may ask for anything", () => {
    const came = response(visit("a"), { headers: { "content-type": "text/html" } });
    expect(page.fingerprint?.(came, source(page))).toBe(known);
    for (const options of [{ select: ["main"] }, { ignore: ["[data-build=b]"] }]) {
      expect(page.fingerprint?.(came, source(page, options))).toBeUndefined();
    }
  });
});

describe("a page without all that no reading rests on", () => {
  const elements = (
    "script style title textarea xmp svg use math select option noscript template iframe head body html div p ul li table tr td a h1 " +
    "h2 main article section nav footer header span b br img link meta base button input desc foreignObject label pre details dl " +
    "dt dd SCRIPT Title A"
  ).split(" ");
  const attributes = [
    ...[
      'class="x y"',
      "class=sr-only",
      'id="a"',
      "hidden",
      "hidden =x",
      "=x",
      "a/b",
      "/",
      '"',
      "'",
      "nonce=1",
      "lang=de",
    ],
    ...['href="#x"', 'href="/"', "href=/en/", 'href="x?y=1&amp;z#q"', "href='https://a.b/?c&num;'", "href=a/", "href"],
    ...['xlink:href="#yes"', 'href="/i.svg#icon-check"', 'class="icon-no"'],
    ...['href=""', "href = '#'", 'HREF="#"', 'src="x>y"', "data-x='<script>'", 'onclick="a<b"', "role=navigation"],
    ...[
      'aria-label="v"',
      "alt=pic",
      "type=checkbox",
      "disabled",
      "data-noindex",
      "style='display:none'",
      "xml:lang=fr",
    ],
    ...["aria-controls=a aria-expanded=false"],
  ];
  const pieces = [
    ...[
      "<!--",
      "-->",
      "<!-->",
      "<!--->",
      "--!>",
      "<!->",
      "<!",
      "<!x",
      "<!doctype html>",
      "<![CDATA[",
      "]]>",
      "<![if a]>",
    ],
    ...["<?xml a?>", "<?", "</", "</>", "< ", "<", ">", "</scr", "ipt>", "</script", "</script/>", "</script\n>"],
    ...[
      "</title\t>",
      "</style >",
      "\x1c/script>",
      "&am",
      "p;",
      "&lt;",
      "&",
      "&#60;",
      "&quot",
      " ",
      "\n",
      "\t",
      "\u00a0",
    ],
    ...["all", " rights", " reserved", "©", "word", `${words} `, "1.2", ":", "Skip to content", "Edit this page", "\0"],
  ];
  const tag = fc
    .tuple(
      fc.constantFrom(...elements),
      fc.array(fc.constantFrom(...attributes), { maxLength: 3 }),
      fc.constantFrom(">", "/>", " / >", "", " ", "\n>"),
    )
    .map(([name, own, end]) => `<${[name, ...own].join(" ")}${end}`);
  const endTag = fc.constantFrom(...elements).chain((name) => fc.constantFrom(`</${name}>`, `</${name} x=">">`));
  const markup = fc
    .array(fc.oneof(tag, endTag, fc.constantFrom(...pieces)), { maxLength: 40 })
    .map((parts) => parts.join(""));

  test("reads as the page does, with any markup", () => {
    fc.assert(
      fc.property(markup, (html) => {
        expect(pageOf(stripPage(html))).toEqual(pageOf(html));
      }),
      { numRuns: runs(3_000) },
    );
  });

  test.each([
    ["tags that do not end", "<a ".repeat(300_000)],
    ["quotes that do not end", `<a href="x" title='`.repeat(50_000)],
    ["scripts that do not end", "<script>".repeat(120_000)],
    ["scripts that nearly end", `<script>${"</script".repeat(120_000)}`],
    ["comments that do not end", "<!--".repeat(250_000)],
    ["comments", "<!---->".repeat(140_000)],
    ["signs", "<".repeat(1_000_000)],
    ["attributes", `<a${" href=../x".repeat(90_000)}>`],
    ["an address", `<a href="${"../".repeat(300_000)}x">`],
    ["white space", `<p>${" ".repeat(500_000)}<!-- -->${" ".repeat(500_000)}x`],
  ])("takes a megabyte of %s in time", (_, html) => {
    const begun = processorTime();
    fingerprint("text/html", html);
    expectTime(processorTime() - begun, 400);
  });
});
