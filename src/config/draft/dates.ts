import type { Instant } from "../../model/model.ts";

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const name = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";

const shapes: readonly {
  pattern: RegExp;
  parts: (match: readonly (string | undefined)[]) => [string?, string?, string?];
}[] = [
  { pattern: /\b((?:19|20)\d\d)[-/](\d\d)[-/](\d\d)\b/g, parts: ([, y, m, d]) => [y, m, d] },
  {
    pattern: new RegExp(`\\b${name}\\.? (\\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\\d\\d)\\b`, "gi"),
    parts: ([, m, d, y]) => [y, m, d],
  },
  {
    pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.? ${name}\\.?,? ((?:19|20)\\d\\d)\\b`, "gi"),
    parts: ([, d, m, y]) => [y, m, d],
  },
  { pattern: new RegExp(`\\b${name}\\.?,? ((?:19|20)\\d\\d)\\b`, "gi"), parts: ([, m, y]) => [y, m, undefined] },
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
  for (const { pattern, parts } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const at = dayOf(...parts(match));
      const from = match.index;
      const to = from + match[0].length;
      if (at !== undefined && !found.some((one) => from < one.to && one.from < to)) found.push({ at, from, to });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

function dayOf(year = "", month = "", day = "1"): Instant | undefined {
  const number = /^\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const written = `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = Date.parse(written);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? at : undefined;
}
