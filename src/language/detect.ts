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

const languagesOf = new Map<string, string[]>();
for (const [language, words] of taggedPhrases("detect.common")) {
  for (const word of words) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);
}

const languageTags = [
  ...taggedPhrases("detect.common").map(([tag]) => tag),
  ...scripts.map(([tag]) => tag),
  "zh-Hans",
  "zh-Hant",
];
let ownNames: ReadonlySet<string> | undefined;

/** Whether a text is the name of a language in that language: `Deutsch`, `日本語`. */
export function isLanguageName(text: string): boolean {
  ownNames ??= new Set(languageTags.flatMap((tag) => nameOf(tag)?.toLowerCase() ?? []));
  return ownNames.has(
    text
      .slice(0, 60)
      .replace(/^\P{L}+|(?<!\P{L})\P{L}+$/gu, "")
      .toLowerCase(),
  );
}

function nameOf(tag: string): string | undefined {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag);
}

/** The first characters of a text, which suffice to detect its language. */
const enough = 200;
const most = 20_000;

/** BCP 47 primary language of a text; undefined if it is short, mixed or unknown. */
export function languageOf(text: string): string | undefined {
  const sample = text.slice(0, most);
  if (sample.length < enough) return undefined;
  for (const [language, script] of scripts) {
    const share = (sample.match(script)?.length ?? 0) / sample.length;
    if (share > (language === "ja" ? 0.1 : 0.3)) return language;
  }
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hits = new Map<string, number>();
  const kinds = new Map<string, Set<string>>();
  for (const word of words) {
    for (const language of languagesOf.get(word) ?? []) {
      hits.set(language, (hits.get(language) ?? 0) + 1);
      kinds.set(language, (kinds.get(language) ?? new Set()).add(word));
    }
  }
  const [first, second] = [...hits].sort((a, b) => b[1] - a[1]);
  // One word is not enough: a table may have "v" or "o" in every row.
  if (!first || (kinds.get(first[0])?.size ?? 0) < 3) return undefined;
  if (first[1] < 0.1 * words.length || first[1] < 1.4 * (second?.[1] ?? 0)) return undefined;
  return first[0];
}

const hasEnglish = says("detect.only");

/** Whether a sentence has a word that only exists in English. */
export function isEnglish(sentence: string): boolean {
  return hasEnglish(sentence);
}
