import { type Element, isTag } from "domhandler";
import { leadsToTop, offersEdit, skipsToContent } from "../../language/boilerplate.ts";
import { anyOf, matches } from "../../language/lexicon.ts";
import { isCounter } from "./marks.ts";
import { ownText, type Weight } from "./survey.ts";

/** Tells links that are controls of the page from those that lead somewhere: they are not part of what it says. */
export function isControl(element: Element, weight: Weight): boolean {
  if (weight.letters > 45) return false;
  const text = ownText(element);
  if (isPermalink(element, text) || isSkipLink(element, text)) return true;
  return (
    isOffer(element, text) || isSourceLink(element, text) || isPressed(element, weight, text) || isSwitch(element, text)
  );
}

const permalink =
  /(?:head(?:er|ing|line)-?(?:anchor|link)|permalink|hash-?link|anchor-?(?:link|js-link)|section-?link)/i;

/**
 * A link to the heading or line that it is at: a sign without a word, or named so and not all that the heading
 * says.
 */
function isPermalink({ attribs, parent }: Element, text: string): boolean {
  if (!attribs.href?.includes("#")) return false;
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  return permalink.test(attribs.class ?? "") && parent !== null && ownText(parent) !== text;
}

/** "Skip to content", "Jump to navigation", "Back to top". */
function isSkipLink({ attribs }: Element, text: string): boolean {
  return (
    (attribs.href?.startsWith("#") === true && (skipsToContent(text) || leadsToTop(text))) ||
    /\bskip(?:-|_|link|to)/i.test(attribs.class ?? "")
  );
}

/**
 * "Edit this page", "View source", "Report an issue": what readers are offered to do with the page, as a link alone.
 */
const isOfferText = matches(`^(?:✎|✏️)?\\s*${anyOf("controls.offer")}\\b.{0,30}\\b${anyOf("controls.offered")}$`);

function isOffer(element: Element, text: string): boolean {
  if (offersEdit(text)) return true;
  return isOfferText(text) && (/^\W*(?:edit|improve|suggest)\b/i.test(text) || isAlone(element, text));
}

/** The way from a description to its code: "[source]", "[src]", "source · [−]". */
function isSourceLink(element: Element, text: string): boolean {
  if (/^\[(?:source|src|docs|view source)\]$/i.test(text)) return true;
  return /^source$/i.test(text) && (isAlone(element, text) || isAmongSigns(element));
}

/** Whether signs alone are beside it. */
function isAmongSigns({ parent }: Element): boolean {
  return parent !== null && /^[^\p{L}\p{N}]{0,20}source[^\p{L}\p{N}]{0,20}$/iu.test(ownText(parent, 60));
}

const pressed = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i;

/**
 * A short link that looks like a button. With a figure it may hold a version or a price, unless that counts a crowd.
 */
function isPressed(element: Element, { letters, digits }: Weight, text: string): boolean {
  const { role, class: classes = "" } = element.attribs;
  const isPlain = digits === 0 || element.children.some((child) => isTag(child) && isCounter(child));
  return letters <= 30 && isPlain && (role === "button" || pressed.test(classes)) && isAlone(element, text);
}

const isSwitchText = matches(`^${anyOf("controls.switch")}\\b.{0,12}[\\s/]${anyOf("controls.switched")}$`);
/** Where a link with such a word leads somewhere, that is the name of a function: `close`. */
const switchWords = /^(?:print|share|top|close|menu)$/i;

/** "Expand all", "Show more", "Print": a link that leads to no other page changes what is seen of this one. */
function isSwitch(element: Element, text: string): boolean {
  const { href = "#" } = element.attribs;
  const isOne = isSwitchText(text) ? href.startsWith("#") : /^#?$/.test(href) && switchWords.test(text);
  return isOne && isAlone(element, text);
}

/** Nothing is beside it in its paragraph: it is no part of a sentence. */
function isAlone({ parent }: Element, text: string): boolean {
  return (
    parent === null ||
    !isTag(parent) ||
    !/^(?:p|li|td|div|span|pre|code)$/.test(parent.name) ||
    ownText(parent).length <= text.length + 3
  );
}
