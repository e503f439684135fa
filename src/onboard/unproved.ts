import type { Config } from "../model/config.ts";
import type { Reading } from "../model/reading.ts";
import type { Duration } from "../model/time.ts";
import { readingsAtAudit } from "../watch/audit-copy.ts";
import type { World } from "../watch/check.ts";

/** How long an archive may take for all pages of a draft. */
export interface PastAudit {
  readonly within: Duration;
  /** Whether no further page may be asked for, whatever time is left. */
  readonly stopped?: () => boolean;
}

/**
 * Reads at the audit those sources that do not prove, as they are `now`, everything the report says about them: `open`,
 * by their ids. Pages that the archive has not given when the time ends are left out.
 */
export async function pastOfUnproved(
  open: readonly string[],
  config: Config,
  now: ReadonlyMap<string, Reading>,
  web: Pick<World, "readers" | "archive" | "clock" | "workers">,
  { within, stopped = () => false }: PastAudit,
): Promise<ReadonlyMap<string, Reading>> {
  const sources = open.flatMap((id) => config.sources.get(id) ?? []);
  const readings = new Map<string, Reading>();
  let isOver = false;
  const ask = async () => {
    const copies = readingsAtAudit(sources, now, { ...web, config }, () => isOver || stopped());
    for await (const [id, reading] of copies) if (!isOver) readings.set(id, reading);
  };
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, within);
  });
  const asked = ask();
  try {
    await Promise.race([asked, end]);
  } finally {
    isOver = true;
    clearTimeout(timer);
    // The outcome of a request still under way is not needed.
    asked.catch(() => {});
  }
  return readings;
}
