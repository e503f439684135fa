import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gitlabProject } from "../../../../src/read/kinds/gitlab-project.ts";
import { source } from "../../../read/given.ts";
import { atom, Home, json, type LocalWeb, openWeb, page, prose } from "./web.ts";

const feedLink = '<link rel="alternate" type="application/rss+xml" title="Site" href="https://site.example/feed.xml">';
const entries = Array.from({ length: 6 }, (_, i) => ({
  title: `Post ${i}`,
  url: `https://site.example/blog/post-${i}/`,
  at: `2026-06-0${6 - i}`,
}));
const markdown = (about: string) => `# The ${about}\n\n${prose(about).replaceAll(/<\/?p>/g, "\n")}`;
const article = (about: string) => `<h1>The ${about}</h1>${prose(about)}`;
const issue = {
  number: 7,
  state: "open",
  title: "Tracker: levers",
  labels: [],
  body: "- [ ] one",
  user: { login: "a" },
};
const frozenList = '<a href="/docs/latest/limits.html">latest</a><a href="/docs/2.8/">2.8</a>';

const gitlab = (address: string) =>
  gitlabProject.request(source(gitlabProject, {}, `gitlab.com/${address}`), { githubToken: false }).url.slice(8);

const answers = {
  // A site that names its feed on every page, with posts and documentation.
  "site.example/feed.xml": atom("Site news", entries),
  "site.example/blog/post-2/": page("Post 2", feedLink, `<h1>Post 2</h1>${prose("post two")}`),
  "site.example/blog/2019/an-old-one/": page("An old one", feedLink, `<h1>An old one</h1>${prose("old times")}`),
  "site.example/docs/install": page("Install | Site", feedLink, article("installation")),
  "site.example/docs/2.8/limits.html": page("Limits 2.8", feedLink, `${article("limits")}${frozenList}`),
  "site.example/docs/latest/limits.html": page("Limits", feedLink, article("limits")),
  // Ways to say where a page's own text is.
  "declared.example/guide/": page(
    "Guide",
    '<link rel="alternate" type="text/markdown" href="/raw/guide.txt">',
    article("guide"),
  ),
  "declared.example/raw/guide.txt": { type: "text/plain", body: markdown("guide") },
  "sphinx.example/en/latest/use.html": page(
    "Use - Sphinx",
    '<link rel="index" title="Index" href="genindex.html"><link rel="search" href="search.html">',
    article("use"),
  ),
  "sphinx.example/en/latest/_sources/use.rst.txt": {
    type: "text/plain",
    body: `The use\n=======\n\n${prose("use").replaceAll(/<\/?p>/g, "\n")}`,
  },
  "stub.example/guide": page("Guide", "", article("guide")),
  "stub.example/guide.md": { type: "text/markdown", body: "# Guide\n\nAll of it is on the page.\n" },
  "spa.example/guide": {
    body: '<!doctype html><html><head><title>Guide</title><link rel="alternate" type="text/markdown" href="/guide.md"><script src="app.js"></script></head><body><div id="root"></div></body></html>',
  },
  "spa.example/guide.md": { type: "text/markdown", body: markdown("guide") },
  // GitHub.
  "github.com/acme/quiet/releases.atom": atom("Release notes from quiet", []),
  "api.github.com/repos/acme/quiet": json({ private: false, archived: false, full_name: "acme/quiet" }),
  "github.com/acme/widget/releases.atom": atom("Release notes from widget", [
    { title: "v1.0.0", url: "https://github.com/acme/widget/releases/tag/v1.0.0", at: "2026-01-01" },
  ]),
  "papers.example/articles/s41-021-9": {
    body: `<html><head><meta name="citation_doi" content="10.5555/s41-021-9"><title>Lift</title></head><body><p>${"It lifts. ".repeat(200)}</p></body></html>`,
  },
  "api.crossref.org/v1/works/10.5555%2Fs41-021-9": {
    type: "application/json",
    body: '{"message":{"DOI":"10.5555/s41-021-9","title":["Lift"]}}',
  },
  "raw.githubusercontent.com/acme/widget/main/docs/use.md": { type: "text/plain", body: markdown("use") },
  "raw.githubusercontent.com/acme/widget/HEAD/docs/use.md": { type: "text/plain", body: markdown("use, now") },
  "raw.githubusercontent.com/acme/widget/v1.0.0/docs/use.md": { type: "text/plain", body: markdown("use") },
  "api.github.com/repos/acme/widget/issues/7": json(issue),
  // Others.
  "api.datacite.org/dois/10.5555%2Fset.1": json({ data: { attributes: { titles: [{ title: "Kites, counted" }] } } }),
  "gitlab.com/toys/air": page("Air", "", article("group of projects")),
  "gitlab.com/toys/kite": page("Kite", "", article("project")),
  [gitlab("toys/air")]: json({ data: { project: null } }),
  [gitlab("toys/kite")]: json({ data: { project: { fullPath: "toys/kite", archived: false, visibility: "public" } } }),
  "doi.org/10.5555/data.1": page("Data of kites", "", article("data")),
  "team.example/radar/": page("Radar", feedLink, `${article("radar")}<a href="status.json">status.json</a>`),
  "team.example/radar/status.json": {
    type: "application/json",
    body: readFileSync(new URL("../../../read/fixtures/report.json", import.meta.url)),
  },
  "known.example/": { type: "text/plain", body: "Known for its plain words." },
  "names.example/build": page("Building from source | Names", "", article("building")),
  "hub.docker.com/v2/repositories/acme/widget/tags?page_size=100&ordering=last_updated": json({
    results: [{ name: "1.0", tag_last_pushed: "2026-01-01T00:00:00Z" }],
  }),
  "old.example/guide": { status: 301, headers: { location: "https://declared.example/guide/" } },
  "api.example/v1/limits": json({ most: 5 }),
  "api.example/news.json": json({
    version: "https://jsonfeed.org/version/1.1",
    title: "News of limits",
    items: [{ id: "1", url: "https://api.example/1", title: "Five", date_published: "2026-06-01T00:00:00Z" }],
  }),
  "lonely.example/blog/2020/03/once/": page("Once", "", article("single post")),
};

let web: LocalWeb;
let home: Home;
const config = "report: { title: Widgets, audited: 2026-05-16 }\nsources:\n  known: { page: https://known.example/ }\n";
beforeAll(async () => {
  web = await openWeb(answers);
  home = new Home(web, config);
});
afterAll(async () => {
  home.remove();
  await web.close();
});

/** What would be written, without the indent of the file. */
async function entry(address: string, options: Parameters<Home["add"]>[1] = {}): Promise<string> {
  const { out, code } = await home.add(address, { ...options, dryRun: true, json: true });
  expect(code, out).toBe(0);
  const { diff } = JSON.parse(out) as { diff: string };
  const lines = diff.split("\n").filter((line) => line.startsWith("+") && !line.startsWith("+++"));
  return lines.map((line) => line.slice(1).trimEnd()).join("\n");
}

describe("better kinds for a page", () => {
  test("a post: the feed that holds it, which covers its references", async () => {
    expect(await entry("https://site.example/blog/post-2/", { cites: ["5,6"] })).toBe(
      "  # In place of site.example/blog/post-2: it is a post.\n  site-news: { feed: https://site.example/feed.xml, title: Site news, stands-for: [5, 6] }",
    );
  });

  test("a post that the feed no longer holds", async () => {
    const text = await entry("https://site.example/blog/2019/an-old-one/", { cites: ["5"], standsFor: ["4"] });
    expect(text).toContain("feed: https://site.example/feed.xml");
    expect(text).toContain("stands-for: [4, 5]");
  });

  test("documentation is not watched by the feed of its site's blog", async () => {
    expect(await entry("https://site.example/docs/install")).toBe(
      "  site-install: { page: https://site.example/docs/install, title: Install }",
    );
  });

  test("a part of a page: the page, with the name of that part", async () => {
    expect(await entry("https://site.example/docs/install#on-linux")).toContain(
      'page: "https://site.example/docs/install#on-linux"',
    );
    expect(await entry("https://site.example/docs/install#:~:text=Linux")).toContain(
      "page: https://site.example/docs/install,",
    );
    expect(await entry("https://site.example/blog/post-2/#end")).toContain("feed: https://site.example/feed.xml");
  });

  test("documentation of a version: the same page of the current one", async () => {
    const text = await entry("https://site.example/docs/2.8/limits.html", { cites: ["9"] });
    expect(text).toContain("page: https://site.example/docs/latest/limits.html");
    expect(text).toContain("stands-for: [9]");
    expect(text).toContain("# In place of site.example/docs/2.8/limits.html: its address holds a version.");
  });

  test("a frozen page in whose place nothing moves stays, and is checked seldom", async () => {
    expect(await entry("https://lonely.example/blog/2020/03/once/")).toBe(
      "  # It will probably never change (its address holds a date), and can only be retracted.\n  lonely-once: { page: https://lonely.example/blog/2020/03/once/, title: Once, every: 14d }",
    );
  });

  test.each([
    ["the text that the page names", "https://declared.example/guide/", "text: https://declared.example/raw/guide.txt"],
    [
      "what Sphinx made it of",
      "https://sphinx.example/en/latest/use.html",
      "text: https://sphinx.example/en/latest/_sources/use.rst.txt",
    ],
    ["the page, where the text holds less than it", "https://stub.example/guide", "page: https://stub.example/guide"],
    ["the text, where the page needs a browser", "https://spa.example/guide", "text: https://spa.example/guide.md"],
    ["the state of another report", "https://team.example/radar/", "report: https://team.example/radar/status.json"],
    [
      "the same by its file",
      "https://team.example/radar/status.json",
      "report: https://team.example/radar/status.json",
    ],
    ["a title without its site", "https://names.example/build", "title: Building from source"],
    ["what it moved to for good", "https://old.example/guide", "text: https://declared.example/raw/guide.txt"],
    ["a feed, where JSON Feed comes", "https://api.example/news.json", "feed: https://api.example/news.json"],
    ["values, where JSON comes", "https://api.example/v1/limits", "json: https://api.example/v1/limits"],
  ])("%s", async (_, address, wanted) => {
    expect(await entry(address)).toContain(wanted);
  });
});

describe("places that show their kind", () => {
  test.each([
    ["https://github.com/acme/quiet", "quiet-repo: { github-repo: acme/quiet, title: quiet repository }"],
    [
      "https://github.com/acme/widget/releases",
      "widget-releases: { github-releases: acme/widget, title: widget releases }",
    ],
    ["https://doi.org/10.5555/data.1", "page: https://doi.org/10.5555/data.1"],
    ["https://doi.org/10.5555/set.1", 'datacite: "10.5555/set.1"'],
    ["https://gitlab.com/toys/kite", "gitlab-project: gitlab.com/toys/kite"],
    ["https://gitlab.com/toys/air", "page: https://gitlab.com/toys/air"],
    ["https://github.com/acme/widget/issues/7", 'github-issue: "acme/widget#7", title: "Tracker: levers" }'],
    [
      "https://github.com/acme/widget/blob/main/docs/use.md",
      "widget-use: { text: https://raw.githubusercontent.com/acme/widget/main/docs/use.md, title: The use }",
    ],
    [
      "https://hub.docker.com/r/acme/widget",
      "widget-images: { container-tags: acme/widget, title: acme/widget images }",
    ],
    ["github.com/acme/widget/releases", "github-releases: acme/widget"],
  ])("%s", async (address, wanted) => {
    expect(await entry(address)).toContain(wanted);
  });

  test("one release: the list of them, in its place", async () => {
    expect(await entry("https://github.com/acme/widget/releases/tag/v1.0.0", { cites: ["2"] })).toMatch(
      /github-releases: acme\/widget, title: widget releases, stands-for: \[2\]/,
    );
  });

  test("a file of one version: the same file of the default branch", async () => {
    const text = await entry("https://github.com/acme/widget/blob/v1.0.0/docs/use.md", { cites: ["2"] });
    expect(text).toContain("text: https://raw.githubusercontent.com/acme/widget/HEAD/docs/use.md");
    expect(text).toContain("stands-for: [2]");
  });
});

test("a page of a paper: the keeper of its DOI", async () => {
  expect(await entry("https://papers.example/articles/s41-021-9")).toContain('doi: "10.5555/s41-021-9"');
});

test("a file of a branch that was renamed: the same file of the default branch", async () => {
  const text = await entry("https://github.com/acme/widget/blob/trunk/docs/use.md");
  expect(text).toContain("text: https://raw.githubusercontent.com/acme/widget/HEAD/docs/use.md");
});

describe("a person's choice counts", () => {
  test("the kind: nothing else is checked", async () => {
    const { out, asked } = await home.add("https://site.example/blog/post-2/", {
      kind: "page",
      dryRun: true,
      cites: ["5"],
    });
    expect(out).toContain("page: https://site.example/blog/post-2/, title: Post 2, cites: [5], every: 14d");
    expect(asked).toEqual(["site.example/blog/post-2/"]);
  });

  test("the kind of an address that is none of the web", async () => {
    expect(await entry("acme/quiet", { kind: "github-repo" })).toContain("github-repo: acme/quiet");
    expect(await entry("https://github.com/acme/quiet", { kind: "github-repo" })).toContain("github-repo: acme/quiet");
  });

  test("another kind of a source that is watched already", async () => {
    expect((await home.add("https://known.example/", { dryRun: true })).out).toContain("--kind KIND");
    expect(await entry("https://known.example/", { kind: "text" })).toContain("text: https://known.example/");
  });

  test("the id", async () => {
    expect(await entry("https://site.example/docs/install", { id: "how-to" })).toMatch(/^ {2}how-to: /);
  });
});

test("six requests are enough for anything, and nothing is asked for twice", async () => {
  const links = Array.from({ length: 9 }, (_, i) => `<link rel="alternate" type="text/markdown" href="/t${i}">`).join(
    "",
  );
  const feeds = Array.from(
    { length: 9 },
    (_, i) => `<link rel="alternate" type="application/atom+xml" href="/f${i}">`,
  ).join("");
  const greedy = await openWeb({ "greedy.example/a": page("A", `${links}${feeds}`, article("page")) });
  const there = new Home(greedy, config);
  const { asked, code } = await there.add("https://greedy.example/a");
  expect(code).toBe(0);
  expect(asked.length).toBeLessThanOrEqual(6);
  expect(new Set(asked).size).toBe(asked.length);
  there.remove();
  await greedy.close();
});
