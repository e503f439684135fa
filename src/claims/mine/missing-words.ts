import { plainWords } from "../../language/fold.ts";
import { matches, says, wordsOf } from "../../language/lexicon.ts";
import { decimalSignIn, holdsBetween, quantities, underSign } from "../../language/quantity.ts";
import { numbersOf, type Words, wordsOfBlocks } from "../../language/words.ts";
import type { Reading } from "../../model/reading.ts";
import { findQuote } from "../find/quote.ts";
import { quotation } from "./passages.ts";
import { sentencesIn } from "./sentences.ts";

/** Words of a report that the only page cited for them does not have. */
export interface MissingWords {
  readonly quotes: readonly string[];
  readonly altered: readonly { readonly said: string; readonly there: string }[];
  readonly quoted: number;
  /** A figure, and a figure of the same sort that the page has instead. */
  readonly figure?: { readonly text: string; readonly there: string };
}

/** Pages with fewer words show only part of their content as text: their figures may be in a picture. */
const minPageWords = 150;

/** The least similarity of a quote and its altered passage. Below it they may be different passages. */
const minSimilarity = 0.7;
/** A similar passage for a shorter quote is chance. */
const minAlteredWords = 5;

/** Quoted words and the only figure of a text that are not on a page. `title`: the page's name in the report. Pure. */
export function missingWordsOn({ blocks }: Reading, { text, title }: { text: string; title: string }): MissingWords {
  const page = blocks && wordsOfBlocks(blocks);
  if (!page || page.ids.length < minPageWords) return { quotes: [], altered: [], quoted: 0 };
  // A quote may end within a figure or a name of the page.
  const letters = blocks.map((block) => lettersOf(block.text));
  const isThere = (said: string) => letters.some((one) => one.includes(lettersOf(said)));
  const allQuotes = announcedQuotes(text, title);
  const unlike = allQuotes.filter((said) => !isThere(said));
  const found = unlike.map((said) => ({ said, found: findQuote(page, { exact: said }) }));
  const quotes = found.flatMap((one) => (one.found.status === "absent" ? [one.said] : []));
  const altered = found.flatMap(({ said, found: there }) =>
    there.status === "altered" && there.similarity >= minSimilarity && said.split(/\s+/).length >= minAlteredWords
      ? [{ said, there: there.text }]
      : [],
  );
  const figure = missingFigure(text, page);
  return { quotes, altered, quoted: allQuotes.length, ...(figure && { figure }) };
}

/** Words that announce a quote. Without them, words in quotation marks may be a title or a manner of speaking. */
const isQuoting = says("statements.quotes");
/** An entry of a bibliography: its words in quotation marks are a title. */
const bibliographic =
  /\b(?:et al|arXiv|doi|proceedings|preprint)\b|\bpp?\. ?\d|\((?:19|20)\d\d\)|\b(?:19|20)\d\d\.(?:\s|$)/i;
/**
 * Quoted words that must be the cited page's: at least four, none left out, in a text of one sentence. A title is not a
 * quote.
 */
function announcedQuotes(text: string, title: string): string[] {
  const around = text.replace(quotation, "“…”");
  if (sentencesIn(around).length > 1 || !isQuoting(around) || bibliographic.test(around)) return [];
  // A link without a name of its own, `(source)`, is named by its sentence.
  const isSaying = isQuoting(title.replace(quotation, ""));
  return [...text.matchAll(quotation)]
    .map(([quote]) => quote.slice(1, -1))
    .filter((quote) => quote.trim().split(/\s+/).length >= 4 && !/…|\.\.\.|[[\]]/.test(quote))
    .filter((quote) => isSaying || !lettersOf(title).includes(lettersOf(quote)));
}

function lettersOf(text: string): string {
  return plainWords(text).join(" ");
}

/** Words that make the figure beside them approximate, or about another thing. */
const isLoose = matches(`[~≈<>≥≤±+]|${wordsOf("statements.loosely")}`);
/** Units of figures that writers compute themselves or write in words. */
const computed = new Set(["percent", "ratio", "count", "second", "month"]);
/** The least share by which figures differ: less is rounding, or another unit. */
const minDifference = 0.15;

/**
 * The only figure of a text of one sentence, if the page gives others of its sort. None of them may be its origin: the
 * same number in a cell, a rounded figure, a range around it.
 */
function missingFigure(text: string, page: Words): { text: string; there: string } | undefined {
  const { blocks } = page;
  const [only, ...more] = quantities(text);
  if (!only || more.length > 0 || sentencesIn(text).length > 1 || isLoose(text)) return undefined;
  if (text.match(quotation)?.some(({ length }) => length > 16) || bibliographic.test(text)) return undefined;
  if (only.from !== only.to || computed.has(only.dimension)) return undefined;
  const sign = decimalSignIn(blocks.map((block) => block.text));
  const pageFigures = blocks
    .flatMap((block) => quantities(block.text))
    .filter(({ dimension }) => dimension === only.dimension)
    .map((figure) => underSign(figure, sign));
  const otherFigures = [...new Set(pageFigures.map(({ text: other }) => other))].slice(0, 3).join(", ");
  const near = pageFigures.some((one) =>
    holdsBetween(
      one,
      only,
      ({ from, to }, wanted) =>
        wanted.from >= Math.min(from, to) * (1 - minDifference) &&
        wanted.from <= Math.max(from, to) * (1 + minDifference),
    ),
  );
  const bare = numbersOf({ number: only.number.value, ...(only.number.other && { other: only.number.other }) });
  const isThere = page.terms.some((term) => numbersOf(term).some((number) => bare.includes(number)));
  return pageFigures.length === 0 || near || isThere ? undefined : { text: only.text, there: otherFigures };
}
