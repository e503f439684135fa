import type { Instant } from "../model.ts";

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/;
const zoned = /(?:Z|[+-]\d{2}:?\d{2}|\b(?:UTC?|GMT|[ECMP][SD]T))\s*$/i;

/**
 * An instant as sources write it: ISO 8601 and RFC 3339, RFC 822 and what comes near it. Without a zone it is UTC,
 * never the zone of the machine that reads it. Undefined where it is no date.
 * Spec: https://www.rfc-editor.org/rfc/rfc3339, https://www.rfc-editor.org/rfc/rfc822#section-5
 */
export function instantOf(written: string | undefined): Instant | undefined {
  const text = written?.trim().slice(0, 60) ?? "";
  if (!/\d/.test(text)) return undefined;
  const parts = local.exec(text);
  if (day.test(text)) return valid(Date.parse(`${text}T00:00:00Z`));
  if (parts) return valid(Date.parse(`${parts[1]}T${parts[2]}Z`));
  return valid(Date.parse(zoned.test(text) ? text : `${text} UTC`));
}

/** Seconds or milliseconds since 1970; whichever gives a year in which there were computers. */
export function instantOfNumber(value: number): Instant | undefined {
  return valid(Math.round(Math.abs(value) < 1e11 ? value * 1000 : value));
}

function valid(at: number): Instant | undefined {
  return Number.isFinite(at) && at > 0 && at < Date.UTC(9999, 0) ? at : undefined;
}
