import { fragmentOf } from "../../claims/find/fragment.ts";
import type { Block } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";

/** Where a person opens a source, at a passage where one is given. */
export type Link = (source: Source, passage?: Block) => string | undefined;

/** The address of a source, at a passage where one is given; undefined where the source is not an address. */
export function addressOf({ address }: Source, passage?: Block): string | undefined {
  if (!/^https?:\/\//.test(address)) return undefined;
  return passage === undefined ? address : withPassage(address, passage);
}

/** Characters of a passage from which a fragment is made: the beginning of a longer one is found as well. */
const maxPassageCharacters = 2_000;

/**
 * An address with the text fragment of a passage, where one can be made. Spec:
 * https://wicg.github.io/scroll-to-text-fragment/
 */
export function withPassage(address: string, passage: Block): string {
  const text = beginning(passage.text);
  const fragment = fragmentOf(text, [{ ...passage, text }]);
  return fragment === "" ? address : address.split("#", 1)[0] + fragment;
}

function beginning(text: string): string {
  return text.length <= maxPassageCharacters
    ? text
    : text.slice(0, Math.max(0, text.lastIndexOf(" ", maxPassageCharacters)));
}
