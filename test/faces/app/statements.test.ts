import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { createJobs } from "../../../src/adapters/jobs/boss.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Database } from "../../../src/adapters/store/store.ts";
import { startWorker } from "../../../src/faces/app/server.ts";
import { environmentOf, startGitHub } from "../../github/server.ts";
import { startLists } from "../../support/lists.ts";
import { asking, noServer, startPostgres } from "../../support/postgres.ts";

const ask = pg.Client.prototype.query;
afterEach(() => {
  pg.Client.prototype.query = ask;
});

/** Every statement that is sent to a database from now on. */
function heard(): string[] {
  const texts: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof ask>) {
    const [first] = given as unknown as [string | { text: string }];
    texts.push(typeof first === "string" ? first : first.text);
    return ask.apply(this, given);
  } as typeof ask;
  return texts;
}

/** What the queue asks by itself, every second of each loop. */
const isOfQueue = (text: string) => /\brecheck_jobs\.(?!job_common SET completed_on)/.test(text.replace(/\s+/g, " "));

test.skipIf(noServer)(
  `an unchanged scan of a served repository takes at most 10 statements${noServer}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "recheck-statements-"));
    const server = await startPostgres();
    const address = await server.database();
    const lists = await startLists("alpha", "beta");
    const github = await startGitHub({});
    const { id } = await github.asPerson<{ id: number }>("GET", "");
    const jobs = await createJobs(address);
    const database: Database = await openStore(address, { ask: jobs.askWithin });
    lists.configure(folder);
    const paths = ["sources.yaml", ...readdirSync(join(folder, "triggers")).map((name) => `triggers/${name}`)];
    const files = paths.map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
    const now = Date.now();
    await database.registry.revise(id, () => ({
      ...{ id, name: github.repo, installation: github.app.installation, standing: "active", since: now, stale: false },
      ...{ defaultBranch: "main", swept: now, public: true, config: { commit: "a".repeat(40), folder: "", files } },
    }));
    const environment = environmentOf(github, { secret: "a-secret-of-webhooks", data: folder, port: 1 });
    const fetch = { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 };
    const worker = await startWorker({ ...environment, DATABASE_URL: address }, pino({ level: "silent" }), { fetch });
    const rows = async (text: string, ...values: unknown[]) =>
      (await asking(address, (client) => client.query(text, values))).rows;
    const isRested = async (since: number) => {
      const checked = await rows("select 1 from recheck.watch where looked > $1", since);
      const busy = await rows(
        "select 1 from recheck_jobs.job where name = 'work' and state < 'completed' and start_after < now()",
      );
      return checked.length === 2 && busy.length === 0;
    };
    /** Both sources are due, and checked. */
    const scan = async () => {
      const since = Date.now();
      await rows("update recheck.watch set next = $1", since - 1_000);
      await rows("update recheck.repository set next = $1", since - 1_000);
      await jobs.ask("plan");
      await expect.poll(() => isRested(since)).toBe(true);
    };
    try {
      await expect.poll(() => isRested(now)).toBe(true);
      await scan();
      const texts = heard();
      await scan();
      const first = texts.findIndex((text) => text.includes('"attend", cast(id'));
      const its = texts
        .slice(first)
        .filter((text) => !isOfQueue(text) && !/^(?:select 1 from|update) recheck/.test(text));
      expect(its.length, its.join("\n")).toBeLessThanOrEqual(10);
      expect(its.length).toBeGreaterThan(5);
    } finally {
      pg.Client.prototype.query = ask;
      await worker.stop();
      await jobs.close();
      await database.close();
      await Promise.all([lists.close(), github.close(), server.stop()]);
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
