import MarkdownIt from "markdown-it";
import type { Instant } from "../../model/time.ts";
import { isoTime } from "../../model/time.ts";
import type { SampleEntry } from "../reader.ts";

const markdown = new MarkdownIt({ html: true });

/** Markdown as HTML; empty for an empty text. */
export function htmlOf(text = ""): string {
  return markdown.render(text);
}

/** `2026-07-08T00:00:00.000Z` */
export function isoOf(at: Instant): string {
  return isoTime(at);
}

/** Entries in the order of lists; those of the same time in reverse order. */
export function newestFirst(entries: readonly SampleEntry[]): SampleEntry[] {
  return entries.toReversed().toSorted((a, b) => b.on - a.on);
}
