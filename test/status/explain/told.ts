import { parse } from "yaml";
import { openStore } from "../../../src/adapters/store/open.ts";
import { linesOf } from "../../../src/faces/cli/explain/index.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Store } from "../../../src/model/ports/index.ts";
import type { Instant } from "../../../src/model/time.ts";
import { readers } from "../../../src/read/index.ts";
import { type Explanation, explain } from "../../../src/status/explain/index.ts";
import { play } from "../../../src/watch/replay/play.ts";
import { tapesOf } from "../../support/tapes.ts";

/** The store after a story; each source was checked every twelve hours. */
export async function after(config: Config, story: string, at: Instant): Promise<Told> {
  const tapes = tapesOf(parse(story), config);
  const half = 43_200_000;
  const whole = tapes.map(({ source, frames }) => {
    const times = new Set(frames.map((frame) => frame.at));
    const first = frames[0]?.at ?? at;
    const between = Array.from({ length: Math.floor((at - first) / half) }, (_, i) => ({ at: first + (i + 1) * half }));
    const all = [...frames, ...between.filter((frame) => !times.has(frame.at))];
    return { source, frames: all.sort((a, b) => a.at - b.at) };
  });
  const database = await openStore(":memory:");
  const store = database.repository("test");
  await play(whole, { config, readers, store, until: at });
  let issue = 12;
  for (const { id } of await store.rechecks()) await store.updateRecheck(id, { state: "open", issue: issue++ });
  return {
    store,
    about: async (name) => (await explain(name, { config, store, at })) ?? [],
    async lines(name) {
      const stories = (await explain(name, { config, store, at })) ?? [];
      return stories.flatMap((one) => linesOf(one, config, at));
    },
    close: () => database.close(),
  };
}

export interface Told {
  readonly store: Store;
  about(name: string): Promise<Explanation[]>;
  /** As the command prints it. */
  lines(name: string): Promise<string[]>;
  close(): Promise<void>;
}
