import type { Note } from "./notes.ts";

/** A note, an element that it may belong to, and how well the element fits. */
export type Offer = readonly [note: Note, place: Element, worth: number];

/** The words of a text in lower case, with a space on both sides of each: so a search for them finds only whole words. */
export const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#]+/gu, " ")
    .trim()} `;

/** How many characters a text has besides some words; infinite if it does not contain them. */
export const beside = (text: string, sought: string): number =>
  sought[2] && text.includes(sought) ? text.length - sought.length : Infinity;
