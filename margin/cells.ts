import type { Rating } from "./notes.ts";
import { beside, type Offer, words } from "./offer.ts";

/**
 * The table cells that may show a rating: each of its names heads the cell's row or column, and the cell holds its level. The
 * less other text these cells have, the better they fit.
 */
export function cells(ratings: readonly Rating[]): Offer[] {
  const all = new Set(ratings.flatMap(([, names]) => names));
  const offers: Offer[] = [];
  for (const table of document.querySelectorAll("table")) {
    // In a larger table the search would take more than a second.
    if (table.rows.length * all.size > 2e6) continue;
    /**
     * By a name and the row (0, 1 …) or column (-1, -2 …) that it heads: how many other characters that header has. By the
     * number of a place in the table: 1 if a cell covers it.
     */
    const known: Record<string, number> = {};
    const places: [cell: Element, text: string, lines: number[]][] = [];
    for (const row of table.rows) {
      const top = row.rowIndex;
      let column = 0;
      for (const cell of row.cells) {
        while (known[top * 1e4 + column]) column++;
        const text = words(cell.textContent);
        const lines: number[] = [];
        // A span may be far larger than the table.
        for (let i = 0; i < cell.rowSpan && i < 300; i++) {
          for (let j = 0; j < cell.colSpan && j < 99; j++) {
            known[(top + i) * 1e4 + column + j] = 1;
            lines.push(top + i, ~(column + j));
          }
        }
        for (const name of all) {
          const more = beside(text, name);
          // A header has little text besides the name.
          if (more < 40) for (const line of lines) known[name + line] ??= more;
        }
        places.push([cell, text, lines]);
      }
    }
    for (const [note, names, level] of ratings) {
      for (const [cell, text, lines] of places) {
        let worth = -beside(text, level);
        const isHeaded = (name: string) => {
          worth -= Math.min(...lines.map((line) => known[name + line] ?? Infinity));
          return worth > -Infinity;
        };
        if (worth > -Infinity && names.every(isHeaded)) offers.push([note, cell, worth]);
      }
    }
  }
  return offers;
}
