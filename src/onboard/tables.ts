import type { OfferedTable } from "../model/ports/index.ts";
import { counted, firstOf, oneLine } from "../model/words.ts";
import type { Draft } from "../report/index.ts";

const maxOffered = 8;

/** The tables that people may choose from, best first; none if all tables are certain. */
export function offeredTables(candidates: Draft["candidates"], chosen?: readonly string[]): OfferedTable[] {
  const offered = candidates.slice(0, maxOffered);
  if (offered.every(({ isSure }) => isSure)) return [];
  return offered.map(({ id, file, path, columns, lines, ratings, levels, isSure, reason }) => ({
    id,
    place: oneLine([file, ...path.slice(-1)].join(": "), 120),
    counts: `${counted(ratings, "rating")} (${firstOf(levels, 4)})`,
    lines: [columns.join(" | "), ...lines].slice(0, 2).map((line) => oneLine(line, 100)),
    reason,
    isChosen: chosen ? chosen.includes(id) : isSure,
  }));
}

/** The offered tables that were not drafted, in words; empty if there are none. */
export function tablesLeft(offered: readonly OfferedTable[]): string {
  const left = offered.filter(({ isChosen }) => !isChosen);
  if (left.length === 0) return "";
  const named = left.map(({ id, place, reason }) => `${id} (${place}; ${reason})`);
  return `${counted(left.length, "table")} may rate, and ${left.length === 1 ? "was" : "were"} not drafted: ${firstOf(named, 5)}.`;
}
