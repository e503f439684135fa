/** Tells the language of a text without asking anybody. */

/** Which language a text is in, by its commonest words. Only languages that can be told apart with certainty. */
const common: Readonly<Record<string, string>> = {
  en: "the of and to in is that for with are this be or as by you your from not",
  de: "der die und das ist den von zu mit sich des auf für nicht dem ein eine werden sie wir",
  fr: "le la les des et est que pour dans vous une sur par au avec ne nous votre qui aux",
  es: "el los las que del por con una para su es se al como más sus este nuestros usted",
  pt: "os que não uma para com por dos como mais seu sua você ao pelo são nos das em",
  it: "il di che per una gli con del della sono nel non si dei alla più nostro questo le",
  nl: "het een van en dat op te zijn met voor niet wij onze deze door aan om uw bij",
  pl: "się nie na do jest to że przez lub oraz dla od które są może zgodnie w i z",
  sv: "och att det som på är för inte med av till den har vi du dina om eller",
  da: "og at det som på er for ikke med af til den har vi du dine om eller kan",
  fi: "ja on ei se että tai ovat kun sen myös voi mukaan joka hän tämä sekä käyttää",
  tr: "ve bir bu için ile olarak da veya olan tarafından daha kadar gibi her sizin",
  id: "yang dan di untuk dengan dari ini pada atau anda kami tidak adalah dalam akan",
  cs: "se na je že pro to které nebo jako jsou při podle však může také i v z",
};

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
for (const [language, words] of Object.entries(common)) {
  for (const word of words.split(" ")) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);
}

/** How much of a text is enough, and is looked at, in characters. */
const enough = 200;
const most = 20_000;

/** BCP 47 primary language of a text; undefined where it is short, mixed or none of those known. */
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
  // A table may say "v" or "o" in every row: one word makes no language.
  if (!first || (kinds.get(first[0])?.size ?? 0) < 3) return undefined;
  if (first[1] < 0.1 * words.length || first[1] < 1.4 * (second?.[1] ?? 0)) return undefined;
  return first[0];
}

const english = /(?<!\p{L})(?:the|and|with|for|are|has|have|from|this|that|its?)(?!\p{L})/iu;

/** Whether a sentence has a word that only English has. */
export function isEnglish(sentence: string): boolean {
  return english.test(sentence);
}
