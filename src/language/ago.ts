import { anyOf, byLanguage, phrasesOf, says } from "./lexicon.ts";

/** How long ago something was, in any language: "3 days ago". Pure. Texts come in lower case, without apostrophes. */

/** A number, or a word for one before a unit, in any language. */
const anyNumber = `(?:\\d{1,4}|${anyOf("dates.ago-one")})`;
/** Any word that is not about clock time or money. */
const anyUnit = `(?!${anyOf("dates.no-unit")}\\b)[\\p{L}\\p{M}]{1,14}\\.?`;

const filled = (form: string, number: string, unit: string) =>
  form.replaceAll("{n}", () => number).replaceAll("{unit}", () => unit);

const alone = new RegExp(
  [...phrasesOf("dates.ago-alone")].map((form) => `^(?:${filled(form, anyNumber, anyUnit)})$`).join("|"),
  "u",
);

/** Whether a label is only such a date. Then its unit may be any word. In a sentence, the same words may be a deadline. */
export function isAgoAlone(label: string): boolean {
  return alone.test(label);
}

/** The rest of a time that is given in two units: "4 hours 9 minutes ago". */
const smaller = "(?:,? \\d{1,2} {unit})?";

const forms = byLanguage("dates.ago", "dates.ago-unit", "dates.ago-count", "dates.ago-about").flatMap(
  ([templates = [], units = [], counts = [], about = []]) => {
    const before = about.length > 0 ? `(?:(?:${about.join("|")}) ?)?` : "";
    const number = `${before}(?:${["\\d{1,9}", ...counts].join("|")})`;
    return templates.map((template) => {
      const [ahead = "", behind = ""] = template.split("{unit}");
      const hint = behind.trim() || ahead.replace("{n}", "").trim();
      const form = template.replace("{n} {unit}", `{n} {unit}${smaller}`);
      return { form: filled(form, number, `(?:${units.join("|")})`), hint };
    });
  },
);
const within = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${forms.map(({ form }) => form).join("|")}|\\d{1,4} ?(?:mo|yrs?|wks?|[smhdwy]) ago)(?![\\p{L}\\p{N}])`,
  "gu",
);
/** Every such date has one of these. Most texts have none, and are not searched further. */
const hints = new RegExp(forms.map(({ hint }) => hint).join("|"), "u");

/** Removes such dates from a text. */
export function withoutAgo(words: string): string {
  return hints.test(words) ? words.replace(within, " ") : words;
}

const today = new RegExp(`(?<![\\p{L}\\p{N}_])${anyOf("dates.today")}(?![\\p{L}\\p{N}_])`, "gu");

/** Removes words whose day changes daily: "Updated this week". */
export function withoutToday(label: string): string {
  return label.replace(today, " ");
}

const behindName = new RegExp(`(?<=[^|] )\\d{1,4} ?${anyOf("dates.ago-joined")}前(?=$| )`, "gu");
const isInAdvance = says("labels.in-advance");

/** Removes such a date after a name, in scripts without spaces. A period that ends stays. */
export function withoutAgoBehindName(label: string): string {
  return isInAdvance(label) ? label : label.replace(behindName, " ");
}
