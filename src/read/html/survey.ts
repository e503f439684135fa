import { type Element, isTag, type ParentNode } from "domhandler";
import { saysRights } from "../../language/boilerplate.ts";
import { downloadIn } from "../shared/address.ts";
import { apartOf, isBeside, minAnswered, type Reason } from "./apart.ts";
import { saysContent, saysReply, saysTeaser } from "./names.ts";
import { elementsIn, foldSpaces, OfElements, ownText, walk } from "./tree.ts";

/** How much text an element has, in characters without white space. */
export class Weight {
  letters = 0;
  /** How many of them are in links and buttons. */
  linked = 0;
  /** Letters of the page's own text: those outside parts that are set apart. */
  core = 0;
  /** How many of them are in links and buttons. */
  coreLinked = 0;
  /** Letters in paragraphs and outside links, except in overlays and readers' comments. */
  prose = 0;
  /** Letters of the page's own text in parts that are named teasers. */
  teased = 0;
  beside = 0;
  links = 0;
  /** How many of `links` lead to downloads. */
  files = 0;
  /** The number of `main` and `article` elements and the first `h1` in it, including itself. */
  landmarks = 0;
  /** How many of `landmarks` are short articles, such as teasers, or forms. */
  cards = 0;
  /** Texts with a copyright sign, or that reserve all rights. */
  rights = 0;
  buttons = 0;
  digits = 0;
  /** Letters within buttons and labels. */
  pressed = 0;
  headings = 0;
  /** How many of `headings` are mostly links. */
  linkedHeadings = 0;
  /** How many of `headings` are `h1`. */
  titles = 0;
  /** Cells that head a row or column of a table. */
  heads = 0;
  /** Letters in code outside links. Names in code may be links. */
  coded = 0;
  listings = 0;
  /** Texts beside links with signs that only occur in code. */
  signs = 0;
  fields = 0;
  replies = 0;
}

/** Letters outside links, without parts that are set apart. */
export function ownLetters(weight: Weight | undefined): number {
  return weight ? weight.core - weight.coreLinked : 0;
}

export interface Survey {
  readonly weights: OfElements<Weight>;
  readonly total: Weight;
  readonly title: string;
  /** Tables for layout: their cells hold tables, headings or whole articles, or a listing with its line numbers. */
  readonly layout: ReadonlySet<Element>;
  readonly mains: readonly Element[];
  readonly articles: readonly Element[];
  /** The first heading of the first level below the header of the page. */
  readonly heading: Element | undefined;
  /** Parts whose names say content, body or article, outermost first. */
  readonly contents: readonly Element[];
  /** Headers and footers of an article, a section or the main part, not of the page. */
  readonly innerEnds: ReadonlySet<Element>;
  /** Ids of the parts that buttons fold and unfold. */
  readonly unfolded: ReadonlySet<string>;
  /** Parts that are never the page's text: overlays and readers' comments. */
  readonly apart: ReadonlySet<Element>;
  readonly reasons: ReadonlySet<Reason>;
}

/** A plain object, as its copies are made much faster than those of a class. */
export const noWeight: Readonly<Weight> = { ...new Weight() };

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const sectioning = new Set(["article", "main", "section"]);
/** Classes of listings that are not a `pre`. */
const listingName = /(?:^|\s)(?:fragment|code-?listing|code-?block|source-?code)(?:$|\s)/i;
const codeSigns = /[{}=]|\(\)|\);/;

/** What is set apart, from most to none; letters outside links that must remain; reasons that no longer apply. */
const settings = [
  ["beside", 300, []],
  // A page may have the name of a side box.
  ["around", 300, ["beside"]],
  // A page may show its text later, or be a discussion.
  ["over", 100, ["talk", "around"]],
  // A wall is a dialog and nothing else.
  ["nothing", 0, ["over", "menu"]],
] as const;

export type Setting = (typeof settings)[number][0];

/** Measures a whole page once, so that rules can judge single elements. */
export function survey(root: ParentNode): Survey {
  const [[first, enough], ...others] = settings;
  let about = surveyOnce(root, first);
  let least: number = Math.max(enough, about.total.beside);
  for (const [setting, letters, lapsed] of others) {
    const { core, coreLinked } = about.total;
    if (core - coreLinked >= least) break;
    // If no part was set apart for these reasons, another pass would give the same result.
    if (lapsed.some((reason) => about.reasons.has(reason))) about = surveyOnce(root, setting);
    least = letters;
  }
  return about;
}

function surveyOnce(root: ParentNode, setting: Setting): Survey {
  const weights = new OfElements<Weight>();
  const layout = new Set<Element>();
  const mains: Element[] = [];
  const articles: Element[] = [];
  const contents: Element[] = [];
  const innerEnds = new Set<Element>();
  const unfolded = new Set<string>();
  const apart = new Set<Element>();
  const reasons = new Set<Reason>();
  /** For each open element, how many mains, articles and contents began before it: three numbers each. */
  const before: number[] = [];
  const headers: boolean[] = [false];
  const tables: Element[] = [];
  const total: Weight = { ...noWeight };
  const open: Weight[] = [total];
  let title = "";
  let heading: Element | undefined;
  let links = 0;
  let pressables = 0;
  let codes = 0;
  let paragraphs = 0;
  /** All side boxes so far, and how many of them are open. */
  const beside = new Set<Element>();
  let besides = 0;
  let sections = 0;
  let footers = 0;
  const isInHeader = () => headers[headers.length - 1] === true;
  walk(root, {
    enter(element) {
      const name = element.name;
      before.push(mains.length, articles.length, contents.length);
      const table = tables.at(-1);
      if (table && (name === "table" || headings.has(name))) layout.add(table);
      if (name === "table") {
        tables.push(element);
        if (element.attribs.role === "presentation" || element.attribs.role === "none") layout.add(element);
      }
      if (name === "footer") footers++;
      // Authors take the name for any row of a page.
      const main = (name === "main" || element.attribs.role === "main") && footers === 0;
      if (main) mains.push(element);
      if (name === "article") articles.push(element);
      if (isBeside(element)) beside.add(element);
      if (beside.has(element)) besides++;
      if (besides === 0 && regions.has(name) && saysContent(element)) contents.push(element);
      if (isLink(element)) links++;
      if (name === "button" || name === "label") pressables++;
      if (name === "p") paragraphs++;
      if (links === 0 && isCode(element)) codes++;
      if (sections > 0 && (name === "header" || name === "footer")) innerEnds.add(element);
      if (sectioning.has(name)) sections++;
      const { "aria-expanded": expanded, "aria-controls": controls } = element.attribs;
      if (expanded !== undefined && controls) unfolded.add(controls);
      const isTitle = name === "h1" && !heading;
      const landmark = main || name === "article" || isTitle;
      const weight = ownWeight(element, links > 0);
      if (landmark) weight.landmarks = 1;
      weights.set(element, weight);
      open.push(weight);
      headers.push(isHeader(element) ?? isInHeader());
      return true;
    },
    text(data) {
      const top = open[open.length - 1] ?? total;
      const letters = addInk(top, data);
      if (letters === 0) return;
      if (links > 0) top.linked += letters;
      if (links > 0) top.coreLinked += letters;
      else if (paragraphs > 0) top.prose += letters;
      if (pressables > 0) top.pressed += letters;
      if (codes > 0) top.coded += letters;
      if (links === 0 && codeSigns.test(data)) top.signs++;
      if (data.includes("©") || saysRights(foldSpaces(data))) top.rights++;
    },
    leave(element) {
      const weight = open.pop() ?? total;
      headers.pop();
      if (element.name === "title") title ||= ownText(element);
      if (element.name === "h1") {
        const inHeader = isInHeader();
        if (isSiteName(element, weight, { title, inHeader })) weight.landmarks = 0;
        if (weight.landmarks > 0 && weight.letters > 0 && !inHeader) heading ??= element;
      }
      if (headings.has(element.name) && weight.linked > weight.letters / 2) weight.linkedHeadings = 1;
      if (isReply(element, weight)) weight.replies = 1;
      if (isCard(element, weight)) weight.cards = weight.landmarks;
      const contentsBefore = before.pop() ?? 0;
      const articlesBefore = before.pop() ?? 0;
      const mainsBefore = before.pop() ?? 0;
      const why = apartOf(element, weight, {
        setting,
        isOfPage: !innerEnds.has(element),
        isBeside: beside.has(element),
        holdsMain: mains.length > mainsBefore,
        answered: answeredIn(element, weight, weights),
      });
      if (why) {
        reasons.add(why);
        if (why === "beside") weight.beside += weight.core - weight.coreLinked;
        weight.core = 0;
        weight.coreLinked = 0;
        weight.teased = 0;
        if (why === "talk") weight.cards = weight.landmarks;
        if (why === "talk" || why === "over") {
          weight.prose = 0;
          apart.add(element);
        }
        mains.length = mainsBefore;
        articles.length = articlesBefore;
        contents.length = contentsBefore;
      }
      if (weight.core > 0 && saysTeaser(element)) weight.teased = weight.core;
      addTo(open[open.length - 1] ?? total, weight);
      if (isLink(element)) links--;
      if (element.name === "button" || element.name === "label") pressables--;
      if (element.name === "p") paragraphs--;
      if (element.name === "footer") footers--;
      if (beside.has(element)) besides--;
      if (links === 0 && isCode(element)) codes--;
      if (sectioning.has(element.name)) sections--;
      if (element.name === "table") {
        tables.pop();
        if (weight.listings > 0 && weight.coded + weight.linked >= weight.letters) layout.add(element);
      }
      if ((element.name === "td" || element.name === "th") && weight.letters > 1500) {
        const table = tables.at(-1);
        if (table) layout.add(table);
      }
    },
  });
  return {
    ...{ weights, total, title, heading, layout, mains, articles, contents },
    ...{ innerEnds, unfolded, apart, reasons },
  };
}

function ownWeight(element: Element, isInLink: boolean): Weight {
  const { name, attribs } = element;
  const weight: Weight = { ...noWeight };
  if (isLink(element)) weight.links = 1;
  if (isLink(element) && downloadIn(attribs.href ?? "") !== undefined) weight.files = 1;
  if (name === "button") weight.buttons = 1;
  if (headings.has(name)) weight.headings = 1;
  if (name === "h1") weight.titles = 1;
  if (name === "th") weight.heads = 1;
  if (name === "pre" && !isInLink) weight.listings = 1;
  if (isField(element)) weight.fields = 1;
  return weight;
}

/** Adds the visible characters of a text, and the digits among them, to a weight; returns how many are visible. */
function addInk(weight: Weight, text: string): number {
  let letters = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32) continue;
    letters++;
    if (code >= 48 && code <= 57) digits++;
  }
  weight.letters += letters;
  weight.core += letters;
  weight.digits += digits;
  return letters;
}

/** Adds the weight of an element to that of its parent. Written out for speed: it runs for every element. */
function addTo(above: Weight, weight: Weight): void {
  above.letters += weight.letters;
  above.linked += weight.linked;
  above.core += weight.core;
  above.coreLinked += weight.coreLinked;
  above.prose += weight.prose;
  above.teased += weight.teased;
  above.beside += weight.beside;
  above.links += weight.links;
  above.files += weight.files;
  above.landmarks += weight.landmarks;
  above.cards += weight.cards;
  above.rights += weight.rights;
  above.buttons += weight.buttons;
  above.digits += weight.digits;
  above.pressed += weight.pressed;
  above.headings += weight.headings;
  above.linkedHeadings += weight.linkedHeadings;
  above.titles += weight.titles;
  above.heads += weight.heads;
  above.coded += weight.coded;
  above.listings += weight.listings;
  above.signs += weight.signs;
  above.fields += weight.fields;
  above.replies += weight.replies;
}

function isCode(element: Element): boolean {
  return element.name === "code" || isListing(element);
}

/** A listing of code: a `pre`, or a box that its class calls so. */
export function isListing({ name, attribs }: Element): boolean {
  return name === "pre" || (name === "div" && attribs.class !== undefined && listingName.test(attribs.class));
}

/** Without an address it is a place that others lead to, often around all of a text. A heading may lead to itself. */
function isLink({ name, attribs: { href }, parent }: Element): boolean {
  if (name !== "a" || href === undefined) return false;
  return !href.startsWith("#") || parent === null || !isTag(parent) || !headings.has(parent.name);
}

const regions = new Set(["div", "section", "td"]);

/** An article with more letters outside links has its own content. */
const maxCardLetters = 300;
/** The same for an article with a form, which may explain how the data is used. */
const maxFormLetters = 1_000;

function isCard({ name }: Element, { letters, linked, titles, landmarks, fields }: Weight): boolean {
  if (name !== "article" || landmarks !== 1 || titles > 0) return false;
  return letters - linked < (fields > 0 ? maxFormLetters : maxCardLetters);
}

const repliers = new Set(["a", "button", "li", "span", "div"]);
const maxReplyLetters = 40;

/** Whether it is a link to the reply form. */
function isReply({ name, attribs }: Element, { letters, replies }: Weight): boolean {
  if (replies > 0 || letters === 0 || letters > maxReplyLetters || !repliers.has(name)) return false;
  return attribs.class !== undefined && saysReply(attribs.class);
}

/** How many of an element's children have a reply link; 0 if most do not. */
function answeredIn({ children }: Element, { replies }: Weight, weights: OfElements<Weight>): number {
  if (replies < minAnswered) return 0;
  const texts = children.filter(isTag).filter((child) => (weights.get(child)?.letters ?? 0) > 0);
  const answered = texts.filter((child) => (weights.get(child)?.replies ?? 0) > 0).length;
  return answered > texts.length / 2 ? answered : 0;
}

/** Inputs that are not for text. */
const untyped = /^(?:checkbox|radio|hidden|submit|reset|button|image|file|range|color)$/i;

function isField({ name, attribs }: Element): boolean {
  return name === "textarea" || (name === "input" && !untyped.test(attribs.type ?? ""));
}

/** The address of a site's root, perhaps with a language. */
export const siteRoot = /^(?:https?:\/\/[^/]+)?(?:\/|(?:\.\.?\/)+)?(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:index\.\w{3,5})?$/i;

/** A heading that is only a link to the site's root, at the head of the page or within its title: the site's name. */
function isSiteName(
  element: Element,
  { letters, linked, links }: Weight,
  { title, inHeader }: { title: string; inHeader: boolean },
): boolean {
  if (links !== 1 || letters !== linked) return false;
  const href = elementsIn(element, "a")[0]?.attribs.href;
  if (!href || !siteRoot.test(href)) return false;
  const names = title.split(/ [|·•:–—-] /).slice(1);
  return inHeader || names.includes(ownText(element));
}

/** Whether a header or the content begins with an element; undefined if neither does. */
function isHeader({ name, attribs }: Element): boolean | undefined {
  if (name === "article" || name === "main") return false;
  return name === "header" || attribs.role === "banner" || undefined;
}
