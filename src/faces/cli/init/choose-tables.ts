import type { OfferedTable } from "../../../model/ports/index.ts";
import { offeredTables } from "../../../onboard/summary.ts";
import type { Draft } from "../../../report/index.ts";
import { meant, section, type Terminal, WrongUsage } from "../terminal.ts";
import type { InitOptions } from "./index.ts";

const maxTries = 3;

/**
 * The ids of the tables that rate: as the options name them, or as the person at the terminal answers. Undefined without an
 * answer: then only those count that surely rate. @throws WrongUsage
 */
export async function chosenTables(
  candidates: Draft["candidates"],
  { table, json }: InitOptions,
  out: Terminal,
): Promise<readonly string[] | undefined> {
  if (table) return named(table, candidates);
  const offered = offeredTables(candidates);
  if (offered.length === 0 || json || !out.ask) return undefined;
  section(out, "Which of these tables rate? Only those whose cells judge something do.", offered.flatMap(linesOf));
  out.line();
  const sure = offered.flatMap(({ isChosen }, i) => (isChosen ? [i + 1] : []));
  const otherwise = sure.length > 0 ? `only ${sure.join(", ")}` : "none";
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await out.ask(`Numbers, all or none (Enter: ${otherwise}):`);
    if (answer.trim() === "") return undefined;
    const chosen = chosenBy(answer, offered);
    if (chosen) return chosen;
    out.line(`Please answer with numbers from 1 to ${offered.length}, such as "1" or "1, 2"; or with "all" or "none".`);
  }
  return undefined;
}

/** Three lines: its number and place, its head, its first row. */
function linesOf({ place, counts, lines, reason, isChosen }: OfferedTable, i: number): string[] {
  return [
    `${i + 1}  ${place}: ${counts}; ${isChosen ? "rates" : "doubtful"}: ${reason}`,
    ...lines.map((line) => `     ${line}`),
  ];
}

/** `1, 3`, `all`, `none`; undefined for anything else. */
function chosenBy(answer: string, offered: readonly OfferedTable[]): string[] | undefined {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,;]+/);
  if (words.join(" ") === "none") return [];
  if (words.join(" ") === "all") return offered.map(({ id }) => id);
  const chosen = words.map((word) => (/^\d{1,3}$/.test(word) ? offered[Number(word) - 1]?.id : undefined));
  return chosen.every((id) => id !== undefined) ? chosen : undefined;
}

function named(table: readonly string[], candidates: Draft["candidates"]): readonly string[] {
  const ids = candidates.map(({ id }) => id);
  for (const id of table)
    if (!ids.includes(id))
      throw new WrongUsage(
        `--table: no table is called ${id}; those that may rate are ${ids.join(", ") || "none"}${meant(id, ids)}`,
      );
  return table;
}
