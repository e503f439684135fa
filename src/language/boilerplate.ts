import { anyOf, isWhole, matches, phrasesOf, says } from "./lexicon.ts";

/** Words by which sites say, in any language, that a part of a page is not its content. Pure. */

/** Titles of tables of contents: "On this page" */
export const isContentsTitle = isWhole("boilerplate.contents");

export const skipsToContent = isWhole("boilerplate.skip");

/** "Back to top" */
export const leadsToTop = isWhole("boilerplate.top");

/** "Edit this page" */
export const offersEdit = isWhole("boilerplate.edit");

/** "[edit]", "[edit | edit source]" */
export const isEditMark = matches(`^\\[\\s*${anyOf("boilerplate.edit-mark")}\\s*(?:\\|[^\\]|]{2,28})*\\]$`);

/** Words about progress, ends or faults, or "this page": they say something about the page's subject. */
export const saysStatus = says("status.progress", "status.ended");

/** Who owns the page: "All rights reserved" */
export const saysRights = says("boilerplate.rights");

const fleeting = phrasesOf("boilerplate.fleeting", "boilerplate.advert");

/** Whether words are those that a page shows while it loads, or in place of adverts. */
export function isFleeting(words: string): boolean {
  return fleeting.has(words);
}

/** Words that a page shows in place of its old text if that is over. */
export const saysEnd = says("status.ended");

export const isAboutBrowsers = says("pages.browser");
