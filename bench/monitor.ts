import { createHash } from "node:crypto";
import { parseConfig } from "../src/config/index.ts";
import { formatProblem } from "../src/config/problems.ts";
import type { Check } from "../src/model/check.ts";
import type { Config } from "../src/model/config.ts";
import { Failure } from "../src/model/failure.ts";
import type { Trace } from "../src/model/heuristics.ts";
import type { Fetch, Store } from "../src/model/ports/index.ts";
import type { Instant } from "../src/model/time.ts";
import { readers } from "../src/read/index.ts";
import { check } from "../src/watch/check.ts";
import type { Watched } from "./snapshots.ts";

/** The product's own checks of recorded pages, by a report that asks about each page if it changes. */

/** A page at a time. */
export interface Visit {
  readonly url: string;
  readonly at: Instant;
  readonly html: string;
  /** Other pages of the web as they are then. */
  readonly neighbour?: (url: string) => string | undefined;
}

export class Monitor {
  readonly #config: Config;
  readonly #store: Store;

  constructor(watched: readonly Watched[], store: Store) {
    this.#config = configOf(watched);
    this.#store = store;
  }

  async check({ url, at, html, neighbour }: Visit, trace?: Trace): Promise<Check> {
    const source = [...this.#config.sources.values()].find(({ address }) => address === url);
    if (!source) throw new Error(`not watched: ${url}`);
    const before = (await this.#store.watches()).find((watch) => watch.source === source.id);
    const checked = await check(source, before, {
      config: this.#config,
      clock: { now: () => at },
      fetch: webOf(source.kind, (address) =>
        source.kind !== "page" || address === source.address ? html : neighbour?.(address),
      ),
      store: this.#store,
      readers,
      access: { githubToken: false },
      ...(trace && { trace }),
    });
    if (checked.outcome !== "kept") await this.#store.touch([checked.watch]);
    return checked.check;
  }
}

/** A web of recorded pages. Its answers are never conditional: snapshots differ in their bytes. */
function webOf(kind: string, pageAt: (address: string) => string | undefined): Fetch {
  return {
    async get({ url }) {
      const html = pageAt(url);
      if (html === undefined) throw new Failure("status", { status: 404 });
      const body = Buffer.from(html);
      const hash = createHash("sha256").update(body).digest("hex");
      const headers = { "content-type": `${typeOf(kind, html)}; charset=utf-8` };
      return { kind: "response", response: { url, status: 200, headers, body }, validators: {}, hash };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}

/** A server names what it sends. Pages are sent as HTML even if they are only a part of one. */
function typeOf(kind: string, body: string): string {
  if (kind === "page") return "text/html";
  if (kind === "text") return "text/plain";
  return body.trimStart().startsWith("<") ? "application/xml" : "application/json";
}

/** A report that watches sources by their addresses, and asks about each if it changes. */
function configOf(watched: readonly Watched[]): Config {
  const sources = watched.map(({ url, kind, options }, i) => [`page${i}`, { [kind]: url, ...options }] as const);
  const report = { title: "Pages", audited: "2000-01-01" };
  const files = watched.map(({ kind, options, on }, i) => {
    const { text, rows, items, facts = [] } = readers.get(kind)?.gives(options) ?? {};
    const all = [...(text || rows ? ["change"] : []), ...(items ? ["item"] : [])];
    const asked = (on ? [on] : all).map((condition) => ({ [condition]: `page${i}` }));
    const conditions = [...asked, ...(on ? [] : facts.map((name) => ({ fact: `page${i}`, name })))];
    return {
      path: `triggers/page${i}.yaml`,
      text: JSON.stringify({ name: "The page changes", ratings: [], on: conditions }),
    };
  });
  const text = JSON.stringify({ report, sources: Object.fromEntries(sources) });
  const parsed = parseConfig([{ path: "sources.yaml", text }, ...files], readers);
  if (!parsed.config) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.config;
}
