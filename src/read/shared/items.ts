import { instantOf } from "../../language/dates.ts";
import type { Item } from "../../model/reading.ts";

/** An entry as a source gives it: parts may be missing, empty or nonsense. */
interface GivenItem extends Omit<Item, "at" | "url"> {
  /** Its date in any form, in UTC. */
  readonly at?: string | null | undefined;
  readonly url?: string | null | undefined;
}

/** The entry without its empty parts. */
export function itemFrom({ at, url, blocks, ...given }: GivenItem): Item {
  const instant = instantOf(at ?? undefined);
  return {
    ...given,
    ...(url && /^https?:\/\//i.test(url) && { url }),
    at: instant,
    ...(blocks?.length && { blocks }),
  };
}

/** The entry of one version of a named thing. */
export function versionItem(name: string, version: string, more: Partial<GivenItem>): Item {
  return itemFrom({ id: version, title: `${name} ${version}`.trim(), version, ...more });
}

/** Sorts a list of entries in place: the newest first, those without a date last. */
export function newestFirst(items: Item[]): Item[] {
  return items.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}
