import { type ChildNode, Document, type Element, isTag, type ParentNode } from "domhandler";
import { saysStatus } from "../../language/boilerplate.ts";
import { wordSet } from "../../model/cache.ts";
import { Failure } from "../../model/failure.ts";
import type { Block, Reading } from "../../model/reading.ts";
import { Size } from "../shared/size.ts";
import { isBeside } from "./apart.ts";
import { blocksBelow, foldSpace } from "./blocks.ts";
import { type ChromeOptions, chromeRuleOf, isChrome, type Region, type Surroundings } from "./chrome.ts";
import { isUsedAttribute } from "./fingerprint.ts";
import { isMark } from "./marks.ts";
import { isSlugOf } from "./names.ts";
import { inkOf } from "./panels.ts";
import { selectElements } from "./select.ts";
import { noWeight, ownLetters, type Survey, survey, type Weight } from "./survey.ts";
import { isAlone, isBelow, tailOf } from "./tail.ts";
import { elementsIn, isAfter, OfElements, ownText, treeOf, walk } from "./tree.ts";

/** Turns HTML into blocks, for several kinds. @see https://html.spec.whatwg.org/multipage/sections.html */

export interface PageOptions extends ChromeOptions {
  /** CSS selectors: only matching elements are content. */
  readonly select?: readonly string[];
  /** CSS selectors: matching elements are not content. */
  readonly ignore?: readonly string[];
  /** The region of the last reading's content, used again while that is plausible. */
  readonly region?: string;
}

/** `region` and `around` are undefined if the content was selected, and `around` if there are too many texts. */
export interface HtmlPage extends Pick<Reading, "title" | "language" | "region" | "around"> {
  readonly blocks: Block[];
  /** Whether it says less itself than its parts that are named teasers of other pages. */
  readonly isList?: boolean;
  /** Whether a password field is in the content or around it; undefined if there is none. */
  readonly passwordField?: PasswordField;
}

/** The blocks of a fragment (an item's body): all of it is content. @throws Failure `too-many` */
export function blocksOf(html: string, size = new Size()): Block[] {
  const root = treeOf(html);
  return blocksBelow(root, () => false, survey(root).layout, size);
}

/** All of a document, with its menus and footers. @throws Failure `too-many` */
export function wholePageOf(html: string): HtmlPage {
  const root = treeOf(html, isUsedAttribute);
  return { ...headOf(root), blocks: blocksBelow(root, () => false, survey(root).layout, new Size()) };
}

/** Links of a page that are followed to find a neighbour, at most. */
const maxLinks = 2_000;

/** The addresses that a page links to, in its order and as it spells them. */
export function linksOf(html: string): string[] {
  const links = elementsIn(treeOf(html, isUsedAttribute), "a").flatMap(({ attribs: { href } }) => href ?? []);
  return links.slice(0, maxLinks);
}

/** The main content of a whole document. @throws Failure `too-many`, `no-match` if `select` finds nothing */
export function pageOf(html: string, options: PageOptions = {}, size = new Size()): HtmlPage {
  // Selectors may ask for any attribute.
  const isSelected = [options.select, options.ignore].some((one) => one?.length);
  const root = treeOf(html, isSelected ? undefined : isUsedAttribute);
  const ignored = options.ignore?.length ? new Set(selectElements(root, options.ignore)) : undefined;
  const about = survey(root);
  const blocks: Block[] = [];
  const select = options.select ?? [];
  const {
    region,
    head = [],
    foot = [],
    parts,
  } = select.length > 0 ? { parts: selectParts(root, select) } : contentOf(root, about, options);
  const remaining: Element[] = [];
  const readPart = (part: ParentNode, isAround: (element: Element) => boolean) => {
    const omit = (element: Element) => {
      if (ignored?.has(element)) return true;
      const isLeft = isAround(element);
      if (isLeft) remaining.push(element);
      return isLeft;
    };
    for (const block of blocksBelow(part, omit, about.layout, size)) blocks.push(block);
  };
  // Besides the title, a header has parts that belong to the site: the search, the site's name.
  const ofSite = wholePage(about, options);
  const title = isTitled(about) ? head[0] : undefined;
  for (const above of head) {
    const isLeft = (element: Element) => isChrome(element, ofSite) || (above !== title && isVersion(element));
    if (!isLeft(above)) readPart(above, isLeft);
  }
  for (const part of parts) readPart(part, region === undefined ? () => false : chromeOf(part, about, region, options));
  readPart(new Document([...foot]), (element) => isBeside(element) || isChrome(element, ofSite));
  const teased = parts.reduce((letters, part) => letters + (about.weights.get(part) ?? about.total).teased, 0);
  const isList = teased > 0 && teased > blocks.reduce((letters, { text }) => letters + inkOf(text), 0);
  const passwordField = /password/i.test(html) ? passwordFieldIn(root, new Set(parts)) : undefined;
  const around = region && textsAround(root, new Set<ParentNode>([...head, ...parts, ...foot]), remaining, about);
  return { ...headOf(root), blocks, region, around, isList, passwordField };
}

/** Letters around the content that are read, at most. */
const maxAround = 50_000;

/** The texts outside the content, and of the elements that were left out of it, without marks as in the content. */
function textsAround(
  root: ParentNode,
  parts: ReadonlySet<ParentNode>,
  remaining: readonly Element[],
  { weights, total, layout }: Survey,
): string[] | undefined {
  const lettersOf = (part: ParentNode) => (part === root ? total : weights.get(part))?.letters ?? 0;
  const sum = (all: Iterable<ParentNode>) => [...all].reduce((letters, part) => letters + lettersOf(part), 0);
  if (total.letters - sum(parts) + sum(remaining) > maxAround) return undefined;
  const ofHead = (element: Element) => element.name === "head" || element.name === "title";
  const omit = (element: Element) =>
    parts.has(element) || ofHead(element) || isMark(element, weights.get(element) ?? noWeight);
  const beside = parts.has(root) ? [] : [root];
  const outside = [...beside, ...remaining.filter((element) => !ofHead(element))];
  try {
    return outside.flatMap((part) => blocksBelow(part, omit, layout, new Size()).map(({ text }) => text));
  } catch (error) {
    // Too many headings above short texts. The content may still be readable.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

type PasswordField = "content" | "around";

const aroundContent = wordSet("header nav footer aside dialog");

function passwordFieldIn(root: ParentNode, parts: ReadonlySet<ParentNode>): PasswordField | undefined {
  const fields = elementsIn(root, "input").filter(({ attribs: { type } }) => type?.toLowerCase() === "password");
  const isInContent = (field: Element) => {
    for (let above = field.parent; above; above = above.parent) {
      if (isTag(above) && (aroundContent.has(above.name) || above.attribs.role === "dialog")) return false;
      if (parts.has(above)) return true;
    }
    return false;
  };
  if (fields.some(isInContent)) return "content";
  return fields.length > 0 ? "around" : undefined;
}

/** At most this share of a part's text is dropped because of names alone. */
const namedShare = 0.5;

/** Finds the boilerplate within a part, by names too, unless that would drop most of its text. */
function chromeOf(part: ParentNode, about: Survey, region: Region, options: ChromeOptions) {
  const within = about.weights.get(part) ?? about.total;
  const tail = options.teasers ? new Set<Element>() : tailOf(part, about);
  const { trace, ...untraced } = options;
  const surroundings: Surroundings = { survey: about, within, region, options: untraced };
  const unnamed: Surroundings = { ...surroundings, options: { ...untraced, unnamed: true } };
  /** Answers of the first walk, which the second walk repeats. "named": boilerplate by its name alone. */
  const answers = new OfElements<"content" | "named" | "boilerplate">();
  let dropped = 0;
  walk(part, {
    enter(element) {
      const { prose, core, coreLinked } = about.weights.get(element) ?? noWeight;
      if (prose === 0 || tail.has(element)) return false;
      const rule = chromeRuleOf(element, surroundings);
      const isDropped = rule?.says === "boilerplate";
      // Only an element that was dropped by its name can get another answer.
      const isNamed = rule?.id === "name" && !isChrome(element, unnamed);
      answers.set(element, isNamed ? "named" : isDropped ? "boilerplate" : "content");
      if (isNamed) dropped += core - coreLinked;
      return !isDropped;
    },
  });
  const isByNames = dropped <= namedShare * (within.core - within.coreLinked);
  const last: Surroundings = { ...surroundings, options: { ...options, unnamed: !isByNames } };
  return (element: Element) => {
    if (tail.has(element)) return true;
    const answer = trace ? undefined : answers.get(element);
    return answer ? answer === "boilerplate" || (answer === "named" && isByNames) : isChrome(element, last);
  };
}

/** The parts that are read: the content's region with its parts, the elements above them from the title on, and below. */
interface Content {
  readonly region?: Region;
  readonly head?: readonly Element[];
  readonly foot?: readonly Element[];
  readonly parts: readonly ParentNode[];
}

function selectParts(root: ParentNode, select: readonly string[]): ParentNode[] {
  const matches = selectElements(root, select);
  if (matches.length === 0) throw new Failure("no-match", { selector: select.join(", ") });
  const all = new Set(matches);
  // Many elements may share a parent: its ancestors are walked once.
  const parents = new Set(matches.map(({ parent }) => parent));
  const within = new Set([...parents].filter((parent) => isAmong(parent, all)));
  return matches.filter(({ parent }) => !within.has(parent));
}

/** How much smaller a share may be for the region of the last reading, and how much larger it must be for another. */
const regionTolerance = 0.1;

/** A part with fewer letters must hold most of the page's text. Otherwise it is a slogan. */
const minRegionLetters = 300;

/**
 * The part of a page that holds most of its text: its main part, its article, or an element that its author names
 * content. Each must hold a fair share of the page's own text, so that a slogan is not taken for the content.
 */
function contentOf(root: ParentNode, about: Survey, { region: last, trace }: PageOptions): Content {
  const holds = (least: number, most: number) => (element: Element) => {
    const weight = about.weights.get(element);
    if (!weight) return false;
    // On a page that lists others, most of the text is in links.
    const share = Math.max(ownLetters(weight) / (ownLetters(about.total) || 1), weight.core / (about.total.core || 1));
    trace?.({ threshold: "share of the page, to hold its content", value: share, limit: least, about: element.name });
    if (share > least && share <= most) {
      const letters = { value: weight.core, limit: minRegionLetters };
      trace?.({ threshold: "letters, to hold the page's content", ...letters, about: element.name });
    }
    return share > least && (weight.core > minRegionLetters || share > most);
  };
  // A table may hold most of the letters, with the text beside it. One of several cards is never the whole content.
  const isLong = (weight: Weight) => ownLetters(weight) > minRegionLetters;
  const holdsText = (element: Element) => {
    const { prose } = about.weights.get(element) ?? noWeight;
    const isMost = about.total.prose - prose <= Math.max(minRegionLetters, prose);
    return isTheContent(element) || (isMost && isAlone(element, about, isLong));
  };
  const regions = [
    ["main", about.mains, 0.25],
    ["article", withHeaders(about), 0.5],
    ["named", about.contents, 0.6],
    ["named", about.contents.filter(isTheContent), 0.3],
  ] as const;
  for (const [region, elements, share] of regions) {
    const shift = last === undefined ? 0 : region === last ? -regionTolerance : regionTolerance;
    const fitting = (least: number, most: number) =>
      elements.filter(holds(least, most)).filter((element) => region !== "named" || holdsText(element));
    const large = fitting(share + shift, 0.6 + shift);
    // The last reading decides whether a region is used, but not which of several nested parts.
    const part = innermostPart(fitting(share, 0.6), elements, about) ?? innermostPart(large, elements, about);
    if (large.length === 0 || !part) continue;
    const content = region === "main" ? articleIn(part, about) : part;
    const foot = region === "main" && content === part ? footBelow(part, about) : [];
    return { region: content === part ? region : "article", head: headAbove(content, about), parts: [content], foot };
  }
  const box =
    boxOfTitle(about, titledShare) ??
    (last === "titled" ? boxOfTitle(about, titledShare - regionTolerance) : undefined);
  if (!box) return { region: "page", parts: [root] };
  return { region: "titled", head: statusAbove(box, about), parts: [box] };
}

/** The box around the title is the content if it holds more than this share of the page's text. */
const titledShare = 0.75;

/** The smallest box that holds both the title and most of the page's own text. */
function boxOfTitle({ heading, weights, total }: Survey, least: number): Element | undefined {
  for (let box = heading?.parent; box && isTag(box) && box.name !== "body"; box = box.parent) {
    const own = ownLetters(weights.get(box));
    if (own > minRegionLetters && own > least * ownLetters(total)) return box;
  }
  return undefined;
}

/** Texts above a part that call something deprecated, experimental or ended: the site's own news is excluded. */
function statusAbove(part: Element, about: Survey): readonly Element[] {
  const above = [...inkedAbove(part, about)].filter((element) => {
    const { letters = 0, linked = 0, headings = 0 } = about.weights.get(element) ?? {};
    const isText = headings === 0 && letters <= maxTitleLetters && linked < letters / 2;
    return isText && saysStatus(ownText(element, 2 * maxTitleLetters));
  });
  return above.reverse();
}

const contentId = /^(?:(?:main|page|doc)-?)?content$|^main$/;

/** Whether an id says "content", and was not generated from a section's heading. */
function isTheContent(element: Element): boolean {
  return contentId.test(element.attribs.id ?? "") && !isSlugOf(element.attribs.id, element);
}

/** A nested part replaces the outer one as the content if it holds this share of its text. */
const wholeShare = 0.9;

/** The innermost part with nearly all the text of the first, and no similar one before it, as a class's members. */
function innermostPart(parts: readonly Element[], all: readonly Element[], { weights }: Survey): Element | undefined {
  const [outermost] = parts;
  if (!outermost) return undefined;
  const lettersIn = (part: Element) => ownLetters(weights.get(part));
  // Each is within the one before it. If two are siblings, neither is the whole.
  const nested = [outermost];
  for (const part of all.slice(all.indexOf(outermost) + 1)) {
    if (lettersIn(part) === 0) continue;
    if (!isBelow(part, nested.at(-1) ?? outermost)) break;
    nested.push(part);
  }
  const fit = new Set(parts);
  return nested.findLast((part) => fit.has(part) && lettersIn(part) >= wholeShare * lettersIn(outermost));
}

/** The one article in the main part, if it holds the title and nearly all the text; else the main part. */
function articleIn(main: Element, about: Survey): Element {
  const { heading } = about;
  const articles = withHeaders(about).filter((article) => heading && isBelow(heading, article));
  return innermostPart([main, ...articles], [main, ...articles], about) ?? main;
}

/** Each article, or the section around it if that holds its header. If there are several posts, none is the content. */
function withHeaders({ articles, weights }: Survey): Element[] {
  const siblings = Map.groupBy(articles, ({ parent }) => parent);
  const isPost = (article: Element) => ownLetters(weights.get(article)) > minRegionLetters;
  return articles.flatMap((article) => {
    const { parent } = article;
    const beside = siblings.get(parent) ?? [];
    if (beside.length > 1) return beside.filter(isPost).length > 1 ? [] : [article];
    if (parent === null || !isTag(parent) || parent.name !== "section") return [article];
    return parent.children.some((part) => isTag(part) && part.name === "header") ? [parent] : [article];
  });
}

/** Letters of a title with a line on its subject, at most. */
const maxTitleLetters = 600;
/** A version or a year, as in credits. */
const numbered = /\d\.\d|\b\d{4}\b/;

function isNumbered(node: ChildNode): boolean {
  return isTag(node) && numbered.test(ownText(node, 2 * maxTitleLetters));
}

/** Whether this is the smallest part of a header with a version or a year, which each release changes, and no notice. */
function isVersion(element: Element): boolean {
  return (
    isNumbered(element) && !element.children.some(isNumbered) && !saysStatus(ownText(element, 2 * maxTitleLetters))
  );
}

/** Whether the page's heading is the title of the document. */
function isTitled({ heading, title }: Survey): boolean {
  return heading !== undefined && title !== "" && ownText(heading) === title;
}

function wholePage(about: Survey, options: ChromeOptions = {}): Surroundings {
  return { survey: about, within: about.total, region: "page", options };
}

/**
 * The elements above the content from its title on, if the content has no title itself: "Module Engine", its purpose,
 * and a notice below it. If they are long, they are the site's, except a part with the title of the document: a
 * standard has its state and its versions there.
 */
function headAbove(part: Element, about: Survey): readonly Element[] {
  const { weights } = about;
  if (weights.get(part)?.titles !== 0) return [];
  const ofSite = wholePage(about);
  const head: Element[] = [];
  let letters = 0;
  let isShort = true;
  for (const above of inkedAbove(part, about)) {
    const weight = weights.get(above) ?? noWeight;
    letters += weight.letters;
    isShort &&= letters <= maxTitleLetters && weight.linked <= weight.letters / 2 && !isChrome(above, ofSite);
    head.unshift(above);
    if (weight.landmarks === 0) continue;
    if (isShort) return head;
    return isTitled(about) ? [above] : [];
  }
  return [];
}

/** The elements below the main part if one is a heading, as of references: a site puts its own headings into boxes. */
function footBelow(main: Element, about: Survey): readonly Element[] {
  const ofSite = wholePage(about);
  const isBelowMain = (part: ChildNode): part is Element => isTag(part) && isAfter(part, main);
  const below = main.parent?.children.filter(isBelowMain) ?? [];
  return below.some((element) => /^h[1-6]$/.test(element.name) && !isChrome(element, ofSite)) ? below : [];
}

/** The elements above a part, and above boxes around it that add hardly anything but menus. The nearest comes first. */
function* inkedAbove(part: Element, { weights }: Survey): Generator<Element> {
  const own = ownLetters(weights.get(part));
  for (let box = part; wholeShare * ownLetters(weights.get(box)) <= own; ) {
    for (let node = box.prev; node; node = node.prev) {
      if (isTag(node) && node.name !== "nav" && (weights.get(node)?.letters ?? 0) > 0) yield node;
    }
    if (box.parent === null || !isTag(box.parent)) return;
    box = box.parent;
  }
}

function isAmong(parent: ParentNode | null, all: ReadonlySet<Element>): boolean {
  for (let above = parent; above && isTag(above); above = above.parent) if (all.has(above)) return true;
  return false;
}

function headOf(root: ParentNode): { title?: string; language?: string } {
  let title = "";
  let language: string | undefined;
  let done = false;
  walk(root, {
    enter(element) {
      const { name, attribs } = element;
      if (name === "html") language ??= attribs.lang || attribs["xml:lang"] || undefined;
      if (name === "title") title ||= foldSpace(ownText(element));
      done ||= name === "body";
      return !done && name !== "title";
    },
  });
  return { ...(title && { title }), ...(language && { language }) };
}
