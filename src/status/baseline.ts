import type { Config } from "../model/config.ts";
import type { Copy, Watch } from "../model/ports/index.ts";
import { day, minute } from "../model/time.ts";
import { fromAudit } from "../model/words.ts";

/** The earlier state of a source with which it is compared to tell what changed since the audit. */
export interface Baseline {
  readonly source: string;
  /** The copy that its first look was compared with. */
  readonly copy?: Copy;
  /** In words: `its copy of 2026-05-14, 2 days before the audit`, or why it is the first look alone. */
  readonly says: string;
}

/** The baseline of a source; undefined before it was seen, and where config asks no archive. */
export function baselineOf(
  { source, firstSeen, past, claimsPast }: Watch,
  { report, baseline }: Config,
): Baseline | undefined {
  if (firstSeen === undefined || baseline !== "archive") return undefined;
  if (past?.copy) {
    return { source, copy: past.copy, says: copyOf(past.copy, report) };
  }
  const why = past?.says ?? (past ? "an archive is yet to be asked" : "no copy was asked for");
  const again = past?.next === undefined ? "" : `; asked ${past.tries > 0 ? "again " : ""}from ${minute(past.next)} on`;
  const judged = claimsPast?.copy && `; claims by ${copyOf(claimsPast.copy, report)}`;
  return { source, says: `the first look, ${day(firstSeen)}: ${why}${again}${judged ?? ""}` };
}

function copyOf({ at }: Copy, { audited }: Config["report"]): string {
  return `its copy of ${day(at)}, ${fromAudit(at, audited)}`;
}
