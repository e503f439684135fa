import { describe, expect, test } from "vitest";
import { feed } from "../../src/read/kinds/feed.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const paragraph = (text: string) => ({ path: [], kind: "paragraph", text });
const rss = (items: string, before = "") =>
  `${before}<rss version="2.0"><channel><title>t</title>${items}</channel></rss>`;

describe("feed", () => {
  test("reads RSS: content before summary, an address if there is no id, no date if there is none", async () => {
    expect(await reading(feed, fixture("feed.rss"))).toEqual({
      title: "Engine News",
      language: "en-GB",
      items: [
        {
          id: "https://engine.example/?p=204",
          title: "Engine 2.4 & the new kernels",
          url: "https://engine.example/blog/2-4/",
          at: Date.UTC(2026, 6, 8, 17),
          blocks: [
            { path: [], kind: "heading", text: "Kernels" },
            { path: ["Kernels"], kind: "paragraph", text: "Flex kernels are stable on GPU." },
            { path: ["Kernels"], kind: "item", text: "Faster start" },
          ],
        },
        {
          id: "https://engine.example/blog/list/",
          title: "Notes on List<T>",
          url: "https://engine.example/blog/list/",
        },
      ],
    });
  });

  test.each<[string, (n: number) => string, (n: number) => string]>([
    ["one id", (n) => `<guid>x</guid><link>https://x.example/${n}</link>`, (n) => `x https://x.example/${n}`],
    [
      "one address",
      () => "<link>https://x.example/log</link>",
      (n) => `https://x.example/log https://x.example/log Version ${n}`,
    ],
    ["both", () => "<guid>x</guid><link>https://x.example/log</link>", (n) => `x https://x.example/log Version ${n}`],
  ])("entries that share %s are kept apart, and a new one on top is no other one", async (_, shared, id) => {
    const upTo = (newest: number) =>
      Array.from({ length: newest }, (_, i) => newest - i).map(
        (n) => `<item><title>Version ${n}</title>${shared(n)}</item>`,
      );
    for (const newest of [3, 4]) {
      const { items = [] } = await reading(feed, response(rss(upTo(newest).join(""))));
      expect(items.map((item) => item.id)).toEqual(upTo(newest).map((_, i) => id(newest - i)));
    }
  });

  const at = Date.UTC(2026, 0, 2, 10);
  const time = "2026-01-02T10:00:00Z";
  const extended = (item: string, declared = "") =>
    `<rss version="2.0" xmlns:a10="http://www.w3.org/2005/Atom" xmlns:dcterms="http://purl.org/dc/terms/"${declared}>
    <channel><title>t</title><item><guid isPermaLink="false">g</guid><title>A</title>${item}</item></channel></rss>`;
  test.each([
    ["a10:updated", extended(`<a10:updated>${time}</a10:updated>`)],
    [
      "atom:published under another name",
      extended(`<x:published>${time}</x:published>`, ' xmlns:x="http://www.w3.org/2005/Atom"'),
    ],
    ["dcterms:created", extended(`<dcterms:created>${time}</dcterms:created>`)],
    [
      "dcterms:issued before dcterms:modified",
      extended(`<dcterms:modified>2026-02-01</dcterms:modified><dcterms:issued>${time}</dcterms:issued>`),
    ],
    ["pubDate before a10:updated", extended(`<a10:updated>2026-02-01</a10:updated><pubDate>${time}</pubDate>`)],
    ["markup beside it", extended(`<a10:updated>${time}</a10:updated><description>A <b>kite</b></description>`)],
    [
      "Atom 0.3",
      `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>t</title><entry><id>g</id><title>A</title><issued>${time}</issued><modified>2026-02-01T10:00:00Z</modified></entry></feed>`,
    ],
    [
      "Atom 0.3 that was modified only",
      `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>t</title><entry><id>g</id><title>A</title><modified>${time}</modified></entry></feed>`,
    ],
  ])("dates an entry by %s", async (_, body) => {
    const { items } = await reading(feed, response(body));
    expect(items).toEqual([expect.objectContaining({ id: "g", at })]);
  });

  test.each([
    ["alone", "", "https://example.org/a"],
    ["beside markup", "<description>A <b>kite</b></description>", "https://example.org/a"],
    [
      "and no other, where there is a link of its own",
      "<link>https://example.org/own</link>",
      "https://example.org/own",
    ],
  ])("takes the address of an Atom link: %s", async (_, beside, url) => {
    const links = '<a10:link rel="self" href="https://example.org/self"/><a10:link href="https://example.org/a"/>';
    const [item] = (await reading(feed, response(extended(`${links}${beside}`)))).items ?? [];
    expect(item).toMatchObject({ id: "g", url });
  });

  test.each([
    [
      "with attributes",
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id xml:lang="en">tag:x</id><title>A</title><published xml:lang="en">${time}</published></entry></feed>`,
    ],
    [
      "of RDF",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>t</title></channel><item rdf:about="tag:x"><title>A</title><dc:date>${time}</dc:date></item></rdf:RDF>`,
    ],
  ])("names an entry by its id %s", async (_, body) => {
    const { items } = await reading(feed, response(body));
    expect(items).toEqual([{ id: "tag:x", title: "A", at }]);
  });

  test("expands the entities that it declares as text, each once", async () => {
    const declared = "<!DOCTYPE rss [ <!-- ours --> <!ENTITY nbsp \"&#160;\"><!ENTITY c '(c)'>\n]>";
    const item =
      "<item><guid>g</guid><title>A&nbsp;&c; &amp; B</title><description><![CDATA[&c; <p>x</p>]]></description></item>";
    const { items } = await reading(feed, response(rss(item, declared)));
    expect(items?.[0]).toMatchObject({ id: "g", title: "A (c) & B" });
  });

  const atom = (entry: string, base = "") =>
    `<feed xmlns="http://www.w3.org/2005/Atom"${base}><title>t</title><entry><id>tag:x</id><title>A</title>${entry}</entry></feed>`;

  test.each([
    ["what an entry has first is no link to it", `<link rel="self" href="/self"/><link href="/a"/>`],
    [
      "a file that goes with it is none either",
      `<link rel="enclosure" href="/a.mp3"/><link rel="alternate" href="/a"/>`,
    ],
    ["one that leads nowhere is passed over", `<link/><link href="/a"/>`],
  ])("%s", async (_, links) => {
    const { items } = await reading(feed, response(atom(links)));
    expect(items?.[0]?.url).toBe("https://engine.example/a");
  });

  test.each([
    ["of the feed", ' xml:base="https://base.example/blog/"', `<link href="a"/>`, "https://base.example/blog/a"],
    ["within another", ' xml:base="/blog/"', `<link href="a"/>`, "https://engine.example/blog/a"],
    ["that is no address", ' xml:base="http://["', `<link href="/a"/>`, "https://engine.example/a"],
  ])("the base of addresses %s holds", async (_, base, link, url) => {
    const { items } = await reading(feed, response(atom(link, base)));
    expect(items?.[0]?.url).toBe(url);
  });

  test("the base of an entry is relative to that of its feed", async () => {
    const own = atom(`<link href="a"/>`, ' xml:base="https://base.example/"').replace(
      "<entry>",
      '<entry xml:base="b/">',
    );
    const { items } = await reading(feed, response(own));
    expect(items?.[0]?.url).toBe("https://base.example/b/a");
  });

  test.each(['<content type="html"/>', '<content type="html"></content>', '<content src="https://x.example/full"/>'])(
    "where %s is all of its content an entry says what its summary says",
    async (content) => {
      const { items } = await reading(feed, response(atom(`<summary>Drops CUDA 11.</summary>${content}`)));
      expect(items?.[0]?.blocks).toEqual([paragraph("Drops CUDA 11.")]);
    },
  );

  test("so does an entry of JSON Feed, and has it as its name if it has neither title nor address", async () => {
    const json = { version: "https://jsonfeed.org/version/1.1", title: "t", items: [{ id: "1", summary: "a < b" }] };
    const { items } = await reading(feed, response(JSON.stringify(json)));
    expect(items).toEqual([{ id: "1", title: "a < b", blocks: [paragraph("a < b")] }]);
  });

  test("an entry that is nothing but a description is called by how that begins", async () => {
    const { items = [] } = await reading(
      feed,
      response(rss("<item><description>The limit is &lt;b&gt;50&lt;/b&gt;.</description></item>")),
    );
    expect(items.map(({ id, title }) => [id, title])).toEqual([["The limit is 50.", "The limit is 50."]]);
  });

  test("an entry that is there twice is one, by its id", async () => {
    const item = (title: string, n: number) =>
      `<item><title>${title}</title><guid>${n}</guid><link>https://x.example/${n}</link></item>`;
    const { items = [] } = await reading(
      feed,
      response(rss([item("New", 2), item("Old", 1), item("Older", 1)].join(""))),
    );
    expect(items.map(({ id, title }) => [id, title])).toEqual([
      ["2", "New"],
      ["1", "Old"],
    ]);
  });

  test("reads Atom with markup in its order, published before updated, and no zone as UTC", async () => {
    expect(await reading(feed, fixture("feed.atom"))).toEqual({
      title: "Engine notes",
      language: "en",
      items: [
        {
          id: "urn:engine:notes:2",
          title: "Release notes",
          url: "https://engine.example/notes#2",
          at: Date.UTC(2026, 5, 1, 6, 30),
          blocks: [
            paragraph("First."),
            { path: [], kind: "heading", text: "Change" },
            { path: ["Change"], kind: "paragraph", text: "Second." },
          ],
        },
        {
          id: "urn:engine:notes:1",
          title: "Older",
          url: "https://engine.example/notes#1",
          at: Date.UTC(2026, 4, 1),
          blocks: [paragraph("Only a summary.")],
        },
      ],
    });
  });

  test("reads the language of an Atom feed whose content is escaped", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>t</title></feed>`;
    expect(await reading(feed, response(atom))).toEqual({ title: "t", language: "de", items: [] });
  });

  test("reads RDF in Latin-1, as its declaration says", async () => {
    expect(await reading(feed, fixture("feed.rdf"))).toEqual({
      title: "Engine",
      items: [
        {
          id: "https://engine.example/a",
          title: "Neue Geräte",
          url: "https://engine.example/a",
          at: Date.UTC(2026, 2, 1, 12),
          blocks: [paragraph("Text")],
        },
      ],
    });
  });

  test("reads JSON Feed, text as text", async () => {
    expect(await reading(feed, fixture("feed.json"))).toEqual({
      title: "Engine updates",
      language: "en",
      items: [
        {
          id: "7",
          title: "Seven",
          url: "https://engine.example/u/7",
          at: Date.UTC(2026, 3, 1),
          blocks: [paragraph("a < b")],
        },
        {
          id: "6",
          title: "Six",
          url: "https://engine.example/u/6",
          at: Date.UTC(2026, 2, 1),
          blocks: [paragraph("six")],
        },
      ],
    });
  });

  test("reads a feed that is not well-formed if its entries are", async () => {
    const { items } = await reading(feed, response(rss("<item><guid>1</guid><title>a &nbsp; b & c</title></item>")));
    expect(items).toEqual([{ id: "1", title: "a b & c" }]);
  });

  test("distinguishes entries that all have one id, and drops doubles", async () => {
    const item = (n: number) => `<item><guid>x</guid><title>t${n}</title><link>https://a.example/${n}</link></item>`;
    const { items } = await reading(feed, response(rss(item(1) + item(2) + item(2))));
    expect(items?.map(({ id }) => id)).toEqual(["x https://a.example/1", "x https://a.example/2"]);
  });

  test("keeps the newest 2,000 of many", async () => {
    const day = (n: number) => new Date(Date.UTC(2000, 0, n)).toUTCString();
    const item = (_: unknown, n: number) =>
      `<item><guid>${n}</guid><title>t</title><pubDate>${day(n + 1)}</pubDate></item>`;
    const { items } = await reading(feed, response(rss(Array.from({ length: 2_500 }, item).join(""))));
    expect(items).toHaveLength(2_000);
    expect(items?.[0]?.id).toBe("2499");
  });

  test.each([
    ["HTML", "<!doctype html><html><title>Hi</title></html>", "HTML where a feed was expected"],
    ["text", "404", "text where a feed was expected"],
    ["nothing", " \n", "an empty answer"],
    ["another XML", "<svg></svg>", "not well-formed RSS or Atom"],
    ["no channel", '<rss version="2.0"></rss>', "not well-formed RSS, Atom or JSON Feed"],
    ["cut off", rss("<item><title>a</title></item>").slice(0, -20), "the answer broke off"],
    ["other JSON", '{"a":1}', "not well-formed RSS, Atom or JSON Feed"],
    ["broken JSON", '{"version":"https://jsonfeed.org/version/1.1",', "not well-formed RSS, Atom or JSON Feed"],
    [
      "entities",
      rss("", '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'),
      "not well-formed XML (it declares entities that are more than text)",
    ],
    [
      "entities from elsewhere",
      rss("", '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
      "not well-formed XML (it declares entities that are more than text)",
    ],
    [
      "entities of markup",
      rss("", '<!DOCTYPE rss [<!ENTITY a "<item/>">]>'),
      "not well-formed XML (it declares entities that are more than text)",
    ],
    [
      "entities for the document type",
      rss("", '<!DOCTYPE rss [<!ENTITY % a "x"> %a;]>'),
      "not well-formed XML (it declares entities that are more than text)",
    ],
    [
      "entities that grow beyond measure",
      rss(`<item><title>${"&a;".repeat(60_000)}</title></item>`, `<!DOCTYPE rss [<!ENTITY a "${"x".repeat(200)}">]>`),
      "not well-formed XML (its entities make it too long)",
    ],
    ["50,000 entries", rss("<item><title>a</title></item>".repeat(50_000)), "more than 20000 entries"],
  ])("refuses %s", async (_, body, says) => {
    expect(await failure(feed, body)).toBe(says);
  });

  test("an entry of GitHub's feed of releases is about its tag", async () => {
    const entry = (link: string) => `<item><title>The fast one</title><guid>${link}</guid><link>${link}</link></item>`;
    const links = [
      "https://github.com/acme/engine/releases/tag/rc%2Fv2.4.0",
      "https://acme.example/releases/tag/v2.4.0",
    ];
    const body = `<rss version="2.0"><channel><title>x</title>${links.map(entry).join("")}</channel></rss>`;
    expect((await reading(feed, response(body))).items?.map(({ version }) => version)).toEqual([
      "rc/v2.4.0",
      undefined,
    ]);
  });

  test.each([
    ["by the first library", ""],
    ["by the second", ` xml:base="https://x.example/"`],
  ])("an entry of videos has their description as its text, %s", async (_, base) => {
    const media =
      "<media:group><media:title>A</media:title><media:description>Uses Vec&lt;int&gt;.</media:description></media:group>";
    const { items } = await reading(feed, response(atom(media, ` xmlns:media="http://search.yahoo.com/mrss/"${base}`)));
    expect(items?.[0]?.blocks).toEqual([paragraph("Uses Vec<int>.")]);
  });

  test.each([
    ["a summary in Atom", () => atom("<summary>Fixes Vec&lt;int&gt; and a &amp;lt; b.</summary>")],
    [
      "a description in RSS",
      () => rss("<item><title>A</title><description>Fixes Vec&lt;int&gt; and a &amp;lt; b.</description></item>"),
    ],
  ])("%s without any element of HTML is text, with all text between angle brackets", async (_, written) => {
    const { items } = await reading(feed, response(written()));
    expect(items?.[0]?.blocks).toEqual([paragraph("Fixes Vec<int> and a < b.")]);
  });

  test.each([
    [
      "is its address where there is no other",
      `<guid isPermaLink="true">https://x.example/1</guid>`,
      "https://x.example/1",
    ],
    ["is none where the feed says so", `<guid isPermaLink="false">urn:x:1</guid>`, undefined],
    [
      "gives way to the link",
      `<guid>https://x.example/?p=1</guid><link>https://x.example/1</link>`,
      "https://x.example/1",
    ],
  ])("the id of an entry in RSS %s", async (_, written, url) => {
    const { items } = await reading(feed, response(rss(`<item><title>A</title>${written}</item>`)));
    expect(items?.[0]?.url).toBe(url);
    expect(items?.[0]?.title).toBe("A");
  });

  test.each([
    ["Jan. 2, 2026, 10:57 a.m.", Date.UTC(2026, 0, 2, 10, 57)],
    ["Friday, January 2, 2026 - 3:09pm", Date.UTC(2026, 0, 2, 15, 9)],
    ["Fri Jan 02 10:00:00 CET 2026", Date.UTC(2026, 0, 2, 9)],
    ["Fri, 02 déc. 2025 10:00:00 GMT", undefined],
    ["02.01.26", Date.UTC(2026, 0, 2)],
    ["Fri, 02/01/2026", Date.UTC(2026, 0, 2)],
    ["03-12-31", Date.UTC(2003, 11, 31)],
    ["03/04/2026", undefined],
    ["Fri, 02 Jan 2032 10:00:00 GMT", undefined],
  ])("reads the date of an entry as the year of the check allows: %s", async (date, at) => {
    const xml = `<rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>A</title><pubDate>${date}</pubDate></item></channel></rss>`;
    const { items } = await feed.read(response(xml), source(feed), { at: Date.UTC(2026, 10, 26) });
    expect(items?.map((item) => item.at)).toEqual([at]);
  });

  test("reads a date as the element that shows it", async () => {
    const shows = `&lt;time datetime="2026-05-16T10:00:00Z" title="Saturday"&gt;Sat, 16/05/2026 - 10:00&lt;/time&gt;`;
    const { items } = await reading(feed, response(rss(`<item><title>A</title><pubDate>${shows}</pubDate></item>`)));
    expect(items?.[0]?.at).toBe(Date.UTC(2026, 4, 16, 10));
  });

  test("a feed that is empty is a reading", async () => {
    expect(await reading(feed, response(rss("")))).toEqual({ title: "t", items: [] });
  });
});
