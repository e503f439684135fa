import { phrasesOf } from "../../language/lexicon.ts";
import { cutLine } from "../../model/markdown.ts";

/**
 * Words for comparison: `NVIDIA CUDA (H100)` becomes nvidia, cuda, h100; `torch.compile` and `c++` are single words.
 */
export function comparableWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.+#]+[\p{L}\p{N}]+)*[+#]*/gu) ?? [];
}

const joining = phrasesOf("tables.joining");

export function distinctiveWords(text: string): string[] {
  return comparableWords(text).filter((token) => token.length > 1 && !joining.has(token));
}

/** A name without the brackets at its end: `NVIDIA CUDA (H100/Blackwell)`. Kept if nothing precedes them. */
export function shortName(text: string): string {
  const line = cutLine(text, 200);
  const at = line.search(/ ?[([]/);
  return (
    (at > 1 ? line.slice(0, at) : line)
      .replace(/(?<![\s:*†‡§])[\s:*†‡§]+$/, "")
      .slice(0, 80)
      .trim() || line.slice(0, 80)
  );
}

/**
 * The beginning of a file, with LF as its only line end. Unicode's line separators end no line in any format, and
 * become spaces.
 */
export function fileText(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/\r\n?/g, "\n")
    .replace(/[\u2028\u2029]/g, " ")
    .replace(/^\ufeff/, "");
}
