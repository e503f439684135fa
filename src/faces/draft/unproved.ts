import type { Config, Duration, Reading } from "../../model/model.ts";
import { readingsAtAudit } from "../../watch/audit-copy.ts";
import type { World } from "../../watch/check.ts";

/** How long an archive may take for all pages of one draft. */
export interface LookingBack {
  readonly within: Duration;
  /** Whether no page is to be asked for any more, whatever time is left. */
  readonly stopped?: () => boolean;
}

/**
 * How those sources were at the audit that do not prove, as they are `now`, all that the report says of them: `open`, by
 * their ids. What the archive has not given by the end of the time is left out, whatever it is at.
 */
export async function pastOfUnproved(
  open: readonly string[],
  config: Config,
  now: ReadonlyMap<string, Reading>,
  web: Pick<World, "readers" | "archive" | "clock" | "workers">,
  { within, stopped = () => false }: LookingBack,
): Promise<ReadonlyMap<string, Reading>> {
  const sources = open.flatMap((id) => config.sources.get(id) ?? []);
  const found = new Map<string, Reading>();
  let isOver = false;
  const ask = async () => {
    const copies = readingsAtAudit(sources, now, { ...web, config }, () => isOver || stopped());
    for await (const [id, reading] of copies) if (!isOver) found.set(id, reading);
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
    // Of a request that is still under way nobody wants to hear.
    asked.catch(() => {});
  }
  return found;
}
