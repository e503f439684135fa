import { describe, expect, it } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { parseConfig } from "../../../../src/config/index.ts";
import { formatProblem } from "../../../../src/config/problems.ts";
import { readers } from "../../../../src/read/index.ts";
import { tryScenarios } from "../../../../src/watch/replay/scenario.ts";

const sources = `report: { title: Kites, audited: 2026-05-16 }
levels: [Low, High]
ratings: { lift: Low }
products:
  spar: { name: Spar }
sources:
  spar-releases: { github-releases: example/spar, announces: spar }
  spar-blog: { feed: "https://blog.example.org/feed", announces: spar }
  spar-package: { pypi: spar, announces: spar }
  limits:
    page: https://example.org/limits
    claims:
      payload: { says: It carries 95 g, quote: A sled carries 95 g in a fresh wind, ratings: [lift] }
  frame: { github-repo: example/frame, at-audit: { public: no } }
  landing: { github-pull: "example/spar#7" }
  wind: { github-issue: "example/wind#15" }
  commits: { github-commits: example/spar }
  images: { container-tags: example/spar }
  table: { json: "https://example.org/table.json", facts: { price: price } }
  notes: { text: "https://example.org/notes.md" }
`;
const trigger = `name: Delta kites
ratings: [lift]
on:
  - release: spar
    bump: [major, minor]
  - change: limits
  - fact: frame
    name: public
    awaited: true
  - fact: landing
    name: merged
    becomes: yes
  - issue: wind
  - commit: commits
  - item: images
  - fact: table
    name: price
  - link: notes
    when: [gone]
  - silence: commits
    for: 30d
`;

async function tried(text: string) {
  const files = [
    { path: "sources.yaml", text: sources },
    { path: "triggers/delta.yaml", text: trigger },
  ];
  const { config, problems: wrong } = parseConfig(files, readers);
  if (!config) throw new Error(wrong.map(formatProblem).join("\n"));
  const { problems } = await tryScenarios([{ path: "scenarios/delta.yaml", text }], config, readers, async () => {
    const database = await openStore(":memory:");
    return { store: database.repository("scenario"), close: () => database.close() };
  });
  return problems.map(formatProblem);
}

const before = `trigger: delta
before:
  spar-releases: { adds: [v1.0.0] }
  limits: { text: "# Payload\\nA sled carries 95 g in a fresh wind.\\n\\nMind the trees." }
scenarios:
`;

describe("a scenario that holds", () => {
  it("plays every kind of source in its short form", async () => {
    const text = `trigger: delta
before:
  frame: { facts: { public: no } }
  landing: { facts: { state: open } }
  wind: { facts: { state: open }, text: "- [ ] gusts" }
  commits: { adds: [first] }
  images: { adds: [old] }
  table: { body: '{ "price": 3 }' }
  spar-package: { adds: ["1.0"] }
  spar-blog: { adds: [Spar 1.0 is here] }
scenarios:
  - name: all at once
    days:
      - on: 2026-06-01
        frame: { facts: { public: yes } }
        landing: { facts: { merged: yes } }
        wind: { edits: { "[ ]": "[x]" } }
        commits: { adds: [{ name: second, text: more }] }
        images: { adds: [new] }
        table: { body: '{ "price": 4 }' }
        spar-package: { adds: ["1.1"] }
      - on: 2026-06-01 09:30
        spar-blog: { adds: [{ name: b7, title: Spar 1.1 is here, on: 2026-06-01, text: "**Light**." }] }
    expect:
      - { on: 2026-06-01, event: frame public yes, weight: contrary }
      - { on: 2026-06-01, event: landing merged yes, weight: routine }
      - { on: 2026-06-01, event: wind changed, weight: routine }
      - { on: 2026-06-01, event: commits second, weight: routine }
      - { on: 2026-06-01, event: images new, weight: routine }
      - { on: 2026-06-01, event: table price 4, weight: routine }
      - { on: 2026-06-01, event: spar 1.1.0, weight: routine, trigger: delta, seen-in: [spar-package, spar-blog] }
`;
    expect(await tried(text)).toEqual([]);
  });

  it("comes back for a second look, and lets time pass", async () => {
    const text = `${before}
  - name: an edit, a claim, silence
    before: { commits: { adds: [first] } }
    days:
      - on: 2026-06-01 20:00
        limits: { edits: { 95 g: 80 g } }
      - on: 2026-07-20
        limits: { edits: { trees: lines } }
    expect:
      - { on: 2026-06-02, event: limits/payload altered, weight: contrary }
      - { on: 2026-06-14, event: commits silent since 2026-05-15, weight: routine }
      - { on: 2026-07-20, event: limits changed, weight: routine }
`;
    expect(await tried(text)).toEqual([]);
  });

  it("may tell of sources that cannot be seen, and of one that is gone for good", async () => {
    const text = `${before}
  - name: walls and holes
    before: { notes: { text: "# Notes\\nSome." } }
    days:
      - { on: 2026-06-01, limits: { status: 403 }, notes: { status: 404 } }
      - { on: 2026-06-03, notes: { status: 404 } }
      - { on: 2026-06-05, limits: {}, notes: { status: 404 } }
    expect:
      - { on: 2026-06-05, event: notes gone, weight: routine }
`;
    expect(await tried(text)).toEqual([]);
  });
});

describe("a scenario that does not hold tells where, what was expected and what came", () => {
  it("by weight, day, source, absence and excess", async () => {
    const text = `${before}
  - name: wrong in every way
    days:
      - on: 2026-06-01
        spar-releases: { adds: [v1.1.0] }
      - on: 2026-06-02
        spar-releases: { adds: [v2.0.0] }
      - on: 2026-06-03
        spar-releases: { adds: [v2.1.0, v2.2.0] }
    expect:
      - { on: 2026-06-01, event: spar 1.1.0, weight: contrary }
      - { on: 2026-06-03, event: spar 2.0.0, weight: routine }
      - { on: 2026-06-03, event: spar 2.1.0, weight: routine, seen-in: [spar-blog] }
      - { on: 2026-06-04, event: spar 9.0.0, weight: routine }
`;
    const name = '"wrong in every way": ';
    expect(await tried(text)).toEqual([
      `scenarios/delta.yaml:16:9  ${name}expected contrary "spar 1.1.0" on 2026-06-01; got routine "spar 1.1.0" of delta on 2026-06-01 (Spar 1.1.0 released), seen in spar-releases`,
      `scenarios/delta.yaml:17:9  ${name}expected routine "spar 2.0.0" on 2026-06-03; got routine "spar 2.0.0" of delta on 2026-06-02 (Spar 2.0.0 released), seen in spar-releases`,
      `scenarios/delta.yaml:18:9  ${name}expected routine "spar 2.1.0" on 2026-06-03 in spar-blog; got routine "spar 2.1.0" of delta on 2026-06-03 (Spar 2.1.0 released), seen in spar-releases`,
      `scenarios/delta.yaml:19:9  ${name}expected routine "spar 9.0.0" on 2026-06-04; it did not fire`,
      `scenarios/delta.yaml:13:9  ${name}not expected: routine "spar 2.2.0" of delta on 2026-06-03 (Spar 2.2.0 released)`,
    ]);
  });

  it("an answer that cannot be read is no silence", async () => {
    const text = `${before}
  - name: half a list
    days:
      - on: 2026-06-01
        spar-releases: { body: "[{" }
    expect: []
`;
    expect(await tried(text)).toEqual([
      `scenarios/delta.yaml:9:9  "half a list": spar-releases could not be read: not well-formed JSON`,
    ]);
  });

  it("an edit of words that are not there is none", async () => {
    const text = `${before}
  - name: a slip
    days:
      - { on: 2026-06-01, limits: { edits: { 96 g: 80 g } } }
    expect: []
`;
    expect(await tried(text)).toEqual([`scenarios/delta.yaml:9:46  "a slip": "96 g" is not in what was there before`]);
  });
});

describe("a mistake in a scenario", () => {
  it.each([
    [
      "- { name: a, days: [{ on: 2026-06-01, limit: {} }], expect: [] }",
      `6:39  unknown key "limit" in "days" of scenarios; did you mean "limits"?`,
    ],
    [
      "- { name: a, days: [{ on: 2026-06-01, limits: { adds: [x] } }], expect: [] }",
      `6:49  unknown key "adds" in "limits" of "days" of scenarios; its keys are body, status, edits, text`,
    ],
    [
      "- { name: a, days: [{ on: 2026-06-01, frame: { facts: { publik: no } } }], expect: [] }",
      `6:57  unknown key "publik" in "facts" of "frame" of "days" of scenarios; did you mean "public"?`,
    ],
    [
      "- { name: a, days: [{ on: June, limits: {} }], expect: [] }",
      `6:27  "on" needs a day such as 2026-07-08, or a time of it such as 2026-07-08 14:30 (UTC); this is "June"`,
    ],
    [
      "- { name: a, days: [{ on: 2026-06-31, limits: {} }], expect: [] }",
      `6:27  "on" needs a day that exists; this is "2026-06-31"`,
    ],
    ["- { name: a, days: [{ on: 2026-06-01, limits: {} }] }", `6:3  scenarios needs "expect": a list such as [a, b]`],
    [
      "- { name: a, days: [{ on: 2026-06-01 }], expect: [{ on: 2026-06-01, event: x, weight: heavy }] }",
      `6:87  "weight" needs routine or contrary; this is "heavy"`,
    ],
  ])("%s", async (scenario, problem) => {
    expect((await tried(`${before}${scenario}`))[0]).toBe(`scenarios/delta.yaml:${problem}`);
  });

  it("names of triggers and sources are those of config", async () => {
    const text = `trigger: delt
scenarios:
- { name: a, days: [{ on: 2026-06-01 }], expect: [{ on: 2026-06-01, event: x, weight: routine, seen-in: [wint] }] }
`;
    expect(await tried(text)).toEqual([
      `scenarios/delta.yaml:1:10  no trigger named "delt" in triggers/; did you mean "delta"?`,
      `scenarios/delta.yaml:3:106  no source named "wint" in sources.yaml; did you mean "wind"?`,
    ]);
  });

  it("no YAML, no UTF-8", async () => {
    expect(await tried("trigger: [")).toHaveLength(1);
    expect(await tried("trigger: \0")).toEqual([`scenarios/delta.yaml:1:10  control character U+0000; delete it`]);
  });
});
