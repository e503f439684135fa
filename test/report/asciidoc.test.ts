import { describe, expect, test } from "vitest";
import { asciidocHtml } from "../../src/read/text/asciidoc.ts";
import { reportTextOf } from "../../src/report/parse/report-text.ts";
import { citedBy, ratedBy } from "./rated.ts";

const html = (text: string) => asciidocHtml(text).html;

describe("AsciiDoc", () => {
  test("links in all their forms, by attributes too; none from comments, code and included files", () => {
    const text = `= Kites
:uri-home: https://kite.example.org
:uri-docs: {uri-home}/docs

// https://comment.example.org
////
https://comments.example.org[old]
////
include::https://included.example.org/x.adoc[]
See {uri-docs}[the *manual*^], link:https://wind.example.org/[wind,window=_blank] and https://bare.example.org/.
An image:https://pic.example.org/k.png[kite,link=https://shop.example.org/] too.footnote:[By https://lee.example.org/[Lee].]

----
https://code.example.org[code]
----`;
    expect(Object.keys(citedBy(text, "a.adoc")).sort()).toEqual([
      "https://bare.example.org/",
      "https://kite.example.org/docs",
      "https://lee.example.org/",
      "https://shop.example.org/",
      "https://wind.example.org/",
    ]);
    expect(citedBy(text, "a.adoc")).toMatchObject({
      "https://kite.example.org/docs": "the manual",
      "https://lee.example.org/": "By Lee 1",
      "https://wind.example.org/": "wind",
    });
  });

  test("links as Markdown writes them are links, too", () => {
    const text = "= Kites\n\n|===\n|Kite |Day |Night\n|[Box](https://box.example.org/a)|✓|✗\n|Delta|✓|✓\n|===\n";
    expect(citedBy(text, "a.adoc")).toEqual({ "https://box.example.org/a": "Box" });
    expect(ratedBy(text, "a.adoc").ratings).toMatchObject({ "Box | Day": "✓", "Box | Night": "✗" });
  });

  test("a bibliography keeps its numbers", () => {
    const text = `== Flight

It flies <<1>>, and lands <<2>>.

[bibliography]
== References

* [[[1]]] Reed, B. _Kites_. https://reed.example.org/
* [[[sail,2]]] Sail, C. Wind. doi:10.5555/wind.1`;
    expect(citedBy(text, "a.asciidoc")).toEqual({
      "https://reed.example.org/": "Reed, B. Kites 1",
      "10.5555/wind.1": "Sail, C. Wind 2",
    });
  });

  test("a citation by a key is no part of its sentence, here and in HTML", () => {
    const text = `It flies <<reed>> well <<sail>>.

[bibliography]
== References

* [[[reed]]] Reed, B. Kites. https://reed.example.org/
* [[[sail,2]]] Sail, C. Wind. https://sail.example.org/`;
    const [sentence] = reportTextOf("a.adoc", text).parts;
    expect(sentence).toMatchObject({ text: "It flies well .", cited: [2] });
    expect(sentence?.marks).toMatchObject([{ address: "https://reed.example.org/" }, { number: 2 }]);
    const [made] = reportTextOf("a.html", '<p>It flies <a href="#reed">[Ree20]</a> well.</p>').parts;
    expect(made?.text).toBe("It flies well.");
  });

  test("tables rate as others do: cells in lines or one below the other, headings, spans, icons", () => {
    const text = `.Kites
[%header,cols="2,1,1"]
|===
|Kite |Day |Night

|https://box.example.org[Box]
|✅
|icon:times[role=red]

|Delta |✅ |✅
|Sled 2+|❌
|===`;
    expect(ratedBy(text, "a.adoc").ratings).toEqual({
      "Box | Day": "✅",
      "Box | Night": "✗",
      "Delta | Day": "✅",
      "Delta | Night": "✅",
      "Sled | Day": "✗",
      "Sled | Night": "✗",
    });
    const separated =
      "[cols=2*,separator=¦]\n[%autowidth]\n|===\n¦ Kite ¦ Sea\n\n¦ Box | Owl ¦ low\n¦ Fox ¦ high\n|===";
    expect(ratedBy(separated, "a.adoc").ratings).toEqual({ "Box | Owl | Sea": "low", "Fox | Sea": "high" });
    const implicit = "|===\n|Kite |Lift |Drag\n\n.2+|Box |High |Low\n|Low |High\n|Sled |Medium |High\n|===";
    expect(html(implicit)).toBe(
      '<table><tr><th colspan="1" rowspan="1">Kite</th><th colspan="1" rowspan="1">Lift</th><th colspan="1" rowspan="1">Drag</th></tr>' +
        '<tr><td colspan="1" rowspan="2">Box</td><td colspan="1" rowspan="1">High</td><td colspan="1" rowspan="1">Low</td></tr>' +
        '<tr><td colspan="1" rowspan="1">Low</td><td colspan="1" rowspan="1">High</td></tr>' +
        '<tr><td colspan="1" rowspan="1">Sled</td><td colspan="1" rowspan="1">Medium</td><td colspan="1" rowspan="1">High</td></tr></table>',
    );
  });

  test("sections, lists within lists, terms and titles with a line below them", () => {
    expect(html("= T\n\n== One\n\n* a\n** b\nc\n* d\n\nTwo\n---\n\nterm:: what it is\n\n....\nx\n....")).toBe(
      "<h1>T</h1><h2>One</h2><ul><li>a<ul><li>b\nc</li></ul></li><li>d</li></ul><p>Two\n---</p><p>term: what it is</p><pre><code>x</code></pre>",
    );
    expect(html("Kites\n=====\n\nIn air\n------\n\nx")).toBe("<h1>Kites</h1><h2>In air</h2><p>x</p>");
  });

  test("a character may be written by its name", () => {
    expect(asciidocHtml("Kites{nbsp}&{nbsp}ropes {unknown}").html).toContain("Kites\u00a0&amp;\u00a0ropes {unknown}");
  });

  test("a status and a day in its attributes are front matter", () => {
    expect([...asciidocHtml(":status: Accepted\n:revdate: 2026-01-02\n\ntext").attributes]).toEqual([
      ["status", "Accepted"],
      ["revdate", "2026-01-02"],
    ]);
    expect(ratedBy("= Use kites\n:status: Accepted\n\nWe do.", "0001.adoc").ratings).toEqual({
      "Use kites": "Accepted",
    });
  });

  test("a block without an end is read to the end of the text, and text is no markup", () => {
    expect(html("|===\n|a |b")).toContain("<td");
    expect(html("----\n<b>")).toBe("<pre><code>&lt;b&gt;</code></pre>");
    expect(html("a <script>alert(1)</script> {nobody} footnote:[")).toBe(
      "<p>a &lt;script&gt;alert(1)&lt;/script&gt; {nobody} footnote:[</p>",
    );
  });
});
