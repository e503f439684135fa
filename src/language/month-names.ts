/** Names of months and weekdays in many languages, from `Intl`. Built at first use, in about 50 ms. */

const languages =
  "en en-GB de de-AT fr es pt it nl sv da nb fi pl cs sk hu ro bg el ru uk be sr sr-Latn hr sl mk lt lv et is ga tr az id sw fil ca gl af eo ar fa he ur hi bn th ka hy ja zh zh-TW ko";
/** Next to a day and alone, long and short. */
const forms: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  { month: "long" },
  { month: "short" },
];

export interface MonthName {
  /** From 1 to 12. */
  readonly month: number;
  /** Whether a day before it has a point: `3. listopada`. */
  readonly isPointed: boolean;
}

interface Names {
  readonly months: Map<string, MonthName[]>;
  /** From 0, which is Sunday, to 6. */
  readonly weekdays: Map<string, Set<number>>;
  /** Month names that are unlikely to be other words: long or English ones. */
  readonly sure: Set<string>;
}

let cachedNames: Names | undefined;

export function names(): Names {
  cachedNames ??= namesIn(languages.split(" "));
  return cachedNames;
}

/** A name in lower case, without accents and points. */
export function foldName(word: string): string {
  const bare = word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f.\u200e\u200f]/g, "");
  return bare.replaceAll("ı", "i").normalize("NFKC");
}

export function isMonthName(word: string): boolean {
  return names().months.has(foldName(word));
}

export function isWeekday(word: string): boolean {
  return names().weekdays.has(foldName(word));
}

function namesIn(tags: readonly string[]): Names {
  const names: Names = { months: new Map(), weekdays: new Map(), sure: new Set() };
  for (const tag of tags) {
    const formats = forms.map((form) => ({
      isSure: form.month === "long" || tag === "en",
      format: new Intl.DateTimeFormat(`${tag}-u-nu-latn-ca-gregory`, { ...form, timeZone: "UTC" }),
    }));
    const isPointed = formats.some(({ format }) => pointsDay(format.formatToParts(0)));
    for (let month = 1; month <= 12; month++) {
      for (const { isSure, format } of formats) addNames(names, format, { month, isPointed }, isSure);
    }
  }
  return names;
}

function pointsDay(parts: readonly Intl.DateTimeFormatPart[]): boolean {
  return parts.some(({ type }, i) => type === "day" && parts[i + 1]?.value.startsWith("."));
}

/** Adds the name of a month and of the weekday of one of its days. Over twelve months, every weekday occurs. */
function addNames(
  { months, weekdays, sure }: Names,
  format: Intl.DateTimeFormat,
  monthName: MonthName,
  isSure: boolean,
) {
  const first = new Date(Date.UTC(2026, monthName.month - 1)).getUTCDay();
  const day = new Date(Date.UTC(2026, monthName.month - 1, 8 + ((monthName.month - first) % 7)));
  let before = "";
  for (const { type, value } of format.formatToParts(day)) {
    const name = foldName(type === "month" ? before + value : value)
      .replace(/^de /, "")
      .trim();
    // In Hebrew the word for "in" is joined to the month.
    before = type === "literal" ? (/\p{L}$/u.exec(value)?.[0] ?? "") : "";
    if (!/^\p{L}/u.test(name)) continue;
    if (type === "weekday") weekdays.set(name, (weekdays.get(name) ?? new Set()).add(day.getUTCDay()));
    if (type !== "month") continue;
    const same = months.get(name) ?? [];
    if (!same.some(({ month }) => month === monthName.month)) months.set(name, [...same, monthName]);
    if (isSure) sure.add(name);
  }
}
