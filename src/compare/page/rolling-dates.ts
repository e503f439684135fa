import { datesIn, daysOf, replaceDates } from "../../language/dates.ts";
import { quantities } from "../../language/quantity.ts";
import type { Seen } from "../../model/change.ts";
import { aDay, type Duration, day, type Instant } from "../../model/time.ts";
import { isBinding } from "./build-stamps.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import { nameOf } from "./text.ts";

/**
 * Texts whose date moves with the clock: "This draft expires on 4 September", "Generated on 27 February", "90 days
 * left". They are recognised by their history: at each change the date was as far from the check as the time before. A
 * date that people set moves irregularly. In a window of days, the first days go when the next ones come.
 */

/** A text at its place without its dates, and the distance of its date from its appearance, at least and at most. */
export interface Roll {
  readonly form: string;
  readonly least: Duration;
  readonly most: Duration;
}

/** When a text appeared: between the last check without it and the first with it. */
export type Sight = Pick<Seen, "since" | "absent">;

/** For other time zones, and parts of a day. */
const slack = aDay;
/** If two checks are further apart, a text that appeared between them is dated shortly before the second. */
const longestGap = 7 * aDay;
const mostRolls = 500;
/** Characters of a text with a date that may roll, at most. */
const longest = 500;

/** A text whose date or number of days changed, with the text before. */
interface Step extends Roll {
  readonly old: ChangedText;
  readonly now: ChangedText;
  readonly shift: Duration;
  /** Whether it moved by whole months: people set another date, too, when they renew a text. */
  readonly isRound: boolean;
  /** The old and the new date. */
  readonly move: string;
  /** All moves that its dates may be: of a month, from each of its days. */
  readonly moves: readonly string[];
}

/** The changed texts whose date moved with the clock, as the time before, or as far as a stamp of the page now. */
export function rollingTexts(
  units: TextDifference,
  { rolls, stamps }: { readonly rolls: readonly Roll[]; readonly stamps: ReadonlySet<ChangedText> },
  sightOf: (unit: ChangedText) => Sight,
): ReadonlySet<ChangedText> {
  if (rolls.length + stamps.size === 0) return new Set();
  const rollsByForm = new Map(rolls.map((roll) => [roll.form, roll]));
  const steps = stepsIn(units, sightOf);
  const stamped = steps.filter(({ old, now, isRound }) => !isRound && (stamps.has(old) || stamps.has(now)));
  // A document that expires some time after its date keeps this time.
  const shifts = new Set(stamped.map(({ shift }) => shift));
  const isRolling = (step: Step) => {
    const roll = rollsByForm.get(step.form);
    return shifts.has(step.shift) || (roll !== undefined && areAlike(roll, step));
  };
  // The page may have the same date elsewhere, or its month.
  const rolling = new Set(steps.filter(isRolling).map(({ move }) => move));
  const moved = steps.filter(({ moves }) => moves.some((move) => rolling.has(move)));
  const pastDays = moved.filter(({ old, now }) => isWindow(old, now)).map(({ old }) => old);
  return new Set([...moved.flatMap(({ old, now }) => [old, now]), ...removalsWith(pastDays, units)]);
}

/** Whether the old text is the first of a list of days, and the new one the last. */
function isWindow(old: ChangedText, now: ChangedText): boolean {
  return old.place !== now.place;
}

/** The days, and the texts that went together with them from below. */
function removalsWith(days: readonly ChangedText[], { removed }: TextDifference): ChangedText[] {
  const gone = new Set(days.map(({ block }) => block));
  for (const { block } of removed.toSorted((a, b) => a.block - b.block)) if (gone.has(block - 1)) gone.add(block);
  return removed.filter(({ block }) => gone.has(block));
}

export function rollsAfter(
  earlier: readonly Roll[],
  accepted: TextDifference,
  sightOf: (unit: ChangedText) => Sight,
): readonly Roll[] {
  const steps = stepsIn(accepted, sightOf);
  if (steps.length === 0) return earlier;
  const rolls = new Map(earlier.map((roll) => [roll.form, roll]));
  for (const { form, least, most } of steps) {
    rolls.delete(form);
    rolls.set(form, { form, least, most });
  }
  return [...rolls.values()].slice(-mostRolls);
}

function areAlike(a: Roll, b: Roll): boolean {
  return a.least <= b.most && b.least <= a.most;
}

function stepsIn(units: TextDifference, sightOf: (unit: ChangedText) => Sight): Step[] {
  return datedPairs(units).flatMap(([old, now]): Step[] => {
    const { since, absent = since } = sightOf(now.unit);
    const moved = movedDate(nearestDays(old.dates, since), nearestDays(now.dates, since));
    if (moved === undefined) return [];
    const [from, to] = moved;
    if (isSetByPeople(now.unit.text, from, to, since)) return [];
    return [
      {
        // A window keeps its beginning and its length.
        form: isWindow(old.unit, now.unit) ? nameOf(`${old.form} ${to - from}`) : now.form,
        least: to - since - slack,
        most: to - Math.max(absent, since - longestGap) + slack,
        old: old.unit,
        now: now.unit,
        shift: to - from,
        isRound: dayOfMonth(from) === dayOfMonth(to),
        move: `${from} ${to}`,
        moves: movesOf(old.dates, now.dates),
      },
    ];
  });
}

/** Old and new texts that differ only in their dates, at one place, or at the ends of a list. */
function datedPairs({ added, removed }: TextDifference): [DatedText, DatedText][] {
  const olds = removed.flatMap(datedForms);
  if (olds.length === 0) return [];
  const news = added.flatMap(datedForms);
  const stay = new Set(olds.map(({ form }) => form)).intersection(new Set(news.map(({ form }) => form)));
  const keyOf = ({ form, words }: DatedText) => (stay.has(form) ? form : words);
  const came = Map.groupBy(news, keyOf);
  return [...Map.groupBy(olds, keyOf)].flatMap(([key, went]) => {
    const comers = came.get(key) ?? [];
    return comers.length === went.length ? went.map((old, i): [DatedText, DatedText] => [old, comers[i] ?? old]) : [];
  });
}

/** People set the day since when something applies as they write the text; a clock would have moved it before. */
function isSetByPeople(text: string, from: Instant, to: Instant, since: Instant): boolean {
  return to <= since + slack && to - from > longestGap && isBinding(text.toLowerCase());
}

function dayOfMonth(at: Instant): string {
  return day(at).slice(-2);
}

function movesOf(olds: DatedText["dates"], news: DatedText["dates"]): string[] {
  return olds.flatMap((days, i) => days.flatMap((from) => (news[i] ?? []).map((to) => `${from} ${to}`)));
}

/** "2/3/2026" means the day that is nearer to the check. */
function nearestDays(dates: DatedText["dates"], at: Instant): Instant[] {
  return dates.map((days) => days.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a)));
}

/** The first date that moved forward, before and after, if all that moved did so by the same time. */
function movedDate(olds: readonly Instant[], news: readonly Instant[]): readonly [Instant, Instant] | undefined {
  const shifts = news.map((date, i) => date - (olds[i] ?? date));
  const moved = shifts.filter((shift) => shift !== 0);
  const [shift = 0] = moved;
  if (shift <= 0 || moved.some((other) => Math.abs(other - shift) > slack)) return undefined;
  const to = news[shifts.indexOf(shift)] ?? 0;
  return [to - shift, to];
}

/** A text with dates, or with one number of days. */
interface DatedText {
  readonly unit: ChangedText;
  /** A name for it below its label, without these dates. */
  readonly words: string;
  /** The same, at its place. */
  readonly form: string;
  /** For each date, all days that it may mean. */
  readonly dates: readonly (readonly Instant[])[];
}

function datedForms(unit: ChangedText): DatedText[] {
  const { text, place, label = "" } = unit;
  if (text.length > longest || !/\p{Nd}/u.test(text)) return [];
  const days = datesIn(text);
  const dated = (rest: string, dates: DatedText["dates"]): DatedText => {
    const words = `${label} ${rest}`;
    return { unit, words, form: nameOf(`${words} ${place}`), dates };
  };
  if (days.length > 0) {
    if (days.some(({ days }) => days.length === 0)) return [];
    const rest = replaceDates(days, text, "§").replace(timeOfDay, "");
    return [dated(rest, days.map(daysOf))];
  }
  const [span, second] = quantities(text);
  if (span?.dimension !== "second" || span.from !== span.to || second) return [];
  const count = span.from * 1_000;
  if (count % aDay !== 0) return [];
  const rest = `${text.slice(0, span.start)}§${text.slice(span.end)}`;
  // A count of past days grows, a count of remaining days shrinks.
  return [dated(`+ ${rest}`, [[count]]), dated(`- ${rest}`, [[-count]])];
}

/** A time of day belongs to its date. */
const timeOfDay = /(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?!\d)/g;
