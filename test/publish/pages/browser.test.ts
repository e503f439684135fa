import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Edition } from "../../../src/publish/edition.ts";
import { publish } from "../../../src/publish/index.ts";
import { configOf } from "../../support/config-of.ts";
import { watchOf } from "../../support/watch-of.ts";
import { editionWith } from "../edition-of.ts";
import { desk, faultsOf, phone, violations, width } from "./faults.ts";
import { kites, now } from "./kites.ts";
import { marked } from "./marked.ts";
import { openSite, type Site } from "./visit.ts";

let edition: Edition;
let files: ReadonlyMap<string, string>;
let site: Site;
beforeAll(async () => {
  [edition, site] = await Promise.all([kites(), openSite()]);
  files = publish(edition);
});
afterAll(() => site?.close());

/** One page of each kind, and of each state that looks different. */
const kinds = [
  "index.html",
  "references.html",
  "sources.html",
  "triggers.html",
  "digests.html",
  "ratings/sled--lift.html",
  "sources/rugged.html",
  "sources/wall.html",
];

const lightness = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]";

describe("in the light, in the dark, on a phone", () => {
  test.each(kinds)("%s has no error, asks no other host, and axe finds nothing", async (path) => {
    const visit = await site.open(files, path, now);
    expect(await faultsOf(visit)).toEqual([]);
    const { page } = visit;
    expect(await page.evaluate(lightness)).toBeLessThan(50);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await page.evaluate(lightness)).toBeGreaterThan(200);
    await page.setViewportSize(desk);
    await page.context().close();
  });
});

test.each([desk, phone])(
  "the first screen shows the outdated ratings, the matrix and the way to the questions",
  async (viewport) => {
    const { page } = await site.open(files, "index.html", now);
    await page.setViewportSize(viewport);
    for (const one of [".worst", ".matrix tbody tr:first-child"]) {
      const { y = Infinity, height = 0 } = (await page.locator(one).boundingBox()) ?? {};
      expect(y + height).toBeLessThan(viewport.height);
    }
    expect(await page.locator(".worst").innerText()).toMatch(/outdated Sled: Lift, Drag.*\d questions? to decide/);
    await page.getByText("to decide", { exact: false }).first().click();
    expect(new URL(page.url()).hash).toBe("#asked");
    await page.context().close();
  },
);

describe("by keyboard", () => {
  test("every rating of the matrix is reached in order, and the focused element shows it", async () => {
    const { page } = await site.open(files, "index.html", now);
    const reached: { href: string | null; outline: number }[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(`(() => {
          const one = document.activeElement;
          const style = getComputedStyle(one);
          return { href: one.getAttribute("href"), outline: style.outlineStyle === "none" ? 0 : Number.parseFloat(style.outlineWidth) };
        })()`),
      );
    }
    expect(reached[0]?.href).toBe("#content");
    const cells = reached.filter(({ href }) => href?.startsWith("ratings/")).map(({ href }) => href);
    const wanted = [...edition.config.ratings.keys()].map((id) => `ratings/${id.replace("/", "--")}.html`);
    expect(cells.join(" ")).toContain(wanted.join(" "));
    expect(reached.filter(({ href, outline }) => href !== null && outline < 2)).toEqual([]);
    await page.context().close();
  });

  test("the first link leads past the navigation", async () => {
    const { page } = await site.open(files, "index.html", now);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    await page.context().close();
  });
});

describe("the script", () => {
  const stopped = "document.getElementById('stopped').checkVisibility()";

  test("says that the monitor has stopped, only if it is too late", async () => {
    const { page } = await site.open(files, "index.html", edition.staleAfter - 1);
    expect(await page.evaluate(stopped)).toBe(false);
    await page.context().close();
    const late = await site.open(files, "ratings/sled--lift.html", now + 5 * 86_400_000);
    expect(await late.page.evaluate(stopped)).toBe(true);
    expect(await late.page.evaluate("document.getElementById('stopped').textContent")).toContain("is 5 days old");
    expect(late.wrong).toEqual([]);
    await late.page.context().close();
  });

  test("is not needed to read a page", async () => {
    const { page } = await site.open(files, "index.html", now, { javaScriptEnabled: false });
    const shown = await page.locator("main").innerText();
    for (const words of ["3 of 6 ratings are outdated", "To decide", "The payload of sleds"]) {
      expect(shown).toContain(words);
    }
    await page.context().close();
  });
});

describe("a list of 1,000 references", () => {
  const shown = "[...document.querySelectorAll('.references > li')].filter((one) => one.checkVisibility()).length";

  test("is chosen from by state without a script, by words and by number with one", async () => {
    const sources = Array.from(
      { length: 1_000 },
      (_, i) => `  s${i}: { page: "https://example.org/${i}", title: Page ${i}, cites: [${i + 1}] }`,
    );
    const config = configOf(`report: { title: Long, audited: 2026-05-16 }\nsources:\n${sources.join("\n")}\n`);
    const seen = { firstSeen: now, lastCheck: now, lastSeen: now, next: now + 1 };
    const watches = [...config.sources.keys()].slice(10).map((source) => watchOf(source, seen));
    const long = publish(await editionWith(config, { watches }, now));
    const plain = await site.open(long, "references.html", now, { javaScriptEnabled: false });
    expect(await plain.page.getByLabel("10 not checkable").isVisible()).toBe(true);
    await plain.page.getByLabel("10 not checkable").check();
    expect(await plain.page.evaluate(shown)).toBe(10);
    await plain.page.context().close();
    const { page, wrong } = await site.open(long, "references.html", now);
    expect(await page.evaluate(shown)).toBe(1_000);
    await page.getByPlaceholder("Filter").fill("page [1000]");
    expect(await page.evaluate(shown)).toBe(1);
    await page.getByPlaceholder("Filter").fill("");
    const numbers = () =>
      page.evaluate<string[]>(
        "[...document.querySelectorAll('[data-number]')].slice(0, 3).map((one) => one.dataset.number)",
      );
    await page.getByLabel("by number").check();
    expect(await numbers()).toEqual(["1", "2", "3"]);
    for (const size of [desk, phone]) {
      await page.setViewportSize(size);
      expect(await page.evaluate(width)).toBeLessThanOrEqual(size.width);
    }
    // All 1,000 are built alike: a dozen stand for them, and axe need not go through the hidden ones.
    await page.getByPlaceholder("Filter").fill("[99");
    expect(await page.evaluate(shown)).toBe(11);
    await page.evaluate("document.querySelectorAll('.references > li[hidden]').forEach((one) => one.remove())");
    expect(await page.evaluate("document.querySelectorAll('.references > li').length")).toBe(11);
    expect(await faultsOf({ page, wrong })).toEqual([]);
    await page.context().close();
  });
});

describe("a matrix of eight columns, with a name that has no place to break", () => {
  const columns = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const long = "Donaudampfschifffahrtsgesellschaft";
  const config = configOf(`report: { title: Wide, audited: 2026-05-16 }
levels: [Low, High]
axes: [tool, matter]
names: { one: ${long} }
ratings: { ${columns.map((column) => `one/${column}: Low`).join(", ")} }
sources:
  page: { page: "https://example.org/", title: "${long} page", claims: { a: { says: It runs, quote: It runs, ratings: [one/a] } } }
`);
  const old = now - 30 * 86_400_000;
  const trouble = { kind: "blocked", says: "403", since: old, count: 9 };
  const watches = [watchOf("page", { trouble, firstSeen: old, lastCheck: now, lastSeen: old, next: now + 1 })];
  const outside = `[...document.querySelectorAll(".cell .mark")].filter((mark) =>
    mark.getBoundingClientRect().right > mark.closest(".cell").getBoundingClientRect().right).length`;

  test.each([desk, phone])("keeps each state in its cell, and each page as wide as the window", async (viewport) => {
    const wide = publish(await editionWith(config, { watches }, now));
    const { page } = await site.open(wide, "index.html", now, { viewport });
    expect(await page.locator(".cell .mark.not-checkable").count()).toBe(1);
    expect(await page.evaluate(outside)).toBe(0);
    await page.context().close();
    const rating = await site.open(wide, "ratings/one--a.html", now, { viewport });
    expect(await rating.page.evaluate(width)).toBeLessThanOrEqual(viewport.width);
    await rating.page.context().close();
  });
});

describe("texts of sources and of config", () => {
  const attacks = [
    `"'><img src=x onerror="window.pwned=1"><svg onload="window.pwned=1">\u202e\u0007`,
    `</a></title></script><script>window.pwned=1</script><a href="javascript:window.pwned=1">`,
    `"onfocus="window.pwned=1"autofocus="`,
  ];

  test.each(attacks)("stay texts, with %s behind each of them", async (attack) => {
    const hostile = marked(edition, attack);
    const all = publish(hostile);
    const id = [...hostile.config.ratings.keys()][3] ?? "";
    const source = [...hostile.config.sources.keys()][2] ?? "";
    const own = [...all.keys()].filter(
      (path) => path.endsWith(".html") && /^(ratings\/sled--lift|sources\/limits)/.test(path),
    );
    expect([id, source]).toEqual([expect.stringContaining("sled/lift"), expect.stringContaining("limits")]);
    expect(own).toHaveLength(2);
    for (const path of ["index.html", "sources.html", "triggers.html", ...own]) {
      const { page, wrong } = await site.open(all, path, now);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await page.evaluate("[window.pwned, document.images.length, document.scripts.length]"), path).toEqual([
        undefined,
        0,
        1,
      ]);
      expect(
        await page.evaluate(`[...document.querySelectorAll("*")].flatMap((one) => one.getAttributeNames()
          .filter((name) => name.startsWith("on") || name === "style" || name === "autofocus" || one[name]?.toString().startsWith("javascript:")))`),
        path,
      ).toEqual([]);
      expect(wrong, path).toEqual([]);
      await page.context().close();
    }
    expect(all.get("index.html")).not.toContain("\u202e");
  });
});

describe("other reports", () => {
  const list = "report: { title: List, audited: 2026-05-16 }\nratings: { fast: yes it is, small: 12 kB }\n";
  const cases: [string, () => Promise<Edition>][] = [
    ["without two axes", () => editionWith(configOf(list), {}, now)],
    ["before the first check", () => editionWith(edition.config, {}, now)],
    ["that nobody checks any more", async () => ({ ...edition, at: edition.staleAfter + 9 * 86_400_000 })],
  ];
  test.each(cases)("%s are read as well", async (_, make) => {
    const other = await make();
    const { page, wrong } = await site.open(publish(other), "index.html", other.at, {
      viewport: phone,
    });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(width)).toBeLessThanOrEqual(375);
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
