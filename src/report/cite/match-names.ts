import { groupByEach, makeOnce } from "../../model/cache.ts";
import type { ReportPart } from "../parse/report-text.ts";
import { comparableWords, distinctiveWords } from "../rate/words.ts";
import { webAddress } from "./addresses.ts";
import type { Reference } from "./references.ts";

/**
 * Finds which of a few names a text mentions: as a whole, or by a last word that only this name has (`CUDA` of `NVIDIA
 * CUDA`). A name within a longer one does not count.
 */
export class WholeNames {
  readonly #phrases: readonly (readonly [string, string])[];
  readonly #byLastWord: ReadonlyMap<string, string>;

  constructor(names: readonly string[]) {
    this.#phrases = names.map((name) => [` ${comparableWords(name).join(" ")} `, name]);
    const holders = groupByEach(names, comparableWords);
    this.#byLastWord = new Map(
      names.flatMap((name) => {
        const words = writtenWords(name);
        const word = words.at(-1) ?? "";
        // `NVIDIA CUDA` is also called `CUDA`; `Kites on GitHub` is not called `GitHub`.
        const isShort =
          words.every((one) => !/^\p{Ll}/u.test(one)) &&
          innerCapital.test(word) &&
          word.length >= minShortName &&
          holders.get(word.toLowerCase())?.length === 1;
        return isShort ? [[word, name] as const] : [];
      }),
    );
  }

  namesIn(text: string): string[] {
    const whole = ` ${comparableWords(text.slice(0, 5_000)).join(" ")} `;
    const mentioned = this.#phrases.filter(([phrase]) => phrase.trim() !== "" && whole.includes(phrase));
    const isWithin = (phrase: string) => mentioned.some(([other]) => other !== phrase && other.includes(phrase));
    const full = mentioned.filter(([phrase]) => !isWithin(phrase)).map(([, name]) => name);
    return [...new Set([...full, ...this.#shortNamesIn(text)])];
  }

  /** The only name in the report's title: nearly every sentence of the report is about it. */
  subjectOf(title: string): string | undefined {
    const [subject, ...others] = this.namesIn(title);
    return others.length === 0 ? subject : undefined;
  }

  /** A word after another name belongs to that: `NVIDIA GPU` does not mention `Apple GPU`. */
  #shortNamesIn(text: string): string[] {
    const words = writtenWords(text.slice(0, 5_000));
    return words.flatMap((word, i) => {
      const before = words[i - 1] ?? "";
      const isOfOther = /^\p{Lu}/u.test(before) && distinctiveWords(before).length > 0;
      return isOfOther ? [] : (this.#byLastWord.get(word) ?? []);
    });
  }
}

/** Names such as `CUDA` and `ROCm`: no common words, and rarer than `AI`. */
const innerCapital = /^\p{L}.*\p{Lu}/u;
const minShortName = 3;

function writtenWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Finds which of a few names references and topics are about. */
export class NameMatcher {
  readonly #byToken: ReadonlyMap<string, string>;
  /** Cache by text of a part, because a part may hold thousands of references. */
  readonly #parts = new Map<string, readonly string[]>();
  readonly #whole: WholeNames;
  readonly #words: readonly { readonly name: string; readonly words: readonly string[] }[];

  readonly #subject: string | undefined;

  /** `title`: the report's. */
  constructor(names: readonly string[], title = "") {
    this.#whole = new WholeNames(names);
    this.#subject = this.#whole.subjectOf(title);
    this.#words = names.map((name) => ({ name, words: distinctiveWords(name) }));
    const owners = groupByEach(this.#words, ({ words }) => words);
    this.#byToken = new Map(
      [...owners].flatMap(([token, [first, second]]) => (first && !second ? [[token, first.name]] : [])),
    );
  }

  /** The names in a topic: whole ones, and names that alone have one of its words. */
  namesIn(topic: string): string[] {
    const tokens = comparableWords(topic.slice(0, 5_000));
    const short = tokens.flatMap((token) => this.#byToken.get(token) ?? []);
    return [...new Set([...short, ...this.#whole.namesIn(topic)])];
  }

  /** The names in a reference's title or address: whole ones, or the only one that has most of its words there. */
  namesInTitle({ title, address = "" }: Reference): string[] {
    const titled = this.#held(title);
    return titled.length > 0 ? titled : this.#held(address);
  }

  #held(text: string): string[] {
    const whole = this.#whole.namesIn(text);
    if (whole.length > 0) return whole;
    const tokens = new Set(comparableWords(text.slice(0, 5_000)));
    const [first, ...others] = this.#words.filter(({ words }) => {
      const shared = words.filter((word) => tokens.has(word)).length;
      return shared >= 2 && shared > 0.5 * words.length;
    });
    return first && others.length === 0 ? [first.name] : [];
  }

  /** The names that a part mentions as a whole, without the report's subject. */
  #wholeIn(part: string): readonly string[] {
    return makeOnce(this.#parts, part, () => this.#whole.namesIn(part).filter((name) => name !== this.#subject));
  }

  /** The names of a reference; without any, the name that the sentences which cite it mention most. */
  namesOf(reference: Reference): string[] {
    const own = this.namesInTitle(reference);
    if (own.length > 0) return own;
    const total = new Map<string, number>();
    for (const place of reference.where.slice(0, 20)) {
      for (const [weight, part] of [
        [1, citingSentences(place, reference)],
        [3, place.path.at(-1) ?? ""],
      ] as const) {
        for (const name of this.#wholeIn(part)) total.set(name, (total.get(name) ?? 0) + weight);
      }
    }
    const [first, second] = [...total].sort(([, a], [, b]) => b - a);
    return first && (!second || first[1] > second[1]) ? [first[0]] : [];
  }
}

/** The sentences of a paragraph that cite a reference, by its marks; for any other part, all of it. */
function citingSentences({ kind, text, marks }: ReportPart, { number, address }: Reference): string {
  const places = marks.filter((mark) =>
    mark.address === undefined ? mark.number === number : webAddress(mark.address) === address,
  );
  if (kind !== "text" || places.length === 0) return text;
  const ends = [...text.matchAll(/[.!?](?=\s|$)|。/g)].map(({ index }) => index + 1);
  const sentences = places.map(({ at }) => {
    const from = ends.findLast((end) => end < at - 1);
    const to = ends.find((end) => end >= at);
    return text.slice(from, to);
  });
  return sentences.join(" ");
}
