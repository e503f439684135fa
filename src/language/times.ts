import { aMinute, anHour, aSecond, type Duration, type Instant } from "../model/time.ts";
import { anyOf } from "./lexicon.ts";

/** A written time of day with its zone. Pure. */

export interface TimeOfDay {
  /** False if its zone is unknown, so that only the day is known. */
  readonly isKnown: boolean;
  /** A time without a zone is local. */
  readonly precision: "local time" | "time";
  /** The instant of this time on a day, which is given by its first instant in UTC. Without a zone it is UTC. */
  on(day: Instant): Instant;
}

/** Time zones by unambiguous name: RFC 822 has only those of North America. */
const zones: Readonly<Record<string, string>> = {
  ...{ Z: "+00", UT: "+00", UTC: "+00", GMT: "+00", WET: "+00", WEST: "+01", BST: "+01", CET: "+01", CEST: "+02" },
  ...{ MET: "+01", MEST: "+02", MEZ: "+01", MESZ: "+02", EET: "+02", EEST: "+03", MSK: "+03", SGT: "+08", HKT: "+08" },
  ...{ JST: "+09", KST: "+09", AEST: "+10", AEDT: "+11", NZST: "+12", NZDT: "+13" },
  ...{ EST: "-05", EDT: "-04", CST: "-06", CDT: "-05", MST: "-07", MDT: "-06", PST: "-08", PDT: "-07" },
  ...{ ET: "America/New_York", CT: "America/Chicago", MT: "America/Denver", PT: "America/Los_Angeles" },
};

const leading = new RegExp(`^(?:[\\s,.|·•–—-]|(?:${anyOf("dates.at")}|t)(?![\\p{L}\\d:]))*t?(?=\\d)`, "iu");
const clock = /^(\d{1,2})(?:[:.h](\d{1,2}))?(?::(\d{1,2})(?:[.,](\d{1,9}))?)?(?![\d:])/iu;
const half = /^\s?([ap])\.?m\b\.?/i;
const afterClock = new RegExp(`^\\s?(?:${anyOf("dates.clock")}|h)(?!\\p{L})`, "iu");
const offset = /^(?:[A-Z]{3,4})?\s?([+-]\d{1,2})(?::?(\d{2}))?(?:Z|\s[A-Z]{3,4})?$/i;

/** The time of a text that is only a time of day; "none" if it has no word or figure; undefined for any other. */
export function timeIn(text: string): TimeOfDay | "none" | undefined {
  if (!/[\p{L}\d]/u.test(text)) return "none";
  const written = text.replace(leading, "");
  const [all = "", hours, minutes, seconds = "0", fraction = "0"] = clock.exec(written) ?? [];
  const rest = written.slice(all.length);
  const ofHalf = half.exec(rest)?.[1];
  if (hours === undefined || (minutes ?? ofHalf) === undefined) return undefined;
  const [hour, minute, second] = [hourOf(Number(hours), ofHalf), Number(minutes ?? 0), Number(seconds)];
  const zone = zoneIn(
    rest
      .replace(half, "")
      .replace(afterClock, "")
      .replace(/^[\s,]+/, "")
      .trim(),
  );
  if (zone === undefined || hour === undefined || minute > 59 || second > 60) return undefined;
  const ofDay = hour * anHour + minute * aMinute + second * aSecond + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const ahead = aheadOf(zone);
  if (ahead === undefined) return undefined;
  if (ahead === "unknown") return { isKnown: false, precision: "time", on: (day) => day };
  const precision = zone === "" ? "local time" : "time";
  return { isKnown: true, precision, on: (day) => day + ofDay - ahead(day + ofDay) };
}

function hourOf(hour: number, ofHalf: string | undefined): number | undefined {
  if (ofHalf === undefined) return hour <= 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (ofHalf.toLowerCase() === "p" ? 12 : 0);
}

/** The zone after a time of day, without a comment: `+0100 (CET)`, `(UTC)`. */
function zoneIn(rest: string): string | undefined {
  const [all = "", zone = ""] = /^\(?([^()]{0,40})[()]?/.exec(rest) ?? [];
  const comment = rest.slice(all.length).trim();
  return comment === "" || /^[^()]{0,60}\)$/.test(comment) ? zone.replace(/[.,]$/, "").trim() : undefined;
}

/** The offset of a zone from UTC at a local time; "unknown" for an ambiguous name; undefined without a zone. */
function aheadOf(written: string): ((local: Instant) => Duration) | "unknown" | undefined {
  if (written === "") return () => 0;
  const zone = zones[written.toUpperCase()] ?? written;
  const [, hours, minutes = "0"] = offset.exec(zone) ?? [];
  if (hours !== undefined) {
    const ahead = lengthOf(hours, minutes);
    return () => ahead;
  }
  if (/^[A-Z][A-Za-z]{1,20}(?:\/[A-Za-z_+-]{1,30}){1,2}$/.test(zone)) return offsetByName(zone);
  return /^[A-Z]{2,5}$/.test(zone) ? "unknown" : undefined;
}

function lengthOf(hours: string, minutes: string): Duration {
  return Number(hours) * anHour + (hours.startsWith("-") ? -1 : 1) * Number(minutes) * aMinute;
}

/** `Europe/Berlin`: https://www.iana.org/time-zones */
function offsetByName(zone: string): ((local: Instant) => Duration) | undefined {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const at = (instant: Instant): Duration => {
      const shown = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
      const [, hours = "0", minutes = "0"] = offset.exec(shown) ?? [];
      return lengthOf(hours, minutes);
    };
    return (local) => at(local - at(local));
  } catch {
    return undefined;
  }
}
