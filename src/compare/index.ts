import type { Change, Noise, Seen, Sighting } from "../model/change.ts";
import type { Trace } from "../model/heuristics.ts";
import type { Block, Facts, Item, Reading } from "../model/reading.ts";
import type { Duration, Instant } from "../model/time.ts";
import { compareFacts, type FactMemory, factsGiven, returnReports } from "./facts.ts";
import { compareItems, type ItemMemory } from "./items.ts";
import { comparePage, comparePageAgain } from "./page/index.ts";
import { acceptanceTimes } from "./page/judge.ts";
import type { PageMemory } from "./page/memory.ts";

/** Everything that is remembered of a source, as JSON. */
export interface Memory {
  readonly items?: ItemMemory;
  readonly facts?: FactMemory;
  readonly page?: PageMemory;
  readonly language?: string;
  /** For a reader that needs it: the text with which later readings are compared. */
  readonly atFirst?: string | undefined;
  /** The last title of a page or text. */
  readonly title?: string;
  /** Whether the last reading lacked its end, as `Reading.unclosed`. */
  readonly unclosed?: true;
  /** The target of a permanent redirect, since when, whether it was reported (`told`), and its address for people. */
  readonly moved?: {
    readonly address: string;
    readonly since: Instant;
    readonly told: boolean;
    readonly page?: string;
  };
  /** Earlier redirects, by target: when each ended, and how many times it was reported. */
  readonly movedBefore?: Readonly<Record<string, { readonly until: Instant; readonly times: number }>>;
  /** The last reading's items and facts, stored only while something waits for a second check. */
  readonly last?: Pick<Reading, "items" | "facts" | "partial">;
}

/** Characters of a title, at most. */
const maxTitle = 200;

export interface CompareOptions {
  readonly at: Instant;
  /** The time after a first sighting at which a second check confirms it; 0 accepts a change of text at once. */
  readonly confirmAfter: Duration;
  /** Whether a second check is only needed if something disappeared, for an undated entry in place of another, and for values. */
  readonly structured: boolean;
  /** Whether the list holds only current entries, so that a missing one was not withdrawn. */
  readonly current?: boolean | undefined;
  /** The day of the audit: at the first check, entries that are dated later, or cannot be older, are new. */
  readonly audited: Instant;
  readonly atAudit?: Facts;
  /** The last check that saw the source. */
  readonly last?: Instant;
  /** Receives each decision by a threshold. */
  readonly trace?: Trace;
}

/** The differences of one part of a source, and its new memory. */
export interface PartComparison<M, C extends Change = Change> {
  readonly memory: M;
  /** Confirmed; `since` is the first sighting. */
  readonly changes: readonly (Seen & { readonly change: C })[];
  /** Seen once; they wait. */
  readonly sightings: readonly Sighting[];
  /** Ignored, with the reason. */
  readonly noise: readonly Noise[];
}

export interface Comparison extends PartComparison<Memory> {
  /** Items that were already there at the first check. */
  readonly baseline: readonly Item[];
  /** The accepted content, with which claims are proved. */
  readonly accepted: readonly Block[];
}

/** Compares a reading with the memory of its source. Without memory, this is the first check. */
export function compare(memory: Memory | undefined, reading: Reading, check: CompareOptions): Comparison {
  const page = reading.blocks && comparePage(memory?.page, reading.blocks, check, reading);
  return join(memory, reading, page, check);
}

/** Compares the same response again: only confirms changes that wait, and values that returned. */
export function compareAgain(memory: Memory, check: CompareOptions): Comparison {
  const page = memory.page && comparePageAgain(memory.page, check);
  const { facts } = memory;
  const last = memory.last ?? (facts && { facts: factsGiven(facts), partial: facts.partial });
  return join(memory, { ...last, language: memory.language }, page, check);
}

function join(
  memory: Memory | undefined,
  reading: Reading,
  page: ReturnType<typeof comparePage> | undefined,
  check: CompareOptions,
): Comparison {
  const items = reading.items && compareItems(memory?.items, reading.items, check);
  const facts = reading.facts && compareFacts(memory?.facts, reading.facts, { ...check, partial: reading.partial });
  const parts = [items, facts, page].filter((part) => part !== undefined);
  const waits = (items?.sightings.length ?? 0) + (facts?.sightings.length ?? 0) > 0;
  return {
    memory: {
      items: items?.memory ?? memory?.items,
      facts: facts?.memory ?? memory?.facts,
      page: page?.memory ?? memory?.page,
      language: reading.language ?? memory?.language,
      title: (reading.blocks && reading.title?.slice(0, maxTitle)) ?? memory?.title,
      ...((reading.blocks ? reading.unclosed : memory?.unclosed) && { unclosed: true as const }),
      atFirst: reading.atFirst ?? memory?.atFirst,
      moved: memory?.moved,
      movedBefore: memory?.movedBefore,
      ...(waits ? { last: { items: reading.items, facts: reading.facts, partial: reading.partial } } : {}),
    },
    changes: parts.flatMap((part): readonly Seen[] => part.changes),
    sightings: parts.flatMap((part) => part.sightings),
    noise: parts.flatMap((part) => part.noise),
    baseline: items?.baseline ?? [],
    accepted: page?.accepted ?? [],
  };
}

/** Whether another reading of the same page would change nothing: no text waits, and it has no list or facts. */
export function isSettled({ page, items, facts, moved }: Memory): boolean {
  if (page === undefined || items !== undefined || facts !== undefined || moved !== undefined) return false;
  return page.pending.length === 0 && page.settled.length === 0 && page.latest === undefined;
}

/** When something is to be reported or accepted if it lasts, without a second check before. */
export function nextJudgement({ facts, page }: Memory): Instant | undefined {
  const times = [...(facts ? returnReports(facts) : []), ...(page ? acceptanceTimes(page) : [])];
  return times.length > 0 ? times.reduce((first, time) => Math.min(first, time)) : undefined;
}

/** When the first of the waiting changes was seen. */
export function waitingSince({ page, items, facts }: Memory): Instant {
  const ofItems = Object.values(items?.waiting ?? {}).map(({ since }) => since);
  const firstSeen = [...ofItems, ...Object.values(facts?.waiting ?? {})];
  const times = [...(page?.pending ?? []).map(({ since }) => since), ...firstSeen];
  return times.reduce((first, since) => Math.min(first, since), Infinity);
}

/** The first memory under other options: the text of a stored response, read with them. Lists and facts start again. */
export function reselect(
  { moved, movedBefore }: Memory,
  { blocks, region, around, language }: Reading,
  check: CompareOptions,
): Memory {
  return { ...compare(undefined, { blocks, region, around, language }, check).memory, moved, movedBefore };
}

/**
 * The memory after an improvement of the reader: it keeps its history, and gets the texts of `reading`, a stored
 * response read again. So the improvement is not reported as a change of the source.
 */
export function rebase(memory: Memory, reading: Reading, check: CompareOptions): Memory {
  const anew = compare({ ...memory, page: undefined }, reading, { ...check, confirmAfter: 0, structured: true });
  return anew.memory;
}
