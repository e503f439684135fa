import { phrasesOf } from "../../language/lexicon.ts";
import { holdsBetween, moneyDimensions, type Quantity, sameQuantity } from "../../language/quantity.ts";
import { distinctiveStems, wordsIn } from "../../language/words.ts";
import type { Proof } from "../../model/claim.ts";
import { figurePlaces } from "../find/places.ts";
import { findValue } from "../find/value.ts";
import { isCalledOtherwise, isSaidOtherwise } from "./otherwise.ts";
import type { PageFigure, ProvingPage } from "./page.ts";
import type { Bound, FigurePhrase } from "./phrases.ts";
import { phraseTokens, runsOf, stemsOf, type Token } from "./tokens.ts";

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
  meant: readonly { readonly there: PageFigure; readonly shared: SharedWords }[],
  page: ProvingPage,
  beside: readonly string[],
): FigureOutcome {
  const [first, ...more] = meant;
  const only = first?.there;
  // A figure of an older version of a thing does not contradict.
  if (figure.quantity.dimension.startsWith("version of")) return open;
  if (!first || !only || more.length > 0 || !only.plain || figure.bound !== (only.phrase?.bound ?? figure.bound))
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
function isSame({ quantity, bound }: FigurePhrase, there: PageFigure): boolean {
  return sameQuantity(quantity, there.quantity) && agree(bound, there.phrase?.bound ?? "exact");
}

function agree(said: Bound, there: Bound): boolean {
  if (said === there) return true;
  const loose: readonly Bound[] = ["exact", "up to"];
  return loose.includes(said) ? loose.includes(there) : said === "about" && loose.includes(there);
}

/** Few things are counted by so large a number: the word for them identifies the subject. */
const many = 100_000;

/** The relation of a word of the report's sentence to a figure of the page. */
type Nearness = "near" | "titled" | "missing" | "unknown" | "elsewhere";

/**
 * The words of the report's figure that the page has near its own; undefined if the subjects may differ. `beside`: for
 * a cell of the report, the names of its row and column.
 */
function sharedWords(
  { names, measure, words, per, sentence, lead, quantity }: FigurePhrase,
  pageFigure: PageFigure,
  page: ProvingPage,
  beside: readonly string[],
): SharedWords | undefined {
  const near = nearTo(pageFigure, page);
  const alike = page.beside.get(pageFigure.quantity.dimension);
  const runs = runsOf(names);
  // A name at the start of a list that is also the page's subject belongs to each figure, unless it is part of another
  // name.
  const isOfAll = (stem: string) =>
    page.title.has(stem) &&
    pageFigure.lead?.has(stem) === true &&
    !runs.some((run) => run.some(({ term }) => term.stem === stem) && run.some(({ term }) => near(term.stem)));
  const nearnessOf = (stem: string): Nearness => {
    if (near(stem)) return "near";
    if (alike?.has(stem) && !isOfAll(stem)) return "elsewhere";
    if (page.title.has(stem)) return "titled";
    return page.stems.has(stem) ? "missing" : "unknown";
  };
  const measured = new Set(measure.map(({ term }) => term.stem));
  const subject = new Set(
    [...names.map(({ term }) => term.stem), ...beside.flatMap(stemsIn)].filter((stem) => !measured.has(stem)),
  );
  const naming = [...subject].map(nearnessOf);
  const measuring = [...measured].map(nearnessOf);
  const count = (all: readonly Nearness[], one: Nearness) => all.filter((each) => each === one).length;
  if ([...naming, ...measuring].includes("elsewhere") || !samePer(per, pageFigure)) return undefined;
  const missing = count(naming, "missing") + count(measuring, "missing");
  if (missing > 0 && count(naming, "near") < 2 * missing) return undefined;
  if (names.some((name) => !isComplete(name, pageFigure, page, [...subject, ...measured]))) return undefined;
  if (isSibling(runs, nearnessOf)) return undefined;
  const texts = pageFigure.headed
    ? pageFigure.headed.map(phraseTokens)
    : pageFigure.phrase
      ? [pageFigure.phrase.sentence]
      : [];
  const candidates = [sentence.slice(0, 1).filter(opensAs), runs[0] ?? []];
  if (candidates.some((name) => isCalledOtherwise(name, sentence, texts, page.title))) return undefined;
  const isMeasured = count(measuring, "near") + count(measuring, "titled") > 0;
  if (!isMeasured && !isOfUnknownMeasure(measuring, words, pageFigure)) return undefined;
  const plain = words.filter(({ term }) => term.weight >= 1 && term.quantity === undefined && near(term.stem));
  const shared = new Set([...plain.map(({ term }) => term.stem), ...beside.flatMap(stemsIn).filter(near)]);
  if (quantity.dimension.startsWith("number of") && quantity.from >= many) shared.add(quantity.dimension);
  const [first = []] = runsOf(names.filter(({ term }) => !measured.has(term.stem)));
  const head = beside.length > 0 ? beside.flatMap(stemsIn) : first.map(({ term }) => term.stem);
  if (
    !head.some((stem) => pageFigure.near.has(stem) && !isSmall(stem, pageFigure)) &&
    isOfAnother(pageFigure, words, page)
  )
    return undefined;
  if (beside.length === 0 && isOpenedByAnother({ sentence, names }, pageFigure, page)) return undefined;
  if (isLedByAnother({ sentence, lead: beside.length > 0 ? beside.flatMap(stemsIn) : stemsOf(lead) }, pageFigure, page))
    return undefined;
  const isCalled = count(naming, "near") + count(naming, "titled") > 0;
  if (!isCalled && shared.size < 3) return undefined;
  if (shared.size < leastShared(pageFigure, isMeasured)) return undefined;
  const own = (raws: readonly string[]) => raws.filter((raw) => stemsIn(raw).some(near));
  if (isSaidOtherwise({ sentence, words, measure, quantity }, pageFigure.phrase)) return undefined;
  const calling = [...names, ...measure].map(({ raw }) => raw);
  return { called: own([...beside.flatMap(rawWords), ...calling]), more: own(plain.map(({ raw }) => raw)), isMeasured };
}

function rawWords(text: string): string[] {
  return wordsIn(text).map(({ start, end }) => text.slice(start, end));
}

interface SharedWords {
  readonly called: readonly string[];
  readonly more: readonly string[];
  /** The report names the measured property. */
  readonly isMeasured: boolean;
}

/** Whether the page's sentence has a word only in lower case, so that it is no name: `free`. */
function isSmall(stem: string, { phrase, headed }: PageFigure): boolean {
  const same = headed ? [] : (phrase?.sentence ?? []).filter(({ term }) => term.stem === stem);
  return same.length > 0 && same.every(({ raw }) => /^\p{Ll}+$/u.test(raw));
}

/** Whether the page's figure is about a thing that neither the report's sentence nor the page's title names. */
function isOfAnother({ phrase, headed = [] }: PageFigure, words: readonly Token[], page: ProvingPage): boolean {
  const reportStems = new Set(words.map(({ term }) => term.stem));
  const measured = new Set(phrase?.measure);
  const names = [
    ...(phrase?.names ?? []).filter((name) => !measured.has(name)),
    ...headed.flatMap((text, i) =>
      phraseTokens(text).filter((one) => one.name || (i === 0 && opensAs(one) && !page.common.has(one.term.stem))),
    ),
  ];
  return names.some(({ term }) => !reportStems.has(term.stem) && !page.title.has(term.stem));
}

/**
 * Whether the page's sentence begins with a name that the report's lacks, and not with the one that begins the
 * report's.
 */
function isLedByAnother(
  { sentence, lead }: { readonly sentence: readonly Token[]; readonly lead: readonly string[] },
  { phrase }: PageFigure,
  page: ProvingPage,
): boolean {
  if (!phrase || phrase.lead.length === 0 || lead.length === 0) return false;
  const [own, other] = [new Set(stemsOf(sentence)), new Set(stemsOf(phrase.sentence))];
  const isKnown = phrase.lead.some(
    ({ term }) => own.has(term.stem) || lead.includes(term.stem) || page.title.has(term.stem),
  );
  return !isKnown && !lead.some((stem) => other.has(stem));
}

/**
 * Whether the page's sentence begins with a possible name in place of the report's subject: `Gamma costs $40`, and not
 * `Atlas costs $40`. A word that is in lower case anywhere on the page is no name.
 */
function isOpenedByAnother(
  { sentence, names }: Pick<FigurePhrase, "sentence" | "names">,
  { phrase, headed }: PageFigure,
  page: ProvingPage,
): boolean {
  const [first, second] = headed ? [] : (phrase?.sentence ?? []);
  if (!first || !second || !opensAs(first) || page.common.has(first.term.stem)) return false;
  const reportStems = new Set(stemsOf(sentence));
  const isVerb = reportStems.has(second.term.stem) && (second.term.weight >= 1 || auxiliaries.has(second.term.key));
  if (reportStems.has(first.term.stem) || !isVerb) return false;
  const there = new Set(stemsOf(phrase?.sentence ?? []));
  const opening = sentence.slice(0, 1).filter(opensAs);
  const subject = opening.length > 0 ? opening : names;
  return subject.length > 0 && !subject.some(({ term }) => there.has(term.stem));
}

const auxiliaries = phrasesOf("statements.auxiliary");

function opensAs({ raw, term, start }: Token): boolean {
  return start === 0 && term.weight >= 1 && /^\p{Lu}/u.test(raw);
}

/** How many words must match at least: more for dimensions in which everything is counted. */
function leastShared({ quantity: { dimension } }: PageFigure, isMeasured: boolean): number {
  if (["percent", "ratio"].includes(dimension) || /^(?:version of|number of|day$|calendar)/.test(dimension)) return 3;
  if (["second", "month"].includes(dimension)) return 2;
  return dimension === "count" && !isMeasured ? 3 : 1;
}

/** Whether the report names no measure, or none that the page has, and the page names no other. */
function isOfUnknownMeasure(measuring: readonly Nearness[], words: readonly Token[], { phrase }: PageFigure): boolean {
  if (measuring.some((one) => one !== "unknown")) return false;
  const reportStems = new Set(words.map(({ term }) => term.stem));
  const other = phrase?.measure ?? [];
  return measuring.length === 0 || other.length === 0 || other.some(({ term }) => reportStems.has(term.stem));
}

function stemsIn(text: string): string[] {
  return distinctiveStems(wordsIn(text));
}

function nearTo({ near, block }: PageFigure, { words, above }: ProvingPage): (stem: string) => boolean {
  const path = words.blocks[block]?.path ?? [];
  return (stem) => near.has(stem) || path.some((heading) => above.get(heading)?.has(stem));
}

/** `M4` in the report is not the page's `M4 Max`, if the page has an `M4` as well. */
function isComplete({ term }: Token, { phrase }: PageFigure, page: ProvingPage, stems: readonly string[]): boolean {
  if (!phrase) return true;
  const places = phrase.words.flatMap((token, i) => (token.term.stem === term.stem ? [i] : []));
  if (places.length === 0 || !page.whole.has(term.stem)) return true;
  return places.some((i) => {
    const [token, next] = [phrase.words[i], phrase.words[i + 1]];
    // `AMD GPUs` are still AMD's.
    if (!token || !next?.name || next.start - token.end > 1 || /^\p{Lu}{2,}s?$/u.test(next.raw)) return true;
    return stems.includes(next.term.stem);
  });
}

/** `M5 Max` in the report is not the `M4 Max` of a page without any `M5`. */
function isSibling(runs: readonly (readonly Token[])[], nearnessOf: (stem: string) => Nearness): boolean {
  return runs.some((each) => {
    const nearness = each.map(({ term }) => nearnessOf(term.stem));
    const known = nearness.indexOf("near");
    const isLacking = (one: Nearness, i: number) => {
      if (/\d/.test(each[i]?.raw ?? "")) return one === "unknown" || one === "missing";
      return one === "unknown" && i > known;
    };
    return known >= 0 && nearness.some(isLacking);
  });
}

/** A price per month is not one per year. */
function samePer(per: readonly string[], there: PageFigure): boolean {
  const other = there.phrase?.per ?? [];
  if (per.length === 0 && other.length === 0) return true;
  const isMoney = moneyDimensions.has(there.quantity.dimension);
  if (per.length === 0 || other.length === 0) return !isMoney || per.some((word) => there.near.has(word));
  return per.some((word) => other.includes(word));
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
