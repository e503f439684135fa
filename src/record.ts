import type { Block, Change, Item, Noise, Seen, Sighting } from "./model.ts";
import type { LookRecord } from "./ports.ts";

/** Of each sort, so many are kept of one look. */
const most = 50;
/** Characters that are kept of one text. */
const longest = 600;

/** What a look saw, cut to what is kept of it for `explain`. Texts of entries stay in the snapshot alone. */
export function brief(
  look: Omit<LookRecord, "left"> & { readonly changes: readonly Seen[] },
): LookRecord & { readonly changes: readonly Seen[] } {
  const { changes, sightings, noise } = look;
  const left = [changes, sightings, noise].reduce((sum, { length }) => sum + Math.max(0, length - most), 0);
  return {
    ...look,
    changes: first<Seen>(changes),
    sightings: first<Sighting>(sightings),
    noise: first<Noise>(noise),
    ...(left > 0 && { left }),
  };
}

function first<T extends { readonly change: Change }>(all: readonly T[]): T[] {
  return all.slice(0, most).map((one) => ({ ...one, change: briefly(one.change) }));
}

function briefly(change: Change): Change {
  switch (change.kind) {
    case "item-added":
    case "item-withdrawn":
      return { ...change, item: named(change.item) };
    case "item-edited":
      return { ...change, before: named(change.before), item: named(change.item) };
    case "fact":
    case "claim":
      return {
        ...change,
        ...(change.before !== undefined && { before: cut(change.before) }),
        ...(change.after !== undefined && { after: cut(change.after) }),
      };
    case "block":
      return {
        ...change,
        ...(change.before && { before: shortened(change.before) }),
        ...(change.after && { after: shortened(change.after) }),
      };
    case "link":
      return change;
  }
}

function named({ blocks: _, ...item }: Item): Item {
  return { ...item, title: cut(item.title) };
}

function shortened(block: Block): Block {
  return { ...block, path: block.path.slice(-6).map(cut), text: cut(block.text) };
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
