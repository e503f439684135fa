/** What the core asks of the world. Adapters answer; `wire.ts` picks them. */
import type { Instant } from "./model.ts";

export * from "./ports/branches.ts";
export * from "./ports/fetch.ts";
export * from "./ports/github.ts";
export * from "./ports/luggage.ts";
export * from "./ports/registry.ts";
export * from "./ports/store.ts";

export interface Clock {
  now(): Instant;
}
