import { createHash } from "node:crypto";
import { openStore } from "../src/adapters/store/open.ts";
import { Failure } from "../src/failure.ts";
import type { Config, Instant } from "../src/model.ts";
import type { Clock, Fetch, Store } from "../src/ports.ts";
import { readers } from "../src/read/index.ts";
import { type Scan, scan } from "../src/scan.ts";

/** The program at any time, over a web that a test writes. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  scanAt(time: Instant): Promise<Scan>;
  close(): Promise<void>;
}

/** `web`: bodies by address, read at each look; every other address answers 404. GitHub is asked as with a token. */
export async function openWorld(config: Config, web: ReadonlyMap<string, string>): Promise<World> {
  const database = await openStore(":memory:");
  const store = database.repository("test");
  let now = 0;
  const clock = { now: () => now };
  const world = { config, clock, fetch: webOf(web), store, readers, access: { githubToken: true } };
  return {
    store,
    clock,
    async scanAt(time) {
      now = time;
      return await scan(world);
    },
    close: () => database.close(),
  };
}

function webOf(web: ReadonlyMap<string, string>): Fetch {
  return {
    async get({ url }, { validators }) {
      const body = web.get(url);
      if (body === undefined) throw new Failure("not-found", { status: 404 });
      const hash = createHash("sha256").update(body).digest("hex");
      if (validators?.etag === hash) return { kind: "not-modified" };
      const response = { url, status: 200, headers: {}, body: Buffer.from(body) };
      return { kind: "response", response, validators: { etag: hash }, hash };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}
