import type { Check } from "../../model/check.ts";
import { conditionsOf, sourcesOfCondition, waitsForTime } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { isAsking, type Store, type StoredFiring, type StoredRecheck } from "../../model/ports/index.ts";
import { aDay, aMinute, type Instant } from "../../model/time.ts";
import type { Reader } from "../../read/reader.ts";
import { isKnown } from "../../recheck/issue/question.ts";
import { plan } from "../../recheck/plan.ts";
import type { World } from "../check.ts";
import { scan } from "../scan.ts";
import { access, type Tape, tapeFetch } from "./tape.ts";

/** Everything that a replay needs, above all an empty store and a config. */
export interface ReplaySettings {
  readonly config: Config;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly store: Store;
  /** When the open recheck of a trigger was answered. */
  readonly answers?: readonly { readonly trigger: string; readonly at: Instant }[];
  /**
   * The end of the replay: the tapes hold every check until then. Without it, they hold only what was recorded, and
   * confirmations are added when they are due.
   */
  readonly until?: Instant;
}

export interface Replay {
  readonly checks: readonly Check[];
  /** Oldest first, with all their evidence. */
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
}

interface Moment {
  readonly at: Instant;
  /** The source to check; without one, only time passes. */
  readonly source?: string;
  /** The trigger whose open recheck is answered. */
  readonly answered?: string;
}

const byTime = (one: Moment, other: Moment) => one.at - other.at;

/** How long a replay waits for confirmations after the last frame. */
const maxWaitAfterEnd = 7 * aDay;

/** Plays tapes through the program's own scan, one check at a time, with a clock that jumps from moment to moment. */
export async function play(tapes: readonly Tape[], settings: ReplaySettings): Promise<Replay> {
  const { config, readers, store, until } = settings;
  let now = 0;
  const clock = { now: () => now };
  const world: World = { config, readers, store, clock, access, fetch: tapeFetch(tapes, readers, clock) };
  const moments = momentsOf(tapes, settings);
  const last = (moments.at(-1)?.at ?? 0) + maxWaitAfterEnd;
  const checks: Check[] = [];
  for (let i = 0; i < moments.length; i++) {
    const { at, source, answered } = moments[i] ?? { at: now };
    now = at;
    if (answered !== undefined) {
      await close(answered, store, now);
      continue;
    }
    const scanned = await scan(world, { sources: source === undefined ? [] : [source] });
    checks.push(...scanned.checks);
    if (scanned.firings.length > 0) await ask(store, config, now);
    const { secondCheck } = scanned.checks[0] ?? {};
    const back = Math.max(secondCheck ?? Infinity, at + aMinute);
    if (until === undefined && back <= last) {
      moments.push({ at: back, source });
      moments.sort(byTime);
    }
  }
  return { checks, firings: await store.firings(), rechecks: await store.rechecks() };
}

/** Every frame; if a condition waits for time, each day and the end. Firings through silence are exact to the day. */
function momentsOf(tapes: readonly Tape[], { config, answers = [], until }: ReplaySettings): Moment[] {
  const frames = tapes.flatMap(({ source, frames }) => frames.map(({ at }): Moment => ({ at, source: source.id })));
  const end = until ?? frames.reduce((latest, { at }) => Math.max(latest, at), 0);
  const moments = [
    ...frames.filter(({ at }) => at <= end),
    ...answers.map(({ trigger, at }): Moment => ({ at, answered: trigger })),
    ...days(tapes, config, end),
  ];
  return moments.sort(byTime);
}

function days(tapes: readonly Tape[], config: Config, end: Instant): Moment[] {
  const conditions = [...config.triggers.values()].flatMap(conditionsOf).map(({ condition }) => condition);
  const timed = conditions.filter(waitsForTime);
  if (timed.length === 0) return [];
  const sourceIds = new Set(timed.flatMap((condition) => sourcesOfCondition(condition, config)).map(({ id }) => id));
  const starts = tapes.flatMap(({ frames }) => frames.slice(0, 1)).map(({ at }) => at);
  const dayMoments = (from: Instant, to: Instant, source?: string): Moment[] => [
    ...Array.from({ length: Math.max(0, Math.floor((to - from) / aDay)) }, (_, i) => ({
      at: from + (i + 1) * aDay,
      source,
    })),
    ...(to > from ? [{ at: to, source }] : []),
  ];
  return [
    ...tapes
      .filter(({ source }) => sourceIds.has(source.id))
      .flatMap(({ source, frames: [first], seenUntil = end }) =>
        first ? dayMoments(first.at, Math.min(end, seenUntil), source.id) : [],
      ),
    ...(starts.length > 0 ? dayMoments(Math.min(...starts), end) : []),
  ];
}

async function ask(store: Store, config: Config, at: Instant): Promise<void> {
  const actions = plan(await store.firings(), await store.rechecks(), (trigger) => isKnown(trigger, config));
  for (const action of actions) {
    if (action.kind === "join") await store.joinRecheck(action.recheck, action.firings, at);
    else {
      const { trigger, previous, firings } = action;
      await store.openRecheck(
        { trigger, state: "planned", marker: `${trigger} ${firings[0]}`, opened: at, previous },
        firings,
      );
    }
  }
}

async function close(trigger: string, store: Store, at: Instant): Promise<void> {
  const open = (await store.rechecks()).find((recheck) => recheck.trigger === trigger && isAsking(recheck));
  if (open) await store.updateRecheck(open.id, { state: "closed", closed: at });
}
