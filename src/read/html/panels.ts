import { type Element, isTag } from "domhandler";
import { nextElementSibling, prevElementSibling } from "domutils";
import { announcesTeasers } from "../../language/boilerplate.ts";
import type { Survey, Weight } from "./survey.ts";
import { ownText } from "./tree.ts";

/** Recognises boilerplate boxes by their shape and words, not their names. */

/** The share of a menu's text that is in links, at least. */
export const menuShare = 0.66;

/** Whether this is mostly short links, with `longest` characters each on average. */
export function isMenu({ letters, linked, links }: Weight, longest: number): boolean {
  return links > 1 && linked > menuShare * letters && linked < longest * links;
}

/** Letters per link of a page's end, at most. A text that names the owner of a picture has more. */
const lettersToLink = 120;

/** Whether this is the end of a page, with links and the name of its owner. */
export function isColophon({ rights, links, letters }: Weight): boolean {
  return rights > 0 && links > 3 && letters < Math.min(4_000, lettersToLink * links);
}

/** Whether this is a few words around an input field: "Get our news by mail". */
export function isSmallForm({ letters, fields, headings }: Weight): boolean {
  return fields > 0 && headings < 2 && letters < 150;
}

/** Titles of a single word that may also be above news. They do not count above a list with figures, as versions have. */
const bare = /^(?:recent|latest|more)$/i;
/** Titles that may also be above the page's main list. */
const newest = /^(?:recent|latest)\b(?! (?:articles|posts|stories|videos))/i;

/** Letters of a list of other pages outside links, at most, unless its links have more. */
const maxRelatedLetters = 200;

/** Whether this is a list of other pages, its title, or both in one box. Sites change such lists daily. */
export function isRelated(element: Element, weight: Weight, survey: Pick<Survey, "weights">): boolean {
  return isTitledRelated(element, weight) || isBelowRelated(element, weight) || isAboveRelated(element, weight, survey);
}

/** Whether this is a heading for further reading with links or cards of pages. */
function isTitledRelated(element: Element, weight: Weight): boolean {
  const { letters, linked, links, headings, linkedHeadings, digits } = weight;
  const own = letters - linked;
  if (links === 0 || letters > 3_000 || own > Math.max(linked, maxRelatedLetters * Math.max(1, headings))) return false;
  if (headings > 1 && linkedHeadings < headings - 1) return false;
  const title = titleOf(element, own);
  if (title === undefined || (digits > 0 && bare.test(title)) || !announcesTeasers(title)) return false;
  return headings < 2 || !newest.test(title);
}

const maxAboveLetters = 60;

/** Whether this is a list of other pages, or teasers of them, right below a title that announces them. */
function isBelowRelated(element: Element, { letters, linked, links, headings }: Weight): boolean {
  const own = letters - linked;
  if (links === 0 || letters > 3_000 || own > Math.max(linked, maxRelatedLetters * (headings + 1))) return false;
  const above = prevElementSibling(element);
  if (above === null) return false;
  const title = ownText(above);
  return inkOf(title) <= maxAboveLetters && announcesTeasers(title) && !newest.test(title);
}

function isAboveRelated(element: Element, { letters, links }: Weight, { weights }: Pick<Survey, "weights">): boolean {
  if (letters > maxAboveLetters || links > 1) return false;
  const next = nextElementSibling(element);
  const weight = next && weights.get(next);
  return !!weight && isBelowRelated(next, weight);
}

/** The heading at the start of a box; without one, its only text outside links. */
function titleOf(element: Element, own: number): string | undefined {
  const first = firstIn(element);
  if (first === undefined) return undefined;
  const text = ownText(first);
  return /^h[1-6]$/.test(first.name) || inkOf(text) === own ? text : undefined;
}

export function inkOf(text: string): number {
  return text.replaceAll(" ", "").length;
}

/** The first element that holds text before any other element. */
function firstIn(element: Element): Element | undefined {
  let first = element.children.find(isTag);
  while (first && !/^h[1-6]$/.test(first.name) && first.children.some(isTag)) first = first.children.find(isTag);
  return first;
}
