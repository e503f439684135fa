import { datesIn } from "../../language/dates.ts";
import { isEnglish } from "../../language/detect.ts";
import { matches, phrasesOf, says, wordsOf } from "../../language/lexicon.ts";
import { isCalledByNumber, linkWords } from "../../language/numbers.ts";
import { decimalSignIn, type Quantity, underSign } from "../../language/quantity.ts";
import type { Term } from "../../language/words.ts";
import { boundAt, denials, type WrittenBound } from "../find/bound.ts";
import { joiningWords, phraseTokens, runsOf, type Token, versionShape } from "./tokens.ts";

/** A figure of a sentence, with the words for its subject and for the property it measures. */
export interface FigurePhrase {
  /** A quantity. The dimension of a version, date or count names the thing: `version of pytorch`. */
  readonly quantity: Quantity;
  readonly text: string;
  /** Offsets in the sentence. */
  readonly start: number;
  readonly end: number;
  /** Names of the thing that has it, and of its qualifiers. */
  readonly names: readonly Token[];
  /** The words that follow it: `unified memory` of `128 GB of unified memory`. */
  readonly measure: readonly Token[];
  /** The words after `per`: with another one it is another figure. */
  readonly per: readonly string[];
  readonly meaning: Meaning;
  /** All words of its part of the sentence, and of the parts that qualify it. */
  readonly words: readonly Token[];
  /** All words of its sentence, and the name at the beginning of the sentence or clause, if it comes before the figure. */
  readonly sentence: readonly Token[];
  readonly lead: readonly Token[];
}

/** How the figure is meant: exactly, as a bound, or as an approximation, which `nearly` says is too high. */
export type Meaning = "exact" | WrittenBound | "about" | "nearly";

const isNearly = matches(`${wordsOf("statements.nearly")} ?$`);
const isAbout = matches(`(?:${wordsOf("statements.about")}|[~≈]) ?$`);

const maxMeasureWords = 5;
/** The most figures of one sentence: each is compared with all of its words. */
const maxFigures = 100;
/** Words before a figure that make it about something else, another time, or a wish. */
const isDoubtfulBefore = says("statements.doubt-before");
/** The same for words after a figure. */
const isDoubtfulAfter = says("statements.doubt-behind");
/** With a date, these express no doubt. */
const dated = new RegExp(wordsOf("statements.dated"), "giu");
/** A limit does not count among them. */
const limiting = new RegExp(wordsOf("statements.limiting"), "giu");

/** The figures of a sentence, each with its subject: quantities, versions, dates, numbers of things. */
export function figurePhrases(sentence: string): FigurePhrase[] {
  const tokens = phraseTokens(sentence);
  const figures = figuresAmong(tokens, sentence);
  if (figures.length === 0) return [];
  const figureTokens = new Set(figures.flatMap(({ first, last }) => tokens.slice(first, last + 1)));
  const measures = new Map(figures.map((figure) => [figure, measureOf(tokens, figure, figureTokens)]));
  const measuring = new Set([...measures.values()].flat());
  const runs = runsOf(tokens.filter(({ name, term }) => name && term.quantity === undefined));
  const starts = figures.flatMap(({ first }) => tokens[first] ?? []);
  return figures.flatMap((figure): FigurePhrase[] => {
    const { quantity, start, end, first } = figure;
    const clause = tokens[first]?.clause;
    if (!isWhole(sentence, start, end)) return [];
    const own = tokens.slice(first, figure.last + 1);
    const about = wordsAbout({ sentence, tokens, figures }, figure, figureTokens, measuring);
    const words = about.filter((one) => !own.includes(one));
    const before = sentence.slice(Math.max(0, start - 30), start);
    const after = sentence.slice(end, end + 60);
    return [
      {
        quantity,
        start,
        end,
        words,
        text: sentence.slice(start, end),
        sentence: tokens,
        lead: leadOf(runs, starts, start, clause),
        names: words.filter(({ name, term }) => name && term.quantity === undefined),
        measure: measures.get(figure) ?? [],
        per: perOf(after),
        meaning: approximation(before) ?? boundAt(sentence, tokens, first, figure.last) ?? "exact",
      },
    ];
  });
}

/**
 * The name that a sentence begins with, before any figure; or else the one that its clause, or the last earlier clause
 * with one, begins with.
 */
function leadOf(runs: readonly Token[][], figures: readonly Token[], start: number, clause = 0): readonly Token[] {
  const before = runs.filter((run) => run.every((one) => one.end <= start && one.clause <= clause));
  const [first] = before;
  if (first && !figures.some((figure) => figure.clause === first[0]?.clause)) return first;
  const last = before.at(-1)?.[0]?.clause;
  return before.find(([first]) => first?.clause === last) ?? [];
}

interface FigureAmong {
  readonly quantity: Quantity;
  /** The index of its first word in the sentence. */
  readonly first: number;
  readonly last: number;
  readonly start: number;
  readonly end: number;
}

function figuresAmong(tokens: readonly Token[], sentence: string): FigureAmong[] {
  const dates = datesIn(sentence)
    .flatMap(({ at, ...date }) => (at === undefined ? [] : { ...date, at }))
    .slice(0, maxFigures);
  const figures: FigureAmong[] = [];
  tokens.forEach((token, i) => {
    const last = figures.at(-1)?.last ?? -1;
    if (i <= last || figures.length === maxFigures) return;
    const date = dates.find(({ from }) => from === token.start);
    if (date) {
      const end = tokens.findLastIndex(({ start }) => start < date.to);
      const dimension = date.precision === "day" ? "day" : "calendar month";
      const quantity = { dimension, from: date.at, to: date.at };
      figures.push({ quantity, first: i, last: end, start: date.from, end: date.to });
      return;
    }
    const counted = countAt(tokens, i, sentence);
    const own = token.term.quantity;
    const quantity = own?.other ? underSign(own, decimalSignIn([sentence])) : (own ?? versionAt(tokens, i, sentence));
    if (counted) figures.push({ ...counted, first: i, start: token.start });
    else if (quantity) figures.push({ quantity, first: i, last: i, start: token.start, end: token.end });
  });
  return figures;
}

/** A version after a name, such as `2.8.3`. */
function versionAt(tokens: readonly Token[], i: number, sentence: string): Quantity | undefined {
  const token = tokens[i];
  const name = tokens[i - 1];
  if (!token || !name?.name || !versionShape.test(token.raw.replace(/^v/i, ""))) return undefined;
  if (!/^ v?$/i.test(sentence.slice(name.end, token.start))) return undefined;
  const value = token.raw
    .replace(/^v/i, "")
    .split(".")
    .reduce((sum, part, k) => sum + Number(part) / 1e4 ** k, 0);
  return { dimension: `version of ${name.term.stem}`, from: value, to: value };
}

const qualifying = phrasesOf("statements.qualifying");

/** Signs before the number of a thing, and the beginning of a name: `#12`, `TPU-12`. */
const endsBeforeNumber = /[#.:/]$|(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]{0,40}-$/u;

/** A count of things, such as `9,600 chips`; not a year, and not a number in a name. */
function countAt(tokens: readonly Token[], i: number, sentence: string): Counted | undefined {
  const token = tokens[i];
  const behind = tokens[i + 1]?.term.key ?? "";
  const last = qualifying.has(behind) || (token?.term.quantity && linkWords.has(behind)) ? i + 2 : i + 1;
  const [noun, before] = [tokens[last], tokens[last - 1]];
  const number = token && numberOfThings(token.term);
  if (!token || !noun || !before || number === undefined || token.name || noun.part !== token.part) return undefined;
  if (before !== token && !/^[ -]$/.test(sentence.slice(before.end, noun.start))) return undefined;
  const isYear = number >= 1900 && number < 2100 && /^\d+$/.test(token.raw);
  if (
    !Number.isInteger(number) ||
    number < 10 ||
    isYear ||
    !/^[ -]$/.test(sentence.slice(token.end, tokens[i + 1]?.start))
  )
    return undefined;
  if (
    noun.term.weight < 1 ||
    qualifying.has(noun.term.key) ||
    noun.term.number !== undefined ||
    noun.term.quantity !== undefined
  )
    return undefined;
  const start = sentence.slice(Math.max(0, token.start - 50), token.start);
  if (endsBeforeNumber.test(start) || isCalledByNumber(start)) return undefined;
  const { other } = token.term;
  const count = { dimension: `number of ${noun.term.stem}`, from: number, to: number };
  const also = other?.because === "space" && { from: other.value, to: other.value, because: other.because };
  return { quantity: { ...count, ...(also && { other: also }) }, last, end: noun.end };
}

/** Counts have no decimals: `1.299 members` are 1299. */
function numberOfThings({ number, other, quantity }: Term): number | undefined {
  if (quantity) return quantity.dimension === "count" && quantity.from === quantity.to ? quantity.from : undefined;
  return number === undefined || other?.because !== "comma" ? number : Math.max(number, other.value);
}

/** A number of things, up to the word for them. */
type Counted = Pick<FigureAmong, "quantity" | "last" | "end">;

function approximation(before: string): "about" | "nearly" | undefined {
  if (isNearly(before)) return "nearly";
  return isAbout(before) ? "about" : undefined;
}

/** Whether the part of a sentence around a figure states it without reservation. */
export function isPlain(sentence: string, { words, start, end, quantity, sentence: tokens }: FigurePhrase): boolean {
  // `639-spec-field` is an identifier.
  if (/\d-\p{L}+$/u.test(sentence.slice(start, end)) && /^-\p{L}/u.test(sentence.slice(end))) return false;
  // In English, a comma without a space may separate two figures.
  if (/(?<![\d.,])[1-9]\d*,\d{1,2}(?![\d,])/.test(sentence.slice(start, end)) && isEnglish(sentence)) return false;
  const from = words.reduce((least, word) => Math.min(least, word.start), start);
  const to = words.reduce((most, word) => Math.max(most, word.end), end);
  const isDate = quantity.dimension === "day" || quantity.dimension === "calendar month";
  const before = sentence
    .slice(from, start)
    .replace(limiting, "")
    .replace(isDate ? dated : "", "");
  if (!isEnglish(sentence) && isDoubtfulElsewhere(sentence, tokens, from, start)) return false;
  return !isDoubtfulBefore(before) && !isDoubtfulAfter(sentence.slice(end, to)) && !sentence.trimEnd().endsWith("?");
}

const doubts = phrasesOf("negation.doubt");

/** Whether words of a language other than English between a place and the figure bound, deny or approximate it. */
function isDoubtfulElsewhere(sentence: string, words: readonly Token[], from: number, figure: number): boolean {
  const at = words.findIndex(({ end }) => end > figure);
  // `Alpha Max 128 GB`: a name is no bound.
  const isName = at > 1 && /^\p{Lu}/u.test(sentence.slice(words[at - 1]?.start));
  if (at >= 0 && !isName && boundAt(sentence, words, at) !== undefined) return true;
  const before = words.slice(0, at).filter(({ start }) => start >= from);
  return before.some(({ term: { key } }) => doubts.has(key) || denials.has(key));
}

/** Whether a figure is complete as written: `Kite 2 500 GB` may not be 500 GB, `±5 %` is a tolerance. */
function isWhole(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 6), start);
  if (/\d[.,'’\u00a0\u202f\u2009 ]$|±\s?$|\d\s?±|[\d.]-$|\d\s?[/×x]\s?$/u.test(before)) return false;
  return !/^\s?(?:±|\+\/-)/.test(text.slice(end, end + 5));
}

/** The words for the measured property, up to the next joining word. */
function measureOf(tokens: readonly Token[], { first, last }: FigureAmong, taken: ReadonlySet<Token>): Token[] {
  const measure: Token[] = [];
  for (let i = last + 1; i < Math.min(tokens.length, last + 1 + maxMeasureWords); i++) {
    const token = tokens[i];
    if (!token || token.part !== tokens[first]?.part || taken.has(token)) break;
    if (joiningWords.has(token.term.key)) break;
    if (token.term.weight >= 1) measure.push(token);
  }
  return measure;
}

const perWord = new RegExp(`^[^,;.()]{0,40}?(?:${wordsOf("statements.for-each")} |/ ?)(\\p{L}[\\p{L}-]*)`, "iu");

function perOf(after: string): string[] {
  const [, word = ""] = perWord.exec(after) ?? [];
  return word === ""
    ? []
    : word
        .toLowerCase()
        .split("-")
        .map((one) => one.replace(/s$/, ""));
}

/**
 * The words of the part with the figure, of the parts without figures next to it, and, if it names nothing, of the part
 * that names its subject.
 */
function wordsAbout(
  { sentence, tokens, figures }: Parted,
  { first, last, quantity }: FigureAmong,
  figureTokens: ReadonlySet<Token>,
  measuring: ReadonlySet<Token>,
): Token[] {
  const figure = tokens[first];
  if (!figure) return [];
  const clauseTokens = tokens.filter(({ clause }) => clause === figure.clause);
  const parts = Map.groupBy(clauseTokens, ({ part }) => part);
  const order = [...parts.keys()];
  const holdsFigure = new Set([...figureTokens].map(({ part }) => part));
  const partIndex = order.indexOf(figure.part);
  const chosen = new Set([figure.part]);
  const isNaming = (token: Token) => token.name && !measuring.has(token) && !figureTokens.has(token);
  const subject = (part: number) => upToComparison(parts.get(part) ?? []).some(isNaming);
  let back = partIndex;
  if (!subject(figure.part)) {
    while (back > 0 && !subject(order[back] ?? 0)) back--;
    chosen.add(order[back] ?? figure.part);
  }
  for (let i = back - 1; i >= 0 && !holdsFigure.has(order[i] ?? 0); i--) chosen.add(order[i] ?? 0);
  for (let i = partIndex + 1; i < order.length && !holdsFigure.has(order[i] ?? 0); i++) chosen.add(order[i] ?? 0);
  const bracket = order[partIndex + 1];
  const isOfOther = figures.some(
    (one) => one.quantity.dimension === quantity.dimension && tokens[one.first]?.part === bracket,
  );
  if (bracket !== undefined && !isOfOther && opensBehind(sentence, tokens[last], parts.get(bracket)?.[0]))
    chosen.add(bracket);
  const compared = tokens.findIndex((_, i) => i > last && isComparison(tokens, i));
  return tokens.filter(({ part, clause, start }, i) => {
    if (clause !== figure.clause || !chosen.has(part)) return false;
    if (compared >= 0 && i >= compared && part === tokens[compared]?.part) return false;
    // If a part holds another figure, only the words before that figure are about both.
    const isOther = part !== figure.part && holdsFigure.has(part);
    return !isOther || !figureTokens.values().some((one) => one.part === part && one.start <= start);
  });
}

interface Parted {
  readonly sentence: string;
  readonly tokens: readonly Token[];
  readonly figures: readonly FigureAmong[];
}

const comparing = phrasesOf("statements.comparing");

/** `than` introduces the other side of a comparison: the sentence says nothing about it. */
function isComparison(tokens: readonly Token[], i: number): boolean {
  return comparing.has(tokens[i]?.term.key ?? "") && tokens[i + 1]?.name === true;
}

function upToComparison(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex((_, i) => isComparison(tokens, i));
  return at < 0 ? tokens : tokens.slice(0, at);
}

/** `128 GB (Alpha Max with 40 cores)`: brackets right after a figure name its subject. */
function opensBehind(sentence: string, figure: Token | undefined, next: Token | undefined): boolean {
  return figure !== undefined && next !== undefined && /^ ?\($/.test(sentence.slice(figure.end, next.start));
}
