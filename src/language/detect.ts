import { groupByEach, makeOnce } from "../model/cache.ts";
import { says, taggedPhrases } from "./lexicon.ts";

/** Detects the language of a text locally. */

const scripts: readonly (readonly [string, RegExp])[] = [
  ["ja", /[\u3040-\u30ff]/gu],
  ["ko", /[\uac00-\ud7af]/gu],
  ["zh", /[\u4e00-\u9fff]/gu],
  ["ru", /[\u0400-\u04ff]/gu],
  ["ar", /[\u0600-\u06ff]/gu],
  ["el", /[\u0370-\u03ff]/gu],
  ["he", /[\u0590-\u05ff]/gu],
  ["th", /[\u0e00-\u0e7f]/gu],
  ["hi", /[\u0900-\u097f]/gu],
];

const commonWords = taggedPhrases("detect.common");
/** The languages that have a word, with all of their words. */
const languagesOf = groupByEach(commonWords, ([, words]) => words);

const languageTags = [...commonWords, ...scripts, ["zh-Hans"], ["zh-Hant"]].map(([tag]) => String(tag));
let ownNames: ReadonlySet<string> | undefined;

/** Whether a text is the name of a language in that language: `Deutsch`, `日本語`. */
export function isLanguageName(text: string): boolean {
  ownNames ??= new Set(
    languageTags.flatMap((tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag)?.toLowerCase() ?? []),
  );
  return ownNames.has(
    text
      .slice(0, 60)
      .replace(/^\P{L}+|(?<!\P{L})\P{L}+$/gu, "")
      .toLowerCase(),
  );
}

/** The first characters of a text, which suffice to detect its language. */
const enough = 200;
const longest = 20_000;

/** BCP 47 primary language of a text; undefined if it is short, mixed or unknown. */
export function languageOf(text: string): string | undefined {
  const sample = text.slice(0, longest);
  if (sample.length < enough) return undefined;
  for (const [language, script] of scripts) {
    const share = (sample.match(script)?.length ?? 0) / sample.length;
    if (share > (language === "ja" ? 0.1 : 0.3)) return language;
  }
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hits = new Map<string, string[]>();
  for (const word of words)
    for (const [language] of languagesOf.get(word) ?? []) makeOnce(hits, language, () => []).push(word);
  const [[language, most] = [], [, second] = []] = [...hits].sort(([, a], [, b]) => b.length - a.length);
  // One word is not enough: a table may have "v" or "o" in every row.
  if (!most || new Set(most).size < 3) return undefined;
  return most.length < 0.1 * words.length || most.length < 1.4 * (second?.length ?? 0) ? undefined : language;
}

/** Whether a sentence has a word that only exists in English. */
export const isEnglish = says("detect.only");
