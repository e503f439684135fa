import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minified } from "../../scripts/minified.ts";
import { readerState, stateSigns } from "../../src/model/states.ts";
import { type StatusFile, statusFile } from "../../src/model/status-file.ts";
import { statusJson } from "../../src/publish/json.ts";
import { marginScript } from "../../src/publish/margin-script.ts";
import { editionWith } from "../publish/edition-of.ts";
import { openChromium } from "../support/chromium.ts";
import { configOf } from "../support/config-of.ts";
import { expectTime } from "../support/expect-time.ts";
import { type Layout, layouts, pageOf } from "./layouts.ts";

/** `recheck-margin.js` in a real browser, on pages written for it. */

const root = join(import.meta.dirname, "..", "..");
const files = new Map<string, { body: string; type: string; status?: number }>();
let server: Server;
let browser: Browser;
let base = "";
/** The same machine under another name: another origin. */
let elsewhere = "";
let status: StatusFile;
let all: Layout[];
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { body, type, status = 200 } = files.get(request.url ?? "") ?? { body: "", type: "text/plain", status: 404 };
    response.writeHead(status, { "content-type": type, "access-control-allow-origin": "*" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  elsewhere = `http://localhost:${port}`;
  files.set("/recheck-margin.js", { body: marginScript, type: "text/javascript" });
  status = await shippedStatus();
  all = layouts(status.ratings, status.references);
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** How the shipped report might stand: every state at least once, and true for another day. */
async function shippedStatus(): Promise<StatusFile> {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const triggers = readdirSync(join(root, "triggers")).map((name) => [
    name.replace(".yaml", ""),
    read(`triggers/${name}`),
  ]);
  const config = configOf(read("sources.yaml"), Object.fromEntries(triggers));
  const made = statusJson(await editionWith(config, {}, Date.now()));
  const levels = ["in doubt", "blind", "to review", "due", "fresh"] as const;
  const reasons = ["fresh", "to review", "in doubt", "unseen", "unwatched"] as const;
  const staleAfter = new Date(Date.now() + 86_400_000).toISOString();
  return statusFile.parse({
    ...made,
    staleAfter,
    lastCheck: "2026-09-21T06:00:00Z",
    ratings: made.ratings.map((rating, i) => ({
      ...rating,
      state: readerState(levels[i % levels.length] ?? "fresh"),
      reason: levels[i % levels.length],
      at: "2026-09-21T06:00:00Z",
      because: ["TPU PyTorch/XLA and TorchTPU roadmap"],
      recheck: "https://github.com/tester/report/issues/7",
    })),
    references: made.references.map((reference, i) => ({
      ...reference,
      state: readerState(reasons[i % reasons.length] ?? "fresh"),
      reason: reasons[i % reasons.length],
      ...(i % reasons.length > 0 && { since: "2026-09-20T06:00:00Z" }),
      says: "What it says is to be reviewed.",
    })),
  });
}

const script = (more = "") => `<script src="/recheck-margin.js" ${more} defer></script>`;
const marks = 'document.querySelectorAll("recheck-mark")';

interface Visit {
  readonly page: Page;
  /** What the page wrote to its console, but for debugging. */
  readonly said: string[];
}

/** Opens a page, and waits until the script has done what it does. */
async function open(
  html: string,
  data: string | undefined,
  options: { width?: number; dark?: boolean; touch?: boolean; head?: Record<string, string> } = {},
): Promise<Visit> {
  files.set("/page", { body: html, type: "text/html; charset=utf-8" });
  if (data === undefined) files.delete("/status.json");
  else files.set("/status.json", { body: data, type: "application/json" });
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1000, height: 700 },
    colorScheme: options.dark ? "dark" : "light",
    ...(options.touch && { hasTouch: true }),
  });
  const said: string[] = [];
  page.on("console", (message) => message.type() !== "debug" && said.push(message.text()));
  page.on("pageerror", (error) => said.push(`${error}`));
  await page.goto(`${base}/page`);
  await page.evaluate("window.recheckMargin");
  return { page, said };
}

function layoutAt(index: number): Layout {
  const layout = all[index];
  if (!layout) throw new Error("no such layout");
  return layout;
}

/** What the page has taken of a processor so far, in milliseconds, however busy the machine is. */
async function processorTimeOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const found = metrics.find(({ name }) => name === "ProcessTime")?.value;
  expect(found).toBeGreaterThan(0);
  return 1_000 * (found ?? 0);
}

/** Where every element of the page's own stands. */
async function boxes(page: Page): Promise<Box[]> {
  return await page.evaluate(`[...document.querySelectorAll("main *:not(recheck-mark)")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { of: one.tagName, sides: [x, y, width, height] };
  })`);
}

interface Box {
  readonly of: string;
  readonly sides: readonly number[];
}

/** Nothing has moved: a text that is set in two pieces may be a sixty-fourth of a pixel longer, by the machine's fonts. */
function expectSamePlaces(now: readonly Box[], before: readonly Box[]): void {
  expect(now.map(({ of }) => of)).toEqual(before.map(({ of }) => of));
  const moved = before.filter(({ sides }, i) =>
    sides.some((side, k) => Math.abs(side - (now[i]?.sides[k] ?? 0)) > 0.1),
  );
  expect(moved).toEqual([]);
}

interface Card {
  readonly shown: boolean;
  readonly text: string;
  readonly links: readonly string[];
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The card, wherever it is open. */
async function card(page: Page): Promise<Card> {
  return await page.evaluate(`(() => {
    const all = [...${marks}].flatMap((mark) => [...mark.shadowRoot.querySelectorAll("div")]);
    if (all.length > 1) throw new Error("more than one card");
    const [card] = all;
    if (!card) return { shown: false, text: "", links: [], box: {} };
    const { x, y, width, height } = card.getBoundingClientRect();
    const links = [...card.querySelectorAll("a")].map(({ href }) => href);
    return { shown: card.matches(":popover-open"), text: card.textContent, links, box: { x, y, width, height } };
  })()`);
}

/** The text of what has the focus. */
async function focused(page: Page): Promise<string> {
  return await page.evaluate(
    "(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent",
  );
}

/** What axe-core finds wrong. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target).join(' ')))",
  );
}

/** What stands where: `tpu/maturity: Google TPU, Maturity: outdated since 2026-09-21 ✗`. */
async function marked(page: Page): Promise<string[]> {
  return await page.evaluate(`[...${marks}].filter((mark) => !mark.hasAttribute("inline")).map((mark) => {
    const place = mark.closest("[data-rating],[data-reference]");
    const { ariaLabel, textContent } = mark.shadowRoot.querySelector("button");
    return (place ? place.dataset.rating ?? place.dataset.reference : "nowhere") + ": " + ariaLabel + " " + textContent;
  }).sort()`);
}

const ratingMarks = () =>
  status.ratings.map(({ id, names, state, reason }) => {
    const since = reason === "fresh" ? " until" : reason === "due" ? ", due since" : " since";
    return `${id}: ${names.join(", ")}: ${state}${since} 2026-09-21 ${stateSigns[state]}`;
  });
const referenceMarks = (which: StatusFile["references"]) =>
  which.map(({ number, state, since }) => {
    const when = since ? " since 2026-09-20" : "";
    return `${number}: Reference ${number}: ${state}${when} ${stateSigns[state]}`;
  });

describe("the script", () => {
  test("is made from its source, in at most 6,400 bytes: else `npm run margin`", () => {
    expect(marginScript).toBe(minified());
    expect(Buffer.byteLength(marginScript)).toBeLessThanOrEqual(6_400);
  });

  test("says beside each rating and reference that nobody checks any more, and nothing that was true before", async () => {
    const old = { ...status, staleAfter: "2026-09-22T06:00:00Z" };
    const { page, said } = await open(pageOf(layoutAt(0), script()), JSON.stringify(old));
    const labels = await page.evaluate<string[]>(
      `[...${marks}].map((one) => one.shadowRoot.querySelector("button").textContent + " " + one.shadowRoot.querySelector("button").ariaLabel)`,
    );
    expect(labels.length).toBeGreaterThan(20);
    for (const label of labels) expect(label).toMatch(/^○ .+: not checkable since 2026-09-21$/);
    await page.evaluate(`${marks}[0].shadowRoot.querySelector("button").focus()`);
    const card = await page.evaluate<string>(`${marks}[0].shadowRoot.querySelector("div").textContent`);
    expect(card).toMatch(/: not checkable since 2026-09-21\nRecheck has stopped\nas of 2026-09-21recheckDetails$/);
    expect(said).toEqual([]);
    await page.close();
  });

  test("has the 20 ratings and 64 references of the shipped report to mark", () => {
    expect([status.ratings.length, status.references.length]).toEqual([20, 64]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6])("marks every place once, and moves nothing: layout %i", async (index) => {
    const layout = layoutAt(index);
    const plain = await open(pageOf(layout, ""), undefined);
    const before = await boxes(plain.page);
    await plain.page.close();
    const { page, said } = await open(pageOf(layout, script()), JSON.stringify(status));
    const withMatrix = layout.matrix.includes("data-rating");
    const shown = ({ number }: { number: number }) => layout.references.includes(`data-reference="${number}"`);
    const expected = [...(withMatrix ? ratingMarks() : []), ...referenceMarks(status.references.filter(shown))].sort();
    expect({ layout: layout.name, marks: await marked(page) }).toEqual({ layout: layout.name, marks: expected });
    expectSamePlaces(await boxes(page), before);
    expect(said).toEqual([]);
    await page.close();
  });

  test("marks once if it is included twice, from another origin, under a strict policy", async () => {
    const policy = `<meta http-equiv="content-security-policy" content="default-src 'self'; connect-src ${elsewhere}; style-src 'none'">`;
    const twice = script(`data-status="${elsewhere}/status.json"`).repeat(2);
    const { page, said } = await open(
      pageOf(layoutAt(0), policy + twice).replace(/<style>.*<\/style>/, ""),
      JSON.stringify(status),
    );
    expect(await marked(page)).toHaveLength(84);
    await page.focus("recheck-mark >> nth=0 >> button");
    expect(await card(page)).toMatchObject({ shown: true });
    expect(said).toEqual([]);
    await page.close();
  });

  test("keeps nobody waiting if the table has 3,000 rows: it marks the references alone", async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => i + 1);
    const rows = many.map((i) => `<tr><th>Model ${i}</th><td>Medium</td><td>and so on</td></tr>`).join("\n");
    const matrix = `<table><tr><th>Model</th><th>Maturity</th><th></th></tr>${rows}</table>`;
    const ratings = many.map((i) => ({ ...status.ratings[0], id: `r${i}`, names: [`Model ${i}`, "Maturity"] }));
    const { page } = await open(pageOf({ ...layoutAt(0), matrix }, script()), JSON.stringify({ ...status, ratings }));
    expect(await marked(page)).toEqual(referenceMarks(status.references).sort());
    expectTime(await processorTimeOf(page), 15_000);
    await page.close();
  });

  test("is quick if a cell says that it spans millions, and marks the cells beside it", async () => {
    const { matrix, ...rest } = layoutAt(0);
    const filled = "<tr><td>y</td></tr>".repeat(50);
    const wide = `<table><tr><td colspan="1000" rowspan="60000">x</td></tr>${filled}</table>`;
    const { page } = await open(pageOf({ ...rest, matrix: wide + matrix }, script()), JSON.stringify(status));
    expect(await marked(page)).toHaveLength(84);
    expectTime(await processorTimeOf(page), 10_000);
    await page.close();
  });

  test("marks citations in the running text that are not fresh, if it moves nothing, and nothing that only looks like one", async () => {
    const of = (state: string) => {
      const one = status.references.find((reference) => reference.state === state && reference.url !== undefined);
      if (!one) throw new Error(`no reference is ${state}`);
      return one;
    };
    const [doubt, review, fresh] = [of("outdated"), of("changed"), of("up to date")];
    const shared = (url?: string) => status.references.filter((one) => one.url === url).length > 1;
    const own = status.references.find(({ url, state }) => url && !shared(url) && state !== "up to date");
    const text = `<p id="running">By link <a href="#ref-${doubt.number}">Smith</a>, in brackets [${doubt.number}, ${review.number}], raised.<sup>${review.number}</sup>
      Linked and raised<sup><a href="#ref-${review.number}">[${review.number}]</a></sup>, and <a href="${own?.url?.replaceAll("&", "&amp;")}">by its page</a>.
      Fresh [${fresh.number}], unknown [999], a power x<sup>${doubt.number}</sup>, <code>list[${doubt.number}]</code>, a range of [${doubt.number}–${review.number}].</p>`;
    const references = `<h2>References</h2>${status.references.map((one) => `<p id="ref-${one.number}" data-reference="${one.number}">[${one.number}] ${one.title ?? "A paper"}</p>`).join("")}`;
    const layout = { name: "running text", matrix: text, references };
    const plain = await open(pageOf(layout, ""), undefined);
    const before = await boxes(plain.page);
    await plain.page.close();
    const { page, said } = await open(pageOf(layout, script()), JSON.stringify(status));
    // What stands before each mark, and which reference it tells of.
    const found = await page.evaluate<string[]>(`[...document.querySelectorAll("#running recheck-mark")].map((mark) => {
      const { ariaLabel } = mark.shadowRoot.querySelector("button");
      return mark.previousSibling.textContent.match(/[\\p{L}\\d]+\\]?$/u)?.[0] + ": " + ariaLabel.split(":")[0];
    })`);
    expect(found).toEqual([
      `Smith: Reference ${doubt.number}`,
      `${doubt.number}: Reference ${doubt.number}`,
      `${review.number}: Reference ${review.number}`,
      `${review.number}: Reference ${review.number}`,
      `${review.number}]: Reference ${review.number}`,
      `page: Reference ${own?.number}`,
      `${doubt.number}: Reference ${doubt.number}`,
      `${review.number}: Reference ${review.number}`,
    ]);
    expectSamePlaces(await boxes(page), before);
    expect(await marked(page)).toEqual(referenceMarks(status.references).sort());
    expect(said).toEqual([]);
    await page.close();
  });

  test("marks all of a range: its ends at their numbers, the numbers between by one sign at the dash", async () => {
    const states = ["changed", "up to date", "changed", "outdated", "up to date", "changed"] as const;
    const sign = (state: keyof typeof stateSigns) => stateSigns[state];
    const references = states.map((state, i) => ({ ...status.references[0], number: i + 1, state }));
    const entries = references.map(({ number }) => `<p id="ref-${number}">[${number}] A paper</p>`).join("");
    const text = `<p id="running">Much [1–6], little [2-5], one [3 – 5, 6], none [5–6] or [6–1].</p><h2>References</h2>`;
    const { page } = await open(
      pageOf({ name: "", matrix: text, references: entries }, script()),
      JSON.stringify({ ...status, ratings: [], references }),
    );
    const found = await page.evaluate<
      string[][]
    >(`[...document.querySelectorAll("#running recheck-mark")].map((mark) => {
      const { ariaLabel, textContent } = mark.shadowRoot.querySelector("button");
      return [mark.previousSibling.textContent.match(/\\S+$/)[0], textContent, ...ariaLabel.match(/(?<=Reference )\\d/g)];
    })`);
    const [review, doubt] = [sign("changed"), sign("outdated")];
    expect(found).toEqual([
      ["[1", review, "1"],
      ["–", doubt, "4", "3"],
      ["6", review, "6"],
      ["[2-", doubt, "4", "3"],
      ["[3", review, "3"],
      ["–", doubt, "4"],
      ["6", review, "6"],
      ["[5–6", review, "6"],
      ["[6", review, "6"],
      ["–1", review, "1"],
    ]);
    await page.focus("#running recheck-mark >> nth=1 >> button");
    expect(
      await page.evaluate(
        "document.querySelectorAll('#running recheck-mark')[1].shadowRoot.querySelectorAll('a').length",
      ),
    ).toBe(2);
    await page.close();
  });

  test("is above its number, which stays readable", async () => {
    const entries = status.references.map(({ number }) => `<p id="ref-${number}">[${number}] A paper</p>`).join("");
    const cited = status.references.find(({ state }) => state === "outdated")?.number;
    const matrix = `<p id="running">A line above it.<br>As is said [${cited}].</p><h2>References</h2>`;
    const { page } = await open(pageOf({ name: "", matrix, references: entries }, script()), JSON.stringify(status));
    const [number, sign] = await page.evaluate<{ top: number; bottom: number }[]>(`(() => {
      const mark = document.querySelector("#running recheck-mark");
      const written = document.createRange();
      written.selectNodeContents(mark.previousSibling);
      const inked = document.createRange();
      inked.selectNodeContents(mark.shadowRoot.querySelector("button"));
      return [[...written.getClientRects()].at(-1), inked.getBoundingClientRect()].map(({ top, bottom }) => ({ top, bottom }));
    })()`);
    // A digit fills the upper half of its line, below that place.
    expect(sign?.bottom).toBeLessThan((number?.top ?? 0) + 0.4 * ((number?.bottom ?? 0) - (number?.top ?? 0)));
    await page.close();
  });

  test("leaves numbers in brackets alone if the page has no entry that they could mean", async () => {
    const layout = { name: "", matrix: "<p>Element [1] of [2, 3].</p>", references: "" };
    const { page } = await open(pageOf(layout, script()), JSON.stringify(status));
    expect(await page.evaluate(`${marks}.length`)).toBe(0);
    await page.close();
  });

  test("takes no list that counts backwards for one that counts up", async () => {
    const references = `<h2>References</h2><ol reversed>${"<li>A paper</li>".repeat(64)}</ol>`;
    const { page } = await open(pageOf({ ...layoutAt(0), references }, script()), JSON.stringify(status));
    expect(await marked(page)).toEqual(ratingMarks().sort());
    await page.close();
  });

  test("is nothing on paper", async () => {
    const { page } = await open(pageOf(layoutAt(0), script()), JSON.stringify(status));
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(`[...${marks}].filter((mark) => mark.getClientRects().length > 0).length`)).toBe(0);
    await page.close();
  });
});

describe("a status.json that cannot be relied on leaves the page as it was", () => {
  const past = "2026-01-01T00:00:00Z";
  const [rating] = [
    {
      id: "a",
      names: ["Google TPU", "Maturity"],
      level: "Medium",
      state: "up to date",
      reason: "fresh",
      at: past,
      because: [],
    },
  ];
  const withRating = (change: object) => ({ ...status, ratings: [{ ...rating, ...change }] });
  const withReference = (change: object) => ({
    ...status,
    references: [{ number: 1, state: "up to date", sources: [], ...change }],
  });
  const bad: readonly (readonly [string, () => string | undefined])[] = [
    ["none", () => undefined],
    ["an empty one", () => ""],
    ["HTML", () => "<!doctype html><title>Not found</title>"],
    ["half of one", () => JSON.stringify(status).slice(0, 9_000)],
    ["one of 5 MB", () => JSON.stringify({ ...status, program: "x".repeat(5_000_000) })],
    ["null", () => "null"],
    ["a list", () => "[]"],
    ["deeper than a well", () => `${'{"format":2,"ratings":'.repeat(3_000)}1${"}".repeat(3_000)}`],
    ["one without end", () => JSON.stringify({ ...status, staleAfter: undefined })],
    ["one that ends at no time", () => JSON.stringify({ ...status, staleAfter: "soon" })],
    ["a newer format", () => JSON.stringify({ ...status, format: 3 })],
    ["a format in words", () => JSON.stringify({ ...status, format: "2" })],
    ["no ratings", () => JSON.stringify({ ...status, ratings: undefined })],
    ["ratings that are one text", () => JSON.stringify({ ...status, ratings: "all" })],
    ["references under names", () => JSON.stringify({ ...status, references: { 1: {} } })],
    ["a rating that is none", () => JSON.stringify({ ...status, ratings: [null] })],
    ["a name that is a list", () => JSON.stringify(withRating({ names: [["Google TPU"], "Maturity"] }))],
    ["names in one", () => JSON.stringify(withRating({ names: "Google TPU" }))],
    ["a level that is a number", () => JSON.stringify(withRating({ level: 3 }))],
    ["a state nobody knows of a rating", () => JSON.stringify(withRating({ state: "constructor" }))],
    ["a state that is empty", () => JSON.stringify(withRating({ state: "" }))],
    ["a time that is a number", () => JSON.stringify(withRating({ at: 5 }))],
    ["reasons in one", () => JSON.stringify(withRating({ because: "it rained" }))],
    ["a recheck that is no address", () => JSON.stringify(withRating({ recheck: "http://[" }))],
    ["a state nobody knows", () => JSON.stringify(withReference({ state: "ripe" }))],
    ["a sentence that is an object", () => JSON.stringify(withReference({ says: {} }))],
  ];

  test("in every case", async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on("pageerror", (error) => said.push(`${error}`));
    const html = pageOf(layoutAt(0), script());
    files.set("/page", { body: html, type: "text/html; charset=utf-8" });
    files.set("/plain", { body: html.replace("recheck-margin.js", "missing.js"), type: "text/html; charset=utf-8" });
    await page.goto(`${base}/plain`);
    const plain = await page.evaluate<string>("document.documentElement.outerHTML");
    const changed: string[] = [];
    for (const [name, data] of bad) {
      const body = data();
      if (body === undefined) files.delete("/status.json");
      else files.set("/status.json", { body, type: "application/json" });
      await page.goto(`${base}/page`);
      await page.evaluate("window.recheckMargin");
      const after = await page.evaluate<string>("document.documentElement.outerHTML");
      if (after !== plain.replace("missing.js", "recheck-margin.js")) changed.push(name);
    }
    expect(changed).toEqual([]);
    expect(said).toEqual([]);
    // The comparison would see a mark.
    files.set("/status.json", { body: JSON.stringify(withRating({})), type: "application/json" });
    await page.goto(`${base}/page`);
    await page.evaluate("window.recheckMargin");
    expect(await page.evaluate<string>("document.documentElement.outerHTML")).toContain("<recheck-mark>");
    await page.close();
  });

  test("and hostile text stays text", async () => {
    const evil = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
    const hostile: StatusFile = {
      ...status,
      ratings: status.ratings.map((one) => ({
        ...one,
        because: [evil],
        recheck: "javascript:document.title='owned'",
        page: "data:text/html,x",
      })),
      references: status.references.map((one) => ({
        ...one,
        says: evil,
        url: "javascript:document.title='owned'",
        page: "data:text/html,x",
      })),
    };
    const { page } = await open(pageOf(layoutAt(0), script()), JSON.stringify(hostile));
    for (const place of ["[data-rating]", "[data-reference]"]) {
      await page.focus(`${place} recheck-mark >> nth=0 >> button`);
      const { text, links } = await card(page);
      expect(text).toContain(evil);
      expect(links).toEqual([]);
    }
    expect(await page.title()).toBe("State of it");
    await page.close();
  });
});

describe("a mark", () => {
  const first = "[data-rating] recheck-mark >> nth=0 >> button";
  const second = "[data-rating] recheck-mark >> nth=1 >> button";

  test("is one stop of the Tab key in each table and list, and arrows lead on within it", async () => {
    const { page } = await open(pageOf(layoutAt(0), script()), JSON.stringify(status));
    const buttons = `[...${marks}].map((one) => one.shadowRoot.querySelector("button"))`;
    const groups = await page.evaluate<number>(
      `new Set([...${marks}].map((one) => one.closest("table,ul,ol,dl"))).size`,
    );
    const stops = () => page.evaluate<number>(`${buttons}.filter(({ tabIndex }) => tabIndex === 0).length`);
    expect(await page.evaluate<number>(`${buttons}.length`)).toBeGreaterThan(80);
    expect([groups < 6, await stops()]).toEqual([true, groups]);
    const at = () => page.evaluate<number>(`[...${marks}].indexOf(document.activeElement)`);
    await page.evaluate(`${buttons}[0].focus()`);
    for (const [key, place] of [
      ["ArrowLeft", 0],
      ["ArrowRight", 1],
      ["ArrowDown", 2],
      ["ArrowUp", 1],
    ] as const) {
      await page.keyboard.press(key);
      expect(await at()).toBe(place);
    }
    expect(await stops()).toBe(groups);
    expect((await card(page)).shown).toBe(true);
    await page.close();
  });

  test("opens its card by keyboard, leads on, and closes it by Escape and by leaving", async () => {
    const { page } = await open(pageOf(layoutAt(0), script()), JSON.stringify(status));
    await page.keyboard.press("Tab");
    const opened = await card(page);
    expect(opened.text).toBe(
      "NVIDIA CUDA, Maturity: outdated since 2026-09-21\nTPU PyTorch/XLA and TorchTPU roadmap\nas of 2026-09-21recheckDetails",
    );
    expect(opened.links).toEqual([
      "https://github.com/tester/report/issues/7",
      `${base}/ratings/${status.ratings[0]?.page?.replace("ratings/", "")}`,
    ]);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("recheck");
    await page.keyboard.press("Escape");
    expect([(await card(page)).shown, await focused(page)]).toEqual([false, "✗"]);
    await page.keyboard.press("ArrowRight");
    expect([(await card(page)).text.split(":")[0], await focused(page)]).toEqual([
      status.ratings[1]?.names.join(", "),
      "○",
    ]);
    await page.evaluate("document.activeElement.blur()");
    expect((await card(page)).shown).toBe(false);
    await page.close();
  });

  test("shows a reference's text then and now, the date of the change, and leads to its entry", async () => {
    const [one] = status.references;
    const entry = one?.page ?? "";
    const references = [
      {
        ...one,
        state: "outdated",
        since: "2026-09-20T06:00:00Z",
        says: "It changed",
        before: "up to 128GB",
        after: "up to 192GB",
      },
    ];
    const { page } = await open(pageOf(layoutAt(0), script()), JSON.stringify({ ...status, references }));
    await page.focus("[data-reference='1'] recheck-mark >> button");
    const { text, links } = await card(page);
    expect(text).toBe(
      "Reference 1: outdated since 2026-09-20\nIt changed\nbefore: up to 128GB\nnow: up to 192GB\nas of 2026-09-21Open sourceDetails",
    );
    expect(entry).toBe("references.html#ref-1");
    expect(links).toContain(`${base}/${entry}`);
    await page.close();
  });

  test("has a card in the colours that the page chose, and in those that a reader forces", async () => {
    const shades = `(() => {
      const card = [...${marks}].flatMap((mark) => [...mark.shadowRoot.querySelectorAll("div")])[0];
      const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0) > 380;
      const { color, backgroundColor } = getComputedStyle(card);
      return [light(color), light(backgroundColor)];
    })()`;
    for (const [dark, style, expected] of [
      [false, "", [false, true]],
      [true, "", [true, false]],
      [true, ":root{color-scheme:light}", [false, true]],
    ] as const) {
      const { page } = await open(pageOf(layoutAt(0), script(), style), JSON.stringify(status), {
        dark,
      });
      await page.focus(first);
      expect(await page.evaluate(shades)).toEqual(expected);
      await page.emulateMedia({ forcedColors: "active" });
      const [text, paper] = await page.evaluate<boolean[]>(shades);
      expect(text).not.toBe(paper);
      await page.close();
    }
  });

  test("opens its card while the pointer is on either", async () => {
    const { page } = await open(pageOf(layoutAt(0), script()), JSON.stringify(status));
    await page.hover(first);
    const { box } = await card(page);
    await page.mouse.move(box.x + 20, box.y + box.height - 5, { steps: 10 });
    expect((await card(page)).shown).toBe(true);
    await page.mouse.move(600, 690);
    expect((await card(page)).shown).toBe(false);
    await page.hover(first);
    await page.keyboard.press("Escape");
    expect((await card(page)).shown).toBe(false);
    await page.hover(second);
    expect((await card(page)).text).toContain(status.ratings[1]?.names.join(", "));
    await page.close();
  });

  test("opens its card by a tap, within a telephone's width, at any place", async () => {
    const { page } = await open(pageOf(layoutAt(1), script()), JSON.stringify(status), { width: 375, touch: true });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
    for (const place of ["[data-reference='1']", "[data-reference='64']", "[data-rating]"]) {
      await page.tap(`${place} recheck-mark >> nth=0 >> button`);
      const { shown, box } = await card(page);
      expect({ place, shown }).toEqual({ place, shown: true });
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(375);
      expect(box.y + box.height).toBeLessThanOrEqual(700);
    }
    await page.tap("h1");
    expect((await card(page)).shown).toBe(false);
    await page.close();
  });

  test("moves along in a table that scrolls", async () => {
    const { page } = await open(pageOf(layoutAt(1), script(), "table{width:1200px}"), JSON.stringify(status), {
      width: 600,
    });
    const left = `${marks}[0].shadowRoot.querySelector("button").getBoundingClientRect().left`;
    const before = await page.evaluate<number>(left);
    await page.evaluate('document.querySelector("div").scrollLeft = 100');
    expect(await page.evaluate<number>(left)).toBe(before - 100);
    await page.close();
  });

  test.each([false, true])("is in order for those who cannot see it (dark: %s)", async (dark) => {
    const { page, said } = await open(pageOf(layoutAt(0), ""), undefined, { dark });
    const before = await violations(page);
    await page.close();
    const after = await open(pageOf(layoutAt(0), script()), JSON.stringify(status), { dark });
    await after.page.focus(first);
    expect(await violations(after.page)).toEqual(before);
    expect([...said, ...after.said]).toEqual([]);
    await after.page.close();
  });
});
