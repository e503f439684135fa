import type { Limits } from "../model/model.ts";

/** The limits of a config that does not name them. */
export const usualLimits: Limits = { contentsAnHour: 20, rechecksAnHour: 2 };
