import { phrasesOfStep, wordsOf } from "./lexicon.ts";

/** Words of all languages in citations and bibliographies. */

/** More authors than are named: *et al.*, *u. a.* */
export const andOthers = new RegExp(wordsOf("citations.and-others"), "iu");

export const retracted = new RegExp(wordsOf("citations.retracted"), "iu");

export const visited = new RegExp(`${wordsOf("citations.visited")}[^)\\]]{0,40}`, "giu");

/** The word after the editors of a book: *(Eds.)*, *(Hrsg.)*. */
export const editors = new RegExp(`\\((?:${wordsOf("citations.editors")})\\.?\\)`, "iu");

/** MediaWiki's names of citation templates, of their fields, and of namespaces. */
export function wikiNames(...kinds: string[]): string[] {
  return kinds.flatMap((kind) => phrasesOfStep("citations.wiki", kind));
}
