import type { Watch } from "../../src/model/ports/index.ts";

/** The watch of a source that was checked once, without trouble. */
export function watchOf(source: string, more: Partial<Watch> = {}): Watch {
  return { source, subject: "", next: 0, checks: 1, unknown: 0, goneAt: [], gone: false, pending: false, ...more };
}
