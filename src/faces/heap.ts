import { setFlagsFromString } from "node:v8";

/**
 * Limits the heap of this process to one and a half times its live size before a full collection, as pages that were read are
 * freed only then; and lets V8 optimise a function later, as it does so anew after each new kind of input. Each flag makes Node
 * compile its own modules anew, so they are set when pages are read. Figures: `docs/speed.md`.
 */
export function prepareForPages(): void {
  const version = Number(process.versions.v8.split(".")[0]);
  // V8 prints an error for a flag that it does not have.
  if (version < 12 || version > 14) return;
  setFlagsFromString("--invocation-count-for-turbofan=30000");
  setFlagsFromString("--heap-growing-percent=50");
}
