import { datesIn } from "../../language/dates.ts";
import { nth, type Stretch } from "../../language/fold.ts";
import { isMonthName } from "../../language/month-names.ts";
import type { DecimalSign } from "../../language/numbers.ts";
import { spelledNumber } from "../../language/numerals.ts";
import { decimalSignIn, holdsQuantity, type Quantity, underSign } from "../../language/quantity.ts";
import { numbersOf, sentenceAt, spanAt, type Term, termsIn, type Words, wordsIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Proof } from "../../model/claim.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { cellsByStart, figurePlaces, inUnitOfCell, type Place, termAt } from "./places.ts";

/** A figure with its unit, near the words of `of`: in the same block, row, column or section. */
export type Value = Extract<Proof, { value: string }>;

/** `exact`: the figure is there. `altered`: another one is in its place. `text`: the sentence or cell around it. */
export type ValueMatch =
  | { readonly status: "exact" | "altered"; readonly text: string }
  | { readonly status: "absent" };

const absent: ValueMatch = { status: "absent" };

interface Pattern {
  /** How many words at this place are the value; 0 if they are not. */
  holds(page: Words, at: number, place: Place): number;
  /** Another value of the same kind at this place, and how much it differs; undefined if there is none. */
  other(page: Words, at: number, place: Place): { length: number; distance: number } | undefined;
}

/**
 * Searches for a figure. `exact`: it is there, perhaps as an end of a range. `altered`: another figure of the same
 * dimension is in its place. `hint`: the words around it when it was last found; of several places the most similar one
 * is taken.
 */
export function findValue(page: Words, value: Value, hint?: string): ValueMatch {
  const patterns = patternsOf(value.value);
  if (patterns.length === 0) return absent;
  const places = figurePlaces(page, value.of);
  for (const place of places) {
    const first = holdsAll(page, patterns, place);
    if (first !== undefined) return { status: "exact", text: textAround(page, place, first) };
  }
  return value.of === undefined && hint === undefined ? absent : otherValue();

  function otherValue(): ValueMatch {
    const remembered = new Set(wordsIn(hint ?? "").map((word) => word.term.stem));
    let best: { place: Place; at: number; length: number; rank: number; distance: number } | undefined;
    for (const place of places) {
      const nearest = nearestOther(page, patterns, place);
      if (nearest === undefined) continue;
      const memory = overlap(page, place, remembered);
      if (value.of === undefined && memory < 0.5) continue;
      const rank = place.closeness + memory;
      const better = best === undefined || rank > best.rank + 1e-9;
      if (better || (best !== undefined && rank > best.rank - 1e-9 && nearest.distance < best.distance))
        best = { place, rank, ...nearest };
    }
    return best === undefined ? absent : { status: "altered", text: textAround(page, best.place, best) };
  }
}

/** Figures with a known unit, or a day; otherwise the words themselves, in which a number may differ. */
function patternsOf(value: string): Pattern[] {
  const bare = value.trim();
  const date = dateAt(bare, 0);
  if (date?.end === bare.length) return [datePattern(date)];
  const terms = termsIn(inDigits(value));
  const figures = terms.flatMap(({ quantity }) => (quantity ? [quantityPattern(quantity)] : []));
  if (figures.length > 0) return figures;
  return terms.length === 0 ? [] : [termPattern(terms)];
}

/** `three years` as `3 years` */
function inDigits(value: string): string {
  const words = wordsIn(value);
  const first = spelledNumber((k) => words[k]?.term.key);
  return first === undefined ? value : `${first.number}${value.slice(words[first.length - 1]?.end)}`;
}

function spelledAt(page: Words, at: number, place: Stretch) {
  return spelledNumber((k) => {
    const word = at + k;
    return word >= place.from && word < place.to ? termAt(page, word).key : undefined;
  });
}

/** A day in any spelling: `1 March 2027`, `March 1st, 2027`, `2027-03-01`, `01.03.2027`, `2027年3月1日`. */
interface FoundDate {
  /** The first instants of the days that it may be: two, if it may be read as day and month or as month and day. */
  readonly days: readonly Instant[];
  readonly end: number;
}

const maxDateCharacters = 48;

/** The day that is written at this offset of a text, if there is one. */
function dateAt(text: string, start: number): FoundDate | undefined {
  const [date] = datesIn(text.slice(start, start + maxDateCharacters));
  if (date?.from !== 0 || date.precision !== "day" || date.days.length === 0) return undefined;
  return { days: date.days, end: start + date.to };
}

/** Days this far apart are not similar at all. */
const aYear = 365 * aDay;

function datePattern(target: FoundDate): Pattern {
  return {
    holds(page, at, place) {
      const date = dateOn(page, at, place);
      return date && isSameDay(date, target) ? date.length : 0;
    },
    other(page, at, place) {
      const date = dateOn(page, at, place);
      if (date === undefined) return undefined;
      const between = date.days.flatMap((day) => target.days.map((other) => Math.abs(day - other)));
      return { length: date.length, distance: Math.min(1, ...between.map((apart) => apart / aYear)) };
    },
  };
}

/** The day at this word of a page, and how many words it takes within its place. */
function dateOn(page: Words, at: number, place: Place) {
  const { key } = termAt(page, at);
  if (!/^\d/.test(key) && !isMonthName(key)) return undefined;
  const block = nth(page.block, at);
  const date = dateAt(nth(page.blocks, block).text, nth(page.start, at));
  let last = at;
  while (date && last + 1 < place.to && page.block[last + 1] === block && nth(page.start, last + 1) < date.end) last++;
  return date && date.end <= nth(page.end, last) + 1 ? { days: date.days, length: last - at + 1 } : undefined;
}

/** If both may be two days, both must begin with the same figure: `12/10/2027` is not `10/12/2027`. */
function isSameDay({ days }: Pick<FoundDate, "days">, wanted: FoundDate): boolean {
  if (days.length > 1 && wanted.days.length > 1) return days[0] === wanted.days[0];
  return days.some((day) => wanted.days.includes(day));
}

function quantityPattern(quantity: Quantity): Pattern {
  return {
    holds(page, at, place) {
      const there = quantityAt(page, at);
      if (there !== undefined && holdsQuantity(there, quantity)) return 1;
      return isCount(quantity, numbersAt(page, at)) ? 1 : holdsInWords(page, at, place, quantity);
    },
    other(page, at) {
      const there = quantityAt(page, at);
      if (there?.dimension !== quantity.dimension) return undefined;
      return { length: 1, distance: relativeDistance(there.to, quantity.to) };
    },
  };
}

/** `2 million` is 2,000,000. */
function isCount({ dimension, from, to }: Quantity, numbers: readonly number[]): boolean {
  return dimension === "count" && from === to && numbers.includes(from);
}

const signsOfPages = new WeakMap<Words, { readonly sign: DecimalSign | undefined }>();

function signOf(page: Words): DecimalSign | undefined {
  return makeOnce(signsOfPages, page, () => ({ sign: decimalSignIn(page.blocks.map(({ text }) => text)) })).sign;
}

/** The figure at this place of a page. For a cell with a bare number, in the unit of its row or column. */
function quantityAt(page: Words, at: number): Quantity | undefined {
  const { quantity, number } = termAt(page, at);
  if (quantity !== undefined) return quantity.other ? underSign(quantity, signOf(page)) : quantity;
  return number === undefined ? undefined : quantityInCell(page, at);
}

function quantityInCell(page: Words, at: number): Quantity | undefined {
  const block = nth(page.blocks, nth(page.block, at));
  if (block.kind !== "row") return undefined;
  const cells = cellsByStart(block);
  const cell = cells.get(nth(page.start, at));
  const label = cells.get(0);
  const written = block.text.slice(nth(page.start, at), nth(page.end, at));
  if (cell === label || cell?.text.trim() !== written) return undefined;
  const quantity = inUnitOfCell(written, cell, label);
  return quantity?.other ? underSign(quantity, signOf(page)) : quantity;
}

/** The numbers that a word of a page may mean: `1.299` is 1299 if the page has decimal commas elsewhere. */
function numbersAt(page: Words, at: number): number[] {
  const { number, other } = termAt(page, at);
  const sign = other?.because === "comma" ? signOf(page) : undefined;
  if (number === undefined || other === undefined || sign === undefined) return numbersOf(termAt(page, at));
  return [sign === "," ? other.value : number];
}

/** How many words `three years` takes for 3 years. */
function holdsInWords(page: Words, at: number, place: Place, wanted: Quantity): number {
  const spelled = spelledAt(page, at, place);
  if (spelled === undefined) return 0;
  const [there, ...more] = wordsIn(`${spelled.number} ${termAt(page, at + spelled.length).key}`);
  const isIt = there?.term.quantity !== undefined && more.length === 0 && holdsQuantity(there.term.quantity, wanted);
  return isIt ? spelled.length + 1 : 0;
}

/** How many words at this place are the term, as written or as the same number. */
function wordsOf(term: Term, page: Words, at: number, place: Place): number {
  if (at >= place.to) return 0;
  const there = termAt(page, at);
  if (there.key === term.key) return 1;
  const wanted = numbersOf(term);
  const isSame = there.quantity ? isCount(there.quantity, wanted) : meetsOther(term, page, at);
  return isSame ? 1 : 0;
}

/** Whether two numbers may be equal, if one has two readings: `1299` and `1.299`. */
function meetsOther(term: Term, page: Words, at: number): boolean {
  if (term.other === undefined && termAt(page, at).other === undefined) return false;
  const there = numbersAt(page, at);
  return numbersOf(term).some((one) => there.includes(one));
}

function inWords({ number }: Term, page: Words, at: number, place: Place): number {
  const spelled = number === undefined ? undefined : spelledAt(page, at, place);
  return spelled?.number === number ? (spelled?.length ?? 0) : 0;
}

function termPattern(terms: readonly Term[]): Pattern {
  const numbers = terms.filter((term) => term.number !== undefined).length;
  return {
    holds(page, at, place) {
      let end = at;
      for (const [k, term] of terms.entries()) {
        // A number in words has no meaning without the unit after it.
        const length = wordsOf(term, page, end, place) || (k < terms.length - 1 ? inWords(term, page, end, place) : 0);
        if (length === 0) return 0;
        end += length;
      }
      return end - at;
    },
    other(page, at, place) {
      if (numbers === 0 || at + terms.length > place.to) return undefined;
      let distance = 0;
      for (const [k, term] of terms.entries()) {
        const there = termAt(page, at + k);
        const [number] = numbersAt(page, at + k);
        if (term.number !== undefined && number !== undefined) distance += relativeDistance(number, term.number);
        else if (term.stem !== there.stem) return undefined;
      }
      return { length: terms.length, distance: distance / numbers };
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

/** The sentence around the figure, with the term that it explains; in a row, the cell with the row's label. */
function textAround(page: Words, place: Place, hit: Hit): string {
  const [from, to] = sentenceAt(page, hit.at, hit.at + hit.length - 1);
  const span = spanAt(page, from, to);
  const label = labelOf(page, place, from);
  const link = nth(page.blocks, span.block).kind === "row" ? " | " : ": ";
  return label === undefined ? span.text : `${label}${link}${span.text}`;
}

function labelOf(page: Words, place: Place, from: number): string | undefined {
  if (place.label === undefined && nth(page.blocks, nth(page.block, from)).kind !== "row") return undefined;
  const first = place.label?.from ?? place.from;
  const [labelFrom, labelTo] = sentenceAt(page, first, first);
  return labelTo < from ? spanAt(page, labelFrom, labelTo).text : undefined;
}

function overlap(page: Words, place: Place, remembered: ReadonlySet<string>): number {
  if (remembered.size === 0) return 0;
  const stretches = [place, ...(place.label ? [place.label] : [])];
  const ids = stretches.flatMap(({ from, to }) => [...page.ids.subarray(from, to)]);
  const stems = new Set(ids.map((id) => nth(page.terms, id).stem));
  return remembered.intersection(stems).size / remembered.size;
}

function relativeDistance(a: number, b: number): number {
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
}
