import { digest } from "../model/digest.ts";
import type { Config, Duration } from "../model/model.ts";
import type { Watch } from "../model/ports/index.ts";
import type { World } from "./check.ts";
import {
  type Candidates,
  latestDue,
  latestLastLook,
  mostEarly,
  type ScanTime,
  type SourceSelection,
} from "./schedule.ts";
import { subjectOf } from "./watch.ts";

/**
 * The sources of a config beside the watches that are kept. Once each source was found to have its watch, which is noted by a
 * digest of them all, a scan reads only the watches that are due, however many sources there are.
 */

/** The sources of a config as a whole. */
interface Roster {
  readonly digest: string;
  /** How much sooner than it is due any of them may be looked at. */
  readonly early: Duration;
}

/** A config never changes: each is told once. */
const rosters = new WeakMap<Config, Roster>();

function rosterOf(config: Config): Roster {
  const known = rosters.get(config);
  if (known) return known;
  const sources = [...config.sources.values()];
  const roster = {
    digest: digest(sources.map((source) => [source.id, subjectOf(source)])),
    early: sources.reduce((most, source) => Math.max(most, mostEarly(source, config)), 0),
  };
  rosters.set(config, roster);
  return roster;
}

/**
 * Finds the sources that may be due at a time, or are chosen by name; all sources of a config while it is not known that each
 * has its watch.
 */
export async function candidatesAt(
  time: ScanTime,
  { config, store }: Pick<World, "config" | "store">,
  choice: SourceSelection,
): Promise<Candidates & { readonly watches: Map<string, Watch> }> {
  const { digest, early } = rosterOf(config);
  const noted = await store.roster();
  if (choice.all || noted !== digest) {
    // Whatever ends this half-way, nobody takes the watches for whole.
    if (noted && noted !== digest) await store.saveRoster("");
    const watches = await allWatches({ config, store });
    const sources = [...config.sources.values()];
    const isWhole = sources.every(({ id }) => watches.has(id));
    if (isWhole !== (noted === digest)) await store.saveRoster(isWhole ? digest : "");
    return { sources, watches };
  }
  const found = choice.sources
    ? await store.watches(choice.sources)
    : await store.dueWatches(latestDue(time, early), latestLastLook(time.at));
  const sources = found.flatMap(({ source }) => config.sources.get(source) ?? []);
  return { sources, watches: new Map(found.map((watch) => [watch.source, watch])) };
}

/**
 * The watches of all sources that config has. A source that config calls something else now keeps what is remembered of
 * it.
 */
async function allWatches({ config, store }: Pick<World, "config" | "store">): Promise<Map<string, Watch>> {
  const known = new Map((await store.watches()).map((watch) => [watch.source, watch]));
  const left = new Map(
    [...known.values()].filter(({ source }) => !config.sources.has(source)).map((one) => [one.subject, one]),
  );
  for (const source of config.sources.values()) {
    if (left.size === 0) break;
    const same = known.has(source.id) ? undefined : left.get(subjectOf(source));
    if (!same) continue;
    await store.rename(same.source, source.id);
    known.set(source.id, { ...same, source: source.id });
    left.delete(same.subject);
  }
  for (const { source } of left.values()) known.delete(source);
  if (left.size > 0) await store.forget([...left.values()].map(({ source }) => source));
  return known;
}

/** Adds the watches of these sources to those that are known, as far as they are missing there. */
export async function recallWatches(
  known: Map<string, Watch>,
  ids: readonly string[],
  { store }: Pick<World, "store">,
): Promise<void> {
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return;
  for (const watch of await store.watches(missing)) known.set(watch.source, watch);
}
