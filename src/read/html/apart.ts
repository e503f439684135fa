import type { Element } from "domhandler";
import { wordSet } from "../../model/cache.ts";
import { isSlugOf, saysBeside, saysConsent, saysForReaders, saysPanel, saysTalk } from "./names.ts";
import type { Setting, Weight } from "./survey.ts";

/** Finds the parts of a page that are never its text, before the text itself is found. */

const roles = wordSet(
  "navigation banner search dialog alertdialog menu menubar toolbar tree listbox combobox searchbox textbox radiogroup " +
    "switch slider spinbutton tooltip status timer log marquee progressbar contentinfo doc-toc",
);

/** Dialogs, pop-ups, live regions and consent tools: they are laid over the page, however long their text is. */
function isLaidOver(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "dialog" || attribs["aria-modal"] === "true" || attribs.popover !== undefined) return true;
  if (attribs.style && /position\s*:\s*fixed/i.test(attribs.style) && isHidden(element)) return true;
  return (attribs.role !== undefined && roles.has(attribs.role)) || saysConsent(element);
}

export function isHidden(element: Element): boolean {
  const { hidden, style } = element.attribs;
  if (hidden !== undefined || element.attribs["aria-hidden"] === "true") return true;
  if (style && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)) return true;
  return isForReaders(element);
}

/** Whether only screen readers see it. */
export function isForReaders({ attribs }: Element): boolean {
  return attribs.class !== undefined && saysForReaders(attribs.class);
}

/** Folded content is content: the other tab, the answer below the question. */
export function isFolded({ attribs, name }: Element): boolean {
  const { role, id, class: classes } = attribs;
  // A search within the page finds it: https://html.spec.whatwg.org/multipage/interaction.html#attr-hidden-until-found
  if (attribs.hidden === "until-found") return true;
  if (role === "tabpanel" || role === "region" || attribs["aria-labelledby"] !== undefined) return true;
  return name !== "span" && (saysPanel(id) || saysPanel(classes));
}

/** Elements that can be a side box if their name says so. */
const boxes = wordSet("div section ul");
/** Elements that can hold readers' comments. */
const talking = wordSet("div section aside ol ul form footer article");

/** Whether it is a side box, by its element, its role or its name. */
export function isBeside(element: Element): boolean {
  const { name, attribs } = element;
  return name === "aside" || attribs.role === "complementary" || (boxes.has(name) && saysBeside(element));
}

/** Whether its name says readers' comments. A section about comments may get the same id from its heading. */
function isNamedTalk(element: Element, { replies, fields }: Weight): boolean {
  const { id, class: classes } = element.attribs;
  if (classes !== undefined && saysTalk(classes)) return true;
  return id !== undefined && saysTalk(id) && (replies + fields > 0 || !isSlugOf(id, element));
}

/** The fewest parts with a reply link that make a discussion. */
export const minAnswered = 3;

interface Place {
  readonly setting: Setting;
  /** Whether a header or footer is the page's, not that of an article or a section. */
  readonly isOfPage: boolean;
  readonly isBeside: boolean;
  /** Whether it holds the page's main part. */
  readonly holdsMain: boolean;
  /** How many of its parts have a reply link. */
  readonly answered: number;
}

/** Why a part is set apart. */
export type Reason = "over" | "menu" | "talk" | "around" | "beside";

/** Why a part is not the page's own text: over it, readers' comments, or around it. Undefined if it may be text. */
export function apartOf(
  element: Element,
  weight: Weight,
  { setting, isOfPage, isBeside, holdsMain, answered }: Place,
): Reason | undefined {
  if (setting === "nothing" || weight.letters === 0 || holdsMain) return undefined;
  const { name } = element;
  const isLandmark = weight.landmarks > weight.cards;
  if (!isLandmark && isLaidOver(element)) return "over";
  if (name === "nav") return "menu";
  if (setting === "over") return undefined;
  const isTalk = talking.has(name) && weight.titles === 0 && (answered >= minAnswered || isNamedTalk(element, weight));
  if (isTalk) return "talk";
  const isEnd =
    (name === "header" || name === "footer") && isOfPage && weight.landmarks - weight.cards <= weight.titles;
  if (isEnd || (!isLandmark && isHidden(element) && !isFolded(element))) return "around";
  return setting === "beside" && !isLandmark && isBeside ? "beside" : undefined;
}
