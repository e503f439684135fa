import { createHash } from "node:crypto";
import { openStore } from "../../src/adapters/store/open.ts";
import type { Check } from "../../src/model/check.ts";
import type { Config } from "../../src/model/config.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Clock, Fetch, Fetched, FetchOptions, Store } from "../../src/model/ports/index.ts";
import type { Instant } from "../../src/model/time.ts";
import { readers } from "../../src/read/index.ts";
import { check, type World as Watched } from "../../src/watch/check.ts";
import { type Scan, type ScanOptions, scan } from "../../src/watch/scan.ts";

/** The answer of an address: a body, a failure, or a body with more about it. */
export type Answer =
  | string
  | Failure
  | {
      readonly body: string | Uint8Array;
      readonly status?: number;
      readonly type?: string;
      /** A permanent redirect led here. */
      readonly moved?: string;
      /** Another tag than the body's own. */
      readonly etag?: string;
    };

/** The program at any time, over a web that a test writes. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  /** What scans and checks get. */
  readonly world: Watched;
  /** Every request, oldest first. */
  readonly asked: { readonly url: string; readonly options: FetchOptions }[];
  scanAt(time: Instant, options?: ScanOptions): Promise<Scan>;
  checkAt(time: Instant, source: string): Promise<Check>;
  /** From the next scan on, another config. */
  reconfigure(config: Config): void;
  close(): Promise<void>;
}

/** `web`: answers by address, read at each check; every other address answers 404. GitHub is asked as with a token. */
export async function openWorld(config: Config, web: ReadonlyMap<string, Answer>): Promise<World> {
  const database = await openStore(":memory:");
  const store = database.repository("test");
  let now = 0;
  const clock = { now: () => now };
  const asked: World["asked"] = [];
  const world = { config, clock, fetch: webOf(web, asked), store, readers, access: { githubToken: true } };
  return {
    store,
    clock,
    world,
    asked,
    async scanAt(time, options) {
      now = time;
      return await scan(world, options);
    },
    async checkAt(time, id) {
      now = time;
      const source = world.config.sources.get(id);
      if (!source) throw new Error(`no source ${id}`);
      const checked = await check(source, (await world.store.watches([id]))[0], world);
      if (checked.outcome !== "kept") await world.store.touch([checked.watch]);
      return checked.check;
    },
    reconfigure(next) {
      world.config = next;
    },
    close: () => database.close(),
  };
}

function webOf(web: ReadonlyMap<string, Answer>, asked: World["asked"]): Fetch {
  return {
    async get({ url }, options) {
      asked.push({ url, options });
      const answer = web.get(url);
      if (answer === undefined) throw new Failure("not-found", { status: 404 });
      if (answer instanceof Failure) throw answer;
      return fetched(url, typeof answer === "string" ? { body: answer } : answer, options);
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}

type Told = Exclude<Answer, string | Failure>;

function fetched(url: string, { body, status, type, moved, etag }: Told, options: FetchOptions): Fetched {
  const hash = createHash("sha256").update(body).digest("hex");
  if (status !== undefined && status >= 400 && !options.answers?.includes(status)) {
    throw new Failure(status === 404 || status === 410 ? "not-found" : "status", { status });
  }
  const tag = etag ?? hash;
  const to = moved === undefined ? {} : { moved };
  if (options.validators?.etag === tag) return { kind: "not-modified", ...to };
  const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
  const response = { url: moved ?? url, status: status ?? 200, headers, body: Buffer.from(body) };
  return { kind: "response", response, validators: { etag: tag }, hash, ...to };
}
