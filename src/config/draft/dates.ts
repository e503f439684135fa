import type { Instant } from "../../model/time.ts";

/**
 * Beginnings of months in English, German, French, Spanish, Portuguese, Italian and Dutch, as they are written without
 * accents.
 */
const months = [
  "jan|gen|ene",
  "feb|fev",
  "mar|maa|mrt",
  "apr|avr|abr",
  "may|mai|mei|mag",
  "jun|juin|giu",
  "jul|juil|lug",
  "aug|aou|ago",
  "sep|set",
  "oct|okt|out|ott",
  "nov",
  "dec|dez|dic",
].map((names) => names.split("|"));
const name = `(${months.flat().join("|")})[a-z]{0,7}`;
const of = "(?:\\.?,? (?:de |del |di )?|-)";

const shapes: readonly {
  pattern: RegExp;
  parts: (match: readonly (string | undefined)[]) => [string?, string?, string?];
}[] = [
  { pattern: /\b((?:19|20)\d\d)[-/](\d\d?)[-/](\d\d?)\b/g, parts: ([, y, m, d]) => [y, m, d] },
  { pattern: /((?:19|20)\d\d) ?年 ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?日)?/g, parts: ([, y, m, d]) => [y, m, d] },
  { pattern: /\b(\d{1,2})\. ?(\d{1,2})\. ?((?:19|20)\d\d)\b/g, parts: ([, d, m, y]) => [y, m, d] },
  {
    pattern: new RegExp(`\\b${name}\\.? (\\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\\d\\d)\\b`, "gi"),
    parts: ([, m, d, y]) => [y, m, d],
  },
  {
    pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|er|º)?${of}${name}${of}((?:19|20)\\d\\d)\\b`, "gi"),
    parts: ([, d, m, y]) => [y, m, d],
  },
  { pattern: new RegExp(`\\b${name}${of}((?:19|20)\\d\\d)\\b`, "gi"), parts: ([, m, y]) => [y, m, undefined] },
];

/** A day that a text names, and where. A month alone is its first day. */
export interface Dated {
  readonly at: Instant;
  readonly from: number;
  readonly to: number;
}

/** The days that a text names, in order. */
export function datesIn(text: string): Dated[] {
  const found: Dated[] = [];
  const bare = withoutAccents(text);
  for (const { pattern, parts } of shapes) {
    for (const match of bare.matchAll(pattern)) {
      const at = dayOf(...parts(match));
      const from = match.index;
      const to = from + match[0].length;
      if (at !== undefined && !found.some((one) => from < one.to && one.from < to)) found.push({ at, from, to });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

/** As long as the text was: letters with accents become those without. */
function withoutAccents(text: string): string {
  return text.replace(/[\u00c0-\u017f]/g, (letter) => letter.normalize("NFD")[0] ?? letter);
}

function dayOf(year = "", month = "", day = "1"): Instant | undefined {
  const word = month.toLowerCase();
  const number = /^\d/.test(month) ? Number(month) : months.findIndex((names) => names.includes(word)) + 1;
  const written = `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = Date.parse(written);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? at : undefined;
}
