import { createHash } from "node:crypto";
import { parseConfig } from "../src/config/index.ts";
import { formatProblem } from "../src/config/problems.ts";
import type { Check } from "../src/model/check.ts";
import type { Config } from "../src/model/config.ts";
import { Failure } from "../src/model/failure.ts";
import type { Fetch, Store } from "../src/model/ports/index.ts";
import type { Instant } from "../src/model/time.ts";
import type { Trace } from "../src/model/trace.ts";
import { readers } from "../src/read/index.ts";
import { check } from "../src/watch/check.ts";

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

  constructor(urls: readonly string[], store: Store) {
    this.#config = configOf(urls);
    this.#store = store;
  }

  async check({ url, at, html, neighbour }: Visit, trace?: Trace): Promise<Check> {
    const source = [...this.#config.sources.values()].find(({ address }) => address === url);
    if (!source) throw new Error(`not watched: ${url}`);
    const before = (await this.#store.watches()).find((watch) => watch.source === source.id);
    const checked = await check(source, before, {
      config: this.#config,
      clock: { now: () => at },
      fetch: webOf((address) => (address === source.address ? html : neighbour?.(address))),
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
function webOf(pageAt: (address: string) => string | undefined): Fetch {
  return {
    async get({ url }) {
      const html = pageAt(url);
      if (html === undefined) throw new Failure("status", { status: 404 });
      const body = Buffer.from(html);
      const hash = createHash("sha256").update(body).digest("hex");
      const headers = { "content-type": "text/html; charset=utf-8" };
      return { kind: "response", response: { url, status: 200, headers, body }, validators: {}, hash };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}

/** A report that watches pages by their addresses, and asks about each if it changes. */
function configOf(urls: readonly string[]): Config {
  const pages = urls.map((url, i) => [`page${i}`, { page: url }] as const);
  const sources = { report: { title: "Pages", audited: "2000-01-01" }, sources: Object.fromEntries(pages) };
  const files = pages.map(([id]) => ({
    path: `triggers/${id}.yaml`,
    text: JSON.stringify({ name: "The page changes", ratings: [], on: [{ change: id }] }),
  }));
  const parsed = parseConfig([{ path: "sources.yaml", text: JSON.stringify(sources) }, ...files], readers);
  if (!parsed.config) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.config;
}
