import type { Check } from "../../src/model/check.ts";
import type { Evidence, Firing } from "../../src/model/firing.ts";
import { configOf as parsed } from "./config-of.ts";
import { type Answer, openWorld } from "./world-of.ts";

/** Worlds that are told: what stands at which address from which day on, and what must come of it. */

export const hour = 3_600_000;
export const day = 24 * hour;
export const begin = Date.UTC(2026, 5, 1);

/** The changes of a day: bodies and failures by address, or another config. */
export interface News {
  readonly web?: Readonly<Record<string, Answer>>;
  readonly config?: Told;
}

/** A config without what every story shares. Pages, texts and lists are checked twice a day. */
export interface Told {
  readonly sources: string;
  readonly triggers?: Readonly<Record<string, string>>;
}

export type Days = Readonly<Record<number, News["web"] | News>>;

/** Firings as lines: day of the first sighting, trigger (`!` where contrary), what was seen. */
export async function told(start: Told, days: Days, until = 3): Promise<string[]> {
  return (await lived(start, days, until)).firings.map(lineOf).sort(byDay);
}

export interface Lived {
  readonly firings: readonly Firing[];
  readonly checks: readonly Check[];
}

/** Scans every hour, until so many days after the last news. */
export async function lived(start: Told, days: Days, until = 3): Promise<Lived> {
  const web = new Map<string, Answer>();
  const { store, scanAt, reconfigure, close } = await openWorld(configOf(start), web);
  const checks: Check[] = [];
  const dates = Object.keys(days)
    .map(Number)
    .sort((a, b) => a - b);
  const end = (dates.at(-1) ?? 0) + until;
  for (let at = 0; at <= end * 24; at++) {
    for (const date of dates) if (Math.round(date * 24) === at) happen(days[date]);
    const scan = await scanAt(begin + at * hour);
    checks.push(...scan.checks);
  }
  const firings = await store.firings();
  await close();
  return { firings, checks };

  function happen(news: Days[number]): void {
    const { web: bodies, config: next } = isNews(news) ? news : { web: news };
    for (const [url, body] of Object.entries(bodies ?? {})) web.set(url, body);
    if (next) reconfigure(configOf(next));
  }
}

function isNews(news: Days[number]): news is News {
  return news !== undefined && ("web" in news || "config" in news);
}

export function configOf({ sources, triggers = {} }: Told) {
  const shared = `report: { title: Report, audited: 2026-05-16 }
ratings: { a: High }
schedule: { page: 12h, text: 12h, feed: 12h, json: 12h, github-releases: 12h, github-repo: 12h, github-issue: 12h }
`;
  return parsed(`${shared}${sources}`, triggers);
}

function lineOf({ seen, trigger, weight, event, evidence }: Firing): string {
  const on = Math.floor((seen - begin) / day);
  const sights = [...new Set(evidence.map((piece) => sightOf(piece, event.key)))].sort();
  return `${on} ${trigger}${weight === "contrary" ? "!" : ""}: ${sights.join(" · ")}`;
}

function byDay(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1);
}

function sightOf({ change }: Evidence, key: string): string {
  switch (change.kind) {
    case "block":
      return difference(change.before?.text, change.after?.text);
    case "claim":
      return `${change.claim} ${change.to}${change.after === undefined ? "" : `: ${change.after}`}`;
    case "fact":
      return `${change.name} ${change.before ?? "?"} → ${change.after ?? "?"}`;
    default:
      return key;
  }
}

function difference(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `+ ${after}`;
  return after === undefined ? `- ${before}` : `${before} → ${after}`;
}

/** A page long enough to be one: a heading, what the story is about, and paragraphs that never change. */
export function page(...content: readonly string[]): string {
  return document([`<h1>Manual</h1>`, ...content, ...filler].join(""));
}

export function document(main: string, language = "en"): string {
  return `<!doctype html><html lang="${language}"><head><title>Manual</title></head><body><main>${main}</main></body></html>`;
}

const filler = Array.from(
  { length: 8 },
  (_, index) =>
    `<h2>Chapter ${index}</h2><p>Chapter ${index} says at some length what the engine is good for, and where it ends.</p>`,
);
