import fc from "fast-check";
import type { XmlElement } from "libxml2-wasm";
import { describe, expect, test } from "vitest";
import { badges } from "../../src/publish/badge.ts";
import { renderSheets } from "../../src/publish/edition.ts";
import { configOf } from "../support/config-of.ts";
import { runs } from "../support/runs.ts";
import { watchOf } from "../support/watch-of.ts";
import { anyEdition, editionWith, type Remembered } from "./edition-of.ts";
import { withXml } from "./xml.ts";

const at = (when: string) => Date.parse(when);
const now = at("2026-11-20T08:00:00Z");
const hour = 3_600_000;

const config = configOf(
  `
report: { title: A report, audited: 2026-11-01 }
levels: [Low, High]
axes: [platform, area]
names: { tpu: Google TPU, maturity: Maturity }
ratings: { tpu/maturity: Low, cuda/maturity: High }
sources:
  blog: { feed: https://blog.example.org/feed, every: 3h }
`,
  { tpu: "name: TPU\nratings: [tpu/maturity]\non: [{ item: blog }]\n" },
);

const watch = watchOf("blog", { next: now, firstSeen: at("2026-11-01"), lastSeen: now - hour, lastCheck: now - hour });
const firing = {
  ...{ id: 1, trigger: "tpu", event: { key: "post" }, seen: now - hour, fired: now - hour },
  weight: "contrary" as const,
  evidence: [
    {
      ...{ source: "blog", seen: now - hour, part: "on" as const },
      change: { kind: "item-added" as const, item: { id: "1", title: "A post" } },
    },
  ],
};

/** What it says to those who see it, and to those who hear it. */
function read(svg: string): { title: string; label: string; elements: string[]; texts: string[] } {
  return withXml(svg, ({ root }) => {
    const all = root.find("//*") as XmlElement[];
    const named = (name: string) => all.filter((element) => element.name === name).map(({ content }) => content);
    return {
      title: named("title")[0] ?? "",
      label: root.attr("aria-label")?.content ?? "",
      elements: [...new Set(all.map(({ name }) => name))],
      texts: [...new Set(named("text"))],
    };
  });
}

async function told(remembered: Partial<Remembered>, path = "badge.svg", when = now) {
  return read(badges(await editionWith(config, remembered, when)).get(path)?.() ?? "");
}

describe("badges", () => {
  test("say how many ratings are up to date, the most pressing state, and when sources were last checked", async () => {
    const fresh = await told({ watches: [watch] });
    expect(fresh.texts).toEqual(["evidence", "2 of 2 up to date · 2026-11-20"]);
    expect(fresh.title).toBe("evidence: 2 of 2 up to date · 2026-11-20");
    expect(fresh.label).toBe(fresh.title);
    const doubt = await told({ watches: [watch], firings: [firing] });
    expect(doubt.title).toBe("evidence: 1 of 2 up to date, 1 outdated · 2026-11-20");
  });

  test("say of a rating its level and its state", async () => {
    const remembered = { watches: [watch], firings: [firing] };
    const [tpu, cuda] = [
      await told(remembered, "ratings/tpu--maturity.svg"),
      await told(remembered, "ratings/cuda--maturity.svg"),
    ];
    expect(tpu.title).toBe("Google TPU · Maturity: Low, outdated · 2026-11-20");
    expect(cuda.title).toBe("cuda · Maturity: High, up to date · 2026-11-20");
  });

  // Checks every 3 h: twice that is less than a day.
  test.each([
    [23 * hour, "evidence: 2 of 2 up to date · 2026-11-20"],
    [24 * hour, "evidence: stopped · last check 2026-11-20"],
  ])("say that the monitor has stopped when nobody looked for a day: %i ms", async (passed, title) => {
    const lastCheck = now - hour;
    expect((await told({ watches: [watch] }, "badge.svg", lastCheck + passed)).title).toBe(title);
    const rating = await told({ watches: [watch] }, "ratings/tpu--maturity.svg", lastCheck + passed);
    expect(rating.title.includes("stopped")).toBe(title.includes("stopped"));
  });

  test("say so if twice the cadence is longer than a day", async () => {
    const slow = configOf(`
report: { title: A report, audited: 2026-11-01 }
sources:
  blog: { feed: https://blog.example.org/feed, every: 2d }
`);
    const titles = [];
    for (const passed of [95 * hour, 96 * hour]) {
      const edition = await editionWith(slow, { watches: [watch] }, now - hour + passed);
      titles.push(read(badges(edition).get("badge.svg")?.() ?? "").title);
    }
    expect(titles).toEqual(["evidence: 1 of 1 sources seen · 2026-11-20", "evidence: stopped · last check 2026-11-20"]);
  });

  test("say before the first check that there was none", async () => {
    expect((await told({})).title).toBe("evidence: not checked yet · 2026-11-20");
  });

  test("are XML and hold nothing alive, for any store", async () => {
    const shapes = ["linearGradient", "stop", "clipPath", "filter", "feGaussianBlur", "rect", "g"];
    const shown = ["svg", "title", "text", ...shapes];
    await fc.assert(
      fc.asyncProperty(anyEdition, async ({ config, remembered, at }) => {
        for (const svg of renderSheets(badges(await editionWith(config, remembered, at))).values()) {
          const { elements, label, title } = read(svg);
          expect(shown).toEqual(expect.arrayContaining(elements));
          expect(label).toBe(title);
          expect(title).toMatch(/\d{4}-\d{2}-\d{2}$/);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
