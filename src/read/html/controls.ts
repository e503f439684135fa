import { type Element, isTag } from "domhandler";
import { leadsToTop, offersEdit, skipsToContent } from "../../language/boilerplate.ts";
import { anyOf, matches } from "../../language/lexicon.ts";
import { isCounter } from "./marks.ts";
import type { Weight } from "./survey.ts";
import { ownText } from "./tree.ts";

/** Recognises links that are controls of the page, and so not part of its text. */
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

/** A link to its own heading or line. It has no word, or a word such as "link" that is not all of the heading. */
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

/** "Edit this page", "View source", "Report an issue": a link alone that offers the reader an action. */
const isOfferText = matches(`^(?:✎|✏️)?\\s*${anyOf("controls.offer")}\\b.{0,30}\\b${anyOf("controls.offered")}$`);

function isOffer(element: Element, text: string): boolean {
  if (offersEdit(text)) return true;
  return isOfferText(text) && (/^\W*(?:edit|improve|suggest)\b/i.test(text) || isAlone(element, text));
}

/** A link from a description to its code: "[source]", "[src]", "source · [−]". */
function isSourceLink(element: Element, text: string): boolean {
  if (/^\[(?:source|src|docs|view source)\]$/i.test(text)) return true;
  return /^source$/i.test(text) && (isAlone(element, text) || isAmongSigns(element));
}

/** Whether it has only signs beside it. */
function isAmongSigns({ parent }: Element): boolean {
  return parent !== null && /^[^\p{L}\p{N}]{0,20}source[^\p{L}\p{N}]{0,20}$/iu.test(ownText(parent, 60));
}

const pressed = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i;

/** A short link that looks like a button. If it has a figure, that must be a count of people, not a version or a price. */
function isPressed(element: Element, { letters, digits }: Weight, text: string): boolean {
  const { role, class: classes = "" } = element.attribs;
  const isPlain = digits === 0 || element.children.some((child) => isTag(child) && isCounter(child));
  return letters <= 30 && isPlain && (role === "button" || pressed.test(classes)) && isAlone(element, text);
}

const isSwitchText = matches(`^${anyOf("controls.switch")}\\b.{0,12}[\\s/]${anyOf("controls.switched")}$`);
/** If a link with one of these words leads to a page, the word is a name, as of a function `close`. */
const switchWords = /^(?:print|share|top|close|menu)$/i;

/** "Expand all", "Show more", "Print": a link that changes the view of this page and leads to no other. */
function isSwitch(element: Element, text: string): boolean {
  const { href = "#" } = element.attribs;
  const isOne = isSwitchText(text) ? href.startsWith("#") : /^#?$/.test(href) && switchWords.test(text);
  return isOne && isAlone(element, text);
}

/** Nothing is beside it in its paragraph, so it is not part of a sentence. */
function isAlone({ parent }: Element, text: string): boolean {
  return (
    parent === null ||
    !isTag(parent) ||
    !/^(?:p|li|td|div|span|pre|code)$/.test(parent.name) ||
    ownText(parent).length <= text.length + 3
  );
}

/** An accordion's question is a button that fills its heading. A button beside a heading's words is a control. */
export function isQuestion(element: Element): boolean {
  const { parent } = element;
  return parent !== null && isTag(parent) && /^h[1-6]$/.test(parent.name) && ownText(parent) === ownText(element);
}

/** Whether a label names a field, or may: it holds one, says which, or is in a form. */
export function hasField(element: Element, { fields }: Weight): boolean {
  if (fields > 0 || element.attribs.for !== undefined) return true;
  for (let above = element.parent; above && isTag(above); above = above.parent) if (above.name === "form") return true;
  return false;
}

export function isInItem({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && (parent.name === "li" || parent.name === "td");
}
