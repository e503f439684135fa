import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { RecheckState, StoredFiring, Watch } from "../../../src/model/ports/index.ts";
import { type Edition, renderSheets } from "../../../src/publish/edition.ts";
import { pageSheets, publish } from "../../../src/publish/index.ts";
import { claimsPart } from "../../../src/publish/pages/claims.ts";
import { drawingOf, placesFrom } from "../../../src/publish/pages/drawing.ts";
import { headline } from "../../../src/recheck/issue/title.ts";
import { configOf } from "../../support/config-of.ts";
import { runs } from "../../support/runs.ts";
import { watchOf } from "../../support/watch-of.ts";
import { anyEdition, editionWith } from "../edition-of.ts";
import { type Element, elementsOf, textOf, wordsOf } from "./elements.ts";
import { kites, now } from "./kites.ts";

const pages = (edition: Edition): ReadonlyMap<string, string> => renderSheets(pageSheets(edition));

let edition: Edition;
let made: ReadonlyMap<string, string>;
beforeAll(async () => {
  edition = await kites();
  made = pages(edition);
});

const page = (path: string, all = made): string => all.get(path) ?? `no ${path} among ${[...all.keys()].join(" ")}`;
const words = (path: string, all = made): string => wordsOf(page(path, all));

describe("the pages of a story", () => {
  test("are one for the report, the references, the sources and the triggers, and one for each rating and source", () => {
    expect([...made.keys()].sort()).toEqual(
      [
        ...["index.html", "references.html", "sources.html", "triggers.html", "digests.html"],
        ...["style.css", "recheck.js"],
        ...[...edition.config.ratings.keys()].map((id) => `ratings/${id.replace("/", "--")}.html`),
        ...[...edition.config.sources.keys()].map((id) => `sources/${id}.html`),
      ].sort(),
    );
  });

  /** As people read them, in golden/. After a change that is meant: npx vitest run test/publish/pages/pages.test.ts -u */
  test.each([
    ...["index", "references", "sources", "triggers", "digests", "ratings/sled--lift", "ratings/delta--lift"],
    ...["ratings/delta--weight", "sources/wall", "sources/rugged", "sources/blog", "sources/unseen"],
  ])("say what golden/ has: %s", async (path) => {
    const [main = ""] = /<main[\s\S]*<\/main>/.exec(page(`${path}.html`)) ?? [];
    await expect(`${textOf(main)}\n`).toMatchFileSnapshot(`golden/${path.replace("/", "-")}.txt`);
  });

  test("explain each state once, with all reasons for it", () => {
    const levels = ["in doubt", "not corrected", "due", "fresh"] as const;
    const ratings = edition.status.ratings.map((one, i) => ({ ...one, level: levels[i % 4] ?? "fresh" }));
    const index = page("index.html", pages({ ...edition, status: { ...edition.status, ratings } }));
    const legend = wordsOf(/<dl class="legend">.*?<\/dl>/s.exec(index)?.[0] ?? "");
    expect(legend.match(/outdated|up to date/g)).toEqual(["outdated", "up to date"]);
    expect(legend).toContain("no event is against it; or its regular review is due, though no event is against it");
  });

  test("hide no link on a narrow screen", () => {
    const hidden = [...made.values()].flatMap((text) => text.match(/<td class="wide-only">.*?<\/td>/gs) ?? []);
    expect(hidden).not.toEqual([]);
    expect(hidden.filter((cell) => cell.includes("<a "))).toEqual([]);
  });

  test("do not break a day at the end of a line, week by week", () => {
    const [main = ""] = /<main[\s\S]*<\/main>/.exec(page("digests.html")) ?? [];
    expect(main.match(/<time>\d{4}-/g)?.length).toBeGreaterThan(3);
    expect(wordsOf(main.replace(/<time.*?<\/time>/g, ""))).not.toMatch(/\d{4}-\d\d-\d\d/);
  });

  test("do not repeat below a claim the sentence that is above it", () => {
    const [firing] = edition.firings;
    if (!firing) throw new Error("nothing fired");
    const story = { id: "limits/none", says: "Kites fly", proof: "it flies", state: "contradicted" as const };
    const claim = { ...story, found: firing.event.key, cites: [], ratings: [] };
    const { sentence } = headline(firing, edition.config);
    const drawn = (above?: string) =>
      wordsOf(String(claimsPart([claim], drawingOf(edition, placesFrom("")), { sentence: above })));
    expect(drawn()).toContain(`${sentence}, seen 2026-`);
    expect(drawn(sentence)).not.toContain(sentence);
  });

  test("lead from a due rating and from a failing source to their pages, week by week", () => {
    const ratings = edition.status.ratings.map((one) => ({ ...one, level: "due" as const }));
    const weeks = page("digests.html", pages({ ...edition, status: { ...edition.status, ratings } }));
    expect(weeks).toContain('<li><a href="ratings/delta--lift.html">Delta · Lift, since <time>');
    expect(weeks).toContain('<li><a href="sources/wall.html">The wall: 403, since <time>2026-06-07</time></a></li>');
  });

  test("lead from an open question to its issue", () => {
    expect(page("index.html")).toContain('<a href="https://github.com/tester/kites/issues/13">#13</a>');
  });

  test("draw the matrix with levels, states and the way to each rating", () => {
    const cells = /<table class="matrix">.*?<\/table>/s.exec(page("index.html"))?.[0] ?? "";
    expect(wordsOf(cells)).toMatch(
      /Delta Low · up to date High · up to date Medium · up to date Sled Medium ✗ outdated Low ✗ outdated High/,
    );
    expect(cells.match(/<th scope="col"/g)).toHaveLength(4);
    expect(cells).toContain('<a href="ratings/sled--lift.html" data-column="Lift">');
  });

  test("show the newest events, fold earlier ones, and count those that are too many to list", () => {
    const [one] = edition.firings;
    if (!one) throw new Error("nothing fired");
    const firings = Array.from({ length: 310 }, (_, id) => ({ ...one, id, event: { key: `event ${id}` } }));
    const all = pages({ ...edition, firings, rechecks: [], answers: [] });
    expect(words("index.html", all)).toMatch(/ 292 earlier entries .* And 10 before them\./);
    expect(words("triggers.html", all)).toMatch(/ 290 earlier entries .* And 10 before them\./);
  });

  test("say why a report was kept although no rating was asked about", () => {
    const closed = {
      state: "closed",
      closed: Date.parse("2026-06-12"),
      verdict: { kind: "keep", by: "maintainer", because: "<b>Both</b> hold" },
    } as const;
    const rechecks = edition.rechecks.map((one) =>
      one.trigger === "sled" ? { ...one, snoozed: undefined, issue: 13, ...closed } : one,
    );
    const [, told = ""] = /Since the audit (.*)/.exec(words("index.html", pages({ ...edition, rechecks }))) ?? [];
    expect(told).toMatch(/2026-06-12 ▲ answer Kept: <b>Both<\/b> hold Sleds · in #13/);
    expect(told).toContain("Sleds · #13, kept on 2026-06-12: “<b>Both</b> hold”");
  });

  test("show of a rating its evidence side by side, and lead to its sources", () => {
    const lift = page("ratings/sled--lift.html");
    expect(lift).toMatch(/<del>95<\/del>.*<ins>80<\/ins>/s);
    expect(lift).toMatch(/href="https:\/\/example\.org\/limits#:~:text=[^"]+" rel="noreferrer">open the passage/);
    expect(lift).toContain('<a href="../sources/limits.html">Limits of kites</a>');
    expect(page("ratings/delta--lift.html")).toContain('href="https://redirect.github.com/example/spar');
    expect(page("ratings/delta--lift.html")).toContain('href="https://github.com/tester/kites/issues/12"');
  });

  test("show the checks of each source as a strip, in words too", () => {
    const strips = elementsOf(page("sources.html")).filter(({ attributes }) => attributes.class === "strip");
    expect(strips).toHaveLength(edition.config.sources.size);
    for (const { attributes } of strips) expect(attributes["aria-label"]).toMatch(/^Last 120 days: /);
  });

  test("show the state of every citation, the most pressing first, with before and after", () => {
    const text = page("references.html");
    const items = [...text.matchAll(/<li id="([^"]+)" class="([^"]+)"/g)].map(([, id, state]) => `${id} ${state}`);
    expect(items).toEqual([
      "ref-7 outdated",
      "ref-1 changed",
      "ref-4 changed",
      "ref-9 not-checkable",
      "source-rugged changed",
      "source-blog changed",
      "source-wall not-checkable",
      "source-unseen not-checkable",
      "source-matrix up-to-date",
    ]);
    const limits = /<li id="ref-7".*?(?=<li id="ref-1")/s.exec(text)?.[0] ?? "";
    expect(limits.match(/<del>95<\/del>/g)).toHaveLength(1);
  });

  test("lead to each citation that nobody can watch, and say why in one sentence", async () => {
    const config = configOf(`report: { title: A report, audited: 2026-05-16 }
sources: { a: { text: "https://example.org/a", cites: [1] } }
unwatchable:
  - { title: One, because: It wants a login., cites: [2] }
  - { title: Two, because: It wants a login. }
  - { title: Three, because: only members can read it }
`);
    const all = publish(await editionWith(config, { watches: [] }, now));
    const ids = [...page("references.html", all).matchAll(/<li id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.toSorted()).toEqual(["ref-1", "ref-2", "unwatchable-2", "unwatchable-3"]);
    expect(words("references.html", all)).toMatch(/It wants a login\.(?!\.).*Only members can read it\./);
  });

  test("lead only to pages and parts of them that there are", () => {
    expect(deadLinks(publish(edition))).toEqual([]);
  });

  test("have one heading of the first level, and none that skips one", () => {
    for (const [path, text] of made) {
      if (!path.endsWith(".html")) continue;
      const levels = elementsOf(text).flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
      expect(
        levels.filter((level) => level === 1),
        path,
      ).toHaveLength(1);
      for (const [i, level] of levels.entries()) expect(level - (levels[i - 1] ?? 0), path).toBeLessThanOrEqual(1);
    }
  });
});

/** Links of the pages to files and parts of them that are not there. */
function deadLinks(all: ReadonlyMap<string, string>): string[] {
  const pages = new Map(
    [...all].filter(([path]) => path.endsWith(".html")).map(([path, text]) => [path, elementsOf(text)]),
  );
  return [...pages].flatMap(([path, elements]) =>
    elements.flatMap(({ attributes: { href, src } }) => {
      const to = href ?? src;
      if (to === undefined || /^(https?|data):/.test(to)) return [];
      const { pathname, hash } = new URL(to, `https://pages.example/${path}`);
      const file = decodeURIComponent(pathname.slice(1));
      const part = decodeURIComponent(hash.slice(1));
      const found = all.has(file) && (part === "" || pages.get(file)?.some(({ attributes }) => attributes.id === part));
      return found ? [] : [`${path} → ${to}`];
    }),
  );
}

const watch = watchOf("a", { firstSeen: now, lastCheck: now, lastSeen: now, next: now });

describe("other reports", () => {
  test("without two axes have their ratings in a list", async () => {
    const config = configOf(
      "report: { title: List, audited: 2026-05-16 }\nratings: { fast: yes it is, small: 12 kB }\n",
    );
    const all = publish(await editionWith(config, {}, now));
    expect(words("index.html", all)).toMatch(/rating level now since fast yes it is/);
    expect(page("index.html", all)).not.toContain('class="matrix"');
    expect(deadLinks(all)).toEqual([]);
  });

  test("before the first check say so, and draw no charts", async () => {
    const all = pages(await editionWith(edition.config, {}, now));
    expect(words("index.html", all)).toContain("Whether the sources of this report still support it, not checked yet");
    expect(words("index.html", all)).toContain("No check has run yet: the state of the report's sources is unknown.");
    expect(words("index.html", all)).not.toMatch(/all 6 ratings/i);
    expect(words("index.html", all)).toContain("7 have not been checked yet.");
    expect(page("index.html", all)).not.toContain('class="chart"');
    expect(words("sources/limits.html", all)).toContain("not read yet");
  });

  test.each([
    ["the first check failed each time", { b: "failed" }, "1 cannot be read now: b."],
    [
      "another was not checked yet",
      { b: "failed", c: "not yet" },
      "1 cannot be read now: b. 1 has not been checked yet.",
    ],
    ["no other was checked", { b: "not yet", c: "not yet" }, "2 have not been checked yet."],
    ["all others are seen", { b: "seen", c: "seen" }, "All of them can be read."],
  ])("count the sources that can be seen alike on every page, where %s", async (_, others, told) => {
    const ids = ["a", ...Object.keys(others)];
    const listed = ids.map((id) => `${id}: { page: "https://example.org/${id}", title: ${id} }`).join(", ");
    const config = configOf(`report: { title: Bare, audited: 2026-05-16 }\nsources: { ${listed} }\n`);
    const { firstSeen: _first, lastSeen: _last, ...never } = watch;
    const trouble = { kind: "not-found" as const, says: "404, not found", since: now - 9 * 86_400_000, count: 9 };
    const watches = Object.entries(others).flatMap(([source, how]): Watch[] =>
      how === "not yet" ? [] : [how === "seen" ? { ...watch, source } : { ...never, source, unknown: 9, trouble }],
    );
    const all = pages(await editionWith(config, { watches: [watch, ...watches] }, now));
    const seen = ids.length - Object.values(others).filter((how) => how !== "seen").length;
    const count =
      seen === ids.length ? `All ${seen} sources can be read.` : `${seen} of ${ids.length} sources can be read.`;
    expect(words("index.html", all)).toContain(`and 0 triggers. ${told}`);
    expect(words("sources.html", all)).toContain(count);
  });

  test("count the marks of one day", async () => {
    const config = configOf(
      "report: { title: Two, audited: 2026-05-16 }\nratings: { a: Low }\nsources: { a: { page: https://example.org/a } }\n",
      { t: "name: Tee\nratings: [a]\non: [{ change: a }]\n" },
    );
    const day = 86_400_000;
    const firings = [20, 20, 22, 30, 30].map((days, i): StoredFiring => {
      const at = config.report.audited + days * day;
      return {
        ...{ id: i, trigger: "t", event: { key: `e ${i}` }, weight: "routine", seen: at, fired: at, recheck: 1 },
        evidence: [{ source: "a", seen: at, part: "on", change: { kind: "link", to: "gone" } }],
      };
    });
    const rechecks = [{ id: 1, trigger: "t", marker: "m", opened: now, state: "planned" as const }];
    const at = config.report.audited + 40 * day;
    const watches = [{ ...watch, lastCheck: at }];
    const front = page("index.html", pages(await editionWith(config, { rechecks, firings, watches }, at)));
    const counts = [...front.matchAll(/<text x="([\d.]+)%" y="5">×(\d)</g)].map(([, place, count]) => [place, count]);
    expect(counts).toEqual([
      ["73.2", "2"],
      ["48.8", "2"],
    ]);
  });

  test("list references of one state and one day by their number, those of a later day first", async () => {
    const source = (id: string, number: number) =>
      `  ${id}: { page: "https://example.org/${id}", cites: [${number}], claims: { c: { says: It flies, quote: it flies } } }\n`;
    const sources = ["p", "q", "r", "s"].map((id, index) => source(id, index + 1)).join("");
    const config = configOf(
      `report: { title: Order, audited: 2026-05-16 }\nratings: { a: Low }\nsources:\n${sources}`,
      {
        t: "name: Tee\nratings: [a]\non: [{ change: p }]\n",
      },
    );
    const at = config.report.audited + 86_400_000;
    const firings = Object.entries({ p: 5, q: 7, r: 6, s: 31 }).map(([id, hours], index): StoredFiring => {
      const seen = at + hours * 3_600_000;
      const change = { kind: "claim", claim: `${id}/c`, from: "supported", to: "gone" } as const;
      const evidence = [{ source: id, seen, part: "claim" as const, claim: `${id}/c`, change }];
      return { id: index, trigger: "t", event: { key: id }, weight: "contrary", seen, fired: seen, evidence };
    });
    const all = pages(await editionWith(config, { firings }, at + 2 * 86_400_000));
    const ids = [...page("references.html", all).matchAll(/<li id="ref-(\d)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["4", "1", "2", "3"]);
  });

  describe("of one event, a day after the audit", () => {
    const config = configOf(
      "report: { title: One, audited: 2026-05-16 }\nratings: { a: Low, b: Low }\nsources: { a: { page: https://example.org/a, cites: [1], claims: { c: { says: It flies, quote: it flies, ratings: [a] } } }, b: { page: https://example.org/b } }\n",
      { t: "name: Tee\nratings: [a]\non: [{ change: a }]\n" },
    );
    const at = config.report.audited + 86_400_000;
    const firing: StoredFiring = {
      ...{ id: 1, trigger: "t", event: { key: "e" }, weight: "contrary", seen: at, fired: at, recheck: 1 },
      evidence: [
        {
          ...{ source: "a", seen: at, part: "claim", claim: "a/c" },
          change: { kind: "claim", claim: "a/c", from: "supported", to: "gone" },
        },
      ],
    };
    const recheck = { id: 1, trigger: "t", marker: "m", opened: at };
    const watches = ["a", "b"].map((source) => ({ ...watch, source, firstSeen: at, lastCheck: at, lastSeen: at }));
    const drawnOf = async (state: RecheckState, trigger = "t") => {
      const rechecks = [{ ...recheck, trigger, ...state }];
      return publish(await editionWith(config, { watches, rechecks, firings: [{ ...firing, trigger }] }, at));
    };

    test("say, if nothing is written yet, that its issue is not, and count one day as one", async () => {
      const all = await drawnOf({ state: "planned" });
      expect(words("index.html", all)).toContain("seen 2026-05-17. Its issue is not written yet.");
      expect(words("references.html", all)).toContain("Tee (its issue is not written yet)");
      expect(words("references.html", all)).toContain("1 of 2 references is changed, 1 up to date.");
    });

    test("say of one that was closed before its issue was written how it was answered", async () => {
      const verdict = { kind: "dismiss" as const, by: "somebody", because: "a typo" };
      const all = await drawnOf({ state: "closed", closed: at, verdict });
      expect(words("triggers.html", all)).toContain(
        "against the report a [1] no longer supports “It flies” dismissed on 2026-05-17",
      );
      expect(words("triggers.html", all)).not.toContain("not written yet");
    });

    test("lead to the match of a trigger that config has no more", async () => {
      const all = await drawnOf({ state: "open", issue: 12 }, "renamed");
      expect(words("index.html", all)).toMatch(/To decide renamed against the report .*Asked in #12/);
      expect(words("triggers.html", all)).toContain(
        "renamed No longer among the triggers of the report. Events and answers",
      );
      expect(deadLinks(all)).toEqual([]);
    });
  });

  test("without ratings show their claims", async () => {
    const config = configOf(
      "report: { title: Bare, audited: 2026-05-16 }\nsources: { a: { page: https://example.org/a } }\n",
    );
    expect(words("index.html", pages(await editionWith(config, { watches: [watch] }, now)))).toContain(
      "This report has no ratings; its claims are watched.",
    );
  });

  test("that nobody checks any more say that the monitor has stopped", () => {
    const late = { ...edition, at: edition.staleAfter + 86_400_000 };
    const isHidden = (all: ReadonlyMap<string, string>) =>
      [...all].filter(([path]) => path.endsWith(".html")).map(([, text]) => /id="stopped" hidden/.test(text));
    expect(new Set(isHidden(made))).toEqual(new Set([true]));
    expect(new Set(isHidden(pages(late)))).toEqual(new Set([false]));
    expect(words("index.html", pages(late))).toContain("The monitor has stopped. What is shown here is 2 days old");
  });

  test("of 500 ratings are drawn whole", async () => {
    const rows = Array.from({ length: 100 }, (_, row) => Array.from({ length: 5 }, (_, i) => `  r${row}/c${i}: Low`));
    const config = configOf(
      `report: { title: Big, audited: 2026-05-16 }\nlevels: [Low, High]\naxes: [row, column]\nratings:\n${rows.flat().join("\n")}\n`,
    );
    const all = pages(await editionWith(config, {}, now));
    expect(
      elementsOf(page("index.html", all)).filter(({ attributes }) => attributes.class?.startsWith("cell")),
    ).toHaveLength(500);
  });
});

/** Elements that reach beyond their chart: their places are percentages of it. */
function outsideCharts(elements: readonly Element[]): string[] {
  return elements.flatMap(({ name, attributes: { x = "", width = "0%" } }) => {
    if (!x.endsWith("%")) return [];
    const place = Number.parseFloat(x);
    const end = place + (width.endsWith("%") ? Number.parseFloat(width) : 0);
    return place >= 0 && end <= 100.1 ? [] : [`${name} at ${x}`];
  });
}

/** All that a page may be made of. */
const allowed = new Set(
  `html head meta title link script body a header nav ul li main p span strong em section h1 h2 h3 div ol article dl dt dd
  table caption thead tbody tr th td fieldset legend label input details summary time blockquote cite q ins del footer svg path g text tspan line rect circle`.split(
    /\s+/,
  ),
);
const attributesAllowed =
  /^(aria-(label|labelledby|hidden|current)|class|id|role|tabindex|lang|href|rel|type|title|content|name|charset|http-equiv|datetime|scope|src|defer|hidden|property|data-(written|stale|age|last-check|number|column)|checked|placeholder|viewbox|viewBox|preserveaspectratio|preserveAspectRatio|d|x|y|x1|x2|y1|y2|dx|dy|r|cx|cy|width|height|transform|fill|stroke|stroke-(width|opacity|dasharray|linejoin|linecap|miterlimit)|font-(size|family|variant|weight)|text-anchor|paint-order|fill-opacity|colspan)$/;

function oddities(path: string, elements: readonly Element[]): string[] {
  const scripts = elements.filter(({ name }) => name === "script");
  const odd = elements.flatMap(({ name, attributes }) => [
    ...(allowed.has(name) ? [] : [`${path}: <${name}>`]),
    ...Object.keys(attributes).flatMap((key) => (attributesAllowed.test(key) ? [] : [`${path}: <${name} ${key}>`])),
    ...Object.entries(attributes).flatMap(([key, value]) =>
      (key === "href" || key === "src") && !/^(https?:\/\/|data:image\/svg\+xml,%3Csvg|[\w.#%/~!'()*-]*$)/.test(value)
        ? [`${path}: <${name} ${key}="${value}">`]
        : [],
    ),
  ]);
  const isOurs = scripts.length === 1 && /^(\.\.\/)?recheck\.js$/.test(scripts[0]?.attributes.src ?? "");
  return isOurs ? odd : [...odd, `${path}: ${scripts.length} scripts`];
}

describe("any store", () => {
  test("HTML injection: no element, attribute or address comes from a text", async () => {
    await fc.assert(
      fc.asyncProperty(anyEdition, async ({ config, remembered, at }) => {
        const all = [...pages(await editionWith(config, remembered, at))].filter(([path]) => path.endsWith(".html"));
        expect(all.flatMap(([path, text]) => oddities(path, elementsOf(text)))).toEqual([]);
        for (const [, text] of all) expect(text).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
      }),
      { numRuns: runs(60) },
    );
  });

  test("charts: every mark and every label lies within its chart, whenever its event was", async () => {
    await fc.assert(
      fc.asyncProperty(anyEdition, async ({ config, remembered, at }) => {
        const all = pages(await editionWith(config, remembered, at));
        expect(outsideCharts(elementsOf(page("index.html", all)))).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
    expect(outsideCharts(elementsOf(page("index.html")))).toEqual([]);
  });

  test("of the story, too", () => {
    const all = [...made].filter(([path]) => path.endsWith(".html"));
    expect(all.flatMap(([path, text]) => oddities(path, elementsOf(text)))).toEqual([]);
  });
});
