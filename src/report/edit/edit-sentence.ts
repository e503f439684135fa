import { distinctiveStems, isSame, type Word, wordsIn } from "../../language/words.ts";
import type { MovedFigure } from "../../model/claim.ts";
import { code } from "../../model/markdown.ts";
import { footnoteMacro } from "../../read/text/asciidoc.ts";
import { applySplices, blankOut, lineOf, type Splice } from "./splice.ts";
import { withoutFences } from "./tables.ts";

/** A place in the report: the line, from 1, and its text as in the file. */
export interface TextPlace {
  readonly line: number;
  readonly text: string;
}

/** A place with the text of the sentence after its edit. */
export type EditedPlace = TextPlace & { readonly after: string };

/** The edit of a sentence in all its places, or the reason why there is none. */
export type SentenceEdit =
  | { readonly text: string; readonly places: readonly EditedPlace[] }
  | { readonly says: string };

/** Longer reports are neither searched nor edited. */
const maxReportCharacters = 1_000_000;
/** A sentence in more places is part of a pattern. */
const maxPlaces = 5;

/**
 * Replaces a figure in all places of the report that have the same words, apart from markup. If the new figure is already there,
 * nothing changes. Pure.
 */
export function editSentence(path: string, text: string, says: string, figure: MovedFigure): SentenceEdit {
  const words = wordsOf(path, text);
  const runs = runsOf(words, says);
  if (runs.length === 0) {
    const here = figureIn(says, figure);
    const isDone = here !== undefined && runsOf(words, applySplices(says, [here.splice])).length > 0;
    return isDone ? { text, places: [] } : { says: `no sentence of ${code(path, 120)} has the words of the claim` };
  }
  if (runs.length > maxPlaces) return { says: `${runs.length} sentences have the words of the claim` };
  const splices = runs.map((run) => splicesIn(text, run, figure));
  if (splices.some(({ length }) => length !== 1)) return { says: "the sentence does not have the figure exactly once" };
  const places = runs.map((run, index) => {
    const [from, to] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
    const within = (splices[index] ?? []).map((one) => ({ ...one, from: one.from - from, to: one.to - from }));
    const sentence = text.slice(from, to);
    return { line: lineOf(text, from), text: sentence, after: applySplices(sentence, within) };
  });
  return { text: applySplices(text, splices.flat()), places };
}

/** What follows a link if it is only the beginning of another one. A fragment is kept, as browsers do after a redirect. */
const restOfLink = /^(?:[\w/&=%~+:@-]|[?.,]\w)/;

/** Replaces a link in all places of the report. If the new one is already there, nothing changes. Pure. */
export function editLink(text: string, { old, now }: MovedFigure): SentenceEdit {
  const offsets = (link: string) => {
    const at: number[] = [];
    for (let from = text.indexOf(link); from >= 0; from = text.indexOf(link, from + link.length)) {
      if (!restOfLink.test(text.slice(from + link.length, from + link.length + 2))) at.push(from);
    }
    return at;
  };
  const spliceAt = (from: number): Splice => ({ from, to: from + old.length, text: now });
  const oldPlaces = text.length > maxReportCharacters ? [] : offsets(old);
  if (oldPlaces.length === 0)
    return offsets(now).length > 0 ? { text, places: [] } : { says: "the report does not write the link in this way" };
  const places = oldPlaces.map((from) => {
    const [start, end] = [text.lastIndexOf("\n", from) + 1, text.indexOf("\n", from)];
    const line = text.slice(start, end < 0 ? undefined : end);
    return { line: lineOf(text, from), text: line.trim(), after: applySplices(line, [spliceAt(from - start)]).trim() };
  });
  return { text: applySplices(text, oldPlaces.map(spliceAt)), places };
}

/** A moved figure as a text writes it; undefined unless the old one is in the text exactly once. */
export function figureIn(text: string, figure: MovedFigure): (MovedFigure & { readonly splice: Splice }) | undefined {
  const [splice, ...more] = splicesIn(text, wordsIn(text), figure);
  if (!splice || more.length > 0) return undefined;
  return { old: text.slice(splice.from, splice.to), now: splice.text, splice };
}

/** The sentence that a claim comes from, or the line with most of its words; undefined if no line has two thirds. */
export function sentencePlace(path: string, text: string, says: string): TextPlace | undefined {
  const words = wordsOf(path, text);
  const [run] = runsOf(words, says);
  const [first, last] = [run?.[0], run?.at(-1)];
  if (first && last) return { line: lineOf(text, first.start), text: text.slice(first.start, last.end) };
  const wanted = new Set(distinctiveStems(wordsIn(says)));
  const counted = [...wordsByLine(text, words)].map(([line, its]) => ({ line, size: sharedStems(its, wanted) }));
  const best = counted.reduce((most, one) => (one.size > most.size ? one : most), { line: 0, size: 0 });
  if (best.size * 3 < wanted.size * 2 || best.size < 2) return undefined;
  return { line: best.line, text: (text.split("\n", best.line)[best.line - 1] ?? "").trim() };
}

/** The first lines that have the figure and words of a sentence, but are not one of its places. */
export function linesLike(
  { path, text }: { readonly path: string; readonly text: string },
  says: string,
  { old }: MovedFigure,
  places: readonly TextPlace[],
): number[] {
  const [figure] = wordsIn(old);
  const edited = new Set(places.flatMap((place) => place.text.split("\n").map((_, index) => place.line + index)));
  const wanted = new Set(distinctiveStems(wordsIn(says).filter(({ term }) => !figure || !isSame(term, figure.term))));
  return [...wordsByLine(text, wordsOf(path, text))]
    .filter(([line, its]) => !edited.has(line) && figure && its.some(({ term }) => isSame(term, figure.term)))
    .flatMap(([line, its]) => (sharedStems(its, wanted) > 0 ? [line] : []))
    .slice(0, maxPlaces);
}

function sharedStems(words: readonly Word[], wanted: ReadonlySet<string>): number {
  return new Set(distinctiveStems(words)).intersection(wanted).size;
}

function wordsByLine(text: string, words: readonly Word[]): Map<number, Word[]> {
  let line = 1;
  let end = text.indexOf("\n");
  return Map.groupBy(words, ({ start }) => {
    for (; end >= 0 && end < start; end = text.indexOf("\n", end + 1)) line++;
    return line;
  });
}

/** The words of a report without markup, addresses and code. Offsets stay. */
function wordsOf(path: string, text: string): Word[] {
  if (text.length > maxReportCharacters) return [];
  // In a notebook, `\n",` ends a line of a cell.
  if (path.endsWith(".ipynb"))
    return wordsIn(
      withoutCode(text, cellMarks)
        .replace(/\\[nt"\\]/g, blankOut)
        .replace(/[*`~]/g, " "),
    );
  const shown = /\.x?html?$/i.test(path) ? withoutCode(text, htmlMarks) : withoutFences(text);
  const bare = shown
    .replace(citationMarks, blankOut)
    .replace(/\]\([^()\n]{0,2000}\)/g, blankOut)
    .replace(/<[^<>]{0,2000}>/g, blankOut);
  return wordsIn(bare.replace(/[*`~\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, " "));
}

/** Citations, which a claim is written without. */
const citationMarks = new RegExp(
  [
    String.raw`\[\^[^\]^\s]{1,100}\]`, // [^bench]
    String.raw`\[[^[\]\n]{0,80}@[^[\]\n]{1,400}\]`, // [@lab, p. 3]
    String.raw`\[#?[\w.:-]{1,80}\]_`, // [#bench]_
    String.raw`\[(?:\\?\[)?\d{1,4}(?:\\?\])?\]\(#[^()\s]{0,200}\)`, // [2](#ref-2)
    footnoteMacro,
    String.raw`\bcite:\[[^\]]{0,300}\]`, // cite:[lab(3)]
    String.raw`(?:link:)?https?:\/\/[^\s[\]<>]{1,1000}(?=\[)`, // https://a.example[label]
    String.raw`(?<=\[)https?:\/\/[^\s[\]<>]{1,1000}(?=\s|\]\[)`, // [https://a.example label]
    String.raw`<ref\b[^<>]{0,400}(?:\/>|>(?:(?!<\/?ref\b).){0,2000}<\/ref>)`,
    String.raw`<sup\b[^<>]{0,200}>(?:<a\b[^<>]{0,400}>)?\[?\d{1,4}\]?(?:<\/a>)?<\/sup>`,
  ].join("|"),
  "gs",
);

/** Tags that begin (group 1) or end a part that is code or is hidden. */
const htmlMarks = /(<(?:pre|script|style)\b|<!--)|<\/(?:pre|script|style)\b|-->/gi;
/** In a notebook, each cell begins with its type. */
const cellMarks = /("cell_type": *"(?!markdown")\w+")|"cell_type": *"markdown"/g;

/** Blanks these parts. Offsets stay. */
function withoutCode(text: string, marks: RegExp): string {
  let plainText = "";
  let isCode = false;
  const showTo = (end: number) => {
    const part = text.slice(plainText.length, end);
    plainText += isCode ? blankOut(part) : part;
  };
  for (const { 1: begins, index } of text.matchAll(marks)) {
    if (isCode === (begins !== undefined)) continue;
    showTo(index);
    isCode = !isCode;
  }
  showTo(text.length);
  return plainText;
}

/** The places of these words in a row. */
function runsOf(words: readonly Word[], says: string): Word[][] {
  const keys = wordsIn(says).map(({ term }) => term.key);
  const runs: Word[][] = [];
  for (let at = 0; keys.length > 0 && at + keys.length <= words.length; at++) {
    if (!keys.every((key, i) => words[at + i]?.term.key === key)) continue;
    runs.push(words.slice(at, at + keys.length));
    at += keys.length - 1;
  }
  return runs;
}

function splicesIn(text: string, words: readonly Word[], figure: MovedFigure): Splice[] {
  const [old] = wordsIn(figure.old);
  return words.flatMap(({ term, start, end }) =>
    old && isSame(term, old.term) ? [{ from: start, to: end, text: respell(text.slice(start, end), figure) }] : [],
  );
}

/** The new figure in the report's spelling, if only its number changed. */
function respell(written: string, { old, now }: MovedFigure): string {
  const [was, is, here] = [old, now, written].map((text) => /^(\D*)(\d[\d.,]*)((?:[^\d.,].*)?)$/s.exec(text) ?? []);
  const isNumberOnly = [1, 3].every((part) => was?.[part]?.trim() === is?.[part]?.trim());
  return isNumberOnly && here?.[2] !== undefined && here[2] === was?.[2] ? `${here[1]}${is?.[2]}${here[3]}` : now;
}
