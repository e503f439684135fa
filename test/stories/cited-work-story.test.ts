import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { tryScenarios } from "../../src/watch/replay/scenario.ts";

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
const preprint = "{ title: On the lift of kites, authors: Golden Raven";
const article = "{ facts: { title: On the lift of kites, authors: Golden Raven";
const story = `trigger: paper
before:
  preprint: { adds: [v1], facts: ${preprint} } }
  article: ${article} } }
scenarios:
  - name: from a preprint to a retraction
    days:
      - on: 2026-06-01
        preprint: { facts: ${preprint}, doi: 10.5555/kite.5 } }
      - on: 2026-06-20
        article: { facts: { title: On the lift of kites, authors: "Golden Raven, Ash Osprey" } }
      - on: 2026-06-25
        article: { facts: { title: On the lift of tethered kites, authors: "Golden Raven, Ash Osprey" } }
      - on: 2026-07-01
        article: { facts: { title: On the lift of tethered kites, authors: "Golden Raven, Ash Osprey", corrected: 10.5555/notice.1 } }
      - on: 2026-08-01
        article: { facts: { title: On the lift of tethered kites, authors: "Golden Raven, Ash Osprey", corrected: 10.5555/notice.1, retracted: 10.5555/notice.2 } }
      - on: 2026-09-01
        article: { facts: { title: On the lift of tethered kites, authors: "Golden Raven, Ash Osprey", corrected: 10.5555/notice.1, retracted: 10.5555/notice.2 } }
    expect:
      - { on: 2026-06-01, event: preprint doi 10.5555/kite.5, weight: routine }
      - { on: 2026-06-20, event: "article authors Golden Raven, Ash Osprey", weight: routine }
      - { on: 2026-06-25, event: article title On the lift of tethered kites, weight: routine }
      - { on: 2026-07-01, event: article corrected 10.5555/notice.1, weight: routine }
      - { on: 2026-08-01, event: article retracted 10.5555/notice.2, weight: contrary }
`;

test("a preprint is published, gets another author and title, is corrected and retracted", async () => {
  const files = [
    { path: "sources.yaml", text: sources },
    { path: "triggers/paper.yaml", text: trigger },
  ];
  const { config, problems: wrong } = parseConfig(files, readers);
  if (!config) throw new Error(wrong.map(formatProblem).join("\n"));
  const { problems } = await tryScenarios(
    [{ path: "scenarios/paper.yaml", text: story }],
    config,
    readers,
    async () => {
      const database = await openStore(":memory:");
      return { store: database.repository("scenario"), close: () => database.close() };
    },
  );
  expect(problems.map(formatProblem)).toEqual([]);
});
