import { type Element, isTag } from "domhandler";
import type { Survey, Weight } from "./weigh.ts";

/** What surrounds content: menus, banners, controls, what is hidden. */

const controls = new Set("head title nav input select textarea progress meter".split(" "));
const roles = new Set(
  "navigation search dialog alertdialog menu menubar tooltip status timer log marquee progressbar contentinfo".split(
    " ",
  ),
);

/** Words in an id or class by which authors name what is around content. */
const words = new Set(
  (
    "nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs footer pagination pager share sharing social " +
    "newsletter subscribe signup cookie cookies consent gdpr ccpa popup modal overlay lightbox toast snackbar skip skiplink " +
    "advert advertisement ads promo sponsored related recommended recommendations teaser teasers feedback rating votes " +
    "sidebar toolbar topbar"
  ).split(" "),
);

/** Consent tools, by what their scripts put into a page. */
const consentTools =
  /\b(?:onetrust|ot-sdk|optanon|cybotcookiebot|usercentrics|didomi|qc-cmp|truste|trustarc|cky-|iubenda-cs|osano-cm|termly-styles|cmplz-cookiebanner|borlabs|klaro|cookie-law-info|cli-modal|sp_message|fc-consent|axeptio|tarteaucitron|hs-eu-cookie|cc-window|moove_gdpr|ch2-|cookiefirst|pecr|evidon|cookiescript|silktide|ketch-|transcend-consent)/;

const named = new Map<string, boolean>();

/** Whether an id or class says "around content". */
function saysChrome(name: string): boolean {
  const known = named.get(name);
  if (known !== undefined) return known;
  const lower = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  const says = consentTools.test(lower) || lower.split(/[^a-z0-9]+/).some((word) => words.has(word));
  if (named.size > 20_000) named.clear();
  named.set(name, says);
  return says;
}

function hidden(element: Element): boolean {
  const { hidden, style, class: classes } = element.attribs;
  if (hidden !== undefined || element.attribs["aria-hidden"] === "true") return true;
  if (style && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)) return true;
  return classes !== undefined && /\b(?:sr-only|visually-hidden|screen-reader-text)\b/.test(classes);
}

/**
 * Whether an element is around content rather than of it. What holds a large part of the page, its main part or its
 * first heading is content, whatever it is called. `inMain`: `within` is the page's main part, not all of it.
 */
export function isChrome(element: Element, survey: Survey, within: Weight, inMain: boolean): boolean {
  const { name, attribs } = element;
  if (name === "button") return !inHeading(element);
  if (controls.has(name)) return true;
  const weight = survey.weights.get(element);
  if (!weight || weight.letters === 0) return false;
  const own = weight.letters - weight.linked;
  if (weight.landmarks > 0 || own > 0.3 * (within.letters - within.linked)) return false;
  if (name === "dialog" || (attribs.role && roles.has(attribs.role))) return true;
  if (name === "footer" || name === "aside") return !inMain || weight.linked > 0.6 * weight.letters;
  if (hidden(element)) return own < 300;
  if (attribs.id && saysChrome(attribs.id)) return true;
  if (attribs.class && saysChrome(attribs.class)) return true;
  if (boxes.has(name) && (isPanel(weight) || (weight.links > 1 && own === 0 && !isMenu(within)))) return true;
  return !inMain && !isMenu(within) && (isMenu(weight) || isColophon(weight));
}

const boxes = new Set(["div", "section", "form", "footer"]);

/** The question of an accordion is a button in a heading. */
function inHeading({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && /^h[1-6]$/.test(parent.name);
}

/** Mostly links, and short ones. */
function isMenu({ letters, linked, links }: Weight): boolean {
  return links > 1 && linked > 0.66 * letters && linked < 60 * links;
}

/** A few words and buttons: "Was this helpful? Yes No", "Share". */
function isPanel({ letters, pressed, buttons, links }: Weight): boolean {
  return buttons > 1 && links === 0 && letters - pressed < 60;
}

/** The end of a page that names its owner among links, whatever its element is called. */
function isColophon({ rights, links, letters }: Weight): boolean {
  return rights > 0 && links > 3 && letters < 4000;
}
