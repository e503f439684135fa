import { distinctiveStems } from "../../language/words.ts";
import type { Reading } from "../../model/reading.ts";
import { addressesCitedAt, type ChangedSentence } from "./changed-sentences.ts";
import { proveFigure } from "./figures.ts";
import { missingWordsOn } from "./missing-words.ts";
import { type ProvingPage, provingPage } from "./page.ts";
import { denialOf, stateStatementsIn } from "./passages.ts";
import { type FigurePhrase, figurePhrases, isPlain } from "./phrases.ts";

/** A figure, a version or quoted words that the cited page does not have. */
export interface Contradiction {
  readonly sentence: ChangedSentence;
  readonly said: string;
  /** The page's words in their place; undefined for quoted words without a similar passage. */
  readonly there?: string;
  readonly quoted?: true;
  /** The heading above those. */
  readonly under?: string;
  /** It is the page's figure for the same thing; otherwise one of the same sort, without the report's on the page. */
  readonly same?: boolean;
}

export interface SeenPage {
  readonly kind: string;
  readonly reading: Reading;
}

export interface PageToContradict {
  readonly sentences: readonly ChangedSentence[];
  readonly address: string;
  readonly page: SeenPage;
}

export interface PageComparison {
  readonly contradictions: readonly Contradiction[];
  /** How many figures and quotes were compared; figures only if the page has some of the same sort. */
  readonly figures: number;
  readonly quotes: number;
}

/**
 * Compares sentences with a page that they cite, and finds contradictions. In doubt it finds none: if a statement
 * rests on several sources, or if two figures of one sort are side by side. Pure.
 */
export function contradictionsIn({ sentences, address, page: citedPage }: PageToContradict): PageComparison {
  let page: ProvingPage | undefined;
  const pageAt: PageAt = ({ cites }, to) => {
    const [cited, ...more] = addressesCitedAt({ cites }, to) ?? [];
    if (cited !== address || more.length > 0) return undefined;
    page ??= provingPage(citedPage.reading, cites.find((one) => one.address === address)?.title ?? "");
    return page;
  };
  const comparisons = sentences.map((sentence): PageComparison => {
    const ofFigures = compareFigures(sentence, pageAt);
    if (sentence.shared) return ofFigures;
    const ofText = compareMissing(sentence, address, citedPage);
    return ofFigures.contradictions.length > 0
      ? { ...ofFigures, quotes: ofText.quotes }
      : mergeCompared(ofFigures, ofText);
  });
  return comparisons.reduce(mergeCompared, { contradictions: [], figures: 0, quotes: 0 });
}

function mergeCompared(one: PageComparison, other: PageComparison): PageComparison {
  return {
    contradictions: [...one.contradictions, ...other.contradictions],
    figures: one.figures + other.figures,
    quotes: one.quotes + other.quotes,
  };
}

/** The page, if a sentence cites it alone for what ends at `to`. */
type PageAt = (sentence: ChangedSentence, to: number) => ProvingPage | undefined;

/** Figures for which the page has another one for the same thing. */
function compareFigures(sentence: ChangedSentence, pageAt: PageAt): PageComparison {
  const { text, row = "", column = "" } = sentence;
  const cellNames = [row, column].filter((name) => name !== "");
  const phrases = figurePhrases(text);
  let figures = 0;
  const contradictions = phrases.flatMap((figure): Contradiction[] => {
    const { dimension } = figure.quantity;
    const isOnly = phrases.every((other) => other === figure || other.quantity.dimension !== dimension);
    const page = isOnly && isPlain(text, figure) ? pageAt(sentence, figure.end) : undefined;
    if (!page) return [];
    if (page.figures.has(dimension)) figures++;
    const outcome = proveFigure(figure, page, cellNames);
    if (outcome.kind === "contrary") {
      const { there, under } = outcome;
      return [{ sentence, said: figure.text, there, same: true, under }];
    }
    const version = outcome.kind === "open" ? otherVersion(figure, page) : undefined;
    return version === undefined ? [] : [{ sentence, said: figure.text, ...version }];
  });
  return { contradictions: [...contradictions, ...denials(sentence, pageAt)], figures, quotes: 0 };
}

/** Statements that the page denies in the same words. */
function denials(sentence: ChangedSentence, pageAt: PageAt): Contradiction[] {
  const { text, row } = sentence;
  if (row !== undefined) return [];
  return stateStatementsIn(text).flatMap((state): Contradiction[] => {
    const page = pageAt(sentence, state.to);
    const there = page && denialOf(state, page);
    return there === undefined ? [] : [{ sentence, said: text, there, quoted: true, same: true }];
  });
}

/** The least words that a sentence of the page has in common with the report's, if both are about the same. */
const minSharedWords = 3;

/** The only version of a thing that a page names, if the report's is not on it. */
function otherVersion(
  { quantity, text, words }: FigurePhrase,
  page: ProvingPage,
): Pick<Contradiction, "there" | "under"> | undefined {
  if (!quantity.dimension.startsWith("version of ")) return undefined;
  const there = page.figures.get(quantity.dimension) ?? [];
  const [first] = there;
  if (!first || there.some((other) => other.value !== first.value)) return undefined;
  const written = text.replace(/^v/i, "");
  if (page.words.blocks.some((block) => block.text.includes(written))) return undefined;
  const stems = distinctiveStems(words);
  const same = there.find(
    (one) => one.plain && new Set(stems.filter((stem) => one.near.has(stem))).size >= minSharedWords,
  );
  const under = same && page.words.blocks[same.block]?.path.at(-1);
  return same && { there: same.value, under };
}

/** Quoted words, or the only figure of a sentence, that are not on the only page that it cites. */
function compareMissing(sentence: ChangedSentence, address: string, { kind, reading }: SeenPage): PageComparison {
  const { text, row, cites } = sentence;
  const [only, ...more] = new Set(cites.map((cited) => cited.address));
  // Only a part of a paper or package is read: it may have the words elsewhere.
  if (only !== address || more.length > 0 || row !== undefined || !["page", "text"].includes(kind))
    return { contradictions: [], figures: 0, quotes: 0 };
  const { quotes, altered, figure, quoted } = missingWordsOn(reading, { text, title: cites[0]?.title ?? "" });
  const phrases = figurePhrases(text);
  // The last digits of `512,5 GB` alone are no figure.
  const isWhole = phrases.some((phrase) => phrase.text === figure?.text);
  const isSaid = figure !== undefined && isWhole && phrases.every((phrase) => isPlain(text, phrase));
  const contradictions = [
    ...quotes.map((said): Contradiction => ({ sentence, said, quoted: true })),
    ...altered.map((one): Contradiction => ({ sentence, ...one, quoted: true, same: true })),
    ...(isSaid ? [{ sentence, said: figure.text, there: figure.there }] : []),
  ];
  return { contradictions, figures: 0, quotes: quoted };
}
