import { type Element, isTag } from "domhandler";
import { saysChrome, saysPanel } from "./names.ts";
import type { Survey, Weight } from "./weigh.ts";

/** What surrounds content: menus, banners, controls, what is hidden. */

const controls = new Set("head title nav input select textarea progress meter".split(" "));
const roles = new Set(
  "navigation search dialog alertdialog menu menubar tooltip status timer log marquee progressbar contentinfo".split(
    " ",
  ),
);
/** Only these can be around content by their name or their shape; a paragraph or a row never is. */
const boxes = new Set("div section aside header footer form ul ol span dl table center dialog".split(" "));

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
  if (name === "label") return own < 60 && !inItem(element);
  if (isHidden(element)) return own < 300 && !isFolded(element);
  if (name === "a") return /\bskip(?:-|_|link|to)/i.test(attribs.class ?? "");
  if (!boxes.has(name)) return false;
  if (saysChrome(attribs.id, attribs.class, own < 200 && weight.headings === 0)) return true;
  if (isPanel(weight)) return true;
  const listed = name === "ul" || name === "ol" || name === "dl" || name === "table";
  if (inMain) return !listed && weight.links > 1 && own === 0 && !isMenu(within, 60);
  return !isMenu(within, 60) && (isMenu(weight, listed ? 30 : 60) || isColophon(weight));
}

/** The question of an accordion is a button in a heading. */
function inHeading({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && /^h[1-6]$/.test(parent.name);
}

function inItem({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && (parent.name === "li" || parent.name === "td");
}

function isHidden(element: Element): boolean {
  const { hidden, style, class: classes } = element.attribs;
  if (hidden !== undefined || element.attribs["aria-hidden"] === "true") return true;
  if (style && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)) return true;
  return classes !== undefined && /\b(?:sr-only|visually-?hidden|screen-reader-text)\b/.test(classes);
}

/** Folded content is content: the other tab, the answer below the question. */
function isFolded({ attribs, name }: Element): boolean {
  const { role, id, class: classes } = attribs;
  if (role === "tabpanel" || role === "region" || attribs["aria-labelledby"] !== undefined) return true;
  return name !== "span" && (saysPanel(id) || saysPanel(classes));
}

/** Mostly links, and short ones: `longest` characters each on average. */
function isMenu({ letters, linked, links }: Weight, longest: number): boolean {
  return links > 1 && linked > 0.66 * letters && linked < longest * links;
}

/** A few words and buttons: "Was this helpful? Yes No", "Share". */
function isPanel({ letters, pressed, buttons, links }: Weight): boolean {
  return buttons > 1 && links === 0 && letters - pressed < 60;
}

/** The end of a page that names its owner among links, whatever its element is called. */
function isColophon({ rights, links, letters }: Weight): boolean {
  return rights > 0 && links > 3 && letters < 4000;
}
