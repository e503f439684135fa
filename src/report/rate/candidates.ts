import { cutLine } from "../../model/markdown.ts";
import { Ids } from "../cite/sources.ts";
import type { ReportTable } from "../parse/report-text.ts";
import type { Judgement } from "./is-rating-table.ts";
import type { Legend } from "./legend.ts";
import { isBlank } from "./levels.ts";
import { isJudgement } from "./rated-block.ts";
import { type RatedPlace, readingsOf, type TableReading } from "./rated-tables.ts";

/** Tables with the same columns that may rate. People answer by their id whether they do. */
export interface TableCandidate {
  readonly id: string;
  /** The file of the first table, and the headings above it. */
  readonly file: string;
  readonly path: readonly string[];
  readonly columns: readonly string[];
  /** Up to three rows, with bars between the cells. */
  readonly lines: readonly string[];
  readonly ratings: number;
  /** As written, the most frequent first. */
  readonly levels: readonly string[];
  /** From 0 to 1. */
  readonly score: number;
  /** It certainly rates: it counts if people give no answer. */
  readonly isSure: boolean;
  readonly reason: string;
}

/** Tables with the same columns, each read by the scale that they share. */
export interface TableForm {
  readonly id: string;
  readonly judgement: Judgement;
  readonly tables: readonly { readonly table: ReportTable; readonly place: RatedPlace }[];
}

const mostCandidates = 20;
const sampleLines = 3;

/**
 * Groups tables that may rate by their rated columns. Doubtful ones join a certain one with the same columns. Parts of
 * one table, such as one for each ring of a radar, are also judged together.
 */
export function formsOf(tables: readonly ReportTable[], legends: readonly Legend[]): TableForm[] {
  const ids = new Ids();
  const readable = tables.flatMap((table) => readTable(table, legends));
  const parted = Map.groupBy(tables, ({ columns }) => JSON.stringify(columns)).values();
  const wholes = [...parted].flatMap(([first, ...others]) =>
    first && others.length > 0
      ? readTable({ ...first, rows: [first, ...others].flatMap(({ rows }) => rows) }, legends)
      : [],
  );
  const models = [...readable, ...wholes].filter(({ likeliest }) => isSure(likeliest));
  const alike = Map.groupBy(
    readable.map((one) => ({ ...one, model: models.find((model) => isLike(one, model)) ?? one })),
    ({ model: { table, columns } }) => JSON.stringify([...(isNamed(columns) ? [] : [table.columns[0]]), ...columns]),
  );
  return [...alike.values()].flatMap((group) => {
    const { table, likeliest } = (group.find(({ likeliest }) => isSure(likeliest)) ?? group[0])?.model ?? {};
    if (!table || !likeliest) return [];
    return {
      id: ids.give(`${table.path.at(-1) ?? ""} ${table.columns.slice(0, 3).join(" ")}`.slice(0, 60), "table"),
      judgement: likeliest.judgement,
      tables: group.flatMap(({ table, readings }) => {
        const reading = readings.find(isSure) ?? readings.find(({ place }) => place.scale === likeliest.place.scale);
        return reading ? [{ table, place: reading.place }] : [];
      }),
    };
  });
}

function readTable(table: ReportTable, legends: readonly Legend[]): ReadTable[] {
  const readings = readingsOf(table, legends);
  const likeliest = readings.find(isSure) ?? readings[0];
  const columns = new Set(likeliest?.place.cells.map(({ column }) => column));
  return likeliest ? [{ table, readings, likeliest, columns }] : [];
}

interface ReadTable {
  readonly table: ReportTable;
  readonly readings: readonly TableReading[];
  readonly likeliest: TableReading;
  readonly columns: ReadonlySet<string>;
}

function isSure({ judgement }: TableReading): boolean {
  return judgement.verdict === "rates";
}

/** Tables with a single rated column are alike only if the headings of their first columns are. */
function isLike({ table, columns, readings, likeliest }: ReadTable, model: ReadTable): boolean {
  return (
    columns.isSubsetOf(model.columns) &&
    (isSure(likeliest)
      ? columns.size === model.columns.size
      : readings.some(({ place }) => place.scale === model.likeliest.place.scale)) &&
    (isNamed(columns) || table.columns[0] === model.table.columns[0])
  );
}

/** Whether rated columns are known by their headings alone. */
function isNamed(columns: ReadonlySet<string>): boolean {
  return columns.size > 1 || [...columns].every(isJudgement);
}

/** The forms as questions for people, best first. `file`: the report's path. */
export function candidatesOf(forms: readonly TableForm[], file: string): TableCandidate[] {
  const candidates = forms.flatMap(({ id, judgement, tables }) => {
    const [first] = tables;
    if (!first) return [];
    const cells = tables.flatMap(({ place }) => place.cells);
    const filled = tables
      .flatMap(({ table }) => table.rows.flatMap((row) => row.slice(1)))
      .filter(({ text }) => !isBlank(text)).length;
    const levels = [...Map.groupBy(cells, ({ rating }) => rating.shown)].sort(([, a], [, b]) => b.length - a.length);
    const certain = judgement.verdict === "rates";
    const share = Math.min(1, cells.length / Math.max(1, filled));
    return {
      id,
      file: first.table.file ?? file,
      path: first.table.path,
      columns: first.table.columns,
      lines: first.table.rows.slice(0, sampleLines).map((row) => cutLine(row.map(({ text }) => text).join(" | "), 120)),
      ratings: cells.length,
      levels: levels.map(([shown]) => cutLine(shown, 40)).slice(0, 14),
      score: Math.round((certain ? 0.5 + share / 2 : share / 2) * 100) / 100,
      isSure: certain,
      reason: judgement.reason,
    };
  });
  return candidates.sort((a, b) => b.score - a.score || b.ratings - a.ratings).slice(0, mostCandidates);
}
