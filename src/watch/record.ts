import { cutToDifference, withEllipses } from "../model/apart.ts";
import type { Change } from "../model/change.ts";
import type { PendingSighting } from "../model/check.ts";
import type { Happening } from "../model/firing.ts";
import { cut } from "../model/markdown.ts";
import type { CheckRecord } from "../model/ports/index.ts";
import type { Block, Item } from "../model/reading.ts";

/** Entries kept of each list of one check: events, changes of an event, match results, sightings, noise. */
const maxEntries = 50;
const maxTextCharacters = 600;

type Waiting = Partial<Pick<CheckRecord, "sightings" | "noise">>;

/** Shortens the record of a check to what `explain` needs. Texts of entries are only in the snapshot. */
export function checkRecordOf(record: Omit<CheckRecord, "left" | "sightings" | "noise"> & Waiting): CheckRecord {
  const { happenings = [], sightings = [], noise = [] } = record;
  const omitted = [happenings, sightings, noise].reduce((sum, list) => sum + countBeyondLimit(list), 0);
  return {
    ...record,
    happenings: happenings.slice(0, maxEntries).map(shortHappening),
    sightings: sightings.slice(0, maxEntries).map(shortSighting),
    noise: noise.slice(0, maxEntries).map(shortenChange),
    ...(omitted > 0 && { left: omitted }),
  };
}

function shortSighting(sighting: PendingSighting): PendingSighting {
  const { claims } = sighting;
  if (!claims) return shortenChange(sighting);
  return {
    ...shortenChange(sighting),
    claims: claims.slice(0, maxEntries).map((claim) => ({ ...claim, ...shortTexts(claim.before, claim.after) })),
  };
}

function shortHappening({ event, changes, results }: Happening): Happening {
  const omitted = countBeyondLimit(changes) + countBeyondLimit(results);
  return {
    event,
    changes: changes.slice(0, maxEntries).map(shortenChange),
    results: results.slice(0, maxEntries).map((match) => ({ ...match, verdicts: match.verdicts.slice(0, maxEntries) })),
    ...(omitted > 0 && { left: omitted }),
  };
}

function countBeyondLimit({ length }: readonly unknown[]): number {
  return Math.max(0, length - maxEntries);
}

function shortenChange<T extends { readonly change: Change }>(one: T): T {
  return { ...one, change: shortChange(one.change) };
}

function shortChange(change: Change): Change {
  switch (change.kind) {
    case "item-added":
    case "item-withdrawn":
      return { ...change, item: withoutText(change.item) };
    case "item-edited":
      return { ...change, before: withoutText(change.before), item: withoutText(change.item) };
    case "fact":
    case "claim":
      return { ...change, ...shortTexts(change.before, change.after) };
    case "block": {
      const { before, after } = shortTexts(change.before?.text, change.after?.text);
      return {
        ...change,
        ...(change.before && { before: shortBlock(change.before, before) }),
        ...(change.after && { after: shortBlock(change.after, after) }),
      };
    }
    case "turned":
    case "link":
      return change;
  }
}

function withoutText({ blocks: _, ...item }: Item): Item {
  return { ...item, title: shorten(item.title) };
}

function shortBlock(block: Block, text = ""): Block {
  return { ...block, path: block.path.slice(-6).map(shorten), text };
}

/** Cuts both texts of a change around the words that differ. */
function shortTexts(before: string | undefined, after: string | undefined): { before?: string; after?: string } {
  if (before === undefined || after === undefined) {
    return {
      ...(before !== undefined && { before: shorten(before) }),
      ...(after !== undefined && { after: shorten(after) }),
    };
  }
  if (Math.max(before.length, after.length) <= maxTextCharacters) return { before, after };
  const around = 100;
  const [left, right] = cutToDifference(before, after, around, maxTextCharacters - 2 * around);
  return { before: shorten(withEllipses(left)), after: shorten(withEllipses(right)) };
}

function shorten(text: string): string {
  return cut(text, maxTextCharacters);
}
