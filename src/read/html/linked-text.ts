import { type AnyNode, type Element, isTag } from "domhandler";
import { prevElementSibling } from "domutils";
import { ownText, type Survey, type Weight } from "./survey.ts";

/** Tells a text that is mostly links from a menu: by its form, by the targets of the links, or by its neighbours. */

/** A list of spelled-out addresses: menus have names. */
const spelled = /https?:\/\/\S/;

/**
 * Whether something shaped like a menu is text: a table with headed cells, a heading, code or its description,
 * addresses, downloads, a signature or a sentence.
 */
export function isLinkedText(element: Element, survey: Survey, weight: Weight): boolean {
  if (weight.heads + weight.listings > 0 || spelled.test(ownText(element))) return true;
  if (weight.files > weight.links / 2) return true;
  if (isHeadingAlone(element, survey, weight) || isInSentence(element, survey, weight)) return true;
  if (isAnnounced(element)) return true;
  return isCode(element, weight) || isSentence(element, weight);
}

/** Whether a section holds only its heading, which may be a link, and the link to itself. */
function isHeadingAlone({ children }: Element, { weights }: Survey, { letters, headings }: Weight): boolean {
  const isAll = (child: AnyNode) =>
    isTag(child) && /^h[1-6]$/.test(child.name) && weights.get(child)?.letters === letters;
  return headings === 1 && children.some(isAll);
}

/** Characters of a sentence that announces a list, at least: "Share:" announces a menu. */
const minAnnouncement = 40;

/** Whether the paragraph before a list ends with a colon, and so goes on in it. */
function isAnnounced(element: Element): boolean {
  const above = element.name === "ul" || element.name === "ol" ? prevElementSibling(element) : null;
  if (above?.name !== "p") return false;
  const text = ownText(above);
  return text.length >= minAnnouncement && /[:：]$/.test(text);
}

const ofText = new Set("span code em p pre li dt dd td th h1 h2 h3 h4 h5 h6".split(" "));

/**
 * Whether a few words belong to a longer text: the names in the type that a function returns, or after what declares
 * them.
 */
function isInSentence({ name, parent }: Element, { weights }: Survey, { letters }: Weight): boolean {
  if (name !== "span" || parent === null || !isTag(parent) || !ofText.has(parent.name)) return false;
  return (weights.get(parent)?.letters ?? 0) > letters;
}

/** Links per text with signs of code between them, at most. */
const linksToSign = 4;

/** Words of programming languages that begin a declaration. */
const declarations = (
  "abstract actual annotation case class const def enum expect export fileprivate final fn fun func " +
  "function implicit inline interface internal let object open operator override private protected pub " +
  "public sealed static struct suspend trait type typealias val var void"
).split(" ");
const declaring = new RegExp(`^(?:@[\\w.:-]{1,80}(?:\\([^()]{0,200}\\))? )*(?:${declarations.join("|")}) \\S`);

/** Whether this is code or the signature of a declaration, in which the names of types are links. */
function isCode(element: Element, { letters, coded, signs, links }: Weight): boolean {
  return coded > letters / 2 || signs * linksToSign >= links || declaring.test(ownText(element));
}

/** Letters of a sentence, at most, and letters of it outside links, at least. */
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
