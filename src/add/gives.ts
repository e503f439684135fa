import { day, quoted } from "../describe.ts";
import type { Block, Instant, Item, Reading } from "../model.ts";

/** What a reading holds, in words: `12 entries, newest "Widget 3.2" of 2026-11-02`. `audited`: how much of it is newer. */
export function givesNow({ items, blocks, facts }: Reading, audited?: Instant): string {
  const parts = [
    ...(items ? [entries(items, audited)] : []),
    ...(blocks && blocks.length > 0 ? [text(blocks)] : []),
    ...(facts ? [Object.entries(facts).slice(0, 4).map(fact).join(", ")] : []),
  ];
  return parts.filter(Boolean).join("; ") || "nothing yet";
}

function fact([name, value]: [string, string]): string {
  return `${name}: ${quoted(value, 60)}`;
}

function entries(items: readonly Item[], audited: Instant | undefined): string {
  if (items.length === 0) return "no entries yet";
  const newest = items.reduce((a, b) => ((b.at ?? 0) > (a.at ?? 0) ? b : a));
  const on = newest.at === undefined ? "" : ` of ${day(newest.at)}`;
  const since = items.filter(({ at }) => audited !== undefined && at !== undefined && at > audited).length;
  const newer = audited === undefined ? "" : `; ${since} newer than the audit of ${day(audited)}`;
  return `${items.length === 1 ? "1 entry" : `${items.length} entries`}, newest "${quoted(newest.title)}"${on}${newer}`;
}

function text(blocks: readonly Block[]): string {
  const headings = blocks.filter(({ kind }) => kind === "heading").map((block) => `"${quoted(block.text, 40)}"`);
  const count = blocks.length === 1 ? "1 block" : `${blocks.length} blocks`;
  if (headings.length === 0) return `${count} of text`;
  const more = headings.length > 4 ? ` and ${headings.length - 4} more headings` : "";
  return `${count} of text under ${headings.slice(0, 4).join(", ")}${more}`;
}
