import { type AnyNode, type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { nextElementSibling, prevElementSibling } from "domutils";
import { wordSet } from "../../model/cache.ts";
import type { Survey, Weight } from "./survey.ts";
import { elementsIn, ownText } from "./tree.ts";

/** Distinguishes a text of links from a menu: by its form, the targets of its links, or its neighbours. */

/** A list of spelled-out addresses: menus have names. */
const spelled = /https?:\/\/\S/;

/** Whether something shaped like a menu is text: a table, a heading, code, addresses, downloads, a sentence … */
export function isLinkedText(element: Element, survey: Survey, weight: Weight): boolean {
  if (weight.heads + weight.listings > 0 || spelled.test(ownText(element))) return true;
  if (weight.files > weight.links / 2) return true;
  if (isInSentence(element, survey, weight)) return true;
  if (isAnnounced(element, weight) || isSection(element, survey, weight)) return true;
  return isCode(element, weight) || isSentence(element, weight);
}

/** Whether it has a title, and two of it and the parts around it have titles and paragraphs: a section, or a card. */
function isSection(element: Element, { weights }: Survey, { headings, linkedHeadings, letters }: Weight): boolean {
  if (headings === linkedHeadings) return false;
  let box = element;
  // A box that adds nothing is the same part.
  while (box.parent && isTag(box.parent) && weights.get(box.parent)?.letters === letters) box = box.parent;
  const isTitled = (part: Element | null) => {
    const weight = part?.name === box.name && weights.get(part);
    return weight && weight.headings > weight.linkedHeadings && weight.prose > 0;
  };
  return [prevElementSibling(box), box, nextElementSibling(box)].filter(isTitled).length > 1;
}

/** The fewest characters of a sentence that announces a list. "Share:" announces a menu. */
const minAnnouncement = 40;
const listed = new Set(["ul", "ol", "div"]);
const beside = new Set([...listed, "h2", "h3", "h4", "h5", "h6"]);

/** Nodes above a list in which its announcement is searched, at most. */
const maxAbove = 40;

/**
 * Whether the text before a list ends with a colon, and so continues in it. Headings and other lists may be between
 * them. A list within an entry belongs to the list of that entry. A longer paragraph right before it needs no colon.
 */
function isAnnounced(list: Element, { letters }: Weight): boolean {
  const above = /^[ou]l$/.test(list.name) ? prevElementSibling(list) : null;
  if (above && isProse(above) && ownText(above).length > Math.max(minAnnouncement, letters)) return true;
  let node: ChildNode | ParentNode = list;
  for (let nodes = 0; listed.has(list.name) && nodes < maxAbove; nodes++) {
    const { prev, parent }: ChildNode = node as ChildNode;
    const text = prev ? textOf(prev) : "";
    if (prev && text.length >= minAnnouncement && /[:：]$/.test(text) && isProse(prev)) return true;
    const [around, entry] = [nameOf(parent), parent?.parent];
    if (prev && (text === "" || beside.has(nameOf(prev)))) node = prev;
    else if (entry && around === "li") node = entry;
    else if (parent && !prev && listed.has(around)) node = parent;
    else return false;
  }
  return false;
}

function nameOf(node: AnyNode | null): string {
  return node && isTag(node) ? node.name : "";
}

/** Whether this is a paragraph or bare text. Some generators put each paragraph into a box. */
function isProse(node: ChildNode): boolean {
  if (!isTag(node) || node.name === "p") return true;
  const [paragraph, more] = node.children.filter(isTag);
  return node.name === "div" && paragraph?.name === "p" && more === undefined;
}

function textOf(node: AnyNode): string {
  return isText(node) ? node.data.trim() : isTag(node) ? ownText(node) : "";
}

const ofText = wordSet("span code em p pre li dt dd td th h1 h2 h3 h4 h5 h6");

/** Whether a few words belong to a longer text: the type of a result, the rest of a declaration, a cell of a row. */
function isInSentence({ name, parent }: Element, { weights }: Survey, { letters }: Weight): boolean {
  if (name !== "span" || parent === null || !isTag(parent) || !ofText.has(parent.name)) return false;
  const text = parent.name === "td" ? parent.parent : parent;
  return text !== null && (weights.get(text)?.letters ?? 0) > letters;
}

/** Links for each text with code signs between them, at most. */
const linksToSign = 4;

/** Words of programming languages that begin a declaration. */
const declarations = (
  "abstract actual annotation case class const def enum expect export fileprivate final fn fun func " +
  "function implicit inline interface internal let object open operator override private protected pub " +
  "public sealed static struct suspend trait type typealias val var void"
).split(" ");
const declaring = new RegExp(`^(?:@[\\w.:-]{1,80}(?:\\([^()]{0,200}\\))? )*(?:${declarations.join("|")}) \\S`);

/** Whether this is code or a signature: names of types in it are links. */
function isCode(element: Element, { letters, coded, signs, links }: Weight): boolean {
  return coded > letters / 2 || signs * linksToSign >= links || declaring.test(ownText(element));
}

/** The most letters of a sentence, and the fewest outside links. */
const maxSentenceLetters = 200;
const minOwnLetters = 12;

const imprint = /^(?:©|\(c\)|copyright|powered|built|made|created|designed|hosted|theme)\b/i;

/** Whether this is a sentence with links in it, ended by a full stop. */
function isSentence(element: Element, { letters, linked, headings }: Weight): boolean {
  if (element.name !== "div" || headings > 0) return false;
  if (letters - linked < minOwnLetters || letters > maxSentenceLetters) return false;
  const text = ownText(element, 2 * maxSentenceLetters);
  return text.endsWith(".") && !imprint.test(text);
}

/** Whether all its links lead to places on the page. */
export function isListOfPlaces(list: Element): boolean {
  const links = elementsIn(list, "a");
  return links.length > 0 && links.every(({ attribs: { href } }) => href?.startsWith("#"));
}
