import { describe, expect, it } from "vitest";
import { readers } from "../../src/read/index.ts";
import { inputSize } from "../support/runs.ts";
import { sources, told, trigger } from "./valid.ts";

/** `sources.yaml` with one thing written otherwise, and what is told of it. */
const inSources: [string, string, string, string[]][] = [
  // keys
  [
    "an unknown key",
    "cites: [3]",
    "cite: [3]",
    ['26:5  unknown key "cite" in source "spar-releases"; did you mean "cites"?'],
  ],
  [
    "a key of another kind",
    "select: main",
    "branch: main",
    [
      '46:5  unknown key "branch" in source "limits"; its keys are title, cites, stands-for, cited-by, announces, at-audit, every, confirm, claims, select, ignore, browser and 3 more',
    ],
  ],
  [
    "an unknown key at the top",
    "names:",
    "nmaes:",
    ['10:1  unknown key "nmaes" in sources.yaml; did you mean "names"?'],
  ],
  [
    "an unknown key of a claim",
    "suffix:",
    "sufix:",
    ['37:9  unknown key "sufix" in claim "wind-tracker/early"; did you mean "suffix"?'],
  ],
  [
    "an unknown key of a condition",
    "pre: yes",
    "prr: yes",
    ['42:13  unknown key "prr" in a condition of claim "wind-tracker/early"; did you mean "pre"?'],
  ],
  [
    "an unknown kind in schedule",
    "{ feed: 1h }",
    "{ feeed: 1h }",
    ['21:13  unknown key "feeed" in schedule; did you mean "feed"?'],
  ],
  ["a missing key", "  audited: 2026-05-16\n", "", ['1:1  report needs "audited": a date such as 2026-05-16']],
  [
    "a misspelt key that is then missing",
    "audited:",
    "audted:",
    ['5:3  unknown key "audted" in report; did you mean "audited"?'],
  ],
  [
    "a missing key of an entry",
    ", because: a printed book",
    "",
    ['52:5  entry 1 of unwatchable needs "because": text'],
  ],
  ["a duplicate id", "  limits:", "  spar-releases:", ['43:3  "spar-releases" is here twice; the first is on line 23']],
  ["a duplicate key", "    every: 2h", "    cited-by: []", ['32:5  "cited-by" is here twice; the first is on line 30']],
  ["a key that is a list", "names: {", "names: { [a]: x,", ["10:10  a key must be a word, not a list or an alias"]],
  ["a key that JavaScript keeps", "names: {", "names: { __proto__: x,", ['10:10  "__proto__" cannot be a key']],
  // kinds and proofs
  [
    "two kinds",
    "select: main",
    "feed: https://example.org/feed",
    ['46:5  source "limits" has 2 kinds, page and feed; keep one'],
  ],
  ["a misspelt kind", "page:", "pag:", ['44:5  unknown key "pag" in source "limits"; did you mean "page"?']],
  [
    "no kind",
    "    page: https://example.org/limits\n",
    "",
    [
      `43:3  source "limits" needs a kind: one of ${[...readers.keys()].slice(0, 12).join(", ")} and ${readers.size - 12} more`,
    ],
  ],
  [
    "no proof",
    "        quote: is an early model\n",
    "",
    ['34:7  claim "wind-tracker/early" needs a proof: one of quote, value, absent, fact'],
  ],
  [
    "two proofs",
    "of: payload",
    "absent: 96 g",
    ['49:53  claim "limits/weight" has 2 proofs, value and absent; keep one'],
  ],
  [
    "no kind of condition",
    "- release: spar",
    "- means: spar",
    [
      '41:13  a condition of claim "wind-tracker/early" needs a kind: one of release, item, commit, change, row, link, fact, issue, claim, silence, unreviewed',
    ],
  ],
  // types
  ["a number for text", '"0.2"', "0.20", ['4:12  "version" needs text; this is 0.20; did you mean "0.20"?']],
  [
    "a boolean for a fact",
    "state: open",
    "state: true",
    ['31:24  "state" needs text; this is true; did you mean "yes"?'],
  ],
  [
    "text for a list",
    "cites: [3]",
    "cites: 3",
    ['26:12  "cites" needs a list such as [a, b]; this is 3; did you mean "[3]"?'],
  ],
  [
    "text for a number",
    "cites: [3]",
    "cites: [three]",
    ['26:13  "cites" needs reference numbers such as [1, 2]; this is "three"'],
  ],
  ["a list for keys", "{ feed: 1h }", "[feed]", ['21:11  "schedule" needs keys with values; this is a list']],
  ["nothing for text", "title: Limits", "title:", ['45:5  "title" needs text; this is empty']],
  [
    "nothing for a source",
    "  limits:\n    page: https://example.org/limits\n    title: Limits\n    select: main\n    confirm: 3h\n    claims:\n      weight: { says: It carries 95 g, value: 95 g, of: payload }\n      licence: { says: No licence is needed, absent: licence required }\n",
    "  other:\n",
    [
      '43:3  source "other" needs keys with values; this is empty',
      'triggers/delta.yaml:13:13  no source named "limits" in sources.yaml',
    ],
  ],
  [
    "text for a condition",
    "- release: spar\n            pre: yes",
    "- spar",
    ['41:13  a condition of claim "wind-tracker/early" needs keys with values; this is "spar"'],
  ],
  [
    "another word than the few",
    "pre: yes",
    "pre: ye",
    ['42:18  "pre" needs no, yes or only; this is "ye"; did you mean "yes"?'],
  ],
  [
    "another basis",
    "judgement",
    "judgment",
    ['15:36  "basis" needs judgement; this is "judgment"; did you mean "judgement"?'],
  ],
  [
    "an option of another type",
    "select: main",
    "select: 5",
    ['46:13  "select" needs text or a list such as [a, b]; this is 5'],
  ],
  [
    "a tag shape without its version",
    "spar-{version}",
    "spar-",
    ['20:51  "tags" needs {version} in place of the version, such as "rocm-{version}"; this is "spar-"'],
  ],
  ["half a part", "parts: 2", "parts: 1.5", ['20:111  "parts" needs a whole number; this is 1.5']],
  // durations, dates, addresses, patterns
  [
    "a duration in words",
    "every: 2h",
    "every: 2 hours",
    ['32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is "2 hours"; did you mean "2h"?'],
  ],
  [
    "a duration without a unit",
    "every: 2h",
    "every: 2",
    ['32:12  "every" needs a duration such as 6h or 14d (m, h, d or w); this is 2'],
  ],
  [
    "a duration of nothing",
    "feed: 1h",
    "feed: 0h",
    ['21:19  "feed" needs a duration such as 6h or 14d (m, h, d or w); this is "0h"'],
  ],
  ["a second check too soon", "confirm: 3h", "confirm: 30m", ['47:14  "confirm" needs at least 1h; this is "30m"']],
  [
    "a date in words",
    "2026-05-16",
    "16 May 2026",
    ['5:12  "audited" needs a date such as 2026-05-16; this is "16 May 2026"; did you mean "2026-05-16"?'],
  ],
  [
    "a date that never comes",
    "2026-06-01",
    "2026-02-30",
    ['15:75  "reviewed" needs a day that exists; this is "2026-02-30"'],
  ],
  [
    "a month that never comes",
    "published: 2025-12",
    "published: 2025-13",
    ['7:47  "published" needs a year, month or day such as 2025, 2025-12 or 2025-12-04; this is "2025-13"'],
  ],
  [
    "an address of another shape",
    "example/wind#15",
    "wind15",
    ['29:19  "github-issue" needs owner/name#number, e.g. pytorch/pytorch#150121; this is "wind15"'],
  ],
  [
    "a file address",
    "https://example.org/limits",
    "file:///etc/passwd",
    ['44:11  "page" needs an address, e.g. https://example.org/docs/install; this is "file:///etc/passwd"'],
  ],
  [
    "credentials in an address",
    "https://example.org/limits",
    "https://me:hunter2@example.org/limits",
    ['44:11  "page" holds credentials; config must not hold secrets'],
  ],
  [
    "credentials in an address of no kind",
    "https://example.org/limits",
    "ftp://me:hunter2@example.org/",
    ['44:11  "page" holds credentials; config must not hold secrets'],
  ],
  [
    "credentials in the report's address",
    "https://example.org/kites/",
    "https://me@example.org/",
    ['3:8  "url" holds credentials; config must not hold secrets'],
  ],
  [
    "a report's address that is none",
    "https://example.org/kites/",
    "kites.html",
    ['3:8  "url" needs an http or https address; this is "kites.html"'],
  ],
  [
    "an address twice",
    "unwatchable:",
    "  again:\n    page: HTTP://EXAMPLE.org:80/limits/#top\n    select: [main]\nunwatchable:",
    ['52:11  source "limits" watches this address already'],
  ],
  [
    "an address twice, read with other options",
    "unwatchable:",
    "  again:\n    page: https://example.org/limits\nunwatchable:",
    [],
  ],
  [
    "an address twice in another case",
    "unwatchable:",
    "  again:\n    github-releases: Example/Spar\nunwatchable:",
    ['52:22  source "spar-releases" watches this address already'],
  ],
  // ids
  [
    "an id that is none",
    "  spar-releases:",
    "  Spar_Releases:",
    [
      '23:3  "Spar_Releases" is not an id: lower-case letters and digits, in words joined by hyphens; did you mean "spar-releases"?',
    ],
  ],
  [
    "an id of digits alone",
    "  spar-releases:",
    "  2026:",
    ['23:3  "2026" is not an id: lower-case letters and digits, in words joined by hyphens'],
  ],
  [
    "a rating's id that is none",
    "  sled/lift:",
    "  sled/lift_:",
    [
      '15:3  "sled/lift_" is not a rating id: lower-case letters and digits, in words joined by hyphens, its parts joined by /; did you mean "sled/lift"?',
    ],
  ],
  [
    "a rating with too few parts",
    "levels:",
    "axes: [kite]\nlevels:",
    ['10:1  "axes" is here twice; the first is on line 8'],
  ],
  [
    "fewer axes than parts",
    "axes: [kite, area]",
    "axes: [kite]",
    [
      '14:3  "delta/lift" has 2 parts, but axes has 1 part: kite',
      '15:3  "sled/lift" has 2 parts, but axes has 1 part: kite',
    ],
  ],
  // names
  [
    "a level that is none",
    "delta/lift: Low",
    "delta/lift: Lwo",
    ['14:15  no level named "Lwo" in sources.yaml; did you mean "Low"?'],
  ],
  [
    "a number for a level",
    "delta/lift: Low",
    "delta/lift: 3",
    ['14:15  rating "delta/lift" needs the name of a level or keys with values; this is 3'],
  ],
  [
    "a level that is none, within keys",
    "level: High",
    "level: high",
    ['15:23  no level named "high" in sources.yaml; did you mean "High"?'],
  ],
  ["a level twice", "[Low, Medium, High]", "[Low, Medium, High, Low]", ['8:29  "levels" holds "Low" twice']],
  ["a rubric of no level", "{ High: flies", "{ Hihg: flies", ['12:11  "Hihg" is not in levels; did you mean "High"?']],
  [
    "a rubric of no rating",
    "  lift: {",
    "  lifft: {",
    ['12:3  "lifft" is neither a rating nor the last part of one; did you mean "lift"?'],
  ],
  [
    "a volatility that is none",
    "volatility: High",
    "volatility: Hgih",
    ['15:59  no volatility named "Hgih" in sources.yaml; did you mean "High"?'],
  ],
  [
    "announcing no product",
    "announces: spar",
    "announces: spra",
    ['25:16  no product named "spra" in sources.yaml; did you mean "spar"?'],
  ],
  [
    "announcing one of two",
    "announces: spar",
    "announces: [spar, kite]",
    ['25:23  no product named "kite" in sources.yaml'],
  ],
  [
    "cited by no document",
    "cited-by: [knots]",
    "cited-by: [knot]",
    ['30:16  no document named "knot" in sources.yaml; did you mean "knots"?'],
  ],
  [
    "a claim of no rating",
    "ratings: [delta/lift]",
    "ratings: [delta/left]",
    ['38:19  no rating named "delta/left" in sources.yaml; did you mean "delta/lift"?'],
  ],
  [
    "a conclusion on nothing",
    "rests-on: [sled/lift]",
    "rests-on: [sledlift]",
    ['17:52  no rating or conclusion named "sledlift" in sources.yaml; did you mean "sled/lift"?'],
  ],
  [
    "a conclusion on itself",
    "rests-on: [sled/lift]",
    "rests-on: [final]",
    ['18:42  conclusion "beginners" rests on itself through this'],
  ],
  [
    "until no product",
    "- release: spar",
    "- release: spear",
    ['41:22  no product named "spear" in sources.yaml; did you mean "spar"?'],
  ],
];

/** The same for `triggers/delta.yaml`. */
const inTrigger: [string, string, string, string[]][] = [
  [
    "an unknown key",
    "wording:",
    "wordings:",
    ['2:1  unknown key "wordings" in trigger "delta"; did you mean "wording"?'],
  ],
  [
    "an unknown key of a condition",
    "bump:",
    "bumps:",
    ['8:5  unknown key "bumps" in a condition of trigger "delta"; did you mean "bump"?'],
  ],
  ["a missing name", "name: Delta kites\n", "", ['1:1  trigger "delta" needs "name": text']],
  [
    "a rating that is none",
    "[delta/lift, sled/lift]",
    "[delta/lift, sled/lit]",
    ['5:23  no rating named "sled/lit" in sources.yaml; did you mean "sled/lift"?'],
  ],
  [
    "a volatility that is none",
    "volatility: High",
    "volatility: Weekly",
    ['4:13  no volatility named "Weekly" in sources.yaml'],
  ],
  [
    "a source that is none",
    "issue: wind-tracker",
    "issue: wind-traker",
    ['9:12  no source named "wind-traker" in sources.yaml; did you mean "wind-tracker"?'],
  ],
  [
    "a product that is none",
    "[spar]",
    "[spar, spa]",
    ['7:21  no product named "spa" in sources.yaml; did you mean "spar"?'],
  ],
  [
    "a claim that is none",
    "wind-tracker/early",
    "wind-tracker/earl",
    ['11:12  no claim named "wind-tracker/earl" in sources.yaml; did you mean "wind-tracker/early"?'],
  ],
  ["a claim of no source", "wind-tracker/early", "wind/early", ['11:12  no source named "wind" in sources.yaml']],
  [
    "a bump that is none",
    "[major, minor]",
    "[major, mnior]",
    ['8:19  "bump" needs major, minor or patch; this is "mnior"; did you mean "minor"?'],
  ],
  ["no bump at all", "[major, minor]", "[]", ['8:11  "bump" needs at least one entry; this is a list']],
  [
    "two kinds",
    "under: Payload",
    "row: limits",
    ['14:5  a condition of trigger "delta" has 2 kinds, change and row; keep one'],
  ],
  [
    "a misspelt kind",
    "- issue:",
    "- isue:",
    ['9:5  unknown key "isue" in a condition of trigger "delta"; did you mean "issue"?'],
  ],
  [
    "a rating beside the trigger's",
    "ratings: [delta/lift, sled/lift]",
    "ratings: [sled/lift]",
    ['16:15  "delta/lift" is not among the ratings of trigger "delta"'],
  ],
  [
    "a bad duration",
    "180d",
    "6 months",
    ['17:17  "unreviewed" needs a duration such as 6h or 14d (m, h, d or w); this is "6 months"; did you mean "180d"?'],
  ],
  [
    "a broken pattern",
    "'\\b(95|96) g\\b'",
    "'(95|96 g'",
    ['15:14  "matches" is not a pattern: missing closing ): `(95|96 g`'],
  ],
  [
    "lookahead",
    "'\\b(95|96) g\\b'",
    "'95(?= g)'",
    ['15:14  "matches" is not a pattern: the linear-time engine has no lookaround'],
  ],
  [
    "lookbehind",
    "'\\b(95|96) g\\b'",
    "'(?<!1)95'",
    ['15:14  "matches" is not a pattern: the linear-time engine has no lookaround'],
  ],
  [
    "a backreference",
    "'\\b(95|96) g\\b'",
    "'(9)\\1'",
    ['15:14  "matches" is not a pattern: the linear-time engine has no backreferences'],
  ],
  [
    "a pattern between double quotes",
    "'\\b(95|96) g\\b'",
    '"\\b95"',
    ['15:14  "matches" holds a backspace: between double quotes \\b is one; put the pattern between single quotes'],
  ],
  [
    "a pattern without end",
    "'\\b(95|96) g\\b'",
    "a".repeat(1001),
    [`15:14  "matches" needs a pattern of at most 1,000 characters; this is "${"a".repeat(79)}…"`],
  ],
  ["an empty file", trigger, "# nothing yet\n", ['1:1  trigger "delta" needs keys with values; this is empty']],
];

const once = (text: string, from: string, to: string) => {
  if (!text.includes(from)) throw new Error(`not in the text: ${from}`);
  return text.replace(from, () => to);
};

/** A problem elsewhere than in the file that was changed names its file. */
const at = (file: string) => (line: string) => (/^\d/.test(line) ? `${file}:${line}` : line);

describe("a mistake in sources.yaml", () => {
  it("is not seen if there is none", () => expect(told()).toEqual([]));

  it.each(inSources)("%s", (_, from, to, expected) => {
    expect(told(once(sources, from, to))).toEqual(expected.map(at("sources.yaml")));
  });
});

describe("a mistake in a trigger", () => {
  it.each(inTrigger)("%s", (_, from, to, expected) => {
    expect(told(sources, once(trigger, from, to))).toEqual(expected.map(at("triggers/delta.yaml")));
  });
});

describe("consequences of one mistake", () => {
  it.each(["levels", "axes", "documents", "ratings", "products", "sources"])(
    "a misspelt %s is all that is reported",
    (key) => {
      const misspelt = key.replace(/s$/, "");
      const problems = told(once(sources, `${key}:`, `${misspelt === "axe" ? "axs" : misspelt}:`));
      expect(problems).toEqual([expect.stringContaining(`; did you mean "${key}"?`)]);
    },
  );

  it("a misspelt key's own content is checked as the intended one's", () => {
    expect(told(once(once(sources, "sources:\n", "source:\n"), "cites: [3]", "cites: three"))).toEqual([
      'sources.yaml:22:1  unknown key "source" in sources.yaml; did you mean "sources"?',
      'sources.yaml:26:12  "cites" needs a list such as [a, b]; this is "three"',
    ]);
  });

  it("a misspelt kind hides nothing else of its source", () => {
    expect(told(once(once(sources, "github-issue:", "github-isue:"), "state: open", "colour: red"))).toEqual([
      'sources.yaml:29:5  unknown key "github-isue" in source "wind-tracker"; did you mean "github-issue"?',
      expect.stringContaining('has no fact "colour"'),
    ]);
  });

  it("levels that are no list leave every level as it is", () => {
    expect(told(once(sources, "[Low, Medium, High]", "Low, Medium"))).toEqual([
      'sources.yaml:8:9  "levels" needs a list such as [a, b]; this is "Low, Medium"; did you mean "[Low, Medium]"?',
    ]);
  });

  it("a name that nothing has is reported once, with how often it is asked for", () => {
    expect(told(once(sources, "  spar: {", "  sparr: {"))).toEqual([
      'sources.yaml:25:16  no product named "spar" in sources.yaml, named here and in 2 more places; did you mean "sparr"?',
    ]);
  });
});

describe("many mistakes", () => {
  it("are reported all at once, in the order of the files", () => {
    const root = once(once(once(sources, "cites: [3]", "cite: [3]"), "#15", "15"), "{ feed: 1h }", "5");
    expect(told(root, once(trigger, "wind-tracker\n", "wind-traker\n"))).toEqual([
      'sources.yaml:21:11  "schedule" needs keys with values; this is 5',
      'sources.yaml:26:5  unknown key "cite" in source "spar-releases"; did you mean "cites"?',
      'sources.yaml:29:19  "github-issue" needs owner/name#number, e.g. pytorch/pytorch#150121; this is "example/wind15"',
      'triggers/delta.yaml:9:12  no source named "wind-traker" in sources.yaml; did you mean "wind-tracker"?',
    ]);
  });

  it("in sources.yaml as YAML leave its names out of the problems of triggers", () => {
    expect(told(`${sources}\n  - [`, once(trigger, "name:", "nam:"))).toEqual([
      "sources.yaml:54:5  this [ is not closed",
      'triggers/delta.yaml:1:1  unknown key "nam" in trigger "delta"; did you mean "name"?',
    ]);
  });

  it("of thousands of sources are reported without a search for each", () => {
    const count = inputSize(10_000, 3_000);
    const many = Array.from({ length: count }, (_, i) => `  s${i}:\n    pge: https://example.org/${i}\n`).join("");
    const problems = told(`report: { title: Kites, audited: 2026-05-16 }\nsources:\n${many}`, "");
    expect(problems).toHaveLength(count);
    expect(problems[0]).toBe('sources.yaml:4:5  unknown key "pge" in source "s0"; did you mean "page"?');
  });
});
