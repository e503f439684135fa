import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createRepositories } from "../../../src/faces/app/repositories.ts";
import { afterNews, afterSweep, newRepository } from "../../../src/faces/app/webhooks/lifecycle.ts";
import type { RepositoryState } from "../../../src/model/ports/index.ts";
import { usualKeep } from "../../../src/wire/settings.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize } from "../../support/runs.ts";

const many = inputSize(8_000, 2_000);
const repositories = Array.from({ length: many }, (_, id) => ({ id, name: `organization/report-${id}`, public: true }));
const listed = repositories.map((one) => ({ ...one, archived: false, fork: false }));

type Rule = Parameters<ReturnType<typeof createRepositories>["learn"]>[0];

/**
 * What is learned of repositories that are known, as the registry tells of them, which tries each change so many times.
 */
async function learned(
  rule: Rule,
  known: readonly RepositoryState[],
  one: (id: number) => RepositoryState | undefined,
  tries = 1,
) {
  const saved: (RepositoryState | undefined)[] = [];
  const logged: string[] = [];
  const registry = {
    async *repositories() {
      yield* known;
    },
    async revise(id: number, change: (known: RepositoryState | undefined) => RepositoryState | undefined) {
      for (let undone = 1; undone < tries; undone++) change(one(id));
      saved.push(change(one(id)));
    },
  };
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
  const parts = {
    ...{ instance: { clock: { now: () => 1 }, keep: usualKeep, registry }, sandbox: {}, log },
    ...{ stopped: () => false, missed() {} },
  };
  const server = createRepositories(parts as unknown as Parameters<typeof createRepositories>[0]);
  return { changed: await server.learn(rule), saved, logged };
}

const rules: readonly (readonly [string, Rule])[] = [
  [
    "news of an installation",
    (known, only) => afterNews({ installation: 1, news: { kind: "installed", repositories } }, known, 5, only),
  ],
  ["GitHub's list", (known, only) => afterSweep([{ id: 1, says: listed }], known, { begun: 5, now: 5, only })],
];

/** A repository with its texts, which was left and is listed again. */
function left(id: number): RepositoryState {
  const config = { commit: `c${id}`, folder: "", files: [{ path: "sources.yaml", text: "text" }] } as const;
  const setUp = { marker: "m", branch: "recheck/set-up", searched: "s", config };
  const one = newRepository({ id, name: `organization/report-${id}`, public: true }, 1, 1);
  return { ...one, standing: "removed", since: 2, config, setUp };
}

describe.each(rules)("%s with thousands of repositories", (_, rule) => {
  test.each([
    ["new ones", () => undefined],
    ["ones that were left", left],
  ])("is learned by going over them a few times, and not thousands of times: %s", async (_, one) => {
    const known = repositories.flatMap(({ id }) => one(id) ?? []);
    const begun = processorTime();
    const { changed, saved } = await learned(rule, known, one);
    expect(changed).toHaveLength(many);
    expect(saved.map((state) => state?.name)).toEqual(repositories.map(({ name }) => name));
    expectTime(processorTime() - begun, inputSize(2_000, 500));
  });

  test("is logged once, though the database undid a change and tried it again", async () => {
    const known = [left(0)];
    const only: Rule = (all, one) => rule(all, one).filter(({ id }) => id === 0);
    const { logged } = await learned(only, known, (id) => known[id], 3);
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ repository: "organization/report-0", standing: "active" }),
    ]);
  });

  test("is learned with the texts of one in memory at a time, and keeps them", async () => {
    const asked: (readonly RepositoryState[])[] = [];
    const watched: Rule = (known, only) => {
      asked.push(known);
      return rule(known, only);
    };
    const known = repositories.slice(0, 200).map(({ id }) => left(id));
    const { saved } = await learned(watched, known, (id) => known[id]);
    const withTexts = asked.map((all) => all.filter(({ config, setUp }) => config || setUp).length);
    expect([asked[0]?.length, withTexts[0], Math.max(...withTexts)]).toEqual([200, 0, 1]);
    expect(saved.slice(0, 200)).toEqual(
      known.map((one) =>
        expect.objectContaining({ standing: "active", since: 5, config: one.config, setUp: one.setUp }),
      ),
    );
  });
});
