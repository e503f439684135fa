import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { createJobs, type PostgresJobs } from "../../src/adapters/jobs/boss.ts";
import { openStore } from "../../src/adapters/store/open.ts";
import type { Database } from "../../src/adapters/store/store.ts";
import type { RepositoryFile } from "../../src/model/ports/index.ts";
import { environmentOf, type LocalGitHub, startGitHub } from "../../test/github/server.ts";
import { type Child, start } from "../../test/support/child.ts";
import { freePort } from "../../test/support/free-port.ts";
import { asking, startOwnPostgres } from "../../test/support/postgres.ts";

/** A PostgreSQL server, a GitHub and a web on this machine, and the settings that a server and workers share. */
export interface Place {
  readonly local: LocalGitHub;
  /** The web's port, the same on every host. */
  readonly webPort: number;
  readonly port: number;
  readonly secret: string;
  readonly database: Database;
  readonly jobs: PostgresJobs;
  /** GitHub's numbers of the repositories, by their names. */
  readonly ids: ReadonlyMap<string, number>;
  ask<T extends object>(text: string, ...values: readonly unknown[]): Promise<T[]>;
  /** A process of the published program. */
  run(command: "start" | "worker", variables?: Readonly<Record<string, string>>): Child;
  close(): Promise<void>;
}

/** Repositories of as many owners: each has limits of its own at GitHub. */
export const namesOf = (count: number) => Array.from({ length: count }, (_, at) => `owner${at}/report`);

const ownerOf = (name: string) => name.split("/")[0] ?? "";

/** A host of its own for each number up to 62,500. */
export const hostOf = (number: number) => `127.${1 + Math.floor(number / 250)}.${number % 250}.1`;

const secret = "a-secret-of-webhooks";
const built = join(import.meta.dirname, "../../dist/main.js");

/** `takes`: the time that the web needs to answer, in ms. */
export async function startPlace(names: readonly string[], takes: number): Promise<Place> {
  if (!existsSync(built)) throw new Error("run npm run build first: the processes are those of the published program");
  const folder = mkdtempSync(join(tmpdir(), "recheck-cluster-"));
  const web = fork(new URL("origin.ts", import.meta.url), [String(takes)]);
  const [{ port: webPort }] = (await once(web, "message")) as [{ port: number }];
  const server = await startOwnPostgres();
  const address = await server.database();
  await (await openStore(address)).close();
  const jobs = await createJobs(address);
  const database = await openStore(address, { ask: jobs.askWithin });
  const [repo = "", ...others] = names;
  const port = await freePort();
  const local = await startGitHub({
    repo,
    others,
    owners: others.map(ownerOf),
    webhook: { url: `http://127.0.0.1:${port}/api/github/webhooks`, secret },
  });
  // Whoever wants them sent does so.
  local.loseWebhooks(true);
  const ids = new Map<string, number>();
  for (const name of names) ids.set(name, await idOf(local, name));
  const environment = {
    ...environmentOf(local, { secret, data: join(folder, "data"), port }),
    LOG_LEVEL: "info",
    DATABASE_URL: address,
  };
  const children: ChildProcess[] = [];
  return {
    ...{ local, webPort, port, secret, database, jobs, ids },
    ask: (text, ...values) =>
      asking(address, async (client: pg.Client) => (await client.query(text, [...values])).rows),
    run(command, variables = {}) {
      const child = start(built, [command], { ...environment, ...variables });
      children.push(child.process);
      return child;
    },
    async close() {
      for (const child of children) child.kill("SIGKILL");
      web.disconnect();
      await jobs.close();
      await database.close();
      await local.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function idOf(local: LocalGitHub, name: string): Promise<number> {
  const response = await fetch(`${local.url}/repos/${name}`, { headers: { authorization: `Bearer ${local.token}` } });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return ((await response.json()) as { id: number }).id;
}

/** As if its config had been read from its default branch just now. */
export async function install({ ids, database, local }: Place, name: string, files: readonly RepositoryFile[]) {
  const id = ids.get(name) ?? 0;
  const installation = local.app.installation + [...ids.keys()].indexOf(name);
  const now = Date.now();
  await database.registry.revise(id, () => ({
    ...{ id, name, installation, standing: "active", since: now, stale: false },
    ...{ defaultBranch: "main", swept: now, public: true, config: { commit: "a".repeat(40), folder: "", files } },
  }));
  return id;
}

/** Resolves once a condition holds, checked ten times a second. @throws Error if the time is over */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > seconds * 1_000) throw new Error(`after ${seconds} s it is not so that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
