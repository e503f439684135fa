import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { sources, trigger } from "./valid.ts";

/** Mistakes that people make, one at a time in files that hold: all that is told of each, word by word. */

const now = Date.UTC(2026, 10, 22);

/** All that is told of `sources.yaml` and one trigger: each problem, or each warning where config holds. */
function toldOf(inSources: string | Uint8Array, inTrigger = trigger, path = "triggers/delta.yaml"): string[] {
  const parsed = parseConfig(
    [
      { path: "sources.yaml", text: inSources },
      { path, text: inTrigger },
    ],
    readers,
    now,
  );
  return parsed.config
    ? parsed.warnings.map((one) => `warning: ${formatProblem(one)}`)
    : parsed.problems.map(formatProblem);
}

const mistakes: readonly [what: string, file: string, from: string, to: string, told: readonly string[]][] = [
  [
    "a misspelt key at the top",
    "sources",
    "conclusions:",
    "conclusion:",
    ['sources.yaml:16:1  unknown key "conclusion" in sources.yaml; did you mean "conclusions"?'],
  ],
  [
    "a misspelt key of the report",
    "sources",
    "  version:",
    "  verison:",
    ['sources.yaml:4:3  unknown key "verison" in report; did you mean "version"?'],
  ],
  [
    "a key of another tool",
    "sources",
    "    every: 2h",
    "    interval: 2h",
    [
      'sources.yaml:32:5  unknown key "interval" in source "wind-tracker"; its keys are title, cites, stands-for, cited-by, announces, at-audit, every, confirm, claims, github-issue',
    ],
  ],
  [
    "a capital",
    "sources",
    "    every: 2h",
    "    Every: 2h",
    ['sources.yaml:32:5  unknown key "Every" in source "wind-tracker"; did you mean "every"?'],
  ],
  [
    "an underscore for a hyphen",
    "sources",
    "stands-for:",
    "stands_for:",
    ['sources.yaml:27:5  unknown key "stands_for" in source "spar-releases"; did you mean "stands-for"?'],
  ],
  [
    "a key in camel case",
    "sources",
    "cited-by: [knots]",
    "citedBy: [knots]",
    ['sources.yaml:30:5  unknown key "citedBy" in source "wind-tracker"; did you mean "cited-by"?'],
  ],
  [
    "one for many",
    "sources",
    "        ratings: [delta/lift]",
    "        rating: [delta/lift]",
    ['sources.yaml:38:9  unknown key "rating" in claim "wind-tracker/early"; did you mean "ratings"?'],
  ],
  [
    "a colon without a space",
    "sources",
    "    every: 2h",
    "    every:2h",
    ['sources.yaml:32:5  this is not "key: value": a colon needs a space after it'],
  ],
  [
    "a deeper indent",
    "sources",
    "    every: 2h",
    "      every: 2h",
    ["sources.yaml:32:7  this has no entry above it: the keys of one entry must start at the same column"],
  ],
  ["a tab", "sources", "    every: 2h", "\tevery: 2h", ["sources.yaml:32:1  a tab cannot indent; use spaces"]],
  [
    "words for numbers",
    "sources",
    "cites: [3]",
    "cites: [three]",
    ['sources.yaml:26:13  "cites" needs reference numbers such as [1, 2]; this is "three"'],
  ],
  [
    "a list for keys",
    "sources",
    "names: { delta: Delta, sled: Flat sled }",
    "names: [delta, sled]",
    ['sources.yaml:10:8  "names" needs keys with values; this is a list'],
  ],
  [
    "a source as an entry of a list",
    "sources",
    "  limits:\n    page: https://example.org/limits",
    "  - limits:\n    page: https://example.org/limits",
    ["sources.yaml:43:3  a list entry (-) is among keys; remove its dash"],
  ],
  [
    "claims as a list",
    "sources",
    "    claims:\n      weight: {",
    "    claims:\n      - weight: {",
    ["sources.yaml:50:7  this has no entry above it: the keys of one entry must start at the same column"],
  ],
  [
    "an unknown kind of an address",
    "sources",
    "    page: https",
    "    webpage: https",
    ['sources.yaml:44:5  unknown key "webpage" in source "limits"; did you mean "page"?'],
  ],
  [
    "the word url for a kind",
    "sources",
    "    page: https",
    "    url: https",
    ['sources.yaml:44:5  unknown key "url" in source "limits"; did you mean "page"?'],
  ],
  [
    "two kinds",
    "sources",
    "    select: main",
    "    feed: https://example.org/feed",
    ['sources.yaml:46:5  source "limits" has 2 kinds, page and feed; keep one'],
  ],
  [
    "an id that is there twice",
    "sources",
    "  limits:\n",
    "  wind-tracker:\n",
    ['sources.yaml:43:3  "wind-tracker" is here twice; the first is on line 28'],
  ],
  [
    "a product that nothing is called",
    "sources",
    "announces: spar",
    "announces: sparr",
    ['sources.yaml:25:16  no product named "sparr" in sources.yaml; did you mean "spar"?'],
  ],
  [
    "a document that nothing is called",
    "sources",
    "[knots]",
    "[knotts]",
    ['sources.yaml:30:16  no document named "knotts" in sources.yaml; did you mean "knots"?'],
  ],
  [
    "a rating that nothing is called",
    "sources",
    "ratings: [delta/lift]",
    "ratings: [delta/lfit]",
    ['sources.yaml:38:19  no rating named "delta/lfit" in sources.yaml; did you mean "delta/lift"?'],
  ],
  [
    "a conclusion that rests on nothing",
    "sources",
    "rests-on: [sled/lift]",
    "rests-on: [sled/left]",
    ['sources.yaml:17:52  no rating or conclusion named "sled/left" in sources.yaml; did you mean "sled/lift"?'],
  ],
  [
    "a conclusion that rests on itself",
    "sources",
    "rests-on: [beginners, delta/lift]",
    "rests-on: [final]",
    ['sources.yaml:18:42  conclusion "final" rests on itself through this'],
  ],
  [
    "a level that nothing is called",
    "sources",
    "delta/lift: Low",
    "delta/lift: Lo",
    ['sources.yaml:14:15  no level named "Lo" in sources.yaml; did you mean "Low"?'],
  ],
  [
    "a date the other way round",
    "sources",
    "audited: 2026-05-16",
    "audited: 16.05.2026",
    ['sources.yaml:5:12  "audited" needs a date such as 2026-05-16; this is "16.05.2026"; did you mean "2026-05-16"?'],
  ],
  [
    "a date with its month first",
    "sources",
    "audited: 2026-05-16",
    "audited: 05/16/2026",
    ['sources.yaml:5:12  "audited" needs a date such as 2026-05-16; this is "05/16/2026"; did you mean "2026-05-16"?'],
  ],
  [
    "a day that no calendar has",
    "sources",
    "audited: 2026-05-16",
    "audited: 2026-02-30",
    ['sources.yaml:5:12  "audited" needs a day that exists; this is "2026-02-30"'],
  ],
  [
    "a month without its day",
    "sources",
    "audited: 2026-05-16",
    "audited: May 2026",
    ['sources.yaml:5:12  "audited" needs a date such as 2026-05-16; this is "May 2026"'],
  ],
  [
    "an audit in the future",
    "sources",
    "audited: 2026-05-16",
    "audited: 2027-05-16",
    ['sources.yaml:5:12  "audited" needs a day that is not in the future; this is "2027-05-16"'],
  ],
  [
    "an address without its scheme",
    "sources",
    "url: https://example.org/kites/",
    "url: example.org/kites",
    [
      'sources.yaml:3:8  "url" needs an http or https address; this is "example.org/kites"; did you mean "https://example.org/kites"?',
    ],
  ],
  [
    "a misspelt scheme",
    "sources",
    "page: https://example.org/limits",
    "page: htps://example.org/limits",
    [
      'sources.yaml:44:11  "page" needs an address, e.g. https://example.org/docs/install; this is "htps://example.org/limits"; did you mean "https://example.org/limits"?',
    ],
  ],
  [
    "a page's address without its scheme",
    "sources",
    "page: https://example.org/limits",
    "page: www.example.org/limits",
    [
      'sources.yaml:44:11  "page" needs an address, e.g. https://example.org/docs/install; this is "www.example.org/limits"; did you mean "https://www.example.org/limits"?',
    ],
  ],
  [
    "a password in an address",
    "sources",
    "page: https://example.org/limits",
    "page: https://me:hunter2@example.org/limits",
    ['sources.yaml:44:11  "page" holds credentials; config must not hold secrets'],
  ],
  [
    "a token in an address",
    "sources",
    "page: https://example.org/limits",
    "page: https://example.org/limits?access_token=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    ["sources.yaml:44:51  this looks like a secret: revoke it and delete it here; config must not hold secrets"],
  ],
  [
    "an issue without its repository",
    "sources",
    "github-issue: example/wind#15",
    "github-issue: 15",
    ['sources.yaml:29:19  "github-issue" needs an address, e.g. pytorch/pytorch#150121; this is 15'],
  ],
  [
    "an issue by its page",
    "sources",
    "github-issue: example/wind#15",
    "github-issue: https://github.com/example/wind/issues/15",
    [
      'sources.yaml:29:19  "github-issue" needs owner/name#number, e.g. pytorch/pytorch#150121; this is "https://github.com/example/wind/issues/15"; did you mean "example/wind#15"?',
    ],
  ],
  [
    "a line of cron",
    "sources",
    "every: 2h",
    'every: "0 */2 * * *"',
    [
      'sources.yaml:32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is "0 */2 * * *"; did you mean "2h"?',
    ],
  ],
  [
    "a duration in words",
    "sources",
    "every: 2h",
    "every: 2 hours",
    [
      'sources.yaml:32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is "2 hours"; did you mean "2h"?',
    ],
  ],
  [
    "a cadence in a word",
    "sources",
    "every: 2h",
    "every: daily",
    [
      'sources.yaml:32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is "daily"; did you mean "1d"?',
    ],
  ],
  [
    "months",
    "sources",
    "every: 2h",
    "every: 6mo",
    [
      'sources.yaml:32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is "6mo"; did you mean "180d"?',
    ],
  ],
  [
    "years",
    "sources",
    "every: 2h",
    "every: 1y",
    [
      'sources.yaml:32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is "1y"; did you mean "365d"?',
    ],
  ],
  [
    "a number without its unit",
    "sources",
    "every: 2h",
    "every: 2",
    ['sources.yaml:32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is 2'],
  ],
  [
    "minutes for months",
    "sources",
    "every: 2h",
    "every: 6m",
    ['warning: sources.yaml:32:12  "every" is 6 minutes: m means minutes; 6 months are 180d'],
  ],
  [
    "a colon without quotes",
    "sources",
    "title: Limits",
    "title: Limits: what holds",
    ['sources.yaml:45:12  text with ": " in it needs quotes'],
  ],
  [
    "a hash without quotes",
    "sources",
    "title: Limits",
    "title: #Limits",
    ['sources.yaml:45:5  "title" needs text; this is empty: text after # is a comment unless it is in quotes'],
  ],
  [
    "a quote that nothing closes",
    "sources",
    'title: "The State of Kites: May 2026"',
    'title: "The State of Kites: May 2026',
    ["sources.yaml:2:10  this double quote is not closed"],
  ],
  [
    "typographic quotes",
    "sources",
    'title: "The State of Kites: May 2026"',
    "title: “The State of Kites: May 2026”",
    ["sources.yaml:2:10  “ is a letter in YAML, not a quote; put the text between \" or '"],
  ],
  [
    "an @ without quotes",
    "sources",
    "title: Limits",
    "title: @Limits",
    ["sources.yaml:45:12  text that starts with @ needs quotes"],
  ],
  ["a bracket that nothing closes", "sources", "cites: [3]", "cites: [3", ["sources.yaml:26:12  this [ is not closed"]],
  [
    "a comma that is missing",
    "sources",
    "stands-for: [1, 2]",
    "stands-for: [1 2]",
    ['sources.yaml:27:18  "stands-for" needs reference numbers such as [1, 2]; this is "1 2"'],
  ],
  [
    "an alias of nothing",
    "sources",
    "cites: [3]",
    "cites: *refs",
    ["sources.yaml:26:12  there is no anchor &refs before this"],
  ],
  [
    "a merge key",
    "sources",
    "  limits:\n",
    "  limits:\n    <<: *base\n",
    ["sources.yaml:44:5  merge keys (<<) are not supported; write out the keys"],
  ],
  ["a tag", "sources", "title: Limits", "title: !env TITLE", ["sources.yaml:45:12  tags (!name) are not supported"]],
  [
    "two documents",
    "sources",
    "unwatchable:",
    "---\nunwatchable:",
    ["sources.yaml:51:1  a file is one document: remove this --- and the text after it"],
  ],
  [
    "a template",
    "sources",
    "title: Limits",
    "title: {{ limits }}",
    ["sources.yaml:45:13  text that starts with {{ needs quotes; templates are not filled in"],
  ],
  [
    "two proofs",
    "sources",
    "of: payload",
    "quote: 95 g",
    ['sources.yaml:49:53  claim "limits/weight" has 2 proofs, value and quote; keep one'],
  ],
  [
    "a proof that is empty",
    "sources",
    "quote: is an early model",
    "quote:",
    ['sources.yaml:36:9  "quote" needs text; this is empty'],
  ],
  [
    "a figure without a number",
    "sources",
    "value: 95 g",
    "value: heavy",
    ['warning: sources.yaml:49:47  "heavy" has no figure; for a passage, use "quote"'],
  ],
  [
    "a word that no option has",
    "sources",
    "pre: yes",
    "pre: maybe",
    ['sources.yaml:42:18  "pre" needs no, yes or only; this is "maybe"'],
  ],
  [
    "a report as text",
    "sources",
    'report:\n  title: "The State of Kites: May 2026"\n  url: https://example.org/kites/\n  version: "0.2"\n  audited: 2026-05-16',
    "report: The State of Kites",
    ['sources.yaml:1:9  "report" needs keys with values; this is "The State of Kites"'],
  ],
  [
    "a number for text",
    "sources",
    "title: Limits",
    "title: 2026",
    ['sources.yaml:45:12  "title" needs text; this is 2026; did you mean "2026"?'],
  ],
  [
    "yes for a word",
    "sources",
    "basis: judgement",
    "basis: yes",
    ['sources.yaml:15:36  "basis" needs judgement; this is "yes"'],
  ],
  [
    "something to wait for without a browser",
    "sources",
    "select: main",
    "wait-for: main",
    ['sources.yaml:46:15  "wait-for" has an effect only with browser: true'],
  ],
  [
    "a selector that is none",
    "sources",
    "select: main",
    "select: 'main['",
    ['sources.yaml:46:13  "select" needs a CSS selector, e.g. main .content; this is "main["'],
  ],
  [
    "a tag without its version",
    "sources",
    'tags: ["spar-{version}"]',
    'tags: ["spar-"]',
    ['sources.yaml:20:51  "tags" needs {version} in place of the version, such as "rocm-{version}"; this is "spar-"'],
  ],
  [
    "a host that nobody has",
    "sources",
    "page: https://example.org/limits",
    "page: https://wiki.internal/limits",
    ['warning: sources.yaml:44:11  no public host is called "wiki.internal": names in .internal are reserved'],
  ],
  [
    "a webhook in config",
    "sources",
    "schedule: { feed: 1h }",
    "schedule: { feed: 1h }\nnotify: { team: { slack: https://hooks.slack.com/services/T0/B0/XXXX } }",
    [
      'sources.yaml:22:26  "slack" needs contrary, weekly or monthly; this is "https://…"',
      "sources.yaml:22:34  this looks like a secret: revoke it and delete it here; config must not hold secrets",
    ],
  ],
  [
    "a way to people that is none",
    "sources",
    "schedule: { feed: 1h }",
    "schedule: { feed: 1h }\nnotify: { team: { slak: contrary } }",
    ['sources.yaml:22:19  unknown key "slak" in "team" of notify; did you mean "slack"?'],
  ],
  [
    "a condition on an absent source",
    "trigger",
    "issue: wind-tracker",
    "issue: wind-traker",
    ['triggers/delta.yaml:9:12  no source named "wind-traker" in sources.yaml; did you mean "wind-tracker"?'],
  ],
  [
    "an issue of a page",
    "trigger",
    "issue: wind-tracker",
    "issue: limits",
    ['triggers/delta.yaml:9:12  "issue" needs an issue or pull request; source "limits" (page) gives none'],
  ],
  [
    "entries of a page, which nothing can meet",
    "trigger",
    "issue: wind-tracker",
    "item: limits",
    ['triggers/delta.yaml:9:11  "item" needs items; source "limits" (page) gives none without "versions"'],
  ],
  [
    "a misspelt condition",
    "trigger",
    "  - issue: wind-tracker",
    "  - isue: wind-tracker",
    ['triggers/delta.yaml:9:5  unknown key "isue" in a condition of trigger "delta"; did you mean "issue"?'],
  ],
  [
    "a pattern that is not closed",
    "trigger",
    "matches: '\\b(95|96) g\\b'",
    "matches: '(95|96 g'",
    ['triggers/delta.yaml:15:14  "matches" is not a pattern: missing closing ): `(95|96 g`'],
  ],
  [
    "a pattern that checks ahead",
    "trigger",
    "matches: '\\b(95|96) g\\b'",
    "matches: '(?=95) g'",
    ['triggers/delta.yaml:15:14  "matches" is not a pattern: the linear-time engine has no lookaround'],
  ],
  [
    "a pattern between double quotes",
    "trigger",
    "matches: '\\b(95|96) g\\b'",
    'matches: "\\d+ g"',
    [
      "triggers/delta.yaml:15:15  a backslash between double quotes starts an escape; put the text between single quotes",
    ],
  ],
  [
    "a word for a list",
    "trigger",
    "bump: [major, minor]",
    "bump: major",
    ['triggers/delta.yaml:8:11  "bump" needs a list such as [a, b]; this is "major"; did you mean "[major]"?'],
  ],
  [
    "a number without its unit, in a trigger",
    "trigger",
    "unreviewed: 180d",
    "unreviewed: 180",
    ['triggers/delta.yaml:17:17  "unreviewed" needs a duration such as 6h or 14d (m, h, d or w); this is 180'],
  ],
  [
    "months, in a trigger",
    "trigger",
    "unreviewed: 180d",
    "unreviewed: 6 months",
    [
      'triggers/delta.yaml:17:17  "unreviewed" needs a duration such as 6h or 14d (m, h, d or w); this is "6 months"; did you mean "180d"?',
    ],
  ],
  [
    "a rating of a condition that nothing is called",
    "trigger",
    "ratings: [delta/lift]\n",
    "ratings: [sled/lft]\n",
    ['triggers/delta.yaml:16:15  no rating named "sled/lft" in sources.yaml; did you mean "sled/lift"?'],
  ],
  [
    "a key of another name",
    "trigger",
    "ask: |",
    "questions: |",
    [
      'triggers/delta.yaml:18:1  unknown key "questions" in trigger "delta"; its keys are name, wording, confidence, volatility, ratings, on, also, ask',
    ],
  ],
  [
    "a key of other automation",
    "trigger",
    "on:\n",
    "when:\n",
    [
      'triggers/delta.yaml:6:1  unknown key "when" in trigger "delta"; its keys are name, wording, confidence, volatility, ratings, on, also, ask',
    ],
  ],
  [
    "a list for text",
    "trigger",
    "    under: Payload",
    "    under: [Payload]",
    ['triggers/delta.yaml:14:12  "under" needs text; this is a list'],
  ],
  [
    "yes for true",
    "trigger",
    "  - issue: wind-tracker",
    "  - issue: wind-tracker\n    awaited: yes",
    ['triggers/delta.yaml:10:14  "awaited" needs true or false; this is "yes"; did you mean "true"?'],
  ],
  [
    "a silence without its length",
    "trigger",
    "  - issue: wind-tracker",
    "  - silence: wind-tracker",
    [
      'triggers/delta.yaml:9:5  a condition of trigger "delta" needs "for": a duration such as 6h or 14d (m, h, d or w)',
    ],
  ],
  [
    "a fact that a source does not have",
    "trigger",
    "  - issue: wind-tracker",
    "  - { fact: wind-tracker, name: stat }",
    ['triggers/delta.yaml:9:33  source "wind-tracker" (github-issue) has no fact "stat", only state, title, labels'],
  ],
  [
    "a conflict of Git",
    "trigger",
    "name: Delta kites",
    "<<<<<<< HEAD\nname: Delta kites\n=======\nname: D\n>>>>>>> x",
    ["triggers/delta.yaml:1:1  this is a merge conflict of Git; keep one of its sides"],
  ],
];

describe("a mistake in config", () => {
  test.each(mistakes)("%s", (_, file, from, to, told) => {
    const text = file === "trigger" ? trigger : sources;
    expect(text).toContain(from);
    const written = text.replace(from, () => to);
    expect(file === "trigger" ? toldOf(sources, written) : toldOf(written)).toEqual(told);
  });

  const misspelt = sources.replace("cites: [3]", "cite: [3]");
  const cite = 'sources.yaml:26:5  unknown key "cite" in source "spar-releases"; did you mean "cites"?';
  test.each<[what: string, text: string | Uint8Array, told: string]>([
    ["lines as Windows ends them", misspelt.replaceAll("\n", "\r\n"), cite],
    ["a mark of byte order", `\ufeff${misspelt}`, cite],
    [
      "a mark of byte order, before the mistake",
      `\ufeff${sources.replace("report:", "reprot:")}`,
      'sources.yaml:1:1  unknown key "reprot" in sources.yaml; did you mean "report"?',
    ],
    [
      "another encoding",
      new Uint8Array(Buffer.from(sources.replace("Limits", "Gr\u00fcn"), "latin1")),
      "sources.yaml:45:14  not UTF-8 from here on; save the file as UTF-8",
    ],
    [
      "a space that cannot break",
      sources.replace("every: 2h", "every:\u00a02h"),
      "sources.yaml:32:11  this looks like a space, but YAML does not read it as one (U+00A0); type a plain space",
    ],
    ["an empty file", "", "sources.yaml:1:1  sources.yaml needs keys with values; this is empty"],
  ])("%s", (_, text, told) => {
    expect(toldOf(text)).toContain(told);
  });

  test.each([
    ["triggers/delta.yml", 'triggers/delta.yml:1:1  config files end in .yaml; did you mean "triggers/delta.yaml"?'],
    ["sources.yml", 'sources.yml:1:1  config files end in .yaml; did you mean "sources.yaml"?'],
    [
      "triggers/Delta Kite.yaml",
      `triggers/Delta Kite.yaml:1:1  "Delta Kite" is not an id: lower-case letters and digits, in words joined by hyphens; it is the trigger's id; did you mean "triggers/delta-kite.yaml"?`,
    ],
    [
      "triggers/claims.yaml",
      'triggers/claims.yaml:1:1  a trigger cannot be called "claims": a built-in trigger has this name',
    ],
  ])("a file that is called %s", (path, told) => {
    expect(toldOf(sources, trigger, path)).toEqual([told]);
  });

  test("is one of at least 60 in this file, each with its place, and no secret is repeated", () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60);
    for (const [, , , , told] of mistakes) {
      expect(told.length).toBeGreaterThan(0);
      for (const one of told) {
        expect(one).toMatch(/^(?:warning: )?(?:sources|triggers\/delta)\.yaml:\d+:\d+ {2}\S/);
        expect(one).not.toMatch(/hunter2|ghp_|XXXX/);
      }
    }
  });
});
