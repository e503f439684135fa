import { describe, expect, it } from "vitest";
import { crossChecks } from "../../src/config/cross-checks.ts";
import { parseConfig } from "../../src/config/index.ts";
import { rootOutline, triggerOutline } from "../../src/config/outline.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";

/** Sources that give each a different part of what conditions listen to; the id tells the kind. */
const root = `report: { title: Kites, audited: 2026-05-16 }
products: { spar: { name: Spar }, line: { name: Line }, reel: { name: Reel } }
sources:
  feed: { feed: https://example.org/feed, announces: [spar, line] }
  page: { page: https://example.org/page, claims: { light: { says: It is light, quote: weighs little } } }
  page-of-versions: { page: https://example.org/versions, versions: '\\d+\\.\\d+', announces: spar }
  text: { text: https://example.org/text.md }
  json: { json: https://example.org/whole.json }
  json-of-items: { json: https://example.org/list.json, items: $, item: { id: name } }
  json-of-facts: { json: https://example.org/facts.json, facts: { newest: latest.version } }
  github-releases: { github-releases: example/kite }
  github-repo: { github-repo: example/kite }
  github-issue: { github-issue: example/kite#1 }
  github-pull: { github-pull: example/kite#2 }
  github-commits: { github-commits: example/kite }
  pypi: { pypi: kite }
  container-tags: { container-tags: example/kite }
  pdf: { pdf: https://example.org/kite.pdf }
  report: { report: https://example.org/kites/ }
`;

function told(condition: string, sources = root): string[] {
  const files = [
    { path: "sources.yaml", text: sources },
    { path: "triggers/t.yaml", text: `name: x\non:\n  - ${condition}\n` },
  ];
  return parseConfig(files, readers).problems.map(formatProblem);
}

const ids = [...root.matchAll(/^ {2}([a-z-]+): \{/gm)].map(([, id = ""]) => id);

/** What takes which sources; every other is refused. */
const fitting: Readonly<Record<string, readonly string[]>> = {
  "item: ": [
    ...["feed", "page-of-versions", "json-of-items", "github-releases", "github-commits", "pypi", "container-tags"],
  ],
  "commit: ": ["github-commits"],
  "change: ": ["page", "page-of-versions", "text", "json", "github-issue", "pypi", "pdf"],
  "row: ": ["page", "page-of-versions", "text", "pypi"],
  "issue: ": ["github-issue", "github-pull"],
  "link: ": ids,
  "claim: ": ["page"],
};

describe("a condition fits its source", () => {
  it.each(Object.entries(fitting))("%s", (condition, sources) => {
    expect(ids.filter((id) => told(`${condition}${id}`).length === 0)).toEqual(sources);
  });

  it.each([
    ["state", ["github-issue", "github-pull", "report"]],
    ["merged", ["github-pull", "report"]],
    ["archived", ["github-repo", "report"]],
    ["newest", ["json-of-facts", "report"]],
    ["pages", ["pdf", "report"]],
    ["kite/lift freshness", ["report"]],
    ["home", ["pypi", "report"]],
  ])("fact: with name: %s", (name, sources) => {
    expect(ids.filter((id) => told(`{ fact: ${id}, name: ${name} }`).length === 0)).toEqual(sources);
  });
});

describe("a condition that nothing can meet", () => {
  it.each([
    ["item: page", '3:11  "item" needs items; source "page" (page) gives none without "versions"'],
    ["item: json", '3:11  "item" needs items; source "json" (json) gives none without "items" or "versions"'],
    [
      "issue: github-repo",
      '3:12  "issue" needs an issue or pull request; source "github-repo" (github-repo) gives none',
    ],
    ["row: pdf", '3:10  "row" needs table rows; source "pdf" (pdf) gives none'],
    ["{ fact: feed, name: public }", '3:13  "fact" needs facts; source "feed" (feed) gives none'],
    ["{ fact: json, name: x }", '3:13  "fact" needs facts; source "json" (json) gives none without "facts"'],
    [
      "{ fact: github-repo, name: publik }",
      '3:32  source "github-repo" (github-repo) has no fact "publik", only public, archived, name, description',
    ],
    [
      "{ issue: github-pull, when: [closed, title, body, labels] }",
      '3:49  source "github-pull" (github-pull) has no text',
      '3:55  source "github-pull" (github-pull) has no labels',
    ],
    [
      "{ fact: report, name: lift freshness, becomes: in-doubt }",
      '3:52  "lift freshness" is never "in-doubt", only in doubt, not corrected, blind, to review, due, fresh',
    ],
    ['{ fact: report, name: "lift  high" }', '3:27  source "report" (report) has no fact "lift  high"'],
    ["claim: feed", '3:12  "claim" needs a claim; source "feed" has none'],
    ["release: reel", '3:14  no source announces product "reel"'],
    ["release: [spar, reel]", '3:21  no source announces product "reel"'],
    ["{ release: spar, sources: [feed, pypi] }", '3:38  source "pypi" does not announce "spar"'],
    ["{ release: [spar, line], sources: [page-of-versions] }", '3:23  no source in "sources" announces product "line"'],
  ])("%s", (condition, ...expected) => {
    expect(told(condition)).toEqual(expected.map((one) => `triggers/t.yaml:${one}`));
  });

  it("is reported in a claim's until as well", () => {
    const until = root.replace("quote: weighs little", "quote: weighs little, until: [{ item: pdf }]");
    expect(told("unreviewed: 9d", until)).toEqual([
      'sources.yaml:5:119  "item" needs items; source "pdf" (pdf) gives none',
    ]);
  });

  it("is no second problem beside a name that is wrong", () => {
    expect(told("item: pge")).toEqual([
      'triggers/t.yaml:3:11  no source named "pge" in sources.yaml; did you mean "page"?',
    ]);
    const misspelt = root.replace("announces: [spar, line]", "announces: [spar, reeel]");
    expect(told("release: reel", misspelt)).toEqual([
      'sources.yaml:4:61  no product named "reeel" in sources.yaml; did you mean "reel"?',
    ]);
  });

  it("is not looked for if sources.yaml has no form", () => {
    const found = { add: () => expect.unreachable() };
    for (const value of [undefined, null, 5, [], { sources: [] }, { sources: { a: 5, b: { feed: 1, page: 2 } } }]) {
      const across = crossChecks(rootOutline(value, readers));
      across.checkSources(found);
      across.checkTrigger(
        triggerOutline.parse({ on: [{ item: "a" }, 5, { release: [{}], sources: 5 }], also: 5 }),
        "t",
        found,
      );
    }
  });
});

describe("a source that says what it cannot", () => {
  it.each([
    [
      "page: https://example.org/x, announces: reel",
      '20:50  "announces" needs items; source "new" (page) gives none without "versions"',
    ],
    [
      "github-repo: example/x, at-audit: { publik: no }",
      '20:46  source "new" (github-repo) has no fact "publik", only public, archived, name, description',
    ],
    [
      "endoflife: python, at-audit: { supported: yes }",
      '20:41  source "new" (endoflife) has no fact "supported", only 3.9 maintained, 3.9 end …',
    ],
    ["feed: https://example.org/x, at-audit: { public: no }", '20:51  source "new" (feed) has no fact "public"'],
    [
      "report: https://example.org/x, at-audit: { lift freshness: stale }",
      '20:69  "lift freshness" is never "stale", only in doubt, not corrected, blind, to review, due, fresh',
    ],
    [
      "github-repo: example/x, claims: { on: { says: x, fact: achived, is: no } }",
      '20:65  source "new" (github-repo) has no fact "achived", only public, archived, name, description',
    ],
    [
      "page: https://example.org/x, claims: { on: { says: x, fact: archived, is: no } }",
      '20:70  "fact" needs facts; source "new" (page) gives none',
    ],
    ["github-repo: example/x, claims: { on: { fact: archived } }", '20:44  claim "new/on" needs "says": text'],
    [
      "report: https://example.org/x, claims: { on: { says: x, fact: lift freshness, is: stale } }",
      '20:92  "lift freshness" is never "stale", only in doubt, not corrected, blind, to review, due, fresh',
    ],
    [
      "json: https://example.org/x, items: $, item: { titel: x }",
      '20:57  unknown key "titel" in "item" of source "new"; did you mean "title"?',
    ],
  ])("%s", (source, expected) => {
    expect(told("unreviewed: 9d", `${root}  new: { ${source} }\n`)[0]).toBe(`sources.yaml:${expected}`);
  });
});
