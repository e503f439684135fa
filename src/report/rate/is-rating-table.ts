import { anyOf, matches, says, wordsOf } from "../../language/lexicon.ts";
import { isMonthName, isWeekday } from "../../language/month-names.ts";
import { wordSet } from "../../model/cache.ts";
import type { ReportTable } from "../parse/report-text.ts";
import { textAt, wordColumn } from "./grid.ts";
import { type Legend, legendKeys } from "./legend.ts";
import {
  heightOf,
  isBlank,
  isLevel,
  isMarkKey,
  judgingStages,
  levelIn,
  makerWords,
  ordinalScales,
  plainAnswers,
  type WrittenLevel,
} from "./levels.ts";
import { shortName } from "./words.ts";

/** The rated part of a table: the cells of these rows and columns that are levels of the scale. */
export interface RatedBlock {
  readonly table: ReportTable;
  readonly scale: string;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly level: (row: number, column: number) => WrittenLevel | undefined;
}

/** A row or column is rated if at least this share of its filled cells are levels. */
export const minLevelShare = 0.6;

/** Headings of columns with plain properties, whose yes and no are facts. */
const isPlainProperty = matches(`^(?:is )?${anyOf("tables.property")}\\??$`);

/** Paid plans; next to them, `Free` is a plan too, and no property. */
const isEdition = matches(`^${anyOf("tables.edition")}$`);
const isPrice = matches(`^${anyOf("tables.price")}$`);

const isRemark = matches(`\\b${anyOf("tables.remark-end")}$|^${anyOf("tables.remark")}$`);

/** Headings of columns that name an origin or a kind: their words judge nothing beside another column, marks never. */
const isOrigin = matches(`^${anyOf("tables.origin")}$`);

/** Marks that mean yes or no in all tables. */
export const plainMarks = new Set("✓|✔|✅|☑|🗸|✗|✘|✖|✕|×|❌|❎|☒|x|tick|check|checkmark|cross|●|○".split("|"));

function keysIn({ rows, columns, level }: RatedBlock): string[] {
  return rows.flatMap((row) => columns.flatMap((i) => level(row, i)?.key ?? []));
}

export function isProperty(block: RatedBlock, column: number): boolean {
  const keys = keysIn({ ...block, columns: [column] });
  if (isRemark(shortName(block.table.columns[column] ?? ""))) return true;
  // The marks of a column that repeat the mark in its heading are flags; before figures they are the unit.
  const flag = levelIn(block.table.columns[column] ?? "")?.key;
  const [mark = ""] = keys;
  const isNeutral = !plainMarks.has(mark) && heightOf(mark, "support") === undefined;
  const besides = block.rows.flatMap((row) => block.level(row, column) ?? []).map(({ beside = "" }) => beside);
  const isUnit = isNeutral && besides.every((beside) => /^\d/.test(beside));
  if (keys.every((key) => key === flag || (isUnit && key === mark))) return true;
  const binary = keys.every((key) => plainAnswers.has(key) || plainMarks.has(key));
  const name = shortName(block.table.columns[column] ?? "");
  if (!binary && isOrigin(name) && (block.columns.length > 1 || keys.some(isMarkKey))) return true;
  const isPlan = isPrice(name) && block.table.columns.some((other) => isEdition(shortName(other)));
  return binary && isPlainProperty(name) && !isPlan;
}

/**
 * Keeps the columns that share levels with the column of most levels, or that one legend explains together. Yes, no and
 * the marks of the scale may be in any column.
 */
export function keepMainVocabulary(block: RatedBlock, legends: readonly Legend[]): RatedBlock {
  if (block.scale !== "support" && block.scale !== "legend") return block;
  const keys = new Map(block.columns.map((i) => [i, new Set(keysIn({ ...block, columns: [i] }))]));
  const judgementsIn = (i: number) => Number(isJudgement(block.table.columns[i] ?? ""));
  const size = (i: number) => keys.get(i)?.size ?? 0;
  const sorted = block.columns.toSorted((a, b) => size(b) - size(a) || judgementsIn(b) - judgementsIn(a));
  const shared = new Set<string>();
  const share = (own: Iterable<string>) => {
    for (const key of own) {
      shared.add(key);
      for (const beside of legendKeys(legends.filter((legend) => legend.some((one) => one.key === key))))
        shared.add(beside);
    }
  };
  share(keys.get(sorted[0] ?? -1) ?? []);
  const columns = new Set<number>();
  for (let before = -1; before < columns.size; ) {
    before = columns.size;
    for (const i of sorted) {
      const own = [...(keys.get(i) ?? [])];
      if (columns.has(i) || !own.some((key) => shared.has(key) || plainAnswers.has(key) || isMarkOf(key, block.scale)))
        continue;
      columns.add(i);
      share(own);
    }
  }
  return { ...block, columns: block.columns.filter((i) => columns.has(i)) };
}

function isMarkOf(key: string, scale: string): boolean {
  return plainMarks.has(key) || (isMarkKey(key) && heightOf(key, scale) !== undefined);
}

/** Headings that announce a judgement. */
export const isJudgement = says("tables.judgement");

/** From this share of yes and no on, a table of code names describes features. */
const mostlyAnswers = 0.9;

/** Whether a part of a table judges things, and the reason in words for people. */
export interface Judgement {
  /** *Doubtful*: it may judge, or only describe. People are asked. */
  readonly verdict: "rates" | "doubtful" | "describes";
  readonly reason: string;
}

const rates = (reason: string): Judgement => ({ verdict: "rates", reason });
const doubtful = (reason: string): Judgement => ({ verdict: "doubtful", reason });
const describes: Judgement = { verdict: "describes", reason: "" };

/** Whether a part of a table judges things, or only describes them. */
export function judge(block: RatedBlock): Judgement {
  const { table, rows, columns, scale, level } = block;
  const keys = keysIn(block);
  const distinct = new Set(keys);
  const [first] = columns;
  if (first === undefined || keys.length < 2 || isInput(block)) return describes;
  const isJudged = columns.every((i) => isJudgement(table.columns[i] ?? ""));
  const isOffer = columns.every((i) => isOfferHeading(table.columns[i] ?? ""));
  const subject = table.columns[wordColumn(table, first)] ?? "";
  const isPermission = [...table.path, ...table.columns].some((heading) => saysPermission(heading));
  if (isPermission && !isJudged && !ordinalScales.has(scale)) return doubtful("it may say who is allowed to do what");
  if (isPart(subject) && !isJudged && !isCalledComparison(table))
    return doubtful("its rows may be parts of one thing, such as settings");
  if (!isJudged && columns.every((i) => isPeriod(table.columns[i] ?? ""))) return doubtful("its columns may be times");
  if (distinct.size === 1)
    return isFeatureTable(block) ? rates("one mark, or none") : doubtful("all of its cells are equal");
  if (isTranslation(block, keys) || isConstant(block)) return describes;
  if (isScale(block, keys)) return doubtful("each level has one row, in order: it may define the levels");
  if ([...columns, 0].every((i) => hasMark(table.columns[i] ?? ""))) return doubtful("its headings have marks too");
  const isDrawnAbove = columns.every((i) => /^[^\p{L}\p{N}]+$/u.test(table.columns[i] ?? ""));
  if (isDrawnAbove && keys.some((key) => heightOf(key, "support") === undefined))
    return doubtful("its headings are marks too");
  const isTask = keys.some((key) => emptyBoxes.has(key)) && !isComparison(table, subject);
  if (!isJudged && (isTask || keys.every((key) => idle.has(key))))
    return doubtful("its words or marks may be no judgement");
  const values = table.columns.map((_, i) => i).filter((i) => columns.includes(i) || isValue(table, i, first));
  const share = columns.length / Math.max(1, values.length);
  const isDrawn = rows.every((row) => columns.every((i) => table.rows[row]?.[i]?.picture || !level(row, i)));
  if (!isDrawn && keys.every((key) => plainAnswers.has(key))) {
    const isExplained = values.some((i) => !columns.includes(i) && isProse(table, i));
    if (rows.some((row) => columns.some((i) => level(row, i)?.shown === "1")))
      return isJudged && isExplained
        ? rates("scores of 0 and 1 with a reason")
        : doubtful("its 0 and 1 may be figures");
    if (isOffer && rows.length >= 3) return rates("its columns say what is supported");
    const isFacts = isExplained || share < minLevelShare;
    return columns.length >= 2 && !isFacts && !namesCode(table) && isComparison(table, subject)
      ? rates("yes and no in a comparison")
      : doubtful("its yes and no may be facts");
  }
  const answers = keys.filter((key) => plainAnswers.has(key) || key === "none").length;
  if (!isOffer && answers >= mostlyAnswers * keys.length && namesCode(table))
    return doubtful("its rows are names of code");
  if (keys.every((key) => plainAnswers.has(key) || plainMarks.has(key))) {
    const isSure =
      columns.length >= 3
        ? share >= 0.5
        : isJudged
          ? rows.length >= 3
          : columns.length === 2 && share >= 0.5 && !namesCode(table);
    return isSure ? rates("marks for yes and no") : doubtful("its marks may be facts");
  }
  if (scale === "grade" && !isJudged && ![...distinct].some((key) => /[+-]/.test(key)))
    return doubtful("its letters may be names");
  const judgementColumns = columns.filter((i) => isJudgement(table.columns[i] ?? "")).length;
  const heights = new Set([...distinct].map((key) => heightOf(key, scale)));
  if (heights.size === 1 && !heights.has(undefined) && !keys.some(isMarkKey))
    return doubtful("all of its words mean the same level");
  const words = scale === "support" && keys.filter(isMarkKey).length < 0.5 * keys.length;
  if (rows.length < 0.5 * filledRows(block)) return doubtful("few of its rows hold levels");
  if (columns.length >= 2)
    return !words || share >= 0.5 || judgementColumns >= 0.5 * columns.length
      ? rates("several columns of levels")
      : doubtful("most of its columns hold other text");
  const stage = ordinalScales.has(scale) || judgingStages.has(scale) || scale === "stars";
  const colours =
    (scale === "support" || scale === "circle") &&
    [...distinct].every((key) => isMarkKey(key) && heightOf(key, scale) !== undefined);
  const isSure =
    (isJudged || (isOffer && answers > 0) || stage || colours) &&
    keys.length >= 0.6 * table.rows.filter((row) => !isBlank(textAt(row, first))).length;
  return isSure ? rates("a column of levels") : doubtful("one column of words that may be levels");
}

function hasMark(text: string): boolean {
  const level = levelIn(text);
  return level !== undefined && isMarkKey(level.key);
}

/** Different marks in a single column are a legend. Levels next to other levels or to figures translate them. */
function isTranslation({ table, rows, columns, scale }: RatedBlock, keys: readonly string[]): boolean {
  if (columns.length > 1 || keys.length < 3 || new Set(keys).size < keys.length) return false;
  const [first = 0] = columns;
  const isFigure = (row: number) => !table.rows[row]?.slice(0, first).some(({ text }) => /\p{L}/u.test(text));
  const isBand = (row: number, text: string) => (text.length > 1 && isLevel(text)) || (first > 0 && isFigure(row));
  const bands = rows.filter((row) => isBand(row, textAt(table.rows[row] ?? [], 0))).length;
  return (keys.every(isMarkKey) && (scale !== "stars" || columns[0] === 0)) || bands >= 0.5 * rows.length;
}

/** A column that goes through the levels once, up or down, defines them. */
function isScale({ table, columns, scale }: RatedBlock, keys: readonly string[]): boolean {
  const heights = keys.map((key) => heightOf(key, scale) ?? 0);
  const steps = new Set(heights.slice(1).map((height, i) => Math.sign(height - (heights[i] ?? 0))));
  return columns.length === 1 && keys.length >= 3 && table.rows.length >= 4 && steps.size === 1 && !steps.has(0);
}

/** Empty boxes belong to a to-do list, unless the table compares something. */
const emptyBoxes: ReadonlySet<string> = new Set(["⬜", "☐"]);

/** Words and marks that do not judge by themselves: makers, changes of a version, hearts, board squares. */
const idle: ReadonlySet<string> = new Set([...makerWords, "major", "minor", "patch", "💚", "💛", "🧡", "🟩", "⬜"]);

/** Words, or different marks, in the first columns are the input of a rule, such as combinations of settings. */
function isInput({ rows, columns, level }: RatedBlock): boolean {
  const given = rows.map((row) => columns.map((i) => level(row, i)?.key ?? "").join("|"));
  const isOfWords = given.some((keys) => /\p{L}{2}/u.test(keys));
  return columns.length >= 2 && columns[0] === 0 && (isOfWords || new Set(given).size === rows.length);
}

function filledRows({ table, columns }: RatedBlock): number {
  return table.rows.filter((row) => columns.some((i) => !isBlank(textAt(row, i)))).length;
}

/** Columns that repeat a single word each state facts. */
function isConstant(block: RatedBlock): boolean {
  const ofWords = keysIn(block).some((key) => /\p{L}{2}/u.test(key) && !plainAnswers.has(key));
  return ofWords && block.columns.every((i) => new Set(keysIn({ ...block, columns: [i] })).size === 1);
}

/** Headings of tables that describe a product: who may read, write or execute. */
const saysPermission = says("tables.permission");

/** Headings of first columns: their rows are parts of one thing that the table describes, such as settings. */
const isPart = says("tables.part");

const isOfferHeading = says("tables.offer");

/** Headings of the column that lists criteria of a comparison. */
const isCriterion = matches(`^$|${wordsOf("tables.criterion")}`);
const isComparisonHeading = says("tables.comparison");

/** Headings that make all tables below them comparisons, at any depth. */
const areImplementations = says("tables.implementation");

/** Whether yes and no say which things are better: the rows are criteria, or a heading announces a comparison. */
function isComparison({ path }: ReportTable, subject: string): boolean {
  return isCriterion(subject) || isCalledComparison({ path }) || path.slice(-3).some(areImplementations);
}

function isCalledComparison({ path }: Pick<ReportTable, "path">): boolean {
  return path.slice(-2).some((heading) => isComparisonHeading(heading));
}

/** Whether the rows are parameters, functions or database columns. */
function namesCode({ rows }: ReportTable): boolean {
  const code = rows.filter(([first]) => first?.code || isCode(first?.text ?? "")).length;
  return code >= 0.5 * rows.length;
}

/** Spec: https://www.rfc-editor.org/rfc/rfc9110#name-methods */
const httpMethods = wordSet("GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT");

/** `fold()`, `max_width`, `maxWidth`, `GET` */
function isCode(text: string): boolean {
  if (httpMethods.has(text)) return true;
  return /^[\w.$-]+\(.*\)$/.test(text) || (/^[\w.$-]+$/.test(text) && /[\w.$-](?:_\w|[a-z][A-Z])/.test(text));
}

/** Periods: marks below them are a schedule. */
const isNumberedPeriod = matches(
  `^(?=.*\\d)(?:${anyOf("tables.period")}[a-z]{0,6}[ .'’-]?)?(?:\\d{1,2}|(?:19|20)\\d\\d)?(?:[ .'’/-](?:19|20)?\\d\\d)?$`,
);
const isNamedPeriod = matches(`^${anyOf("tables.horizon")}$`);
/** A month, perhaps with its day or year: `Mar 3`, `March 2026`. */
const monthly = /^(\p{L}{3,12})[ .'’-]{0,2}(?:\d{1,2}|\d{4})?(?:[ .'’/-](?:\d\d)?\d\d)?$/u;

function isPeriod(heading: string): boolean {
  const [, month = ""] = monthly.exec(heading) ?? [];
  if (isNumberedPeriod(heading) || isNamedPeriod(heading) || isMonthName(month)) return true;
  // A column of one letter is more often an option than a day.
  return heading.length > 1 && isWeekday(heading);
}

/** Whether a table with a single mark and blanks says which things have a feature. */
function isFeatureTable({ rows, columns, table }: RatedBlock): boolean {
  const cells = rows.flatMap((row) => columns.map((i) => textAt(table.rows[row] ?? [], i)));
  const blank = cells.filter(isBlank).length / cells.length;
  // A mark beside a sentence says to what the requirement in it applies.
  const requires = table.columns.some((_, i) => i < (columns[0] ?? 0) && isProse(table, i, 60));
  const isNamed = columns.some((i) => table.columns[i] !== "");
  const judges = isNamed && !requires && !table.codeColumns && !isRelation(table, rows);
  return judges && columns.length >= 3 && rows.length >= 4 && blank >= 0.05 && blank <= 0.9;
}

/**
 * Whether rows and columns are the same things. Then a mark is a relation between two of them, unless the table is a
 * comparison.
 */
function isRelation(table: ReportTable, rows: readonly number[]): boolean {
  if (isCalledComparison(table)) return false;
  const things = new Set(table.columns.map((name) => shortName(name).toLowerCase()));
  const shared = rows.filter((row) => things.has(shortName(textAt(table.rows[row] ?? [], 0)).toLowerCase())).length;
  return shared >= minLevelShare * rows.length;
}

/** Whether a column with text comes after the first rated one. */
function isValue(table: ReportTable, column: number, first: number): boolean {
  return column > first && table.rows.some((row) => textAt(row, column) !== "");
}

function isProse(table: ReportTable, column: number, least = 30): boolean {
  const lengths = table.rows.map((row) => textAt(row, column).length);
  return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) > least;
}
