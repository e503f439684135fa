import { groupByEach } from "../../model/cache.ts";
import type { Config } from "../../model/config.ts";
import { sourcesUnder } from "../../model/dependencies.ts";
import type { Source } from "../../model/source.ts";
import { WholeNames } from "../../report/cite/match-names.ts";
import type { CitedSentence } from "./sentences.ts";

export interface SentenceRatings {
  readonly ratings: readonly string[];
  /** The place names the rated property. If not, all ratings of the thing that rest on the source count. */
  readonly isNamed: boolean;
}

export type FindRatings = (
  sentence: CitedSentence,
  words: string,
  source: Pick<Source, "id" | "cites">,
) => SentenceRatings;

/**
 * Finds the ratings that rest on a sentence: 1. those of its row and column; 2. those of the rated thing and property that
 * its proof, the sentence or its headings name; 3. if they name no property, the thing's ratings that rest on the source by
 * config, or else all its ratings, unless the report is about that thing alone; 4. if they name no thing, the ratings of the
 * only thing that the source is watched for. In a sentence with several citations, the part before that of the source comes
 * first. `words`: all words of the proof.
 */
export function ratingFinder(config: Config): FindRatings {
  const { ratings, names, report } = config;
  const parts = [...ratings.keys()].map((id) => ({ id, parts: id.split("/").map((part) => names.get(part) ?? part) }));
  const axes = Math.max(0, ...parts.map((one) => one.parts.length));
  const namings = Array.from(
    { length: axes },
    (_, axis) => new WholeNames([...new Set(parts.flatMap((one) => one.parts[axis] ?? []))]),
  );
  const subject = namings[0]?.subjectOf(report.title);
  const ofSource = groupByEach(parts, ({ id }) => {
    const rating = ratings.get(id);
    return rating ? sourcesUnder(rating, config) : [];
  });
  const restingOn = (clause: string, sentence: CitedSentence, words: string, id: string): SentenceRatings => {
    const text = `${sentence.row ?? ""} ${sentence.column ?? ""} ${clause}`;
    // If the title names a rated thing, not every sentence is about it.
    const headings = sentence.path.filter((heading) => heading !== report.title).toReversed();
    const namesByAxis = namings.map((naming, axis) =>
      axis === 0
        ? onlyNameIn(naming, [words, text, ...headings])
        : firstNamesIn(naming, [`${text} ${words}`, ...headings]),
    );
    const about = (all: typeof parts) =>
      all.filter((one) =>
        one.parts.every((name, axis) => namesByAxis[axis]?.includes(name) || namesByAxis[axis]?.length === 0),
      );
    if (namesByAxis.every((one) => one.length > 0)) return { ratings: about(parts).map(({ id }) => id), isNamed: true };
    const own = about(ofSource.get(id) ?? []);
    const isSubject = namesByAxis[0]?.every((name) => name === subject) !== false;
    const below = own.length > 0 || isSubject ? own : about(parts);
    const isOne = new Set(below.map(({ parts: [first] }) => first)).size === 1;
    return { ratings: isOne ? below.map(({ id }) => id) : [], isNamed: false };
  };
  return (sentence, words, source) => {
    const placed = sentence.row === undefined ? [] : inCell(sentence, parts);
    if (placed.length > 0) return { ratings: placed, isNamed: true };
    const clause = clauseOf(sentence, source);
    const ofClause = restingOn(clause, sentence, words, source.id);
    const isSure = ofClause.ratings.length > 0 || clause === sentence.text;
    return isSure ? ofClause : restingOn(sentence.text, sentence, words, source.id);
  };
}

/** The part of a sentence before the number of a source, after the citation before; all of it if it cites at one place. */
function clauseOf({ text, marks }: CitedSentence, { cites }: Pick<Source, "cites">): string {
  if (marks.every(({ at }) => at === marks[0]?.at)) return text;
  const clauses = marks
    .filter(({ number }) => number !== undefined && cites.includes(number))
    .map(({ at }) => text.slice(Math.max(0, ...marks.map((mark) => mark.at).filter((one) => one < at)), at));
  return clauses.length > 0 ? clauses.join(" ") : text;
}

function inCell(
  { row = "", column = "" }: CitedSentence,
  parts: readonly { id: string; parts: readonly string[] }[],
): string[] {
  const namedParts = parts.filter(({ parts: [first = "", second] }) => {
    const [r, c] = [row.toLowerCase(), column.toLowerCase()];
    const is = (name: string, cell: string) =>
      cell === name.toLowerCase() || cell.startsWith(`${name.toLowerCase()} (`);
    if (second === undefined) return is(first, r);
    return (is(first, r) && is(second, c)) || (is(first, c) && is(second, r));
  });
  return namedParts.map(({ id }) => id);
}

function firstNamesIn(naming: WholeNames, texts: readonly string[]): string[] {
  return texts.map((text) => naming.namesIn(text)).find((names) => names.length > 0) ?? [];
}

/** The name that the first of these texts names; if it names several, the one that a later text names alone. */
function onlyNameIn(naming: WholeNames, texts: readonly string[]): string[] {
  let left: readonly string[] | undefined;
  for (const text of texts) {
    const named = naming.namesIn(text).filter((name) => left?.includes(name) !== false);
    if (named.length === 1) return named;
    if (named.length > 0) left = named;
  }
  return [];
}
