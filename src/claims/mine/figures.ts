import { holdsBetween, type Quantity, sameQuantity } from "../../language/quantity.ts";
import type { Proof } from "../../model/claim.ts";
import { figurePlaces } from "../find/places.ts";
import { findValue } from "../find/value.ts";
import type { PageFigure, ProvingPage } from "./page.ts";
import type { FigurePhrase, Meaning } from "./phrases.ts";
import { nearTo, rawWords, type SharedWords, sharedWords, stemsIn } from "./same-thing.ts";

export type FigureOutcome =
  | { readonly kind: "proved"; readonly proof: Proof; readonly place: string }
  /**
   * The only place with the statement of the report's sentence has another figure. `under`: the heading above it.
   * `proof`: the report's figure at that place.
   */
  | { readonly kind: "contrary"; readonly there: string; readonly under?: string; readonly proof: Proof }
  | { readonly kind: "open" };

/** A page with more figures of one sort is too long to compare. */
const maxFiguresAlike = 2_000;

const open: FigureOutcome = { kind: "open" };

/** Compares a figure with the cited page. It is proved by exactly one place that says the same about the same thing. */
export function proveFigure(figure: FigurePhrase, page: ProvingPage, beside: readonly string[]): FigureOutcome {
  const alike = page.figures.get(figure.quantity.dimension) ?? [];
  if (alike.length === 0 || alike.length > maxFiguresAlike) return open;
  const matches = alike.flatMap((there) => {
    const shared = sharedWords(figure, there, page, beside);
    return shared === undefined ? [] : [{ there, shared }];
  });
  const same = matches.filter(({ there }) => isSame(figure, there));
  if (same.length === 0) return contraryFigure(figure, matches, page, beside);
  const [only, ...more] = same;
  if (!only || more.length > 0 || !only.there.plain || !isOneReading(figure, only.there)) return open;
  const others = matches.filter(({ there }) => there !== only.there && !sameQuantity(there.quantity, figure.quantity));
  if (others.length > 0) return open;
  const proof = proofOf(only.there, only.shared, page);
  return proof === undefined ? open : { kind: "proved", proof, place: `${only.there.block}:${only.there.start}` };
}

/** `1.024 GB` has two readings. On a page whose figures have one, the first reading and the same writing are certain. */
function isOneReading({ quantity, text }: FigurePhrase, there: PageFigure): boolean {
  if (!quantity.other) return true;
  return !there.quantity.other && (there.quantity.from === quantity.from || there.value === text);
}

function contraryFigure(
  figure: FigurePhrase,
  matches: readonly { readonly there: PageFigure; readonly shared: SharedWords }[],
  page: ProvingPage,
  beside: readonly string[],
): FigureOutcome {
  const [first, ...more] = matches;
  const only = first?.there;
  // A figure of an older version of a thing does not contradict.
  if (figure.quantity.dimension.startsWith("version of")) return open;
  if (!first || !only || more.length > 0 || !only.plain || figure.meaning !== (only.phrase?.meaning ?? figure.meaning))
    return open;
  // A row whose name has a word that the page does not have may be about something else.
  const near = nearTo(only, page);
  if (beside.some((name) => !stemsIn(name).some((stem) => near(stem) || page.title.has(stem)))) return open;
  // A range is not contradicted by a figure within it.
  const { from, to } = only.quantity;
  if (from === to && holds(figure.quantity, only.quantity)) return open;
  const anywhere = (page.figures.get(figure.quantity.dimension) ?? []).some((one) =>
    holds(one.quantity, figure.quantity),
  );
  if (anywhere) return open;
  const under = page.words.blocks[only.block]?.path.at(-1);
  const place = proofOf(only, first.shared, page);
  const proof = { ...(place && "of" in place && place.of !== undefined && { of: place.of }), value: figure.text };
  return { kind: "contrary", there: only.value, under, proof };
}

function holds(there: Quantity, wanted: Quantity): boolean {
  return (
    sameQuantity(there, wanted) || holdsBetween(there, wanted, (one, { from, to }) => from >= one.from && to <= one.to)
  );
}

/** The same figure in the same sense: a page that says 800 does not say "more than 800". */
function isSame({ quantity, meaning }: FigurePhrase, there: PageFigure): boolean {
  return sameQuantity(quantity, there.quantity) && agree(meaning, there.phrase?.meaning ?? "exact");
}

function agree(claimed: Meaning, there: Meaning): boolean {
  if (claimed === there) return true;
  const loose: readonly Meaning[] = ["exact", "upper"];
  return loose.includes(there) && (loose.includes(claimed) || claimed === "about");
}

/** The most words that lead to a figure: with more, the first edit of the page loses it. */
const maxWordsBeside = 8;

/** The figure, with the first few words near it that lead to it alone; undefined if no words do. */
function proofOf(
  pageFigure: PageFigure,
  { called, more, isMeasured }: SharedWords,
  page: ProvingPage,
): Proof | undefined {
  const measured = pageFigure.phrase?.measure.map(({ raw }) => raw) ?? [];
  const headed = pageFigure.headed?.flatMap(rawWords) ?? [];
  // A sentence that names no measured property means the page's.
  const measuredWords = isMeasured
    ? [called, [...called, ...more], [...called, ...measured]]
    : [
        [...called, ...measured],
        [...called, ...more],
      ];
  const candidates = headed.length > 0 ? [headed, ...measuredWords] : measuredWords;
  const of = candidates.map(ofWords).find((words) => words !== "" && leadsTo(pageFigure, words, page));
  if (of === undefined) return undefined;
  const { value } = pageFigure;
  return findValue(page.words, { value, of }).status === "exact" ? { value, of } : undefined;
}

function ofWords(words: readonly string[]): string {
  const once = new Map(words.map((word) => [stemsIn(word).join(" "), word]));
  const distinctive = [...once].flatMap(([stem, word]) => (stem === "" ? [] : [word]));
  return distinctive.length <= maxWordsBeside ? distinctive.join(" ") : "";
}

/** Whether these words lead to this figure, and to no other of its sort. */
function leadsTo(pageFigure: PageFigure, of: string, page: ProvingPage): boolean {
  const { words } = page;
  const alike = page.figures.get(pageFigure.quantity.dimension) ?? [];
  const places = figurePlaces(words, of).map(({ from, to, closeness }) => {
    const start = words.start[from] ?? 0;
    const end = words.end[to - 1] ?? 0;
    const figures = alike.filter((one) => one.block === words.block[from] && one.start >= start && one.end <= end);
    return { figures, closeness };
  });
  const placesOfIt = places.filter(({ figures }) => figures.includes(pageFigure));
  // If the heading above a table has the name of one row, all its rows have it, but not as close.
  const least = Math.max(...placesOfIt.map(({ closeness }) => closeness));
  return (
    placesOfIt.length > 0 &&
    places.every(({ figures, closeness }) => {
      const same = figures.filter(({ quantity }) => sameQuantity(quantity, pageFigure.quantity));
      return closeness < least || figures.length === 0 || (same.length > 0 && same.every((one) => one === pageFigure));
    })
  );
}
