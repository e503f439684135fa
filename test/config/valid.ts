import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import type { Config } from "../../src/model/config.ts";
import { readers } from "../../src/read/index.ts";

/** A config without mistakes that uses most words: tests bring one mistake at a time into it. */
export const sources = `report:
  title: "The State of Kites: May 2026"
  url: https://example.org/kites/
  version: "0.2"
  audited: 2026-05-16
documents:
  knots: { title: Knots for kites, published: 2025-12 }
levels: [Low, Medium, High]
axes: [kite, area]
names: { delta: Delta, sled: Flat sled }
rubric:
  lift: { High: flies in any wind, Low: needs a gale }
ratings:
  delta/lift: Low
  sled/lift: { level: High, basis: judgement, volatility: High, reviewed: 2026-06-01, owners: [kite-team] }
conclusions:
  beginners: { text: Start with a sled, rests-on: [sled/lift] }
  final: { text: Sleds first, rests-on: [beginners, delta/lift] }
products:
  spar: { name: Spar, aliases: [spar-cad], tags: ["spar-{version}"], renumbered: { "3.40.1": "3.40" }, parts: 2 }
schedule: { feed: 1h }
sources:
  spar-releases:
    github-releases: example/spar
    announces: spar
    cites: [3]
    stands-for: [1, 2]
  wind-tracker:
    github-issue: example/wind#15
    cited-by: [knots]
    at-audit: { state: open }
    every: 2h
    claims:
      early:
        says: The wind model is early
        quote: is an early model
        suffix: and likely to fail
        ratings: [delta/lift]
        cites: [4]
        until:
          - release: spar
            pre: yes
  limits:
    page: https://example.org/limits
    title: Limits
    select: main
    confirm: 3h
    claims:
      weight: { says: It carries 95 g, value: 95 g, of: payload }
      licence: { says: No licence is needed, absent: licence required }
unwatchable:
  - { title: Kites of the World, cites: [5], because: a printed book }
`;

export const trigger = `name: Delta kites
wording: Spar release, or the wind tracker.
confidence: Medium-high
volatility: High
ratings: [delta/lift, sled/lift]
on:
  - release: [spar]
    bump: [major, minor]
  - issue: wind-tracker
also:
  - claim: wind-tracker/early
    means: the model grew up
  - change: limits
    under: Payload
    matches: '\\b(95|96) g\\b'
    ratings: [delta/lift]
  - unreviewed: 180d
ask: |
  Does it lift?

  In any wind?
`;

/** Parses both files, the trigger as `triggers/delta.yaml`. */
export function parse(root: string = sources, other: string | undefined = trigger) {
  const triggers = other === "" ? [] : [{ path: "triggers/delta.yaml", text: other }];
  return parseConfig([{ path: "sources.yaml", text: root }, ...triggers], readers);
}

/** The problems as people read them. */
export function told(root?: string, other?: string): string[] {
  return parse(root, other).problems.map(formatProblem);
}

export function config(root?: string, other?: string): Config {
  const parsed = parse(root, other);
  if (!parsed.config) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.config;
}
