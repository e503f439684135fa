import type { Rating } from "./notes.ts";
import { beside, type Offer, words } from "./offer.ts";

/**
 * The cells that hold a rating's level, of tables in which each of the rating's names heads the cell's row or column,
 * whichever way round. The less stands beside names and level, the better.
 */
export function cells(ratings: readonly Rating[]): Offer[] {
  const all = new Set(ratings.flatMap(([, names]) => names));
  const offers: Offer[] = [];
  for (const table of document.querySelectorAll("table")) {
    // Readers shall not wait for longer than a second.
    if (table.rows.length * all.size > 2e6) continue;
    /**
     * By a name with the row (0, 1 …) or column (-1, -2 …) that it heads, what stands beside it there; and by the number
     * of a place, that a cell fills it.
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
        // A span may say far more than there is.
        for (let i = 0; i < cell.rowSpan && i < 300; i++) {
          for (let j = 0; j < cell.colSpan && j < 99; j++) {
            known[(top + i) * 1e4 + column + j] = 1;
            lines.push(top + i, ~(column + j));
          }
        }
        for (const name of all) {
          const more = beside(text, name);
          // A header holds little beside a name.
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
