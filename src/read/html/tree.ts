import { DomHandler, type Element, isTag, isText, type ParentNode } from "domhandler";
import { Parser } from "htmlparser2";
import { Failure } from "../../failure.ts";

/** More elements than any page a person reads; markup beyond it is refused, not half read. */
const elementLimit = 1_000_000;

/** Deeper than any page; browsers stop at 512. The parser's time grows with the square of the depth. */
const depthLimit = 4_000;

/** Never content, and never looked into: dropped while parsing, so that they cost neither memory nor time. */
const dropped = new Set(
  "script style svg template noscript iframe object canvas audio video embed map datalist".split(" "),
);

/** Builds the tree, without what can never be content. */
class Tree extends DomHandler {
  private depth = 0;
  private inside = 0;
  private elements = 0;

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    if (++this.depth > depthLimit) throw new Failure("malformed", { expected: "HTML (it nests too deeply)" });
    if (dropped.has(name)) this.inside++;
    if (this.inside > 0) return;
    if (++this.elements > elementLimit) throw new Failure("too-many", { limit: elementLimit, found: this.elements });
    super.onopentag(name, attributes);
  }

  // The parser says the name; DomHandler's own signature leaves it out.
  override onclosetag(name?: string): void {
    this.depth--;
    if (this.inside === 0) super.onclosetag();
    else if (name !== undefined && dropped.has(name)) this.inside--;
  }

  override ontext(data: string): void {
    if (this.inside === 0) super.ontext(data);
  }

  override oncomment(): void {}
  override oncommentend(): void {}
  override oncdatastart(): void {}
  override oncdataend(): void {}
  override onprocessinginstruction(): void {}
}

/** Markup as a tree without scripts, styles, pictures and comments. @throws Failure `too-many`, `malformed` (too deep) */
export function treeOf(html: string): ParentNode {
  const tree = new Tree();
  new Parser(tree, { decodeEntities: true }).end(html);
  return tree.root;
}

export interface Visitor {
  /** Answers whether to look inside; `leave` is called only then. */
  enter(element: Element): boolean;
  text(data: string): void;
  leave(element: Element): void;
}

/** Elements and texts in document order, without recursion: markup nested a million deep is only slow. */
export function walk(root: ParentNode, visitor: Visitor): void {
  let node = root.firstChild;
  while (node) {
    if (isText(node)) visitor.text(node.data);
    else if (isTag(node) && visitor.enter(node)) {
      if (node.firstChild) {
        node = node.firstChild;
        continue;
      }
      visitor.leave(node);
    }
    while (!node.nextSibling) {
      const above: ParentNode | null = node.parent;
      if (!above || above === root || !isTag(above)) return;
      visitor.leave(above);
      node = above;
    }
    node = node.nextSibling;
  }
}
