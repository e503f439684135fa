import type { Element, ParentNode } from "domhandler";
import { walk } from "./tree.ts";

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
}

const nothing: Readonly<Weight> = {
  letters: 0,
  linked: 0,
  links: 0,
  landmarks: 0,
  rights: 0,
  buttons: 0,
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
  return { weights, total, layout, mains, articles };
}

/** Characters that leave ink. */
function inked(data: string): number {
  let count = 0;
  for (let i = 0; i < data.length; i++) if (data.charCodeAt(i) > 32) count++;
  return count;
}
