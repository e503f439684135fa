import type { Item } from "../model/reading.ts";
import { pageKey } from "../model/source.ts";

/** The parts that identify an entry; `text` identifies its text, if any. */
type Named = Pick<Item, "id" | "title" | "at" | "url"> & { readonly text?: string | undefined };

/** At least this many entries with a new id and date are a renaming of the list. A single one may be a new edition. */
const minRenamedTogether = 3;

/**
 * Finds entries with another id than before, by their new ids. Either the old id is gone, and the time and one of
 * title, address and text are the same, or the id is the address; or the site renamed all entries, perhaps with new
 * dates, but with the same titles, and the same addresses or texts.
 *
 * @param before the entries of the last check
 * @param knownItems the ids of all entries ever listed
 */
export function findRenamed(
  before: readonly Named[],
  items: readonly Named[],
  knownItems: ReadonlyMap<string, unknown>,
): Map<string, string> {
  const listed = new Set(items.map(({ id }) => id));
  const missing = before.filter(({ id }) => !listed.has(id));
  const additions = items.filter(({ id }) => !knownItems.has(id));
  if (additions.length === 0) return new Map();
  const dated = missing.filter(({ at }) => at !== undefined);
  const byTime = new Map(dated.map((item) => [titleAndTime(item), item.id]));
  const goneIds = [...knownItems.keys()].filter((id) => !listed.has(id)).map((id) => ({ id }));
  const byId = pairByName<Pick<Named, "id">>(goneIds, additions, ({ id }) => addressOf(id));
  const byAddress = pairByName(missing, additions, ({ at, url }) =>
    at === undefined ? undefined : keyWithAddress(at, url),
  );
  const byText = pairByName(missing, additions, ({ at, text }) =>
    at === undefined || !text ? undefined : `${at} ${text}`,
  );
  const byTitle = (keyOf: (one: Named) => string | undefined) => pairByName(missing, additions, keyOf, [before, items]);
  const titleRenames = [
    byTitle(({ title, url }) => keyWithAddress(title, url)),
    byTitle(({ title, text }) => (text ? JSON.stringify([title, text]) : undefined)),
  ].find(({ size }) => size >= minRenamedTogether);
  return new Map(
    additions.flatMap((addition) => {
      const id =
        byTime.get(titleAndTime(addition)) ??
        byId.get(addition.id) ??
        byAddress.get(addition.id) ??
        byText.get(addition.id) ??
        titleRenames?.get(addition.id);
      return id === undefined ? [] : [[addition.id, id] as const];
    }),
  );
}

function titleAndTime({ title, at }: Named): string {
  return JSON.stringify([title, at]);
}

function keyWithAddress(what: string | number, url: string | undefined): string | undefined {
  const address = addressOf(url);
  return address === undefined ? undefined : JSON.stringify([what, address]);
}

/** The old id of each new entry with the same name as a missing one, if the name is unique in both lists. */
function pairByName<T extends Pick<Named, "id">>(
  removals: readonly T[],
  additions: readonly T[],
  nameOf: (one: T) => string | undefined,
  [before, items]: readonly [readonly T[], readonly T[]] = [removals, additions],
): Map<string, string> {
  const [old, now] = [uniqueByName(before, nameOf), uniqueByName(items, nameOf)];
  const removedIds = new Set(removals.map(({ id }) => id));
  return new Map(
    additions.flatMap((one) => {
      const name = nameOf(one);
      const id = name !== undefined && now.get(name) === one.id ? old.get(name) : undefined;
      return id !== undefined && removedIds.has(id) ? [[one.id, id] as const] : [];
    }),
  );
}

function uniqueByName<T extends Pick<Named, "id">>(
  all: readonly T[],
  nameOf: (one: T) => string | undefined,
): Map<string, string> {
  const named = Map.groupBy(all, nameOf);
  return new Map(
    [...named].flatMap(([name, [one, another]]) => (name && one && !another ? [[name, one.id] as const] : [])),
  );
}

/** The key of a page with its fragment: a list may link to parts of one page. */
function addressOf(written: string | undefined): string | undefined {
  const url = written !== undefined && /^https?:/i.test(written) ? URL.parse(written) : null;
  return url ? pageKey(url.href) + url.hash : undefined;
}
