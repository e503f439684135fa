import type { Instant } from "../../model/time.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import type { PageMemory } from "./memory.ts";
import { nameOf } from "./text.ts";

/**
 * Texts that count by themselves: downloads, viewers, a ticker, remaining time, a revision. Each value may last for two
 * checks, so it looks like a lasting change. Its history shows the counter: the same text with other numbers, within
 * days.
 */

/** The place of one number in a text, and the times of its new values, newest last. */
export interface Count {
  readonly form: string;
  readonly steps: readonly Instant[];
}

/** After this many steps within `restless`, a text is a counter. */
const stepsToLearn = 2;
/** Characters of a text that may count, at most. */
const longest = 500;

/** Texts with new numbers in place of old ones, each with the names of these places. Its other numbers are news. */
function counterSteps({ added, removed }: TextDifference): Map<ChangedText, readonly string[]> {
  const stepped = new Map<ChangedText, readonly string[]>();
  const newTexts = Map.groupBy(added.flatMap(countedTexts), ({ form }) => form);
  for (const [form, olds] of Map.groupBy(removed.flatMap(countedTexts), ({ form }) => form)) {
    const news = newTexts.get(form) ?? [];
    const isMoved = (i: number) => numbersAt(olds, i) !== numbersAt(news, i);
    const places = (olds[0]?.numbers ?? []).flatMap((_, i) => (isMoved(i) ? [`${form} ${i}`] : []));
    if (news.length > 0 && places.length > 0) for (const { unit } of [...olds, ...news]) stepped.set(unit, places);
  }
  return stepped;
}

function numbersAt(texts: readonly CountedText[], i: number): string {
  const numbers = texts.map((text) => text.numbers[i]);
  return numbers.toSorted().join(" ");
}

export function counterTexts(units: TextDifference, { counts = [] }: PageMemory): ReadonlySet<ChangedText> {
  const learned = new Set(counts.filter(({ steps }) => steps.length >= stepsToLearn).map(({ form }) => form));
  if (learned.size === 0) return new Set();
  const counting = [...counterSteps(units)].filter(([, places]) => places.every((place) => learned.has(place)));
  return new Set(counting.map(([unit]) => unit));
}

export function countsAfter({ counts = [] }: PageMemory, accepted: TextDifference, at: Instant): readonly Count[] {
  const stepsByForm = new Map(counts.map((count) => [count.form, count.steps]));
  for (const form of new Set([...counterSteps(accepted).values()].flat()))
    stepsByForm.set(form, [...(stepsByForm.get(form) ?? []), at]);
  return [...stepsByForm].map(([form, steps]) => ({ form, steps }));
}

interface CountedText {
  readonly unit: ChangedText;
  /** A name for the text at its place, without its numbers and hashes. */
  readonly form: string;
  readonly numbers: readonly string[];
}

/** The text, if it has numbers that may count. */
function countedTexts(unit: ChangedText): CountedText[] {
  if (unit.text.length > longest || !/\d/.test(unit.text)) return [];
  const words = unit.text.toLowerCase().split(/\s+/);
  const numbers = words.filter(isCount);
  const form = words.map((word) => (isCount(word) ? "#" : word)).join(" ");
  return numbers.length > 0 ? [{ unit, form: nameOf(`${form} ${unit.place}`), numbers }] : [];
}

/** A figure with its sign or unit. A colon between figures is a time. */
const figure = /^[^\p{L}\d]{0,4}(\d{1,20}(?:[.,:'’]\d{1,20}){0,6})(?:[^\p{L}\d]{0,4}|\p{L}{1,2}[^\p{L}\d]{0,2})$/u;
const hash = /^[^a-z\d]{0,2}([\da-f]{7,128})[^a-z\d]{0,2}$/;

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
