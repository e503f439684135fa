import type { Note } from "./notes.ts";

/** A place that may be meant by a note, and how well it fits. */
export type Offer = readonly [note: Note, place: Element, worth: number];

/** The words of a text in lower case, each with a space around: so that some are found among others as a whole. */
export const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#]+/gu, " ")
    .trim()} `;

/** How many characters a text holds beside some words; infinitely many where it does not hold them. */
export const beside = (text: string, sought: string): number =>
  sought[2] && text.includes(sought) ? text.length - sought.length : Infinity;
