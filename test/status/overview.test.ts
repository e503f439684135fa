import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/model/config.ts";
import { lengthOnGitHub } from "../../src/model/markdown.ts";
import type { Watch } from "../../src/model/ports/index.ts";
import type { Freshness } from "../../src/model/states.ts";
import { maxBodyCharacters } from "../../src/recheck/issue/layout.ts";
import { markOf, newTicks, sectionEnd, withSection } from "../../src/recheck/issue/marker.ts";
import { addressOf } from "../../src/recheck/issue/question.ts";
import { type Overview, renderOverview } from "../../src/status/overview.ts";
import type { Status } from "../../src/status/status.ts";
import { hostile } from "../recheck/issue/hostile.ts";
import { living, rendered } from "../recheck/issue/markdown.ts";
import { at, byId, claimAltered, config, madePublic, released, source } from "../recheck/samples.ts";
import { calm } from "../support/calm.ts";
import { runs } from "../support/runs.ts";
import { watchOf } from "../support/watch-of.ts";

const now = at("2026-11-20T08:00:00Z");

const fresh = (rating: string): Status["ratings"][number] => ({
  rating,
  level: "fresh",
  at: at("2027-01-01"),
  because: [],
  value: config.ratings.get(rating)?.level ?? "",
});

/** Every rating fresh but these. */
function rated(...others: readonly Freshness[]): Status["ratings"] {
  return [...config.ratings.keys()].map((id) => {
    const other = others.find(({ rating }) => rating === id);
    return other ? { ...fresh(id), ...other } : fresh(id);
  });
}

const status = (more: Partial<Status> = {}): Status => ({
  ...calm,
  at: now,
  ratings: rated(),
  lastCheck: now - 60_000,
  ...more,
});

function watch(id: string, more: Partial<Watch> = {}): Watch {
  return watchOf(id, { lastCheck: now - 60_000, lastSeen: now - 60_000, next: now + 3_600_000, ...more });
}

const overview = (more: Partial<Overview> = {}): Overview => ({
  config,
  status: status(),
  watches: [...config.sources.keys()].map((id) => watch(id)),
  rechecks: [],
  figures: new Map(),
  marker: "0123456789abcdef01",
  commands: true,
  link: addressOf,
  ...more,
});

const body = (more: Partial<Overview> = {}) => renderOverview(overview(more)).body;
const headings = (text: string) => [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
const trouble = (says: string, count = 2) => ({ kind: "status", says, since: at("2026-11-18"), count });

const troubled: Partial<Overview> = {
  status: status({
    ratings: rated(
      { rating: "tensor/maturity", level: "in doubt", at: at("2026-09-21"), because: ["tensor"] },
      { rating: "tensor/compile", level: "in doubt", at: at("2026-09-21"), because: ["tensor"] },
      { rating: "vector/maturity", level: "blind", at: at("2026-11-11"), because: ["loom-blog"] },
      { rating: "vector/compile", level: "due", at: at("2026-08-14"), because: [] },
    ),
    open: [
      { trigger: "tensor", issue: 12, firings: [released, madePublic, claimAltered] },
      { trigger: "vector", issue: 13, firings: [{ ...released, trigger: "vector" }] },
      { trigger: "claims", firings: [{ ...released, trigger: "claims" }] },
    ],
    unseen: [{ source: "loom-blog", trouble: trouble("403, bot wall"), blindFrom: at("2026-11-11"), gone: false }],
    waiting: [
      {
        source: "tensor-docs",
        sightings: [
          {
            change: {
              kind: "block",
              before: { path: ["Memory"], kind: "paragraph", text: "128" },
              after: { path: ["Memory"], kind: "paragraph", text: "192" },
            },
            since: now,
          },
        ],
        secondCheck: at("2026-11-20T14:00:00Z"),
      },
    ],
  }),
  rechecks: [
    { id: 4, trigger: "tensor", issue: 12 },
    { id: 5, trigger: "vector", issue: 13, snoozed: at("2026-12-04") },
  ],
};

const unchecked = [{ source: "loom-blog", lastCheck: at("2026-11-01") }];
const unnamed = [{ source: "loom-blog", says: "names no version of loom so far; its newest entry is <b>" }];
const pages = "https://pages.example/recheck/";
const areas = ["a", "b", "c", "d"].map((area) => ({ id: `tensor/${area}`, level: "Low", owners: [] }));
const due = areas.map(({ id }) => ({ ...fresh(id), level: "due" as const, at: at("2026-08-14") }));
const hosts = ["a", "b", "c", "d", "e"].map((id) =>
  source(id, { address: `https://${id === "e" ? "two" : "one"}.example/${id}` }),
);
const failing: Partial<Overview> = {
  config: { ...config, sources: byId(hosts) },
  status: status({
    unseen: hosts.map(({ id }) => ({
      ...{ source: id, trouble: trouble(id === "d" ? "timed out" : "403"), gone: false },
      blindFrom: id === "d" ? at("2026-11-25") : undefined,
    })),
  }),
};

const cases: Record<string, Partial<Overview>> = {
  "nothing to do": {},
  "a source that nobody checks": { status: status({ unchecked }) },
  "published pages": { config: { ...config, report: { ...config.report, url: "https://report.example/", pages } } },
  "an empty config": {
    config: { ...config, ratings: new Map(), sources: new Map(), triggers: new Map() },
    status: status({ ratings: [] }),
  },
  "something of everything": troubled,
  "something of everything, without commands": { ...troubled, commands: false },
  "a source that names no version": { status: status({ unnamed }) },
  "a row with all ratings due": { config: { ...config, ratings: byId(areas) }, status: status({ ratings: due }) },
  "a list without axes": { config: { ...config, axes: [] } },
  "figures and sources": {
    figures: new Map([
      ["tensor", { answered: 7, relevant: 6, consequential: 2 }],
      ["vector", { answered: 3, relevant: 2, consequential: 1 }],
    ]),
    watches: [
      watch("tensor-docs", { lastChange: at("2026-06-01"), gave: { entries: 42, newest: "2.9.1 | `x`" } }),
      watch("loom-blog", { trouble: trouble("403, bot wall") }),
      watch("loom-releases", { firstSeen: at("2026-11-19"), lastChange: at("2026-11-19") }),
      watch("tensor-repo", { trouble: trouble("404, not found", 9), gone: true, goneAt: [at("2026-11-19")] }),
    ],
  },
  "a last scan": { lastScan: at("2026-11-20T07:30:00Z") },
  "a scan that stopped": { lastScan: at("2026-11-01") },
  "no scan yet": { status: status({ lastCheck: undefined }) },
  "sources of one host that fail alike": failing,
  "sources of one host that fail alike, without commands": { ...failing, commands: false },
};

/** As people read it, in golden/. After a change that is meant: npx vitest run test/status/overview.test.ts -u */
test.each(Object.entries(cases))("the overview of %s", async (name, given) => {
  const { title, body: text } = renderOverview(overview(given));
  expect(title).toBe("Recheck overview");
  expect(markOf(text)?.marker).toBe("0123456789abcdef01");
  expect(text.endsWith(`\n\n${sectionEnd}`)).toBe(true);
  await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.md`);
});

test.each<[string, Config, string, boolean]>([
  [
    "a day, where checks are hourly",
    { ...config, schedule: new Map([["page", 3_600_000]]) },
    "2026-11-19T08:00:00Z",
    false,
  ],
  [
    "more than a day, where checks are hourly",
    { ...config, schedule: new Map([["page", 3_600_000]]) },
    "2026-11-19T07:59:00Z",
    true,
  ],
  ["two days, where checks are daily", config, "2026-11-18T08:00:00Z", false],
  ["more than two days, where checks are daily", config, "2026-11-18T07:59:00Z", true],
])("says after %s whether the monitor has stopped", (_, given, ended, stopped) => {
  const [, said] = body({ config: given, lastScan: at(ended) }).split("\n\n");
  expect(said?.startsWith("**The monitor has stopped: the last scan ended on 2026-11-1")).toBe(stopped);
});

describe("boxes", () => {
  const ids = (more: Partial<Overview>) => {
    const text = body(more);
    return newTicks(text, text.replaceAll("- [ ] <!--", "- [x] <!--"));
  };

  test("are for checking, asking again and trying again", () => {
    expect(ids(troubled)).toEqual(["check", "retry loom-blog", "unsnooze 5"]);
    expect(ids({})).toEqual(["check"]);
  });

  test("are one for all sources of a host that fail alike", () => {
    expect(ids(failing)).toEqual(["check", "retry a b c", "retry d", "retry e"]);
  });

  test("are not for checks that failed once", () => {
    const unseen = [{ source: "loom-blog", trouble: trouble("timed out", 1), blindFrom: undefined, gone: false }];
    expect(ids({ status: status({ unseen }) })).toEqual(["check"]);
  });
});

describe("the hash", () => {
  const hash = (more: Partial<Overview> = {}) => renderOverview(overview(more)).hash;
  const later = (minutes: number): Partial<Overview> => ({
    status: status({ at: now + minutes * 60_000, lastCheck: now + minutes * 60_000 }),
    watches: overview().watches.map((one) => ({
      ...one,
      lastCheck: now + minutes * 60_000,
      next: now + minutes * 120_000,
      lastChange: now,
    })),
  });

  test("stays while checks are made and nothing comes of them", () => {
    expect(hash(later(5))).toBe(hash());
    expect(renderOverview(overview(later(5))).body).not.toBe(body());
  });

  test("stays when something failed once", () => {
    const [first, ...rest] = overview().watches;
    const failed = first ? [{ ...first, trouble: trouble("timed out", 1) }, ...rest] : [];
    expect(hash({ watches: failed })).toBe(hash());
    expect(
      hash({ watches: failed.map((one) => (one.trouble ? { ...one, trouble: trouble("timed out", 2) } : one)) }),
    ).not.toBe(hash());
  });

  test("changes once a day, so that the overview never checks stopped", () => {
    expect(hash(later(24 * 60))).not.toBe(hash());
  });

  test("changes with everything that people see", () => {
    const each = [
      {},
      troubled,
      { ...troubled, rechecks: [] },
      { ...troubled, commands: false },
      { figures: new Map([["tensor", { answered: 1, relevant: 1, consequential: 0 }]]) },
      { lastScan: at("2026-11-01") },
    ];
    expect(new Set(each.map(hash)).size).toBe(each.length);
  });
});

test("people's text around it stays", () => {
  const before = `Ours.\n\n${body()}\n\nOurs too.`;
  const after = withSection(before, () => body(troubled));
  expect(after).toBe(`Ours.\n\n${body(troubled)}\n\nOurs too.`);
  expect(withSection(after.replace("- [ ] <!-- recheck:do check", "- [x] <!-- recheck:do check"), () => body())).toBe(
    before,
  );
});

test("nothing of config or of a source comes alive", () => {
  fc.assert(
    fc.property(hostile(), hostile(), (word, other) => {
      const strange: Config = {
        ...config,
        report: { ...config.report, title: word },
        names: new Map([
          ["tensor", word],
          ["maturity", other],
        ]),
        ratings: byId([...config.ratings.values()].map((rating) => ({ ...rating, level: word }))),
        sources: byId([...config.sources.values()].map((one) => ({ ...one, title: other, address: word }))),
        triggers: byId([...config.triggers.values()].map((one) => ({ ...one, name: word }))),
      };
      const ratings = (troubled.status?.ratings ?? []).map((one) => ({ ...one, value: other }));
      const unseen = [{ source: "loom-blog", trouble: trouble(word), blindFrom: now, gone: true }];
      const given = { ...troubled, config: strange, status: { ...status(troubled.status), ratings, unseen } };
      const shown = rendered(body(given));
      expect(living(shown.text.replace(/#1[23]\b/g, ""))).toEqual([]);
      const ours = /^<(?:!-- recheck:|details><summary>\d+ \w+<\/summary>$|\/details>|\/?sub>)/;
      expect(shown.html.filter((html) => !ours.test(html))).toEqual([]);
      expect(shown.links.filter((url) => !url.startsWith("http"))).toEqual([]);
      expect(headings(body(given))).toHaveLength(7);
    }),
    { numRuns: runs(200) },
  );
});

test("a big report is kept to GitHub's 65,536 characters", () => {
  const sources = byId(
    Array.from({ length: 3_000 }, (_, i) => source(`s${i}`, { title: `Source ${i} ${"𝔸".repeat(60)}` })),
  );
  const unseen = [...sources.keys()].slice(0, 500).map((id) => ({
    source: id,
    trouble: trouble("403"),
    blindFrom: now,
    gone: false,
  }));
  const text = body({ ...troubled, config: { ...config, sources }, status: { ...status(troubled.status), unseen } });
  expect(lengthOnGitHub(text)).toBeLessThanOrEqual(maxBodyCharacters);
  expect(headings(text)).toHaveLength(7);
  expect(text).toMatch(/\*Left out, because GitHub allows 65,536 characters: (?:[\d,]+ sources, )?[\d,]+ sources\.\*/);
  expect(lengthOnGitHub(renderOverview(overview(troubled), 3_000).body)).toBeLessThanOrEqual(3_000);
});
