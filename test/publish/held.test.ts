import { describe, expect, test } from "vitest";
import type { StoredFiring, StoredRecheck, Watch } from "../../src/model/ports/index.ts";
import { heldPublishers, heldRatings, publisherOf } from "../../src/publish/held.ts";
import { publish } from "../../src/publish/index.ts";
import { configOf } from "../support/config-of.ts";
import { editionWith, type Remembered } from "./edition-of.ts";
import { link } from "./pages/kites.ts";

const config = configOf(
  `report: { title: Kites, audited: 2026-05-16 }
volatility: { High: 90d, Medium: 180d, Low: 365d }
ratings: { lift: { level: good, volatility: Low }, drag: bad, taste: { level: fine, basis: judgement } }
sources:
  limits: { page: https://www.example.org/limits, claims: { payload: { says: 95 g, quote: It carries 95 g, ratings: [lift] } } }
  tracker: { github-repo: example/spar }
  blog: { feed: "https://blog.example.org/feed" }
`,
  {
    delta: "name: Delta\nvolatility: High\nratings: [drag]\non:\n  - { fact: tracker, name: archived }\n",
  },
);
const day = 86_400_000;
const audited = Date.parse("2026-05-16");
const now = audited + 40 * day;

const evidence = (source: string, seen: number) => ({
  ...{ source, seen, part: "on" as const },
  change: { kind: "fact" as const, name: "archived", before: "no", after: "yes" },
});
const firing = (id: number, days: number, more: Partial<StoredFiring> = {}): StoredFiring => {
  const seen = audited + days * day;
  return {
    ...{ id, trigger: "delta", event: { key: `spar ${id}` }, weight: "contrary", seen, fired: seen, recheck: 1 },
    evidence: [evidence("tracker", seen)],
    ...more,
  };
};
const watch = (source: string, more: Partial<Watch> = {}): Watch => ({
  ...{ source, subject: "", checks: 9, unknown: 0, goneAt: [], gone: false, pending: false },
  ...{ firstSeen: audited, lastCheck: now, lastSeen: now, next: now + day },
  ...more,
});
const watches = [watch("limits"), watch("tracker"), watch("blog")];
const recheck: StoredRecheck = { id: 1, trigger: "delta", state: "open", marker: "m", opened: audited, issue: 3 };

async function ratings(remembered: Partial<Remembered>) {
  const edition = await editionWith(config, { watches, rechecks: [recheck], ...remembered }, now);
  return heldRatings(edition).map((one) => [one.id, one.for / day, one.ended !== undefined, (one.declared ?? 0) / day]);
}

describe("how long a rating held", () => {
  test("is until the last check where nothing contrary came; what no source can settle is not asked", async () => {
    expect(await ratings({ firings: [firing(1, 9, { weight: "routine" })] })).toEqual([
      ["lift", 40, false, 365],
      ["drag", 40, false, 90],
    ]);
  });

  test("is until the first contrary event, by its own date where it has one after the audit", async () => {
    const dated = firing(2, 20, { event: { key: "b", at: audited + 12 * day } });
    const old = firing(3, 15, { event: { key: "c", at: audited - 50 * day } });
    expect((await ratings({ firings: [dated, old] }))[1]).toEqual(["drag", 12, true, 90]);
    expect((await ratings({ firings: [old] }))[1]).toEqual(["drag", 15, true, 90]);
  });

  test("goes on over what people dismissed, and over proofs that were never found", async () => {
    const verdict = { kind: "dismiss", by: "author", because: "a rename" } as const;
    const dismissed = { ...recheck, state: "closed" as const, closed: now, verdict };
    expect((await ratings({ firings: [firing(1, 9)], rechecks: [dismissed] }))[1]).toEqual(["drag", 40, false, 90]);
    const claim = { ...evidence("limits", audited), part: "claim" as const, claim: "limits/payload" };
    const unfound = firing(4, 0, { trigger: "not-found", evidence: [claim] });
    expect((await ratings({ firings: [unfound] }))[0]).toEqual(["lift", 40, false, 365]);
  });

  test("is no longer than its sources were seen", async () => {
    const trouble = { kind: "status", says: "403", since: audited + 10 * day, count: 30 };
    const blind = [watch("limits", { lastSeen: audited + 10 * day, trouble }), watch("tracker"), watch("blog")];
    expect((await ratings({ watches: blind }))[0]).toEqual(["lift", 10, false, 365]);
  });
});

test("publishers are those on whose sources a rating rests, by host, and by owner where many share one", async () => {
  const remembered = { watches, rechecks: [recheck], firings: [firing(1, 9)] };
  const edition = { ...(await editionWith(config, remembered, now)), link };
  expect(heldPublishers(edition).map(({ id, for: length, ended }) => [id, length / day, ended?.firing.id])).toEqual([
    ["example.org", 40, undefined],
    ["github.com/example", 9, 1],
  ]);
});

test("the first page shows no bars in the first month, as they would say nothing yet", async () => {
  const frontAt = async (days: number) => {
    const seen = { lastCheck: audited + days * day, lastSeen: audited + days * day };
    const all = watches.map((one) => ({ ...one, ...seen }));
    const files = publish(await editionWith(config, { watches: all }, audited + days * day));
    return String(files.get("index.html"));
  };
  expect(await frontAt(10)).not.toContain("How long judgements held");
  expect(await frontAt(31)).toContain("How long judgements held");
});

test("a source without an address for people is published by its kind", () => {
  const [source] = config.sources.values();
  if (!source) throw new Error("no source");
  expect(publisherOf({ ...source, address: "spar", kind: "pypi" }, { link: () => undefined })).toBe("pypi");
});

test("the page of a rating that was in doubt at the first check already does not say that nothing spoke against it", async () => {
  const claim = { ...evidence("limits", audited), part: "claim" as const, claim: "limits/payload" };
  const unfound = firing(4, 0, { trigger: "not-found", evidence: [claim] });
  const leadOf = (page = "") => /(?<=<p class="lead">)(?:(?!<\/p>).)*/s.exec(page)?.[0].replace(/<[^>]*>/g, "");
  const pagesOf = async (...firings: StoredFiring[]) =>
    publish(await editionWith(config, { watches, rechecks: [recheck], firings }, now));
  const pageOf = async (...firings: StoredFiring[]) => leadOf((await pagesOf(...firings)).get("ratings/lift.html"));
  const firstPageOf = async (...firings: StoredFiring[]) =>
    leadOf((await pagesOf(...firings)).get("index.html")?.split("How long judgements held")[1]);
  expect(await pageOf()).toMatch(/^No event contradicted this rating in the 40 days since the audit[^.]*\.$/);
  expect(await pageOf(unfound)).toMatch(
    /^No event contradicted this rating in the 40 days since .*\. Findings of the first check are not counted\.$/,
  );
  const later = firing(5, 20, { trigger: "claims", evidence: [{ ...claim, seen: audited + 20 * day }] });
  expect(await pageOf(unfound, later)).toMatch(
    /^This rating held for 20 days.*\. Findings of the first check are not counted\.$/,
  );
  expect(await firstPageOf()).toMatch(/^0 of \d+ ratings? were/);
  expect(await firstPageOf(unfound)).toMatch(/^Findings of the first check aside, 0 of \d+ ratings? were/);
  expect(await firstPageOf(unfound, later)).toMatch(/^Findings of the first check aside, 1 of \d+ ratings? were/);
});
