import { makeOnce } from "../model/cache.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import type { UnnamedEntry, Watch } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { Duration } from "../model/time.ts";
import { enumerateOr } from "../model/words.ts";
import type { World } from "./check.ts";
import {
  type Candidates,
  latestDue,
  latestLastCheck,
  maxEarly,
  type ScanTime,
  type SourceSelection,
} from "./schedule.ts";
import { subjectOf } from "./watch.ts";

/**
 * The sources of a config, and their stored watches. Once every source has its watch, which a digest of all sources records, a
 * scan reads only the watches that are due, even with very many sources.
 */

interface Roster {
  readonly digest: string;
  readonly early: Duration;
}

/** The roster of each config. A config never changes, so it is built once. */
const rosters = new WeakMap<Config, Roster>();

function rosterOf(config: Config): Roster {
  return makeOnce(rosters, config, () => {
    const sources = [...config.sources.values()];
    return {
      digest: digest(sources.map((source) => [source.id, subjectOf(source)])),
      early: sources.reduce((most, source) => Math.max(most, maxEarly(source, config)), 0),
    };
  });
}

/** The sources that may be due at a time, or were chosen by name; all until every one is known to have its watch. */
export async function candidatesAt(
  time: ScanTime,
  { config, store }: Pick<World, "config" | "store">,
  choice: SourceSelection,
): Promise<Candidates & { readonly watches: Map<string, Watch> }> {
  const { digest, early } = rosterOf(config);
  const noted = await store.roster();
  if (choice.all || noted !== digest) {
    // If the program dies half-way, the watches are not taken for complete.
    if (noted && noted !== digest) await store.saveRoster("");
    const watches = await allWatches({ config, store });
    const sources = [...config.sources.values()];
    const isWhole = sources.every(({ id }) => watches.has(id));
    if (isWhole !== (noted === digest)) await store.saveRoster(isWhole ? digest : "");
    return { sources, watches };
  }
  const watches = choice.sources
    ? await store.watches(choice.sources)
    : await store.dueWatches(latestDue(time, early), latestLastCheck(time.at));
  const sources = watches.flatMap(({ source }) => config.sources.get(source) ?? []);
  return { sources, watches: new Map(watches.map((watch) => [watch.source, watch])) };
}

/** The watches of all sources in config. A source renamed in config keeps its memory. */
async function allWatches({ config, store }: Pick<World, "config" | "store">): Promise<Map<string, Watch>> {
  const watches = new Map((await store.watches()).map((watch) => [watch.source, watch]));
  const unclaimed = new Map(
    [...watches.values()].filter(({ source }) => !config.sources.has(source)).map((one) => [one.subject, one]),
  );
  for (const source of config.sources.values()) {
    if (unclaimed.size === 0) break;
    const same = watches.has(source.id) ? undefined : unclaimed.get(subjectOf(source));
    if (!same) continue;
    await store.rename(same.source, source.id);
    watches.set(source.id, { ...same, source: source.id });
    unclaimed.delete(same.subject);
  }
  for (const { source } of unclaimed.values()) watches.delete(source);
  if (unclaimed.size > 0) await store.forget([...unclaimed.values()].map(({ source }) => source));
  return watches;
}

/** Adds those watches of these sources that are not loaded yet. */
export async function recallWatches(
  watches: Map<string, Watch>,
  ids: readonly string[],
  { store }: Pick<World, "store">,
): Promise<void> {
  const missing = ids.filter((id) => !watches.has(id));
  if (missing.length === 0) return;
  for (const watch of await store.watches(missing)) watches.set(watch.source, watch);
}

/** Sources that name no version of the products that they announce, each with a sentence about it. */
export function unnamedSources(
  config: Config,
  watches: readonly Watch[],
): readonly { readonly source: string; readonly says: string }[] {
  return watches.flatMap(({ source: id, unnamed }) => {
    const source = config.sources.get(id);
    return source && unnamed ? [{ source: id, says: unnamedSays(unnamed, source, config) }] : [];
  });
}

/** The message, to follow the name of the source. */
export function unnamedSays({ newest, last, titled }: UnnamedEntry, { announces }: Source, config: Config): string {
  const products = enumerateOr(announces);
  const since = last === undefined ? "so far" : `any more, the last was ${last}`;
  const isTagged = announces.some((id) => (config.products.get(id)?.tags.length ?? 0) > 0);
  const shape = isTagged ? "do its tags have another shape?" : "declare the shape of its tags as `tags` of the product";
  const hint = titled ? "do its titles use another name of the product (`aliases`)?" : shape;
  return `names no version of ${products} ${since}; its newest entry is ${newest}: ${hint}`;
}
