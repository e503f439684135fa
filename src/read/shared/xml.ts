import { DomHandler, type Element, isTag, isText, type ParentNode } from "domhandler";
import { textContent } from "domutils";
import { Parser } from "htmlparser2";
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
  const [found] = rootsOf(text);
  if (found?.name !== root || !text.trimEnd().endsWith(">"))
    throw new Failure("malformed", { expected: `XML (${root})` });
  return found;
}

/** Elements within each other, at most: more take quadratic time. */
const deepest = 1_000;

class Builder extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > deepest) throw new Failure("malformed", { expected: "XML" });
    super.onopentag(name, attributes);
  }
}

function rootsOf(xml: string): Element[] {
  const builder = new Builder(null, { xmlMode: true });
  new Parser(builder, { xmlMode: true }).end(xml);
  return builder.dom.filter(isTag);
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

/** An XML document as data: attributes and elements by their names, several with one name as a list, and prose as text. */
export function dataOfXml(xml: string): unknown {
  return Object.fromEntries(rootsOf(xml).map((root) => [root.name, dataOf(root)]));
}

function dataOf(element: Element): unknown {
  const inside = element.children.filter(isTag);
  const text = inside.length === 0 || xmlTextAt(element) !== undefined ? textContent(element).trim() : "";
  if (text !== "") return Object.keys(element.attribs).length === 0 ? text : { ...element.attribs, text };
  const byName = Map.groupBy(inside, ({ name }) => name);
  const members = [...byName].map(([name, all]) => [name, all.length === 1 ? all.map(dataOf)[0] : all.map(dataOf)]);
  return { ...element.attribs, ...Object.fromEntries(members) };
}

/** A document type with its own entities, and its declarations. */
const documentType = /<!DOCTYPE\s[^[<>]{0,300}\[([^\]]{0,50000})\]\s*>/i;
const entity = /^\s*<!ENTITY\s+([A-Za-z_][\w.-]{0,50})\s+(?:"([^"<%]*)"|'([^'<%]*)')\s*>/;
/** An entity in an entity's text, except a character by its number. */
const reference = /&(?!#\w{1,8};)/;
const mostEntities = 500;
/** Characters that entities may add to a document. */
const mostAdded = 5_000_000;

/**
 * XML with its own entities expanded. Only plain text is accepted: entities that refer to others, to a file or an
 * address, or contain markup are refused, so that expansion is limited. Spec:
 * https://www.w3.org/TR/xml/#sec-entity-decl
 *
 * @throws Failure `malformed`
 */
export function withEntities(xml: string): string {
  if (!/<!ENTITY/i.test(xml)) return xml;
  const [type = "", subset = ""] = documentType.exec(xml.slice(0, 100_000)) ?? [];
  const entities = entitiesOf(subset);
  const rest = xml.replace(type, "");
  if (type === "" || !entities || /<!ENTITY/i.test(rest)) {
    throw new Failure("malformed", { expected: "XML (it declares entities that are more than text)" });
  }
  let budget = mostAdded;
  return rest.replace(
    /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&([A-Za-z_][\w.-]{0,50});/g,
    (whole, name: string | undefined) => {
      const text = name === undefined ? undefined : entities.get(name);
      if (text === undefined) return whole;
      budget -= text.length;
      if (budget < 0) throw new Failure("malformed", { expected: "XML (its entities make it too long)" });
      return text;
    },
  );
}

/** By name; undefined if anything else is declared. XML's own entities keep their meaning. */
function entitiesOf(subset: string): Map<string, string> | undefined {
  const entities = new Map<string, string>();
  let rest = subset.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  while (rest.trim() !== "") {
    const [whole, name = "", double, single] = entity.exec(rest) ?? [];
    const text = double ?? single ?? "";
    if (whole === undefined || entities.size >= mostEntities || reference.test(text)) return undefined;
    if (!entities.has(name)) entities.set(name, text);
    rest = rest.slice(whole.length);
  }
  for (const name of ["amp", "lt", "gt", "quot", "apos"]) entities.delete(name);
  return entities;
}
