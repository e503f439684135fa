/**
 * Signs of pages that are not the page that was asked for. Markup of delivery networks, challenge and consent tools
 * is named; no site is. Each group counts only where little else is on the page (see `readable.ts`).
 */

/** Challenges and blocks, by what delivery networks and bot managers put into the markup. */
export const challengeMarkup = [
  "_cf_chl_opt",
  "cf-chl-",
  "cf_chl_",
  "cf-error-details",
  "cf-turnstile",
  "challenges.cloudflare.com",
  "captcha-delivery.com",
  "px-captcha",
  "_pxappid",
  "_incapsula_resource",
  "incapsula incident",
  "distil_r_captcha",
  "awswafcookiedomainlist",
  "awswafintegration",
  "token.awswaf.com",
  "aws-waf",
  "kpsdk",
  "sucuri website firewall",
  "ddos-guard",
  "perfdrive.com",
  "validate.perfdrive",
  "hcaptcha.com/1/api.js",
  "google.com/recaptcha",
  "recaptcha.net/recaptcha",
  "g-recaptcha",
  "h-captcha",
  "geetest",
  "arkoselabs",
  "friendlycaptcha",
  "vercel security checkpoint",
  "within.website/x/cmd/anubis",
  "akam/13/pixel",
  "bm-verify",
  "sec-if-cpt-container",
  "errors.edgesuite.net",
] as const;

/** Consent tools that can stand in for the whole page. */
export const consentMarkup = [
  "consent.google",
  "consent.youtube",
  "guce.",
  "collectconsent",
  "consent-form",
  "sp_message_container",
  "privacy-mgmt.com",
  "onetrust",
  "cookiebot",
  "usercentrics",
  "didomi",
  "quantcast.mgr",
  "trustarc",
  "fundingchoicesmessages",
  "consentmanager.net",
  "iubenda_cs",
  "axeptio",
  "cookiewall",
  "consent-wall",
] as const;

/** Where scripts put content that is not in the markup. */
export const appRoot = new RegExp(
  [
    "<(?:div|app|main|section)[^>]{0,200}\\bid\\s*=\\s*[\"']?",
    "(?:root|app|__next|__nuxt|app-root|application|ember-app|svelte|___gatsby|react-root|main-app|mount|q-app|container)",
    "[\"']?[^>]{0,200}>\\s*",
    "(?:<(?:div|span|img|p|svg|noscript|!--)[^>]{0,200}>\\s*){0,6}",
    "(?:loading[.…]*\\s*)?",
    "(?:</[a-z]{1,10}>\\s*){0,8}",
    "(?:<script|<noscript|</body|<!--|$)",
    "|<app-root[^>]{0,200}>\\s*</app-root>",
  ].join(""),
  "iu",
);
