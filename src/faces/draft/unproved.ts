import type { Proposals } from "../../config/claims/index.ts";
import type { Config, Duration, Reading } from "../../model/model.ts";
import type { World } from "../../watch/check.ts";
import { readingsAtAudit } from "../../watch/past.ts";

/** How those sources were at the audit that do not prove, as they are now, all that the report says of them. */
export async function pastOfUnproved(
  { open }: Proposals,
  config: Config,
  now: ReadonlyMap<string, Reading>,
  web: Pick<World, "readers" | "archive" | "clock">,
  within: Duration,
): Promise<ReadonlyMap<string, Reading>> {
  const sources = open.flatMap((id) => config.sources.get(id) ?? []);
  return await readingsAtAudit(sources, now, { ...web, config }, within);
}
