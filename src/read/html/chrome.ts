import { type Element, isTag } from "domhandler";
import { nextElementSibling, prevElementSibling } from "domutils";
import { withoutDays } from "../../language/dates.ts";
import type { Trace } from "../../model/trace.ts";
import { isFolded, isForReaders, isHidden, isLaidOver } from "./apart.ts";
import { isControl } from "./controls.ts";
import { tellsWhether } from "./inline.ts";
import { isLinkedText } from "./linked-text.ts";
import { isMark } from "./marks.ts";
import { isSlugOf, saysChrome, saysOf, saysTeaser } from "./names.ts";
import {
  isAboveRelated,
  isAdvertLabel,
  isAsked,
  isBelowRelated,
  isColophon,
  isContents,
  isCredit,
  isFamily,
  isFiled,
  isHelpOffer,
  isLanguageList,
  isLead,
  isMenu,
  isPager,
  isPanel,
  isRelated,
  isSiteBanner,
  isVersionAlert,
  isVersionBanner,
  isWayBack,
  maxPanelLetters,
  menuShare,
} from "./panels.ts";
import { ownText, type Survey, type Weight } from "./survey.ts";

/** Tells content from all around it: menus, banners, controls, hidden parts. */

const controls = new Set("title nav input textarea progress meter".split(" "));
/** Only these can be around content by their name or their shape; a paragraph by its name alone, and a row never. */
const boxes = new Set("div section aside header footer form ul ol span dl table center dialog".split(" "));
/** Of them, those of entries and rows: what a site says above its pages is none, however one of them reads. */
const lists = new Set("ul ol dl table".split(" "));

/** An element that holds more of the content's own text than this is content, whatever it is called. */
const contentShare = 0.7;
/** One that holds more than this is so where only its name or its shape says otherwise. */
const largeShare = 0.3;
/** Letters of what is hidden, or kept out of a search: more is content that is shown later. */
const maxHiddenLetters = 300;
/** Letters of dates beside a text. */
const maxDatesLetters = 60;
/** Characters of a list to choose from that are looked through for a price. */
const maxChoiceCharacters = 2_000;
/** Letters outside links and buttons in what is called a list of links, at most. */
const maxListLetters = 150;
/** Letters of a form whose name is a topic. */
const maxFormLetters = 500;
/** Letters of a box whose name is a topic, too: a longer one may be about it. */
const maxTopicLetters = 200;

export interface ChromeOptions {
  /** Teasers of other pages are the content. */
  readonly teasers?: boolean;
  /** Names say nothing of parts with paragraphs. */
  readonly unnamed?: boolean;
  readonly trace?: Trace;
}

/** The part of a page that holds its content, by what marks it: a `main`, an `article`, a name; or all of it. */
export type Region = "main" | "article" | "named" | "page";

/**
 * Whether an element is around content rather than of it. What holds a large part of the page, its main part or its
 * first heading is content, whatever it is called. `region` says what `within` is.
 */
export function isChrome(
  element: Element,
  survey: Survey,
  within: Weight,
  region: Region,
  { teasers = false, unnamed = false, trace }: ChromeOptions = {},
): boolean {
  const { name, attribs } = element;
  const inMain = region === "main" || region === "article";
  if (name === "button") return !isQuestion(element) && !price.test(ownText(element));
  if (controls.has(name)) return true;
  if (name === "select") return !price.test(ownText(element, maxChoiceCharacters));
  const weight = survey.weights.get(element);
  if (!weight || weight.letters === 0) return false;
  if (survey.siteNames.has(element) || survey.apart.has(element)) return true;
  const own = weight.letters - weight.linked;
  const share =
    (weight.core > 0 ? weight.core - weight.coreLinked : own) / Math.max(1, within.core - within.coreLinked);
  trace?.({ ...told("share of the content, to be content", element), value: share, limit: contentShare });
  // The end of the whole page is around it however much it says: of a page of links, all that stands in none.
  const isEnd = name === "footer" && !inMain && !survey.innerEnds.has(element);
  if (!inMain && isMenuBeside(element, survey, weight)) return true;
  const isAllEnd = isEnd && (weight.core === 0 || weight.letters < within.letters * (1 - contentShare));
  if (share > contentShare && !isAllEnd) return false;
  if (isTitledMenu(element, survey, weight)) return true;
  if (weight.landmarks > weight.cards) return false;
  // So are parts that are laid over the page.
  if (isEnd || isLaidOver(element)) return true;
  const listed = lists.has(name);
  if (boxes.has(name) && !listed && isOfSite(element, survey, weight)) return true;
  trace?.({
    ...told("share of the content, to be no furniture by name or shape", element),
    value: share,
    limit: largeShare,
  });
  if (share > largeShare) return false;
  if (isMark(element, weight) || isWay(element, weight)) return true;
  if (lines.has(name) && isSiteLine(element, weight)) return true;
  if (credits.has(name) && isCredit(element, weight)) return true;
  if (heads.has(name) && isAboveRelated(element, weight, (next) => survey.weights.get(next))) return true;
  if (name === "footer" || name === "aside" || attribs.role === "complementary") {
    if ((!inMain && !isRemark(element, weight)) || weight.linked > 0.6 * weight.letters) return true;
    if (isRelated(element, weight)) return true;
    return isSiteEnd(element, weight) || isDateAlone(element, weight);
  }
  if (name === "label") return isOfChoice(element) || (own < 60 && !inItem(element) && !price.test(ownText(element)));
  if (isHidden(element)) {
    trace?.({ ...told("letters of a hidden part", element), value: own, limit: maxHiddenLetters });
    if (own >= maxHiddenLetters || isFolded(element) || isUnfoldedBy(survey, element, weight)) return false;
    if (isDrawn(element, survey, weight)) return false;
    return !isSaidForIcon(element, survey, weight);
  }
  if (name === "a") return isControl(element, weight);
  // A list of links that unfolds, with the words that say so.
  if (name === "details") return weight.links > 2 && own - weight.pressed < 40 && weight.linked > 0.7 * weight.letters;
  if (name === "p") return weight.links > 0 && saysChrome(attribs.id, attribs.class, false);
  if (!boxes.has(name)) return false;
  if (trace) traceShape(element, weight, trace);
  const isSmall = (own < maxTopicLetters && weight.headings === 0) || (weight.fields > 0 && own < maxFormLetters);
  const id = isSlugOf(attribs.id, element) ? undefined : attribs.id;
  const isUnnamed = unnamed && weight.prose > 0;
  const isNamed =
    !isUnnamed &&
    saysChrome(id, attribs.class, isSmall, own - weight.pressed > Math.max(weight.linked, maxListLetters)) &&
    !(teasers && saysTeaser(element));
  if (isNamed || (own < maxHiddenLetters && isUnsearched(element))) return true;
  if (isRelated(element, weight) || isBelowRelated(element, weight)) return true;
  if (weight.cards > 0) return false;
  if (isPanel(weight)) return true;
  if (name !== "table" && isAsked(weight)) return true;
  if (name === "header" && !inMain && isSmall && weight.links > 0 && !survey.innerEnds.has(element)) return true;
  // "All known subclasses:" and a list of links is an entry of a description, not a menu.
  if (name === "dl" && own > 1) return false;
  // A title may be made of links: "engine::pump::lever".
  if (element.parent !== null && isTag(element.parent) && /^h[1-6]$/.test(element.parent.name)) return false;
  if (inMain) {
    const isBare = !listed && weight.links > 1 && own === 0;
    return isBare && !isMenu(within, 60) && !isLinkedText(element, survey, weight);
  }
  // Menus that are drawn as tables stand around what is called the content, not in it.
  if (region === "named" && name === "table") return false;
  if (isMenu(within, 60) || isNamedContent(survey, weight)) return false;
  return isColophon(weight) || (isMenu(weight, listed ? 30 : 60) && !isLinkedText(element, survey, weight));
}

/** Lines of the site in the midst of a text: to another story, to where one came from, to subjects, to an advertisement. */
function isSiteLine(element: Element, weight: Weight): boolean {
  if (weight.links === 0) return isAdvertLabel(element, weight);
  return isLead(element, weight) || isWayBack(element, weight) || isFiled(element, weight);
}

/** Elements in which whose a picture is may stand. */
const credits = new Set("p div span small cite em figcaption".split(" "));

/** Elements in which a title stands. */
const heads = new Set("h2 h3 h4 h5 h6 p div span strong".split(" "));

/** Elements of such a line or list. A cell is not among them: its row says what its links are about. */
const lines = new Set("p div ul section aside form".split(" "));

/** Ways to other pages, to this one in other languages, to its parts, and the question whether it was of help. */
function isWay(element: Element, weight: Weight): boolean {
  if (!lines.has(element.name) || weight.links + weight.buttons === 0) return false;
  return (
    isPager(element, weight) ||
    isLanguageList(element, weight) ||
    isContents(element, weight) ||
    isFamily(element, weight) ||
    isHelpOffer(element, weight)
  );
}

/** A menu, by its name and its shape, beside the page's main part: of a page of few words it is most. */
function isMenuBeside(element: Element, { weights }: Survey, weight: Weight): boolean {
  const { id, class: classes } = element.attribs;
  if (weight.landmarks > 0 || !isMenu(weight, 30) || !saysChrome(id, classes, false)) return false;
  const isMain = (beside: Element | null) => {
    const { landmarks = 0, titles = 0, letters = 0, linked = 0 } = (beside && weights.get(beside)) ?? {};
    return landmarks > titles && letters > linked;
  };
  return isMain(nextElementSibling(element)) || isMain(prevElementSibling(element));
}

/** A menu, by its name and its shape, that begins with the name of the site, where the text has a title of its own. */
function isTitledMenu({ attribs }: Element, { total }: Survey, weight: Weight): boolean {
  if (weight.titles === 0 || weight.titles === total.titles || weight.landmarks > 1) return false;
  return isMenu(weight, 30) && saysChrome(attribs.id, attribs.class, false);
}

/** Words of a site above each page, or each of an older version: more than a page has that is nearly all links. */
function isOfSite(element: Element, { weights }: Survey, weight: Weight): boolean {
  const isText = (next: Element) => (weights.get(next)?.landmarks ?? 0) > 0;
  if (isVersionBanner(element, weight) || isSiteBanner(element, weight, isText)) return true;
  return isVersionAlert(element, weight, isText);
}

/** A short text beside a long menu makes a menu of the box around both, which holds what the page calls its content. */
function isNamedContent({ total }: Survey, { named, letters, linked }: Weight): boolean {
  return named > (letters - linked) / 2 && named > total.named / 2;
}

/** Tells of all that is asked of the shape of a box. */
function traceShape(
  element: Element,
  { letters, linked, links, buttons, pressed, headings }: Weight,
  trace: Trace,
): void {
  if (headings === 0 && saysOf(`${element.attribs.class ?? ""} ${element.attribs.id ?? ""}`) === "topic") {
    trace({ ...told("letters of a box named like a topic", element), value: letters - linked, limit: maxTopicLetters });
  }
  if (links > 1) trace({ ...told("share of links in a menu", element), value: linked / letters, limit: menuShare });
  if (buttons > 1 && links === 0) {
    trace({
      ...told("letters beside the buttons of a panel", element),
      value: letters - pressed,
      limit: maxPanelLetters,
    });
  }
}

function told(threshold: string, element: Element): { threshold: string; about: string } {
  return { threshold, about: ownText(element).slice(0, 60) };
}

/** Attributes by which makers keep a part out of what is searched: they say themselves that it is not the text. */
const unsearched = [
  "data-pagefind-ignore",
  "data-nosnippet",
  "data-noindex",
  "data-search-ignore",
  "data-search-exclude",
];

function isUnsearched({ attribs }: Element): boolean {
  return unsearched.some((name) => attribs[name] !== undefined && attribs[name] !== "false");
}

const ofText = new Set("p pre ul ol dl blockquote figure".split(" "));

/** Asides between the paragraphs of a text, under no other name. */
function isRemark(element: Element, { headings }: Weight): boolean {
  const { name, attribs } = element;
  if (name !== "aside" || headings > 0 || saysChrome(attribs.id, attribs.class, true)) return false;
  return ofText.has(prevElementSibling(element)?.name ?? "");
}

/** A footer within the main part that is the site's all the same. */
function isSiteEnd({ name, attribs }: Element, weight: Weight): boolean {
  const isSmall = weight.letters - weight.linked < maxTopicLetters;
  return (
    name === "footer" && (weight.rights > 0 || (!weight.headings && saysChrome(attribs.id, attribs.class, isSmall)))
  );
}

/** When the page was made and edited, and where the pictures of its writers lead: beside its text, and nothing but that. */
function isDateAlone(element: Element, { letters, linked, links, headings }: Weight): boolean {
  if (letters > maxDatesLetters || linked > 0 || headings > 0) return false;
  const rest = withoutDays(ownText(element), " ").trim();
  return rest === "" || (links > 0 && /^\p{L}{1,12}$/u.test(rest));
}

/** The question of an accordion is a button that is all of a heading; beside a heading's words it is a control. */
function isQuestion(element: Element): boolean {
  const { parent } = element;
  return parent !== null && isTag(parent) && /^h[1-6]$/.test(parent.name) && ownText(parent) === ownText(element);
}

/** Whether a label is of a list to choose from, however much it says of how to use that, and names no price. */
function isOfChoice(label: Element): boolean {
  const isBeside = nextElementSibling(label)?.name === "select";
  if (!isBeside && !label.children.some((one) => isTag(one) && one.name === "select")) return false;
  return !price.test(ownText(label));
}

function inItem({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && (parent.name === "li" || parent.name === "td");
}

const formula = /(?:^|[\s_-])(?:katex|mathjax|math|formula|equation)(?:$|[\s_-])/i;

/** A formula that is drawn for those who see it, and all that is said of it: nothing beside it is for the others. */
function isDrawn({ attribs, parent }: Element, { weights }: Survey, { letters }: Weight): boolean {
  if (attribs["aria-hidden"] !== "true" || parent === null || !isTag(parent)) return false;
  return formula.test(parent.attribs.class ?? "") && weights.get(parent)?.letters === letters;
}

/** The meaning of an icon for people who do not see it: the whole text of a cell, or whether something applies. */
function isSaidForIcon(element: Element, { weights }: Survey, { letters }: Weight): boolean {
  if (!isForReaders(element) || element.attribs["aria-hidden"] === "true") return false;
  for (let above = element.parent; above && isTag(above); above = above.parent) {
    if (above.name === "td" || above.name === "th") return weights.get(above)?.letters === letters;
    if (above.name === "li") return tellsWhether(ownText(element));
  }
  return false;
}

/** A control with a price says more than what it does. */
const price = /[$€£¥₹]\s?\d|\d\s?(?:€|£|¥|₹|USD|EUR|GBP)(?!\w)/;

/** A button tells that it unfolds this; menus and forms are unfolded, too. */
function isUnfoldedBy({ unfolded }: Survey, { attribs }: Element, weight: Weight): boolean {
  const isText = weight.linked < weight.letters / 2 && weight.fields + weight.buttons === 0;
  return isText && attribs.id !== undefined && unfolded.has(attribs.id);
}
