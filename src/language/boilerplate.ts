import { anyOf, isWhole, matches, phrasesOf, says } from "./lexicon.ts";

/** Words, in any language, that mark a part of a page as not its content. Pure. */

/** Titles of tables of contents: "On this page" */
export const isContentsTitle = isWhole("boilerplate.contents");

export const skipsToContent = isWhole("boilerplate.skip");

/** "Back to top" */
export const leadsToTop = isWhole("boilerplate.top");

/** "Edit this page" */
export const offersEdit = isWhole("boilerplate.edit");

/** "[edit]", "[edit | edit source]" */
export const isEditMark = matches(`^\\[\\s*${anyOf("boilerplate.edit-mark")}\\s*(?:\\|[^\\]|]{2,28})*\\]$`);

/** Words about progress, endings or faults, or "this page": they describe the page's subject. */
export const saysStatus = says("status.progress", "status.ended");

/** Who owns the page: "All rights reserved" */
export const saysRights = says("boilerplate.rights");

const fleeting = phrasesOf("boilerplate.fleeting", "boilerplate.advert");

/** Whether a page shows these words while it loads, or instead of advertisements. */
export function isFleeting(words: string): boolean {
  return fleeting.has(words);
}

/** Words that replace the text of a page when its subject has ended. */
export const saysEnd = says("status.ended");

export const isAboutBrowsers = says("pages.browser");
