import { anyOf, matches, says, wordsOf } from "../../language/lexicon.ts";
import { isMonthName, isWeekday } from "../../language/month-names.ts";
import { wordSet } from "../../model/cache.ts";
import type { NamedRule } from "../../model/heuristics.ts";
import type { ReportTable } from "../parse/report-text.ts";
import { textAt, wordColumn } from "./grid.ts";
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
} from "./levels.ts";
import { isJudgement, keysIn, minLevelShare, plainMarks, type RatedBlock } from "./rated-block.ts";
import { shortName } from "./words.ts";

/** From this share of yes and no on, a table of code names describes features. */
const mostlyAnswers = 0.9;

/** Whether a part of a table judges things, and the reason in words for people. */
export interface Judgement {
  /** *Doubtful*: it may judge, or only describe. People are asked. */
  readonly verdict: "rates" | "doubtful" | "describes";
  readonly reason: string;
}

/** A part of a table that may judge, with everything that the rules ask about it. */
type Candidate = ReturnType<typeof candidateOf>;

type TableRule = Judgement & NamedRule<Candidate>;

/** Whether a part of a table judges things, or only describes them: the first rule that applies decides. */
export function judge(block: RatedBlock): Judgement {
  const part = candidateOf(block);
  return tableRules.find((rule) => rule.applies(part)) ?? undecided;
}

/** `first`: the first rated column. `share`: the part of the columns with text behind it that is rated. */
function candidateOf(block: RatedBlock) {
  const { table, rows, columns, scale, level } = block;
  const keys = keysIn(block);
  const [first = 0] = columns;
  const headings = columns.map((i) => table.columns[i] ?? "");
  const isFilled = (i: number) => table.rows.some((row) => textAt(row, i) !== "");
  const values = table.columns.map((_, i) => i).filter((i) => columns.includes(i) || (i > first && isFilled(i)));
  const isDrawn = rows.every((row) => columns.every((i) => table.rows[row]?.[i]?.picture || !level(row, i)));
  return {
    ...block,
    keys,
    distinct: new Set(keys),
    headings,
    judgements: headings.filter(isJudgement).length,
    isJudged: headings.every(isJudgement),
    isOffer: headings.every(isOfferHeading),
    subject: table.columns[wordColumn(table, first)] ?? "",
    share: columns.length / Math.max(1, values.length),
    isExplained: values.some((i) => !columns.includes(i) && isProse(table, i)),
    isYesOrNo: !isDrawn && keys.every((key) => plainAnswers.has(key)),
    hasFigures: rows.some((row) => columns.some((i) => level(row, i)?.shown === "1")),
    isOfMarks: keys.every((key) => plainAnswers.has(key) || plainMarks.has(key)),
    filled: table.rows.filter((row) => !isBlank(textAt(row, first))).length,
    isOrdinal: ordinalScales.has(scale),
  };
}

const undecided: Judgement = { verdict: "doubtful", reason: "one column of words that may be levels" };

export const tableRules: readonly TableRule[] = [
  { id: "input", verdict: "describes", reason: "its levels are the input of a rule", applies: isInput },
  {
    id: "permission",
    verdict: "doubtful",
    reason: "it may say who is allowed to do what",
    applies: ({ table, isJudged, isOrdinal }) =>
      !isJudged && !isOrdinal && saysPermission([...table.path, ...table.columns].join("\n").replaceAll("_", " ")),
  },
  {
    id: "parts",
    verdict: "doubtful",
    reason: "its rows may be parts of one thing, such as settings",
    applies: ({ table, subject, isJudged }) => isPart(subject) && !isJudged && !isCalledComparison(table),
  },
  {
    id: "times",
    verdict: "doubtful",
    reason: "its columns may be times",
    applies: ({ headings, isJudged }) => !isJudged && headings.every(isPeriod),
  },
  {
    id: "marks-above",
    verdict: "doubtful",
    reason: "its headings are levels too",
    applies: ({ table, headings, keys }) =>
      (headings.length > 1 && headings.every((heading) => /\p{L}{2}/u.test(heading) && isLevel(heading))) ||
      (headings.every(hasMark) &&
        (hasMark(table.columns[0] ?? "") || keys.some((key) => heightOf(key, "support") === undefined))),
  },
  {
    id: "plans",
    verdict: "doubtful",
    reason: "each column has all that the one beside it has, as plans and grades do",
    applies: (part) => part.isOfMarks && isNested(part),
  },
  {
    id: "feature-table",
    verdict: "rates",
    reason: "one mark, or none",
    applies: (part) => part.distinct.size === 1 && isFeatureTable(part),
  },
  {
    id: "all-equal",
    verdict: "doubtful",
    reason: "all of its cells are equal",
    applies: ({ distinct }) => distinct.size === 1,
  },
  { id: "translation", verdict: "describes", reason: "it translates one scale into another", applies: isTranslation },
  { id: "constants", verdict: "describes", reason: "each column repeats one word", applies: isConstant },
  {
    id: "definition",
    verdict: "doubtful",
    reason: "each level has one row, in order: it may define the levels",
    applies: isScale,
  },
  {
    id: "tasks",
    verdict: "doubtful",
    reason: "its words or marks may be no judgement",
    applies: ({ table, subject, keys, isJudged }) =>
      !isJudged &&
      (keys.every((key) => idle.has(key)) ||
        (keys.some((key) => emptyBoxes.has(key)) && !isComparison(table, subject))),
  },
  {
    id: "figures",
    verdict: "doubtful",
    reason: "its 0 and 1 may be figures",
    applies: ({ isYesOrNo, hasFigures }) => isYesOrNo && hasFigures,
  },
  {
    id: "offers",
    verdict: "rates",
    reason: "its columns say what is supported",
    applies: ({ isYesOrNo, isOffer, rows }) => isYesOrNo && isOffer && rows.length >= 3,
  },
  {
    id: "answers-in-comparison",
    verdict: "rates",
    reason: "yes and no in a comparison",
    applies: ({ table, columns, subject, isYesOrNo, isExplained, share }) =>
      isYesOrNo &&
      columns.length >= 2 &&
      !isExplained &&
      share >= minLevelShare &&
      !namesCode(table) &&
      isComparison(table, subject),
  },
  {
    id: "answers",
    verdict: "doubtful",
    reason: "its yes and no may be facts",
    applies: ({ isYesOrNo }) => isYesOrNo,
  },
  {
    id: "code-names",
    verdict: "doubtful",
    reason: "its rows are names of code",
    applies: ({ table, keys, isOffer }) => {
      const answers = keys.filter((key) => plainAnswers.has(key) || key === "none").length;
      return !isOffer && answers >= mostlyAnswers * keys.length && namesCode(table);
    },
  },
  {
    id: "marks",
    verdict: "rates",
    reason: "marks for yes and no",
    applies: ({ table, rows, columns, isOfMarks, isJudged, share }) => {
      if (!isOfMarks) return false;
      if (columns.length >= 3) return share >= 0.5;
      return isJudged ? rows.length >= 3 : columns.length === 2 && share >= 0.5 && !namesCode(table);
    },
  },
  {
    id: "few-marks",
    verdict: "doubtful",
    reason: "its marks may be facts",
    applies: ({ isOfMarks }) => isOfMarks,
  },
  {
    id: "letters",
    verdict: "doubtful",
    reason: "its letters may be names",
    applies: ({ scale, isJudged, keys }) => scale === "grade" && !isJudged && !keys.some((key) => /[+-]/.test(key)),
  },
  {
    id: "few-rows",
    verdict: "doubtful",
    reason: "few of its rows hold levels",
    applies: ({ table, rows, columns }) =>
      rows.length < 0.5 * table.rows.filter((row) => columns.some((i) => !isBlank(textAt(row, i)))).length,
  },
  {
    id: "columns",
    verdict: "rates",
    reason: "several columns of levels",
    applies: ({ scale, columns, keys, share, judgements }) => {
      const isOfWords = scale === "support" && keys.filter(isMarkKey).length < 0.5 * keys.length;
      return columns.length >= 2 && (!isOfWords || share >= 0.5 || judgements >= 0.5 * columns.length);
    },
  },
  {
    id: "columns-beside-text",
    verdict: "doubtful",
    reason: "most of its columns hold other text",
    applies: ({ columns }) => columns.length >= 2,
  },
  {
    id: "column",
    verdict: "rates",
    reason: "a column of levels",
    applies: ({ scale, keys, isJudged, isOffer, isOrdinal, filled }) => {
      const isStage = isOrdinal || judgingStages.has(scale) || scale === "stars";
      const isColour = (key: string) => isMarkKey(key) && heightOf(key, scale) !== undefined;
      const isOfColours = (scale === "support" || scale === "circle") && keys.every(isColour);
      const hasAnswers = keys.some((key) => plainAnswers.has(key) || key === "none");
      return (isJudged || (isOffer && hasAnswers) || isStage || isOfColours) && keys.length >= 0.6 * filled;
    },
  },
];

function hasMark(text: string): boolean {
  const level = levelIn(text);
  return level !== undefined && isMarkKey(level.key);
}

/** Different marks in a single column are a legend. Levels next to other levels or to figures translate them. */
function isTranslation({ table, rows, columns, scale, keys }: Candidate): boolean {
  if (columns.length > 1 || keys.length < 3 || new Set(keys).size < keys.length) return false;
  const [first = 0] = columns;
  const isFigure = (row: number) => !table.rows[row]?.slice(0, first).some(({ text }) => /\p{L}/u.test(text));
  const isBand = (row: number, text: string) => (text.length > 1 && isLevel(text)) || (first > 0 && isFigure(row));
  const bands = rows.filter((row) => isBand(row, textAt(table.rows[row] ?? [], 0))).length;
  return (keys.every(isMarkKey) && (scale !== "stars" || columns[0] === 0)) || bands >= 0.5 * rows.length;
}

/** A column that goes through the levels once, up or down, defines them. */
function isScale({ table, columns, scale, keys }: Candidate): boolean {
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

/** Whether columns are of one series, as `Level A` and `Level B`, or each has all that its neighbour has, and more. */
function isNested({ table, rows, columns, level, scale }: RatedBlock): boolean {
  const has = (row: number, column: number) => Number((heightOf(level(row, column)?.key ?? "", scale) ?? 0) > 0);
  const patterns = [...new Set(rows.map((row) => columns.map((i) => has(row, i)).join("")))];
  const isOrdered = [/^0*1*$/, /^1*0*$/].some((order) => patterns.every((pattern) => order.test(pattern)));
  const isSeries = new Set(columns.map((i) => table.columns[i]?.split(" ")[0])).size === 1;
  const steps = patterns.filter((pattern) => /01|10/.test(pattern)).length;
  return columns.length >= 3 && isOrdered && (isSeries || (steps === columns.length - 1 && rows.length >= 8));
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

/** `fold()`, `max_width`, `maxWidth`, `GET`, `/users/:id` */
function isCode(text: string): boolean {
  if (httpMethods.has(text) || /^(?:\/[\w.:*{}-]+)+$/.test(text)) return true;
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

/** Whether a table with a single mark says which things have a feature, perhaps all of them. */
function isFeatureTable({ rows, columns, table, keys, scale }: Candidate): boolean {
  const cells = rows.flatMap((row) => columns.map((i) => textAt(table.rows[row] ?? [], i)));
  const blank = cells.filter(isBlank).length / cells.length;
  // A mark beside a sentence says to what the requirement in it applies.
  const requires = table.columns.some((_, i) => i < (columns[0] ?? 0) && isProse(table, i, 60));
  const isNamed = columns.some((i) => table.columns[i] !== "");
  const judges = isNamed && !requires && !table.codeColumns && !isRelation(table, rows);
  const isNegative = keys.some((key) => heightOf(key, scale) === 0);
  return judges && !isNegative && columns.length >= 3 && rows.length >= 4 && blank <= 0.9;
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

function isProse(table: ReportTable, column: number, least = 30): boolean {
  const lengths = table.rows.map((row) => textAt(row, column).length);
  return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) > least;
}
