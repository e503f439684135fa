import { describe, expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { configOf } from "../support/config-of.ts";
import { openWorld } from "../support/world-of.ts";

const hour = 3_600_000;
const start = Date.UTC(2026, 5, 1, 8);
const url = "https://example.org/mill";
const config = configOf(
  `
report: { title: Report, audited: 2026-05-16 }
ratings: { speed: high }
sources:
  mill: { page: "${url}" }
`,
  { speed: "name: Speed\nratings: [speed]\non: [{ change: mill }]\n" },
);

const english = [
  "The mill grinds wheat and rye into flour, and it stands where the river is at its fastest.",
  "A wheel of oak turns the stones, and the miller lifts the gate when the farmers come with their grain.",
  "In the winter the river freezes, and then nobody in the village has any fresh bread for weeks.",
  "Every stone is dressed twice a year, because a smooth stone would crush the grain and heat the flour.",
];
const german = [
  "Die Mühle mahlt Weizen und Roggen zu Mehl, und sie steht dort, wo der Fluss am schnellsten ist.",
  "Ein Rad aus Eiche dreht die Steine, und der Müller hebt das Wehr, wenn die Bauern mit dem Korn kommen.",
  "Im Winter friert der Fluss zu, und dann hat im Dorf wochenlang niemand mehr frisches Brot.",
  "Jeder Stein wird zweimal im Jahr geschärft, weil ein glatter Stein das Korn zerdrückt und das Mehl erhitzt.",
];
const menu = ["Home", "Guides", "Wheels", "Stones", "Gates", "Prices", "News", "Contact", "About us", "Imprint"];
const menuInGerman = ["Start", "Hilfe", "Räder", "Steine", "Wehre", "Preise", "Neues", "Kontakt", "Wir", "Impressum"];

interface Page {
  readonly texts: readonly string[];
  readonly menu?: readonly string[];
  readonly lang?: string;
  readonly main?: string;
}

function pageOf({ texts, menu: around = menu, lang = "en", main = "main" }: Page): string {
  const links = around.map((name) => `<li><a href="/x">${name}</a></li>`).join("");
  const content = texts.map((text) => `<p>${text}</p>`).join("");
  const body = `<nav><ul>${links}</ul></nav><${main}><h1>Mill</h1>${content}</${main.split(" ")[0]}>`;
  return `<!doctype html><html lang="${lang}"><head><title>Mill</title></head><body>${body}</body></html>`;
}

/** The changes that fire, with the hours after which they do; the page changes by these hours. */
async function firedWith(pages: Readonly<Record<number, string>>, until: number): Promise<[number, Change][]> {
  const web = new Map<string, string>();
  const world = await openWorld(config, web);
  const fired: [number, Change][] = [];
  for (let hours = 0; hours <= until; hours++) {
    const page = pages[hours];
    if (page !== undefined) web.set(url, page);
    const { firings } = await world.scanAt(start + hours * hour);
    for (const { evidence } of firings)
      fired.push(...evidence.map(({ change }) => [hours, change] as [number, Change]));
  }
  await world.close();
  return fired;
}

const inEnglish = pageOf({ texts: english });
const translated = pageOf({ texts: german });
const inGerman = pageOf({ texts: german, menu: menuInGerman, lang: "de" });
const turnedInto = (now: string) => expect.objectContaining({ kind: "turned", now });

describe("a page that its makers translated", () => {
  test("between its old menus is reported by the second check, once", async () => {
    const fired = await firedWith({ 0: inEnglish, 30: translated }, 30 + 240);
    expect(fired).toEqual([[expect.any(Number), turnedInto("in German")]]);
    expect(fired[0]?.[0]).toBeLessThan(30 + 24 + 12);
  });

  test("is held for three days if it flipped before", async () => {
    const fired = await firedWith({ 0: inEnglish, 30: translated, 46: inEnglish, 130: translated }, 130 + 240);
    expect(fired).toEqual([[expect.any(Number), turnedInto("in German")]]);
    expect(fired[0]?.[0]).toBeGreaterThanOrEqual(130 + 72);
  });

  test("and that is as it was within three days is reported twice at most, the second time late", async () => {
    const fired = await firedWith({ 0: inEnglish, 30: translated, 60: inEnglish, 64: translated, 84: inEnglish }, 300);
    expect(fired.map(([, change]) => change)).toEqual([turnedInto("in German"), turnedInto("in English")]);
    expect(fired[1]?.[0]).toBeGreaterThanOrEqual(84 + 72);
  });

  test("is held for three days if its menus and its language are others too: a server may choose by visitor", async () => {
    const fired = await firedWith({ 0: inEnglish, 30: inGerman }, 30 + 240);
    expect(fired).toEqual([[expect.any(Number), turnedInto("in German")]]);
    expect(fired[0]?.[0]).toBeGreaterThanOrEqual(30 + 72);
  });

  test("for some hours is not reported at all", async () => {
    expect(await firedWith({ 0: inEnglish, 30: translated, 46: inEnglish }, 30 + 240)).toEqual([]);
  });
});

describe("a page with a new layout", () => {
  const rewritten = pageOf({
    texts: english.map((text) => `${text.split(" ").reverse().join(" ")} Truly.`),
    main: "div id=content",
  });

  test("under its old title is reported by the second check, once, and not as another page", async () => {
    const fired = await firedWith({ 0: inEnglish, 30: rewritten }, 30 + 240);
    expect(fired).toEqual([[expect.any(Number), turnedInto("a rewritten page")]]);
    expect(fired[0]?.[0]).toBeLessThan(30 + 24 + 12);
  });

  test("that shows only a question is held for three days, and is no news if the text is back", async () => {
    const wall = pageOf({ texts: ["Which mill is yours? A letter confirms it."], main: "div id=content" });
    const whole = pageOf({ texts: [...english, ...english.map((text) => `They say: ${text}`)] });
    expect(await firedWith({ 0: whole, 30: wall, 90: whole }, 240)).toEqual([]);
    const fired = await firedWith({ 0: whole, 30: wall }, 240);
    expect(fired).toEqual([[expect.any(Number), turnedInto("a rewritten page")]]);
    expect(fired[0]?.[0]).toBeGreaterThanOrEqual(30 + 72);
  });

  test("has its next change reported as soon as ever: it did not go back", async () => {
    const edited = rewritten.replace("</p>", "</p><p>The mill is closed on Sundays in June.</p>");
    const fired = await firedWith({ 0: inEnglish, 30: rewritten, 100: edited, 119: rewritten }, 240);
    const changes = fired.map(([, change]) => JSON.stringify(change));
    expect(changes).toEqual([expect.any(String), expect.stringContaining("closed on Sundays")]);
  });
});

describe("a page that is mostly missing", () => {
  const long = Array.from({ length: 12 }, (_, i) => `${english[i % 4]} That is the rule of mill number ${i}.`);
  const whole = pageOf({ texts: [...long, "The end of the tale is always the same."] });
  const short = pageOf({ texts: ["The end of the tale is always the same."] });

  test("is reported by the second check if its menus and its end are there: its makers cut it", async () => {
    const fired = await firedWith({ 0: whole, 30: short }, 30 + 240);
    expect(fired.length).toBeGreaterThan(0);
    expect(new Set(fired.map(([hours]) => hours)).size).toBe(1);
    expect(fired.every(([hours, { kind }]) => hours < 30 + 36 && kind === "block")).toBe(true);
  });

  test("is held if its end is missing", async () => {
    const cut = pageOf({ texts: long.slice(0, 3) });
    expect(await firedWith({ 0: whole, 30: cut, 90: whole }, 30 + 240)).toEqual([]);
  });
});

test("a new text is reported by the second check on a page if another text goes back and forth", async () => {
  const [first = "", ...rest] = english;
  const opensIn = (month: string, text = first) => pageOf({ texts: [text, ...rest, `The lock opens in ${month}.`] });
  const months = ["May", "June", "May", "June", "May", "June"];
  const pages = Object.fromEntries(months.map((month, days) => [24 * days, opensIn(month)]));
  const edited = opensIn("May", "The mill grinds nothing but oats, and it stands where the river is at its widest.");
  const fired = await firedWith({ ...pages, 144: edited }, 144 + 96);
  const [hours, change] = fired.at(-1) ?? [];
  expect(change).toMatchObject({ kind: "block", before: { text: first } });
  expect(hours).toBeLessThanOrEqual(144 + 24 + 7);
});
