import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readers } from "../../src/read/index.ts";
import { frozenBy } from "../../src/read/shared/address.ts";
import { addressesIn } from "../../src/read/text/bare-addresses.ts";
import { webAddress } from "../../src/report/cite/addresses.ts";
import { Ids, kindOf, slug } from "../../src/report/cite/sources.ts";
import { segment } from "../../src/report/parse/tables-in-lines.ts";
import type { Legend } from "../../src/report/rate/legend.ts";
import { type LevelOrder, orderLevels } from "../../src/report/rate/level-order.ts";
import { levelIn, scaleOfMost } from "../../src/report/rate/levels.ts";
import { yamlScalar } from "../../src/report/write.ts";

describe("the kind of an address", () => {
  test.each([
    ["https://github.com/a/b", "github-repo", "a/b"],
    ["https://github.com/a/b.git", "github-repo", "a/b"],
    ["https://github.com/a/b/releases", "github-releases", "a/b"],
    ["https://github.com/a/b/releases.atom", "github-releases", "a/b"],
    ["https://github.com/a/b/issues/12", "github-issue", "a/b#12"],
    ["https://github.com/a/b/pull/12/files", "github-pull", "a/b#12"],
    ["https://github.com/a/b/issues", "page", "https://github.com/a/b/issues"],
    ["https://github.com/a/b/discussions/4", "page", "https://github.com/a/b/discussions/4"],
    ["https://github.com/features/actions", "page", "https://github.com/features/actions"],
    [
      "https://github.com/a/b/blob/main/docs/README.md",
      "text",
      "https://raw.githubusercontent.com/a/b/main/docs/README.md",
    ],
    ["https://github.com/a/b/blob/main/paper.pdf", "pdf", "https://raw.githubusercontent.com/a/b/main/paper.pdf"],
    ["https://github.com/a/b/tree/main/src", "github-commits", "a/b"],
    ["https://example.org/blog/index.json", "text", "https://example.org/blog/index.json"],
    ["https://raw.githubusercontent.com/a/b/main/x.yaml", "text", "https://raw.githubusercontent.com/a/b/main/x.yaml"],
    ["https://git.example.org/a/b/-/blob/main/x.md", "text", "https://git.example.org/a/b/-/raw/main/x.md"],
    ["https://pypi.org/project/some-thing/", "pypi", "some-thing"],
    ["https://pypi.python.org/pypi/some-thing", "pypi", "some-thing"],
    ["https://pypi.org/pypi/some-thing/json", "pypi", "some-thing"],
    ["https://hub.docker.com/r/Some/thing", "container-tags", "some/thing"],
    ["https://hub.docker.com/_/redis", "container-tags", "redis"],
    ["https://example.org/a.PDF", "pdf", "https://example.org/a.PDF"],
    ["https://arxiv.org/pdf/2401.01234", "arxiv", "2401.01234"],
    ["https://example.org/blog/feed/", "feed", "https://example.org/blog/feed/"],
    ["https://example.org/index.rss", "feed", "https://example.org/index.rss"],
    ["https://example.org/llms.txt", "text", "https://example.org/llms.txt"],
    ["https://example.org/docs/", "page", "https://example.org/docs/"],
  ])("%s is watched as %s", (address, kind, watched) => {
    expect(kindOf(address, readers)).toMatchObject({ kind, address: watched });
  });

  test("a file of one version is watched at the place of the next one", () => {
    expect(kindOf("https://github.com/a/b/releases/tag/v1.0", readers)).toMatchObject({
      kind: "github-releases",
      instead: true,
    });
    expect(kindOf("https://pypi.org/project/x/1.0/", readers)).toMatchObject({ kind: "pypi", instead: true });
    expect(kindOf("https://github.com/a/b/blob/v1.2.3/README.md", readers)).toMatchObject({
      kind: "text",
      frozen: expect.any(String),
    });
  });

  test("of a copy in a web archive the original is watched", () => {
    expect(kindOf("https://web.archive.org/web/20240102030405/https://pypi.org/project/x/", readers)).toEqual({
      kind: "pypi",
      address: "x",
      instead: true,
    });
    expect(kindOf("https://web.archive.org/web/2024id_/http://example.org/docs/", readers)).toEqual({
      kind: "page",
      address: "http://example.org/docs/",
      instead: true,
    });
    expect(kindOf("https://web.archive.org/web/2024/https://me:secret@example.org/", readers)).toMatchObject({
      kind: "page",
      address: expect.stringContaining("web.archive.org"),
    });
    expect(kindOf("https://example.org/web/guide/", readers)).toMatchObject({ kind: "page" });
  });

  test("pictures and archives are not read", () => {
    expect(kindOf("https://example.org/a.png", readers)).toHaveProperty("because");
    expect(kindOf("https://example.org/a.tar.gz", readers)).toHaveProperty("because");
  });
});

describe("a feed", () => {
  test.each([
    // WordPress, and what is like it
    "https://example.org/feed/",
    "https://blog.example.org/feed/",
    "https://example.org/blog/feed",
    "https://example.org/blog/category/compilers/feed/",
    "https://example.org/blog/feed/atom/",
    "https://example.org/feed/rss2/",
    "https://blog.example.org/?feed=rss2",
    // Hugo, Jekyll, Ghost, Pelican, Docusaurus, MkDocs, Movable Type
    "https://blog.example.org/index.xml",
    "https://example.org/posts/index.xml",
    "https://example.org/blog/feed.xml",
    "https://example.org/news/rss.xml",
    "https://example.org/blog/rss/",
    "https://example.org/blog/atom.xml",
    "https://example.org/feeds/all.atom.xml",
    "https://example.org/blog/feed.json",
    "https://example.org/feed_rss_created.xml",
    "https://example.org/news/index.rdf",
    // what serves many blogs
    "https://medium.com/feed/example",
    "https://medium.com/feed/@example",
    "https://medium.com/feed/example/tagged/compilers",
    "https://example.blogspot.com/feeds/posts/default?alt=rss",
    "https://example.org/blog?format=rss",
    "https://feeds.example.org/example",
    "https://rss.example.org/rss/cs.LG",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC0000000000000000000000",
    // release notes, forums, forges
    "https://docs.example.org/feeds/tool-2-8-release-notes.xml",
    "https://forum.example.org/c/announcements/5.rss",
    "https://example.org/newsroom/2026-05.atom",
    "https://git.example.org/a/b/-/tags?format=atom",
    "https://github.com/a/b/tags.atom",
    "https://github.com/a/b/discussions.atom",
    "https://github.com/blog.atom",
  ])("%s is one, and no post", (address) => {
    expect(kindOf(address, readers)).toEqual({ kind: "feed", address });
  });

  test.each([
    ["https://github.com/a/b/releases.atom", { kind: "github-releases", address: "a/b" }],
    ["https://github.com/a/b/commits.atom", { kind: "github-commits", address: "a/b" }],
    ["https://github.com/a/b/commits/main.atom", { kind: "github-commits", address: "a/b" }],
    [
      "https://github.com/a/b/commits/main/src.atom",
      { kind: "github-commits", address: "a/b", options: { path: "src", branch: "main" } },
    ],
    ["https://github.com/a/b/wiki", { kind: "feed", address: "https://github.com/a/b/wiki.atom" }],
    ["https://github.com/a/b/discussions", { kind: "feed", address: "https://github.com/a/b/discussions.atom" }],
    ["https://github.com/a/b/wiki/Home", { kind: "page", address: "https://github.com/a/b/wiki/Home" }],
    [
      "https://www.youtube.com/channel/UC0000000000000000000000/videos",
      { kind: "feed", address: "https://www.youtube.com/feeds/videos.xml?channel_id=UC0000000000000000000000" },
    ],
    [
      "https://www.youtube.com/playlist?list=PL0000000000000000",
      { kind: "feed", address: "https://www.youtube.com/feeds/videos.xml?playlist_id=PL0000000000000000" },
    ],
    [
      "https://www.youtube.com/watch?v=00000000000",
      { kind: "page", address: "https://www.youtube.com/watch?v=00000000000" },
    ],
  ])("%s is watched as its subject", (address, watched) => {
    expect(kindOf(address, readers)).toEqual(watched);
  });

  test.each([
    "https://example.org/sitemap.xml",
    "https://example.org/rss-explained",
    "https://example.org/feed/update/urn:li:activity:1",
    "https://example.org/docs/feeds.html",
    "https://example.org/docs/feeds/",
    "https://feeds.example.org/",
    "https://example.org/blog?feed=",
  ])("but %s is none", (address) => {
    expect(kindOf(address, readers)).toMatchObject({ kind: "page" });
  });
});

describe("signs that a page is frozen", () => {
  test.each([
    "https://example.org/2026/03/a-post/",
    "https://example.org/a-post-2026-03-01.html",
    "https://example.org/docs/2.12/guide.html",
    "https://example.org/docs/v1.4.0/",
    "https://example.org/tool-2-8/",
    "https://example.org/newsroom/we-reveal",
    "https://blog.example.org/we-reveal",
    "https://blog.example.org/tagging-made-easy",
    "https://example.org/blog/topics/tools/we-reveal",
    "https://example.org/blogs/tools/we-reveal",
    "https://example.org/blogs/how-we-reveal",
    "https://example.org/news/archive-of-stones",
    "https://doi.org/10.1000/182",
  ])("%s", (address) => {
    expect(frozenBy(new URL(address))).toBeDefined();
  });

  test.each([
    "https://example.org/docs/latest/guide.html",
    "https://example.org/blog/",
    "https://blog.example.org/",
    "https://blog.example.org/index.html",
    "https://blog.example.org/category/tools/",
    "https://blog.example.org/tags",
    "https://example.org/blog/category/tools/compilers/",
    "https://example.org/blog/tag/tools/page/2/",
    "https://example.org/blog/tags/",
    "https://example.org/blog/topics/tools",
    "https://example.org/posts/authors/example/",
    "https://example.org/blog/page/2/",
    "https://example.org/news/archive/2026",
    "https://example.org/blogs/machine-learning/",
    "https://example.org/products/mi300.html",
    "https://example.org/docs/v5p",
    "https://example.org/pricing",
  ])("but not of %s", (address) => {
    expect(frozenBy(new URL(address))).toBeUndefined();
  });
});

describe("addresses in text", () => {
  test("end where punctuation begins", () => {
    const text =
      "See https://a.example.org/x_(y), <https://b.example.org/>. (https://c.example.org/z) “https://d.example.org/?q=a?” „https://e.example.org/“ »https://f.example.org/« ‚https://g.example.org/‘";
    expect(addressesIn(text)).toEqual([
      "https://a.example.org/x_(y)",
      "https://b.example.org/",
      "https://c.example.org/z",
      "https://d.example.org/?q=a?",
      "https://e.example.org/",
      "https://f.example.org/",
      "https://g.example.org/",
    ]);
  });

  test("are those to which a page leads that only sends its visitors on", () => {
    const sent = encodeURIComponent("https://kite.example.org/x?a=1");
    expect(webAddress(`https://docs.example.com/url?q=${sent}&sa=D&ust=1`)).toBe("https://kite.example.org/x?a=1");
    expect(webAddress(`https://l.example.com/l.php?u=${sent}`)).toBe("https://kite.example.org/x?a=1");
    // A page that shows another one is a page of its own.
    const viewer = `https://viewer.example.com/?url=${sent}`;
    expect(webAddress(viewer)).toBe(viewer);
    expect(webAddress("https://a.example.com/url?q=kites")).toBe("https://a.example.com/url?q=kites");
    expect(webAddress("https://a.example.com/url?q=http%3A%2F%2F10.0.0.1%2F")).toBeUndefined();
  });

  test("are public, without credentials, fragments and traces", () => {
    expect(webAddress("https://a.example.org/x?utm_source=y&lang=en#z")).toBe("https://a.example.org/x?lang=en");
    expect(webAddress("https://a.example.org/x?fbclid=y&id=3&mc_cid=1")).toBe("https://a.example.org/x?id=3");
    for (const one of [
      "ftp://a.example.org/",
      "https://me:secret@a.example.org/",
      "http://localhost/",
      "http://10.0.0.1/",
      "http://[::1]/",
      "http://printer.local/",
      "https://intranet/",
      "nonsense",
    ]) {
      expect(webAddress(one)).toBeUndefined();
    }
  });
});

/** The order of the scale that most of the words are of. */
function orderOf(words: readonly string[], legends: readonly Legend[] = []): LevelOrder {
  const told = words.flatMap((word) => levelIn(word) ?? []);
  const scale = scaleOfMost(told.map(({ key }) => key)) ?? "";
  return orderLevels(told, scale, legends);
}

describe("levels", () => {
  test.each([
    ["**High** (baseline)", "High"],
    ["High – with care", "High"],
    ["Medium-high [2]", "Medium-high"],
    ["✅ Yes", "✅"],
    ["Yes, since 2.0", "Yes"],
    ["✅ on Linux\n❌ on Windows", undefined],
    ["✅/❌", undefined],
    [":white_check_mark:", "✅"],
    ["⚠️", "⚠"],
    ["★★☆☆☆", "★★"],
    ["★★½", "★★½"],
    ["★★☆☆☆–★★★☆☆", undefined],
    ["**●●●○○** (2025)", "●●●○○"],
    ["⊕⊕⊕⊝ Moderate", "⊕⊕⊕⊝"],
    ["✅✅ built in", "✅✅"],
    ["✅ ✅", "✅"],
    ["🔴🔴", "🔴"],
    ["💰💰", "💰"],
    ["??", undefined],
    ["Work in progress", "Work in progress"],
    ["Supported with exceptions: prints", "Supported with exceptions"],
    ["Best in class", "Best in class"],
    ["Supported in part", "Supported"],
    ["No - planned", "No"],
    ["Low – Medium", "Low – Medium"],
    ["High / Low", undefined],
    ["Not assessed", undefined],
    ["n/a (kernels)", undefined],
    ["–", undefined],
    ["a sentence that says a lot more than a level", undefined],
  ])("%s", (cell, level) => {
    expect(levelIn(cell)?.shown).toBe(level);
  });

  test.each([
    [
      ["High", "Low"],
      ["Low", "Medium", "High"],
    ],
    [
      ["Trial", "Adopt", "adopt"],
      ["Hold", "Assess", "Trial", "Adopt"],
    ],
    [
      ["Full", "None", "Partial"],
      ["None", "Partial", "Full"],
    ],
    [
      ["●●●○○", "●○○○○", "●●●●●", "○○○○○"],
      ["○○○○○", "●○○○○", "●●●○○", "●●●●●"],
    ],
    [
      ["★★½", "★★★", "★★"],
      ["★★", "★★½", "★★★"],
    ],
    [
      ["✅✅", "❌", "✅", "✅✅✅", "⚠"],
      ["❌", "⚠", "✅", "✅✅", "✅✅✅"],
    ],
    [
      ["Some concerns", "Low risk", "High risk"],
      ["Low risk", "Some concerns", "High risk"],
    ],
    [
      ["Low/Medium", "High", "Low", "Medium to high"],
      ["Low", "Low/Medium", "Medium", "Medium to high", "High"],
    ],
    [
      ["Not yet", "No", "Yes"],
      ["No", "Not yet", "Yes"],
    ],
    [
      ["✓", "✗", "~"],
      ["✗", "~", "✓"],
    ],
    [
      ["GA", "Alpha", "Beta"],
      ["Alpha", "Beta", "GA"],
    ],
    [
      ["★★★", "★"],
      ["★", "★★★"],
    ],
    [
      ["High", "Low", "Low", "Native"],
      ["Low", "Medium", "Native", "High"],
    ],
    [
      ["Soon", "Yes", "No", "In development"],
      ["No", "Soon", "In development", "Yes"],
    ],
    [
      ["Not affected", "Fixed", "Affected"],
      ["Affected", "Fixed", "Not affected"],
    ],
    [
      ["Stage 3", "Stage 2.7", "Stage 2"],
      ["Stage 2", "Stage 2.7", "Stage 3"],
    ],
    [
      ["Tier 1", "Tier 3"],
      ["Tier 3", "Tier 1"],
    ],
    [
      ["✅", "No", "yes", "❌"],
      ["No", "✅"],
    ],
  ])("%j are in order as %j", (words, levels) => {
    expect(orderOf(words).levels).toEqual(levels);
  });

  test("a word of no scale has no place, and is put below the best", () => {
    expect(orderOf(["High", "Low", "Low", "Native"]).unplaced).toEqual(["Native"]);
  });

  test("a legend places what no scale knows, whichever way it goes", () => {
    const legend = ["yes", "🦊", "partial", "no", "🐌"].map((key) => ({ key, meaning: "…" }));
    const levels = ["🐌", "no", "partial", "🦊", "yes"];
    expect(orderOf(levels.toReversed(), [legend])).toMatchObject({ levels, unplaced: [] });
    expect(orderOf(levels, [legend.toReversed()])).toMatchObject({ levels, unplaced: [] });
  });
});

describe("columns with only words left", () => {
  const lines = new Map([
    ["Water", ["Water Lift To the roof."]],
    ["Noise", ["Noise at Night Much."]],
    ["Cost", ["Cost Much."]],
  ]);

  test("are parted if other lines begin with them", () => {
    expect(segment("Pump Water Lift Noise at Night Cost", 4, lines)).toEqual([
      "Pump",
      "Water Lift",
      "Noise at Night",
      "Cost",
    ]);
  });

  test("are left alone if nothing shows the kind", () => {
    expect(segment("Pump Water Lift Noise at Night Cost", 4, new Map())).toBeUndefined();
    expect(segment("Pump Cost", 4, lines)).toBeUndefined();
  });
});

describe("ids", () => {
  test.each([
    ["NVIDIA CUDA (H100)", "nvidia-cuda-h100"],
    ["C++", "c-plus-plus"],
    ["Größe", "grosse"],
    ["2026", "x-2026"],
    ["東京", "x"],
    ["Воздушный змей", "vozdushnyi-zmei"],
    ["Підтримка їжака", "pidtrimka-izhaka"],
    ["", "x"],
  ])("%s", (text, id) => {
    expect(slug(text.replace("ß", "ss"), "x")).toBe(id);
  });

  test("are given once", () => {
    const ids = new Ids(["links"]);
    expect([ids.give("Links", "x"), ids.give("a", "x"), ids.give("A!", "x")]).toEqual(["links-2", "a", "a-2"]);
  });
});

describe("text in YAML", () => {
  test.each([
    "null",
    "~",
    "true",
    "yes",
    "1",
    "0x1",
    "1e3",
    "",
    " a ",
    "a: b",
    "a #b",
    "- a",
    "[a]",
    "{a}",
    "'a",
    '"a"',
    "a:",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "|",
    ">",
    "a\nb",
    "2026-05-16",
    "=",
    "<<",
  ])("%j comes back", (text) => {
    expect(parse(`key: ${yamlScalar(text)}`, { schema: "core" })).toEqual({ key: text.replace(/\s+/g, " ").trim() });
  });
});
