import { foldName, type MonthName } from "../src/language/month-names.ts";

const languages =
  "en en-GB de de-AT fr es pt it nl sv da nb fi pl cs sk hu ro bg el ru uk be sr sr-Latn hr sl mk lt lv et is ga tr az id sw fil ca gl af eo ar fa he ur hi bn th ka hy ja zh zh-TW ko";
/** Next to a day and alone, long and short. */
const forms: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  { month: "long" },
  { month: "short" },
];

interface Names {
  readonly months: Map<string, MonthName[]>;
  readonly weekdays: Map<string, Set<number>>;
  readonly distinct: Set<string>;
}

/** The content of src/language/month-names.json. */
export function monthNamesFile(): string {
  const names: Names = { months: new Map(), weekdays: new Map(), distinct: new Set() };
  for (const tag of languages.split(" ")) {
    const formats = forms.map((form) => ({
      isSure: form.month === "long" || tag === "en",
      format: new Intl.DateTimeFormat(`${tag}-u-nu-latn-ca-gregory`, { ...form, timeZone: "UTC" }),
    }));
    const isPointed = formats.some(({ format }) => pointsDay(format.formatToParts(0)));
    for (let month = 1; month <= 12; month++) {
      for (const { isSure, format } of formats) addNames(names, format, { month, isPointed }, isSure);
    }
  }
  const months = [...names.months].map(([name, all]) => `${JSON.stringify(name)}: ${JSON.stringify(all)}`);
  const weekdays = [...names.weekdays].map(([name, days]) => `${JSON.stringify(name)}: ${JSON.stringify([...days])}`);
  const list = (lines: readonly string[]) => lines.map((line) => `\n    ${line}`).join(",");
  const distinct = JSON.stringify([...names.distinct]);
  return `{\n  "months": {${list(months)}\n  },\n  "weekdays": {${list(weekdays)}\n  },\n  "distinct": ${distinct}\n}\n`;
}

function pointsDay(parts: readonly Intl.DateTimeFormatPart[]): boolean {
  return parts.some(({ type }, i) => type === "day" && parts[i + 1]?.value.startsWith("."));
}

/** Adds the name of a month and of the weekday of one of its days. Over twelve months, every weekday occurs. */
function addNames(
  { months, weekdays, distinct }: Names,
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
    if (isSure) distinct.add(name);
  }
}
