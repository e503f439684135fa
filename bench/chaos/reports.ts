import { campaign } from "./clock.ts";
import type { Web } from "./web.ts";

/**
 * A report with its sources, and their true state. Each event has a word of its own, by which it is found in everything that
 * the program stores and writes. No code of the program reads this.
 */

/** An event on the web, and its required results. */
export interface Happening {
  /** Stands in the source, and in nothing else that ever happens. */
  readonly word: string;
  /** Each of these fires once for it. */
  readonly trigger: string;
  readonly source: string;
  /** Whether the event is named by the word. Otherwise the evidence holds it. */
  readonly named: boolean;
}

/** A kind of thing that can happen to a report's sources. */
export type Occasion = "entry" | "awaited" | "release" | "claim" | "passage" | "state" | "shared";

export const occasions: readonly Occasion[] = ["entry", "awaited", "release", "claim", "passage", "state", "shared"];

/** Sources by name: their hosts are `list-one.chaos.example`. */
const sources = ["list", "feed", "mirror", "page", "state"] as const;

export const domain = "chaos.example";
const sharedHost = `shared.${domain}`;
const claims = 30;

export interface Report {
  /** Short, and part of all its hosts. */
  readonly key: string;
  readonly hosts: readonly string[];
  readonly truth: readonly Happening[];
  /** Its config, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Lets something happen. `n`: ten times the round, and a digit by which no other happening has the same. */
  happen(what: Occasion, n: number): void;
}

/** The list that several reports watch. */
export interface SharedList {
  readonly entries: Entry[];
  readonly readers: Happening[][];
}

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly date: string;
}

const old: Entry = { id: "old", title: "An old entry", date: "2026-01-01T00:00:00Z" };

export const sharedList = (): SharedList => ({ entries: [old], readers: [] });

export function openReport(key: string, web: Web, shared: SharedList): Report {
  const truth: Happening[] = [];
  const entries: Entry[] = [old];
  const releases = [{ version: "1.0.0", date: old.date }];
  const amounts = Array.from({ length: claims }, (_, claim) => 200 + claim);
  const passages: string[] = [];
  let state = "young";
  /** The round in which it changed last. */
  let stated = -1;
  const untouched = amounts.map((_, claim) => claim);
  const host = (source: string) => `${source}-${key}.${domain}`;
  const isSecure = web.securePort > 0;
  const address = (source: string) =>
    isSecure && source === "page"
      ? `https://${host(source)}:${web.securePort}/${source}`
      : `http://${host(source)}:${web.port}/${source}`;
  shared.readers.push(truth);

  function stand(): void {
    const json = (value: object) => ({ type: "application/json", body: JSON.stringify(value) });
    const put = (source: (typeof sources)[number], page: { type: string; body: string }) =>
      web.stand(host(source), `/${source}`, page);
    put("list", json({ entries }));
    put("state", json({ state, unit: "state" }));
    put("feed", { type: "application/atom+xml", body: atom(releases) });
    put("mirror", { type: "application/atom+xml", body: atom(releases) });
    put("page", { type: "text/html; charset=utf-8", body: manual(amounts, passages) });
    web.stand(sharedHost, "/shared", json({ entries: shared.entries }));
  }

  const happened = (word: string, trigger: string, { source = trigger, named = true } = {}) =>
    void truth.push({ word, trigger, source, named });

  function happen(what: Occasion, n: number): void {
    const date = new Date(campaign.now()).toISOString();
    const word = `w${n}${key}`;
    if (what === "entry" || what === "awaited") {
      entries.push({ id: word, title: `Entry ${word}${what === "awaited" ? " awaited" : ""}`, date });
      happened(word, "list");
    } else if (what === "shared") {
      shared.entries.push({ id: `${word}all`, title: `Entry ${word}all`, date });
      for (const its of shared.readers)
        its.push({ word: `${word}all`, trigger: "shared", source: "shared", named: true });
    } else if (what === "release") {
      releases.push({ version: `1.${n}.0`, date });
      happened(`1.${n}.0`, "engine", { source: "feed" });
    } else if (what === "claim") {
      const claim = untouched.shift();
      if (claim === undefined) {
        happen("entry", n);
        return;
      }
      amounts[claim] = 100_000 + n;
      happened(String(amounts[claim]), "page", { named: false });
    } else if (what === "passage") {
      passages.push(word);
      happened(word, "added", { source: "page", named: false });
    } else if (Math.floor(n / 10) === stated) {
      // Nobody sees a state that another one followed at once.
      happen("entry", n);
      return;
    } else {
      stated = Math.floor(n / 10);
      state = word;
      happened(word, "state");
    }
    stand();
  }

  stand();
  return {
    key,
    hosts: [...sources.map(host), sharedHost],
    truth,
    files: configOf(key, address, `http://${sharedHost}:${web.port}/shared`),
    happen,
  };
}

function configOf(key: string, address: (source: string) => string, shared: string): Record<string, string> {
  const list = "items: entries, item: { id: id, title: title, date: date }";
  const claimLines = Array.from(
    { length: claims },
    (_, claim) =>
      `      amount${claim}x: { says: an amount, quote: "vessel number ${claim} holds ${200 + claim} litres", ratings: [size] }`,
  );
  const trigger = (name: string, rating: string, on: string) => `name: About ${name}\nratings: [${rating}]\non:\n${on}`;
  return {
    "sources.yaml": `report: { title: Report ${key}, url: "http://report-${key}.${domain}/", audited: 2026-05-16 }
levels: [Low, Medium, High]
ratings: { speed: Medium, size: Low, cost: Medium, reach: Low, care: Low, worth: Medium }
schedule: { json: 1h, feed: 1h, page: 1h }
products: { engine: { name: Engine } }
sources:
  list: { json: "${address("list")}", ${list} }
  shared: { json: "${shared}", ${list} }
  feed: { feed: "${address("feed")}", announces: engine }
  mirror: { feed: "${address("mirror")}", announces: engine }
  state: { json: "${address("state")}", facts: { state: state } }
  page:
    page: "${address("page")}"
    confirm: 1h
    claims:
${claimLines.join("\n")}
`,
    "triggers/list.yaml": trigger(
      "list",
      "speed",
      "  - item: list\n  - { item: list, title: awaited, awaited: true }\n",
    ),
    "triggers/shared.yaml": trigger("shared", "care", "  - item: shared\n"),
    "triggers/engine.yaml": trigger("engine", "cost", "  - release: engine\n"),
    "triggers/added.yaml": trigger("added", "reach", "  - { change: page, under: Added }\n"),
    "triggers/state.yaml": trigger("state", "worth", "  - { fact: state, name: state }\n"),
    "triggers/page.yaml": trigger("page", "size", "  - claim: page\n"),
  };
}

function atom(releases: readonly { readonly version: string; readonly date: string }[]): string {
  const entries = releases.map(({ version, date }) => {
    return `<entry><title>Engine ${version}</title><id>urn:engine:${version}</id><updated>${date}</updated><link href="https://engine.example/${version}"/><summary>Engine ${version} is out.</summary></entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Engine</title><id>urn:engine</id><updated>2026-01-01T00:00:00Z</updated>${entries.reverse().join("")}</feed>`;
}

function manual(amounts: readonly number[], passages: readonly string[]): string {
  const chapters = amounts.map(
    (amount, n) =>
      `<h2>Chapter ${n}</h2><p>The keepers of chapter ${n} wrote that vessel number ${n} holds ${amount} litres when it is full.</p>`,
  );
  const added = passages.map((word) => `<p>Later it was added that ${word} belongs to the vessels as well.</p>`);
  return document("Manual of vessels", [...chapters, "<h2>Added</h2>", "<p>What was added later.</p>", ...added]);
}

export function document(title: string, parts: readonly string[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${parts.join("\n")}</main></body></html>`;
}
