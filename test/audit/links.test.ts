import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindOfResponse, linksOf, relationsOf, successorsOf, twinsOf } from "../../src/audit/links.ts";
import { runInWorker } from "../../src/audit/tasks.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Workers } from "../../src/model/ports/index.ts";
import { anySign } from "../support/any-sign.ts";
import { runs } from "../support/runs.ts";

const at = "https://docs.example/en/2.1/guide/use.html";
const none = { feeds: [], texts: [], all: [] };

describe("links of a page", () => {
  test("are resolved against where it was found, or its own base", () => {
    const html = '<link rel="alternate stylesheet" type="APPLICATION/RSS+XML; charset=x" href="../feed.xml#x">';
    expect(linksOf(html, at).feeds).toEqual(["https://docs.example/en/2.1/feed.xml"]);
    expect(linksOf(`<base href="https://other.example/a/">${html}`, at).feeds).toEqual([
      "https://other.example/feed.xml",
    ]);
  });

  test("feeds of comments, other schemes and credentials are none", () => {
    const html = `
      <link rel="alternate" type="application/rss+xml" title="Comments on it" href="/f1">
      <link rel="alternate" type="application/rss+xml" href="/comments/feed/">
      <link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
      <link rel="alternate" type="application/rss+xml" href="https://a:b@docs.example/f">
      <link rel="stylesheet" type="application/rss+xml" href="/f2">
      <a href="/blog/feed/">RSS</a><a href="feeding.html">no</a>`;
    expect(linksOf(html, at).feeds).toEqual(["https://docs.example/blog/feed/"]);
  });

  test("sources, the folder of a documentation, the canonical address, another report", () => {
    const html = `<link rel="canonical" href="/en/stable/guide/use.html"><link rel="search" href="../search.html">
      <a href="../_sources/guide/use.rst.txt">View page source</a><a href="status.json">status.json</a>`;
    expect(linksOf(html, at)).toMatchObject({
      texts: ["https://docs.example/en/2.1/_sources/guide/use.rst.txt"],
      root: "https://docs.example/en/2.1/",
      canonical: "https://docs.example/en/stable/guide/use.html",
      status: "https://docs.example/en/2.1/guide/status.json",
    });
  });

  test.each([
    ['<script src="../recheck/recheck-margin.js" defer></script>', "https://docs.example/en/2.1/recheck/status.json"],
    [
      '<script src="/recheck-margin.js?v=2" data-status="https://b.example/s/status.json"></script>',
      "https://b.example/s/status.json",
    ],
    ['<script src="/app.js"></script><script>recheck-margin.js</script>', undefined],
  ])("another report, by the script in its margin: %s", (html, status) => {
    expect(linksOf(`<head>${html}</head><p>It works.</p>`, at).status).toBe(status);
  });

  test("with any content, in bounded time", () => {
    fc.assert(
      fc.property(fc.string({ unit: anySign, maxLength: 200 }), (html) => {
        for (const one of linksOf(`<a href="${html}"><link rel=alternate type=text/markdown href=${html}>`, at).all)
          expect(one).toMatch(/^https?:/);
      }),
      { numRuns: runs(100) },
    );
    const many = linksOf(`<a href="/x">${'<a href="/y">'.repeat(100_000)}`, at);
    expect(many.all.length).toBeLessThanOrEqual(2);
    expect(linksOf("<div>".repeat(100_000), at).all).toEqual([]);
  });
});

describe("replacements for a page", () => {
  test("the current version: the page's own link to it first", () => {
    const canonical = "https://docs.example/en/stable/guide/use.html";
    expect(successorsOf(at, { ...none, canonical })).toEqual([
      canonical,
      "https://docs.example/en/latest/guide/use.html",
    ]);
    expect(successorsOf(at, { ...none, all: [canonical] })[0]).toBe(canonical);
    expect(successorsOf("https://docs.example/blog/one", { ...none, canonical: "https://elsewhere.example/" })).toEqual(
      [],
    );
  });

  test.each([
    "https://works.example/licenses/by/4.0/",
    "https://proceedings.example/v54/kites.html",
    "https://body.example/standards/kites/9.0/",
    "https://body.example/ecma-402/9.0/",
  ])("none for a work whose editions all count: %s", (address) => {
    expect(successorsOf(address, none)).toEqual([]);
  });

  test("its text: declared, in Sphinx's place, or beside it", () => {
    const of = (address: string, links: Partial<Parameters<typeof twinsOf>[1]> = {}) =>
      twinsOf(address, { ...none, ...links }).map((one) => one.address);
    expect(of("https://a.example/x/")).toEqual(["https://a.example/x.md", "https://a.example/x.md.txt"]);
    expect(of("https://a.example/x.html", { texts: ["https://a.example/t"] })).toEqual([
      "https://a.example/t",
      "https://a.example/x.md",
      "https://a.example/x.md.txt",
    ]);
    expect(of("https://a.example/en/x.html", { root: "https://a.example/en/" })).toEqual([
      "https://a.example/en/_sources/x.rst.txt",
      "https://a.example/en/_sources/x.md.txt",
    ]);
    for (const bare of ["https://a.example/", "https://a.example/x?page=1", "https://a.example/x.php"])
      expect(of(bare), bare).toEqual([]);
  });
});

describe("whether a feed is about a page", () => {
  const items = ["a", "b", "c", "d", "e"].map((id) => ({ id, title: id, url: `https://s.example/blog/${id}` }));
  const linked = (count: number) => items.slice(0, count).map(({ url }) => url);
  test.each([
    ["most of its entries are linked", "https://s.example/blog", linked(3), undefined, "lists"],
    ["few are", "https://s.example/docs", linked(2), undefined, undefined],
    ["the page is an entry", "http://www.s.example/blog/c/", [], undefined, "instead"],
    ["a frozen page of its folder", "https://s.example/blog/z", [], "it is a post", "stands in"],
    ["a frozen page of another folder", "https://s.example/docs/1.2/z", [], "its address holds a version", undefined],
    ["a frozen page of another site", "https://t.example/blog/z", [], "it is a post", undefined],
  ])("%s", (_, address, links, frozen, wanted) => {
    const page = { address, links, ...(frozen && { frozen }) };
    const { about, standIn } = relationsOf({ feed: "https://s.example/feed", reading: { items }, page });
    const found = about ? (about.instead ? "instead" : "lists") : standIn ? "stands in" : undefined;
    expect(found).toBe(wanted);
  });

  test("a changelog whose entries all lead to it is the page's own", () => {
    const own = ["1", "2", "3"].map((id) => ({ id, title: id, url: `https://s.example/changes#${id}` }));
    const page = { address: "https://s.example/changes", links: [] };
    expect(relationsOf({ feed: "https://s.example/feed", reading: { items: own }, page })).toEqual({
      about: { why: "its entries are what the page lists" },
    });
  });
});

test("the response shows its kind", () => {
  const of = (type: string, body: string) => {
    const form = kindOfResponse({
      url: at,
      status: 200,
      headers: { "content-type": type },
      body: new TextEncoder().encode(body),
    });
    return "kind" in form ? form.kind : "none";
  };
  expect(of("application/octet-stream", "%PDF-1.7")).toBe("pdf");
  expect(of("text/plain", "<!doctype html><p>x")).toBe("page");
  expect(of("text/xml", '<?xml version="1.0"?><rss version="2.0">')).toBe("feed");
  // Whatever it is labelled as: many feeds are written by hand.
  expect(
    of("text/html", '<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?><!-- a > b --><rss version="2.0">'),
  ).toBe("feed");
  expect(of("text/html; charset=utf-8", '<feed xmlns="http://www.w3.org/2005/Atom">')).toBe("feed");
  expect(of("text/html", ' {"rate": 5}')).toBe("json");
  expect(of("text/html", "<h1>Feeds</h1><p>begin with &lt;rss&gt; or <feed>")).toBe("page");
  expect(of("text/html", "[Home] Plans")).toBe("page");
  expect(of("application/json", '{"version":"https://jsonfeed.org/version/1.1"}')).toBe("feed");
  expect(of("application/vnd.api+json", "[]")).toBe("json");
  expect(of("text/plain", ' {"a": 1}')).toBe("json");
  expect(of("text/markdown", "[link](x)")).toBe("text");
  expect(of("", "words")).toBe("text");
  expect(of("video/mp4", "x")).toBe("none");
  expect(of("", "a\0\0b")).toBe("none");
});

test("links are read in worker threads, and are none if that took too much", async () => {
  const html = '<a href="/b">b</a>';
  const asked: unknown[] = [];
  const reading: Workers = {
    run: async (task, input) => {
      asked.push([task, input]);
      return { feeds: [], texts: [], all: ["https://docs.example/b"] };
    },
  };
  expect((await runInWorker("links", { html, at }, { workers: reading })).all).toEqual(["https://docs.example/b"]);
  expect(asked).toEqual([["links", { html, at }]]);
  const failing = (failure: Error): Workers => ({ run: () => Promise.reject(failure) });
  expect(
    await runInWorker("links", { html, at }, { workers: failing(new Failure("processor", { after: 5_000 })) }),
  ).toEqual({
    feeds: [],
    texts: [],
    all: [],
  });
  await expect(runInWorker("links", { html, at }, { workers: failing(new Error("a defect")) })).rejects.toThrow(
    "a defect",
  );
  expect((await runInWorker("links", { html, at }, {})).all).toEqual(["https://docs.example/b"]);
});

test("the first base of a page counts for its links, also for those above it", () => {
  const feed = '<link rel="alternate" type="application/rss+xml" href="feed.xml">';
  const { feeds, all } = linksOf(`${feed}<base href="/docs/"><base href="/other/"><a href="a">A</a>`, "https://e.org/");
  expect([feeds, all]).toEqual([["https://e.org/docs/feed.xml"], ["https://e.org/docs/a"]]);
});
