/**
 * Signs of pages other than the requested one. They name the markup of delivery networks, challenge and consent tools,
 * but no site. Each group counts only if the page has little else (see `readable.ts`).
 */

/** Challenges and blocks, by the markup of delivery networks and bot managers. */
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

/** Consent tools that can replace the whole page. */
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

/** Elements that scripts fill with content. */
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
