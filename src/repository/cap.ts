import { usualLimits } from "../config/limits.ts";
import type { Config } from "../model.ts";
import { isCapped } from "../recheck/outbox.ts";
import type { Home } from "./home.ts";

/** Whether no more may be created within this hour, also where no config says how much that is. */
export function isFullHour({
  store,
  clock,
  config,
}: Pick<Home, "store" | "clock"> & { config?: Config }): Promise<boolean> {
  const { limits = usualLimits } = config ?? {};
  return isCapped({ store, clock, config: { limits } });
}
