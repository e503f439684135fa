import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { parseDocument } from "htmlparser2";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import { decode, isHtml } from "./body.ts";

/**
 * The root element of an XML document. Names keep their case, and its own entities are not expanded. Spec:
 * https://www.w3.org/TR/xml/
 *
 * @throws Failure `wrong-type` for HTML, `malformed` without an element of this name at the root, `empty`, `charset`
 */
export function parseXml(response: Response, root: string): Element {
  const text = decode(response);
  if (isHtml(text)) throw new Failure("wrong-type", { expected: "XML", found: "HTML" });
  const found = parseDocument(text, { xmlMode: true }).children.find(isTag);
  if (found?.name !== root || !text.trimEnd().endsWith(">"))
    throw new Failure("malformed", { expected: `XML (${root})` });
  return found;
}

export function childrenNamed({ children }: ParentNode, name: string): Element[] {
  return children.filter((child): child is Element => isTag(child) && child.name === name);
}

/** The first element at a path of names. */
export function elementAt(root: Element, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((at, name) => at && childrenNamed(at, name)[0], root);
}

/** The text of the element at a path, with white space folded; undefined if there is none. */
export function xmlTextAt(root: Element, ...path: readonly string[]): string | undefined {
  const element = elementAt(root, ...path);
  const text = element?.children
    .map((child) => (isText(child) ? child.data : ""))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  return text || undefined;
}
