import type { Stretch } from "../../language/fold.ts";
import { anyOf, matches, phrasesBySteps, wordsOf } from "../../language/lexicon.ts";
import { distinctiveStems, sentenceAt, spanAt, stemsOf, termsIn, wordsIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Proof } from "../../model/claim.ts";
import { findPresence } from "../find/absence.ts";
import { denialOfPassage } from "../find/denial.ts";
import { occurrences } from "../find/quote.ts";
import { isCalledOtherwise } from "./other-subjects.ts";
import type { ProvingPage } from "./page.ts";
import { sentencesIn } from "./sentences.ts";
import { phraseTokens, runsOf, type Token } from "./tokens.ts";

/** Words that a report says are on a page: quoted words, and names of variables and functions. */
export interface QuotedWords extends Stretch {
  readonly exact: string;
}

/** In characters. */
const [minQuoted, maxQuoted] = [12, 400];

/**
 * A quote with its marks, as languages pair them, however short it is. After a letter or figure a mark of both kinds closes,
 * or means inches.
 */
export const quotation = new RegExp(
  ["“”", "«»", "»«", "„“”", "「」", "『』", '""', "””"]
    .map(([open = "", ...close]) => {
      const isBoth = close.includes(open) ? "(?<![\\p{L}\\p{N}])" : "";
      return `${isBoth}${open}[^${close.join("")}]{0,400}[${close.join("")}]`;
    })
    .join("|"),
  "gu",
);

export function quotationsIn(sentence: string): Stretch[] {
  return [...sentence.matchAll(quotation)].map(({ 0: quote, index }) => ({ from: index, to: index + quote.length }));
}

const identifier = /(?<![\p{L}\p{N}_/.-])[a-z][a-z\d]*(?:_[a-z\d]+){1,12}(?:=[\w.-]{1,40})?(?![\p{L}\p{N}_/-])/giu;
/** Words before a quote that say that the page does not have it. */
const isDenied = matches(`${wordsOf("statements.denied")}[^.;:]*$`);
const minQuotedWords = 3;
const minIdentifierCharacters = 10;

/** The quotes of a sentence: at least three words, none left out. */
export function quotesIn(sentence: string): QuotedWords[] {
  const isDeniedAt = (at: number) => isDenied(sentence.slice(Math.max(0, at - 40), at));
  const quotes = quotationsIn(sentence).flatMap(({ from, to }): QuotedWords[] => {
    const exact = sentence
      .slice(from + 1, to - 1)
      .replace(/(?<![\s.,;:!?])[\s.,;:!?]+$/, "")
      .trim();
    if (wordsIn(exact).length < minQuotedWords || /…|\.\.\.|[[\]]/.test(exact) || isDeniedAt(from)) return [];
    return exact.length >= minQuoted && exact.length <= maxQuoted ? [{ exact, from, to }] : [];
  });
  const names = [...sentence.matchAll(identifier)].flatMap((match): QuotedWords[] => {
    const isIn = quotes.some(({ from, to }) => match.index >= from && match.index < to);
    const isLong = match[0].length >= minIdentifierCharacters;
    const exact = match[0].replace(/(?<!\.)\.+$/, "");
    if (isIn || !isLong || isDeniedAt(match.index)) return [];
    return [{ exact, from: match.index, to: match.index + exact.length }];
  });
  return [...quotes, ...names];
}

/** Proves a quote by the only place that has it. A cited title is no quote. */
export function proveQuoted(
  { exact }: QuotedWords,
  { words, title }: ProvingPage,
): Extract<Proof, { quote: string }> | undefined {
  const terms = termsIn(exact);
  const [at, ...more] = occurrences(words, terms, 2);
  if (at === undefined || more.length > 0) return undefined;
  if (denialOfPassage(words, exact) !== undefined) return undefined;
  const block = words.blocks[words.block[at] ?? -1];
  if (block?.kind === "heading" || terms.every(({ stem }) => title.has(stem))) return undefined;
  return { quote: exact };
}

/** Proves a sentence by the only sentence of a page with the same words, however short it is. */
export function proveVerbatim(sentence: string, { words, title }: ProvingPage): Proof | undefined {
  const terms = termsIn(sentence);
  const distinctive = new Set(terms.flatMap(({ weight, stem }) => (weight >= 1 && !title.has(stem) ? [stem] : [])));
  if (terms.length < minQuotedWords || distinctive.size === 0 || doubtWordsIn(sentence) !== "") return undefined;
  const [at, ...more] = occurrences(words, terms, 2);
  if (at === undefined || more.length > 0) return undefined;
  const last = at + terms.length - 1;
  const [from, to] = sentenceAt(words, at, last);
  const block = words.blocks[words.block[at] ?? -1];
  if (from !== at || to !== last || block?.kind === "heading" || block?.kind === "code") return undefined;
  const { text: quote } = spanAt(words, at, last);
  return denialOfPassage(words, quote) === undefined ? { quote } : undefined;
}

/** Words for the state of a thing: each pattern has those with the same meaning. */
const statePatterns = phrasesBySteps("statements.state").map(([, words]) => new RegExp(`^(?:${words.join("|")})$`));
const negations = new RegExp(wordsOf("statements.negation"), "giu");
/** Words that turn a statement into a wish or doubt. */
const unsure = new RegExp(wordsOf("statements.unsure"), "giu");

/** A statement about the state of a thing: `experimental`, `requires`, `only`. */
export interface StateStatement extends Stretch {
  readonly state: RegExp;
  readonly words: readonly Token[];
  readonly negative: boolean;
  /** The words that make it a wish or a doubt, joined. */
  readonly unsure: string;
}

const maxStateWords = 45;

export function stateStatementsIn(sentence: string): StateStatement[] {
  const tokens = phraseTokens(sentence);
  if (tokens.length > 4 * maxStateWords || sentence.trimEnd().endsWith("?")) return [];
  return tokens.flatMap((token): StateStatement[] => {
    // `read-only` does not mean that there is no other.
    const isPart = /[\p{L}\p{N}]-$/u.test(sentence.slice(0, token.start));
    const pattern = token.name || isPart ? undefined : statePatterns.find((words) => words.test(token.term.key));
    if (!pattern) return [];
    const clauseTokens = tokens.filter(({ clause }) => clause === token.clause);
    const [first, last] = [clauseTokens[0], clauseTokens.at(-1)];
    if (!first || !last || clauseTokens.length > maxStateWords) return [];
    const text = sentence.slice(first.start, last.end);
    return [
      {
        state: pattern,
        from: token.start,
        to: token.end,
        words: clauseTokens.filter((one) => one !== token),
        negative: isNegative(text),
        unsure: doubtWordsIn(text),
      },
    ];
  });
}

function doubtWordsIn(text: string): string {
  return [...new Set(text.toLowerCase().match(unsure))].sort().join(" ");
}

function isNegative(text: string): boolean {
  return (text.match(negations) ?? []).length % 2 === 1;
}

/** The least number of words that a page's sentence and the report's have in common, and their share of the page's. */
const minSharedWords = 4;
const minShare = 0.5;
const maxQuoteWords = 32;

/**
 * The only sentence of a page that says the opposite in the same words: `does not support clustering` for `supports
 * clustering`. Undefined if the page says both, or neither.
 */
export function denialOf(statement: StateStatement, page: ProvingPage): string | undefined {
  const said = stemsWithoutNegation(statement.words);
  const same = sentencesSaying(statement.state, page).filter(({ plain, unsure: isUnsure }) => {
    if (isUnsure !== statement.unsure) return false;
    // The report's sentence may contain the page's name, as the label of its link.
    const isSame = said.symmetricDifference(plain).isSubsetOf(page.title);
    return isSame && said.intersection(plain).size >= minWordsOfDenial;
  });
  const [only, ...more] = same;
  return only && more.length === 0 && only.negative !== statement.negative ? only.text : undefined;
}

/** A denial has at least two content words: its subject and its statement. */
const minWordsOfDenial = 2;

const negation = new RegExp(`^${anyOf("statements.negation")}$`, "i");

function stemsWithoutNegation(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.flatMap(({ term, raw }) => (term.weight >= 1 && !negation.test(raw) ? [term.stem] : [])));
}

/**
 * Proves a statement about the state of a thing by the only sentence of a page that says it in nearly the same words.
 * `beside`: the names of a cell's row and column.
 */
export function proveState(
  statement: StateStatement,
  page: ProvingPage,
  beside: readonly string[],
): Extract<Proof, { quote: string }> | undefined {
  const subject = distinctiveStems(beside.flatMap(wordsIn));
  const reportStems = new Set(distinctiveStems(statement.words));
  const names = new Set(stemsOf(statement.words.filter(({ name }) => name)));
  const figures = figuresOf(statement.words);
  const matching = sentencesSaying(statement.state, page).filter((sentence) => {
    const { tokens, telling, above } = sentence;
    if (sentence.negative !== statement.negative || sentence.unsure !== statement.unsure) return false;
    if (sentence.figures !== figures) return false;
    const shared = telling.intersection(reportStems);
    const isSame = telling.size > 1 && telling.symmetricDifference(reportStems).size === 0;
    if (!isSame && (shared.size < minSharedWords || shared.size < minShare * telling.size)) return false;
    if (isOfAnother(statement, subject, tokens, page) || hasOtherNumber(tokens, reportStems)) return false;
    return [...names].every(
      (name) =>
        shared.has(name) ||
        !page.stems.has(name) ||
        page.title.has(name) ||
        above.some((heading) => page.above.get(heading)?.has(name)),
    );
  });
  const [only, ...more] = matching;
  if (only === undefined || more.length > 0) return undefined;
  const terms = only.tokens.map(({ term }) => term);
  const [at, ...others] = occurrences(page.words, terms, 2);
  if (at === undefined || others.length > 0) return undefined;
  return { quote: spanAt(page.words, at, at + terms.length - 1).text };
}

/** Whether a name in the page's sentence has a number that the report does not give: `Node 18`. */
function hasOtherNumber(tokens: readonly Token[], reportStems: ReadonlySet<string>): boolean {
  return tokens.some(({ name, term }) => name && term.number !== undefined && !reportStems.has(term.stem));
}

/**
 * Whether a page's sentence has a name that neither the report's nor the page's title has, and not the subject of the
 * report's.
 */
function isOfAnother(
  { words }: StateStatement,
  beside: readonly string[],
  tokens: readonly Token[],
  page: ProvingPage,
): boolean {
  const there = new Set(stemsOf(tokens));
  const ownStems = new Set(stemsOf(words));
  // The first word of a sentence may be a name, or be before one.
  const opening = words.filter(({ start, term }) => start === 0 && term.weight >= 1);
  const names = words.filter(({ name }) => name);
  const isSure = names[0] && (names[0].start > 0 || /.[\p{Lu}\d]/u.test(names[0].raw));
  const named = stemsOf([...opening, ...names.slice(0, isSure ? 1 : 2)]);
  const isThere = (stem: string) => there.has(stem);
  const isNamed = beside.length > 0 ? beside.some(isThere) : named.every(isThere);
  const [subject = []] = runsOf(names);
  if (isNamed) return beside.length === 0 && isCalledOtherwise(subject, words, [tokens], page.title);
  return tokens.some(({ name, term }) => name && !ownStems.has(term.stem) && !page.title.has(term.stem));
}

interface SayingSentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly negative: boolean;
  readonly unsure: string;
  readonly figures: string;
  /** Stems of its words that say something, without those for the state; and the same without words of negation. */
  readonly telling: ReadonlySet<string>;
  readonly plain: ReadonlySet<string>;
  readonly above: readonly string[];
}

/** The sentences of each page by the state they give. Cached for all sentences of a report. */
const saying = new WeakMap<ProvingPage, Map<RegExp, SayingSentence[]>>();

function sentencesSaying(state: RegExp, page: ProvingPage): readonly SayingSentence[] {
  const ofPage = makeOnce(saying, page, () => new Map<RegExp, SayingSentence[]>());
  return makeOnce(ofPage, state, () => sentencesOf(page, state).slice(0, maxSayingSentences));
}

const maxSayingSentences = 2_000;

function sentencesOf({ words }: ProvingPage, state: RegExp): SayingSentence[] {
  return words.blocks.flatMap(({ kind, text, path }) => {
    if (kind === "code" || kind === "heading" || kind === "row") return [];
    if (!text.split(/[^\p{L}-]+/u).some((word) => state.test(word.toLowerCase()))) return [];
    return sentencesIn(text).flatMap(({ from, to }): SayingSentence[] => {
      const sentence = text.slice(from, to);
      const tokens = phraseTokens(sentence);
      if (tokens.length > maxQuoteWords || !tokens.some(({ term }) => state.test(term.key))) return [];
      const others = tokens.filter(({ term }) => term.weight >= 1 && !state.test(term.key));
      return [
        {
          ...{ text: sentence, tokens, above: path, figures: figuresOf(tokens) },
          ...{ negative: isNegative(sentence), unsure: doubtWordsIn(sentence) },
          telling: new Set(stemsOf(others)),
          plain: stemsWithoutNegation(others),
        },
      ];
    });
  });
}

/** The figures of words that are no names, joined. */
function figuresOf(tokens: readonly Token[]): string {
  const figures = tokens.filter(
    ({ term, name }) => !name && (term.quantity !== undefined || term.number !== undefined),
  );
  return [...new Set(figures.map(({ term }) => term.key))].sort().join(" ");
}

/** `does not list TPU7x`: a name that a page is said not to hold. */
const unnamed = new RegExp(
  `\\b${anyOf("statements.lacks")}\\s+(?:the |an? |any )?([\\p{Lu}\\p{N}][\\p{L}\\p{N}.+#/-]{2,30})(?=[\\s.,;)]|$)`,
  "gu",
);
const minWordsOfAbsence = 60;

export function absencesIn(sentence: string): QuotedWords[] {
  return [...sentence.matchAll(unnamed)].map((match) => {
    const exact = (match[1] ?? "").replace(/(?<![.,])[.,]+$/, "");
    return { exact, from: match.index, to: match.index + match[0].length };
  });
}

/** An absence counts only on a page that is long enough and about the sentence's subject. */
export function proveAbsent({ exact }: QuotedWords, sentence: string, page: ProvingPage): Proof | undefined {
  if (page.words.ids.length < minWordsOfAbsence || findPresence(page.words, { absent: exact }).there) return undefined;
  const names = phraseTokens(sentence).filter(({ name, raw }) => name && raw !== exact);
  return names.some(({ term }) => page.stems.has(term.stem)) ? { absent: exact } : undefined;
}
