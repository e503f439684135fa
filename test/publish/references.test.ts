import { describe, expect, test } from "vitest";
import type { Evidence } from "../../src/model/firing.ts";
import type { StoredFiring, Watch } from "../../src/model/ports/index.ts";
import type { StatusFile } from "../../src/model/status-file.ts";
import { statusJson } from "../../src/publish/json.ts";
import { configOf } from "../support/config-of.ts";
import { watchOf } from "../support/watch-of.ts";
import { editionWith, type Remembered } from "./edition-of.ts";

const at = (when: string) => Date.parse(when);
const now = at("2026-11-20T08:00:00Z");
const seen = at("2026-11-01T06:00:00Z");

const config = configOf(
  `
report: { title: A report, audited: 2026-05-16 }
levels: [Low, High]
axes: [platform, area]
names: { tpu: Google TPU, maturity: Maturity }
ratings: { tpu/maturity: Low, tpu/cost: High, cuda/cost: { level: High, basis: judgement } }
products: { loom: { name: Loom } }
sources:
  docs:
    page: https://example.org/docs
    title: The docs
    cites: [1, 2]
    claims:
      alone: { says: It stands alone, quote: stands alone, cites: [2], ratings: [tpu/maturity] }
      either: { says: It stands, quote: it stands, ratings: [tpu/cost] }
  frozen: { page: https://example.org/old, title: An old post, cites: [3] }
  releases: { github-releases: loom/loom, announces: loom, stands-for: [3, 4] }
  twin: { text: "https://example.org/docs.md", stands-for: [1] }
unwatchable:
  - { title: A paper, url: "https://example.org/paper", cites: [5], because: only subscribers can read it }
`,
  {
    tpu: `
name: TPU roadmap
ratings: [tpu/maturity, tpu/cost]
on:
  - { release: loom }
  - { change: docs }
`,
  },
);

const times = { next: now + 3_600_000, firstSeen: at("2026-05-16"), lastSeen: now - 60_000, lastCheck: now - 60_000 };
const watches = [...config.sources.keys()].map((source) => watchOf(source, times));
const withWatch = (id: string, more: Partial<Watch>) =>
  watches.map((watch) => (watch.source === id ? { ...watch, ...more } : watch));
const trouble = (count: number, since = now - 2 * 86_400_000) => ({
  kind: "status",
  says: "403, bot wall",
  since,
  count,
});

let count = 0;
function firing(evidence: Partial<Evidence>, more: Partial<StoredFiring> = {}): StoredFiring {
  count++;
  const change = { kind: "item-added" as const, item: { id: "2", title: "v2.0" } };
  return {
    ...{ id: count, trigger: "tpu", event: { key: `event ${count}` }, weight: "routine", seen, fired: seen },
    evidence: [{ source: "releases", seen, change, part: "on", ...evidence }],
    ...more,
  };
}
const released = () => firing({}, { event: { key: "loom 2.0", product: "loom", version: "2.0" } });
const claimOf = (claim: string, to: "altered" | "supported" | "not found") => ({
  source: "docs",
  part: "claim" as const,
  claim,
  change: {
    kind: "claim" as const,
    claim,
    from: "supported" as const,
    to: to === "supported" ? ("altered" as const) : to,
  },
});
const stands = (claim: string, status: "altered" | "supported" | "not found") => ({ claim, status, since: seen });

async function told(remembered: Partial<Remembered>, when = now): Promise<StatusFile> {
  return statusJson(await editionWith(config, { watches, ...remembered }, when));
}
const states = async (remembered: Partial<Remembered>) =>
  Object.fromEntries((await told(remembered)).references.map(({ number, state }) => [number, state]));

const calm = { 1: "up to date", 2: "up to date", 3: "up to date", 4: "up to date", 5: "not checkable" };

describe("references", () => {
  test("are fresh, or unwatched, while nothing happens; each with the sources that are watched for it", async () => {
    const { references } = await told({});
    expect(references).toEqual([
      {
        number: 1,
        state: "up to date",
        reason: "fresh",
        title: "The docs",
        url: "https://example.org/docs",
        sources: ["docs", "twin"],
        page: "references.html#ref-1",
      },
      {
        number: 2,
        state: "up to date",
        reason: "fresh",
        title: "The docs",
        url: "https://example.org/docs",
        sources: ["docs"],
        page: "references.html#ref-2",
      },
      {
        number: 3,
        state: "up to date",
        reason: "fresh",
        title: "An old post",
        url: "https://example.org/old",
        sources: ["frozen", "releases"],
        page: "references.html#ref-3",
      },
      { number: 4, state: "up to date", reason: "fresh", sources: ["releases"], page: "references.html#ref-4" },
      {
        number: 5,
        state: "not checkable",
        reason: "unwatched",
        title: "A paper",
        url: "https://example.org/paper",
        sources: [],
        page: "references.html#ref-5",
      },
    ]);
  });

  test("are to review if one of their sources had an event that is to be reviewed", async () => {
    const { references } = await told({ firings: [released()] });
    expect(references[2]).toMatchObject({
      state: "changed",
      reason: "to review",
      since: "2026-11-01T06:00:00.000Z",
      says: "Loom 2.0 released",
    });
    expect(await states({ firings: [released()] })).toEqual({ ...calm, 3: "changed", 4: "changed" });
  });

  test("are in doubt if a claim that they were cited for is altered, and no others", async () => {
    const alone = { firings: [firing(claimOf("docs/alone", "altered"))], claims: [stands("docs/alone", "altered")] };
    expect(await states(alone)).toEqual({ ...calm, 1: "changed", 2: "outdated" });
    const either = { firings: [firing(claimOf("docs/either", "altered"))], claims: [stands("docs/either", "altered")] };
    expect(await states(either)).toEqual({ ...calm, 1: "outdated", 2: "outdated" });
    const [, second] = (await told(alone)).references;
    expect(second?.says).toBe("The docs [2] now differs from “It stands alone”");
  });

  test("are only to be reviewed if the claim is as it was again", async () => {
    const back = { firings: [firing(claimOf("docs/alone", "altered"))], claims: [stands("docs/alone", "supported")] };
    expect(await states(back)).toEqual({ ...calm, 1: "changed", 2: "changed" });
  });

  test("are in doubt if something ends a claim while its page still says it, and so is the claim", async () => {
    const ended = firing({ part: "until", claim: "docs/alone" }, { weight: "contrary" });
    const remembered = { firings: [ended], claims: [stands("docs/alone", "supported")] };
    expect(await states(remembered)).toEqual({ ...calm, 2: "outdated", 3: "changed", 4: "changed" });
    const [claim] = (await told(remembered)).claims;
    expect(claim).toMatchObject({
      id: "docs/alone",
      state: "outdated",
      reason: "contradicted",
      since: "2026-11-01T06:00:00.000Z",
      cites: [2],
    });
  });

  test("are fresh again once people have answered: in part of the ratings they have not", async () => {
    const opened = { id: 1, trigger: "tpu", marker: "m", opened: seen, issue: 12 };
    const firings = [{ ...released(), recheck: 1, joined: seen }];
    const answer = (rating: string) => ({
      ...{ id: 1, recheck: 1, rating, verdict: "keep" as const, by: "somebody", at: seen + 1, settled: seen + 2 },
    });
    const rechecks = [{ ...opened, state: "open" as const }];
    expect(await states({ firings, rechecks, answers: [answer("tpu/maturity")] })).toMatchObject({ 3: "changed" });
    const both = [answer("tpu/maturity"), answer("tpu/cost")];
    expect(await states({ firings, rechecks, answers: both })).toEqual(calm);
    expect(await states({ firings, rechecks: [{ ...opened, state: "closed", closed: seen + 2 }] })).toEqual(calm);
  });

  test("are outdated while a claim is untrue, however its question was closed; so is a rating without a review", async () => {
    const firings = [firing(claimOf("docs/alone", "altered"), { weight: "contrary", recheck: 1 })];
    const closed = {
      id: 1,
      trigger: "tpu",
      marker: "m",
      opened: seen,
      state: "closed",
      issue: 12,
      closed: now,
    } as const;
    const untrue = { firings, claims: [stands("docs/alone", "altered")] };
    const byHand = await told({ ...untrue, rechecks: [closed] });
    expect(byHand.references[1]).toMatchObject({
      number: 2,
      state: "outdated",
      reason: "not corrected",
      says: "altered, and not corrected: “It stands alone”",
    });
    expect(byHand.ratings[0]).toMatchObject({ state: "outdated", reason: "not corrected", because: ["TPU roadmap"] });
    const verdict = { kind: "dismiss", by: "somebody", because: "a typo" } as const;
    const dismissed = await told({ ...untrue, rechecks: [{ ...closed, verdict }] });
    expect(dismissed.references[1]).toMatchObject({ state: "outdated" });
    expect(dismissed.ratings[0]).toMatchObject({ state: "up to date" });
    const mended = await told({ firings, claims: [stands("docs/alone", "supported")], rechecks: [closed] });
    expect(mended.references[1]).toMatchObject({ state: "up to date" });
    expect(mended.ratings[0]).toMatchObject({ state: "up to date" });
  });

  test("are outdated if their page never said it, though the question was closed", async () => {
    const first = claimOf("docs/alone", "not found");
    const change = { ...first.change, otherwise: true } as never;
    const firings = [firing({ ...first, change }, { trigger: "not-found", recheck: 1 })];
    const closed = { id: 1, trigger: "not-found", marker: "m", opened: seen, state: "closed", closed: now } as const;
    const file = await told({ firings, claims: [stands("docs/alone", "not found")], rechecks: [closed] });
    expect(file.references[1]).toMatchObject({ state: "outdated", reason: "not corrected" });
    expect(file.claims.find(({ id }) => id === "docs/alone")).toMatchObject({
      state: "outdated",
      reason: "contradicted",
    });
  });

  test("are in doubt while nobody has answered, though config has its trigger no more", async () => {
    const firings = [firing(claimOf("docs/alone", "altered"), { trigger: "renamed", weight: "contrary", recheck: 1 })];
    const asked = { id: 1, trigger: "renamed", marker: "m", opened: seen };
    const claims = [stands("docs/alone", "altered")];
    const open = await told({ firings, claims, rechecks: [{ ...asked, state: "open", issue: 12 }] });
    expect(open.references[1]).toMatchObject({ number: 2, state: "outdated", reason: "in doubt" });
    expect(open.open).toMatchObject([{ trigger: "renamed", weight: "contrary", issue: 12, ratings: ["tpu/maturity"] }]);
    expect(open.ratings[0]).toMatchObject({
      state: "outdated",
      reason: "in doubt",
      recheck: expect.stringMatching(/\/issues\/12$/),
    });
    const closed = await told({ firings, claims, rechecks: [{ ...asked, state: "closed", issue: 12, closed: now }] });
    expect(closed.open).toEqual([]);
    // What it asked on its own account touches no rating any more.
    expect((await told({ firings: [firing({}, { trigger: "renamed" })] })).open).toEqual([]);
  });

  test("are unseen if their own page cannot be seen twice in a row, whichever source covers it", async () => {
    expect(await states({ watches: withWatch("frozen", { trouble: trouble(1) }) })).toEqual(calm);
    const { references } = await told({ watches: withWatch("frozen", { trouble: trouble(2) }) });
    expect(references[2]).toMatchObject({
      ...{ state: "not checkable", reason: "unseen", since: "2026-11-18T08:00:00.000Z" },
      says: "Could not be read since 2026-11-18: 403, bot wall",
    });
    expect(await states({ watches: withWatch("twin", { trouble: trouble(2) }) })).toEqual(calm);
    expect(await states({ watches: withWatch("releases", { trouble: trouble(2) }) })).toEqual({
      ...calm,
      4: "not checkable",
    });
    const gone = withWatch("frozen", { trouble: trouble(9), gone: true, goneAt: [at("2026-11-19T08:00:00Z")] });
    expect((await told({ watches: gone })).references[2]).toMatchObject({
      ...{ state: "outdated", reason: "gone", since: "2026-11-19T08:00:00.000Z" },
      says: "Gone since 2026-11-19: 403, bot wall",
    });
    const firings = [firing({ source: "frozen", change: { kind: "link", to: "gone", first: true } })];
    expect((await told({ firings })).references[2]).toMatchObject({ state: "changed", reason: "to review" });
    expect((await told({ firings, watches: gone })).references[2]).toMatchObject({ state: "outdated", reason: "gone" });
    expect(await states({ watches: [] })).toEqual({
      ...calm,
      1: "not checkable",
      2: "not checkable",
      3: "not checkable",
      4: "not checkable",
    });
  });

  test("that nobody has checked for long are unseen as well", async () => {
    const { references } = await told({}, now + 30 * 86_400_000);
    expect(references[0]).toMatchObject({
      state: "not checkable",
      reason: "unseen",
      says: "Not checked since 2026-11-20",
    });
  });
});

test("ratings name their recheck, their reasons and their page", async () => {
  const firings = [{ ...released(), recheck: 1 }];
  const rechecks = [{ id: 1, trigger: "tpu", marker: "m", opened: seen, issue: 12, state: "open" as const }];
  const { ratings, open, sources, ...rest } = await told({ firings, rechecks });
  expect(ratings[0]).toEqual({
    ...{ id: "tpu/maturity", names: ["Google TPU", "Maturity"], level: "Low", state: "changed", reason: "to review" },
    ...{ at: "2026-11-01T06:00:00.000Z", because: ["TPU roadmap"], page: "ratings/tpu--maturity.html" },
    recheck: "https://github.com/tester/report/issues/12",
  });
  expect(ratings[2]).toMatchObject({ id: "cuda/cost", basis: "judgement", state: "up to date", reason: "due" });
  expect(open).toEqual([
    {
      ...{ trigger: "tpu", name: "TPU roadmap", weight: "routine", opened: "2026-11-01T06:00:00.000Z", issue: 12 },
      url: "https://github.com/tester/report/issues/12",
      ratings: ["tpu/maturity", "tpu/cost"],
    },
  ]);
  expect(sources[0]).toMatchObject({
    id: "docs",
    kind: "page",
    state: "up to date",
    reason: "seen",
    lastSeen: "2026-11-20T07:59:00.000Z",
  });
  expect(rest).toMatchObject({
    ...{ format: 2, written: "2026-11-20T08:00:00.000Z", lastCheck: "2026-11-20T07:59:00.000Z" },
    report: { title: "A report", audited: "2026-05-16" },
  });
  expect(Date.parse(rest.staleAfter)).toBeGreaterThanOrEqual(now - 60_000 + 86_400_000);
});
