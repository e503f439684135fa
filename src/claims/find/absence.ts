import { nth } from "../../language/fold.ts";
import { holdsQuantity, quantities } from "../../language/quantity.ts";
import { sentenceAt, spanAt, type Term, termsIn, type Words, wordsIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Proof } from "../../model/claim.ts";
import { occurrences } from "./quote.ts";

/** A text that must not be there; with `under`, not in sections whose heading holds these words. */
type Absence = Extract<Proof, { absent: string }>;

/** `sought`: whether there was a text to search; false if no heading has the words of `under`. */
export type Presence =
  | { readonly there: true; readonly text: string }
  | { readonly there: false; readonly sought: boolean };

/** Whether the words or the figure are there, word for word: in text, headings or column heads. */
export function findPresence(page: Words, absence: Absence): Presence {
  const terms = termsIn(absence.absent);
  const isIn = sectionFilter(page, absence.under);
  const results = new Map<string, boolean>();
  const isHeadWith = (header: string) => makeOnce(results, header, () => holds(header, terms));
  for (const { at, length } of hits(page, terms, absence.absent)) {
    const block = nth(page.block, at);
    if (!isIn(block)) continue;
    const [from, to] = sentenceAt(page, at, at + length - 1);
    return { there: true, text: spanAt(page, from, to).text };
  }
  const head = page.blocks.find(
    ({ header }, index) => header !== undefined && isIn(index) && isHeadWith(header),
  )?.header;
  if (head !== undefined) return { there: true, text: head };
  return { there: false, sought: absence.under === undefined || page.blocks.some((_, index) => isIn(index)) };
}

function* hits(page: Words, terms: readonly Term[], text: string): Generator<{ at: number; length: number }> {
  const figure = quantities(text)[0];
  if (terms.length === 1 && figure !== undefined) {
    for (let at = 0; at < page.ids.length; at++) {
      const there = nth(page.terms, nth(page.ids, at)).quantity;
      if (there !== undefined && holdsQuantity(there, figure)) yield { at, length: 1 };
    }
  } else {
    for (const at of occurrences(page, terms, page.ids.length)) yield { at, length: terms.length };
  }
}

/** A test for blocks below a heading that has these words. */
function sectionFilter(page: Words, under: string | undefined): (block: number) => boolean {
  if (under === undefined) return () => true;
  const wanted = termsIn(under);
  const results = new Map<string, boolean>();
  const isNamed = (heading: string) => makeOnce(results, heading, () => holds(heading, wanted));
  return (index) => {
    const block = nth(page.blocks, index);
    return block.path.some(isNamed) || (block.kind === "heading" && isNamed(block.text));
  };
}

function holds(text: string, wanted: readonly Term[]): boolean {
  const there = wordsIn(text).map((word) => word.term.key);
  if (wanted.length === 0) return false;
  for (let at = 0; at + wanted.length <= there.length; at++)
    if (wanted.every((term, k) => term.key === there[at + k])) return true;
  return false;
}
