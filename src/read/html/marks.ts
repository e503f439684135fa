import { type ChildNode, type Element, isTag } from "domhandler";
import { nextElementSibling } from "domutils";
import { isEditMark, saysNew } from "../../language/boilerplate.ts";
import { wordSet } from "../../model/cache.ts";
import type { Weight } from "./survey.ts";
import { elementsIn, ownText } from "./tree.ts";

/** Whether an element is a mark that generators write into a text: a number, a language, a version, a counter … */
export function isMark(element: Element, weight: Weight): boolean {
  if (isLineNumber(element, weight) || isLanguageLabel(element, weight) || isSource(element, weight)) return true;
  return (
    weight.letters <= 40 &&
    (isPartNumber(element, weight) ||
      isNoteNumber(element, weight) ||
      isVersionOfTitle(element, weight) ||
      isVersionOfProject(element, weight) ||
      isCounter(element) ||
      isNewBadge(element) ||
      isBracketed(element, weight))
  );
}

/** Names of elements that number the lines of a listing. */
const lineNumbers = /(?:^|[\s_-])(?:linenos?|line-?numbers?|lnt?|lntable-num|gutter|blob-num)(?:$|[\s_-])/i;

/** Whether this is only figures: a whole listing may have such a name, too. */
function isLineNumber(element: Element, { letters, digits }: Weight): boolean {
  if (letters !== digits) return false;
  const classes = element.attribs.class;
  return (classes !== undefined && lineNumbers.test(classes)) || isBesideListing(element);
}

/** Whether a cell holds the line numbers of the listing in the next cell. */
function isBesideListing(element: Element): boolean {
  const beside = nextElementSibling(element);
  return element.name === "td" && beside?.name === "td" && isListing(element) && isListing(beside);
}

function isListing({ children }: Element): boolean {
  const [only, ...others] = children.filter(isTag);
  return only?.name === "pre" && others.length === 0;
}

/** The name of a listing's language, written above the listing. */
function isLanguageLabel(element: Element, { letters }: Weight): boolean {
  if (letters > 20 || nextElementSibling(element)?.name !== "pre" || element.parent === null) return false;
  const language = /\b(?:language|lang|highlight(?:-source)?)-([\w+#-]+)/.exec(classesAround(element));
  return language?.[1]?.toLowerCase() === ownText(element).toLowerCase();
}

function classesAround(element: Element): string {
  const beside = nextElementSibling(element);
  const above = element.parent && isTag(element.parent) ? element.parent : undefined;
  return [above, beside, beside?.children.find(isTag)].map((one) => one?.attribs.class ?? "").join(" ");
}

/** Names of elements that number the sections and figures of a document: a new one renumbers all after it. */
const partNumbers = /(?:^|[\s_-])(?:secno|sectnum|header-?section-?number|caption-?number)(?:$|\s)/i;
/** The same in a title or caption. In its own box such a number may be content: `40` above `million users`. */
const titleNumbers = /(?:^|[\s_-])(?:section-?num(?:ber)?|figure-?number)(?:$|\s)/i;
const titles = /^(?:h[1-6]|a|caption|figcaption)$/;

function isPartNumber({ name, attribs, parent }: Element, { digits }: Weight): boolean {
  const { class: classes = "" } = attribs;
  if (digits === 0 || (name !== "span" && name !== "bdi")) return false;
  if (partNumbers.test(classes)) return true;
  return titleNumbers.test(classes) && parent !== null && isTag(parent) && titles.test(parent.name);
}

/** "3", "[3]", "(b)", "[note 2]", "*": the number of a note. */
const noteNumber = /^[[(]?\s*(?:(?:note|n|nb) ?)?(?:\d{1,4}|[a-z]|[ivxlc]{1,6})\s*[\])]?$|^(?:\*{1,3}|[†‡§¶]{1,2})$/i;
const noteNames = /(?:^|[\s_-])(?:fn|(?:foot|end)note)-?(?:(?:back-?)?ref(?:erence)?|backlink)(?:$|\s)/i;
const noteRoles = new Set(["doc-noteref", "doc-backlink"]);

/** Whether this is a link to or from a note: raised, or by its name. */
function isNoteNumber(element: Element, { links }: Weight): boolean {
  const { name, parent, children } = element;
  if (name === "sup" && links > 0) return areNoteNumbers(element);
  if (!isNoteLink(element) || !noteNumber.test(ownText(element))) return false;
  return isNamedNote(element) || [parent, ...children].some((one) => one !== null && isTag(one) && one.name === "sup");
}

/** "[3]", "1, 2": the numbers of several notes, raised together, with the signs between them. */
function areNoteNumbers(element: Element): boolean {
  const text = ownText(element);
  const isAll = noteNumber.test(text) || /^[\d\s[\](),;–-]+$/.test(text);
  return isAll && element.children.filter(isTag).every(isNoteLink);
}

/** A link within the page, or one that its author names a note. The notes may be on another page, or open in a window. */
function isNoteLink(node: ChildNode): node is Element {
  if (!isTag(node) || node.name !== "a") return false;
  return node.attribs.href?.startsWith("#") === true || isNamedNote(node);
}

function isNamedNote({ attribs: { role = "", class: classes = "" } }: Element): boolean {
  return noteRoles.has(role) || noteNames.test(classes);
}

const versionName = /(?:^|[\s_-])(?:vsn|version|release|rev)(?:$|[\s_-])/i;

/** Whether this is the version of the project, beside the page's title. */
function isVersionOfTitle(element: Element, { digits, letters }: Weight): boolean {
  const { name, parent, attribs } = element;
  if (digits === 0 || parent === null || !isTag(parent) || parent.name !== "h1") return false;
  if (name !== "small" && !(name === "span" && versionName.test(attribs.class ?? ""))) return false;
  return /\bv?\d+\.\d/i.test(ownText(element)) && ownText(parent).replace(/\s/g, "").length > letters;
}

const projectVersionName = /(?:^|[\s_-])project-?(?:number|version)(?:$|\s)/i;

/** Whether this is the version of the project, beside its name at the head of each page. */
function isVersionOfProject({ name, attribs }: Element, { digits }: Weight): boolean {
  return name === "span" && digits > 0 && projectVersionName.test(`${attribs.id ?? ""} ${attribs.class ?? ""}`);
}

const counterName = /(?:^|[\s_-])(?:counter|count|counts)(?:$|[\s_-])/i;

/** Whether this counts people or uses: stars, readers, copies. */
export function isCounter({ name, attribs, children }: Element): boolean {
  if (name !== "span" || !counterName.test(attribs.class ?? "") || children.some(isTag)) return false;
  return children.some((child) => "data" in child && /^\s*[\d.,]+\s?[km]?\s*$/i.test(child.data));
}

const badgeElements = wordSet("span sup em i b strong mark small");
const badgeName = /(?:^|[\s_-])(?:badge|label|tag|pill|chip|ribbon|new)(?:$|[\s_-])/i;

/** "New" beside the name of a new thing. After a colon, or alone, it is text. */
function isNewBadge(element: Element): boolean {
  const { name, attribs, parent } = element;
  if (!badgeElements.has(name) || parent === null || (name !== "sup" && !badgeName.test(attribs.class ?? "")))
    return false;
  const badge = ownText(element, 20);
  if (!saysNew(badge)) return false;
  const beside = ownText(parent);
  return beside.length > badge.length + 1 && !beside.slice(0, -badge.length).trimEnd().endsWith(":");
}

/** "[edit]", "[edit | edit source]" after a heading or a signature. */
function isBracketed(element: Element, { links, digits }: Weight): boolean {
  return links > 0 && digits === 0 && element.name === "span" && isEditMark(ownText(element));
}

const sources = /^source(?: code)?: ?([\w./, -]{1,150})$/i;
/** Letters of a line that names source files, at most. */
const maxSourceLetters = 160;

/** "Source: R/csv.R": the repository files that a description was generated from, each by its path. */
function isSource(element: Element, { letters, linked, links }: Weight): boolean {
  if (links === 0 || links > 8 || letters > maxSourceLetters || letters - linked > 11 + links) return false;
  const paths = sources.exec(ownText(element, 2 * maxSourceLetters))?.[1]?.split(/, ?/);
  if (paths?.length !== links) return false;
  const addresses = elementsIn(element, "a").map(({ attribs: { href = "" } }) => href);
  const isLinked = (path: string, address = "") => address.endsWith(`/${path}`) && repositoryFile.test(address);
  return paths.every((path, i) => isFile.test(path) && isLinked(path, addresses[i]));
}

const isFile = /\.\w{1,5}$/;

/** The address of a file in a repository, at a commit or on a branch, with the file's path. */
export const repositoryFile = /\/(?:blob|tree|src)\/[^/]+\/([^"'<>\s]+)$/;
