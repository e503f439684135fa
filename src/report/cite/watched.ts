import type { Reader, Recognised } from "../../read/reader.ts";
import { archivedAt } from "../../read/shared/address.ts";

/** How an address is best watched. */
export interface Watched extends Recognised {
  readonly kind: string;
}

/**
 * Which kind of source an address is, by its shape alone: the first reader that knows it; or why none can read it.
 * A copy in a web archive stays as it is: the original moves in its place.
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
