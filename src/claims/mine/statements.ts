import type { Stretch } from "../../language/fold.ts";
import { says } from "../../language/lexicon.ts";
import { distinctiveStems, keysIn, wordsIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Proof } from "../../model/claim.ts";
import { cutLine } from "../../model/markdown.ts";
import type { Reading } from "../../model/reading.ts";
import { nearestPassage } from "../find/similar-passages.ts";
import { licencesIn, proveFacts } from "./facts.ts";
import { proveFigure } from "./figures.ts";
import { missingWordsOn } from "./missing-words.ts";
import { type ProvingPage, provingPage } from "./page.ts";
import {
  absencesIn,
  denialOf,
  proveAbsent,
  proveQuoted,
  proveState,
  proveVerbatim,
  quotationsIn,
  quotesIn,
  type StateStatement,
  stateStatementsIn,
} from "./passages.ts";
import { figurePhrases, isPlain } from "./phrases.ts";
import type { CitedSentence } from "./sentences.ts";

const mayStateFact = says("statements.standing");

/** A statement of a sentence, and its proof. */
export interface Statement extends Stretch {
  /** A figure that is no version and no date. */
  readonly isMeasured?: boolean;
  /** It is the sentence as a whole, which is a statement only if the source proves it and none of its parts. */
  readonly isWhole?: true;
  /** `alone`: no other source is cited for it. */
  prove(page: ProvingPage, reading: Reading, alone: boolean): ProvedStatement | Mismatch | undefined;
}

export interface ProvedStatement {
  readonly proof: Proof;
  /** The place of its proof. Two statements that are proved at one place make one claim. */
  readonly place: string;
}

/** A figure or words of the report, and those that the source has instead, if any. */
export interface Mismatch {
  readonly figure: string;
  readonly there?: string;
  /** The report's words as a proof, which the source lacks. */
  readonly proof: Proof;
}

/** A statement that the source does not prove, with the most similar passage. */
export interface UnconfirmedOutcome {
  readonly unconfirmed: true;
  readonly nearest?: string;
}

/** The outcome for a statement; undefined if the sentence only names its source. */
export type Outcome = ProvedStatement | Mismatch | UnconfirmedOutcome | undefined;

function atItself(proof: Proof | undefined): ProvedStatement | undefined {
  return proof && { proof, place: JSON.stringify("quote" in proof ? keysIn(proof.quote) : proof) };
}

/** Compares a statement with a page. A sentence that only names its source has none. `stems`: the distinctive ones of its sentence. */
export function proveStatement(
  statement: Statement,
  stems: readonly string[],
  { page, reading }: { readonly page: ProvingPage; readonly reading: Reading },
  alone: boolean,
): Outcome {
  // A report may make its whole statement the label of a link: `[$300 voucher, 30-day trial](…)`.
  const title = statement.isMeasured ? page.ownTitle : page.title;
  if (stems.every((stem) => title.has(stem))) return undefined;
  // Cited lines of code prove any sentence that cites them.
  if (reading.facts?.lines !== undefined) return atItself({ fact: "lines" });
  return statement.prove(page, reading, alone) ?? (statement.isWhole ? undefined : { unconfirmed: true });
}

/** The most statements of one source that are shown with the nearest passage. */
const maxNearest = 20;

function withNearest(outcomes: readonly Outcome[], asked: readonly AskedOfPage[], page: ProvingPage): Outcome[] {
  let left = maxNearest;
  return outcomes.map((outcome, i) => {
    const sentence = asked[i]?.sentence;
    if (!outcome || !("unconfirmed" in outcome) || !sentence || left-- <= 0) return outcome;
    const { text, row = "", column = "" } = sentence;
    const says = `${row} ${column} ${text}`;
    const nearest = nearestPassage(page.words, says);
    // Every passage shares the page's title with statements about the page.
    const there = new Set(distinctiveStems(wordsIn(nearest ?? "")));
    const isLike = distinctiveStems(wordsIn(says)).some((stem) => there.has(stem) && !page.title.has(stem));
    return nearest === undefined || !isLike ? outcome : { ...outcome, nearest };
  });
}

export function statementsIn(sentence: CitedSentence): Statement[] {
  const { text, row = "", column = "" } = sentence;
  const cellNames = [row, column].filter((name) => name !== "");
  // `Apache 2.0` is a licence; a figure in a quoted title or in an address is part of that.
  const isLicence = /^licen[cs]/i.test(column);
  const licences = isLicence ? [{ from: 0, to: text.length }] : licencesIn(text);
  const addresses = [...text.matchAll(/https?:\/\/\S+/gi)].map(({ 0: { length }, index }) => ({
    from: index,
    to: index + length,
  }));
  const names = [...licences, ...quotationsIn(text), ...addresses];
  const figures = figurePhrases(text).flatMap((figure): Statement[] => {
    const { start: from, end: to } = figure;
    if (!isPlain(text, figure) || names.some((name) => name.from <= from && to <= name.to)) return [];
    const prove = (page: ProvingPage, _: Reading, alone: boolean) => {
      const outcome = proveFigure(figure, page, cellNames);
      // Several sources each have their own figures.
      if (outcome.kind === "contrary" && alone) {
        const { there, proof } = outcome;
        return { figure: figure.text, there, proof };
      }
      return outcome.kind === "proved" ? outcome : undefined;
    };
    const isMeasured = !/^(?:version of|day$|calendar)/.test(figure.quantity.dimension);
    return [{ from, to, isMeasured, prove }];
  });
  const quotes = quotesIn(text).map(
    (quoted): Statement => ({
      ...quoted,
      prove: (page, reading, alone) =>
        atItself(proveQuoted(quoted, page)) ?? (alone ? misquotation(text, quoted.exact, reading) : undefined),
    }),
  );
  const states = stateStatementsIn(text).map(
    (state): Statement => ({
      from: state.from,
      to: state.to,
      prove: (page, _, alone) =>
        atItself(proveState(state, page, cellNames)) ??
        (alone && cellNames.length === 0 ? denialOn(text, state, page) : undefined),
    }),
  );
  const absent = absencesIn(text).map(
    (name): Statement => ({
      ...name,
      prove: (page, _, alone) => (alone ? atItself(proveAbsent(name, text, page)) : undefined),
    }),
  );
  const fact: Statement = {
    from: 0,
    to: text.length,
    prove: (_, { facts = {} }, alone) => (alone ? atItself(proveFacts(text, column, facts)[0]) : undefined),
  };
  const parts = [...figures, ...quotes, ...states, ...absent, ...(mayStateFact(`${column} ${text}`) ? [fact] : [])];
  // The parts of a sentence prove it better than the whole, and a doubtful part makes the whole doubtful. A sentence
  // that spells out an address sends readers there, and states nothing.
  const isPlainSentence = row === "" && figures.length + quotes.length + absent.length + addresses.length === 0;
  return isPlainSentence && !text.trimEnd().endsWith("?") ? [...parts, wholeOf(text, parts)] : parts;
}

function wholeOf(text: string, parts: readonly Statement[]): Statement {
  return {
    from: 0,
    to: text.length,
    isWhole: true,
    prove: (page, reading, alone) =>
      parts.some((part) => part.prove(page, reading, alone)) ? undefined : atItself(proveVerbatim(text, page)),
  };
}

/** A quote that the page has in other words, or lacks. Entries and facts are only a part of a page. */
function misquotation(text: string, exact: string, reading: Reading): Mismatch | undefined {
  if (reading.items || reading.facts) return undefined;
  const { quotes, altered } = missingWordsOn(reading, { text, title: "" });
  const proof = { quote: exact };
  const there = altered.find(({ said }) => said.includes(exact))?.there;
  if (there !== undefined) return { figure: exact, there, proof };
  return quotes.some((said) => said.includes(exact)) ? { figure: exact, proof } : undefined;
}

function denialOn(text: string, state: StateStatement, page: ProvingPage): Mismatch | undefined {
  const there = denialOf(state, page);
  const quote = cutLine(text, maxSaidCharacters);
  return there === undefined ? undefined : { figure: quote, there, proof: { quote } };
}

/** A page as read, and the report's statements about it: plain data. */
export interface PageToProve {
  readonly reading: Reading;
  /** The title of its source in config. */
  readonly called?: string;
  readonly asked: readonly AskedOfPage[];
}

interface AskedOfPage {
  readonly sentence: CitedSentence;
  readonly statement: number;
  /** No other source is cited for it. */
  readonly alone: boolean;
}

/** Compares statements with a page, in order. Pure. */
export function proveStatements({ reading, called, asked }: PageToProve): Outcome[] {
  const page = provingPage(reading, called);
  const bySentence = new Map<CitedSentence, { statements: readonly Statement[]; stems: readonly string[] }>();
  const outcomes = asked.map(({ sentence, statement: index, alone }) => {
    const { statements, stems } = makeOnce(bySentence, sentence, () => ({
      statements: statementsIn(sentence),
      stems: distinctiveStems(wordsIn(sentence.text)),
    }));
    const statement = statements[index];
    return statement && proveStatement(statement, stems, { page, reading }, alone);
  });
  return withNearest(outcomes, asked, page);
}

const maxSaidCharacters = 240;

/** The report's own words; for a long sentence, those around the proved part. */
export function wordsOfReport({ text, row, column }: CitedSentence, { from, to }: Statement): string {
  const line = cutLine(text, 4_000);
  const cell = row === undefined ? line : `${cutLine(row, 80)}, ${cutLine(column ?? "", 80)}: ${line}`;
  if (cell.length <= maxSaidCharacters || row !== undefined) return cutLine(cell, maxSaidCharacters);
  const before = Math.max(0, text.lastIndexOf(";", from) + 1, to - maxSaidCharacters + 60);
  const start = before === 0 ? 0 : text.indexOf(" ", before) + 1;
  const clause = text.slice(start).split(";")[0] ?? "";
  return cutLine(`${start > 0 && text[start - 2] !== ";" ? "… " : ""}${clause}`, maxSaidCharacters);
}
