import { phrasesOf } from "../../language/lexicon.ts";
import { moneyDimensions } from "../../language/quantity.ts";
import { distinctiveStems, stemsOf, wordsIn } from "../../language/words.ts";
import type { NamedRule } from "../../model/heuristics.ts";
import { isCalledOtherwise, isSaidOtherwise } from "./other-subjects.ts";
import type { PageFigure, ProvingPage } from "./page.ts";
import type { FigurePhrase } from "./phrases.ts";
import { phraseTokens, runsOf, type Token } from "./tokens.ts";

/** Few things are counted by so large a number: the word for them identifies the subject. */
const many = 100_000;

/** The relation of a word of the report's sentence to a figure of the page. */
type Nearness = "near" | "titled" | "missing" | "unknown" | "elsewhere";

/**
 * The words of the report's figure that the page has near its own; undefined if the subjects may differ. `beside`: for
 * a cell of the report, the names of its row and column.
 */
export function sharedWords(
  figure: FigurePhrase,
  there: PageFigure,
  page: ProvingPage,
  beside: readonly string[],
): SharedWords | undefined {
  const pair = pairOf(figure, there, page, beside);
  if (differences.some((rule) => rule.applies(pair))) return undefined;
  const { near, plain, isMeasured } = pair;
  const own = (raws: readonly string[]) => raws.filter((raw) => stemsIn(raw).some(near));
  const calling = [...figure.names, ...figure.measure].map(({ raw }) => raw);
  return { called: own([...beside.flatMap(rawWords), ...calling]), more: own(plain.map(({ raw }) => raw)), isMeasured };
}

/** A figure of the report and one of the page, with everything that the rules ask about them. */
type Pair = ReturnType<typeof pairOf>;

/**
 * `naming`, `measuring`: the nearness of the words for the subject and for the measured property. `plain`: other words
 * near the page's figure.
 */
function pairOf(figure: FigurePhrase, there: PageFigure, page: ProvingPage, beside: readonly string[]) {
  const { names, measure, words, quantity } = figure;
  const near = nearTo(there, page);
  const runs = runsOf(names);
  const nearnessOf = nearnessIn(near, there, page, runs);
  const measured = new Set(stemsOf(measure));
  const besideStems = beside.flatMap(stemsIn);
  const nameStems = stemsOf(names);
  const subject = [...new Set([...nameStems, ...besideStems])].filter((stem) => !measured.has(stem));
  const naming = subject.map(nearnessOf);
  const measuring = [...measured].map(nearnessOf);
  const plain = words.filter(({ term }) => term.weight >= 1 && term.quantity === undefined && near(term.stem));
  const isLarge = quantity.dimension.startsWith("number of") && quantity.from >= many;
  const stems = new Set([...stemsOf(plain), ...besideStems.filter(near)]);
  return {
    figure,
    there,
    page,
    near,
    runs,
    nearnessOf,
    subject: [...subject, ...measured],
    naming,
    measuring,
    plain,
    besideStems,
    isCell: beside.length > 0,
    measured,
    sharedStems: stems.size + Number(isLarge),
    isMeasured: measuring.some((one) => one === "near" || one === "titled"),
  };
}

/** How near to a figure of the page a word is. */
function nearnessIn(
  near: (stem: string) => boolean,
  there: PageFigure,
  page: ProvingPage,
  runs: readonly (readonly Token[])[],
) {
  const alike = page.beside.get(there.quantity.dimension);
  // A name at the start of a list that is also the page's subject belongs to each figure, unless it is part of another
  // name.
  const isOfAll = (stem: string) =>
    page.title.has(stem) &&
    there.lead?.has(stem) === true &&
    !runs.some((run) => run.some(({ term }) => term.stem === stem) && run.some(({ term }) => near(term.stem)));
  return (stem: string): Nearness => {
    if (near(stem)) return "near";
    if (alike?.has(stem) && !isOfAll(stem)) return "elsewhere";
    if (page.title.has(stem)) return "titled";
    return page.stems.has(stem) ? "missing" : "unknown";
  };
}

const count = (all: readonly Nearness[], one: Nearness) => all.filter((each) => each === one).length;

/** Reasons why two figures of one sort may be about different things. */
export const differences: readonly NamedRule<Pair>[] = [
  {
    id: "elsewhere",
    reason: "A word of the report's figure is beside another figure of the page.",
    applies: ({ naming, measuring }) => [...naming, ...measuring].includes("elsewhere"),
  },
  {
    id: "other-period",
    reason: "A price per month is not one per year.",
    applies: ({ figure, there }) => !isSamePer(figure.per, there),
  },
  {
    id: "missing-names",
    reason: "More than a third of the names are on the page, but not near its figure.",
    applies: ({ naming, measuring }) => {
      const missing = count(naming, "missing") + count(measuring, "missing");
      return missing > 0 && count(naming, "near") < 2 * missing;
    },
  },
  {
    id: "longer-name",
    reason: "`M4` in the report is not the page's `M4 Max`, if the page has an `M4` as well.",
    applies: ({ figure, there, page, subject }) => figure.names.some((name) => !isComplete(name, there, page, subject)),
  },
  {
    id: "sibling",
    reason: "`M5 Max` in the report is not the `M4 Max` of a page without any `M5`.",
    applies: ({ runs, nearnessOf }) => isSibling(runs, nearnessOf),
  },
  {
    id: "called-otherwise",
    reason: "The page calls the thing by another name.",
    applies: ({ figure: { sentence }, there: { headed, phrase }, page, runs }) => {
      const texts = headed?.map(phraseTokens) ?? (phrase ? [phrase.sentence] : []);
      const names = [sentence.slice(0, 1).filter(opensAs), runs[0] ?? []];
      return names.some((name) => isCalledOtherwise(name, sentence, texts, page.title));
    },
  },
  {
    id: "other-measure",
    reason: "The report names a measured property that the page's figure does not have.",
    applies: ({ figure, there, measuring, isMeasured }) =>
      !isMeasured && !isOfUnknownMeasure(measuring, figure.words, there),
  },
  {
    id: "other-subject",
    reason: "The page's figure is about a thing that the report does not name.",
    applies: ({ figure: { names, words }, there, page, measured, isCell, besideStems }) => {
      const [first = []] = runsOf(names.filter(({ term }) => !measured.has(term.stem)));
      const head = isCell ? besideStems : stemsOf(first);
      const isNear = head.some((stem) => there.near.has(stem) && !isSmall(stem, there));
      return !isNear && isOfAnother(there, words, page);
    },
  },
  {
    id: "opened-by-another",
    reason: "The page's sentence begins with a name in place of the report's subject.",
    applies: ({ figure, there, page, isCell }) => !isCell && isOpenedByAnother(figure, there, page),
  },
  {
    id: "led-by-another",
    reason: "The page's sentence begins with a name that the report's lacks.",
    applies: ({ figure: { sentence, lead }, there, page, isCell, besideStems }) =>
      isLedByAnother({ sentence, lead: isCell ? besideStems : stemsOf(lead) }, there, page),
  },
  {
    id: "unnamed",
    reason: "The page does not name the thing, and has less than three words in common.",
    applies: ({ naming, sharedStems }) => count(naming, "near") + count(naming, "titled") === 0 && sharedStems < 3,
  },
  {
    id: "few-words",
    reason: "Too few words match for a dimension in which everything is counted.",
    applies: ({ there, sharedStems, isMeasured }) => sharedStems < leastShared(there, isMeasured),
  },
  {
    id: "said-otherwise",
    reason: "The page's sentence says something else about the thing.",
    applies: ({ figure, there }) => isSaidOtherwise(figure, there.phrase),
  },
];

export function rawWords(text: string): string[] {
  return wordsIn(text).map(({ start, end }) => text.slice(start, end));
}

export interface SharedWords {
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
  const reportStems = new Set(stemsOf(words));
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
  const reportStems = new Set(stemsOf(words));
  const other = phrase?.measure ?? [];
  return measuring.length === 0 || other.length === 0 || other.some(({ term }) => reportStems.has(term.stem));
}

export function stemsIn(text: string): string[] {
  return distinctiveStems(wordsIn(text));
}

export function nearTo({ near, block }: PageFigure, { words, above }: ProvingPage): (stem: string) => boolean {
  const path = words.blocks[block]?.path ?? [];
  return (stem) => near.has(stem) || path.some((heading) => above.get(heading)?.has(stem));
}

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

function isSamePer(per: readonly string[], there: PageFigure): boolean {
  const other = there.phrase?.per ?? [];
  if (per.length === 0 && other.length === 0) return true;
  const isMoney = moneyDimensions.has(there.quantity.dimension);
  if (per.length === 0 || other.length === 0) return !isMoney || per.some((word) => there.near.has(word));
  return per.some((word) => other.includes(word));
}
