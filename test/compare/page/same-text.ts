import { keyOf, wordsOf } from "../../../src/compare/page/text.ts";

/** Whether two texts say the same, letter by letter and digit by digit. */
export function sameText(a: string, b: string): boolean {
  return a === b || keyOf(wordsOf(a)) === keyOf(wordsOf(b));
}
