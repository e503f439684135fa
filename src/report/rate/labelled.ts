import type { ReportCell, ReportTable } from "../parse/report-text.ts";
import { textAt } from "./grid.ts";
import { isBlank, isLevel } from "./levels.ts";

/** More labels than any column parts its levels by. */
const maxLabels = 8;
/** At least this share of what a column tells must be levels behind labels. */
const mostly = 0.6;

/**
 * A table with a column for each label, where the cells of one column tell a level behind each of several labels:
 * `Web: Supports`, and on the next line `Software: Does Not Support`.
 * Spec: https://www.itic.org/policy/accessibility/vpat
 */
export function byLabels(table: ReportTable): ReportTable {
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
      row.flatMap((cell, i) => parted<ReportCell>(i, cell, (label) => ({ ...cell, text: told(cell.text, label) }))),
    ),
  };
}

/** The labels of a column that tell a level anywhere; none where its cells tell something else. */
function labelsIn(texts: readonly string[]): string[] {
  const said = texts.filter((text) => !isBlank(text));
  const entries = said.map(entriesOf);
  const levels = entries.filter((own) => own.length > 0 && own.every(({ value }) => isBlank(value) || isLevel(value)));
  const found = new Set(levels.flat().flatMap(({ label, value }) => (isLevel(value) ? [label] : [])));
  return levels.length >= 2 && levels.length >= mostly * said.length && found.size <= maxLabels ? [...found] : [];
}

function told(text: string, label: string): string {
  return entriesOf(text).find((entry) => entry.label === label)?.value ?? "";
}

/** `Web: Supports`, in one line or in two; none where a line has no label. */
function entriesOf(text: string): { label: string; value: string }[] {
  const lines = text.replace(/:\n/g, ": ").split("\n");
  const found = lines.flatMap((line) => {
    const [, label = "", value = ""] = /^(\p{L}[^:]{0,39}):\s+(\S.*)$/u.exec(line) ?? [];
    return label === "" ? [] : [{ label: label.trim(), value }];
  });
  return found.length === lines.length ? found : [];
}
