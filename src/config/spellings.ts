/** The forms of durations, dates and addresses in config, and the probable meaning of other spellings. Pure. */

import { dateIn } from "../language/dates.ts";
import { day } from "../model/time.ts";

export const needsDuration = "needs a duration such as 6h or 14d (m, h, d or w)";
export const needsDate = "needs a date such as 2026-05-16";
export const needsUrl = "needs an http or https address";

/** The correct spelling of a value in another form, if its meaning is certain. */
export function probableSpelling(wanted: string, written: string): string | undefined {
  if (wanted === needsDuration) return durationMeant(written);
  if (wanted === needsDate) return dateMeant(written);
  return wanted === needsUrl ? addressMeant(written) : undefined;
}

const days: Readonly<Record<string, number>> = { month: 30, mo: 30, year: 365, y: 365, yr: 365 };
const units: Readonly<Record<string, string>> = {
  minute: "m",
  min: "m",
  hour: "h",
  hr: "h",
  h: "h",
  day: "d",
  d: "d",
  week: "w",
  w: "w",
};
const often: Readonly<Record<string, string>> = {
  hourly: "1h",
  daily: "1d",
  weekly: "1w",
  monthly: "30d",
  yearly: "365d",
};

/** `2 hours` means 2h, `6mo` 180d and `daily` 1d. A cron line means its interval. */
function durationMeant(written: string): string | undefined {
  const plain = written.trim().toLowerCase();
  if (often[plain] !== undefined) return often[plain];
  const [, minutes, hours] = /^(?:\*\/(\d{1,2})|\d{1,2}) (?:\*\/(\d{1,2})|\*) \* \* \*$/.exec(plain) ?? [];
  if (hours !== undefined) return `${Number(hours)}h`;
  if (minutes !== undefined) return `${Number(minutes)}m`;
  const [, count, unit = ""] = /^([1-9]\d{0,3}) ?([a-z]{1,6}?)s?$/.exec(plain) ?? [];
  const inDays = days[unit];
  if (count === undefined) return undefined;
  return inDays === undefined ? units[unit] && `${count}${units[unit]}` : `${Number(count) * inDays}d`;
}

/** `16.05.2026`, `2026/5/16` and `May 16, 2026` are all 2026-05-16; 05/06/2026 is ambiguous. */
function dateMeant(written: string): string | undefined {
  const { at, precision } = dateIn(written) ?? {};
  return at === undefined || precision === "year" || precision === "month" ? undefined : day(at);
}

/** An address without its scheme, or with one that is misspelt. */
export function addressMeant(written: string): string | undefined {
  const bare = written.trim().replace(/^h[tps]{2,5}(?::\/{0,3}|\/\/)/i, "");
  // A bare name may also be a file.
  if (bare === written && !/^www\.|\//.test(bare)) return undefined;
  if (!/^[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}(?::\d{1,5})?(?:[/?#]\S*)?$/.test(bare)) return undefined;
  const address = `https://${bare}`;
  return URL.canParse(address) && address !== written ? address : undefined;
}
