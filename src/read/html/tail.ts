import { type Element, isTag, type ParentNode } from "domhandler";
import { noWeight, ownLetters, type Survey, type Weight } from "./survey.ts";

/** Finds the parts that only follow a text: about the author, further reading, sign-up forms. */

/** A part with at least this share of the content's own text is all of it. */
const mostShare = 0.7;
/** A following part with more letters in paragraphs is text itself. */
const minProse = 100;
/** The share of a text's letters in links, at most. */
const maxLinked = 0.2;

/** The elements within the content that follow its main part and are not text themselves. */
export function tailOf(content: ParentNode, about: Survey): ReadonlySet<Element> {
  const tail = new Set<Element>();
  const body = bodyIn(content, about) ?? content;
  for (let box: ParentNode | null = body; box && box !== content; box = box.parent) {
    for (let node = box.next; node; node = node.next) {
      if (isTag(node) && !isText(node, about.weights.get(node))) tail.add(node);
    }
  }
  return tail;
}

/** The most nested parts, and the most parts with the same name, that are checked. */
const mostNested = 8;
const mostAlike = 50;

/** The innermost named part, or else article, with most of the text and no similar part beside it. */
function bodyIn(content: ParentNode, about: Survey): Element | undefined {
  const { weights, articles, contents } = about;
  const own = ownLetters(weights.get(content) ?? about.total);
  const innermost = (parts: readonly Element[]) =>
    parts
      .filter((part) => ownLetters(weights.get(part)) > mostShare * own && isBelow(part, content))
      .slice(-mostNested)
      .findLast((part) => isAlone(part, about));
  return innermost(contents) ?? innermost(articles);
}

/** Whether no part with its name is beside it, as with replies, cards or sections. `counts`: whether one is a text. */
export function isAlone(part: Element, about: Survey, counts = ({ core }: Weight) => core > 0): boolean {
  const { name, attribs } = part;
  const alike = (parts: readonly Element[]) =>
    parts.filter((other) => {
      const isOther = other !== part && other.name === name && other.attribs.class === attribs.class;
      return isOther && counts(about.weights.get(other) ?? noWeight);
    });
  const others = [...alike(about.contents), ...alike(about.articles)];
  return others.length <= mostAlike && others.every((other) => isBelow(other, part) || isBelow(part, other));
}

function isText({ name }: Element, weight: Weight | undefined): boolean {
  if (!weight || weight.fields > 0 || weight.linked > maxLinked * weight.letters) return false;
  return weight.prose > minProse || weight.heads + weight.listings > 0 || name === "table" || name === "dl";
}

export function isBelow(inner: Element, outer: ParentNode): boolean {
  for (let above = inner.parent; above; above = above.parent) if (above === outer) return true;
  return false;
}
