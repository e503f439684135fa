import type { Config } from "../model/config.ts";
import type { Reading } from "../model/reading.ts";
import type { Duration } from "../model/time.ts";
import { readingsAtAudit } from "../watch/audit-copy.ts";
import type { World } from "../watch/check.ts";

/** The time that an archive may take for all pages of a draft. */
export interface PastAudit {
  readonly within: Duration;
  /** Whether no further page may be requested, even if there is time. */
  readonly stopped?: () => boolean;
}

/**
 * Reads past copies, from the audit, of the sources that do not prove everything that the report says about them.
 * `open`: their ids; `now`: their current readings. Pages that the archive has not returned in time are left out.
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
  const request = ask();
  try {
    await Promise.race([request, end]);
  } finally {
    isOver = true;
    clearTimeout(timer);
    // The outcome of a request that is still running is not needed.
    request.catch(() => {});
  }
  return readings;
}
