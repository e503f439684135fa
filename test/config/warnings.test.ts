import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { sources, trigger } from "./valid.ts";

function parsed(root: string, now?: string) {
  const files = [
    { path: "sources.yaml", text: root },
    { path: "triggers/delta.yaml", text: trigger.replace("180d", root.includes("# soon") ? "6m" : "180d") },
  ];
  return parseConfig(files, readers, now === undefined ? undefined : Date.parse(now));
}

function warned(from: string, to: string): string[] {
  expect(sources).toContain(from);
  const { config, warnings } = { warnings: [], ...parsed(sources.replace(from, () => to)) };
  expect(config).toBeDefined();
  return warnings.map(formatProblem);
}

describe("config that holds, and that hardly anybody means", () => {
  it("is not reported if there is none of it", () => {
    expect(warned("levels:", "levels:")).toEqual([]);
  });

  it.each([
    [
      "six minutes for six months",
      "every: 2h",
      "every: 6m",
      '32:12  "every" is 6 minutes: m means minutes; 6 months are 180d',
    ],
    ["a minute for a month", "feed: 1h", "feed: 1m", '21:19  "feed" is 1 minute: m means minutes; a month is 30d'],
    [
      "a volatility of minutes",
      "levels:",
      "volatility: { High: 3m }\nlevels:",
      '8:21  "High" is 3 minutes: m means minutes; 3 months are 90d',
    ],
    [
      "a claim overturned by minutes of silence",
      "- release: spar\n            pre: yes",
      "- silence: spar-releases\n            for: 12m",
      '42:18  "for" is 12 minutes: m means minutes; 12 months are 360d',
    ],
    [
      "a host that no public name has",
      "https://example.org/limits",
      "https://kites.internal/limits",
      '44:11  no public host is called "kites.internal": names in .internal are reserved',
    ],
    [
      "a host without a dot",
      "https://example.org/limits",
      "https://intranet/limits",
      '44:11  no public host is called "intranet": it has no dot',
    ],
    [
      "a figure without what it measures",
      "value: 95 g, of: payload",
      "value: '95'",
      '49:47  "95" may mean anything there; add "of" with words near it',
    ],
    [
      "a share of nothing",
      "value: 95 g, of: payload",
      "value: 95%",
      '49:47  "95%" may mean anything there; add "of" with words near it',
    ],
    [
      "a number of nothing",
      "value: 95 g, of: payload",
      "value: 1.5M",
      '49:47  "1.5M" may mean anything there; add "of" with words near it',
    ],
  ])("%s", (_, from, to, expected) => expect(warned(from, to)).toEqual([`sources.yaml:${expected}`]));

  it("in a trigger, too", () => {
    expect(warned("levels:", "# soon\nlevels:")).toEqual([
      'triggers/delta.yaml:17:17  "unreviewed" is 6 minutes: m means minutes; 6 months are 180d',
    ]);
  });

  it("a trigger that nothing can meet", () => {
    const told = (text: string) => {
      const files = [
        { path: "sources.yaml", text: sources },
        { path: "triggers/idle.yaml", text },
      ];
      return { warnings: [], ...parseConfig(files, readers) }.warnings.map(formatProblem);
    };
    const says = "this trigger can never fire: it has no condition, and none of its ratings has a claim";
    expect(told("name: Idle\n")).toEqual([`triggers/idle.yaml:1:1  ${says}`]);
    expect(told("name: Idle\nratings: [sled/lift]\n")).toEqual([`triggers/idle.yaml:1:1  ${says}`]);
    expect(told("name: Claimed\nratings: [delta/lift]\n")).toEqual([]);
  });

  it.each([
    ["half an hour", "every: 2h", "every: 30m"],
    ["a figure with its unit", "value: 95 g, of: payload", "value: 95 g"],
    ["a figure with its words", "value: 95 g, of: payload", "value: '95', of: payload"],
    ["an IP address, which the operator may allow", "https://example.org/limits", "http://10.1.2.3/limits"],
  ])("but not %s", (_, from, to) => expect(warned(from, to)).toEqual([]));
});

describe("a day that has not come", () => {
  const told = (root: string, now?: string) => parsed(root, now).problems.map(formatProblem);

  it("cannot be that of the audit, nor of a review", () => {
    expect(told(sources, "2026-05-01T00:00Z")).toEqual([
      'sources.yaml:5:12  "audited" needs a day that is not in the future; this is "2026-05-16"',
      'sources.yaml:15:75  "reviewed" needs a day that is not in the future; this is "2026-06-01"',
    ]);
    expect(told(sources, "2026-06-01T00:00Z")).toEqual([]);
  });

  it("may have begun elsewhere", () => {
    expect(told(sources.replace("2026-06-01", "2026-05-16"), "2026-05-15T10:00Z")).toEqual([]);
  });

  it("is not asked for if nobody says the date of today", () => {
    expect(told(sources)).toEqual([]);
  });
});
