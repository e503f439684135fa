import type { CheckRecord, Store, Watch } from "../model/ports/index.ts";
import { pictureIn } from "../model/published.ts";
import { aDay, dayNumber, type Instant } from "../model/time.ts";
import { type Figures, figures, historyOf } from "../recheck/answer/figures.ts";
import type { Link } from "../recheck/issue/question.ts";
import { type TriggerStory, triggerStory } from "../status/explain/index.ts";
import { checksOf, pauseEvery25, type Records, readRecords } from "../status/explain/records.ts";
import { type SourceStory, sourceStory } from "../status/explain/source.ts";
import { blindAfter } from "../status/freshness.ts";
import { stoppedAfter } from "../watch/schedule.ts";
import { wasSeenOn } from "../watch/watch.ts";

/** Stored responses of a source that are searched for pictures, at most. */
const maxSnapshots = 40;

/**
 * Everything that is published of a report at one moment, from which every file for readers is made. It holds no checks, as all
 * of them take much memory: their histories are enough.
 */
export interface Edition extends Records {
  readonly histories: ReadonlyMap<string, CheckHistory>;
  /** In the order of config. */
  readonly sources: readonly SourceStory[];
  /** For sources that are opened in a browser: pictures from before and after the last change. */
  readonly pictures: ReadonlyMap<string, readonly Picture[]>;
  readonly triggers: readonly TriggerStory[];
  /** How useful each trigger's questions were, by its id. */
  readonly figures: ReadonlyMap<string, Figures>;
  readonly link: Link;
  /** The repository's web address: `https://github.com/owner/name`. */
  readonly repository?: string;
  readonly staleAfter: Instant;
}

export interface Publishing extends Pick<Edition, "config" | "at" | "link" | "repository"> {
  readonly store: Store;
}

/** Reads all that is stored. Makes no request. */
export async function editionOf(publishing: Publishing): Promise<Edition> {
  const { config, store, at, link, repository } = publishing;
  const records = await readRecords(config, store, at, []);
  const stories = new Map<string, SourceStory>();
  const histories = new Map<string, CheckHistory>();
  const pictures = new Map<string, readonly Picture[]>();
  for (const source of config.sources.values()) {
    // Loads the checks of one source at a time: all of them together would need as much memory as there is history.
    const checks = await checksOf(source, store);
    const story = sourceStory(source, { ...records, checks: new Map([[source.id, checks]]) });
    stories.set(source.id, story);
    const changed = story.happenings[0]?.since;
    if (source.options.browser === true && changed !== undefined)
      pictures.set(source.id, await picturesOf(source.id, changed, checks, store));
    const watch = records.watches.get(source.id);
    histories.set(source.id, {
      days: strip(watch, checks, at, stripDays),
      blindPeriods: blindPeriodsOf(watch, checks, at),
    });
    await pauseEvery25(stories.size);
  }
  const sources = [...stories.values()];
  const triggers: TriggerStory[] = [];
  for (const id of config.triggers.keys()) {
    triggers.push(triggerStory(id, records, stories));
    await pauseEvery25(0);
  }
  const figuresOf = (id: string) => figures(historyOf(id, records.rechecks, records.firings, records.answers));
  return {
    ...records,
    histories,
    sources,
    pictures,
    triggers,
    link,
    figures: new Map([...config.triggers.keys()].map((id) => [id, figuresOf(id)])),
    staleAfter: (records.status.lastCheck ?? at) + stoppedAfter(config),
    repository,
  };
}

export interface Picture {
  readonly at: Instant;
  /** WebP in Base64. */
  readonly picture: string;
}

async function picturesOf(
  source: string,
  changed: Instant,
  checks: readonly CheckRecord[],
  store: Store,
): Promise<readonly Picture[]> {
  // A check stores one response at most, so that the one before the change is among these.
  const since = checks.filter(({ at }) => at >= changed).length;
  const snapshots = await store.snapshots(source, Math.min(since + 1, maxSnapshots));
  const before = snapshots.find(({ at }) => at < changed);
  const after = snapshots.findLast(({ at }) => at >= changed);
  return [before, after].flatMap((snapshot) => {
    if (!snapshot) return [];
    const picture = pictureIn(snapshot.response.body);
    return picture === undefined ? [] : [{ at: snapshot.at, picture }];
  });
}

/** Functions that render files, by path. A file is rendered when it is requested, because a server has thousands. */
export type Sheets = ReadonlyMap<string, () => string>;

export function renderSheets(sheets: Sheets): ReadonlyMap<string, string> {
  return new Map([...sheets].map(([path, draw]) => [path, draw()]));
}

export function memoize<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

/** Days of checks that are shown: fewer than are stored. */
export const stripDays = 120;

/** The published checks of a source; of limited size. */
export interface CheckHistory {
  /** The oldest first; the last one is today. */
  readonly days: readonly DayOfChecks[];
  /** Periods in which it was not read for so long that it was blind, even if other sources covered it; oldest first. */
  readonly blindPeriods: readonly BlindPeriod[];
}

/** How a source was seen on one day. *changed*: something counted; *unknown*: it could not be seen at all. */
export type DayOfChecks = "seen" | "changed" | "unknown" | "none";

export interface BlindPeriod {
  readonly blindFrom: Instant;
  readonly says: string;
  readonly until?: Instant;
}

/** The last days of a source, the oldest first; the last one is the day of `at`. Days begin at 00:00 UTC. */
export function strip(
  watch: Pick<Watch, "seenDays" | "lastSeen"> | undefined,
  checks: readonly CheckRecord[],
  at: Instant,
  days: number,
): DayOfChecks[] {
  const today = dayNumber(at);
  const byDay = Map.groupBy(checks, (check) => dayNumber(check.at));
  return Array.from({ length: days }, (_, index) => {
    const number = today - days + 1 + index;
    const outcomes = (byDay.get(number) ?? []).map(({ outcome }) => outcome);
    if (outcomes.includes("changed")) return "changed";
    if (wasSeenOn(watch?.seenDays, watch?.lastSeen, number * aDay)) return "seen";
    if (outcomes.some((outcome) => outcome !== "unknown")) return "seen";
    return outcomes.length > 0 ? "unknown" : "none";
  });
}

function blindPeriodsOf(watch: Watch | undefined, checks: readonly CheckRecord[], at: Instant): BlindPeriod[] {
  if (!watch) return [];
  const blindPeriods: BlindPeriod[] = [];
  let failing: CheckRecord["failure"];
  const end = (until?: Instant) => {
    if (failing && failing.since + blindAfter <= (until ?? at)) {
      const { says, since } = failing;
      blindPeriods.push({ blindFrom: since + blindAfter, says, until });
    }
    failing = undefined;
  };
  for (const check of checks.toReversed()) {
    if (check.outcome === "unknown") failing = check.failure ?? failing;
    else end(check.at);
  }
  // `Watch.trouble` also covers checks that were not recorded.
  failing = watch.trouble;
  end();
  return blindPeriods;
}
