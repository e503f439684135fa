import { byLanguage, phrasesOf } from "../../language/lexicon.ts";
import { type Word, wordsIn } from "../../language/words.ts";

/** The side of a figure that counts, with or without the figure: `up to 16 GB`, `3.9 or newer`, `under 13`. */
export type Bound = "upper" | "lower" | "below" | "above";

/** A bound as a text writes it for a figure: `not before 2027`. */
export type WrittenBound = Bound | "not below" | "not above";

/** The opposites of each bound. "Not under 13" is "at least 13": these two do not contradict each other. */
export const oppositesOf: Readonly<Record<WrittenBound, readonly WrittenBound[]>> = {
  upper: ["lower"],
  lower: ["upper"],
  below: ["above", "not below"],
  above: ["below", "not above"],
  "not below": ["below"],
  "not above": ["above"],
};

/** The phrases before a figure that make it a bound, and those after it. */
const boundsBeforeFigure: Readonly<Record<Bound, readonly string[]>> = {
  upper: [...phrasesOf("bounds.upper"), "<=", "≤"],
  lower: [...phrasesOf("bounds.lower"), ">=", "≥"],
  below: [...phrasesOf("bounds.below"), "<"],
  above: [...phrasesOf("bounds.above"), ">"],
};
const boundsAfterFigure: Readonly<Record<Bound, readonly string[]>> = {
  upper: [...behindLink("bounds.or-less"), ...phrasesOf("bounds.upper-behind")],
  lower: [...behindLink("bounds.or-more"), ...phrasesOf("bounds.lower-behind")],
  below: [...phrasesOf("bounds.below-behind")],
  above: [...phrasesOf("bounds.above-behind")],
};

function behindLink(idea: "bounds.or-less" | "bounds.or-more"): string[] {
  return byLanguage("bounds.or", idea).flatMap(([links = [], words = []]) =>
    links.flatMap((link) => words.map((word) => `${link} ${word}`)),
  );
}

/** The keys of each phrase, as on a page. A sign is read together with the figure after it. */
function boundsByKey(listed: Readonly<Record<Bound, readonly string[]>>): ReadonlyMap<string, Bound> {
  const sides: readonly Bound[] = ["upper", "lower", "below", "above"];
  return new Map(
    sides.flatMap((side) =>
      listed[side].map((phrase): [string, Bound] => [
        keysOf(/^[<>≤≥]/.test(phrase) ? [phrase] : termKeys(phrase)),
        side,
      ]),
    ),
  );
}

const termKeys = (text: string) => wordsIn(text).map(({ term }) => term.key);
const keysOf = (keys: readonly string[]) => keys.join(" ");

/** The phrases by their keys, made at the first use: that takes a while, and most programs need none. */
let phrasesByKey: Record<"leading" | "trailing", ReadonlyMap<string, Bound>> | undefined;

function phrases() {
  phrasesByKey ??= { leading: boundsByKey(boundsBeforeFigure), trailing: boundsByKey(boundsAfterFigure) };
  return phrasesByKey;
}

const boundWords = 3;

/** Words that deny the text after them, and how many words may be between: `not yet been`, `no longer officially`. */
export const denials = phrasesOf("negation.deny");
export const maxBetween = 2;

/** Whether a denial of this bound says the opposite bound, and does not deny the figure: `not before 2027`. */
export function isStrict(bound: Bound | undefined): bound is "below" | "above" {
  return bound === "below" || bound === "above";
}

/** The bound that all these words before a figure together make it. */
export function boundOf(keys: readonly string[]): Bound | undefined {
  return phrases().leading.get(keysOf(keys));
}

/** The bound directly beside the figure of these words: before it, or after it and the word for its unit. */
export function boundAt(text: string, words: readonly Word[], at: number, last = at): WrittenBound | undefined {
  const keys = words.map(({ term }) => term.key);
  const between = (word: number) => text.slice(words[word - 1]?.end ?? 0, words[word]?.start);
  for (let from = /[,;)/]/.test(between(at)) ? at : Math.max(0, at - boundWords); from < at; from++) {
    const bound = boundOf(keys.slice(from, at));
    if (bound === undefined) continue;
    const isDenied = keys.slice(Math.max(0, from - maxBetween - 1), from).some((key) => denials.has(key));
    return isDenied && isStrict(bound) ? `not ${bound}` : bound;
  }
  if (/^\+(?![\p{L}\d])/u.test(text.slice(words[last]?.end))) return "lower";
  const isFigure = (word: number) => /\d/.test(text.slice(words[word]?.start, words[word]?.end));
  for (const from of isFigure(last + 1) ? [last + 1] : [last + 1, last + 2])
    for (let to = Math.min(keys.length, from + boundWords); to > from; to--) {
      const phrase = keys.slice(from, to);
      const bound = phrases().trailing.get(keysOf(phrase));
      if (bound === undefined || /[^\s(]/.test(between(from))) continue;
      // "8 GB (maximum 16 GB)": such words may belong to the next figure.
      const isOfNext = boundOf(phrase) !== undefined && to < keys.length && isFigure(to) && !/\S/.test(between(to));
      return isOfNext ? undefined : bound;
    }
  return undefined;
}
