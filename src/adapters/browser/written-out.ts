/** Parts of the DOM: https://dom.spec.whatwg.org. These functions run within a page, in a world that its scripts cannot reach. */
interface PageNode {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<PageNode>;
}

interface PageElement extends PageNode {
  readonly localName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly shadowRoot: PageNode | null;
  /** For a `slot`: the nodes that are shown in it. */
  assignedNodes?(): readonly PageNode[];
  /** For a frame: its document, if it may be read. */
  readonly contentDocument?: PageDocument | null;
}

interface PageDocument {
  readonly readyState: string;
  readonly body: PageElement | null;
  readonly documentElement: PageElement | null;
  querySelector(selector: string): PageElement | null;
}

export interface WriteOutOptions {
  /** A selector or a text. */
  readonly waitFor?: string;
  /** Characters of the HTML, at most. */
  readonly most: number;
  readonly nodes: number;
  /** Nodes within each other, at most. */
  readonly depth: number;
}

export interface Moment {
  /** The exceeded limit, if any. */
  readonly exceeds?: "most" | "nodes" | "depth";
  /** Whether its own HTML is complete. */
  readonly loaded: boolean;
  /** Whether `waitFor` was found. */
  readonly here: boolean;
  readonly same: boolean;
}

declare const document: PageDocument;

/** The reader's isolated world keeps the HTML between two readings. */
declare let writtenHtml: string | undefined;

/** Serialises the DOM as HTML, without scripts and styles. Self-contained: only its own source text is sent to the page. */
export function writeOut({ waitFor, most, nodes, depth }: WriteOutOptions): Moment {
  const dropped = ["script", "style", "noscript", "template", "link", "object", "embed", "canvas", "video", "audio"];
  const empty = ["area", "base", "br", "col", "hr", "img", "input", "meta", "source", "track", "wbr"];
  const parts: string[] = [];
  let size = 0;
  let count = 0;
  let exceeds: Moment["exceeds"];
  const append = (text: string) => {
    size += text.length;
    if (size > most) exceeds ??= "most";
    else parts.push(text);
  };
  const escaped = (text: string) =>
    text.length > most ? text : text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const writeAll = (all: Iterable<PageNode>, level: number) => {
    for (const node of all) {
      if (exceeds) return;
      write(node, level);
    }
  };
  const write = (node: PageNode, level: number) => {
    if (++count > nodes) exceeds = "nodes";
    if (level > depth) exceeds = "depth";
    if (exceeds) return;
    if (node.nodeType === 3) append(escaped(node.nodeValue ?? ""));
    if (node.nodeType !== 1) return;
    const element = node as PageElement;
    const name = element.localName;
    if (dropped.includes(name) || !/^[a-z][\w.:-]*$/.test(name)) return;
    if (name === "slot") {
      const assigned = element.assignedNodes?.() ?? [];
      return writeAll(assigned.length > 0 ? assigned : element.childNodes, level + 1);
    }
    const isFrame = name === "iframe" || name === "frame";
    const written = isFrame ? "div" : name;
    append(`<${written}`);
    for (const attribute of element.attributes) {
      if (!/^[a-z_][\w.:-]*$/i.test(attribute.name) || /^(?:on|src(?:doc|set)$|nonce$)/i.test(attribute.name)) continue;
      append(` ${attribute.name}="`);
      append(escaped(attribute.value));
      append('"');
    }
    append(">");
    if (empty.includes(name)) return;
    const inner = isFrame ? element.contentDocument?.body : (element.shadowRoot ?? element);
    writeAll(inner?.childNodes ?? [], level + 1);
    append(`</${written}>`);
  };
  if (document.documentElement) write(document.documentElement, 0);
  const html = parts.join("");
  const matches = (wanted: string) => {
    if (html.includes(escaped(wanted))) return true;
    try {
      return document.querySelector(wanted) !== null;
    } catch {
      return false;
    }
  };
  const same = typeof writtenHtml !== "undefined" && writtenHtml === html;
  Object.assign(globalThis, { writtenHtml: html });
  return { exceeds, loaded: document.readyState !== "loading", here: waitFor === undefined || matches(waitFor), same };
}
