import { createHash } from "node:crypto";
import { corpusWeb, type Snippet } from "../../../bench/corpus-web.ts";
import { type Replayed, walk } from "../../../bench/walk.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { type CorpusDocument, watchedIn } from "../../../src/faces/cli/backtest/corpus.ts";
import { readers } from "../../../src/read/index.ts";
import { configOf } from "../../support/config-of.ts";

export const hour = 3_600_000;
const day = 24 * hour;
/** The first revision of every document unless told. */
export const begin = Date.UTC(2025, 0, 6, 9);

/** A document: its address, and what it said from which hour on. A number stands for a status without a body. */
export interface Past {
  readonly url: string;
  readonly said: readonly (readonly [hours: number, body: string | number])[];
}

export function docsOf(past: Readonly<Record<string, Past>>): CorpusDocument[] {
  return Object.entries(past).map(([doc, { url, said }]) => ({
    doc,
    url,
    revisions: said.map(([hours, body], index) => ({
      rev: index + 1,
      date: begin + hours * hour,
      status: typeof body === "number" ? body : 200,
      headers: { etag: createHash("sha256").update(String(body)).digest("hex") },
      body: Buffer.from(typeof body === "number" ? "" : body),
    })),
  }));
}

/** Replays documents that are told here, with the program's own checks. */
export async function replayed(
  sources: string,
  triggers: Readonly<Record<string, string>>,
  past: Readonly<Record<string, Past>>,
  snippets: readonly Snippet[] = [],
): Promise<Replayed> {
  const config = configOf(`report: { title: Report, audited: 2025-01-01 }\nratings: { a: High }\n${sources}`, triggers);
  const docs = docsOf(past);
  let now = 0;
  const clock = {
    now: () => now,
    set(at: number) {
      now = at;
    },
  };
  const database = await openStore(":memory:");
  const fetch = corpusWeb(docs, clock, snippets);
  const world = { config, clock, readers, access: { githubToken: true }, fetch, store: database.repository("test") };
  const done = await walk(watchedIn(docs, { config, readers }), world);
  await database.close();
  return done;
}

/** Firings as lines: `doc#rev trigger: event`, with ` +` where one only adds evidence. */
export function lines({ firings }: Replayed): string[] {
  return firings.map((one) => `${one.doc}#${one.rev} ${one.trigger}: ${one.event}${one.new ? "" : " +"}`);
}

/** One trigger `t` on these conditions. */
export function on(conditions: string): { t: string } {
  return { t: `name: T\nratings: [a]\non: [${conditions}]` };
}

/** Releases as GitHub's API lists them, newest first: tag and day. */
export function releases(...list: readonly (readonly [tag: string, day: number, more?: object])[]): string {
  return JSON.stringify(
    list.map(([tag, at, more]) => ({
      tag_name: tag,
      name: tag,
      draft: false,
      prerelease: false,
      published_at: new Date(begin + at * day).toISOString(),
      html_url: `https://github.com/acme/engine/releases/tag/${tag}`,
      body: "",
      ...more,
    })),
  );
}

/** The same as Atom, which lists plain tags too. */
export function atom(...list: readonly (readonly [tag: string, day: number])[]): string {
  const entries = list.map(
    ([tag, at]) =>
      `<entry><id>tag:github.com,2008:Repository/1/${tag}</id><updated>${new Date(begin + at * day).toISOString()}</updated>` +
      `<link rel="alternate" href="https://github.com/acme/engine/releases/tag/${tag}"/><title>${tag}</title><content type="html">No content.</content></entry>`,
  );
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>x</id><title>Releases</title><updated>2025-01-01T00:00:00Z</updated>${entries.join("")}</feed>`;
}
