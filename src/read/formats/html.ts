import { type Element, isTag, type ParentNode } from "domhandler";
import { Failure } from "../../model/failure.ts";
import type { Block } from "../../model/model.ts";
import type { Trace } from "../../model/trace.ts";
import { blocksBelow, foldSpace } from "./blocks.ts";
import { isChrome, type Region } from "./chrome.ts";
import { isAsked } from "./fingerprint.ts";
import { isSlugOf } from "./names.ts";
import { matching } from "./select.ts";
import { Size } from "./size.ts";
import { ownText, type Survey, survey, type Weight } from "./survey.ts";
import { treeOf, walk } from "./tree.ts";

/**
 * HTML as blocks: what several kinds of source share.
 * @see https://html.spec.whatwg.org/multipage/sections.html
 */

export interface PageOptions {
  /** CSS selectors: only what they match is content. */
  readonly select?: readonly string[];
  /** CSS selectors: what they match is not content. */
  readonly ignore?: readonly string[];
  /** Where the last reading found the content: kept while it may still stand there. */
  readonly region?: string;
  readonly trace?: Trace;
}

export interface HtmlPage {
  readonly title?: string;
  /** BCP 47, as the document says it. */
  readonly language?: string;
  readonly blocks: Block[];
  /** In what the content stands; undefined where it was selected. */
  readonly region?: Region;
}

/** The blocks of a fragment (an item's body): all of it is content. @throws Failure `too-many` */
export function blocksOf(html: string): Block[] {
  const root = treeOf(html);
  return blocksBelow(root, () => false, survey(root).layout, new Size());
}

/** The main content of a whole document. @throws Failure `too-many`, `no-match` where `select` finds nothing */
export function pageOf(html: string, options: PageOptions = {}): HtmlPage {
  // A selector may ask for any attribute.
  const isSelected = [options.select, options.ignore].some((one) => one?.length);
  const root = treeOf(html, isSelected ? undefined : isAsked);
  const ignored = new Set(options.ignore?.length ? matching(root, options.ignore) : []);
  const about = survey(root);
  const blocks: Block[] = [];
  const size = new Size();
  const select = options.select ?? [];
  const { region, parts } = select.length > 0 ? { parts: selected(root, select) } : contentOf(root, about, options);
  for (const part of parts) {
    const within = about.weights.get(part as Element) ?? about.total;
    const omit = (element: Element) =>
      ignored.has(element) || (region !== undefined && isChrome(element, about, within, region, options.trace));
    for (const block of blocksBelow(part, omit, about.layout, size)) blocks.push(block);
  }
  return { ...headOf(root), blocks, ...(region && { region }) };
}

function selected(root: ParentNode, select: readonly string[]): ParentNode[] {
  const found = matching(root, select);
  if (found.length === 0) throw new Failure("no-match", { selector: select.join(", ") });
  const all = new Set(found);
  // Many stand in one: its ancestors are gone through once.
  const parents = new Set(found.map(({ parent }) => parent));
  const within = new Set([...parents].filter((parent) => isAmong(parent, all)));
  return found.filter(({ parent }) => !within.has(parent));
}

/** A share this much smaller is enough for the region of the last reading, and this much larger is wanted of another. */
const regionTolerance = 0.1;

/** A part with less text of its own, in letters, must hold most of the page's: else it is a slogan. */
const minRegionLetters = 300;

/**
 * The one part of a page that holds most of what it says: its main part, its article, or what its maker calls the
 * content. Each must hold a fair share of the page's own text; one that holds a slogan is not where the content stands.
 */
function contentOf(
  root: ParentNode,
  about: Survey,
  { region: last, trace }: PageOptions,
): { region: Region; parts: ParentNode[] } {
  const holds = (least: number, most: number) => (element: Element) => {
    const weight = about.weights.get(element);
    if (!weight) return false;
    // A page that lists others says most of what it says in links.
    const share = Math.max(ownOf(weight) / (ownOf(about.total) || 1), weight.letters / (about.total.letters || 1));
    trace?.({ threshold: "share of the page, to hold its content", value: share, limit: least, about: element.name });
    if (share > least && share <= most) {
      const letters = { value: ownOf(weight), limit: minRegionLetters };
      trace?.({ threshold: "letters, to hold the page's content", ...letters, about: element.name });
    }
    return share > least && (ownOf(weight) > minRegionLetters || share > most);
  };
  const regions = [
    ["main", about.mains, 0.25],
    ["article", withHeaders(about), 0.5],
    ["named", about.contents, 0.6],
    ["named", about.contents.filter(isTheContent), 0.3],
  ] as const;
  for (const [region, elements, share] of regions) {
    const shift = last === undefined ? 0 : region === last ? -regionTolerance : regionTolerance;
    const found = elements.filter(holds(share + shift, 0.6 + shift));
    // Whether it is there hangs on what was; which of those within each other it is does not.
    const part = innermost(elements.filter(holds(share, 0.6)), elements, about) ?? innermost(found, elements, about);
    if (found.length > 0 && part) return { region, parts: region === "named" ? withTitle(part, about) : [part] };
  }
  return { region: "page", parts: [root] };
}

const contentId = /^(?:(?:main|page|doc)-?)?content$|^main$/;

/** Whether an id says that it is the one part with the content: no heading of a section has given it that. */
function isTheContent(element: Element): boolean {
  return contentId.test(element.attribs.id ?? "") && !isSlugOf(element.attribs.id, element);
}

/** A part within another is the content instead of it where it holds this share of its text. */
const wholeShare = 0.9;

/**
 * Of parts in the page's order, each perhaps within those before it, the last that leaves hardly anything of the first
 * out, and nothing of the same sort that comes before it: a class is described above its members, and beside others.
 */
function innermost(parts: readonly Element[], all: readonly Element[], { weights }: Survey): Element | undefined {
  const [outermost] = parts;
  if (!outermost) return undefined;
  const own = (part: Element) => ownOf(weights.get(part));
  // Each within the one before it: where one stands beside another, neither is all.
  const nested = [outermost];
  for (const part of all.slice(all.indexOf(outermost) + 1)) {
    if (own(part) === 0) continue;
    if (!isWithin(part, nested.at(-1) ?? outermost)) break;
    nested.push(part);
  }
  const fit = new Set(parts);
  return nested.findLast((part) => fit.has(part) && own(part) >= wholeShare * own(outermost));
}

/**
 * Each article, or its section where that has its header beside it: a header says what the article is about, or all of it.
 * None of several posts that stand below one another is the content.
 */
function withHeaders({ articles, weights }: Survey): Element[] {
  const siblings = Map.groupBy(articles, ({ parent }) => parent);
  const isPost = (article: Element) => ownOf(weights.get(article)) > minRegionLetters;
  return articles.flatMap((article) => {
    const { parent } = article;
    const beside = siblings.get(parent) ?? [];
    if (beside.length > 1) return beside.filter(isPost).length > 1 ? [] : [article];
    if (parent === null || !isTag(parent) || parent.name !== "section") return [article];
    return parent.children.some((part) => isTag(part) && part.name === "header") ? [parent] : [article];
  });
}

/** More letters than these are no title with a word on what it is about. */
const maxTitleLetters = 600;
/** A version or a year: of what a page is made from, rather than what it says. */
const numbered = /\d\.\d|\b\d{4}\b/;

/**
 * The part that its maker calls the content, below the one with the title where it has none of its own: "Module Engine",
 * and what that is good for.
 */
function withTitle(part: Element, about: Survey): ParentNode[] {
  const { weights, total } = about;
  const above = inkedBefore(part, weights);
  const weight = above && weights.get(above);
  if (!weight || weight.landmarks === 0 || weights.get(part)?.titles !== 0) return [part];
  const isOther = weight.letters > maxTitleLetters || numbered.test(ownText(above, 2 * maxTitleLetters));
  return isOther || isChrome(above, about, total, "page") ? [part] : [above, part];
}

function inkedBefore({ prev }: Element, weights: Survey["weights"]): Element | undefined {
  for (let node = prev; node; node = node.prev) {
    if (isTag(node) && node.name !== "nav" && (weights.get(node)?.letters ?? 0) > 0) return node;
  }
  return undefined;
}

/** Text that is not in links. */
function ownOf(weight: Weight | undefined): number {
  return weight ? weight.letters - weight.linked : 0;
}

function isWithin(inner: Element, outer: Element): boolean {
  return isAmong(inner, new Set([outer]));
}

/** Whether it, or an ancestor, is among `all`. */
function isAmong(parent: ParentNode | null, all: ReadonlySet<Element>): boolean {
  for (let above = parent; above && isTag(above); above = above.parent) if (all.has(above)) return true;
  return false;
}

function headOf(root: ParentNode): { title?: string; language?: string } {
  let title = "";
  let language: string | undefined;
  let reading = false;
  let done = false;
  walk(root, {
    enter(element) {
      language ??=
        element.name === "html" ? element.attribs.lang || element.attribs["xml:lang"] || undefined : undefined;
      if (element.name === "title" && !title) reading = true;
      if (element.name === "body") done = true;
      return !done;
    },
    text(data) {
      if (reading) title += data;
    },
    leave(element) {
      if (element.name === "title") reading = false;
    },
  });
  const folded = foldSpace(title);
  return { ...(folded && { title: folded }), ...(language && { language }) };
}
