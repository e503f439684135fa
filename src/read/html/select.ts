import { compile, selectAll } from "css-select";
import type { AnyNode, Element, ParentNode } from "domhandler";
import { isTag, isText } from "domhandler";
import * as dom from "domutils";
import { Failure } from "../../model/failure.ts";
import { walk } from "./tree.ts";

/** Runs CSS selectors in limited time, which Cheerio cannot. Spec: https://www.w3.org/TR/selectors-4/ */

/** Elements that may be tested for one page: combinators and counts go through the ancestors and siblings of each. */
const mostSteps = 3_000_000;
/** The steps that reading one element's text costs, and one sibling. */
const ofText = 5;
const ofSibling = 0.25;

export function validSelector(selector: string): boolean {
  try {
    compile(selector);
    return true;
  } catch {
    return false;
  }
}

/** All elements that a selector matches, in the page's order. @throws Failure `malformed` if that takes too long */
export function selectElements(root: ParentNode, selectors: readonly string[]): Element[] {
  let left = mostSteps;
  const take = (steps: number) => {
    left -= steps;
    if (left < 0) throw new Failure("malformed", { expected: "HTML (its selector takes too long on it)" });
  };
  const adapter = {
    ...dom,
    isTag,
    getParent(element: Element) {
      take(1);
      return dom.getParent(element);
    },
    getSiblings(node: AnyNode) {
      const siblings = dom.getSiblings(node);
      take(ofSibling * siblings.length);
      return siblings;
    },
    getName(element: Element) {
      take(1);
      return element.name;
    },
    getAttributeValue(element: Element, name: string) {
      const value = element.attribs[name];
      take(1 + (value?.length ?? 0) / 20);
      return value;
    },
    getText: (node: AnyNode) => textOf(node, take),
    existsOne: (test: (element: Element) => boolean, nodes: AnyNode[]) => exists(test, nodes, take),
  };
  return selectAll<AnyNode, Element>(selectors.join(", "), root as AnyNode, { adapter }).filter(isTag);
}

type Take = (steps: number) => void;

function textOf(node: AnyNode, take: Take): string {
  if (isText(node)) return node.data;
  let text = "";
  if (isTag(node)) {
    walk(node, {
      enter() {
        take(ofText);
        return true;
      },
      text(data) {
        take(ofText + data.length / 20);
        text += data;
      },
    });
  }
  return text;
}

function exists(test: (element: Element) => boolean, nodes: readonly AnyNode[], take: Take): boolean {
  return nodes.some((node) => {
    if (!isTag(node)) return false;
    let exists = test(node);
    walk(node, {
      enter(element) {
        take(ofText);
        exists ||= test(element);
        return true;
      },
      done: () => exists,
    });
    return exists;
  });
}
