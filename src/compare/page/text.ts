/** Texts as they are compared: what a reader would call the same text has the same key. */

/** A length of this many letters and digits says by itself what it is; shorter ones are counted. */
export const telling = 16;

const mail = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|\[email[\s\u00a0]protected\]/gu;

const counted =
  /\b(?:\d+|an?|one|two|three|few|several|last)\s(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\sago\b|\b(?:just\snow|yesterday|last\s(?:week|month|year))\b/gu;

/**
 * Words in lower case, one space between them; punctuation, symbols of decoration and relative dates left out.
 * Signs that carry meaning stay: currencies, per cent, comparison, plus and minus before a digit, ticks and crosses.
 */
export function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019'’]/g, "")
    .replace(counted, " ")
    .replace(/[✓✔✅☑]/gu, "✓")
    .replace(/[✗✘❌☒✖]/gu, "✗")
    .replace(/[^\p{L}\p{M}\p{N}\p{Sc}%<>=≤≥±×✓✗+#-]+/gu, " ")
    .replace(/[-+](?!\d)|(?<=[^\s])-(?=\d)|(?<!\p{L})[#]|[<>=](?!\s?\d)/gu, (sign, at: number, all: string) =>
      sign === "+" && /\p{L}/u.test(all[at - 1] ?? "") ? "+" : " ",
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** Letters and digits alone; digits that were apart stay apart. */
export function keyOf(words: string): string {
  return words.replace(/(\d) (?=\d)/g, "$1·").replace(/ /g, "");
}

/** Whether two texts say the same, letter by letter and digit by digit. */
export function sameText(a: string, b: string): boolean {
  return a === b || keyOf(wordsOf(a)) === keyOf(wordsOf(b));
}

export { mail };

/** Sentences of a text, never empty; a full stop within a number or a name does not end one. */
export function sentencesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?;:][)"'”’\]]?)\s+(?=\P{Ll})|(?<=[。！？；])/u);
  return sentences.length > 1 ? sentences : [text];
}

/** A short name for a key: 53 bits, enough to tell the units of one page apart. */
export function nameOf(key: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
