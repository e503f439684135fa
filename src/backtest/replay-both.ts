import type { Config, Instant, Source } from "../model.ts";
import type { Clock, Store } from "../ports.ts";
import type { Reader } from "../read/reader.ts";
import { type Difference, difference } from "./difference.ts";
import { type Played, play } from "./play.ts";
import { storedTapes } from "./stored.ts";

/** What two configs would have asked over what is stored. */
export interface Both extends Difference {
  /** How far back what is stored reaches. */
  readonly days: number;
  /** Sources of the config after that are not in it: new, or moved. */
  readonly unplayed: readonly string[];
}

interface Stage {
  readonly store: Store;
  readonly clock: Clock;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly scratch: () => Promise<{ readonly store: Store; close(): Promise<void> }>;
}

const day = 86_400_000;

/**
 * Replays what is stored with both configs: over the sources that both have, and before also over those that were dropped.
 * Undefined where nothing is stored of them.
 */
export async function replayBoth(before: Config, after: Config, stage: Stage): Promise<Both | undefined> {
  const sources = [...before.sources.values()];
  const shared = new Set(sources.filter((source) => isIn(after, source)).map(({ id }) => id));
  const dropped = sources.filter((source) => isDropped(after, source)).map(({ id }) => id);
  const whole = only(new Set([...shared, ...dropped]), before);
  const { tapes, answers } = await storedTapes(whole, stage.store);
  const starts = tapes.flatMap(({ frames }) => frames[0]?.at ?? []);
  if (starts.length === 0) return undefined;
  const until = stage.clock.now();
  const played = async (config: Config): Promise<Played> => {
    const { store, close } = await stage.scratch();
    try {
      const own = tapes.flatMap((tape) => {
        const source = config.sources.get(tape.source.id);
        return source ? [{ ...tape, source }] : [];
      });
      return await play(own, { config, readers: stage.readers, store, answers, comesBack: false, until });
    } finally {
      await close();
    }
  };
  const differs = difference(await played(whole), await played(only(shared, after)));
  const unplayed = [...after.sources.keys()].filter((id) => !shared.has(id));
  return { ...differs, days: daysFrom(Math.min(...starts), until), unplayed };
}

/** Whether the other config looks at the same address the same way. */
function isIn({ sources }: Config, { id, kind, address }: Source): boolean {
  const other = sources.get(id);
  return other?.kind === kind && other.address === address;
}

/** Whether the other config looks at its address no more. One with another address or id may tell the same as before. */
function isDropped({ sources }: Config, { id, kind, address }: Source): boolean {
  return !sources.has(id) && ![...sources.values()].some((one) => one.kind === kind && one.address === address);
}

function only(sources: ReadonlySet<string>, config: Config): Config {
  return { ...config, sources: new Map([...config.sources].filter(([id]) => sources.has(id))) };
}

function daysFrom(start: Instant, until: Instant): number {
  return Math.max(1, Math.round((until - start) / day));
}
