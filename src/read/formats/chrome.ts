import { type Element, isTag, type ParentNode } from "domhandler";
import type { Trace } from "../../model/trace.ts";
import { walk } from "./blocks.ts";

/** Tells content from all around it: menus, banners, controls, hidden parts. */

const controls = new Set("head title nav input select textarea progress meter".split(" "));
const roles = new Set(
  "navigation search dialog alertdialog menu menubar listbox combobox searchbox tooltip status timer log marquee progressbar contentinfo".split(
    " ",
  ),
);
/** Only these can be around content by their name or their shape; a paragraph or a row never is. */
const boxes = new Set("div section aside header footer form ul ol span dl table center dialog".split(" "));

/** An element that holds more of the content's own text than this is content, whatever it is called. */
const contentShare = 0.7;
/** One that holds more than this is so where only its name or its shape says otherwise. */
const largeShare = 0.3;
/** Of a menu more than this stands in links. */
const menuShare = 0.66;
/** Letters beside the buttons of a panel, at most. */
const maxPanelLetters = 60;
/** Letters of what is hidden: more is content that is shown later. */
const maxHiddenLetters = 300;
/** Letters of a box whose name is a topic, too: a longer one may be about it. */
const maxTopicLetters = 200;

/**
 * Whether an element is around content rather than of it. What holds a large part of the page, its main part or its
 * first heading is content, whatever it is called. `inMain`: `within` is the page's main part, not all of it.
 */
export function isChrome(element: Element, survey: Survey, within: Weight, inMain: boolean, trace?: Trace): boolean {
  const { name, attribs } = element;
  if (name === "button") return !inHeading(element);
  if (controls.has(name)) return true;
  const weight = survey.weights.get(element);
  if (!weight || weight.letters === 0) return false;
  const own = weight.letters - weight.linked;
  const share = own / Math.max(1, within.letters - within.linked);
  trace?.({ ...told("share of the content, to be content", element), value: share, limit: contentShare });
  if (weight.landmarks > 0 || share > contentShare) return false;
  // Parts that are laid over the page, and the end of the whole page, are around it however much they say.
  if (name === "dialog" || (attribs.role && roles.has(attribs.role)) || saysConsent(attribs)) return true;
  if (name === "footer" && !inMain && !inArticle(element)) return true;
  trace?.({
    ...told("share of the content, to be no furniture by name or shape", element),
    value: share,
    limit: largeShare,
  });
  if (share > largeShare) return false;
  if (isLineNumber(element, weight) || (name === "a" && (isPermalink(element) || isEditLink(element, weight))))
    return true;
  if (name === "footer" || name === "aside") return !inMain || weight.linked > 0.6 * weight.letters;
  if (name === "label") return own < 60 && !inItem(element);
  if (isHidden(element)) {
    trace?.({ ...told("letters of a hidden part", element), value: own, limit: maxHiddenLetters });
    return own < maxHiddenLetters && !isFolded(element);
  }
  if (name === "a") return /\bskip(?:-|_|link|to)/i.test(attribs.class ?? "");
  // A list of links that unfolds, with the words that say so.
  if (name === "details") return weight.links > 2 && own - weight.pressed < 40 && weight.linked > 0.7 * weight.letters;
  if (!boxes.has(name)) return false;
  if (trace) traceShape(element, weight, trace);
  if (saysChrome(attribs.id, attribs.class, own < maxTopicLetters && weight.headings === 0)) return true;
  if (isPanel(weight)) return true;
  // "All known subclasses:" and a list of links is an entry of a description, not a menu.
  if (name === "dl" && own > 8) return false;
  const listed = name === "ul" || name === "ol" || name === "dl" || name === "table";
  if (inMain) return !listed && weight.links > 1 && own === 0 && !isMenu(within, 60);
  return !isMenu(within, 60) && (isMenu(weight, listed ? 30 : 60) || isColophon(weight));
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
  return { threshold, about: textOf(element).slice(0, 60) };
}

/** Names of what numbers the lines of a listing. */
const lineNumbers =
  /(?:^|[\s_-])(?:linenos?|line-?numbers?|lnt?|lntable-num|gutter|hljs-ln-(?:n|numbers)|blob-num)(?:$|[\s_-])/i;

/** Nothing but figures: whole listings are marked as numbered, too. */
function isLineNumber({ attribs }: Element, { letters, digits }: Weight): boolean {
  return letters === digits && attribs.class !== undefined && lineNumbers.test(attribs.class);
}

/** A link that leads to the heading or line that it stands at. */
function isPermalink({ attribs }: Element): boolean {
  if (!attribs.href?.includes("#")) return false;
  return /(?:head(?:er|ing|line)-?(?:anchor|link)|permalink|hash-?link|anchor-?(?:link|js-link)|section-?link)/i.test(
    attribs.class ?? "",
  );
}

/** "Edit this page", "View source", "Report an issue": what readers are offered to do with the page, as a link alone. */
const offer =
  /^(?:✎|✏️)?\s*(?:edit|improve|suggest|report|view|open|show|browse|create|raise|file|fix|fork|copy|download|print|ask|see)\b.{0,30}\b(?:page|github|gitlab|bitbucket|codeberg|source|issue|bug|history|edits?|change|documentation|pdf|markdown|repository)$/i;

function isEditLink(element: Element, { letters }: Weight): boolean {
  if (letters > 45) return false;
  const text = textOf(element);
  return offer.test(text) && (/^\W*(?:edit|improve|suggest)\b/i.test(text) || isAlone(element, text));
}

/** Nothing stands beside it in its paragraph: it is no part of a sentence. */
function isAlone({ parent }: Element, text: string): boolean {
  return (
    parent === null ||
    !isTag(parent) ||
    !/^(?:p|li|td|div|span)$/.test(parent.name) ||
    textOf(parent).length <= text.length + 3
  );
}

/** The text of a small element; of a large one its beginning. */
function textOf(element: ParentNode): string {
  let text = "";
  walk(element, {
    enter: () => text.length < 200,
    text: (data) => {
      if (text.length < 200) text += data;
    },
    leave: () => {},
  });
  return text.replace(/\s+/g, " ").trim();
}

function inArticle({ parent }: Element): boolean {
  for (let above = parent; above && isTag(above); above = above.parent)
    if (above.name === "article" || above.name === "main" || above.name === "section") return true;
  return false;
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
  return links > 1 && linked > menuShare * letters && linked < longest * links;
}

/** A few words and buttons: "Was this helpful? Yes No", "Share". */
function isPanel({ letters, pressed, buttons, links }: Weight): boolean {
  return buttons > 1 && links === 0 && letters - pressed < maxPanelLetters;
}

/** The end of a page that names its owner among links, whatever its element is called. */
function isColophon({ rights, links, letters }: Weight): boolean {
  return rights > 0 && links > 3 && letters < 4000;
}

/** The words that ids and classes say of an element. */

/** Names of parts around content, wherever they stand. */
const around = wordSet(
  "nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs pagination pager footer sidebar toolbar topbar " +
    "skiplink popup modal lightbox toast snackbar overlay advert advertisement tooltip tooltips popover hovercard ttc toc " +
    "prevnext flyout",
);

/** Topics too: a section about cookies is content, a cookie banner is not. */
const topics = wordSet(
  "cookie cookies consent gdpr ccpa newsletter subscribe signup social share sharing related recommended recommendations " +
    "feedback rating votes promo ads sponsored teaser teasers announcement countdown skip helpful",
);

/** Words that name something around content only beside one of `pairedCompany`: a section on versions is content. */
const paired = wordSet(
  "search version versions outdated unreleased prev previous next edit improve copy theme language locale",
);

/** Names that generators and themes give the part that holds the text. */
const contentWords = wordSet("content contents body article document markdown prose post entry main text textblock");
const regions = new Set(["div", "section", "td"]);

/** Whether an id or a class ends like the name of a page's content: `page-content`, `markdown-body`, `contents`. */
function saysContent({ attribs }: Element): boolean {
  const names = `${attribs.id ?? ""} ${attribs.class ?? ""}`.slice(0, 1_000).toLowerCase().split(/\s+/);
  return names.some((name) => {
    const words = name.split(/[^a-z0-9]+/).filter(Boolean);
    return contentWords.has(words.at(-1) ?? "") && !words.some((word) => around.has(word) || topics.has(word));
  });
}

const company = wordSet(
  "banner bar box notice popup modal dialog widget panel links buttons icons list wrapper block form module posts articles " +
    "stories items cards link button overlay prompt message tool tools container section",
);

/** Words beside which one of `paired` names something around content: a search box, a version picker, the way to the next page. */
const pairedCompany = wordSet(
  "banner badge box picker selector select switch switcher warning notice alert dropdown result results window field form " +
    "bar hits input modal panel overlay dialog button btn link links area nav toggle menu popup control",
);

/** Consent tools, by what their scripts put into a page. */
const consentTools =
  /\b(?:onetrust|ot-sdk|optanon|cybotcookiebot|usercentrics|didomi|qc-cmp|truste|trustarc|cky-|iubenda-cs|osano-cm|termly-styles|cmplz-cookiebanner|borlabs|klaro|cookie-law-info|cli-modal|sp_message|fc-consent|axeptio|tarteaucitron|hs-eu-cookie|cc-window|moove_gdpr|ch2-|cookiefirst|pecr|evidon|cookiescript|silktide|ketch-|transcend-consent)/;

const panels = /panel|accordion|collaps|tab|faq|answer|toggle|expand|details|dropdown-content/;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** Whether a consent tool put it there. */
function saysConsent({ id = "", class: classes = "" }: Element["attribs"]): boolean {
  return consentTools.test(`${id} ${classes}`.slice(0, 1_000).toLowerCase());
}

type Says = "around" | "topic" | "nothing";

const known = new Map<string, Says>();

/** Whether id or class name something around content. `small`: few words, so that a topic alone is enough of a sign. */
function saysChrome(id: string | undefined, classes: string | undefined, small: boolean): boolean {
  const byId = id ? saysOf(id) : "nothing";
  if (byId === "around") return true;
  const byClass = classes ? saysOf(classes) : "nothing";
  return byClass === "around" || (byClass === "topic" && small);
}

function saysOf(name: string): Says {
  let says = known.get(name);
  if (says === undefined) {
    says = classify(name.slice(0, 1_000));
    if (known.size > 20_000) known.clear();
    known.set(name, says);
  }
  return says;
}

function classify(name: string): Says {
  const lower = name.replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3-$2$4").toLowerCase();
  if (consentTools.test(name.toLowerCase())) return "around";
  let topic = false;
  for (const one of lower.split(/\s+/)) {
    const words = one.split(/[^a-z0-9]+/);
    if (words.some((word) => around.has(word))) return "around";
    if (words.some((word) => paired.has(word)) && words.some((word) => pairedCompany.has(word))) return "around";
    if (!words.some((word) => topics.has(word))) continue;
    if (words.some((word) => company.has(word))) return "around";
    topic = true;
  }
  return topic ? "topic" : "nothing";
}

/** Whether an id or class names a part that is folded away until it is asked for. */
function saysPanel(name: string | undefined): boolean {
  return name !== undefined && panels.test(name.toLowerCase());
}

/** How much text an element holds, in characters without white space. */
export interface Weight {
  letters: number;
  /** Of them, within links and buttons. */
  linked: number;
  links: number;
  /** Elements `main`, `article` and `h1` within it, itself included. */
  landmarks: number;
  /** Texts with a copyright sign or "all rights reserved". */
  rights: number;
  buttons: number;
  /** Letters that are digits. */
  digits: number;
  /** Letters within buttons. */
  pressed: number;
  headings: number;
}

export interface Survey {
  readonly weights: ReadonlyMap<Element, Weight>;
  readonly total: Weight;
  /** Tables that only arrange other content: they hold tables, headings or whole articles in their cells. */
  readonly layout: ReadonlySet<Element>;
  readonly mains: readonly Element[];
  readonly articles: readonly Element[];
  /** Parts that their makers call the content, the body or the article, outermost first. */
  readonly contents: readonly Element[];
}

const nothing: Readonly<Weight> = {
  letters: 0,
  linked: 0,
  links: 0,
  landmarks: 0,
  rights: 0,
  buttons: 0,
  digits: 0,
  pressed: 0,
  headings: 0,
};

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/** One pass over the whole tree: everything that later questions about single elements need. */
export function survey(root: ParentNode): Survey {
  const weights = new Map<Element, Weight>();
  const layout = new Set<Element>();
  const mains: Element[] = [];
  const articles: Element[] = [];
  const contents: Element[] = [];
  const tables: Element[] = [];
  const total: Weight = { ...nothing };
  const open: Weight[] = [total];
  let links = 0;
  let buttons = 0;
  walk(root, {
    enter(element) {
      const name = element.name;
      const table = tables.at(-1);
      if (table && (name === "table" || headings.has(name))) layout.add(table);
      if (name === "table") {
        tables.push(element);
        if (element.attribs.role === "presentation" || element.attribs.role === "none") layout.add(element);
      }
      const main = name === "main" || element.attribs.role === "main";
      if (main) mains.push(element);
      if (name === "article") articles.push(element);
      if (regions.has(name) && saysContent(element)) contents.push(element);
      if (name === "a") links++;
      if (name === "button") buttons++;
      const landmark = main || name === "article" || name === "h1";
      const weight: Weight = { ...nothing };
      if (name === "a") weight.links = 1;
      if (name === "button") weight.buttons = 1;
      if (landmark) weight.landmarks = 1;
      if (headings.has(name)) weight.headings = 1;
      weights.set(element, weight);
      open.push(weight);
      return true;
    },
    text(data) {
      const letters = inked(data);
      const top = open[open.length - 1] ?? total;
      top.letters += letters;
      top.digits += digitsIn(data);
      if (links > 0) top.linked += letters;
      if (buttons > 0) top.pressed += letters;
      if (data.includes("©") || /all rights reserved/i.test(data)) top.rights++;
    },
    leave(element) {
      const weight = open.pop() ?? total;
      const above = open[open.length - 1] ?? total;
      above.letters += weight.letters;
      above.linked += weight.linked;
      above.links += weight.links;
      above.landmarks += weight.landmarks;
      above.rights += weight.rights;
      above.buttons += weight.buttons;
      above.digits += weight.digits;
      above.pressed += weight.pressed;
      above.headings += weight.headings;
      if (element.name === "a") links--;
      if (element.name === "button") buttons--;
      if (element.name === "table") tables.pop();
      if ((element.name === "td" || element.name === "th") && weight.letters > 1500) {
        const table = tables.at(-1);
        if (table) layout.add(table);
      }
    },
  });
  return { weights, total, layout, mains, articles, contents };
}

/** Characters that leave ink. */
function inked(data: string): number {
  let count = 0;
  for (let i = 0; i < data.length; i++) if (data.charCodeAt(i) > 32) count++;
  return count;
}

function digitsIn(data: string): number {
  let count = 0;
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i);
    if (code >= 48 && code <= 57) count++;
  }
  return count;
}
