import type { Instant } from "../time.ts";

/** Everything that the core needs from the world. Adapters implement it; `wire/` picks them. */

export * from "./answers.ts";
export * from "./archive.ts";
export * from "./browser.ts";
export * from "./fetch.ts";
export * from "./github.ts";
export * from "./jobs.ts";
export * from "./messages.ts";
export * from "./rechecks.ts";
export * from "./registry.ts";
export * from "./state.ts";
export * from "./store.ts";
export * from "./workers.ts";

export interface Clock {
  now(): Instant;
}
