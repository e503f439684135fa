import type { Reader, Recognised } from "../../read/reader.ts";
import { archivedAt } from "../../read/shared/address.ts";

/** How to watch an address. */
export interface Watched extends Recognised {
  readonly kind: string;
}

/**
 * The kind of source for an address, judged by its shape: that of the first reader that recognises it, or why there is
 * none. A copy in a web archive is replaced by its original.
 */
export function kindOf(address: string, readers: ReadonlyMap<string, Reader>): Watched | { readonly because: string } {
  const url = new URL(address);
  const original = archivedAt(url);
  if (original !== undefined) {
    const watched = kindOf(original, readers);
    return "kind" in watched ? { ...watched, instead: true } : watched;
  }
  for (const [kind, reader] of readers) {
    const found = reader.recognises?.(url);
    if (found && reader.address.safeParse(found.address).success) return { kind, ...found };
  }
  return { because: "a picture, recording, archive or office file: nothing of it is read" };
}
