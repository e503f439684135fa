import { cut, fold } from "../../model/markdown.ts";
import { day, type Instant } from "../../model/time.ts";
import { lineEnd } from "../../report/edit/splice.ts";

/** The line that a review adds to the report's log. */
export interface LogEntry {
  readonly rating: string;
  readonly old: string;
  /** The new level; undefined if it was kept. */
  readonly level?: string;
  readonly because?: string;
  readonly at: Instant;
  readonly issue?: number;
}

/** `- 2026-11-20: tpu/maturity Medium → High, because … (#12)`. Words of people are escaped. */
export function logLine({ rating, old, level, because, at, issue }: LogEntry): string {
  const what = level === undefined ? `${inert(old)} kept` : `${inert(old)} → ${inert(level)}`;
  const why = because === undefined ? "" : `, because ${inert(because)}`;
  return `- ${day(at)}: ${rating} ${what}${why}${issue === undefined ? "" : ` (#${issue})`}`;
}

/** Adds lines to the log, after the last line of its form or else at its end. Lines that exist are not added. */
export function editLog(text: string | undefined, lines: readonly string[]): string {
  if (text === undefined || text === "") return ["# Log of reviews", "", ...lines, ""].join("\n");
  const eol = lineEnd(text);
  const old = text.split(/\r?\n/);
  const fresh = [...new Set(lines)].filter((line) => !old.includes(line));
  if (fresh.length === 0) return text;
  const end = endOfLast(text);
  if (end !== undefined)
    return `${text.slice(0, end)}${fresh.map((line) => `${eol}${line}`).join("")}${text.slice(end)}`;
  const gap = text.endsWith("\n") ? eol : eol + eol;
  return `${text}${gap}${fresh.join(eol)}${text.endsWith("\n") ? eol : ""}`;
}

/** The end of the last line that has the form of the log, before its line end. */
function endOfLast(text: string): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(/^- \d{4}-\d{2}-\d{2}: [^\r\n]*/gm)) end = match.index + match[0].length;
  return end;
}

/**
 * A mention in a file notifies nobody, so only markup must be escaped. A bare link includes backslashes and ends at
 * `<`: next to one, possible markup after it is written as a character reference.
 */
function inert(text: string): string {
  const words = cut(fold(text), 500).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const escaped = words.replace(/[\\`[\]>|$]/g, "\\$&");
  return /:\/\/|www\./i.test(text)
    ? escaped.replace(/[*_~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    : escaped.replace(/[*_~]/g, "\\$&");
}
