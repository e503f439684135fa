import { afterAll, expect, test } from "vitest";
import { createPool, shareOf } from "../../src/adapters/threads/pool.ts";
import type { Change } from "../../src/model/change.ts";
import { Failure } from "../../src/model/failure.ts";
import type { ArchivedChange, FoundCopy, StoredFiring, Watch, Workers } from "../../src/model/ports/index.ts";
import type { Block } from "../../src/model/reading.ts";
import { readers } from "../../src/read/index.ts";
import { findCopies } from "../../src/watch/archived-changes.ts";
import type { World } from "../../src/watch/check.ts";
import { tasksBy } from "../../src/watch/tasks.ts";
import { readersIn } from "../../src/watch/workers.ts";
import { configOf } from "../support/config-of.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { document } from "../support/story.ts";

const now = Date.UTC(2026, 10, 20);
const hour = 3_600_000;
const seen = now - hour;
const address = "https://docs.example.org/memory";

const threads = shareOf(
  createPool({
    entry: new URL("../../src/faces/worker.ts", import.meta.url),
    processor: 5_000,
    megabytes: 256,
  }),
);
afterAll(() => threads.close());

const block = (text: string): Block => ({ path: [], kind: "paragraph", text });
const page = (texts: readonly string[]) => document(`<h1>Memory</h1>${texts.map((text) => `<p>${text}</p>`).join("")}`);

/** Copies that the archive has, by the hours between them and the change; the nearest first. */
interface Kept {
  readonly after: number;
  readonly texts: readonly string[];
}

interface Gone {
  /** Passages that the page had, and those that it still has. */
  readonly gone: readonly string[];
  readonly stay: readonly string[];
  readonly copies: readonly Kept[];
}

/** A world in which these passages went from a page, and what is kept of its copies there. */
function worldWithout({ gone, stay, copies }: Gone, workers: Workers): { world: World; kept: ArchivedChange[] } {
  const served = copies.map(({ after, texts }): FoundCopy => {
    const at = seen + after * hour;
    const response = { url: address, status: 200, headers: {}, body: Buffer.from(page(texts)) };
    return { kind: "copy", copy: { url: `https://archive.example/${at}`, at }, response };
  });
  const changes = gone.map((text): Change => ({ kind: "block", before: block(text) }));
  const firing = {
    weight: "contrary",
    fired: seen,
    evidence: changes.map((change) => ({ source: "memory", seen, change })),
  };
  const kept: ArchivedChange[] = [];
  const store: Partial<World["store"]> = {
    archivedChanges: async () => [],
    firings: async () => [firing as unknown as StoredFiring],
    memory: async () => JSON.stringify({ page: { accepted: stay.map(block) } }),
    commit: async (work) => await work({ keepArchived: async (one: ArchivedChange) => void kept.push(one) } as never),
  };
  const world: Partial<World> = {
    config: configOf(
      `report: { title: A report, audited: 2026-05-16 }\nbaseline: archive\nsources: { memory: { page: "${address}" } }\n`,
    ),
    clock: { now: () => now },
    store: store as World["store"],
    readers: readersIn(workers, readers),
    archive: {
      name: "archive.example",
      async *copies() {
        yield* served;
      },
    },
    workers,
  };
  return { world: world as World, kept };
}

async function copiesOf(page: Gone, workers: Workers): Promise<ArchivedChange[]> {
  const { world, kept } = worldWithout(page, workers);
  await findCopies(world);
  return kept;
}

const url = (after: number) => `https://archive.example/${seen + after * hour}`;

/** For how long the event loop stood still at most meanwhile, in ms of this thread's processor time. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, processorTime()];
  const turn = () => {
    const time = processorTime();
    longest = Math.max(longest, time - last);
    last = time;
  };
  const timer = setInterval(turn, 5);
  await work();
  turn();
  clearInterval(timer);
  return longest;
}

test("a page from which 500 passages went holds up nothing while its copies are matched", async () => {
  const words = (count: number, of: number) =>
    Array.from({ length: count }, (_, i) => `kite${(of * 7_919 + i * i * 31) % 1_009}`).join(" ");
  const stay = Array.from({ length: 200 }, (_, i) => `${words(300, i)}.`);
  const gone = Array.from({ length: 500 }, (_, i) => `gone${i} ${words(40, i)}.`);
  const copies = [
    { after: -50, texts: [...stay, ...gone] },
    { after: 0.5, texts: stay },
  ];
  const { world, kept } = worldWithout({ gone, stay, copies }, threads);
  const longest = await longestTurn(() => findCopies(world));
  expect(kept).toMatchObject([{ before: { url: url(-50) }, after: { url: url(0.5) } }]);
  expect(longest).toBeGreaterThan(0);
  expectTime(longest, 100);
});

const tasks = tasksBy(readers) as Readonly<Record<string, (input: unknown, asker: unknown) => unknown>>;

/** Workers that give a job up which reads or matches a copy that says so. */
function givingUp(excess: "processor" | "memory", says: string): Workers {
  return {
    async run(task, input, asker) {
      const { response } = input as { response?: { body: Uint8Array } };
      if (task === "shows" && response && Buffer.from(response.body).includes(says)) throw new Failure(excess);
      return await tasks[task]?.(structuredClone(input), asker);
    },
  };
}

test.each(["processor", "memory"] as const)(
  "a copy that takes too much %s shows nothing: the next one may",
  async (excess) => {
    const stay = ["The card is red, and has been so since it was made."];
    const gone = ["The card holds 512 GB of memory."];
    const slow = "This copy is slow to be matched.";
    const before = [
      { after: -1, texts: [...stay, ...gone, slow] },
      { after: -2, texts: [...stay, ...gone] },
    ];
    const since = { after: 0.5, texts: [...stay, slow] };
    const workers = givingUp(excess, slow);
    expect(await copiesOf({ gone, stay, copies: [...before, since] }, workers)).toMatchObject([
      { before: { url: url(-2) }, says: "archive.example has no copy yet that shows it" },
    ]);
    const [none] = await copiesOf({ gone, stay, copies: before.slice(0, 1) }, workers);
    expect(none).toMatchObject({ tries: 1, says: "archive.example has no copy yet that shows it", next: now + hour });
    expect(none?.before).toBeUndefined();
  },
);

test("a page that is gone has the newest copy that is known already, if the archive has no nearer one", async () => {
  const copy = (day: number) => ({ url: `https://archive.example/${day}`, at: now - day * 24 * hour });
  const { world, kept } = worldWithout({ gone: [], stay: [], copies: [] }, threads);
  const change: Change = { kind: "link", to: "gone" };
  const firing = { weight: "contrary", fired: seen, evidence: [{ source: "memory", seen, change }] };
  const earlier = { source: "memory", seen: now - 90 * 24 * hour, tries: 1, after: copy(89) };
  const store: Partial<World["store"]> = {
    ...world.store,
    firings: async () => [firing as unknown as StoredFiring],
    archivedChanges: async () => [earlier, { ...earlier, source: "another", after: copy(2) }],
    watches: async () => [{ past: { copy: copy(188), tries: 1 } } as unknown as Watch],
  };
  await findCopies({ ...world, store: store as World["store"] });
  expect(kept).toEqual([{ source: "memory", seen, tries: 1, before: copy(89) }]);
});
