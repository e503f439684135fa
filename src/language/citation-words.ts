import { phrasesOfStep, wordsOf } from "./lexicon.ts";

/** Words of all languages in citations and bibliographies. */

/** More authors than are named: *et al.*, *u. a.* */
export const andOthers = new RegExp(wordsOf("citations.and-others"), "iu");

/** That a citation calls its work retracted itself. */
export const retracted = new RegExp(wordsOf("citations.retracted"), "iu");

/** The day on which an address was visited, with the words for it. */
export const visited = new RegExp(`${wordsOf("citations.visited")}[^)\\]]{0,40}`, "giu");

/** The word behind the editors of a book: *(Eds.)*, *(Hrsg.)*. */
export const editors = new RegExp(`\\((?:${wordsOf("citations.editors")})\\.?\\)`, "iu");

/** Names in MediaWiki: of templates for citations and their fields, and of namespaces. */
export function wikiNames(...kinds: string[]): string[] {
  return kinds.flatMap((kind) => phrasesOfStep("citations.wiki", kind));
}
