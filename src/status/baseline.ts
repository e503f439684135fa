import type { Config } from "../model/config.ts";
import type { Copy, Watch } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { day, minute } from "../model/time.ts";
import { fromAudit } from "../model/words.ts";
import { linesLinked } from "../read/shared/line-links.ts";

export interface Baseline {
  readonly source: string;
  readonly copy?: Copy;
  /** As text: `the archived copy of 2026-05-14, 2 days before the audit`, or why only the first check is known. */
  readonly says: string;
}

/** The baseline of a source; undefined before its first check, or if config uses no archive. */
export function baselineOf(
  { source, firstSeen, past, claimsPast }: Watch,
  { report, baseline }: Config,
): Baseline | undefined {
  if (firstSeen === undefined || baseline !== "archive") return undefined;
  if (past?.copy) {
    return { source, copy: past.copy, says: copyOf(past.copy, report) };
  }
  const why = past?.says ?? (past ? "the archive was not asked yet" : "no archived copy was asked for");
  const again =
    past?.next === undefined ? "" : `; ${past.tries > 0 ? "next" : "first"} request from ${minute(past.next)} on`;
  const judged = claimsPast?.copy && `; claims compared with ${copyOf(claimsPast.copy, report)}`;
  return { source, says: `the first check, ${day(firstSeen)}: ${why}${again}${judged ?? ""}` };
}

/** The file from which cited lines are followed, and the one in which they are sought. */
export function linesBaseline({ id, address }: Source, { firstSeen }: Watch): Baseline | undefined {
  const { file, current } = linesLinked(address) ?? {};
  if (firstSeen === undefined || file === undefined || current === undefined) return undefined;
  const first = file === current ? `the file as it was on ${day(firstSeen)}` : file;
  return { source: id, says: `${first}, compared with ${current}` };
}

function copyOf({ at }: Copy, { audited }: Config["report"]): string {
  return `the archived copy of ${day(at)}, ${fromAudit(at, audited)}`;
}
