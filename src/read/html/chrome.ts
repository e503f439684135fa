import { type Element, isTag } from "domhandler";
import { prevElementSibling } from "domutils";
import { wordSet } from "../../model/cache.ts";
import type { NamedRule, Trace } from "../../model/heuristics.ts";
import { isFolded, isForReaders, isHidden } from "./apart.ts";
import { hasField, isControl, isInItem, isQuestion } from "./controls.ts";
import { isYesOrNo } from "./inline.ts";
import { isLinkedText, isListOfPlaces } from "./linked-text.ts";
import { isMark } from "./marks.ts";
import { holdsTooltip, isSlugOf, isUnsearched, saysChrome, saysOf, saysTeaser } from "./names.ts";
import { isColophon, isMenu, isRelated, isSmallForm, menuShare } from "./panels.ts";
import { noWeight, ownLetters, type Survey, type Weight } from "./survey.ts";
import { isBelow } from "./tail.ts";
import { elementsIn, isAfter, ownText } from "./tree.ts";

/** Decides which elements of a page are boilerplate: menus, banners, controls, hidden parts. */

const boxes = wordSet("div section aside header footer form ul ol span dl table center dialog");
const lists = wordSet("ul ol dl table");
/** A site banner is never a list or a table. */
const plainBoxes = boxes.difference(lists);

/** An element with more than this share of the text is content, unless its element or role says otherwise. */
const largeShare = 0.3;
/** With a smaller share of its letters in links, a page is a text, and its cards are teasers. */
const textShare = 0.1;
/** Characters of a list of choices that are searched for a price. */
const maxChoiceCharacters = 2_000;
/** A part whose name says it is a list of links is text if it has paragraphs, and more letters outside links and buttons. */
const maxListLetters = 150;
/** A form whose name may be a topic is content if it has more letters. */
const maxFormLetters = 500;
/** A box whose name may be a topic is content if it has more letters. */
const maxTopicLetters = 200;

export interface ChromeOptions {
  /** Teasers of other pages are the content. */
  readonly teasers?: boolean;
  /** Parts with paragraphs are not judged by their names. */
  readonly unnamed?: boolean;
  readonly trace?: Trace;
}

/** How the part of a page with its content was found: a `main`, an `article`, a name, the title; or the whole page. */
export type Region = "main" | "article" | "named" | "titled" | "page";

/** What the rules ask about the page and its content. */
export interface Surroundings {
  readonly survey: Survey;
  /** The weight of the content's region. */
  readonly within: Weight;
  readonly region: Region;
  readonly options: ChromeOptions;
}

/** An element that may be boilerplate, with everything that the rules ask about it. */
type Part = ReturnType<typeof partOf>;

interface ChromeRule extends NamedRule<Part> {
  readonly says: "boilerplate" | "content";
  /** The elements that it applies to; all if missing. */
  readonly elements?: ReadonlySet<string>;
}

/** The first rule that applies to an element says what it is; undefined if none applies, which means content. */
export function chromeRuleOf(element: Element, around: Surroundings): ChromeRule | undefined {
  const part = partOf(element, around);
  return (rulesOf.get(part.name) ?? otherRules).find((rule) => rule.applies(part));
}

export function isChrome(element: Element, around: Surroundings): boolean {
  return chromeRuleOf(element, around)?.says === "boilerplate";
}

/** `own`: letters outside links. */
function partOf(element: Element, { survey, within, region, options }: Surroundings) {
  const weight = survey.weights.get(element) ?? noWeight;
  const inMain = region === "main" || region === "article";
  const own = weight.letters - weight.linked;
  const { name } = element;
  return { element, name, survey, weight, within, region, inMain, own, isHidden: isHidden(element), options };
}

const heads = wordSet("h2 h3 h4 h5 h6 p div span strong");

/** Parts that are named content, and that are looked for in a box, at most. */
const mostNamed = 20;

export const chromeRules: readonly ChromeRule[] = [
  {
    id: "question-button",
    reason: "An accordion's question is a button that fills its heading.",
    says: "content",
    elements: wordSet("button"),
    applies: ({ element }) => isQuestion(element),
  },
  {
    id: "priced",
    reason: "A control with a price is information.",
    says: "content",
    elements: wordSet("button select"),
    applies: ({ element }) => price.test(ownText(element, maxChoiceCharacters)),
  },
  {
    id: "control",
    reason: "Menus and controls are not text, and the title is read separately.",
    says: "boilerplate",
    elements: wordSet("button select title nav input textarea progress meter"),
    applies: () => true,
  },
  {
    id: "set-apart",
    reason: "Dialogs and readers' comments are never the page's text.",
    says: "boilerplate",
    applies: ({ element, survey }) => survey.apart.has(element),
  },
  {
    id: "named-menu",
    reason: "A part that its name and its shape call a menu is one, however much text it has.",
    says: "boilerplate",
    elements: boxes,
    applies: isNamedMenu,
  },
  {
    id: "landmark",
    reason: "A part that holds the main part, an article or the title is content.",
    says: "content",
    applies: ({ weight }) => weight.landmarks > weight.cards,
  },
  {
    id: "page-ends",
    reason: "A footer of the page belongs to the site, or one that says so. So does a header of links or set apart.",
    says: "boilerplate",
    elements: wordSet("header footer"),
    applies: isPageEnd,
  },
  {
    id: "related",
    reason: "A list of other pages, with its title, is the site's choice and changes every day.",
    says: "boilerplate",
    elements: new Set([...boxes, ...heads]),
    applies: ({ element, survey, weight }) => isRelated(element, weight, survey),
  },
  {
    id: "large-share",
    reason: "Names and shapes are not trusted on a part with much of the page's own text.",
    says: "content",
    applies: isLargeShare,
  },
  {
    id: "mark",
    reason: "Generators add marks to a text: line numbers, note numbers, counters, links to edit.",
    says: "boilerplate",
    applies: ({ element, weight }) => isMark(element, weight),
  },
  {
    id: "aside",
    reason: "A part that is marked as a side box, or is mostly links, is not the text.",
    says: "boilerplate",
    applies: (part) => {
      const { element, name, weight, inMain } = part;
      if (name !== "footer" && name !== "aside" && element.attribs.role !== "complementary") return false;
      const isInText = inMain || isInNamed(part) || isRemark(element, weight);
      return !isInText || weight.linked > 0.6 * weight.letters;
    },
  },
  {
    id: "short-label",
    reason: "A short label names a field of a form.",
    says: "boilerplate",
    elements: wordSet("label"),
    applies: ({ element, weight, own }) =>
      own < 60 && hasField(element, weight) && !isInItem(element) && !price.test(ownText(element)),
  },
  {
    id: "folded",
    reason: "Folded content is content: another tab, the answer below a question.",
    says: "content",
    applies: ({ element, survey, weight, isHidden }) =>
      isHidden && (isFolded(element) || isUnfoldedBy(survey, element, weight)),
  },
  {
    id: "icon-text",
    reason: "The hidden meaning of an icon can be all that a cell says.",
    says: "content",
    applies: ({ element, survey, weight, isHidden }) => isHidden && isSaidForIcon(element, survey, weight),
  },
  {
    id: "hidden",
    reason: "Readers do not see hidden parts.",
    says: "boilerplate",
    applies: ({ isHidden }) => isHidden,
  },
  {
    id: "control-link",
    reason: "A link that only works on the page is a control: skip, edit, print, expand.",
    says: "boilerplate",
    elements: wordSet("a"),
    applies: ({ element, weight }) => isControl(element, weight),
  },
  {
    id: "folded-links",
    reason: "A folded list of places on the page is its list of contents.",
    says: "boilerplate",
    elements: wordSet("details"),
    applies: ({ element, weight }) => weight.linked > 0.7 * weight.letters && isListOfPlaces(element),
  },
  {
    id: "not-a-box",
    reason: "Only boxes and lists are judged by their names and shapes.",
    says: "content",
    applies: ({ name }) => !boxes.has(name),
  },
  {
    id: "name",
    reason: "Its name says menu, banner or teaser, or the site excludes it from search.",
    says: "boilerplate",
    applies: isNamedChrome,
  },
  {
    id: "cards",
    reason: "A list of pages with linked titles, below the title, is not a menu, unless the page is a text.",
    says: "content",
    applies: ({ element, survey: { heading }, weight, within }) =>
      weight.headings > 0 &&
      weight.linkedHeadings === weight.headings &&
      within.linked > textShare * within.letters &&
      !!heading &&
      isAfter(element, heading),
  },
  {
    id: "asked",
    reason: "A few words around an input field are a form.",
    says: "boilerplate",
    elements: new Set([...boxes].filter((name) => name !== "table")),
    applies: ({ weight }) => isSmallForm(weight),
  },
  {
    id: "description",
    reason: 'A term with links ("All known subclasses:") is an entry of a description.',
    says: "content",
    elements: wordSet("dl"),
    applies: ({ own }) => own > 1,
  },
  {
    id: "main-links",
    reason: "A box with nothing but links is a menu above the title, and teasers below a text if it has headings.",
    says: "boilerplate",
    elements: plainBoxes,
    applies: ({ element, survey, weight, within, own }) =>
      weight.links > 1 &&
      own === 0 &&
      ((weight.headings > 0 && within.linked <= textShare * within.letters) ||
        (!!survey.heading && !isAfter(element, survey.heading))) &&
      !isLinkedText(element, survey, weight),
  },
  {
    id: "colophon",
    reason: "The end of a page that names its owner among links belongs to the site.",
    says: "boilerplate",
    applies: ({ weight }) => isColophon(weight),
  },
  {
    id: "main",
    reason: "Anything else within the main part is content, or below the title of a part that is named content.",
    says: "content",
    applies: (part) => {
      const { name, element, region, survey, inMain } = part;
      const holdsList = () => ["ul", "ol", "table"].some((list) => elementsIn(element, list).length > 0);
      const isNamed = isInNamed(part) || (region === "named" && !survey.heading && holdsList());
      return inMain || ((isNamed || (lists.has(name) && region !== "page")) && !isListOfPlaces(element));
    },
  },
  {
    id: "page-of-links",
    reason: "On a page of links, a list of links is content.",
    says: "content",
    applies: ({ within }) => isMenu(within, 60),
  },
  {
    id: "named-content",
    reason: "A box around a long menu and the part that is named content is content.",
    says: "content",
    applies: ({ element, survey: { contents, weights }, own }) =>
      contents.slice(0, mostNamed).some((part) => isBelow(part, element) && ownLetters(weights.get(part)) > own / 2),
  },
  {
    id: "menu",
    reason: "A part that is mostly short links is a menu.",
    says: "boilerplate",
    applies: ({ element, name, survey, weight }) =>
      isMenu(weight, lists.has(name) ? 30 : 60) && !isLinkedText(element, survey, weight),
  },
];

const rulesFor = (name: string) => chromeRules.filter(({ elements }) => !elements || elements.has(name));
/** The rules for each element name, so that most elements are tested against few rules. */
const rulesOf: ReadonlyMap<string, readonly ChromeRule[]> = new Map(
  [...boxes, ...chromeRules.flatMap(({ elements = [] }) => [...elements])].map((name) => [name, rulesFor(name)]),
);
const otherRules = rulesFor("");

function isLargeShare({ element, weight, within, own, isHidden, options: { trace } }: Part): boolean {
  // If much of the text is hidden, a script unfolds it, as the rest would say too little.
  const letters = isHidden && weight.core === 0 ? own : ownLetters(weight);
  const share = letters / Math.max(1, ownLetters(within));
  trace?.({
    ...decision("share of the content, to be no furniture by name or shape", element),
    value: share,
    limit: largeShare,
  });
  return share > largeShare;
}

/** Whether it is below the title, in a part that is named content. */
function isInNamed({ element, region, survey: { heading } }: Part): boolean {
  return region === "named" && !!heading && isAfter(element, heading);
}

function isPageEnd(part: Part): boolean {
  const { element, name, survey, weight, inMain } = part;
  const isInner = survey.innerEnds.has(element);
  if (name === "footer") return !isInner || isSiteEnd(part);
  return !isInner && !inMain && (weight.core === 0 || (weight.headings === 0 && ownLetters(weight) <= weight.pressed));
}

/** Few words: then even a name that may be a topic is sign enough. */
function isSmall({ weight, own }: Part): boolean {
  return (own < maxTopicLetters && weight.headings === 0) || (weight.fields > 0 && own < maxFormLetters);
}

function isNamedChrome(part: Part): boolean {
  const { element, weight, own, options } = part;
  const { teasers = false, unnamed = false, trace } = options;
  if (trace) traceShape(element, weight, trace);
  if ((unnamed && weight.prose > 0) || holdsTooltip(element)) return false;
  const isText = weight.prose > 0 && own - weight.pressed > Math.max(weight.linked, maxListLetters);
  const isNamed = saysChrome(element, isSmall(part), isText, isSlugOf);
  return (isNamed && !(teasers && saysTeaser(element))) || (isSmall(part) && isUnsearched(element));
}

/** Whether its name and its shape call it a menu. It may begin with the site's name if the text has a title of its own. */
function isNamedMenu({ element, survey: { total }, weight, options: { teasers } }: Part): boolean {
  const { landmarks, titles } = weight;
  if (landmarks > 1 || (landmarks === 1 && (titles === 0 || titles === total.titles))) return false;
  return isMenu(weight, 30) && saysChrome(element, false) && !(teasers && saysTeaser(element));
}

function traceShape(element: Element, { letters, linked, links, headings }: Weight, trace: Trace): void {
  if (headings === 0 && saysOf(`${element.attribs.class ?? ""} ${element.attribs.id ?? ""}`) === "topic") {
    trace({
      ...decision("letters of a box named like a topic", element),
      value: letters - linked,
      limit: maxTopicLetters,
    });
  }
  if (links > 1) trace({ ...decision("share of links in a menu", element), value: linked / letters, limit: menuShare });
}

function decision(threshold: string, element: Element): { threshold: string; about: string } {
  return { threshold, about: ownText(element).slice(0, 60) };
}

const ofText = wordSet("p pre ul ol dl blockquote figure table h1 h2 h3 h4 h5 h6");

/** An aside within a text, or below its heading, whose name says nothing else. */
function isRemark(element: Element, { headings }: Weight): boolean {
  if (element.name !== "aside" || headings > 0 || saysChrome(element, true)) return false;
  return ofText.has(prevElementSibling(element)?.name ?? "");
}

/** A footer of the site, although it is within the main part: it has a copyright line or the name. */
function isSiteEnd(part: Part): boolean {
  const { element, weight } = part;
  return weight.rights > 0 || (!weight.headings && saysChrome(element, isSmall(part)));
}

/** Text for screen readers that says what an icon means: all the text of its cell, or whether something applies. */
function isSaidForIcon(element: Element, { weights }: Survey, { letters }: Weight): boolean {
  if (!isForReaders(element) || element.attribs["aria-hidden"] === "true") return false;
  for (let above = element.parent; above && isTag(above); above = above.parent) {
    if (above.name === "td" || above.name === "th") return weights.get(above)?.letters === letters;
    if (above.name === "li") return isYesOrNo(ownText(element));
  }
  return false;
}

const price = /[$€£¥₹]\s?\d|\d\s?(?:€|£|¥|₹|USD|EUR|GBP)(?!\w)/;

/** A button unfolds this part. It may still be a menu or a form. */
function isUnfoldedBy({ unfolded }: Survey, { attribs }: Element, weight: Weight): boolean {
  const isText = weight.linked < weight.letters / 2 && weight.fields + weight.buttons === 0;
  return isText && attribs.id !== undefined && unfolded.has(attribs.id);
}
