/** What ids and classes say of an element. */

/** What is around content wherever it stands. */
const around = wordSet(
  "nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs pagination pager footer sidebar toolbar topbar " +
    "skiplink popup modal lightbox toast snackbar overlay advert advertisement",
);

/** Topics too: a section about cookies is content, a cookie banner is not. */
const topics = wordSet(
  "cookie cookies consent gdpr ccpa newsletter subscribe signup social share sharing related recommended recommendations " +
    "feedback rating votes promo ads sponsored teaser teasers announcement countdown skip helpful",
);

const company = wordSet(
  "banner bar box notice popup modal dialog widget panel links buttons icons list wrapper block form module posts articles " +
    "stories items cards link button overlay prompt message tool tools container section",
);

/** Consent tools, by what their scripts put into a page. */
const consentTools =
  /\b(?:onetrust|ot-sdk|optanon|cybotcookiebot|usercentrics|didomi|qc-cmp|truste|trustarc|cky-|iubenda-cs|osano-cm|termly-styles|cmplz-cookiebanner|borlabs|klaro|cookie-law-info|cli-modal|sp_message|fc-consent|axeptio|tarteaucitron|hs-eu-cookie|cc-window|moove_gdpr|ch2-|cookiefirst|pecr|evidon|cookiescript|silktide|ketch-|transcend-consent)/;

const panels = /panel|accordion|collaps|tab|faq|answer|toggle|expand|details|dropdown-content/;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

type Says = "around" | "topic" | "nothing";

const known = new Map<string, Says>();

/** Whether id or class name something around content. `small`: few words, so that a topic alone is enough of a sign. */
export function saysChrome(id: string | undefined, classes: string | undefined, small: boolean): boolean {
  const byId = id ? saysOf(id) : "nothing";
  if (byId === "around") return true;
  const byClass = classes ? saysOf(classes) : "nothing";
  return byClass === "around" || (byClass === "topic" && small);
}

function saysOf(name: string): Says {
  let says = known.get(name);
  if (says === undefined) {
    says = classify(name.slice(0, 1_000));
    if (known.size > 20_000) known.clear();
    known.set(name, says);
  }
  return says;
}

function classify(name: string): Says {
  const lower = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  if (consentTools.test(name.toLowerCase())) return "around";
  let topic = false;
  for (const one of lower.split(/\s+/)) {
    const words = one.split(/[^a-z0-9]+/);
    if (words.some((word) => around.has(word))) return "around";
    if (!words.some((word) => topics.has(word))) continue;
    if (words.some((word) => company.has(word))) return "around";
    topic = true;
  }
  return topic ? "topic" : "nothing";
}

/** Whether an id or class names a part that is folded away until it is asked for. */
export function saysPanel(name: string | undefined): boolean {
  return name !== undefined && panels.test(name.toLowerCase());
}
