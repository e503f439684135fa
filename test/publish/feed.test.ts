import * as cheerio from "cheerio";
import fc from "fast-check";
import { parseFeed } from "feedsmith";
import RssParser from "rss-parser";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/model/config.ts";
import { renderSheets } from "../../src/publish/edition.ts";
import { feeds } from "../../src/publish/feed.ts";
import { configOf } from "../support/config-of.ts";
import { runs } from "../support/runs.ts";
import { watchOf } from "../support/watch-of.ts";
import { anyEdition, editionWith, type Remembered } from "./edition-of.ts";
import { readAtom } from "./xml.ts";

const at = (when: string) => Date.parse(when);
const now = at("2026-11-20T08:00:00Z");

const config = configOf(
  `
report: { title: A report, url: https://author.example.org/report/, audited: 2026-05-16 }
levels: [Low, High]
axes: [platform, area]
names: { tpu: Google TPU }
ratings: { tpu/maturity: Low, tpu/cost: High, cuda/cost: High }
products: { loom: { name: Loom } }
sources:
  blog: { page: https://blog.example.org/a, title: The blog }
  notes: { page: https://blog.example.org/b, title: The notes }
  releases: { github-releases: loom/loom, announces: loom }
`,
  {
    tpu: `
name: TPU roadmap
ratings: [tpu/maturity, tpu/cost]
on:
  - { change: blog, ratings: [tpu/maturity] }
  - { change: notes, ratings: [tpu/maturity, tpu/cost] }
  - { release: loom }
`,
  },
);
const [, onNotes, onRelease] = config.triggers.get("tpu")?.on ?? [];

const released = {
  id: 1,
  trigger: "tpu",
  event: { key: "loom 2.0", product: "loom", version: "2.0" },
  weight: "routine" as const,
  seen: at("2026-07-08T06:00:00Z"),
  fired: at("2026-07-08T06:00:00Z"),
  joined: at("2026-07-08T06:00:00Z"),
  recheck: 1,
  evidence: [
    {
      source: "releases",
      seen: at("2026-07-08T06:00:00Z"),
      part: "on" as const,
      ...(onRelease && { condition: onRelease }),
      change: { kind: "item-added" as const, item: { id: "2", title: "v2.0" } },
    },
  ],
};
const edited = {
  ...released,
  ...{ id: 2, event: { key: "notes" }, joined: at("2026-07-20T06:00:00Z") },
  evidence: [
    {
      source: "notes",
      seen: at("2026-07-20T06:00:00Z"),
      part: "on" as const,
      ...(onNotes && { condition: onNotes }),
      change: { kind: "block" as const },
    },
  ],
};
const recheck = {
  ...{ id: 1, trigger: "tpu", marker: "secret-word", issue: 12 },
  ...{ state: "open" as const, opened: at("2026-07-08T06:01:00Z") },
};
const answer = {
  ...{ recheck: 1, rating: "tpu/maturity", verdict: "change" as const, level: "High", by: "somebody" },
  ...{ id: 1, at: at("2026-08-01T10:00:00Z"), settled: at("2026-08-02T10:00:00Z"), because: "not told" },
};

const whole: Partial<Remembered> = { firings: [released, edited], rechecks: [recheck] };

async function told(remembered: Partial<Remembered>, file = "feed.xml", of: Config = config) {
  const text = feeds(await editionWith(of, remembered, now)).get(file)?.();
  if (text === undefined) throw new Error(`no ${file}`);
  return { text, ...readAtom(text) };
}

describe("feeds", () => {
  test("announce a recheck when it is opened, and again when something joins it", async () => {
    const before = await told({ firings: [released], rechecks: [recheck] });
    const after = await told(whole);
    expect(before.title).toBe("A report: evidence");
    expect(before.entries.map(({ title }) => title)).toEqual(["TPU roadmap: Loom 2.0 released"]);
    expect(after.entries.map(({ id }) => id)).toEqual(before.entries.map(({ id }) => id));
    expect(before.entries[0]?.updated).toBe("2026-07-08T06:01:00.000Z");
    expect(after.entries[0]?.updated).toBe("2026-07-20T06:00:00.000Z");
    expect(after.entries[0]?.content).toContain(
      "<li>The notes: text removed (for your information, seen 2026-07-08)</li>",
    );
    expect(after.text).toContain("https://github.com/tester/report/issues/12");
    expect(after.text).not.toContain("secret-word");
  });

  test("have one entry for each contrary event, that later events do not move", async () => {
    const contrary = (id: number, when: string, key: string) => ({
      ...released,
      ...{ id, event: { key }, weight: "contrary" as const, seen: at(when), fired: at(when), joined: at(when) },
    });
    const first = contrary(7, "2026-07-09T06:00:00Z", "one");
    const alone = await told({ firings: [released, first], rechecks: [recheck] });
    const both = await told({
      firings: [released, first, contrary(8, "2026-09-21T06:00:00Z", "two")],
      rechecks: [recheck],
    });
    expect(both.entries).toHaveLength(3);
    const [later, ...earlier] = both.entries;
    expect(earlier).toEqual(alone.entries);
    expect(later?.updated).toBe("2026-09-21T06:00:00.000Z");
    expect(later?.content).toContain("It is against the report, seen 2026-09-21. Asked by TPU roadmap.");
  });

  test("begin the title of an event with a capital", async () => {
    const evidence = edited.evidence.map((piece) => ({
      ...piece,
      ...(onNotes && { condition: { ...onNotes, means: "the notes have changed" } }),
    }));
    const { entries } = await told({ firings: [{ ...edited, evidence, weight: "contrary" as const }] });
    expect(entries[0]?.title).toBe("The notes have changed");
  });

  test("say when they were true", async () => {
    const lastCheck = at("2026-08-03T06:00:00Z");
    const watches = [watchOf("notes", { next: now, lastCheck, firstSeen: lastCheck })];
    const { text, updated } = await told({ ...whole, watches });
    expect(text).toMatch(
      /<subtitle type="text">As of 2026-08-03, the last check\. If you read this after 2026-08-\d\d, monitoring has stopped\.</,
    );
    // To check again is nothing that subscribers are to be told of.
    expect(updated).toBe("2026-07-20T06:00:00.000Z");
    expect((await told({})).text).toContain('<subtitle type="text">No source was checked yet.<');
  });

  test("hold one of digests, an entry for each week that is over, without names", async () => {
    const watches = [watchOf("notes", { next: now, lastCheck: now, firstSeen: now })];
    const { entries, title, text } = await told({ ...whole, answers: [answer], watches }, "digests.xml");
    expect(title).toBe("A report: week by week");
    expect(entries.map(({ kind, title, updated }) => [kind, title, updated])).toEqual([
      ["digest", "2026-07-27 to 2026-08-02: 1 answer", "2026-08-03T00:00:00.000Z"],
      ["digest", "2026-07-06 to 2026-07-12: 2 events", "2026-07-13T00:00:00.000Z"],
    ]);
    expect(entries[0]?.content).toContain("<li>Answers: Google TPU · maturity: changed to High</li>");
    expect(entries[1]?.content).toContain(
      "<li>Events: Loom 2.0 released (for your information, seen 2026-07-08; TPU roadmap)</li>",
    );
    expect(text).toContain('href="digests.html#2026-W28"');
    expect(text).not.toMatch(/somebody|not told/);
  });

  test("announce its answer, without anybody's name or words", async () => {
    const { entries, text } = await told({ ...whole, answers: [answer] });
    expect(entries.map(({ kind, title }) => [kind, title])).toEqual([
      ["answered", "TPU roadmap: 1 changed"],
      ["opened", "TPU roadmap: Loom 2.0 released"],
    ]);
    expect(entries[0]?.content).toContain("<li>Google TPU · maturity: changed to High</li>");
    expect(text).not.toMatch(/somebody|not told/);
  });

  test.each([
    [{ state: "closed" as const, closed: at("2026-08-01") }, "TPU roadmap: closed by hand, no rating was reviewed"],
    [
      {
        state: "closed" as const,
        closed: at("2026-08-01"),
        verdict: { kind: "dismiss" as const, by: "a", because: "x" },
      },
      "TPU roadmap: dismissed, no rating changes",
    ],
  ])("announce the end of one without answers: %o", async (end, title) => {
    const { entries } = await told({ ...whole, rechecks: [{ ...recheck, ...end }] });
    expect(entries[0]?.title).toBe(title);
  });

  test("say which question is asked about a rating, and no more", async () => {
    const remembered = { ...whole, answers: [answer] };
    const [maturity, cost, other] = await Promise.all(
      ["tpu--maturity", "tpu--cost", "cuda--cost"].map((slug) => told(remembered, `ratings/${slug}.xml`)),
    );
    expect(maturity?.entries.length).toBe(2);
    expect(cost?.entries.length).toBe(2);
    expect(other?.entries).toEqual([]);
    expect(other?.updated).toBe("2026-05-16T00:00:00.000Z");
    expect(new Set([maturity?.id, cost?.id, other?.id]).size).toBe(3);
  });

  test("announce sources that turned blind, those of one host together, and when they are read again", async () => {
    const since = at("2026-08-01T06:00:00Z");
    const failure = { kind: "status", says: "403, bot wall", since, count: 2 };
    const seen = { next: now, firstSeen: at("2026-05-16"), lastSeen: since - 1 };
    const check = (source: string, when: number, outcome: "unknown" | "unchanged") => {
      return { source, at: when, outcome, sightings: [], noise: [], ...(outcome === "unknown" && { failure }) };
    };
    const back = at("2026-08-20T06:00:00Z");
    const remembered: Partial<Remembered> = {
      watches: [watchOf("blog", { ...seen, lastSeen: back }), watchOf("notes", { ...seen, trouble: failure })],
      checks: [check("blog", back, "unchanged"), check("blog", since, "unknown"), check("notes", since, "unknown")],
    };
    const { entries } = await told(remembered);
    expect(entries.map(({ title, updated }) => [title, updated.slice(0, 10)])).toEqual([
      ["The blog is read again", "2026-08-20"],
      ["2 sources at blog.example.org are not checkable", "2026-08-08"],
    ]);
    expect(entries[1]?.content).toContain("<li>The notes: 403, bot wall</li>");
    const cost = await told(remembered, "ratings/tpu--cost.xml");
    expect(cost.entries.map(({ title }) => title)).toEqual(["2 sources at blog.example.org are not checkable"]);
  });

  describe("of a source whose product another one announces too", () => {
    const two = configOf(`
report: { title: A report, audited: 2026-05-16 }
ratings: { tpu: Low }
products: { loom: { name: Loom } }
sources:
  releases: { github-releases: loom/loom, announces: loom, title: The releases }
  index: { pypi: loom, announces: loom, title: The index }
`);
    const failure = (since: string) => ({ kind: "status", says: "403", since: at(since), count: 2 });
    const watch = (source: string, lastSeen: string) =>
      watchOf(source, { next: now, firstSeen: at("2026-05-16"), lastSeen: at(lastSeen), lastCheck: now });
    const releases = { ...watch("releases", "2026-08-01"), trouble: failure("2026-08-01") };
    const titles = async (watches: Remembered["watches"], checks: Remembered["checks"] = []) =>
      (await told({ watches, checks }, "feed.xml", two)).entries.map(({ title, updated }) => [
        title,
        updated.slice(0, 10),
      ]);

    test("say nothing while that one is seen", async () => {
      expect(await titles([releases, watch("index", "2026-11-20")])).toEqual([]);
    });

    test("say that it is blind once that one is blind too, as its ratings do", async () => {
      const index = { ...watch("index", "2026-09-01"), trouble: failure("2026-09-01") };
      expect(await titles([releases, index])).toEqual([
        [expect.stringContaining("The releases"), "2026-09-08"],
        [expect.stringContaining("The index"), "2026-09-08"],
      ]);
    });

    test("announce it if that one was never seen", async () => {
      const { firstSeen, lastSeen, ...never } = watch("index", "2026-11-20");
      expect(await titles([releases, never])).toEqual([[expect.stringContaining("The releases"), "2026-08-08"]]);
    });

    test("go on telling of the time when both were blind, after that one is read again", async () => {
      const check = (when: string, outcome: "unknown" | "unchanged") => {
        const it = { source: "index", at: at(when), outcome, sightings: [], noise: [] };
        return outcome === "unknown" ? { ...it, failure: failure("2026-09-01") } : it;
      };
      const checks = [check("2026-10-01", "unchanged"), check("2026-09-01", "unknown")];
      expect((await titles([releases, watch("index", "2026-11-20")], checks)).map(([title]) => title)).toEqual([
        expect.stringContaining("The index is read again"),
        expect.stringContaining("The releases"),
        expect.stringContaining("The index"),
      ]);
    });
  });

  test("hold the newest fifty", async () => {
    const rechecks = Array.from({ length: 60 }, (_, i) => {
      return { ...recheck, id: i + 1, marker: `m${i}`, opened: recheck.opened + i * 1_000 };
    });
    const { entries } = await told({ rechecks });
    expect(entries.length).toBe(50);
    expect(entries[0]?.updated).toBe(new Date(recheck.opened + 59_000).toISOString());
  });

  test.each([
    ["<name>Recheck</name>", ""],
    [/<updated>[^<]*/, "<updated>yesterday"],
    [/<updated>([^<]*)Z/, "<updated>$1"],
    [/<id>tag:[^<]*/, "<id>feed"],
    ['<title type="text">', '<title type="html">'],
    ["</feed>", "<entry/></feed>"],
    ["</feed>", "<updated>2026-11-20T08:00:00Z</updated></feed>"],
    ["A report", "A & B"],
    ["A report", "A \u0001"],
    ["</feed>", ""],
  ])("and the checks here refuse mistakes: %s → %s", async (from, to) => {
    const { text } = await told(whole);
    expect(text.replace(from, to)).not.toBe(text);
    expect(() => readAtom(text.replace(from, to))).toThrow();
  });

  test("are read by readers of feeds", async () => {
    const { text, entries } = await told({ ...whole, answers: [answer] });
    const parsed = parseFeed(text);
    expect(parsed.format).toBe("atom");
    const other = await new RssParser().parseString(text);
    expect(other.items.map(({ title }) => title)).toEqual(entries.map(({ title }) => title));
  });

  test("keep to RFC 4287 and stay inert, for any store", async () => {
    await fc.assert(
      fc.asyncProperty(anyEdition, async ({ config, remembered, at }) => {
        for (const [path, text] of renderSheets(feeds(await editionWith(config, remembered, at)))) {
          const { entries } = readAtom(text);
          for (const { content } of entries) {
            // What is alive in it is what we wrote ourselves: without its tags nothing is left of markup.
            const alive = cheerio.load(content, {}, false);
            expect(alive("*").not("p, ul, li").length, path).toBe(0);
            expect(alive("p, ul, li").filter((_, element) => Object.keys(element.attribs).length > 0).length).toBe(0);
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
