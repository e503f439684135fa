import { phrasesOf } from "../../language/lexicon.ts";
import { cut } from "../../model/markdown.ts";

/** Text on one line, without invisible characters, for a file or for comparison. */
export function reportLine(text: string, most = 200): string {
  const folded = text
    .slice(0, most * 4 + 200)
    .replace(/[\p{Cf}\p{Cs}\p{Co}\ufffe\uffff]/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return cut(folded, most);
}

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
  const line = reportLine(text, 200);
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
