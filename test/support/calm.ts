import type { Status } from "../../src/status/status.ts";

/** A status in which nothing was found. */
export const calm = {
  ratings: [],
  unseen: [],
  unchecked: [],
  waiting: [],
  open: [],
  unnamed: [],
  given: [],
  baselines: [],
  unsent: [],
  notYet: [],
} satisfies Omit<Status, "at">;
