import { nth } from "../../language/fold.ts";
import { sentenceAt, spanAt, termsIn, type Words, wordsIn } from "../../language/words.ts";
import { boundAt } from "./bound.ts";
import { occurrences } from "./quote.ts";

/** Signs that compare or bound a figure anywhere: `sail~=1.20`, `^1.20`, `3.9+`. */
const ofFigure = /(?:[!=~]==?|~>|(?<!\[)\^)(?= ?['"]?\d)|(?<=\d)\+(?![\p{L}\d])/gu;
/** In code also signs that compare, add, subtract or negate: `a < b`, `base - delta`, `!ready`. */
const ofCode = new RegExp(
  [
    /[!=~]==?|~>|(?<!\[)\^(?= ?['"]?\d)|~(?=\d)|(?<=\d)\+(?![\p{L}\d])/u,
    / [-+<>] |(?<=[\p{L}\d_)\]])[-+<>](?=[\p{L}\d_(])|(?<![\p{L}\p{N}])!(?=[\p{L}(])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/**
 * A passage as it is on a page, if all its places have other signs than the quote: "sail==1.20" for "sail~=1.20". In
 * "sail>=1.20" the sign counts as another word.
 */
export function withOtherSigns(page: Words, quote: string, said: Words): string | undefined {
  const [own] = placesOf(said, quote);
  const there = placesOf(page, quote);
  if (own === undefined) return undefined;
  const isSame = there.some(({ text, signs, isLower }) => {
    const [is, was] = [signsIn(text, signs), signsIn(own.text, signs)];
    return is === was || (isLower && `${is} +`.trim() === was);
  });
  return isSame ? undefined : there[0]?.text;
}

const maxOccurrences = 1000;

/** A place of a passage. `isLower`: it ends with a figure, and words after it mean the same as `+`: `3.9 or newer`. */
interface Place {
  readonly text: string;
  readonly signs: RegExp;
  readonly isLower: boolean;
}

function placesOf(page: Words, quote: string): Place[] {
  const passage = termsIn(quote);
  return occurrences(page, passage, maxOccurrences).map((at) => {
    const last = at + passage.length - 1;
    const { text, block } = spanAt(page, at, last);
    const behind = spanAt(page, last, sentenceAt(page, at, last)[1]).text;
    const isLower = /^\d/.test(behind) && boundAt(behind, wordsIn(behind), 0) === "lower";
    return { text, signs: nth(page.blocks, block).kind === "code" ? ofCode : ofFigure, isLower };
  });
}

function signsIn(text: string, signs: RegExp): string {
  return (text.match(signs) ?? []).map((sign) => sign.trim()).join(" ");
}
