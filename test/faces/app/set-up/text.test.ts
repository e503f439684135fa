import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  catchUp,
  type FirstCheckRecord,
  renderBroken,
  renderSetUp,
  type SetUpDescription,
} from "../../../../src/faces/app/set-up/text.ts";
import type { Trouble } from "../../../../src/model/check.ts";
import type { Claim } from "../../../../src/model/claim.ts";
import type { Config } from "../../../../src/model/config.ts";
import type { Firing } from "../../../../src/model/firing.ts";
import type { Item } from "../../../../src/model/reading.ts";
import { readers } from "../../../../src/read/index.ts";
import { renderIssue } from "../../../../src/recheck/issue/body.ts";
import { markOf, withSection } from "../../../../src/recheck/issue/marker.ts";
import { addressOf } from "../../../../src/recheck/issue/question.ts";
import { draft } from "../../../../src/report/index.ts";
import { hostile } from "../../../recheck/issue/hostile.ts";
import { living, rendered } from "../../../recheck/issue/markdown.ts";
import { configOf } from "../../../support/config-of.ts";
import { runs } from "../../../support/runs.ts";

const at = (text: string) => Date.parse(text);

const config = configOf(
  `
report: { title: Pumps of 2026, audited: 2026-03-05 }
levels: [Low, High]
ratings: { red-hen: High, blue-goose: Low }
products: { hen: { name: Hen } }
sources:
  hen-releases: { github-releases: hen/hen, title: Hen releases, announces: hen, cites: [1] }
  hen-docs: { page: https://hen.example.org/docs, title: "Hen | docs", cites: [2, 3] }
  goose-repo: { github-repo: goose/goose, at-audit: { archived: no } }
  goose-news: { feed: https://goose.example.org/feed.xml }
  heron-shops: { page: https://heron.example.org/shops }
  owl: { page: https://owl.example.org/ }
unwatchable:
  - { title: A book, because: printed }
`,
  {
    hen: "name: Red Hen\nratings: [red-hen]\non:\n  - release: hen\nask: |\n  Is it still High?",
    goose:
      "name: Blue Goose\nratings: [blue-goose]\non:\n  - { fact: goose-repo, name: archived, becomes: yes, awaited: true }",
  },
);

const now = at("2026-06-01T10:00:00Z");

function trouble(kind: string, says: string): Trouble {
  return { kind, says, since: now, count: 1 };
}

function added(...items: Item[]): FirstCheckRecord["happenings"] {
  return items.map((item) => ({
    event: { key: item.id },
    changes: [{ change: { kind: "item-added", item }, since: now }],
    results: [],
  }));
}

const hen3: Item = { id: "v3", title: "Hen 3.0", version: "v3", at: at("2026-05-01") };
const goosePost: Item = { id: "g1", title: "A [new](https://x.example.org) @goose", at: at("2026-04-02") };
const oldPost: Item = { id: "g0", title: "Old", at: at("2026-01-02") };

const checks: FirstCheckRecord[] = [
  { source: "hen-releases", at: now, outcome: "first", happenings: added(hen3) },
  { source: "hen-docs", at: now, outcome: "first", happenings: [] },
  { source: "goose-repo", at: now, outcome: "first", happenings: [] },
  { source: "goose-news", at: now, outcome: "first", happenings: added(goosePost, oldPost) },
  { source: "heron-shops", at: now, outcome: "unknown", failure: trouble("bot-wall", "bot wall") },
  {
    source: "owl",
    at: now,
    outcome: "unknown",
    failure: trouble("deferred", "left for later: the hourly allowance is used up"),
  },
  { source: "no-longer-there", at: now, outcome: "first", happenings: added(goosePost) },
];

const released: Firing = {
  trigger: "hen",
  event: { key: "hen 3.0", product: "hen", version: "3.0", at: at("2026-05-01") },
  weight: "routine",
  seen: now,
  fired: now,
  evidence: [{ source: "hen-releases", seen: now, change: { kind: "item-added", item: hen3 }, part: "on" }],
};

const archived: Firing = {
  trigger: "goose",
  event: { key: "goose-repo archived yes" },
  weight: "contrary",
  seen: now,
  fired: now,
  evidence: [
    {
      source: "goose-repo",
      seen: now,
      change: { kind: "fact", name: "archived", before: "no", after: "yes" },
      part: "on",
      condition: { kind: "fact", source: "goose-repo", name: "archived", becomes: "yes", awaited: true },
    },
  ],
};

function setUp(more: Partial<SetUpDescription> = {}): SetUpDescription {
  return {
    config,
    checks,
    firings: [released, archived],
    readers,
    marker: "abc123",
    folder: "",
    link: addressOf,
    ...more,
  };
}

/** A draft as it comes to stand on the branch; `mend` is what a person makes of its `sources.yaml`. */
function drafted(text: string, mend = (sources: string) => sources): Pick<SetUpDescription, "config" | "found"> {
  const made = draft({ path: "docs/report.md", text }, { at: now, readers });
  const files = new Map(made?.files.map((file) => [file.path.replace(/^triggers\/|\.yaml$/g, ""), file.text]));
  const sources = files.get("sources") ?? "";
  files.delete("sources");
  return { config: configOf(mend(sources), Object.fromEntries(files)), ...(made && { found: made.found }) };
}

function claim(id: string, ratings: readonly string[] = []): Claim {
  return { id, source: "hen-docs", says: `Of ${id}`, proof: { value: "5 GB", of: id }, ratings, cites: [2], until: [] };
}

/** The sources of the config, one of them with these claims. */
function withClaims(...claims: readonly Claim[]): Config["sources"] {
  return new Map([...config.sources].map(([id, source]) => [id, id === "hen-docs" ? { ...source, claims } : source]));
}

const rated =
  "# R\n\n| Board | Price | Speed |\n|-|-|-|\n| x | High | Low |\n| y | Low | strange |\n| z | Low | High |\n\n";

describe("changes since the audit", () => {
  const caught = catchUp(config, checks, [released, released, archived], readers);

  test("contrary, routine and without effect are distinguished, each event once", () => {
    expect(caught.contrary.map(({ event }) => event.key)).toEqual(["goose-repo archived yes"]);
    expect(caught.routine.map(({ event }) => event.key)).toEqual(["hen 3.0"]);
    expect(caught.quiet).toEqual([{ source: "goose-news", title: goosePost.title, at: at("2026-04-02") }]);
  });

  test("changes that were seen, sources that could not be checked, and the rest", () => {
    expect(caught.readSources).toEqual(["hen-releases", "hen-docs", "goose-repo", "goose-news"]);
    expect(caught.unreadSources).toEqual([{ source: "heron-shops", says: "bot wall" }]);
    expect(caught.later).toEqual(["owl"]);
    expect(catchUp(config, checks.slice(1), [], readers).waiting).toEqual(["hen-releases"]);
  });

  test("pages and repositories have no past", () => {
    expect(caught.withoutPast).toEqual(["hen-docs", "goose-repo"]);
  });
});

const cited = "1. T. https://a.example.org/2026/01/t\n2. U. https://b.example.org/u.png\n3. V. https://c.example.org/";
const mended = drafted(rated + cited, (sources) =>
  sources
    .replace(/unwatchable:[\s\S]*$/, "")
    .replace("https://a.example.org/2026/01/t", "https://a.example.org/t")
    .replace("title: V", "title: V\n    claims: { one: { says: It runs, quote: it runs, ratings: [x/price] } }"),
);
const many = Array.from({ length: 12 }, (_, i) => claim(`claim-${i}`, i === 11 ? ["red-hen", "blue-goose"] : []));
const counts = { considered: 30, stated: 20, proved: 12 };
const without = configOf("report: { title: Birds, audited: 2026-05-16 }\nratings: { flight: High }\n");

const cases: Record<string, Partial<SetUpDescription>> = {
  "a first check": {},
  "two triggers that ask about one event": { firings: [released, { ...released, trigger: "goose" }] },
  "a built-in trigger": { firings: [released, { ...released, trigger: "not-found" }] },
  "a draft": { ...drafted(rated + cited), folder: ".github/recheck" },
  "a draft that people mended": mended,
  "a check under way": { checks: [], firings: [] },
  "no source": { config: without, checks: [], firings: [] },
  "nothing that fired": { firings: [] },
  "twelve claims": { config: { ...config, sources: withClaims(...many) }, claims: counts },
  "no statement": { claims: { considered: 0, stated: 0, proved: 0 } },
  "questions of the past": {
    asked: [...config.triggers.keys(), "of-another-draft"].map((id, i) => ({ trigger: id, times: [14, 1][i] ?? 9 })),
  },
  "no question in the past": { asked: [] },
};

/** As people read it, in golden/. After a change that is meant: npx vitest run test/faces/app/set-up/text.test.ts -u */
test.each(Object.entries(cases))("the pull request with %s", async (name, given) => {
  const body = renderSetUp(setUp(given));
  await expect(`${body}\n`).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.md`);
});

test("an event that several triggers ask about is listed once in the issue Catch up", () => {
  const given = { config, firings: [released, { ...released, trigger: "goose" }], marker: "m", link: addressOf };
  const { body } = renderIssue({ ...given, trigger: "catch-up", claims: [] });
  expect(body).toMatch(/\*\*1\. Hen 3\.0 released\*\* · [^\n]* · red-hen, blue-goose/);
  expect(body.match(/Hen 3\.0 released\*\*/g)).toHaveLength(1);
});

describe("the set-up pull request", () => {
  const body = renderSetUp(setUp());

  test("written again, people's own words around it stay", () => {
    const again = withSection(`Mine.\n\n${body}\n\nAlso mine.`, () => renderSetUp(setUp({ firings: [] })));
    expect(again.startsWith("Mine.")).toBe(true);
    expect(again.endsWith("Also mine.")).toBe(true);
    expect(again).toContain("0 events against");
    expect(again).not.toContain("1 contrary");
    expect(markOf(body)).toMatchObject({ marker: "abc123", trigger: "set-up" });
  });

  test("while its config is broken, it lists the mistakes", async () => {
    const problems = [{ file: "sources.yaml", line: 4, column: 2, message: 'unknown key "cite"', suggestion: "cites" }];
    const broken = renderBroken(problems, "abc123", "");
    expect(markOf(broken)).toMatchObject({ marker: "abc123" });
    await expect(`${broken}\n`).toMatchFileSnapshot("golden/a-broken-config.md");
  });

  test("it fits, however much there is", () => {
    const many = Array.from(
      { length: 3_000 },
      (_, i): Item => ({ id: `i${i}`, title: `Entry ${i} ${"x".repeat(60)}`, at: now - i }),
    );
    const firings = many.slice(0, 500).map(
      (item, i): Firing => ({
        ...released,
        event: { key: `hen ${i}` },
        evidence: [{ source: "hen-releases", seen: now, change: { kind: "item-added", item }, part: "on" }],
      }),
    );
    const full = renderSetUp(
      setUp({
        firings,
        checks: [{ source: "goose-news", at: now, outcome: "first", happenings: added(...many), left: 7 }],
      }),
    );
    expect([...full].length).toBeLessThanOrEqual(65_536);
    expect(full).toContain("at least 3,000 without effect");
    expect(full).toContain("Left out, because GitHub allows 65,536 characters");
  });
});

describe("the issue Catch up", () => {
  const given = { config, firings: [released, archived], marker: "abc123", link: addressOf };
  const issue = renderIssue({ ...given, trigger: "catch-up", claims: [] });

  test("holds the events for your information; the questions of triggers are left to their issues", () => {
    expect(issue.title).toBe("Catch up: 1 event since the audit of 2026-03-05");
    expect(issue.body).toContain(
      "**1 event for your information, between the audit of 2026-03-05 and the first check.**",
    );
    expect(issue.body).not.toContain("- [ ] Is it still High?");
    expect(issue.body).not.toContain("archived");
    expect(issue.labels.map(({ name }) => name)).toEqual(["recheck", "catch-up"]);
    expect(markOf(issue.body)).toMatchObject({ marker: "abc123", events: ["hen 3.0"] });
  });
});

describe("any text of sources and reports", () => {
  test("nothing of it comes alive", () => {
    fc.assert(
      fc.property(hostile(), hostile(), hostile(), (one, two, three) => {
        const item: Item = { id: one, title: two, version: three, at: now };
        const firing: Firing = {
          ...released,
          event: { key: one, product: "hen", version: three, at: now },
          evidence: [
            { source: "hen-releases", seen: now, change: { kind: "item-added", item }, part: "on", excerpt: two },
          ],
        };
        const sources = withClaims(
          { ...claim("said"), says: one, proof: { quote: two } },
          { ...claim("counted"), says: three, proof: { value: one, of: three } },
        );
        const named: Config = { ...config, sources, report: { ...config.report, title: one } };
        const found = draft(
          {
            path: two || "a.md",
            text: `# ${one}\n\n${two}\n\n[x](https://x.example.org/)\n\n| Board | Price | Speed |\n|-|-|-|\n| x | ${three} | Low |\n| y | Low | High |`,
          },
          { at: now, readers },
        )?.found;
        const failed: FirstCheckRecord = {
          source: "owl",
          at: now,
          outcome: "unknown",
          failure: trouble("status", three),
        };
        const bodies = [
          renderSetUp(
            setUp({
              config: named,
              found,
              claims: counts,
              firings: [firing],
              checks: [{ source: "goose-news", at: now, outcome: "first", happenings: added(item) }, failed],
            }),
          ),
          renderIssue({
            ...{ config: named, firings: [firing], marker: "m", link: addressOf },
            ...{ trigger: "catch-up", claims: [] },
          }).body,
          renderBroken([{ file: one, line: 1, column: 1, message: two, suggestion: three }], "m", ""),
        ];
        for (const body of bodies) {
          const { text, html, links } = rendered(body);
          expect(living(text)).toEqual([]);
          expect(html.filter((tag) => !/^<(?:!-- recheck:|\/?(?:details|summary|sub)>)/.test(tag))).toEqual([]);
          expect(html.filter((tag) => /^<\/?sub>/.test(tag)).length).toBeLessThanOrEqual(2);
          expect(
            links.filter(
              (url) =>
                !/^https:\/\/(?:hen|goose|heron|owl|x)\.example\.org\/|^https:\/\/redirect\.github\.com\//.test(url),
            ),
          ).toEqual([]);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
