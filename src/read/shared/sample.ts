import MarkdownIt from "markdown-it";
import type { Instant } from "../../model/time.ts";
import { isoTime } from "../../model/time.ts";
import type { SampleEntry } from "../reader.ts";

const markdown = new MarkdownIt({ html: true });

/** Markdown as HTML; the empty text where there is none. */
export function htmlOf(text = ""): string {
  return markdown.render(text);
}

/** `2026-07-08T00:00:00.000Z` */
export function isoOf(at: Instant): string {
  return isoTime(at);
}

/** Entries as lists show them; of one time, those told last first. */
export function newestFirst(entries: readonly SampleEntry[]): SampleEntry[] {
  return entries.toReversed().toSorted((a, b) => b.on - a.on);
}
