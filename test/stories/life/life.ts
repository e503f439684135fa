import { createHash } from "node:crypto";
import { pino } from "pino";
import { openStore } from "../../../src/adapters/store/open.ts";
import { tableNames } from "../../../src/adapters/store/schema.ts";
import { type AppService, createAppService } from "../../../src/faces/app/app-service.ts";
import type { Fetch } from "../../../src/model/ports/index.ts";
import { readers } from "../../../src/read/index.ts";
import type { Instance } from "../../../src/wire/instance.ts";
import { usualKeep } from "../../../src/wire/settings.ts";
import { sandboxHere } from "../../faces/app/config/sandbox-here.ts";
import { noCourier } from "../../support/courier.ts";
import { workersHere } from "../../support/workers-here.ts";
import { Hub, installation, Killed, repository, type Webhook } from "./hub.ts";

/** The server of an App over a GitHub and a web in memory: it can be killed at any request and wired anew over what it stored. */

export const sources = ["alpha", "beta", "gamma"] as const;
export type Source = (typeof sources)[number];

const files = {
  "sources.yaml": `report: { title: Boards, audited: 2026-05-16 }
levels: [Low, Medium, High]
ratings: { speed: Medium, size: Low }
schedule: { json: 3h }
sources:
${sources.map((id) => `  ${id}: { json: "https://${id}.example/", items: entries, item: { id: id, title: id, date: date } }`).join("\n")}
`,
  ...Object.fromEntries(
    Object.entries({ alpha: "[speed]", beta: "[speed, size]", gamma: "[size]" }).map(([id, ratings]) => [
      `triggers/${id}.yaml`,
      `name: About ${id}\nratings: ${ratings}\non:\n  - item: ${id}\n  - { item: ${id}, matches: awaited, awaited: true }\n`,
    ]),
  ),
};

export interface Life {
  readonly hub: Hub;
  readonly store: ReturnType<Awaited<ReturnType<typeof openStore>>["repository"]>;
  /** Keys of everything that happened: `alpha e1`. */
  readonly happened: readonly { readonly source: Source; readonly key: string }[];
  /** What went wrong by a defect of ours. */
  readonly errors: readonly string[];
  now(): number;
  pass(duration: number): void;
  happen(source: Source, awaited: boolean): void;
  /** Brings one webhook to the server. */
  deliver(webhook: Webhook): Promise<void>;
  /** What people do while the next request to a source is under way; the server has heard of it before that is answered. */
  meanwhile(work: () => void): void;
  /** As the schedule does every minute. */
  run(): Promise<void>;
  /** Erases a person. Returns the tables that still mention them. */
  forget(login: string): Promise<string[]>;
  /** Erases the repository. Returns the tables that still hold a row of it. */
  erase(): Promise<string[]>;
  close(): Promise<void>;
}

export async function beginLife(): Promise<Life> {
  let now = Date.UTC(2026, 5, 1, 10);
  const clock = { now: () => now };
  const hub = new Hub(files, clock.now);
  const database = await openStore(":memory:");
  const entries = new Map(sources.map((id): [string, object[]] => [id, [{ id: "old", date: "2026-01-01" }]]));
  const happened: { source: Source; key: string }[] = [];
  const errors: string[] = [];
  const web = webOf(entries);
  let meanwhile: (() => void) | undefined;
  const fetch: Fetch = {
    ...web,
    async get(request, options) {
      const work = meanwhile;
      meanwhile = undefined;
      if (work) await hear(work);
      return await web.get(request, options);
    },
  };
  const log = pino({ level: "error" }, { write: (line: string) => void (isKilled(line) || errors.push(line)) });
  let server = wired();

  /** Nothing that it does after its death has an effect. */
  function wired(): { readonly service: AppService; isDead(): boolean } {
    let dead = false;
    hub.kill = () => {
      dead = true;
    };
    const isDead = () => dead;
    const kept = <T extends object>(target: T): T => mortal(target, isDead, (work) => hub.stored(work));
    const app = mortal(hub.app, isDead, (work) => work());
    const listing = kept({ all: () => Array.fromAsync(database.registry.repositories()) });
    const registry = {
      ...kept(database.registry),
      async *repositories() {
        yield* await listing.all();
      },
    };
    const instance: Instance = {
      clock,
      keep: usualKeep,
      registry,
      hosts: database.hosts,
      installations: {
        installations: async () => [{ id: installation, suspended: false }],
        repositories: async () => [
          { id: repository.id, name: repository.full_name, archived: false, fork: false, public: true },
        ],
      },
      readers,
      workers: workersHere(),
      link: ({ address }) => address,
      page: () => undefined,
      courier: () => noCourier,
      store: ({ id }) => kept(database.repository(id)),
      github: () => app,
      web: () => ({ fetch, readers, access: { githubToken: true } }),
      world: ({ id }, config) => {
        const store = kept(database.repository(id));
        return { config, clock, fetch, store, readers, access: { githubToken: true } };
      },
      close: async () => {},
    };
    return { service: createAppService(instance, sandboxHere(database.repository(repository.id)), log), isDead };
  }

  /** A scan that is under way goes on only then. */
  async function hear(work: () => void): Promise<void> {
    await new Promise(setImmediate);
    work();
    for (const { id, event, payload } of hub.pending.splice(0)) await server.service.receive(id, event, payload);
    while ((await database.registry.deliveries()).length > 0) await new Promise((done) => setTimeout(done, 1));
  }

  async function live(work: (service: AppService) => Promise<void>): Promise<void> {
    const { service, isDead } = server;
    await work(service).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    await service.settled().catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    if (!isDead()) return;
    await service.stop().catch(() => {});
    server = wired();
  }

  async function tablesWith(isLeft: (row: object) => boolean): Promise<string[]> {
    const rows = await Promise.all(
      tableNames.map(async (name) => ({ name, rows: await database.rows.selectFrom(name).selectAll().execute() })),
    );
    return rows.filter(({ rows }) => rows.some(isLeft)).map(({ name }) => name);
  }

  return {
    hub,
    store: database.repository(repository.id),
    happened,
    errors,
    now: clock.now,
    pass: (duration) => {
      now += duration;
    },
    happen(source, awaited) {
      const id = `e${happened.length + 1}${awaited ? " awaited" : ""}`;
      entries.get(source)?.push({ id, date: new Date(now).toISOString() });
      happened.push({ source, key: `${source} ${id}` });
    },
    meanwhile: (work) => {
      meanwhile = work;
    },
    deliver: ({ id, event, payload }) => live((service) => service.receive(id, event, payload)),
    run: () => live((service) => service.run()),
    async forget(login) {
      await database.registry.forgetPeople({ login });
      return await tablesWith((row) => JSON.stringify(row).includes(login));
    },
    async erase() {
      await database.erase(repository.full_name);
      return await tablesWith(() => true);
    },
    async close() {
      await server.service.stop();
      await database.close();
    },
  };
}

const isKilled = (line: string): boolean => line.includes('"type":"Killed"');

type Through = (work: () => Promise<unknown>) => Promise<unknown>;

function mortal<T extends object>(target: T, isDead: () => boolean, through: Through): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        if (isDead()) throw new Killed();
        const done = await through(async () => (await value.apply(of, given)) as unknown);
        if (isDead()) throw new Killed();
        return done;
      };
    },
  });
}

function webOf(entries: ReadonlyMap<string, object[]>): Fetch {
  return {
    async get({ url }, { validators }) {
      const [, source = ""] = /\/\/(\w+)\./.exec(url) ?? [];
      const body = Buffer.from(JSON.stringify({ entries: entries.get(source) }));
      const hash = createHash("sha256").update(body).digest("hex");
      if (validators?.etag === hash) return { kind: "not-modified" };
      const response = { url, status: 200, headers: { "content-type": "application/json" }, body };
      return { kind: "response", response, validators: { etag: hash }, hash };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}
