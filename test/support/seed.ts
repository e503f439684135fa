import fc from "fast-check";
import { isFull, runs } from "./runs.ts";

/**
 * In CI each change is tried with the same inputs: what fails there is the change's, and not chance's, and fails again.
 * Elsewhere each run has inputs of its own, which find what nobody thought of.
 */
fc.configureGlobal({ numRuns: runs(100), ...(process.env.CI && !isFull && { seed: 20_261_125 }) });
