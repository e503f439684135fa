import { shared } from "../../model/apart.ts";
import { changedTexts } from "../../model/change-words.ts";
import type { Evidence } from "../../model/firing.ts";
import { fold } from "../../model/markdown.ts";
import { maxChangesOfSource } from "./diff.ts";
import type { Told } from "./together.ts";

/** Remembers what the entries of a list have shown so far, so that nothing is shown twice. */
export interface ShownBefore {
  readonly edits: Edit[];
  /** Sections that matched, with the number of the entry that shows them. */
  readonly excerpts: Map<string, number>;
  /**
   * Events with where they were seen, and the number of the entry that tells of them: several triggers may ask about
   * one.
   */
  readonly events: Map<string, number>;
}

interface Edit {
  readonly source: string;
  readonly before: string;
  readonly after: string;
  /** Both texts without what they share. */
  readonly core: string;
  /** The number of the entry that shows it. */
  readonly number: number;
}

export function nothingShown(): ShownBefore {
  return { edits: [], excerpts: new Map(), events: new Map() };
}

/** The entry that told of the same event, seen in the same sources; from then on this one does, if none did. */
export function sameEvent(
  { event, evidence, releases = [] }: Told,
  number: number,
  { events }: ShownBefore,
): number | undefined {
  const key = JSON.stringify([
    event.key,
    releases.map((one) => one.event.key),
    [...new Set(evidence.map(({ source }) => source))].sort(),
  ]);
  const known = events.get(key);
  if (known === undefined) events.set(key, number);
  return known;
}

/** Parts what an entry has to show from what others show already; what it shows is told from then on. */
export function freshIn(
  evidence: readonly Evidence[],
  number: number,
  told: ShownBefore,
): { readonly fresh: readonly Evidence[]; readonly shownIn: readonly number[] } {
  const fresh: Evidence[] = [];
  const own: Edit[] = [];
  const shownIn = new Set<number>();
  for (const piece of evidence) {
    const edit = editOf(piece, number);
    const same = edit && told.edits.find((earlier) => isSame(earlier, edit));
    if (same) shownIn.add(same.number);
    else fresh.push(piece);
    if (edit && !same && own.length < maxChangesOfSource) own.push(edit);
  }
  told.edits.push(...own);
  return { fresh, shownIn: [...shownIn] };
}

function editOf({ source, change }: Evidence, number: number): Edit | undefined {
  const texts = changedTexts(change);
  if (!texts) return undefined;
  const [before, after] = texts.map((text) => fold(text ?? "")) as [string, string];
  const { start, end } = shared(before, after);
  const core = JSON.stringify([before, after].map((text) => text.slice(start, text.length - end)));
  return { source, before, after, core, number };
}

/** A passage and the paragraph that it stands in are edited by one edit. */
function isSame(one: Edit, other: Edit): boolean {
  if (one.source !== other.source || one.core !== other.core) return false;
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(small: Edit, large: Edit): boolean {
  return large.before.includes(small.before) && large.after.includes(small.after);
}
