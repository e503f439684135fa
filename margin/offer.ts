import type { Note } from "./notes.ts";

/** A place that may be meant by a note, and how well it fits. */
export type Offer = readonly [note: Note, place: Element, worth: number];

/** The words of a text in lower case, each with a space around: so that some are found among others as a whole. */
export function words(text: string): string {
  const apart = text.toLowerCase().replace(/[^\p{L}\p{N}+#]+/gu, " ");
  return ` ${apart.trim()} `;
}

/** How many characters a text holds beside some words; infinitely many where it does not hold them. */
export function beside(text: string, sought: string): number {
  return sought[2] && text.includes(sought) ? text.length - sought.length : Infinity;
}
