import { lengthOnGitHub } from "../../model/markdown.ts";
import { counted, grouped } from "../../model/words.ts";

/** GitHub's limit for a body, in Unicode code points. */
export const maxBodyCharacters = 65_536;

/** A list in the body that can be shortened from its end. */
export interface Part {
  readonly head: readonly string[];
  readonly entries: readonly string[];
  /** The number of further items that have no entry. */
  readonly beyond?: number;
  /** Lines below the entries. */
  readonly tail?: readonly string[];
  /** The separator of two entries. */
  readonly between: string;
  /** Entries that are kept, whatever else is dropped. */
  readonly least: number;
  /** The noun of one entry, for the note of what was left out. */
  readonly one: string;
  readonly many: string;
}

/** Characters kept free for that note, and for the blank lines between parts. */
const noteCharacters = 400;

/** Begins the note that says what was left out. */
const leftOut = `*Left out, for GitHub takes ${grouped(maxBodyCharacters)} characters: `;

/** Whether a text says that something was left out of it. */
export function isClipped(text: string): boolean {
  return text.includes(leftOut);
}

/**
 * Joins the parts, shortening the longest until all fits, and says what was left out. Where people's text fills the
 * room, only the first line of the head, the last of the tail and a note remain.
 */
export function clip(head: string, parts: readonly Part[], tail: string, room: number): string {
  const whole = shortened(head, parts, tail, room, false);
  if (lengthOnGitHub(whole) <= room) return whole;
  const bare = shortened(head, parts, tail, room, true);
  if (lengthOnGitHub(bare) <= room) return bare;
  const note = `${leftOut}everything, for what people wrote here fills the rest. Where that is shortened, it is told again.*`;
  return [head.split("\n", 1)[0] ?? "", note, tail.split("\n").at(-1) ?? ""].join("\n\n");
}

/** Shortens the longest part until all fits. `utterly`: drops even the entries that a part would keep. */
function shortened(head: string, parts: readonly Part[], tail: string, room: number, utterly: boolean): string {
  const drafts = parts.map((part) => ({ part, kept: [...part.entries], size: sizeOf(part.entries, part) }));
  const fixed = [head, tail, ...parts.flatMap(({ head: above, tail: below = [] }) => [...above, ...below])];
  let total = noteCharacters + fixed.reduce((sum, text) => sum + lengthOnGitHub(text) + 1, 0);
  for (const { size } of drafts) total += size;
  while (total > room) {
    const [longest] = drafts
      .filter(({ kept, part }) => kept.length > (utterly ? 0 : part.least))
      .sort((a, b) => b.size - a.size);
    if (!longest) break;
    const saved = sizeOf(longest.kept.splice(-1), longest.part);
    longest.size -= saved;
    total -= saved;
  }
  const written = drafts.flatMap(({ part, kept }) =>
    kept.length > 0 ? [[...part.head, kept.join(part.between), ...(part.tail ?? [])].join("\n")] : [],
  );
  const left = drafts.flatMap(({ part: { entries, beyond = 0, one, many }, kept }) => {
    const count = entries.length + beyond - kept.length;
    return count > 0 ? [counted(count, one, many)] : [];
  });
  const note = left.length > 0 ? [`${leftOut}${left.join(", ")}.*`] : [];
  return [head, ...written, ...note, tail].join("\n\n");
}

function sizeOf(entries: readonly string[], { between }: Part): number {
  return entries.reduce((sum, entry) => sum + lengthOnGitHub(entry) + between.length, 0);
}
