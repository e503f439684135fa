import { says } from "../../language/lexicon.ts";
import { decimalSignIn, type Quantity, underSign } from "../../language/quantity.ts";
import { stemsOf, type Words, wordsIn, wordsOfBlocks } from "../../language/words.ts";
import type { Block, Reading } from "../../model/reading.ts";
import { cellsOf, inUnitOfCell } from "../find/places.ts";
import { type FigurePhrase, figurePhrases, isPlain } from "./phrases.ts";
import { sentencesIn } from "./sentences.ts";
import { phraseTokens } from "./tokens.ts";

/** A source's text, prepared for comparison with statements. */
export interface ProvingPage {
  readonly words: Words;
  /** Stems of all its words, titles included. */
  readonly stems: ReadonlySet<string>;
  /** Stems of the title and of the first heading, which hold for the whole page. */
  readonly title: ReadonlySet<string>;
  readonly ownTitle: ReadonlySet<string>;
  /** By dimension. */
  readonly figures: ReadonlyMap<string, readonly PageFigure[]>;
  /** By dimension: the stems near any of its figures, or in a heading above one. */
  readonly beside: ReadonlyMap<string, ReadonlySet<string>>;
  /** The stems of each heading that has content below it. */
  readonly above: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names that occur somewhere without another name after them. */
  readonly whole: ReadonlySet<string>;
  /** Words that occur somewhere in lower case. */
  readonly common: ReadonlySet<string>;
}

export interface PageFigure {
  readonly block: number;
  /** Offsets in the text of its block. */
  readonly start: number;
  readonly end: number;
  readonly quantity: Quantity;
  /** The value as a proof writes it: the number alone, if a heading of the table gives the unit. */
  readonly value: string;
  /** Words for its subject; undefined for a cell, whose row and column name it. */
  readonly phrase?: FigurePhrase;
  /** For a cell: the label of its row and the head of its column. */
  readonly headed?: readonly string[];
  /** No word around it denies or restricts the statement. */
  readonly plain: boolean;
  /** Stems of the names at the beginning of the list of figures that contains it. */
  readonly lead?: ReadonlySet<string>;
  /** Stems of the words that describe it: its sentence, the label of its row, the head of its column. */
  readonly near: ReadonlySet<string>;
}

const maxPageCharacters = 1_000_000;

/** Prepares a reading for comparison. `called`: the title of its source in config. */
export function provingPage({ title = "", blocks = [], items = [] }: Reading, name = ""): ProvingPage {
  const all = limitBlocks([
    ...blocks,
    ...items.flatMap((item): Block[] => [{ path: [], kind: "heading", text: item.title }, ...(item.blocks ?? [])]),
  ]);
  const words = wordsOfBlocks(all);
  const first = all.find(({ kind }) => kind === "heading")?.text ?? "";
  const titled = stemsIn(`${title}\n${name}\n${first}`);
  const figuresAsWritten = all.flatMap((block, index) => figuresIn(block, index));
  const isInDoubt = figuresAsWritten.some(({ quantity }) => quantity.other?.because === "comma");
  const sign = isInDoubt ? decimalSignIn(all.map(({ text }) => text)) : undefined;
  const figures = figuresAsWritten.map((figure) => ({ ...figure, quantity: underSign(figure.quantity, sign) }));
  const byDimension = Map.groupBy(figures, ({ quantity }) => quantity.dimension);
  const above = new Map([...new Set(all.flatMap(({ path }) => path))].map((heading) => [heading, stemsIn(heading)]));
  const whole = new Set<string>();
  const common = new Set<string>();
  for (const { text } of all) {
    const tokens = phraseTokens(text);
    tokens.forEach((token, i) => {
      const next = tokens[i + 1];
      const joined = next?.name === true && /^[\s-]?$/.test(text.slice(token.end, next.start));
      if (!joined) whole.add(token.term.stem);
      if (/^\p{Ll}/u.test(token.raw)) common.add(token.term.stem);
    });
  }
  return {
    words,
    stems: new Set([...words.terms.map(({ stem }) => stem), ...titled]),
    title: titled,
    ownTitle: stemsIn(`${title}\n${first}`),
    above,
    figures: byDimension,
    beside: new Map([...byDimension].map(([dimension, own]) => [dimension, besideAny(own, all, above)])),
    whole,
    common,
  };
}

function besideAny(figures: readonly PageFigure[], blocks: readonly Block[], above: ProvingPage["above"]): Set<string> {
  const stems = new Set<string>();
  const headings = new Set<string>();
  for (const { near, block } of figures) {
    for (const stem of near) stems.add(stem);
    for (const heading of blocks[block]?.path ?? []) headings.add(heading);
  }
  for (const heading of headings) for (const stem of above.get(heading) ?? []) stems.add(stem);
  return stems;
}

function limitBlocks(blocks: readonly Block[]): Block[] {
  let read = 0;
  const end = blocks.findIndex(({ text }) => {
    read += text.length;
    return read > maxPageCharacters;
  });
  return end < 0 ? [...blocks] : blocks.slice(0, end);
}

/** The distinct words of a text, without their plurals. */
function stemsIn(text: string): Set<string> {
  return new Set(stemsOf(wordsIn(text)));
}

/** Words at the beginning of a sentence that make all of it untrue. */
const isTakenBack = says("statements.no-longer");

function figuresIn(block: Block, index: number): PageFigure[] {
  // The name of a thing does not describe it.
  if (block.kind === "code" || block.kind === "heading") return [];
  if (block.kind === "row") return inCells(block, index);
  return sentencesIn(block.text).flatMap(({ from, to }) => {
    const sentence = block.text.slice(from, to);
    const phrases = figurePhrases(sentence);
    const tokens = phraseTokens(sentence);
    return phrases.map((phrase, i): PageFigure => {
      const { quantity, text, start, end, words } = phrase;
      const isOnly = phrases.filter((one) => one.quantity.dimension === quantity.dimension).length === 1;
      const plain = isOnly ? tokens.filter(({ name }) => !name) : [];
      const lead = i > 0 ? tokens.filter(({ name, end }) => name && end <= (phrases[0]?.start ?? 0)) : [];
      return {
        block: index,
        start: from + start,
        end: from + end,
        quantity,
        value: text,
        phrase,
        plain: isPlain(sentence, phrase) && !isTakenBack(sentence.slice(0, start)),
        near: new Set(stemsOf([...words, ...plain])),
        lead: new Set(stemsOf(lead)),
      };
    });
  });
}

/** The figures of a row's cells, and numbers with a unit from a heading. */
function inCells(block: Block, index: number): PageFigure[] {
  const cells = cellsOf(block);
  const [label] = cells;
  return cells.flatMap((written): PageFigure[] => {
    const { text: cell, start: from, head } = written;
    const isLabel = written === label;
    const isHeaded = head !== undefined;
    const near = stemsIn([label?.text, head, label?.head, cell].join("\n"));
    const common = { block: index, near, ...(!isLabel && isHeaded && { headed: [label?.text ?? "", head] }) };
    const phrases = figurePhrases(cell);
    if (phrases.length > 0)
      return phrases.map((phrase) => {
        const { quantity, text: value, start, end } = phrase;
        const plain = isPlain(cell, phrase) && !(isLabel && isHeaded);
        return { ...common, start: from + start, end: from + end, quantity, value, plain, phrase };
      });
    const number = cell.trim();
    const [only, ...more] = wordsIn(number);
    const isNumber = only?.term.number !== undefined && only.start === 0 && only.end === number.length;
    if (isLabel || !isNumber || more.length > 0 || !isHeaded) return [];
    const quantity = inUnitOfCell(number, written, label);
    const start = from + cell.indexOf(number);
    return quantity === undefined
      ? []
      : [{ ...common, start, end: start + number.length, quantity, value: number, plain: true }];
  });
}
