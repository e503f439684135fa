import { closing } from "../../model/closing.ts";
import type { Config } from "../../model/config.ts";
import type { Clock, Store, StoredFiring } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import { aDay, type Instant } from "../../model/time.ts";
import type { Reader } from "../../read/reader.ts";
import { play, type Replay } from "./play.ts";
import { storedTapes } from "./tape.ts";

/** The differences between the questions of two configs over the stored past. */
export interface BothReplays extends ReplayDifference {
  readonly days: number;
  /** Sources of the new config without a stored past: new ones, and those with another address. */
  readonly unplayed: readonly string[];
}

interface ReplayWorld {
  readonly store: Store;
  readonly clock: Clock;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly scratch: () => Promise<{ readonly store: Store; close(): Promise<void> }>;
}

/** Replays what is stored with both configs: their common sources; with the old one, those that left, too. */
export async function replayBoth(before: Config, after: Config, world: ReplayWorld): Promise<BothReplays | undefined> {
  const sources = [...before.sources.values()];
  const shared = new Set(sources.filter((source) => isIn(after, source)).map(({ id }) => id));
  const dropped = sources.filter((source) => isDropped(after, source)).map(({ id }) => id);
  const playable = selectSources(new Set([...shared, ...dropped]), before);
  const { tapes, answers } = await storedTapes(playable, world.store);
  const starts = tapes.flatMap(({ frames }) => frames[0]?.at ?? []);
  if (starts.length === 0) return undefined;
  const until = world.clock.now();
  const replay = async (config: Config): Promise<Replay> => {
    await using scratch = closing(await world.scratch());
    const ownTapes = tapes.flatMap((tape) => {
      const source = config.sources.get(tape.source.id);
      return source ? [{ ...tape, source }] : [];
    });
    const { readers } = world;
    return await play(ownTapes, { config, readers, store: scratch.store, answers, until });
  };
  const differs = compareReplays(await replay(playable), await replay(selectSources(shared, after)));
  const unplayed = [...after.sources.keys()].filter((id) => !shared.has(id));
  return { ...differs, days: Math.max(1, Math.round((until - Math.min(...starts)) / aDay)), unplayed };
}

function isIn({ sources }: Config, { id, kind, address }: Source): boolean {
  const other = sources.get(id);
  return other?.kind === kind && other.address === address;
}

/** Whether the other config no longer has the address or the id. */
function isDropped({ sources }: Config, { id, kind, address }: Source): boolean {
  return !sources.has(id) && ![...sources.values()].some((one) => one.kind === kind && one.address === address);
}

function selectSources(sources: ReadonlySet<string>, config: Config): Config {
  return { ...config, sources: new Map([...config.sources].filter(([id]) => sources.has(id))) };
}

export interface ReplayDifference {
  readonly came: readonly StoredFiring[];
  readonly went: readonly StoredFiring[];
  /** Firings that both have. */
  readonly stayed: number;
  readonly rechecks: Balance;
}

/** Rechecks that only one of two configs would have opened, as the other asks about none of their events. */
export interface Balance {
  readonly came: number;
  readonly went: number;
}

export function firedSince({ firings }: Pick<Replay, "firings">, since: Instant): StoredFiring[] {
  return firings.filter(({ fired }) => fired >= since);
}

/**
 * Compares the firings since a day, by trigger and event. A firing that differs only in evidence or weight counts as unchanged.
 * Events of one trigger that join its open recheck are one recheck.
 */
export function compareReplays(before: Questions, after: Questions, since: Instant = 0): ReplayDifference {
  const [old, now] = [firedSince(before, since), firedSince(after, since)];
  const [oldKeys, nowKeys] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))];
  return {
    came: now.filter((firing) => !oldKeys.has(keyOf(firing))),
    went: old.filter((firing) => !nowKeys.has(keyOf(firing))),
    stayed: now.filter((firing) => oldKeys.has(keyOf(firing))).length,
    rechecks: { came: openedBeyond(before, after, since), went: openedBeyond(after, before, since) },
  };
}

type Questions = Pick<Replay, "firings" | "rechecks">;

function openedBeyond(otherReplay: Questions, { firings, rechecks }: Questions, since: Instant): number {
  const otherKeys = new Set(otherReplay.firings.map(keyOf));
  const shared = new Set(firings.filter((firing) => otherKeys.has(keyOf(firing))).map(({ recheck }) => recheck));
  return rechecks.filter(({ id, opened }) => opened >= since && !shared.has(id)).length;
}

function keyOf({ trigger, event }: StoredFiring): string {
  return JSON.stringify([trigger, event.key]);
}
