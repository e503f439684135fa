import type { Source } from "../model.ts";
import { fold } from "./inert.ts";

/** Where a source is an address, that address, at the passage: https://wicg.github.io/scroll-to-text-fragment/ */
export function addressOf({ address }: Source, passage?: string): string | undefined {
  if (!/^https?:\/\//.test(address)) return undefined;
  return passage === undefined ? address : withPassage(address, passage);
}

/** An address with a text fragment: all of a short passage, the first and last words of a long one. */
export function withPassage(address: string, passage: string): string {
  const words = fold(passage).split(" ").filter(Boolean);
  if (words.length === 0) return address;
  const part = (some: readonly string[]): string => encodeURIComponent(some.join(" ")).replaceAll("-", "%2D");
  const text = words.length <= 12 ? part(words) : `${part(words.slice(0, 5))},${part(words.slice(-5))}`;
  return `${address.replace(/#.*$/, "")}#:~:text=${text}`;
}
