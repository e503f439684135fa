import { textAt } from "./grid.ts";
import type { Legend } from "./legend.ts";
import {
  heightOf,
  isBlank,
  isCircle,
  isLevel,
  levelIn,
  makers,
  ordinalScales,
  plainAnswers,
  readinessIn,
  scalesOf,
  stages,
  type ToldLevel,
} from "./levels.ts";
import { isRecheckHeader, roleOf } from "./rechecks.ts";
import type { ReportCell, ReportLink, ReportTable } from "./report-text.ts";
import { rowNames } from "./row-names.ts";
import { isDerivation, isRubric } from "./rubric.ts";
import { reportLine, shortName } from "./words.ts";

/** Ratings of one place in the report, all of one scale. */
export interface RatedPlace {
  readonly scale: string;
  readonly path: readonly string[];
  /** The things that rows name, and those that columns name: platform, area. */
  readonly axes: readonly [string, string];
  /** Each row has one rating only: its column need not be named. */
  readonly alone: boolean;
  readonly cells: readonly RatedCell[];
}

export interface RatedCell {
  readonly row: string;
  readonly column: string;
  readonly told: ToldLevel;
  /** Evidence that the cell itself links to. */
  readonly links: readonly ReportLink[];
}

/** The part of a table that rates: the cells of these rows and columns that are levels of the scale. */
interface Block {
  readonly table: ReportTable;
  readonly scale: string;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly level: (row: number, column: number) => ToldLevel | undefined;
}

/** The ratings of a table; undefined where it has none. `believed`: another table of the same columns rates. */
export function ratedIn(written: ReportTable, legends: readonly Legend[], believed = false): RatedPlace | undefined {
  const table = withoutUnknown(written, legends);
  const { columns, rows } = table;
  if (rows.length === 0 || isRecheckHeader(columns)) return undefined;
  const sorted = listsByRing(table) ?? markedColumns(table);
  if (sorted) return sorted;
  if (rows.length < 2 || isRubric(table) || isDerivation(table)) return undefined;
  const told = withTicks(withSingles(rows.map((row) => columns.map((heading, i) => toldIn(heading, textAt(row, i))))));
  for (const [i, scale] of scalesIn(told, keysOf(legends)).slice(0, maxScales).entries()) {
    const legend = keysOf(legends.filter((one) => isOf(one, scale)));
    const block = blockOf(table, { told, legend, scale });
    const judging =
      block && ofOneVocabulary({ ...block, columns: block.columns.filter((i) => !isProperty(block, i)) }, legends);
    if (!judging || judging.columns.length === 0 || (i > 0 && judging.rows.length < 3)) continue;
    if (believed || judges(judging)) return placeOf(judging);
  }
  const turned = turnedRows(written);
  return turned && ratedIn(turned, legends);
}

/** A table of columns for things, by the rows that announce a judgement of each: its last row may be the only one. */
function turnedRows({ id, path, columns, rows }: ReportTable): ReportTable | undefined {
  const chosen = rows.filter((row) => announced.test(shortName(textAt(row, 0))));
  if (columns.length < 3 || chosen.length === 0 || chosen.length === rows.length) return undefined;
  const [first = "", ...things] = columns;
  return {
    id,
    path,
    columns: [first, ...chosen.map((row) => textAt(row, 0))],
    rows: things.map((thing, i) => [
      { text: thing, links: [], head: true },
      ...chosen.map((row) => row[i + 1] ?? { text: "", links: [], head: false }),
    ]),
  };
}

/** The whole of what a row is called that judges. */
const announced =
  /^(?:(?:overall|current|our|final) )?(?:ratings?|level|ring|status|grade|verdict|maturity|readiness|recommend(?:ation|ed)|assessment|risk|stability|score|tier|result)$/i;

function keysOf(legends: readonly Legend[]): Set<string> {
  return new Set(legends.flatMap((one) => one.map(({ key }) => key)));
}

/** Whether a legend tells of levels of a scale: words by one of them at least, marks of whatever is marked. */
function isOf(legend: Legend, scale: string): boolean {
  return scale === "legend" || legend.some(({ key }) => heightOf(key, scale) !== undefined || isMark(key));
}

/** Scales that are tried: a radar may tell by yes and no of each thing whether it is new. */
const maxScales = 3;

function toldIn(heading: string, text: string): ToldLevel | undefined {
  return readinessIn(heading, text) ?? (isBlank(text) ? undefined : levelIn(text));
}

/** A mark that others repeat is a run of one: `●` beside `●●●`. */
function withSingles(told: Told): Told {
  const repeated = new Set(
    told.flat().flatMap((one) => {
      const [mark = "", ...others] = one?.key.startsWith("★") ? one.shown : "";
      return others.length > 0 && others.every((other) => other === mark) ? mark : [];
    }),
  );
  if (repeated.size === 0) return told;
  return told.map((row) => row.map((one) => (one && repeated.has(one.shown) ? { ...one, key: "★" } : one)));
}

/** The letter x is a tick where nothing else says yes or no. */
function withTicks(told: Told): Told {
  const all = told.flat().flatMap((one) => (one ? one.key : []));
  const others = all.filter((key) => key !== "x" && (plainMarks.has(key) || plainAnswers.has(key)));
  if (others.length > 0 || !all.includes("x")) return told;
  return told.map((row) => row.map((one) => (one?.key === "x" ? { ...one, key: "✓" } : one)));
}

/** A mark of which a legend says that nobody knows is as good as a blank. */
function withoutUnknown(table: ReportTable, legends: readonly Legend[]): ReportTable {
  const unknown = new Set(
    legends.flatMap((legend) => legend.flatMap(({ key, meaning }) => (isBlank(meaning) ? [key] : []))),
  );
  if (unknown.size === 0) return table;
  const known = (cell: ReportCell) => (unknown.has(levelIn(cell.text)?.key ?? "") ? { ...cell, text: "" } : cell);
  return { ...table, rows: table.rows.map((row) => row.map(known)) };
}

/** At least this share of what is told in a column or a row must be levels. */
const mostly = 0.6;

type Told = readonly (readonly (ToldLevel | undefined)[])[];

function blockOf(
  table: ReportTable,
  { told, legend, scale }: { told: Told; legend: ReadonlySet<string>; scale: string },
): Block | undefined {
  const { columns, rows } = table;
  const level = (row: number, column: number) => {
    const one = told[row]?.[column] ?? (scale === "plus" ? minusIn(textAt(rows[row] ?? [], column)) : undefined);
    return one && (heightOf(one.key, scale) !== undefined || legend.has(one.key)) ? one : undefined;
  };
  const share = (places: readonly (readonly [number, number])[]) => {
    const said = places.filter(
      ([row, column]) => !isBlank(textAt(rows[row] ?? [], column)) || level(row, column) !== undefined,
    );
    const rated = said.filter(([row, column]) => level(row, column) !== undefined).length;
    return { rated, most: said.length > 0 && rated >= mostly * said.length };
  };
  const all = rows.map((_, i) => i);
  const inRow = (row: number, within: readonly number[]) => share(within.map((i) => [row, i] as const));
  const inColumn = (i: number, within: readonly number[]) => share(within.map((row) => [row, i] as const));
  const every = columns.map((_, i) => i);
  const free = every.filter((i) => roleOf(columns[i] ?? "") === undefined);
  // How sure a report is of something is a rating where it gives no other one.
  const open = free.slice(1).some((i) => inColumn(i, all).most && inColumn(i, all).rated >= 2) ? free : every;
  const full = all.filter((row) => {
    const { rated, most } = inRow(row, open.slice(1));
    return most && rated >= 2;
  });
  const seeds = open.filter((i) =>
    [all, full].some((within) => inColumn(i, within).most && inColumn(i, within).rated >= 2),
  );
  const rated = all.filter((row) => inRow(row, seeds).rated >= 1 && halfRated(row, seeds, table, level));
  const [first] = seeds;
  const found = open.filter(
    (i) => i >= (first ?? 0) && inColumn(i, rated).most && inColumn(i, rated).rated >= (seeds.length > 1 ? 1 : 2),
  );
  const chosen = found.length === columns.length ? found.slice(1) : found;
  return rated.length >= 2 && chosen.length > 0 ? { table, scale, rows: rated, columns: chosen, level } : undefined;
}

/** A minus is no blank where others are pluses. */
function minusIn(text: string): ToldLevel | undefined {
  return /^[-–−]$/.test(text) ? { key: "-", shown: text } : undefined;
}

function halfRated(row: number, columns: readonly number[], { rows }: ReportTable, level: Block["level"]): boolean {
  const said = columns.filter((i) => !isBlank(textAt(rows[row] ?? [], i)));
  return said.filter((i) => level(row, i) !== undefined).length >= 0.5 * said.length;
}

/** The scales of the cells beside the first column, that of most of them first. */
function scalesIn(told: Told, legend: ReadonlySet<string>): string[] {
  const cells = told.flatMap((row) => row.slice(row.length > 1 ? 1 : 0)).filter((one) => one !== undefined);
  const found = cells.flatMap(({ key }) => {
    // A letter that the report explains is no grade.
    const own = legend.has(key) && /^\p{L}$/u.test(key) ? [] : scalesOf(key);
    return own.length === 0 && legend.has(key) ? ["legend"] : own;
  });
  const isCircled = cells.some(({ key }) => isCircle(key));
  return [...Map.groupBy(found, (scale) => scale)]
    .filter(([scale]) => scale !== "circle" || isCircled)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([scale]) => scale);
}

/** Headings of columns that tell how a thing is, whatever stands below them. */
const property =
  /^(?:is )?(?:required|optional|mandatory|default|nullable|read[- ]?only|auth(?:entication|orization)?|https?|tls|ssl|cors|api key|api|unique|primary(?: key)?|index(?:ed)?|repeatable|inherited|since|public|private|hidden|multiple|array|exported|credit card|sign-?up|login|registration|oauth|self[- ]reported|headquarters|paid|free)\??$/i;

/** What is sold beside what is free. */
const plan = /^(?:pro|plus|premium|enterprise|business|teams?|starter)$/i;

/** Headings of columns that say more about what stands beside them, or what is so until somebody changes it. */
const remark =
  /\bdefaults?(?: (?:values?|state|setting))?$|^(?:notes?|comments?|remarks?|descriptions?|explanations?|examples?|details|bemerkung(?:en)?)$/i;

const plainMarks = new Set("✓|✔|✅|☑|🗸|✗|✘|✖|✕|×|❌|❎|☒|x|tick|check|checkmark|cross|●|○".split("|"));

function keysIn({ rows, columns, level }: Block): string[] {
  return rows.flatMap((row) => columns.flatMap((i) => level(row, i)?.key ?? []));
}

function isProperty(block: Block, column: number): boolean {
  const keys = keysIn({ ...block, columns: [column] });
  if (remark.test(shortName(block.table.columns[column] ?? ""))) return true;
  // A flag stands for what the heading shows by the same mark.
  const flag = levelIn(block.table.columns[column] ?? "")?.key;
  if (keys.every((key) => key === flag)) return true;
  const binary = keys.every((key) => plainAnswers.has(key) || plainMarks.has(key));
  const name = shortName(block.table.columns[column] ?? "");
  const isPlan = /^(?:free|paid)$/i.test(name) && block.table.columns.some((other) => plan.test(shortName(other)));
  return binary && property.test(name) && !isPlan;
}

/**
 * Columns that share levels with the one that has most of them, or what a legend explains beside those; yes, no and the
 * marks of the scale are the same everywhere.
 */
function ofOneVocabulary(block: Block, legends: readonly Legend[]): Block {
  if (block.scale !== "support" && block.scale !== "legend") return block;
  const keys = new Map(block.columns.map((i) => [i, new Set(keysIn({ ...block, columns: [i] }))]));
  const isTold = (i: number) => Number(judgement.test(block.table.columns[i] ?? ""));
  const size = (i: number) => keys.get(i)?.size ?? 0;
  const sorted = block.columns.toSorted((a, b) => size(b) - size(a) || isTold(b) - isTold(a));
  const shared = new Set<string>();
  const share = (own: Iterable<string>) => {
    for (const key of own) {
      shared.add(key);
      for (const beside of keysOf(legends.filter((legend) => legend.some((one) => one.key === key))))
        shared.add(beside);
    }
  };
  share(keys.get(sorted[0] ?? -1) ?? []);
  const kept = new Set<number>();
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    for (const i of sorted) {
      const own = [...(keys.get(i) ?? [])];
      if (kept.has(i) || !own.some((key) => shared.has(key) || plainAnswers.has(key) || isMarkOf(key, block.scale)))
        continue;
      kept.add(i);
      share(own);
    }
  }
  return { ...block, columns: block.columns.filter((i) => kept.has(i)) };
}

function isMarkOf(key: string, scale: string): boolean {
  return plainMarks.has(key) || (isMark(key) && heightOf(key, scale) !== undefined);
}

function isMark(key: string): boolean {
  return !/[\p{L}\p{N}]/u.test(key);
}

/** Headings that announce a judgement. */
const judgement =
  /\b(?:rating|level|rings?|rag|status|score|grade|verdict|maturity|support(?:ed|s)?|readiness|ready|recommend\w*|assessment|risk|quality|tier|stage|phase|stability|compliance|compliant|coverage|result|outcome|severity|impact|compatib\w*|works|health|evaluation|conformance|availability|affected|vulnerab\w*|certainty|confidence|bewertung|reifegrad|einstufung|niveau|madurez|valutazione)\b|évaluation|maturité|evaluaci[oó]n|评级|评价|评估|成熟度|推荐|推薦|推奨|評価|評級|状态|支持|対応|等级|оценка|зрелость|статус|поддержка|평가|성숙도|지원/i;

/** At least this share of levels must be yes or no for them to tell of names of a program. */
const mostlyAnswers = 0.9;

/** Whether what was found judges, and does not merely describe. */
function judges(block: Block): boolean {
  const { table, rows, columns, scale, level } = block;
  const keys = keysIn(block);
  const distinct = new Set(keys);
  const [first] = columns;
  if (first === undefined || keys.length < 2) return false;
  const isTold = columns.every((i) => judgement.test(table.columns[i] ?? ""));
  if (distinct.size === 1) return oneMark(block);
  if (standsForOthers(block, keys)) return false;
  if (keys.every((key) => makers.has(key))) return false;
  if (isConstant(block)) return false;
  const values = table.columns.map((_, i) => i).filter((i) => columns.includes(i) || isValue(table, i, first));
  const share = columns.length / Math.max(1, values.length);
  const isDrawn = rows.every((row) => columns.every((i) => table.rows[row]?.[i]?.picture || !level(row, i)));
  if (!isDrawn && keys.every((key) => plainAnswers.has(key))) {
    if (columns.every((i) => offer.test(table.columns[i] ?? ""))) return rows.length >= 3;
    const describes = values.some((i) => !columns.includes(i) && isProse(table, i));
    return columns.length >= 3 && !describes && !namesCode(table) && share >= mostly && compares(table);
  }
  const answers = keys.filter((key) => plainAnswers.has(key)).length;
  if (answers >= mostlyAnswers * keys.length && namesCode(table)) return false;
  if (keys.every((key) => plainAnswers.has(key) || plainMarks.has(key))) {
    if (columns.length >= 3) return share >= 0.5;
    return isTold ? rows.length >= 3 : columns.length === 2 && share >= 0.5 && !namesCode(table);
  }
  if (scale === "grade" && !isTold && ![...distinct].some((key) => /[+-]/.test(key))) return false;
  const told = columns.filter((i) => judgement.test(table.columns[i] ?? "")).length;
  if (told === 0 && keys.every((key) => partOfVersion.has(key))) return false;
  const heights = new Set([...distinct].map((key) => heightOf(key, scale)));
  if (heights.size === 1 && !heights.has(undefined) && !keys.some(isMark)) return false;
  const words = scale === "support" && keys.filter(isMark).length < 0.5 * keys.length;
  // Two rows of many that happen to be words of a scale.
  if (keys.every((key) => !isMark(key)) && rows.length < 3 && rows.length < 0.5 * saidRows(block)) return false;
  if (columns.length >= 2) return !words || share >= 0.5 || told >= 0.5 * columns.length;
  const stage = ordinalScales.has(scale) || stages.has(scale) || scale === "stars";
  const colours =
    scale === "support" && [...distinct].every((key) => isMark(key) && heightOf(key, scale) !== undefined);
  return (
    (isTold || stage || colours) && keys.length >= 0.6 * table.rows.filter((row) => !isBlank(textAt(row, first))).length
  );
}

/** One mark a row, each another one, is a legend; and so are words that stand for other ones or for figures. */
function standsForOthers({ table, rows, columns, scale }: Block, keys: readonly string[]): boolean {
  if (columns.length > 1 || keys.length < 3 || new Set(keys).size < keys.length) return false;
  const isBand = (text: string) =>
    (text.length > 1 && isLevel(text)) || (table.columns.length === 2 && !/\p{L}/u.test(text));
  const bands = rows.filter((row) => isBand(textAt(table.rows[row] ?? [], 0))).length;
  return (keys.every(isMark) && (scale !== "stars" || columns[0] === 0)) || bands >= 0.5 * rows.length;
}

/** How many rows say anything in the columns of a block. */
function saidRows({ table, columns }: Block): number {
  return table.rows.filter((row) => columns.some((i) => !isBlank(textAt(row, i)))).length;
}

/** Which part of a version something changes: https://semver.org/ */
const partOfVersion: ReadonlySet<string> = new Set(["major", "minor", "patch"]);

/** Whether each column holds one word, and others another: those are facts. */
function isConstant(block: Block): boolean {
  const ofWords = keysIn(block).some((key) => /\p{L}{2}/u.test(key) && !plainAnswers.has(key));
  return ofWords && block.columns.every((i) => new Set(keysIn({ ...block, columns: [i] })).size === 1);
}

/** Headings below which yes and no judge, whatever stands in the rows. */
const offer = /\b(?:support(?:ed|s)?|compatible|compliant|implemented|unterstützt|pris en charge)\b|対応|支持/i;

/** Headings of columns that name what things are compared by. */
const criterion =
  /^(?:#|no\.?|)$|\b(?:features?|capabilit\w+|criteri\w+|requirements?|functions?|functionality|aspects?|controls?|tests?|funktion(?:en)?|merkmale?|kriteri\w+|fonctionnalités?|critères?|funci[oó]n(?:es)?|características?)\b|機能|項目|功能|특징|기능/i;
const comparison =
  /\b(?:compar\w+|versus|vs\.?|matri(?:x|ces)|support(?:ed)?|compatib\w+|scorecards?|evaluation|assessment|vergleich|comparati\w+|confronto)\b|比較|比较|対応|对比/i;

/** Whether yes and no tell which things are better, and do not merely describe them: its rows are criteria, or it is called a comparison. */
function compares({ columns, path }: ReportTable): boolean {
  return criterion.test(columns[0] ?? "") || path.slice(-2).some((heading) => comparison.test(heading));
}

/** Whether a table describes parameters, functions or columns of a database. */
export function namesCode({ rows }: ReportTable): boolean {
  const code = rows.filter(
    ([first]) => first?.code || /^[\w.$-]+(?:\(.*\)|_\w+|[a-z][A-Z]\w*)$/.test(first?.text ?? ""),
  ).length;
  return code >= 0.5 * rows.length;
}

/** Quarters, months, weeks, years and phases: marks below them are a schedule. */
const period =
  /^(?:now|next|later|future|mvp|(?:(?:q|h|kw|week|month|day|sprint|phase|milestone|iteration|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[ .'’-]?)?(?:\d{1,2}|(?:19|20)\d\d)?(?:[ .'’/-](?:19|20)?\d\d)?)$/i;

/** A matrix of one mark and of blanks: it says what each thing has, and what it has not. */
function oneMark({ rows, columns, table }: Block): boolean {
  const cells = rows.flatMap((row) => columns.map((i) => textAt(table.rows[row] ?? [], i)));
  const blank = cells.filter((cell) => /^[-–—]?$/.test(cell)).length / cells.length;
  const plans = columns.every((i) => period.test(table.columns[i] ?? ""));
  return !plans && columns.length >= 3 && rows.length >= 4 && blank >= 0.05 && blank <= 0.9;
}

/** Whether a column beside the rated ones holds values, and neither names the rows nor is empty. */
function isValue(table: ReportTable, column: number, first: number): boolean {
  return column > first && table.rows.some((row) => textAt(row, column) !== "");
}

function isProse(table: ReportTable, column: number): boolean {
  const lengths = table.rows.map((row) => textAt(row, column).length);
  return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) > 30;
}

function placeOf(block: Block): RatedPlace | undefined {
  const { table, rows, columns, level, scale } = block;
  const names = rowNames(table, rows, columns);
  if (!names) return undefined;
  const headings = columnNames(table, columns);
  const strange = strangeIn(block);
  const alone = columns.length === 1 && plainHeading.test(headings[0] ?? "");
  const cells = rows.flatMap((row) =>
    columns.flatMap((column, i): RatedCell[] => {
      const told = level(row, column) ?? strange(row, column);
      const name = names.of.get(row);
      if (!told || name === undefined) return [];
      const { links = [] } = table.rows[row]?.[column] ?? {};
      return [{ row: name, column: headings[i] ?? "", told, links }];
    }),
  );
  const [rowAxis, columnAxis] = axesOf(names.heading);
  return { scale, path: table.path, axes: [rowAxis, columnAxis], alone, cells };
}

/** At least this share of a block must be levels for a word among them to be one that nobody knows. */
const nearlyAll = 0.75;
const maxStrange = 2;

/** Levels that neither a scale nor a legend knows: a word among words, a mark among marks. */
function strangeIn({
  table,
  rows,
  columns,
  scale,
  level,
}: Block): (row: number, column: number) => ToldLevel | undefined {
  const places = rows.flatMap((row) => columns.map((i) => [row, i] as const));
  const said = places.filter(([row, i]) => !isBlank(textAt(table.rows[row] ?? [], i)));
  if (said.filter(([row, i]) => level(row, i) !== undefined).length < nearlyAll * said.length) return () => undefined;
  const keys = said.flatMap(([row, i]) => level(row, i)?.key ?? []);
  const marks = keys.filter((key) => isMark(key) || plainMarks.has(key)).length >= nearlyAll * keys.length;
  const found = new Map<string, ToldLevel>();
  for (const [row, i] of said) {
    const text = textAt(table.rows[row] ?? [], i);
    const told = level(row, i) ? undefined : levelIn(text);
    const short = told?.shown === text && text.length <= 20 && !/\d/.test(text);
    if (told && short && isMark(told.key) === marks) found.set(`${row} ${i}`, told);
  }
  // A word that stands once among answers is a remark.
  const counts = Map.groupBy(found.values(), ({ key }) => key);
  const isLevel = ({ key }: ToldLevel) => marks || scale !== "support" || (counts.get(key)?.length ?? 0) > 1;
  const told = [...found].filter(([, one]) => isLevel(one));
  const distinct = new Set(told.map(([, { key }]) => key));
  const known = new Map(distinct.size <= maxStrange ? told : []);
  return (row, column) => known.get(`${row} ${column}`);
}

/** Headings that say no more than that there is a level. */
const plainHeading =
  /^(?:(?:current|overall) )?(?:ratings?|levels?|rings?|rag|status|state|score|grade|verdict|maturity(?: level)?|support(?:ed)?|tier|stage|phase|coverage|result|assessment|recommendation|trl|technology readiness(?: level)?|column \d+)$/i;

/** Short names of columns, each its own. */
function columnNames({ columns }: ReportTable, chosen: readonly number[]): string[] {
  const short = chosen.map((i) => shortName(columns[i] ?? ""));
  return chosen.map((i, at) => {
    const name = short[at] ?? "";
    if (name === "") return `Column ${i + 1}`;
    const twice = short.filter((one) => one === name).length > 1;
    return twice ? reportLine(columns[i] ?? name, 80) : name;
  });
}

/** `Feature / Platform` names both axes. */
export function axesOf(heading: string): [string, string] {
  const [first = "", second = ""] = heading.split(/[/\\|×]|\bvs\.?\b/).map((part) => shortName(part).toLowerCase());
  const row = first || "subject";
  const column = second || (/\b(?:area|aspect|criteri\w+|dimension|feature)\b/.test(row) ? "platform" : "area");
  return [row, column === row ? `${row} 2` : column];
}

/** A table of which the headings are levels, and a mark says which of them a row has. */
function markedColumns(table: ReportTable): RatedPlace | undefined {
  const { columns, rows, path } = table;
  const heads = columns.flatMap((name, i) => {
    const told = i === 0 ? undefined : levelIn(name);
    return told && scalesOf(told.key).length > 0 ? [{ i, told }] : [];
  });
  const scale =
    heads[0] &&
    scalesOf(heads[0].told.key).find((one) => heads.every(({ told }) => heightOf(told.key, one) !== undefined));
  if (heads.length < 2 || scale === undefined) return undefined;
  const found = rows.map((row) => heads.filter(({ i }) => !isBlank(textAt(row, i))));
  const isTick = (text: string) => {
    const key = levelIn(text)?.key ?? "";
    return plainMarks.has(key) || (key !== "" && isMark(key)) || /^[xX•*]$/.test(text.trim());
  };
  const one = found.filter(
    (marks, at) => marks.length === 1 && marks.every(({ i }) => isTick(textAt(rows[at] ?? [], i))),
  );
  if (one.length < 2 || found.some((marks) => marks.length > 1) || one.length < 0.8 * rows.length) return undefined;
  const rated = rows.flatMap((_, at) => (found[at]?.length === 1 ? [at] : []));
  const names = rowNames(
    table,
    rated,
    heads.map(({ i }) => i),
  );
  if (!names) return undefined;
  const cells = rated.flatMap((at): RatedCell[] => {
    const [mark] = found[at] ?? [];
    const name = names.of.get(at);
    return mark && name !== undefined
      ? [{ row: name, column: "level", told: mark.told, links: rows[at]?.[mark.i]?.links ?? [] }]
      : [];
  });
  return { scale, path, axes: axesOf(names.heading), alone: true, cells };
}

/** A table of which the headings are the rings of a radar, and the cells list what is in them. */
function listsByRing({ columns, rows, path }: ReportTable): RatedPlace | undefined {
  const heads = columns.map((name) => {
    const told = levelIn(name);
    return told && scalesOf(told.key).includes("ring") ? told : undefined;
  });
  const rings = heads.filter((told) => told !== undefined);
  if (rings.length < 2 || rings.length < columns.length - 1) return undefined;
  const cells = rows.flatMap((row) =>
    row.flatMap(({ text, links }, i): RatedCell[] => {
      const told = heads[i];
      const items = text.split(/\n|,\s+|;\s+/).map((item) => item.replace(/^[-*•]\s+/, ""));
      return !told || isBlank(text) ? [] : items.map((item) => ({ row: shortName(item), column: "ring", told, links }));
    }),
  );
  const isShort =
    cells.length >= 3 &&
    cells.every(({ row }) => /\p{L}/u.test(row) && row.length >= 2 && row.length <= 40 && !/[.!?]$/.test(row));
  return isShort ? { scale: "ring", path, axes: ["subject", "area"], alone: true, cells } : undefined;
}
