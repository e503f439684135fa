import type { ItemMemory } from "../compare/items.ts";
import type { Config } from "../model/config.ts";
import type { Unnamed } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { either } from "../model/words.ts";
import { releaseOf } from "./events.ts";

/** Entries of a list that are searched for versions, at most. */
const mostAsked = 200;
/** How many of the newest entries must name no version, if the gaps between earlier versions were small. */
const fewest = 5;
/** The same if only one version is known. */
const fewestOfOne = 10;

/**
 * Finds a source that announces products but names no version of them, or no longer does, so that their releases are
 * missed. Undefined for any other source.
 */
export function unnamedIn(items: ItemMemory | undefined, source: Source, config: Config): Unnamed | undefined {
  if (source.announces.length === 0 || items === undefined) return undefined;
  const versionIn = (id: string) => {
    const item = items.known[id];
    return item && releaseOf({ id, ...item }, source, config)?.version;
  };
  const dateOf = (id: string) => items.known[id]?.at ?? 0;
  const listed = items.window.toSorted((a, b) => dateOf(b) - dateOf(a)).slice(0, mostAsked);
  const [first] = listed;
  if (first === undefined) return undefined;
  const { version, title = first } = items.known[first] ?? {};
  const places = listed.flatMap((id, place) => (versionIn(id) === undefined ? [] : [place]));
  if (places.length > 0 && !hasStopped(places, listed, items)) return undefined;
  const named = listed[places[0] ?? -1] ?? Object.keys(items.known).findLast((id) => versionIn(id) !== undefined);
  const last = named === undefined ? undefined : versionIn(named);
  return {
    newest: (version ?? title).slice(0, 200),
    ...(last !== undefined && { last }),
    ...(version === undefined && { titled: true }),
  };
}

/** Whether more tags in a row lack a version now than ever between two versions. Titles may be about other things. */
function hasStopped(places: readonly number[], listed: readonly string[], { known }: ItemMemory): boolean {
  const [first = 0] = places;
  const between = places.slice(1).map((place, i) => place - (places[i] ?? 0) - 1);
  const enough = between.length === 0 ? fewestOfOne : Math.max(fewest, 2 * Math.max(...between) + 1);
  return first >= enough && listed.slice(0, first).every((id) => known[id]?.version !== undefined);
}

/** The message, to follow the name of the source. */
export function unnamedSays({ newest, last, titled }: Unnamed, { announces }: Source, config: Config): string {
  const products = either(announces);
  const since = last === undefined ? "so far" : `any more, the last was ${last}`;
  const isTagged = announces.some((id) => (config.products.get(id)?.tags.length ?? 0) > 0);
  const shape = isTagged ? "do its tags have another shape?" : "say the shape of its tags by `tags` of the product";
  const hint = titled ? "do its titles call the product otherwise (`aliases`)?" : shape;
  return `names no version of ${products} ${since}; its newest entry is ${newest}: ${hint}`;
}
