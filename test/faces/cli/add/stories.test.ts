import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pdfOf } from "../../../../demo/web/pdf.ts";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { atom, Home, json, type LocalWeb, openWeb, page, prose } from "./web.ts";

const posts = ["gauge", "lever", "wheel"].map((name, i) => ({
  title: `A better ${name}`,
  url: `https://widget.example/blog/better-${name}/`,
  at: `2026-0${7 - i}-10`,
}));
const feedLink = '<link rel="alternate" type="application/atom+xml" href="/blog/feed.xml">';
const list = posts.map(({ title, url }) => `<h2><a href="${url}">${title}</a></h2><p>More of it.</p>`).join("");
const release = (tag: string, at: string) => ({
  title: tag,
  url: `https://github.com/acme/widget/releases/tag/${tag}`,
  at,
});
const install = `<h1>Installing Widget</h1>${prose("installing")}<h2>On Linux</h2>${prose("Linux")}`;
const installText = install
  .replaceAll(/<h1>(.*?)<\/h1>/g, "# $1\n\n")
  .replaceAll(/<h2>(.*?)<\/h2>/g, "\n## $1\n\n")
  .replaceAll(/<\/?p>/g, "\n");

const answers = {
  "github.com/acme/widget/releases.atom": atom("Release notes from widget", [
    release("v3.2.0", "2026-08-01"),
    release("v3.1.0", "2026-04-01"),
  ]),
  "widget.example/blog/": page("Blog | Widget", feedLink, `<h1>Blog</h1>${list}${prose("the blog")}`),
  "widget.example/blog/feed.xml": atom("The Widget Blog", posts),
  "docs.widget.example/install": page("Installing Widget | Widget docs", "", install),
  "docs.widget.example/install.md": { type: "text/markdown", body: installText },
  "pypi.org/pypi/acme-widget/json": json({
    info: { name: "acme-widget", author: "Acme", description: "Widgets.", description_content_type: "text/plain" },
    releases: { "3.2.0": [{ upload_time_iso_8601: "2026-08-02T00:00:00Z", yanked: false }] },
  }),
  "widget.example/files/datasheet": {
    type: "application/pdf",
    body: pdfOf(["Widget datasheet", "Weighs 41 kg at most.", "Runs at 60 Hz."]),
  },
};

const config = `# What the report rests on.
report:
  title: Widgets
  audited: 2026-05-16
ratings: { weight: Low }
products:
  widget: { name: Widget } # counts by tags
sources:
  # The first.
  widget-specs:
    page: https://widget.example/specs
    title: Widget specifications
    cites: [1]

  widget-news:
    feed: https://news.example/widget.xml # all of it

# What cannot be watched.
unwatchable:
  - { title: A book, because: printed }
`;
const triggers = {
  weight: "name: Weight\nratings: [weight]\non:\n  - release: widget\n    bump: [major, minor]\nask: |\n  Heavier?\n",
};

let web: LocalWeb;
beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(() => web.close());

/** Runs it in a fresh folder; the entry is what stands where it belongs, and nothing else has changed. */
async function added(address: string, options: Parameters<Home["add"]>[1] = {}) {
  const home = new Home(web, config.replace("widget-news:\n", "widget-news:\n    announces: widget\n"), triggers);
  try {
    const done = await home.add(address, options);
    const at = "\n\n# What cannot be watched.";
    const before = config.replace("widget-news:\n", "widget-news:\n    announces: widget\n");
    const from = before.indexOf(at);
    expect(done.yaml.startsWith(before.slice(0, from))).toBe(true);
    expect(done.yaml.endsWith(before.slice(from))).toBe(true);
    const stored = await openStore(`${home.settings.data}/recheck.sqlite`, { readonly: true });
    const watches = await stored.repository("local").watches();
    await stored.close();
    return { ...done, entry: done.yaml.slice(from, done.yaml.length - (before.length - from)), watches };
  } finally {
    home.remove();
  }
}

describe("the written entry is one that a person would have written", () => {
  test("a repository: its releases, and the product of that name", async () => {
    const { code, entry, out, watches, asked } = await added("https://github.com/acme/widget", { cites: ["7"] });
    expect(entry).toBe(`

  widget-releases:
    github-releases: acme/widget
    title: Widget releases
    announces: widget
    cites: [7]`);
    expect(code).toBe(0);
    expect(out).toContain('Gives 2 entries, newest "v3.2.0" of 2026-08-01; 1 newer than the audit of 2026-05-16');
    expect(out).toContain("Widget 3.2.0 released  2026-08-01");
    expect(out).not.toContain("3.1.0");
    expect(watches.map(({ source, checks }) => [source, checks])).toEqual([["widget-releases", 1]]);
    expect(asked).toEqual(["github.com/acme/widget/releases.atom"]);
  });

  test("a blog: its feed", async () => {
    const { entry } = await added("https://widget.example/blog/", { cites: ["3", "4"] });
    expect(entry).toBe(`

  widget-blog:
    feed: https://widget.example/blog/feed.xml
    title: The Widget Blog
    cites: [3, 4]`);
  });

  test("a page of documentation: its text", async () => {
    const { entry } = await added("https://docs.widget.example/install");
    expect(entry).toBe(`

  installing-widget:
    text: https://docs.widget.example/install.md
    title: Installing Widget`);
  });

  test("a project on PyPI: its releases there", async () => {
    const { entry } = await added("https://pypi.org/project/acme-widget/");
    expect(entry).toBe(`

  acme-widget-pypi:
    pypi: acme-widget
    title: acme-widget on PyPI`);
  });

  test("a PDF, by its bytes and not by its name", async () => {
    const { entry } = await added("https://widget.example/files/datasheet", { cites: ["12"] });
    expect(entry).toBe(`

  widget-datasheet:
    pdf: https://widget.example/files/datasheet
    cites: [12]`);
  });
});
