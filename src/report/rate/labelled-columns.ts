import type { ReportCell, ReportTable } from "../parse/report-text.ts";
import { textAt } from "./grid.ts";
import { isBlank, isLevel } from "./levels.ts";

/** More labels than this are not the parts of one column. */
const maxLabels = 8;
/** The least share of labelled levels among a column's cells. */
const mostly = 0.6;

/**
 * Splits columns whose cells have a level for each of several labels into one column per label: `Web: Supports`, and on
 * the next line `Software: Does Not Support`.
 * Spec: https://www.itic.org/policy/accessibility/vpat
 */
export function splitByLabels(table: ReportTable): ReportTable {
  const { columns, rows } = table;
  const labels = columns.map((_, i) => (i === 0 ? [] : labelsIn(rows.map((row) => textAt(row, i)))));
  if (labels.every((own) => own.length === 0)) return table;
  const parted = <T>(i: number, whole: T, part: (label: string) => T): T[] => {
    const own = labels[i] ?? [];
    return own.length === 0 ? [whole] : own.map(part);
  };
  return {
    ...table,
    columns: columns.flatMap((name, i) => parted(i, name, (label) => (name === "" ? label : `${name}: ${label}`))),
    rows: rows.map((row) =>
      row.flatMap((cell, i) =>
        parted<ReportCell>(i, cell, (label) => ({ ...cell, text: labelValue(cell.text, label) })),
      ),
    ),
  };
}

/** The labels of a column that have a level; empty if too few cells are labelled. */
function labelsIn(texts: readonly string[]): string[] {
  const said = texts.filter((text) => !isBlank(text));
  const entries = said.map(entriesOf);
  const levels = entries.filter((own) => own.length > 0 && own.every(({ value }) => isBlank(value) || isLevel(value)));
  const found = new Set(levels.flat().flatMap(({ label, value }) => (isLevel(value) ? [label] : [])));
  return levels.length >= 2 && levels.length >= mostly * said.length && found.size <= maxLabels ? [...found] : [];
}

function labelValue(text: string, label: string): string {
  return entriesOf(text).find((entry) => entry.label === label)?.value ?? "";
}

/** `Web: Supports`, on one line or two; empty if any line has no label. */
function entriesOf(text: string): { label: string; value: string }[] {
  const lines = text.replace(/:\n/g, ": ").split("\n");
  const found = lines.flatMap((line) => {
    const [, label = "", value = ""] = /^(\p{L}[^:]{0,39}):\s+(\S.*)$/u.exec(line) ?? [];
    return label === "" ? [] : [{ label: label.trim(), value }];
  });
  return found.length === lines.length ? found : [];
}
