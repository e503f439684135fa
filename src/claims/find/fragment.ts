import type { Stretch } from "../../language/fold.ts";
import { percentEncode } from "../../model/markdown.ts";
import type { Block } from "../../model/reading.ts";
import { cellsOf } from "./places.ts";

/** The longest passage in one piece. A longer one is given by its ends, so that a line break inside does no harm. */
const maxLiteral = 120;

/** The words of each end: more if the last ones occur earlier in the passage. */
const wordCounts = [4, 7, 10, 16, 28];

/**
 * The text fragment with which a browser scrolls to a passage: `#:~:text=…`; empty if the passage has no words.
 * Spec: https://wicg.github.io/scroll-to-text-fragment/#syntax
 */
export function fragmentOf(passage: Block): string {
  // A browser searches each cell of a row by itself.
  const parts = passage.kind === "row" ? cellsOf(passage).map(({ text }) => text) : [passage.text];
  const lines = parts.map((text) => text.trim()).filter((text) => /[\p{L}\p{N}]/u.test(text));
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return "";
  const whole = lines.join("\n").toLowerCase();
  if (lines.length === 1 && first.length <= maxLiteral) return directive(first);
  const [opening, closing] = [wordsIn(first), wordsIn(last)];
  for (const count of wordCounts) {
    const start = first.slice(0, opening[count - 1]?.to);
    const end = last.slice(closing.at(-count)?.from);
    if (whole.indexOf(end.toLowerCase(), start.length) === whole.length - end.length) return directive(start, end);
  }
  return lines.length === 1 ? directive(first) : directive(first, last);
}

/** Created at the first use: that takes long, and most commands need none. */
let segmenter: Intl.Segmenter | undefined;

/** The words of a text, as a browser finds them: also in scripts without spaces. */
function wordsIn(text: string): Stretch[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return [...segmenter.segment(text)].flatMap(({ index, segment, isWordLike }) =>
    isWordLike ? [{ from: index, to: index + segment.length }] : [],
  );
}

function directive(...ends: readonly string[]): string {
  return `#:~:text=${ends.map(encode).join(",")}`;
}

/** `-`, `,` and `&` are syntax; brackets, quotes and asterisks would break a Markdown link. */
function encode(text: string): string {
  return percentEncode(encodeURIComponent(text.toWellFormed()), /[-!'()*~_]/g);
}
