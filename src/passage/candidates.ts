import { nth } from "./column.ts";
import type { Term, Words } from "./words.ts";

/** Places of a page where these words stand, one after the other, nothing else between. Knuth–Morris–Pratt: linear. */
export function occurrences(page: Words, passage: readonly Term[], limit: number): number[] {
  const wanted: number[] = [];
  for (const term of passage) {
    const id = page.idOf.get(term.key);
    if (id === undefined) return [];
    wanted.push(id);
  }
  if (wanted.length === 0) return [];
  const fallback = failureTable(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let i = 0; i < page.ids.length && found.length < limit; i++) {
    while (matched > 0 && page.ids[i] !== wanted[matched]) matched = nth(fallback, matched - 1);
    if (page.ids[i] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      found.push(i - matched + 1);
      matched = nth(fallback, matched - 1);
    }
  }
  return found;
}

function failureTable(wanted: readonly number[]): Int32Array {
  const table = new Int32Array(wanted.length);
  for (let i = 1, k = 0; i < wanted.length; i++) {
    while (k > 0 && wanted[i] !== wanted[k]) k = nth(table, k - 1);
    if (wanted[i] === wanted[k]) k++;
    table[i] = k;
  }
  return table;
}

/**
 * The likeliest windows for a passage that no longer stands there word for word: a window of `length` words slides over
 * the page and weighs the wanted words it holds, in any order. Linear. Best first, at most `limit`, one in each stretch.
 */
export function likelyWindows(
  page: Words,
  wanted: readonly { term: Term; weight: number }[],
  length: number,
  limit: number,
): { at: number; weight: number }[] {
  const { need, weight, classOf } = classes(page, wanted);
  const held = new Float64Array(need.length);
  const best: { at: number; weight: number }[] = [];
  let sum = 0;
  const gain = (c: number) => Math.min(nth(held, c), nth(need, c)) * nth(weight, c);
  for (let i = 0; i < page.ids.length; i++) {
    const entering = nth(classOf, nth(page.ids, i));
    if (entering >= 0) sum += change(entering, 1);
    const leaving = i < length ? -1 : nth(classOf, nth(page.ids, i - length));
    if (leaving >= 0) sum += change(leaving, -1);
    const at = Math.max(0, i - length + 1);
    const stretch = Math.floor(i / length);
    const kept = best[stretch];
    if (kept === undefined) best[stretch] = { at, weight: sum };
    else if (sum > kept.weight + 1e-9) best[stretch] = { at, weight: sum };
  }
  return best.sort((a, b) => b.weight - a.weight || a.at - b.at).slice(0, limit);

  function change(c: number, by: number): number {
    const before = gain(c);
    held[c] = nth(held, c) + by;
    return gain(c) - before;
  }
}

/** Words are wanted by stem, figures by dimension: another figure in the same place is what is looked for. */
function classes(page: Words, wanted: readonly { term: Term; weight: number }[]) {
  const numberOf = new Map<string, number>();
  const need: number[] = [];
  const weight: number[] = [];
  for (const { term, weight: w } of wanted) {
    const name = classOfTerm(term);
    let c = numberOf.get(name);
    if (c === undefined) {
      c = need.length;
      numberOf.set(name, c);
      need.push(0);
      weight.push(w);
    }
    need[c] = nth(need, c) + 1;
  }
  const classOf = Int32Array.from(page.terms, (term) => numberOf.get(classOfTerm(term)) ?? -1);
  return { need, weight, classOf };
}

function classOfTerm(term: Term): string {
  if (term.quantity !== undefined) return `\u0001${term.quantity.dimension}`;
  return term.number === undefined ? term.stem : "\u0002";
}
