import { Parser } from "htmlparser2";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Every element of a page, in order. */
export function elementsOf(page: string): Element[] {
  const found: Element[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => void found.push({ name, attributes }),
  });
  parser.end(page);
  return found;
}

const blocks = /^(p|li|td|th|dt|dd|tr|h[1-6]|caption|summary|div)$/;

/** What a reader is shown of a page, a line for each block. */
export function textOf(page: string): string {
  let text = "";
  const silent: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const isSilent = ["script", "style", "title"].includes(name) || "hidden" in attributes;
      if (silent.length > 0 ? name === silent[0] : isSilent) silent.push(name);
    },
    onclosetag(name) {
      if (silent[0] === name) silent.pop();
      if (blocks.test(name)) text += "\n";
    },
    ontext(data) {
      if (silent.length === 0) text += data.replace(/\s+/g, " ");
    },
  });
  parser.end(page);
  return text.replace(/ *\n\s*/g, "\n").trim();
}

/** The same on one line. */
export function wordsOf(page: string): string {
  return textOf(page).replace(/\s+/g, " ");
}
