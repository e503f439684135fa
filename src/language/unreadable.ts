import { anyOf, begins, matches, says, wordsOf } from "./lexicon.ts";

/** Words, in any language, of pages other than the requested one. Pure. */

export const saysWall = says("pages.wall");
/** Accusations of the visitor: a sign of a wall, whatever the page says otherwise. */
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
