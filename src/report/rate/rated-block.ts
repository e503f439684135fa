import { anyOf, matches, says } from "../../language/lexicon.ts";
import type { ReportTable } from "../parse/report-text.ts";
import { type Legend, legendKeys } from "./legend.ts";
import { heightOf, isMarkKey, levelIn, plainAnswers, type WrittenLevel } from "./levels.ts";
import { shortName } from "./words.ts";

/** Headings that announce a judgement. */
export const isJudgement = says("tables.judgement");

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

export function keysIn({ rows, columns, level }: RatedBlock): string[] {
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
  const sorted = block.columns.toSorted((a, b) => judgementsIn(b) - judgementsIn(a) || size(b) - size(a));
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
      const isMark = (key: string) => isMarkKey(key) && heightOf(key, block.scale) !== undefined;
      const isShared = (key: string) => shared.has(key) || plainAnswers.has(key) || plainMarks.has(key) || isMark(key);
      if (columns.has(i) || !own.some(isShared)) continue;
      columns.add(i);
      share(own);
    }
  }
  return { ...block, columns: block.columns.filter((i) => columns.has(i)) };
}
