import { nth } from "./column.ts";
import { type Place, placesOf } from "./place.ts";
import { holdsQuantity, type Quantity, quantities } from "./quantity.ts";
import type { Found } from "./quote.ts";
import { sentenceAt, spanAt } from "./span.ts";
import { type Term, type Words, words } from "./words.ts";

/** A figure with its unit, near the words of `of` where given: in the same block, row, column or section. */
export interface Value {
  readonly value: string;
  readonly of?: string;
}

interface Pattern {
  /** Whether these words say the value. Returns how many of them, or 0. */
  holds(page: Words, at: number, place: Place): number;
  /** Whether another value of the same sort stands there, and how unlike it is; undefined: none. */
  other(page: Words, at: number, place: Place): { length: number; distance: number } | undefined;
}

/**
 * Looks for a figure. `exact`: it is there, also as one end of a range. `altered`: where it should be, another figure of
 * the same dimension stands. With `hint`, the words it was last found in, the likeliest of several places is taken.
 */
export function findValue(page: Words, wanted: Value, hint?: string): Found {
  const patterns = patternsOf(wanted.value);
  if (patterns.length === 0) return { status: "absent", similarity: 0 };
  const places = placesOf(page, wanted.of);
  for (const place of places) {
    const first = holdsAll(page, patterns, place);
    if (first !== undefined) return told(page, place, first, 1);
  }
  return wanted.of === undefined && hint === undefined ? { status: "absent", similarity: 0 } : another();

  function another(): Found {
    const remembered = new Set(words(hint ?? "").map((word) => word.term.stem));
    let best: { place: Place; at: number; length: number; rank: number; distance: number } | undefined;
    for (const place of places) {
      const nearest = nearestOther(page, patterns, place);
      if (nearest === undefined) continue;
      const memory = overlap(page, place, remembered);
      if (wanted.of === undefined && memory < 0.5) continue;
      const rank = place.closeness + memory;
      const better = best === undefined || rank > best.rank + 1e-9;
      if (better || (best !== undefined && rank > best.rank - 1e-9 && nearest.distance < best.distance))
        best = { place, rank, ...nearest };
    }
    if (best === undefined) return { status: "absent", similarity: 0 };
    return told(page, best.place, best, Math.max(0.01, Math.min(0.99, 1 - best.distance)));
  }
}

/** Figures with a known unit; else the words themselves, where a number may turn out another. */
function patternsOf(value: string): Pattern[] {
  const figures = quantities(value);
  if (figures.length > 0) return figures.map(quantityPattern);
  const terms = words(value).map((word) => word.term);
  return terms.length === 0 ? [] : [termPattern(terms)];
}

function quantityPattern(wanted: Quantity): Pattern {
  return {
    holds(page, at) {
      const there = termAt(page, at).quantity;
      return there !== undefined && holdsQuantity(there, wanted) ? 1 : 0;
    },
    other(page, at) {
      const there = termAt(page, at).quantity;
      if (there?.dimension !== wanted.dimension) return undefined;
      return { length: 1, distance: apart(there.to, wanted.to) };
    },
  };
}

function termPattern(wanted: readonly Term[]): Pattern {
  const numbers = wanted.filter((term) => term.number !== undefined).length;
  return {
    holds(page, at, place) {
      if (at + wanted.length > place.to) return 0;
      return wanted.every((term, k) => term.key === termAt(page, at + k).key) ? wanted.length : 0;
    },
    other(page, at, place) {
      if (numbers === 0 || at + wanted.length > place.to) return undefined;
      let distance = 0;
      for (const [k, term] of wanted.entries()) {
        const there = termAt(page, at + k);
        if (term.number !== undefined && there.number !== undefined) distance += apart(there.number, term.number);
        else if (term.stem !== there.stem) return undefined;
      }
      return { length: wanted.length, distance: distance / numbers };
    },
  };
}

interface Hit {
  readonly at: number;
  readonly length: number;
}

function holdsAll(page: Words, patterns: readonly Pattern[], place: Place): Hit | undefined {
  let first: Hit | undefined;
  for (const pattern of patterns) {
    let hit: Hit | undefined;
    for (let at = place.from; at < place.to && hit === undefined; at++) {
      const length = pattern.holds(page, at, place);
      if (length > 0) hit = { at, length };
    }
    if (hit === undefined) return undefined;
    first ??= hit;
  }
  return first;
}

function nearestOther(
  page: Words,
  patterns: readonly Pattern[],
  place: Place,
): (Hit & { distance: number }) | undefined {
  const missing = patterns.filter((pattern) => holdsAll(page, [pattern], place) === undefined);
  let nearest: (Hit & { distance: number }) | undefined;
  for (const pattern of missing)
    for (let at = place.from; at < place.to; at++) {
      const other = pattern.other(page, at, place);
      if (other !== undefined && (nearest === undefined || other.distance < nearest.distance))
        nearest = { at, ...other };
    }
  return nearest;
}

/** The sentence around the figure; in a row, its cell with the row's label. */
function told(page: Words, place: Place, hit: Hit, similarity: number): Found {
  const [from, to] = sentenceAt(page, hit.at, hit.at + hit.length - 1);
  const span = spanAt(page, from, to);
  const label = labelOf(page, place, from);
  const text = label === undefined ? span.text : `${label} | ${span.text}`;
  return { status: similarity === 1 ? "exact" : "altered", text, span, similarity };
}

function labelOf(page: Words, place: Place, from: number): string | undefined {
  if (nth(page.blocks, nth(page.block, from)).kind !== "row") return undefined;
  const first = place.label?.from ?? place.from;
  const [labelFrom, labelTo] = sentenceAt(page, first, first);
  return labelTo < from ? spanAt(page, labelFrom, labelTo).text : undefined;
}

function overlap(page: Words, place: Place, remembered: ReadonlySet<string>): number {
  if (remembered.size === 0) return 0;
  const there = new Set<string>();
  const collect = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const stem = termAt(page, at).stem;
      if (remembered.has(stem)) there.add(stem);
    }
  };
  collect(place.from, place.to);
  if (place.label !== undefined) collect(place.label.from, place.label.to);
  return there.size / remembered.size;
}

function apart(a: number, b: number): number {
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
}

function termAt(page: Words, at: number): Term {
  return nth(page.terms, nth(page.ids, at));
}
