import type { Instant } from "../time.ts";

/** Everything that the core needs from the world. Adapters implement it; `wire/` picks them. */

export * from "./fetch.ts";
export * from "./github.ts";
export * from "./rechecks.ts";
export * from "./registry.ts";
export * from "./state.ts";
export * from "./store.ts";
export * from "./workers.ts";

export interface Clock {
  now(): Instant;
}
