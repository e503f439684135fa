import type { ReportTable } from "../parse/report-text.ts";
import { isRecheckHeader } from "../rechecks.ts";
import { textAt } from "./grid.ts";
import { namesCode } from "./judging.ts";
import { isBlank, isLevel, levelIn } from "./levels.ts";
import type { RatedPlace } from "./matrix.ts";
import { axesOf } from "./matrix.ts";
import { rowNames } from "./row-names.ts";
import { isRubric } from "./rubric.ts";
import { shortName } from "./words.ts";

/** Columns that repeat a few words: a scale of the report's own. */
export function ownScale(table: ReportTable): RatedPlace | undefined {
  const { columns, rows, path } = table;
  const chosen = columns.map((_, i) => i).slice(1);
  if (isRecheckHeader(columns) || isRubric(table) || chosen.length < 2 || rows.length < 3 || namesCode(table))
    return undefined;
  const told = chosen.map((i) => rows.map((row) => textAt(row, i)).filter((text) => !isBlank(text)));
  const all = told.flat();
  const distinct = new Set(all);
  const few = distinct.size >= 2 && distinct.size <= 5 && all.length >= 6 && all.length >= 3 * distinct.size;
  const wordlike = [...distinct].every(
    (word) => word.length <= 20 && !/[\d\n,/]/.test(word) && levelIn(word)?.shown === word,
  );
  const everywhere = [...distinct].every((word) => !isLevel(word) && told.every((own) => own.includes(word)));
  if (!few || !wordlike || !everywhere) return undefined;
  const names = rowNames(
    table,
    rows.map((_, i) => i),
    chosen,
  );
  if (!names) return undefined;
  const cells = rows.flatMap((row, at) =>
    chosen.flatMap((i) => {
      const level = isBlank(textAt(row, i)) ? undefined : levelIn(textAt(row, i));
      const name = names.of.get(at);
      const column = shortName(columns[i] ?? "") || `Column ${i + 1}`;
      return level && name !== undefined ? [{ row: name, column, told: level, links: row[i]?.links ?? [] }] : [];
    }),
  );
  return { scale: "own", path, axes: axesOf(names.heading), alone: false, cells };
}
