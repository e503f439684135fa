import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { readers } from "../../src/read/index.ts";
import { plainKey } from "../../src/watch/events.ts";
import { play } from "../../src/watch/replay/play.ts";
import { configOf } from "../support/config-of.ts";
import { type Story, tapesOf } from "../support/tapes.ts";

/** The life of a cited paper: a preprint, its article, a correction, a retraction. Each is reported once. */

const sources = `report: { title: Kites, audited: 2026-05-16 }
levels: [Low, High]
ratings: { lift: Low }
sources:
  preprint: { arxiv: "2301.00005" }
  article: { doi: 10.5555/kite.5 }
`;
const trigger = `name: The paper on lift
ratings: [lift]
on:
  - { fact: preprint, name: doi }
  - { fact: article, name: title }
  - { fact: article, name: authors }
  - { fact: article, name: corrected }
  - { fact: article, name: retracted, awaited: true }
`;
/** https://info.arxiv.org/help/oa/index.html */
const preprint = (more = "") => ({
  body: `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><GetRecord><record><metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>2301.00005</id><version version="v1"><date>Fri, 15 May 2026 00:00:00 GMT</date></version><title>On the lift of kites</title><authors>A. Person</authors>${more}<abstract>One</abstract></arXivRaw></metadata></record></GetRecord></OAI-PMH>`,
});

/** https://www.crossref.org/documentation/retrieve-metadata/rest-api/ */
const article = (title: string, authors: string, ...notices: readonly (readonly [DOI: string, type: string])[]) => ({
  body: JSON.stringify({
    status: "ok",
    "message-type": "work",
    message: {
      DOI: "10.5555/kite.5",
      title: [title],
      author: [{ name: authors }],
      "updated-by": notices.map(([DOI, type]) => ({ DOI, type })),
    },
  }),
});
const [first, renamed] = ["On the lift of kites", "On the lift of tethered kites"];
const both = "A. Person, B. Person";
const correction = ["10.5555/notice.1", "correction"] as const;
const retraction = ["10.5555/notice.2", "retraction"] as const;

test("a preprint is published, gets another author and title, is corrected and retracted", async () => {
  const config = configOf(sources, { paper: trigger });
  const story: Story = {
    before: { preprint: preprint(), article: article(first, "A. Person") },
    days: [
      { on: "2026-06-01", preprint: preprint("<doi>10.5555/kite.5</doi>") },
      { on: "2026-06-20", article: article(first, both) },
      { on: "2026-06-25", article: article(renamed, both) },
      { on: "2026-07-01", article: article(renamed, both, correction) },
      { on: "2026-08-01", article: article(renamed, both, correction, retraction) },
      { on: "2026-09-01", article: article(renamed, both, correction, retraction) },
    ],
  };
  const database = await openStore(":memory:");
  try {
    const store = database.repository("test");
    const { firings } = await play(tapesOf(story, config), { config, readers, store });
    const fired = firings.map((firing) => [
      new Date(firing.fired).toISOString().slice(0, 10),
      plainKey(firing.event),
      firing.weight,
    ]);
    expect(fired).toEqual([
      ["2026-06-01", "preprint doi 10.5555/kite.5", "routine"],
      ["2026-06-20", "article authors A. Person, B. Person", "routine"],
      ["2026-06-25", "article title On the lift of tethered kites", "routine"],
      ["2026-07-01", "article corrected 10.5555/notice.1", "routine"],
      ["2026-08-01", "article retracted 10.5555/notice.2", "contrary"],
    ]);
  } finally {
    await database.close();
  }
});
