import { pino } from "pino";
import { expect, test } from "vitest";
import { createRepositories } from "../../../src/faces/app/repositories.ts";
import { afterNews, afterSweep } from "../../../src/faces/app/webhooks/lifecycle.ts";
import type { RepositoryState } from "../../../src/model/ports/index.ts";
import { processorTime } from "../../support/processor-time.ts";

const many = 8_000;
const repositories = Array.from({ length: many }, (_, id) => ({ id, name: `organization/report-${id}`, public: true }));
const listed = repositories.map((one) => ({ ...one, archived: false, fork: false }));

test.each([
  [
    "news of an installation",
    (known: readonly RepositoryState[]) =>
      afterNews({ installation: 1, news: { kind: "installed", repositories } }, known, 1),
  ],
  [
    "GitHub's list",
    (known: readonly RepositoryState[]) => afterSweep([{ id: 1, says: listed }], known, { begun: 1, now: 1 }),
  ],
])("%s with 8,000 repositories are learned by going over them a few times, and not 8,000 times", async (_, rule) => {
  const saved: (RepositoryState | undefined)[] = [];
  const registry = {
    repositories: async () => [],
    async revise(_: number, change: (known: RepositoryState | undefined) => RepositoryState | undefined) {
      saved.push(change(undefined));
    },
  };
  const parts = {
    ...{ instance: { clock: { now: () => 1 }, registry }, sandbox: {}, log: pino({ level: "silent" }) },
    ...{ stopped: () => false, missed() {} },
  };
  const server = createRepositories(parts as unknown as Parameters<typeof createRepositories>[0]);
  const begun = processorTime();
  expect(await server.learn(rule)).toHaveLength(many);
  expect(saved.map((state) => state?.name)).toEqual(repositories.map(({ name }) => name));
  expect(processorTime() - begun).toBeLessThan(2_000);
});
