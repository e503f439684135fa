import { type Edition, editionOf } from "../../../src/publish/edition.ts";
import { readers } from "../../../src/read/index.ts";
import { withPassage } from "../../../src/recheck/issue/question.ts";
import { after } from "../../status/explain/told.ts";
import { configOf } from "../../support/config-of.ts";

/** A report on kites, five weeks after its audit: something of everything that pages show. */

const ratings = `axes: [kite, matter]
names: { delta: Delta, sled: Sled, lift: Lift, drag: Drag, weight: Weight }
ratings:
  delta/lift: Low
  delta/drag: { level: High, volatility: Low }
  delta/weight: { level: Medium, basis: judgement }
  sled/lift: { level: Medium, reviewed: 2026-06-01, owners: [rigging] }
  sled/drag: Low
  sled/weight: High
conclusions:
  beach: { text: Take the sled to the beach, rests-on: [sled/lift, sled/drag] }
  hills: { text: Take the delta to the hills, rests-on: [delta/lift, beach] }
`;

const sources = `products: { spar: { name: Spar } }
documents: { almanac: { title: The kite almanac, url: "https://example.org/almanac" } }
sources:
  releases: { github-releases: example/spar, title: Spar releases, announces: spar, stands-for: [1, 4] }
  blog: { feed: "https://blog.example.org/feed", title: The spar blog, announces: spar, cited-by: [almanac] }
  limits:
    page: https://example.org/limits
    title: Limits of kites
    cites: [7]
    claims:
      payload: { says: A sled carries 95 g, quote: A sled carries 95 g in a fresh wind, ratings: [sled/lift, sled/drag] }
      trees: { says: Trees are a danger, absent: trees are welcome, ratings: [sled/drag] }
  matrix: { text: "https://example.org/matrix.md", title: Matrix of parts }
  wall: { text: "https://example.org/wall.md", title: The wall, claims: { high: { says: The wall is high, quote: The wall is high, ratings: [sled/weight] } } }
  unseen: { text: "https://example.org/unseen.md", title: Never seen }
  rugged: { page: "https://rugged.example/kites", title: Rugged kites, claims: { lines: { says: Its lines are 40 m long, quote: Lines of 40 m, ratings: [sled/drag] } } }
unwatchable:
  - { title: The kite makers' handbook, cites: [9], because: only members can read it }
`;

const triggers = {
  delta: `name: Delta kites
wording: Each Spar release.
confidence: Medium
volatility: High
ratings: [delta/lift, delta/drag]
on:
  - release: spar
    bump: [major, minor]
also:
  - item: blog
    matches: '(?i)monsoon'
    means: the blog speaks of monsoons
  - row: matrix
    matches: Spar
  - change: unseen
  - silence: releases
    for: 90d
ask: |
  Does the new spar bend?
`,
  sled: `name: Sleds
volatility: High
ratings: [sled/lift, sled/drag, sled/weight]
on:
  - release: spar
  - change: limits
    under: Payload
    awaited: true
    means: the payload of sleds has changed
  - change: rugged
`,
};

const filler = "Kites like wind, and wind likes kites, which is why both are seen together so often on the same day.";
const limits = `# Payload\\n\\nA sled carries 95 g in a fresh wind.\\n\\n# Care\\n\\nMind the trees, the lines and the cows.\\n\\n# More\\n\\n${filler}`;

const story = `
  before:
    releases: { adds: [v1.0.0] }
    blog: { adds: [Spar 1.0 is here] }
    limits: { text: "${limits}" }
    matrix: { text: "# Matrix\\n\\n| Part | Version |\\n| --- | --- |\\n| Spar | 1.0 |\\n| Tail | 2 |" }
    wall: { text: "# Wall\\n\\nThe wall is high." }
    rugged: { text: "# Rugged\\n\\n${filler}\\n\\nWelcome, 100 readers are here.\\n\\n# Lines\\n\\nLines of 40 m." }
  days:
    - { on: 2026-06-01 10:00, releases: { adds: [v1.1.0] } }
    - { on: 2026-06-01 12:30, blog: { adds: [Spar 1.1 is here, { name: Kites in the monsoon season, text: Rain. }] } }
    - { on: 2026-06-03, releases: { adds: [v1.1.1] } }
    - { on: 2026-06-03 09:00, rugged: { edits: { 100 readers: 120 readers } } }
    - { on: 2026-06-05, rugged: { edits: { 120 readers: 100 readers } } }
    - { on: 2026-06-05, matrix: { edits: { "| Spar | 1.0 |": "| Spar | 1.1 |" } } }
    - { on: 2026-06-07, wall: { status: 403 } }
    - { on: 2026-06-07 12:00, wall: { status: 403 } }
    - { on: 2026-06-10, limits: { edits: { 95 g: 80 g } } }
    - { on: 2026-06-20 08:00, rugged: { edits: { 40 m: 60 m } } }
`;

export const now = Date.parse("2026-06-20T09:00:00Z");

/** The whole story; with answers to one of its rechecks. */
export async function kites(): Promise<Edition> {
  const head =
    "report: { title: Kites, url: https://example.org/kites, version: '2', audited: 2026-05-16 }\nlevels: [Low, Medium, High]\n";
  const rubric = "rubric: { lift: { High: It carries a camera., Low: It carries itself. } }\n";
  const config = configOf(`${head}${rubric}${ratings}${sources}`, triggers);
  const told = await after(config, story, now);
  const { store } = told;
  const delta = (await store.rechecks()).find(({ trigger }) => trigger === "delta");
  if (!delta) throw new Error("no recheck of the delta trigger");
  const at = Date.parse("2026-06-08T10:00:00Z");
  const answer = { recheck: delta.id, by: "maintainer", at };
  await store.commit(async (tx) => {
    await tx.addAnswers([
      { ...answer, rating: "delta/lift", verdict: "change", level: "Low", because: "The new spar bends." },
      { ...answer, rating: "delta/drag", verdict: "keep" },
    ]);
  });
  const ids = (await store.answers()).map(({ id }) => id);
  await store.commit((tx) => tx.settleAnswers(ids, at));
  await store.updateRecheck(delta.id, { state: "closed", issue: delta.issue, closed: at });
  const edition = await editionOf({
    config,
    store,
    at: now,
    link,
    repository: "https://github.com/tester/kites",
  });
  await told.close();
  return edition;
}

const link: Edition["link"] = (source, passage) => {
  const address = readers.get(source.kind)?.page(source) ?? source.address;
  return source.kind === "page" && passage !== undefined ? withPassage(address, passage) : address;
};
