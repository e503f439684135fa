import { anyOf, begins, matches, says, wordsOf } from "./lexicon.ts";

/** What a page says, in any language, that is not the page that was asked for. Pure. */

export const saysWall = says("pages.wall");
/** Addresses one visitor only: it indicates a wall, whatever else the page says. */
export const accuses = says("pages.accusation");

const consent = new RegExp(wordsOf("pages.consent", "pages.consent-title"), "giu");

/** How many words of a text ask for consent. */
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

/** With what a program that ended begins, in place of the page. Whoever explains such errors tells more. */
export function saysCrash(text: string): boolean {
  return crash.test(text);
}

/** Sentences by which a short page says that it does not exist. */
export const saysMissing = says("pages.missing");
/** Of an error page: whether there is no page, or its site or domain is given up, rather than that it failed. */
export const saysGone = says("pages.missing", "pages.not-found", "pages.not-existing", "pages.gone");

export const isSaleTitle = says("pages.sale-title");
export const saysSale = says("pages.sale");
export const saysParked = says("pages.parked");

export const needsScript = says("pages.needs-script");
