import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { openStore } from "../../src/adapters/store/open.ts";
import { type AppServer, createLog, startServer } from "../../src/faces/app/server.ts";
import type { RepositoryState, Store } from "../../src/model/ports/index.ts";
import { violations } from "../github/openapi.ts";
import { environmentOf, type LocalGitHub, type LocalGitHubOptions, startGitHub } from "../github/server.ts";
import { freePort } from "./free-port.ts";
import { type Lists, startLists } from "./lists.ts";

const secret = "a-secret-of-webhooks";

/** A server of the whole App, with a GitHub and a web of its own. */
export interface Instance {
  readonly local: LocalGitHub;
  readonly lists: Lists;
  /** Where it takes webhooks. */
  readonly webhooks: string;
  /** Variables by which a process of its own serves the same. */
  readonly environment: Readonly<Record<string, string>>;
  /** That of its config, for a server of one repository. */
  readonly folder: string;
  log(): string;
  /** Lets time pass for the server. */
  pass(duration: number): void;
  now(): number;
  /** Checks and writes, and works off what webhooks told. */
  run(): Promise<void>;
  /** Once every webhook that was sent is worked off, and what came of it is written. */
  settled(): Promise<void>;
  /** Writes files to a branch, as a person's push would; `undefined` deletes. */
  commit(files: Readonly<Record<string, string | undefined>>, branch?: string): Promise<void>;
  /** The same, and then `settled`. */
  push(files: Readonly<Record<string, string | undefined>>, branch?: string): Promise<void>;
  /** Commits these files, starts the server, and runs it once. */
  serve(files?: Readonly<Record<string, string | undefined>>): Promise<void>;
  /** The config that `lists.configure` writes, by path. */
  config(): Record<string, string>;
  /** Reads what is stored, beside the server. */
  stored<T>(read: (store: Store, state: RepositoryState | undefined) => Promise<T>): Promise<T>;
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Closes it, and expects that all it asked GitHub for is described there. */
export async function endInstance(it: Instance): Promise<void> {
  const wrong = it.local.requests.flatMap(violations);
  await it.close();
  expect(wrong).toEqual([]);
}

/** As GitHub tells it. */
export interface LocalIssue {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly state_reason?: string | null;
  readonly body: string;
  readonly pull_request?: object;
}

/** Its issues that are not pull requests, oldest first. */
export async function issuesOf({ local }: Instance): Promise<LocalIssue[]> {
  const all = await local.asPerson<LocalIssue[]>("GET", "/issues?state=all&direction=asc");
  return all.filter((one) => !one.pull_request);
}

/** The head of one of its branches. */
export async function headOf({ local }: Instance, branch: string): Promise<string> {
  return (await local.asPerson<{ object: { sha: string } }>("GET", `/git/ref/heads/${branch}`)).object.sha;
}

export function startInstance(...sources: string[]): Promise<Instance> {
  return startInstanceWith({}, ...sources);
}

/** One whose config was checked once. */
export async function startServed(...sources: string[]): Promise<Instance> {
  const it = await startInstance(...sources);
  await it.serve(it.config());
  return it;
}

export interface InstanceOptions extends Pick<LocalGitHubOptions, "empty" | "owners"> {
  /** A web on this machine that answers for every address with a name. */
  readonly web?: { readonly origin: string };
  /** The TimeGate of a web archive; the Wayback Machine unless told. */
  readonly timegate?: string;
}

/** With a GitHub or a web that is another one than usual. */
export async function startInstanceWith(
  { web, timegate, ...options }: InstanceOptions,
  ...sources: string[]
): Promise<Instance> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-instance-"));
  const lists = await startLists(...sources);
  lists.configure(folder);
  const port = await freePort();
  const webhooks = `http://127.0.0.1:${port}/api/github/webhooks`;
  let now = Date.now();
  const clock = { now: () => now };
  const webhook = { url: webhooks, secret };
  const local = await startGitHub({ ...options, others: ["example/second"], webhook, clock });
  let log = "";
  let running: AppServer | undefined;

  const environment = {
    ...environmentOf(local, { secret, data: join(folder, "data"), port }),
    ...(timegate !== undefined && { RECHECK_ARCHIVE: timegate }),
  };
  const write = (line: string): void => {
    log += line;
  };

  /** Work that a webhook leads to may lead to webhooks. */
  async function settled(): Promise<void> {
    for (let sent = -1; sent !== local.sent.length; ) {
      sent = local.sent.length;
      await local.settled();
      await running?.service.settled();
      await local.settled();
    }
  }

  const it: Instance = {
    local,
    lists,
    webhooks,
    environment,
    folder,
    log: () => log,
    pass: (duration) => {
      now += duration;
    },
    now: () => now,
    settled,
    async run() {
      await settled();
      await running?.service.run();
      await settled();
    },
    async commit(files, branch) {
      for (const [path, text] of Object.entries(files)) await commitOne(local, path, text, branch);
    },
    async push(files, branch) {
      await it.commit(files, branch);
      await settled();
    },
    async serve(files = {}) {
      await it.commit(files);
      await it.start();
      await it.run();
    },
    config() {
      const triggers = readdirSync(join(folder, "triggers")).map((name) => `triggers/${name}`);
      return Object.fromEntries(
        ["sources.yaml", ...triggers].map((path) => [path, readFileSync(join(folder, path), "utf8")]),
      );
    },
    async stored(read) {
      const database = await openStore(join(folder, "data", "recheck.sqlite"), { readonly: true });
      try {
        const states = await Array.fromAsync(database.registry.repositories());
        const named = states.filter(({ name }) => name === local.repo);
        const state = named.find(({ standing }) => standing !== "removed") ?? named[0];
        return await read(database.repository(state?.id ?? local.repo), state);
      } finally {
        await database.close();
      }
    },
    async start() {
      running = await startServer(environment, createLog("trace", write), {
        clock,
        fetch: {
          allowAddresses: parseRanges("127.0.0.0/8"),
          pause: 0,
          ...(web && { origin: ({ hostname }: URL) => (/[a-z]/.test(hostname) ? web.origin : undefined) }),
        },
        github: { fetch: local.fetch, patience: false },
      });
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async close() {
      await local.settled();
      await running?.stop();
      await lists.close();
      await local.close();
      rmSync(folder, { recursive: true });
    },
  };
  return it;
}

async function commitOne(local: LocalGitHub, path: string, text: string | undefined, branch = "main"): Promise<void> {
  const known = await local
    .asPerson<{ sha: string }>("GET", `/contents/${path}?ref=${encodeURIComponent(branch)}`)
    .catch(() => undefined);
  const common = { message: `Write ${path}`, branch, ...(known && { sha: known.sha }) };
  if (text === undefined) await local.asPerson("DELETE", `/contents/${path}`, common);
  else await local.asPerson("PUT", `/contents/${path}`, { ...common, content: Buffer.from(text).toString("base64") });
}
