import { type Element, isTag, isText } from "domhandler";
import { anyOf, matches } from "../../language/lexicon.ts";
import { wordSet } from "../../model/cache.ts";
import { walk } from "./tree.ts";

/** Elements within a line of text. */
export const inline = wordSet(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span " +
    "strike strong sub sup time tt u var wbr nobr math mi mo mn mrow msup msub mfrac relative-time local-time time-ago",
);

/** Whether an element is within a line. One of a script, such as `c-`, is if it is in code or in such an element. */
export function isInline({ name, parent }: Element): boolean {
  if (inline.has(name) || !name.includes("-") || parent === null || !isTag(parent)) return inline.has(name);
  return parent.name === "pre" || inline.has(parent.name);
}

/** Around outdated text: https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-s-element */
const strikes = new Set(["s", "del", "strike"]);
const struckThrough = /(?:^|\s)(?:line-through|strike-?through)(?:$|\s)/i;

function isStrike({ name, attribs: { class: classes, style } }: Element): boolean {
  if (strikes.has(name) || (classes !== undefined && struckThrough.test(classes))) return true;
  return style !== undefined && /text-decoration(?:-line)?\s{0,3}:[^;]{0,40}line-through/i.test(style);
}

/** Whether the words of an icon mean yes or no. */
export const isYesOrNo = matches(`^${anyOf("controls.whether")}\\W*$`);

/** Elements and texts in a line that is struck out. */
const maxStruckOut = 500;

/**
 * Whether an element is struck out, so that its text no longer counts. Around several lines, it was left unclosed or
 * marks an edit. In a link, a heading or code, or around a word, it marks a deprecated name.
 */
export function isStruckOut(element: Element): boolean {
  if (!isStrike(element) || isNamePart(element)) return false;
  let nodes = 0;
  let isLine = true;
  const see = (inLine: boolean): boolean => {
    isLine &&= inLine && ++nodes <= maxStruckOut;
    return isLine;
  };
  walk(element, {
    enter: (inner) => see(isInline(inner) || inner.name === "br" || inner.name === "img"),
    text: () => void see(true),
    done: () => !isLine,
  });
  return isLine;
}

const naming = wordSet("a code pre samp kbd h1 h2 h3 h4 h5 h6");
/** Ancestors that are searched for a link, heading or code, at most. */
const mostAbove = 6;

function isNamePart(element: Element): boolean {
  const { prev, next, firstChild } = element;
  // A figure is never a name.
  const isFigure = firstChild !== null && isText(firstChild) && /^\s*[\p{Sc}\d]/u.test(firstChild.data);
  if (!isFigure && prev && isText(prev) && /[\p{L}\p{N}_.:#]$/u.test(prev.data)) return true;
  if (!isFigure && next && isText(next) && /^[\p{L}\p{N}_(<[]/u.test(next.data)) return true;
  let above = element.parent;
  for (let i = 0; i < mostAbove && above && isTag(above); i++, above = above.parent)
    if (naming.has(above.name)) return true;
  return false;
}
