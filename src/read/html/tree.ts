import { type ChildNode, DomHandler, Element, isTag, isText, type ParentNode } from "domhandler";
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { Parser } from "htmlparser2";
import { wordSet } from "../../model/cache.ts";
import { Failure } from "../../model/failure.ts";

/** Parses markup into a tree of possible content, and walks it. */

/** More elements than any readable page has. Larger markup is refused, not cut. */
const usualElements = 1_000_000;

/** Deeper than any page; browsers stop at 512. The parser's time grows with the square of the depth. */
const depthLimit = 4_000;

/** Elements that are never content. They are dropped while parsing, so that they cost no memory or time. */
export const dropped = wordSet(
  "script style svg template noscript iframe object canvas audio video embed map datalist",
);

/** Whether an element keeps an attribute; both in lower case. */
export type IsKept = (element: string, attribute: string) => boolean;

function isCell(name: string | undefined): boolean {
  return name === "td" || name === "th";
}

/** The open elements that a new one `ends`. It searches for them `through` the given elements only, or `until` one of the given ones. */
interface Ending {
  readonly ends: ReadonlySet<string>;
  readonly through?: ReadonlySet<string>;
  readonly until?: ReadonlySet<string>;
}

/** Open elements that are searched for one to end, at most. */
const mostOpen = 100;

const inEntry = wordSet("p address div a b big code em font i s small span strong u");
const term: Ending = { ends: wordSet("dd dt"), through: inEntry };
const cell: Ending = { ends: wordSet("td th"), until: wordSet("tr table") };
const rows: Ending = { ends: wordSet("thead tbody tfoot"), until: wordSet("table") };

/**
 * End tags that authors may leave out. The parser knows that an entry ends before the next one, but not if a paragraph
 * is open in it, too: `<li><p>one<li><p>two`. https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
 */
const endings: ReadonlyMap<string, Ending> = new Map([
  ["li", { ends: wordSet("li"), through: inEntry }],
  ["dd", term],
  ["dt", term],
  ["td", cell],
  ["th", cell],
  ["tr", { ends: wordSet("tr"), until: wordSet("thead tbody tfoot table") }],
  ["thead", rows],
  ["tbody", rows],
  ["tfoot", rows],
]);

/** Elements whose end tag may be left out before that of a form, and the form itself. */
const inForm = wordSet("form p li dd dt option optgroup");

/** The longest title of a drawing, and of all drawings in a cell together. */
const longestTitle = 200;

/** A made-up attribute of a cell with the names of its drawings. No real attribute has a space in its name. */
export const drawnAs = "drawn as";

/** Parts of a drawing that only definitions use. */
const undrawn = wordSet("defs symbol clippath mask pattern marker metadata");

const labels: ReadonlySet<string> = new Set(["text", "foreignobject"]);
/** Elements whose text continues after a drawing. */
const lines = /^(?:a|b|button|code|em|i|label|span|strong|p|pre|li|t[dh]|d[dt]|h[1-6]|figcaption|caption)$/;
const longestLabel = 2_000;

function isUnseen({ hidden, style, "aria-hidden": said }: { readonly [key: string]: string }): boolean {
  return hidden !== undefined || said === "true" || /display\s*:\s*none/i.test(style ?? "");
}

/** A template that a browser puts in place of its element. https://developer.mozilla.org/docs/Web/HTML/Element/template */
function isShadowRoot(name: string, { shadowrootmode }: { readonly [key: string]: string }): boolean {
  return name === "template" && shadowrootmode !== undefined;
}

/** Elements of plain text, in which an ampersand begins no entity. */
const plainText: ReadonlySet<string> = new Set(["script", "style", "textarea", "xmp"]);

/** Texts that pages repeat: names of elements, classes and ids. */
const repeated = new Map<string, string>();
const longestRepeated = 1_000;

/** The same text, as the one copy of it that tables find fastest and that keeps no page in memory. */
function intern(text: string): string {
  const copy = repeated.get(text);
  if (copy !== undefined || text.length > longestRepeated) return copy ?? text;
  if (repeated.size > 5_000) repeated.clear();
  // The engine has one copy of each key.
  const [key = text] = Object.keys({ [text]: true });
  repeated.set(key, key);
  return key;
}

/** An element with its number in the tree, so that tables of elements can be arrays. */
class NumberedElement extends Element {
  readonly number: number;

  constructor(name: string, attributes: { [key: string]: string }, number: number) {
    super(name, attributes);
    this.number = number;
  }
}

/** Whether an element begins after another one of its tree. */
export function isAfter(element: Element, other: Element): boolean {
  return (element as NumberedElement).number > (other as NumberedElement).number;
}

/** A table of values for the elements of one tree. */
export class OfElements<T> {
  private readonly values: T[] = [];

  get(element: ParentNode): T | undefined {
    return this.values[(element as Partial<NumberedElement>).number ?? 0];
  }

  set(element: Element, value: T): void {
    this.values[(element as NumberedElement).number] = value;
  }
}

/** Builds the tree, without what can never be content. */
class Tree extends DomHandler {
  private depth = 0;
  /** Whether the next text has no entities. */
  private isPlain = false;
  private inside = 0;
  private elements = 0;
  /** Cells of tables that are open. */
  private readonly cells: Element[] = [];
  /** The elements that are open for the parser. */
  private readonly opened: ParentNode[] = [];
  /** The open elements that the start of another one has ended. */
  private readonly ended = new Set<ParentNode>();
  /** Whether the part being dropped is a drawing without a label. */
  private isUnlabelled = false;
  /** The title of that drawing, as read so far. */
  private title: string | undefined;
  /** Whether the part being dropped is a drawing with visible words. */
  private hasWords = false;
  /** The number of open elements that are not drawn. */
  private undrawn = 0;
  /** The words of that drawing's text, as read so far. */
  private label: string | undefined;
  private readonly isKept: IsKept | undefined;
  private readonly limit: number;

  constructor(isKept: IsKept | undefined, limit: number) {
    super();
    this.isKept = isKept;
    this.limit = limit;
  }

  override onopentag(written: string, attributes: { [key: string]: string }): void {
    const name = intern(written);
    this.isPlain = plainText.has(name);
    for (const attribute in attributes) {
      const value = attributes[attribute] ?? "";
      if (this.isKept?.(name, attribute) === false) Reflect.deleteProperty(attributes, attribute);
      else if (value.includes("&")) attributes[attribute] = decodeHTMLAttribute(value);
    }
    if (attributes.class !== undefined) attributes.class = intern(attributes.class);
    if (attributes.id !== undefined) attributes.id = intern(attributes.id);
    if (++this.depth > depthLimit) throw new Failure("malformed", { expected: "HTML (it nests too deeply)" });
    if (this.isDropped(name, attributes) && this.inside++ === 0) this.begin(name, attributes);
    if (this.inside > 0) {
      this.within(name, attributes);
      return;
    }
    if (++this.elements > this.limit) throw new Failure("too-many", { limit: this.limit, found: this.elements });
    this.endBefore(name);
    this.open(name, attributes);
    const element = this.tagStack.at(-1) as Element;
    this.opened.push(element);
    if (isCell(name)) this.cells.push(element);
  }

  /** Ends the open entry, cell or row that the start of an element ends. */
  private endBefore(name: string): void {
    const ending = endings.get(name);
    if (!ending) return;
    const { ends, through, until } = ending;
    const least = Math.max(1, this.tagStack.length - mostOpen);
    for (let at = this.tagStack.length - 1; at >= least; at--) {
      const { name: open } = this.tagStack[at] as Element;
      if (ends.has(open)) {
        while (this.tagStack.length > at) this.endLast();
        return;
      }
      if (until?.has(open) || through?.has(open) === false) return;
    }
  }

  /** Whether browsers ignore the end of a form here: boxes within it are open, and so end after it. */
  get keepsForm(): boolean {
    return this.inside === 0 && !inForm.has((this.tagStack.at(-1) as Element).name);
  }

  private endLast(): void {
    const last = this.tagStack.at(-1) as Element;
    this.ended.add(last);
    if (isCell(last.name)) this.cells.pop();
    super.onclosetag();
  }

  private open(name: string, attributes: { [key: string]: string }): void {
    const element = new NumberedElement(name, attributes, this.elements);
    this.addNode(element);
    this.tagStack.push(element);
  }

  /** Most elements have one child. A literal list takes less memory than one that grows. */
  protected override addNode(node: ChildNode): void {
    const parent = this.tagStack.at(-1);
    if (!parent || parent.children.length > 0) {
      super.addNode(node);
      return;
    }
    parent.children = [node];
    node.parent = parent;
    this.lastNode = null;
  }

  /** A shadow root is content unless an ancestor is dropped. */
  private isDropped(name: string, attributes: { [key: string]: string }): boolean {
    return dropped.has(name) && (this.inside > 0 || !isShadowRoot(name, attributes));
  }

  /** Keeps a drawing's label; in a table also its name, which may be a mark. */
  private begin(name: string, attributes: { [key: string]: string }): void {
    const { "aria-label": alt, class: classes } = attributes;
    this.isUnlabelled = name === "svg" && !alt;
    this.hasWords = this.isUnlabelled && !isUnseen(attributes);
    this.undrawn = 0;
    if (name === "svg" && alt) this.picture(alt);
    else if (name === "svg" && classes) this.drawn(classes);
  }

  /** Handles an element in a drawing: a title, or a reference by name (`#icon-check`). */
  private within(name: string, attributes: { [key: string]: string }): void {
    if (this.hasWords) this.inDrawing(name, attributes);
    const { href, "xlink:href": linked } = attributes;
    if (!this.isUnlabelled || this.cells.length === 0) return;
    const drawing = href ?? linked;
    if (name === "title") this.title = "";
    if (name === "use" && drawing) this.drawn(drawing.slice(drawing.indexOf("#") + 1));
  }

  private inDrawing(name: string, attributes: { [key: string]: string }): void {
    if (undrawn.has(name)) this.undrawn++;
    else if (labels.has(name) && this.undrawn === 0 && !isUnseen(attributes)) this.label ??= "";
  }

  /** Writes a text of the drawing: as words within a line, else as a paragraph. */
  private writeLabel(): void {
    const text = (this.label ?? "").trim();
    this.label = undefined;
    if (text === "" || ++this.elements > this.limit) return;
    const parent = this.tagStack.at(-1);
    const isInLine = parent !== undefined && isTag(parent) && lines.test(parent.name);
    this.open(isInLine ? "span" : "p", {});
    super.ontext(isInLine ? ` ${text} ` : text);
    super.onclosetag();
  }

  private picture(alt: string): void {
    if (++this.elements > this.limit) return;
    this.open("img", { alt });
    super.onclosetag();
  }

  private drawn(as: string): void {
    const cell = this.cells.at(-1);
    const before = cell?.attribs[drawnAs] ?? "";
    if (cell && before.length < longestTitle) cell.attribs[drawnAs] = `${before} ${as.slice(0, longestTitle)}`;
  }

  // The parser says the name; DomHandler's own signature leaves it out.
  override onclosetag(name?: string): void {
    this.isPlain = false;
    this.depth--;
    if (this.title !== undefined && name === "title") {
      const alt = this.title.trim();
      this.title = undefined;
      if (alt) this.picture(alt);
    }
    if (this.hasWords && this.inside > 0 && name !== undefined) this.endInDrawing(name);
    if (this.inside === 0) {
      const element = this.opened.pop();
      if (element && this.ended.delete(element)) return;
      if (isCell(name)) this.cells.pop();
      super.onclosetag();
    } else if (name !== undefined && dropped.has(name)) this.inside--;
  }

  private endInDrawing(name: string): void {
    if (undrawn.has(name)) this.undrawn--;
    else if (labels.has(name) && this.label !== undefined) this.writeLabel();
    if (dropped.has(name) && this.inside === 1) this.hasWords = false;
  }

  override ontext(written: string): void {
    const data = this.isPlain || !written.includes("&") ? written : decodeHTML(written);
    if (this.label !== undefined && this.label.length < longestLabel) this.label += data;
    if (this.inside === 0) super.ontext(data);
    else if (this.title !== undefined && this.title.length < longestTitle) this.title += data;
  }

  override oncomment(): void {}
  override oncommentend(): void {}
  override oncdatastart(): void {}
  override oncdataend(): void {}
  override onprocessinginstruction(): void {}
}

/**
 * Ends a form only where browsers do. A class, as the engine remembers a function that is set on a parser, and so would
 * keep the page until its next full collection.
 */
class PageParser extends Parser {
  private readonly html: string;
  private readonly tree: Tree;

  constructor(html: string, tree: Tree) {
    // The parser jumps over texts and values that it need not decode.
    super(tree, { decodeEntities: false });
    this.html = html;
    this.tree = tree;
  }

  override onclosetag(start: number, end: number): void {
    const isForm = end - start === 4 && this.html.slice(start, end).toLowerCase() === "form";
    if (!isForm || !this.tree.keepsForm) super.onclosetag(start, end);
  }
}

/** Markup as a tree without scripts, styles, pictures and comments. @throws Failure `too-many`, `malformed` */
export function treeOf(html: string, isKept?: IsKept, limit = usualElements): ParentNode {
  const tree = new Tree(isKept, limit);
  new PageParser(html, tree).end(html);
  return tree.root;
}

export interface Visitor {
  /** Returns whether to visit the children (default: yes). `leave` is only called then. */
  readonly enter?: (element: Element) => boolean;
  readonly text?: (data: string) => void;
  readonly leave?: (element: Element) => void;
  /** Called before each element and text: true ends the walk. */
  readonly done?: () => boolean;
}

/** The elements of this name, in document order. */
export function elementsIn(root: ParentNode, name: string): Element[] {
  const elements: Element[] = [];
  walk(root, {
    enter(element) {
      if (element.name === name) elements.push(element);
      return true;
    },
  });
  return elements;
}

/** Visits elements and texts in document order, without recursion, so that deep nesting is only slow. */
export function walk(
  root: ParentNode,
  { enter = () => true, text = () => {}, leave = () => {}, done = () => false }: Visitor,
): void {
  let node = root.children[0];
  while (node && !done()) {
    if (isText(node)) text(node.data);
    else if (isTag(node) && enter(node)) {
      const first = node.children[0];
      if (first) {
        node = first;
        continue;
      }
      leave(node);
    }
    while (!node.next) {
      const above: ParentNode | null = node.parent;
      if (!above || above === root || !isTag(above)) return;
      leave(above);
      node = above;
    }
    node = node.next;
  }
}

/** Nodes that are searched for the beginning of a text, and how many times its length is taken from one, at most. */
const mostNodes = 2_000;
const longest = 10;

/** The text of an element; if it is longer than `most` characters, about its first `most`. */
export function ownText(element: ParentNode, most = 200): string {
  const [first, second] = element.children;
  if (first && isText(first) && !second) return foldSpaces(first.data.slice(0, longest * most));
  let text = "";
  let nodes = 0;
  walk(element, {
    text: (data) => {
      text += data.slice(0, longest * most);
    },
    done: () => text.length >= most || ++nodes > mostNodes,
  });
  return foldSpaces(text);
}

export function foldSpaces(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}
