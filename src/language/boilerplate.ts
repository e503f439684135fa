import { anyOf, begins, isWhole, matches, phrasesOf, says, wordsOf } from "./lexicon.ts";

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

/** Words that a page shows while it loads, or instead of advertisements. */
export const placeholders = phrasesOf("boilerplate.fleeting", "boilerplate.advert");

/** Words that replace the text of a page when its subject has ended. */
export const saysEnd = says("status.ended");

export const isAboutBrowsers = says("pages.browser");

/** Words, in any language, of pages other than the requested one. Pure. */

export const saysWall = says("pages.wall");
/** Accusations of the visitor: a sign of a wall, even on a page with other text. */
export const accusesVisitor = says("pages.accusation");

const consent = new RegExp(wordsOf("pages.consent", "pages.consent-title"), "giu");

export function consentWordsIn(text: string): number {
  return text.match(consent)?.length ?? 0;
}

export const beginsConsent = begins("pages.consent-title");
export const isAboutConsent = says("pages.about-consent");

/** The whole title or first heading of a page for logging in. */
export const isLoginTitle = matches(
  `^(?:please )?${anyOf("pages.login-title")}(?: (?:to|with|bei|à|en|na|a) .{1,60}| required| page)?(?:\\s*[|·:–—-]\\s.{1,80})?$`,
);
export const saysLogin = says("pages.login");

export const isErrorTitle = says("pages.error-title", "pages.not-found");
export const saysError = says("pages.error", "pages.not-existing");

const crash = new RegExp(`^${anyOf("pages.crash")}`, "imu");

/** Whether a text begins like the message of a crashed program. A page that explains such errors has more text. */
export function saysCrash(text: string): boolean {
  return crash.test(text);
}

/** Sentences by which a short page says that it does not exist. */
export const saysMissing = says("pages.missing");
/** Whether an error page says that the page, site or domain no longer exists, rather than that it failed. */
export const saysGone = says("pages.missing", "pages.not-found", "pages.not-existing", "pages.gone");

export const isSaleTitle = says("pages.sale-title");
export const saysSale = says("pages.sale");
export const saysParked = says("pages.parked");

export const needsScript = says("pages.needs-script");

/** Words by which sites announce other pages, on each page. These parts change without the page. */

/** Whole titles, in lower case. */
const titles = phrasesOf("teasers.title");
/** Beginnings of titles before a name or subject. */
const beginnings = [...phrasesOf("teasers.beginning")];
/** Characters after such a beginning, at most. */
const mostMore = 30;

const kinds = phrasesOf("teasers.kind");
const otherPageWords = phrasesOf("teasers.other");
/** Characters of a title after the words for its kind, at most. */
const mostOfKind = 40;
/** Characters of a title with its signs, at most: a longer text is not folded. */
const longest = 2 * Math.max(mostOfKind, ...[...titles, ...beginnings].map(({ length }) => length + mostMore));

function foldTitle(text: string): string {
  // The Turkish capital I with a dot becomes two characters in lower case.
  return text.toLowerCase().replaceAll("i\u0307", "i").replaceAll("’", "'").trim();
}

/** Whether a title announces other pages of a site: "Most popular", "Lesen Sie auch", "More from the archive". */
export function announcesTeasers(title: string): boolean {
  if (title.length > longest) return false;
  const text = foldTitle(title).replace(/[\s:：?!….»›→>-]{1,20}$/u, "");
  if (titles.has(text)) return true;
  if (beginnings.some((one) => text.startsWith(one) && text.length <= one.length + mostMore)) return true;
  const [kind = "", other, ...more] = text.split(" ");
  if (!kinds.has(kind)) return false;
  return other === undefined || (otherPageWords.has(other) && more.join(" ").length <= mostOfKind);
}

const newWords = phrasesOf("boilerplate.new");

/** Whether a badge only says that something is new, so that its removal is not news. */
export function saysNew(badge: string): boolean {
  return newWords.has(foldTitle(badge).replace(/[!！]$/, ""));
}
