import type { Instant } from "../../model/time.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import { type PageMemory, restless } from "./memory.ts";
import { nameOf } from "./text.ts";

/**
 * Texts that count by themselves: downloads, viewers, a ticker, remaining time, a revision. Each value may last for two
 * checks, so it looks like a lasting change. Its history shows the counter: the same text with other numbers, within
 * days.
 */

/** A text at its place without its numbers, and the times of its new numbers, newest last. */
export interface Count {
  readonly form: string;
  readonly steps: readonly Instant[];
}

/** After this many steps within `restless`, a text is a counter. */
const stepsToLearn = 2;
const mostSteps = 8;
const mostCounts = 500;
/** Characters of a text that may count, at most. */
const longest = 500;

/** Texts with new numbers in place of old ones. */
function steppedIn({ added, removed }: TextDifference): Map<ChangedText, string> {
  const forms = (units: readonly ChangedText[]) =>
    new Map(
      units.flatMap((unit) => {
        const form = formOf(unit.text);
        return form === undefined ? [] : [[unit, nameOf(`${form} ${unit.place}`)] as const];
      }),
    );
  const [went, came] = [forms(removed), forms(added)];
  const both = new Set(went.values()).intersection(new Set(came.values()));
  return new Map([...went, ...came].filter(([, form]) => both.has(form)));
}

export function countingIn(units: TextDifference, { counts = [] }: PageMemory): ReadonlySet<ChangedText> {
  const learned = new Set(counts.filter(({ steps }) => steps.length >= stepsToLearn).map(({ form }) => form));
  if (learned.size === 0) return new Set();
  return new Set([...steppedIn(units)].filter(([, form]) => learned.has(form)).map(([unit]) => unit));
}

export function countsAfter({ counts = [] }: PageMemory, accepted: TextDifference, at: Instant): readonly Count[] {
  const stepsByForm = new Map(counts.map((count) => [count.form, count.steps]));
  for (const form of new Set(steppedIn(accepted).values()))
    stepsByForm.set(form, [...(stepsByForm.get(form) ?? []), at]);
  return [...stepsByForm].map(([form, steps]) => ({ form, steps }));
}

/** Forgets texts that did not count for days. */
export function recentCounts(counts: readonly Count[], at: Instant): readonly Count[] {
  return counts
    .map(({ form, steps }) => ({ form, steps: steps.filter((step) => at - step < restless).slice(-mostSteps) }))
    .filter(({ steps }) => steps.length > 0)
    .slice(-mostCounts);
}

/** A name for a text without its numbers and hashes; undefined if it has none. */
function formOf(text: string): string | undefined {
  if (text.length > longest || !/\d/.test(text)) return undefined;
  const words = text.toLowerCase().split(/\s+/);
  const form = words.map((word) => (isCount(word) ? "#" : word));
  return form.includes("#") ? nameOf(form.join(" ")) : undefined;
}

/** A figure with its sign or unit. A colon between figures is a time. */
const figure = /^[^\p{L}\d]{0,4}(\d{1,20}(?:[.,:'’]\d{1,20}){0,6})(?:[^\p{L}\d]{0,4}|\p{L}{1,2}[^\p{L}\d]{0,2})$/u;
const hash = /^[^a-z\d]{0,2}([\da-f]{7,40})[^a-z\d]{0,2}$/;

function isCount(word: string): boolean {
  const digits = figure.exec(word)?.[1];
  if (digits !== undefined) return !isVersion(digits) || /[%\p{Sc}]|\dk/u.test(word);
  const hex = hash.exec(word)?.[1];
  return hex !== undefined && /\d/.test(hex);
}

/** "2.13" and "2.13.1" are versions, so news. "1.234.567" is one number. */
function isVersion(digits: string): boolean {
  return (
    /^\d{1,2}(?:\.\d{1,2}){1,5}$/.test(digits) || /^\d+(?:\.\d+){2,6}$/.test(digits.replace(/\.\d{3}(?=\.|$)/g, ""))
  );
}
